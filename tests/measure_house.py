"""How large the house is, and how often an idea stands in it twice: `python tests/measure_house.py`.

A row a figure. Not a test: a figure shows where to look, and fewer ideas are the aim, not shorter lines.
"""

from __future__ import annotations

import ast
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("app.py", "home.py", "components", "pages", "readers")
VALUE_BASES = {"NamedTuple", "TypedDict", "BaseModel", "Enum", "StrEnum"}


def files(*places: str, ending: str = "py") -> list[Path]:
    """The files of these places with this ending, without what others wrote."""
    found: list[Path] = []
    for place in places:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(path.rglob(f"*.{ending}"))
    return [path for path in found if "vendor" not in path.parts and "node_modules" not in path.parts]


def lines(paths: Iterable[Path]) -> int:
    return sum(len(path.read_bytes().splitlines()) for path in paths)


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files(*PRODUCT)}


def _nodes() -> Iterator[ast.AST]:
    for tree in trees().values():
        yield from ast.walk(tree)


def classes() -> list[ast.ClassDef]:
    return [node for node in _nodes() if isinstance(node, ast.ClassDef)]


def value_classes() -> int:
    """Dataclasses and named tuples."""
    return sum(_is_value(one) for one in classes())


def _is_value(one: ast.ClassDef) -> bool:
    decorators = {_name(node.func if isinstance(node, ast.Call) else node) for node in one.decorator_list}
    return "dataclass" in decorators or "NamedTuple" in {_name(base) for base in one.bases}


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def twice() -> list[tuple[str, int]]:
    """The names of classes that are defined more than once, those most often first."""
    counts = Counter(one.name.lstrip("_") for one in classes())
    return [(name, count) for name, count in counts.most_common() if count > 1]


def vocabularies() -> int:
    """Named sets of words, `Name = Literal[...]`."""
    assigned = (node.value for node in _nodes() if isinstance(node, ast.Assign | ast.AnnAssign))
    return sum(isinstance(value, ast.Subscript) and _name(value.value) == "Literal" for value in assigned)


def wording_modules() -> int:
    return sum("wording" in path.stem or (path.parent.name == "words" and path.stem != "__init__") for path in trees())


def most_imports() -> tuple[str, int]:
    """The module that imports most modules of ours, and how many."""
    own = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in trees()}
    found = {path: len({name for name in _imported(tree) if name in own}) for path, tree in trees().items()}
    path = max(found, key=lambda one: found[one])
    return str(path.relative_to(ROOT)), found[path]


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def run_to_first_picture() -> int:
    """How many of our files have a function that runs from the press of Start to the first picture on Trace."""
    import os

    os.environ["PALIMPSEST_HOME"] = tempfile.mkdtemp()
    sys.path.insert(0, str(ROOT))
    from components.session import process_cache
    from readers.engine.store import Store
    from readers.engine.text.document import Document
    from tests.support.app_pages import opened, run

    with Store() as store:
        text = store.documents.add(Document.of("Doris kept the lamp. It cost 98 pounds. " * 200, title="The lamp"))
    found: set[str] = set()

    places = tuple(f"{ROOT}/{one}" for one in PRODUCT)

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(places):
            found.add(code.co_filename)

    with opened("2_Read") as app:
        run(app, document=text.id)
        app.text_input[0].input("Who kept the lamp?")
        app.run()
        start = next(button for button in app.button if button.label.startswith("Start"))
        threading.setprofile(note)
        start.click().run()
        assert process_cache.jobs().wait(30)
        with Store() as store:
            reading = store.runs.listed()[0].id
        app.switch_page("pages/3_Trace.py")
        run(app, run=reading)
        threading.setprofile(None)
    return len(found)


def rows() -> Iterator[tuple[str, object]]:
    product = files(*PRODUCT)
    yield "Python lines (product)", lines(product)
    yield "files", len(product)
    yield "folders", len({path.parent for path in product})
    yield "value classes (dataclass, NamedTuple)", value_classes()
    again = twice()
    most = ", ".join(f"{name} {count}" for name, count in again[:6])
    yield "class names defined more than once", f"{len(again)} ({most})"
    yield "vocabularies (Literal)", vocabularies()
    yield "wording modules", wording_modules()
    yield "files run from Start to the first picture", _or_why(run_to_first_picture)
    path, count = most_imports()
    yield "own modules imported by one file, most", f"{count} ({path})"
    yield "JavaScript", lines(files("assets/js", ending="js") + files("assets/js", ending="mjs"))
    yield "CSS", lines(files("assets/css", ending="css"))
    yield "tests (Python)", lines(files("tests"))


def _or_why(figure: Callable[[], int]) -> object:
    try:
        return figure()
    except Exception as error:
        return f"not measured: {error!r}"


if __name__ == "__main__":
    for what, value in rows():
        print(f"{what:<46} {value:,}" if isinstance(value, int) else f"{what:<46} {value}", flush=True)
