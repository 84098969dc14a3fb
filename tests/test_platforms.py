"""What only POSIX systems have is used with a way round it; the container and the workflow name what is there.

Nobody runs these tests on Windows or macOS (`docs/platforms.md`), nor the container where they run: so what can be read is read.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

import pytest
from yaml import safe_load

from components.session import capacity
from readers.engine import own_process
from tests.support.paths import ROOT

POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
POSIX_NAMES = {
    "os": {"fork", "forkpty", "getuid", "geteuid", "getgid", "getpgid", "killpg", "setsid", "setuid", "statvfs", "nice", "wait",
           "mkfifo", "sched_getaffinity", "sched_setaffinity", "fchmod", "chown", "getloadavg", "uname", "WNOHANG"},
    "signal": {"SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE", "alarm", "setitimer"},
    "socket": {"AF_UNIX"},
    "time": {"tzset", "clock_gettime"},
}  # fmt: skip
SOURCES = [path for folder in ("readers", "components", "pages") for path in (ROOT / folder).rglob("*.py")]
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")


def unguarded(tree: ast.AST) -> Iterator[str]:
    """What only POSIX systems have, and no `try` or test around it."""
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try) and _expects_none(node)]
    guarded = {id(inner) for node in tries for inner in ast.walk(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found = [one.name for one in names if one.name in POSIX_MODULES]
            case ast.ImportFrom(module=str(module)) if module in POSIX_MODULES:
                found = [module]
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if attr in POSIX_NAMES.get(owner, ()):
                found = [f"{owner}.{attr}"]
            case _:
                found = []
        if id(node) not in guarded:
            yield from (f"line {getattr(node, 'lineno', 0)}: {one}" for one in found)


def _expects_none(node: ast.Try) -> bool:
    return bool({"ImportError", "AttributeError"} & {ast.unparse(one.type) for one in node.handlers if one.type})


def test_the_search_finds_what_it_looks_for() -> None:
    assert list(unguarded(ast.parse("import fcntl\nimport os\nos.getuid()"))) == ["line 1: fcntl", "line 3: os.getuid"]
    assert not list(unguarded(ast.parse("try:\n    import resource\nexcept ImportError:\n    pass")))


def test_nothing_that_only_posix_systems_have_is_used_without_a_way_round_it() -> None:
    assert len(SOURCES) > 300
    found = {
        str(path.relative_to(ROOT)): problems
        for path in SOURCES
        if (problems := list(unguarded(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == {}


def test_without_the_module_that_limits_a_process_there_are_limits_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    own_process._limit(1.0, 1)
    capacity.raise_limit()
    assert capacity.most_pages() == 2_560


def test_no_file_has_a_name_that_windows_refuses() -> None:
    folders = ("readers", "components", "pages", "assets", "docs")
    names = [path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*")]
    reserved = re.compile(r'[<>:"|?*\\]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
    assert [str(name) for name in names if any(reserved.search(part) for part in name.parts)] == []
    assert len({str(name).lower() for name in names}) == len(names)


def test_the_container_serves_the_demo_from_what_is_there_as_no_root() -> None:
    lines = [line for line in CONTAINER.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
    said = [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]
    (base,) = [rest for word, rest in said if word == "FROM"]
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+\.\d+-slim-\w+", base)
    copied = [source for word, rest in said if word == "COPY" for source in rest.split()[:-1]]
    assert {"app.py", "home.py", "pages", "components", "readers", "assets", ".streamlit", "requirements.lock"} <= set(copied)
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert "PALIMPSEST_DEMO=1" in dict(said)["ENV"]
    words = [word for word, _ in said]
    assert words.index("USER") < words.index("CMD")
    assert dict(said)["USER"] not in ("root", "0")
    assert "HEALTHCHECK" in words


def test_the_workflow_runs_what_ci_runs_and_may_change_nothing() -> None:
    workflow = safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert set(workflow[True]) == {"push", "pull_request"}  # YAML reads `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == ["bash .ci/run"]
    assert (ROOT / ".ci" / "run").is_file()
    assert job["timeout-minutes"] >= 60
