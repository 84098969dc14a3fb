"""What is loaded on first use: not before, once, and then as if it had been loaded at once."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import regex

from readers.engine import on_first_use
from tests.support.paths import ROOT

# What `--help` may import of ours and of others; what only parts of the standard library need is not in the list.
HELP_MAY = {
    "readers", "readers.__main__", "readers.cli", "readers.cli.output", "readers.cli.parser", "readers.engine",
    "readers.engine.errors", "readers.engine.faults", "readers.engine.text", "readers.engine.text.phrases",
}  # fmt: skip
SLOW_OF_PYTHON = {"asyncio", "email", "importlib.metadata", "multiprocessing", "sqlite3", "ssl", "urllib.request"}


@pytest.mark.slow
def test_help_imports_no_reader_and_little_else() -> None:
    loaded = _loaded(
        "import atexit, runpy, sys; sys.argv[1:] = ['--help']; atexit.register(lambda: print(*sys.modules)); "
        "runpy.run_module('readers', run_name='__main__')"
    )
    others = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    ours = {name for name in loaded if name.partition(".")[0] == "readers"}
    assert (ours | others) - HELP_MAY - {"__main__", "_distutils_hack"} == set()
    assert loaded & SLOW_OF_PYTHON == set()


@pytest.mark.slow
def test_a_command_starts_without_the_parsers_of_files_numpy_or_litellm_or_what_other_commands_need() -> None:
    """Nor does a process that opens the store, which is a part of it."""
    heavy = {
        "charset_normalizer", "litellm", "lxml", "networkx", "numpy", "PIL", "pypdf", "streamlit", "httpx", "starlette",
        "readers.engine.run.cluster.worker", "readers.cli.evaluate", "readers.cli.project",
    }  # fmt: skip
    assert _loaded("import sys, readers.cli.read, readers.engine.store; print(*sys.modules)") & heavy == set()


def _loaded(code: str) -> set[str]:
    """The modules that a process of its own has loaded, which it prints on its last line."""
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


def test_a_pattern_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def noting(source: str, flags: int = 0, compile_: Any = re.compile) -> Any:
        compiled.append(source)
        return compile_(source, flags)

    monkeypatch.setattr(re, "compile", noting)
    lamps = on_first_use.pattern(r"lamps?", re.IGNORECASE)
    assert compiled == []
    assert [lamps.findall("Lamps"), lamps.findall("a lamp"), lamps.pattern] == [["Lamps"], ["lamp"], "lamps?"]
    assert set(compiled) == {"lamps?"}


def test_a_unicode_pattern_knows_the_classes_of_letters() -> None:
    assert on_first_use.unicode_pattern(r"\p{Han}", regex.V1).findall("a灯b") == ["灯"]


def test_a_module_is_looked_up_by_its_whole_name() -> None:
    assert on_first_use.module("xml.etree.ElementTree").fromstring("<lamp/>").tag == "lamp"
    with pytest.raises(AttributeError):
        _ = on_first_use.module("json").lamp
