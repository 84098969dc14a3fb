"""A reader of one's own whose code does harm without meaning to: it is named in words, and nothing else suffers."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

import pytest

from readers import plugin_hooks, plugins
from readers.engine.errors import ReaderFailed
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from tests.readers.test_plugins import GOOD
from tests.support.models.scripted_models import parts_of

MUTE = """
class Mute(Exception):
    def __str__(self):
        raise SystemExit(7)
    __repr__ = __str__

READER"""
WITH_NARRATIVE = "from readers.engine.record.narrative import Narrative\nimport sys\n"


def loaded(home: Path, code: str) -> plugins.Plugin:
    (home / "readers").mkdir(parents=True)
    (home / "readers" / "own.py").write_text(code, encoding="utf-8")
    (plugin,) = plugins.found([])
    return plugin


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("READER = Own", "raise SystemExit(3)"), "SystemExit: 3"),
        (("READER = Own", f"{MUTE[:-6]}raise Mute"), "Mute: its message cannot be shown"),
        (('size: int = option(5, "How large.", lowest=1)', "size: float = option(float('nan'), 'How large.')"), "its options"),
    ],
)
def test_what_cannot_be_loaded_is_refused(own_home: Path, change: tuple[str, str], words: str) -> None:
    assert words in loaded(own_home, GOOD.replace(*change)).problem


def test_what_is_printed_at_import_is_no_output(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert loaded(own_home, f"print('Hello!')\n{GOOD}").reader
    assert capsys.readouterr() == ("", "Hello!\n")


@pytest.mark.parametrize(
    ("hook", "body", "words"),
    [
        ("view", "sys.exit(4)", "SystemExit: 4 (own.py, line "),
        ("view", "raise Mute", "Mute: its message cannot be shown"),
        ("view", "return {'a': {1, 2}}", "TypeError: Object of type set is not JSON serializable"),
        ("view", "return {'a': float('nan')}", "not JSON compliant"),
        ("view", "a = {}; a['a'] = a; return a", "Circular reference"),
        ("view", "return {'a': ['x' * 1000] * 200_000}", "more than 10,000,000 characters; return less"),
        ("names", "return {'a': 3}", "values that are not text"),
        ("measures", "return 3", "it returned int, and must return a dict"),
        ("measures", "return {'a': object()}", "Object of type object is not JSON serializable"),
        ("narrative.step", "return 3", "it returned int, and must return text"),
        ("narrative.sentence", "yield 3", "it returned int, and must return text"),
    ],
)
def test_what_a_hook_does_or_returns_is_told(own_home: Path, hook: str, body: str, words: str) -> None:
    where, _, name = hook.rpartition(".")
    function = f"def {name}(self, *given):\n        {body}\n"
    inside = f"    class Told(Narrative):\n        {function.replace('    ', '      ')}    narrative = Told()\n"
    code = GOOD.replace('    "Reads."\n', f'    "Reads."\n{inside if where else f"    {function}"}')
    reader = loaded(own_home, WITH_NARRATIVE + code.replace("\nREADER", MUTE)).reader
    with pytest.raises(ReaderFailed) as raised:
        list(attrgetter(hook)(reader)(None, None))
    assert str(raised.value).startswith(f"the reader 'own' failed in its hook {hook!r}: ")
    assert words in str(raised.value)


def test_what_a_hook_returns_is_plain(own_home: Path) -> None:
    code = "class Loud(str):\n    def __str__(self):\n        raise SystemExit\n    __format__ = __str__\n" + GOOD
    view = "    def view(self, trace):\n        return {'a': Loud('b'), 'half': 'x\\ud800'}\n"
    reader = loaded(own_home, code.replace('    "Reads."\n', f'    "Reads."\n{view}')).reader
    assert reader
    assert [(f"{key}", f"{value}") for key, value in reader.view(None).items()] == [("a", "b"), ("half", "x?")]  # type: ignore[arg-type]
    assert plugin_hooks.MAX_CHARS > 1_000_000


@pytest.mark.parametrize(
    ("body", "raises", "words"),
    [("raise SystemExit(5)", ReaderFailed, "SystemExit: 5"), ("raise Mute", Exception, "Mute: its message cannot be shown")],
)
def test_a_reading_whose_reader_breaks_down_is_settled(
    own_home: Path, store: Store, body: str, raises: type[Exception], words: str
) -> None:
    reader = loaded(own_home, GOOD.replace("return document.at((0, 1))", body).replace("\nREADER", MUTE)).reader
    assert isinstance(reader, Reader)
    run = create_run(store, parts_of(2), reader, RunSpec("own", 1, "Who?"))
    with pytest.raises(raises):
        execute(store, run.id, reader, Execution(Offline()))
    found = store.runs.get(run.id)
    assert (found.status, found.error) == ("failed", f"the reader 'own' broke down: {words}")
