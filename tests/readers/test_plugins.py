"""Readers of one's own: found in packages and folders, refused in words if they break the contract, begun from a template."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

import readers
from readers import plugin_trial, plugins
from readers.cli import main, settings
from readers.engine.errors import NotFound, ReaderFailed
from readers.engine.models.offline import Offline
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from readers.engine.text.document import Document
from readers.plugins import NAMED, Plugin
from tests.support.paths import ROOT

TEXT = Document.of("The ferry leaves at noon.\n\nThe parrot is called Doris.", title="Ferry")


@pytest.fixture
def made(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader made from the template, in the folder where readers are found."""
    assert main(["new", "Margin-notes"]) == 0
    monkeypatch.delitem(sys.modules, "palimpsest_readers_margin_notes", raising=False)
    return own_home / "readers" / "margin_notes"


def only(found: tuple[Plugin, ...]) -> Plugin:
    (plugin,) = found
    return plugin


def test_a_reader_from_the_template_is_found_with_its_origin_and_reads(made: Path) -> None:
    plugin = only(plugins.found([]))
    assert (plugin.name, plugin.origin, plugin.problem) == ("margin_notes", str(made), "")
    reader = plugin.reader
    assert reader
    assert (reader.id, reader.title, type(reader).__name__) == ("margin_notes", "Margin notes", "MarginNotes")
    trace = rehearse(TEXT, reader, RunSpec(reader.id, 1, "What is the parrot called?", options={"part_tokens": 32}), Offline())
    assert trace.outcome == "answered"
    left = [path for path in made.iterdir() if path.is_file() and "new_reader" in path.read_text(encoding="utf-8").lower()]
    assert left == []


def test_a_package_is_found_by_its_entry_point(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    site.mkdir()
    made.rename(site / "margin_notes")
    about = site / "palimpsest_margin_notes-0.3.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: palimpsest-margin-notes\nVersion: 0.3\n", encoding="utf-8")
    entry = "[palimpsest.readers]\nmargin_notes = margin_notes:READER\nlost = nowhere.at_all:READER\n"
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    lost, found = plugins.found([])
    assert (found.origin, found.problem) == ("package palimpsest-margin-notes 0.3", "")
    assert found.reader
    assert "it cannot be loaded: ModuleNotFoundError" in lost.problem


GOOD = """
from dataclasses import dataclass
from readers.engine.prompts.options import Preset, option
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.pseudo_code import Line, PseudoCode, Ran
from readers.engine.run.reader import Reader

@dataclass(frozen=True)
class Options:
    size: int = option(5, "How large.", lowest=1)

class Algorithm(PseudoCode):
    def ran(self, record):
        return [Ran("ask")]

def code(source):
    algorithm = Algorithm()
    algorithm.paper, algorithm.lines = "nobody's", (Line("ask", "answer <- model(text)", "1", source),)
    return algorithm

NAME = "own"

class Own(Reader):
    "Reads."
    id, title, version = "own", "Own", 1
    prompts = (Prompt(id="own.ask", task="answer", template="$segments $question"),)
    Options = Options
    def read(self, document, question, desk, options):
        return document.at((0, 1))

READER = Own
"""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("READER = Own", ""), "it is not a reader: READER must be"),
        (("READER = Own", "READER = 'own'"), "it is not a reader"),
        (("READER = Own", "1 / 0"), "ZeroDivisionError"),
        (("READER = Own", "raise SystemExit(3)"), "SystemExit: 3"),
        (("READER = Own", "READER = ("), "SyntaxError"),
        (("from readers.engine.run.reader", "from readers.engine.run.leser"), "No module named"),
        (("    def read(self, document, question, desk, options):\n        return document.at((0, 1))\n", ""), "abstract"),
        (('"own", "Own", 1', '"Own words", "Own", 1'), "a word in lower-case letters"),
        (('"own', '"whole'), "belongs to another reader"),
        (('"own", "Own", 1', '"own", "", 1'), "title '' must be one line"),
        (('"own", "Own", 1', '"own", "Own", 0'), "must be 1 or more"),
        (('"own", "Own", 1', '"own", "Own", "1"'), "its 'version' must be int, not str"),
        (('"own.ask"', '"ask"'), "must begin with 'own.'"),
        (("    prompts = ", "    prompts = 2 * "), "two of its prompts have the same id"),
        (("    Options = Options\n", ""), "its 'Options' must be a class"),
        (("    Options = Options\n", "    Options = dict\n"), "its Options must be a dataclass"),
        (("option(5,", "option(0,"), "'size' is at least 1"),
        (("option(5,", "option(1,"), ""),
        (("size: int", "size: list"), "cannot be used as they are by default"),
        (('    "Reads."', '    presets = {"paper": Preset({"sise": 3})}'), "its preset 'paper' cannot be used"),
        (('    "Reads."', "    narrative = 3"), "its narrative must be a Narrative"),
        (
            ('    "Reads."', "    narrative = type('N', (Reader.narrative.__class__,), {'phases': 3})()"),
            "its narrative's 'phases' must be dict, not int",
        ),
        (('    "Reads."', "    pseudo_code = 3"), "its pseudo_code must be a PseudoCode"),
        (('    "Reads."', "    State = 3"), "its State must be a class that extends"),
        (('    "Reads."', "    pseudo_code = code(__name__ + ':Own.read')"), ""),
        (('    "Reads."', "    pseudo_code = code(__name__ + ':Own.reed')"), "function 'palimpsest_readers_own:Own.reed'"),
        (('    "Reads."', "    pseudo_code = code('nowhere.reader:Own.read')"), "No module named 'nowhere'); write it as"),
        (('    "Reads."', "    pseudo_code = code('')"), "names the function '', which cannot be found"),
        (('    "Reads."', "    pseudo_code = code(__name__ + ':NAME')"), "cannot be found"),
        (('    "Reads."', "    pseudo_code = Algorithm()"), "its pseudo_code cannot be shown"),
    ],
)
def test_what_breaks_the_contract_is_refused_in_words(own_home: Path, change: tuple[str, str], words: str) -> None:
    (own_home / "readers").mkdir(parents=True)
    assert change[0] in GOOD
    (own_home / "readers" / "own.py").write_text(GOOD.replace(*change), encoding="utf-8")
    plugin = only(plugins.found(["whole"]))
    assert (plugin.reader is None) == bool(words)
    assert words in plugin.problem
    assert "\n" not in plugin.problem


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (("$segments", "$segments"), ""),
        (("$segments", "$pieces"), "its prompt 'own.ask' has $pieces and $question"),
        (("$segments", "$segments $limit"), "does not look at $limit of its prompt 'own.ask'"),
        (('"answer"', '"anser"'), "cannot do the task 'anser' of the prompt 'own.ask'"),
    ],
)
def test_what_the_offline_model_cannot_do_of_it_is_told_and_refuses_nothing(
    own_home: Path, change: tuple[str, str], remark: str
) -> None:
    (own_home / "readers").mkdir(parents=True)
    (own_home / "readers" / "own.py").write_text(GOOD.replace(*change), encoding="utf-8")
    plugin = only(plugins.found([]))
    assert plugin.reader
    assert [remark in told for told in plugin.remarks] == ([True] if remark else [])


