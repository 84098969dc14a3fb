"""The architecture holds: imports go one way, and nothing grows over its budget (DESIGN sections 1 and 12)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from readers.engine.run.desk import Desk

ROOT = Path(__file__).parents[1]
FOLDERS = ("readers", "components", "pages")
CODE = [*sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")), ROOT / "app.py"]
ENGINE = [path for path in CODE if path.is_relative_to(ROOT / "readers" / "engine")]
OUTSIDE = tuple(ROOT / "readers" / name for name in ("__init__.py", "__main__.py", "batch_cli.py"))
READERS = [path for path in CODE if path.is_relative_to(ROOT / "readers") and path not in ENGINE and path not in OUTSIDE]

MOST_LINES_A_FILE, MOST_LINES_A_FUNCTION, MOST_LINES_A_PAGE = 500, 60, 120
MOST_PARAMETERS, MOST_POSITIONAL = 5, 2

# Who may import what; everybody else may not.
ONLY = {
    "streamlit": lambda path: path.name == "app.py" or path.parts[-2] == "pages" or "components" in path.parts,
    "litellm": lambda path: path.name in ("models.py", "similarity.py") and path in ENGINE,
    "sqlite_utils": lambda path: path.parent.name == "store",
    "sqlite3": lambda path: path.parent.name == "store",
    "threading": lambda path: path.name in ("jobs.py", "flight.py", "vectors.py"),
    "queue": lambda path: path.name == "flight.py",
    "concurrent": lambda path: False,
    "multiprocessing": lambda path: False,
    "asyncio": lambda path: False,
    "random": lambda path: False,
}

# Pure: no Streamlit, whatever they are drawn with.
PURE = (
    "graphs.py", "markup.py", "prose.py", "pictures.py", "frames.py", "coverage.py", "decisions.py", "passage.py", "finding.py",
    "palette.py", "wording.py", "figures.py", "diffs.py", "player_data.py", "model_choice.py", "demo.py",
    "samples.py", "readings_told.py", "compare.py", "compare_figures.py", "reply_fields.py", "taken.py",
    "questions_told.py", "annotate_projects_told.py", "annotate_codebook_told.py", "annotate_words.py",
    "annotate_data.py", "annotate_saving.py", "annotate_told.py", "annotate_seen.py", "annotate_disputes.py",
    "annotate_counts.py", "annotate_taken.py",
)  # fmt: skip


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(module: str) -> int | None:
    """How high a module of ours stands; None for others'."""
    for height, start in ((3, "app"), (3, "pages"), (2, "components"), (0, "readers.engine"), (1, "readers")):
        if module == start or module.startswith(f"{start}."):
            return height
    return None


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            yield node


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    here = layer(".".join(path.relative_to(ROOT).with_suffix("").parts))
    assert here is not None
    for module in imports(path):
        there = layer(module)
        assert there is None or there <= here, f"{module} stands above"


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_each_library_stays_in_its_place(path: Path) -> None:
    for module in imports(path):
        top = module.partition(".")[0]
        assert top not in ONLY or ONLY[top](path), f"{module} does not belong here"
        assert not (path.name in PURE and top == "streamlit"), "this module is pure"


def test_litellm_is_imported_when_it_is_needed_and_not_before() -> None:
    for path in CODE:
        top_level = parsed(path).body
        for node in top_level:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")]
            assert not any(str(name).startswith("litellm") for name in names), name_of(path)


@pytest.mark.parametrize("path", READERS, ids=name_of)
def test_a_reader_touches_only_the_engine(path: Path) -> None:
    own = path.parent.name if path.parent.name != "readers" else path.stem
    for module in imports(path):
        inside = module == f"readers.{own}" or module.startswith(f"readers.{own}.")
        assert inside or layer(module) in (None, 0), f"a reader does not know {module}"
        assert module.partition(".")[0] not in ("time", "datetime", "uuid", "os", "pathlib", "socket", "secrets"), (
            f"{module}: a reader is deterministic"
        )


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_no_file_and_no_function_is_over_its_budget(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    is_page = path.name == "app.py" or path.parent.name == "pages"
    assert lines <= (MOST_LINES_A_PAGE if is_page else MOST_LINES_A_FILE)
    for function in functions(path):
        assert (function.end_lineno or 0) - function.lineno < MOST_LINES_A_FUNCTION, function.name


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_functions_take_few_parameters_and_options_by_name(path: Path) -> None:
    """What a call may leave out goes by name after the second; what it must give may stand in order, as in a reader's `read`."""
    for function in functions(path):
        positional = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args) if arg.arg not in ("self", "cls")]
        assert len(positional) + len(function.args.kwonlyargs) <= MOST_PARAMETERS, function.name
        optional = positional[len(positional) - len(function.args.defaults) :]
        late = [name for name in positional[MOST_POSITIONAL:] if name in optional]
        assert not late or function.name in BY_CONTRACT, f"{function.name}: {late} go by name"


# Signatures that are the design's own.
BY_CONTRACT = ("choose",)


def test_the_desk_has_eight_verbs_and_no_more() -> None:
    verbs = [name for name in vars(Desk) if not name.startswith("_")]
    assert verbs == ["cut", "ask", "ask_all", "score", "write", "look", "choose", "step"]


@pytest.mark.parametrize("path", [path for path in CODE if path.read_text(encoding="utf-8").strip()], ids=name_of)
def test_a_file_opens_with_what_it_is(path: Path) -> None:
    assert ast.get_docstring(parsed(path))


def test_session_keys_are_in_one_place() -> None:
    for path in CODE:
        uses = [node.attr for node in ast.walk(parsed(path)) if isinstance(node, ast.Attribute)]
        assert path.name == "state.py" or not {"session_state", "query_params"} & set(uses), name_of(path)