HOOKS = """
    def names(self, trace):
        return {}[trace]
    def view(self, trace):
        return [trace]
    def hints(self, source):
        yield 1 / source
    class Told(Narrative):
        def sentence(self, decision, record):
            raise RuntimeError("two\\nlines")
    narrative = Told()
    pseudo_code = code(__name__ + ":Own.read")

READER"""


@pytest.mark.parametrize(
    ("hook", "arguments", "words"),
    [
        ("names", ["part"], "KeyError: 'part' (own.py, line "),
        ("view", [0], "it returned list, and must return a dict"),
        ("hints", [0], "ZeroDivisionError: division by zero (own.py, line "),
        ("narrative.sentence", [None, None], "RuntimeError: two lines (own.py, line "),
        ("pseudo_code.ran", [], "missing 1 required positional argument: 'record'"),
    ],
)
def test_a_hook_that_raises_is_told_in_words_that_name_it(own_home: Path, hook: str, arguments: list[object], words: str) -> None:
    (own_home / "readers").mkdir(parents=True)
    code = "from readers.engine.record.narrative import Narrative\n" + GOOD.replace("\nREADER", HOOKS)
    (own_home / "readers" / "own.py").write_text(code, encoding="utf-8")
    with pytest.raises(ReaderFailed) as raised:
        list(attrgetter(hook)(only(plugins.found([])).reader)(*arguments))
    assert str(raised.value).startswith(f"the reader 'own' failed in its hook {hook!r}: ")
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("    def names(self, trace):\n        return {}[0]", "failed in its hook 'names': KeyError: 0 (own.py, line "),
        ("    def view(self, trace):\n        return 3", "failed in its hook 'view': it returned int, and must return a dict"),
        ("    def hints(self, source):\n        yield 1 / 0", "failed in its hook 'hints': ZeroDivisionError"),
        (
            "    def provisional(self, answers):\n        return answers.nowhere",
            "failed in its hook 'provisional': AttributeError",
        ),
        (
            "    def read(self, document, question, desk, options):\n        return 1 / 0",
            "broke down in 'read': ZeroDivisionError",
        ),
        ("", ""),
    ],
)
def test_what_a_reading_would_raise_is_told_before_one_starts(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str, words: str
) -> None:
    (own_home / "readers").mkdir(parents=True)
    (own_home / "readers" / "own.py").write_text(GOOD.replace("\nREADER = Own", f"{code}\n\nREADER = Own"), encoding="utf-8")
    found = plugins.found([])
    reader = only(found).reader
    assert reader
    told = plugin_trial.failures(reader)
    assert [words in failure for failure in told] == ([True] if words else [])
    monkeypatch.setattr("readers.registry.PLUGINS", found)
    settings.print_failures([reader, reader])
    assert capsys.readouterr().err == "".join(f"warning: {failure}\n" for failure in told)


def test_an_estimate_with_a_reader_that_breaks_down_says_so(own_home: Path) -> None:
    (own_home / "readers").mkdir(parents=True)
    (own_home / "readers" / "own.py").write_text(GOOD.replace("return document.at((0, 1))", "return 1 / 0"), encoding="utf-8")
    reader = only(plugins.found([])).reader
    assert reader
    with pytest.raises(ReaderFailed, match="the reader 'own' broke down: ZeroDivisionError"):
        estimate(Document.of("It rained."), reader, RunSpec("own", 1, "Did it rain?"))


def test_the_narrative_that_other_readers_share_is_left_alone(made: Path) -> None:
    reader = only(plugins.found([])).reader
    assert reader
    assert vars(Reader.narrative) == {}
    assert reader.names(rehearse(TEXT, reader, RunSpec(reader.id, 1, "Who?", options={"part_tokens": 32}), Offline()))


def test_a_demo_loads_none_but_those_that_are_named(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    assert plugins.found([]) == ()
    assert "palimpsest_readers_margin_notes" not in sys.modules
    monkeypatch.setenv(NAMED, "another, margin_notes")
    assert only(plugins.found([])).reader
    monkeypatch.delenv("PALIMPSEST_DEMO")
    monkeypatch.setenv(NAMED, "none")
    assert plugins.found([]) == ()


def test_what_is_no_reader_is_left_alone(own_home: Path) -> None:
    folder = own_home / "readers"
    (folder / "notes").mkdir(parents=True)
    for name in ("_hidden.py", ".draft.py", "words.txt"):
        (folder / name).write_text("raise SystemExit", encoding="utf-8")
    assert plugins.found([]) == ()


def test_the_list_says_where_each_is_from_and_why_one_is_refused(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = replace(only(plugins.found([])), remarks=("the offline model does not look at $limit",))
    monkeypatch.setattr("readers.registry.PLUGINS", (own, Plugin("broken", "package broken 2", problem="it is not a reader")))
    monkeypatch.setattr("readers.cli.inventory.PLUGINS", readers.PLUGINS)
    monkeypatch.setattr("readers.cli.inventory.READERS", (*readers.BUILT_IN, own.reader))
    capsys.readouterr()
    assert main(["readers"]) == 0
    out, err = capsys.readouterr()
    assert out.count("comes with this program") == len(readers.BUILT_IN)
    assert str(made) in out
    assert err.splitlines() == [
        "margin_notes     note: the offline model does not look at $limit",
        "broken           refused: it is not a reader (package broken 2)",
    ]


def test_a_refused_reader_that_is_asked_for_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.registry.PLUGINS", (Plugin("broken", "package broken 2", problem="it is not a reader"),))
    with pytest.raises(NotFound, match=r"^the reader 'broken' is refused: it is not a reader$"):
        readers.get("broken")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["two words"], "is none"),
        (["class"], "is none"),
        (["9lives"], "is none"),
        (["memwalker"], "the name 'memwalker' is taken"),
        (["margin_notes"], "already exists"),
        (["fine", "/dev/null/nowhere"], "cannot be written"),
    ],
)
def test_a_name_or_place_that_cannot_be_used_is_refused(
    made: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *words]) == 2
    assert said in capsys.readouterr().err


def documented() -> tuple[list[str], str]:
    """The command that CONTRIBUTING.md gives to try the template's reader, and the answer that it says to expect."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    command = page.partition(".venv/bin/python -m readers read ")[2].partition("# ")
    return shlex.split(command[0].replace("\\\n", " ")), command[2].partition("\n")[0]


@pytest.mark.slow
def test_the_templates_test_passes_and_its_reader_is_used_by_the_command_line(made: Path, store: Store) -> None:
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    asked, answer = documented()
    tested, read = (
        subprocess.run([sys.executable, "-m", *words], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        for words in (["pytest", "-q", "-p", "no:cacheprovider", str(made)], ["readers", "read", *asked])
    )
    assert "5 passed" in tested.stdout, tested.stdout
    assert read.returncode == 0, read.stderr
    assert answer in read.stdout
    assert store.runs.listed()[0].reader == "margin_notes"


@pytest.mark.parametrize("name", ["zebra", "reading_twice_with_questions"])
@pytest.mark.parametrize("words", [["check"], ["format", "--check"]], ids=["check", "format"])
def test_ruff_has_nothing_to_say_of_a_reader_from_the_template(own_home: Path, name: str, words: list[str]) -> None:
    """Types are checked in the template itself, by mypy."""
    assert main(["new", name]) == 0
    command = [sys.executable, "-m", "ruff", *words, "--no-cache", "--config", "pyproject.toml", str(own_home / "readers")]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
