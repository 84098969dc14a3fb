"""The architecture holds: rooms import only the rooms below them, libraries stay in their place, nothing outgrows its budget.

Every check reads one import graph of the whole tree, imports inside functions included, and lists all offenders at once.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import networkx as nx

from readers import READERS
from readers.engine.analysis.memory_snapshots import CHUNK
from readers.engine.record.events import SharedAction
from readers.engine.record.narrative import Narrative
from readers.engine.run.desk import Desk
from tests.support.paths import ROOT

MOST_LINES_A_FILE, MOST_LINES_A_FUNCTION, MOST_LINES_A_PAGE = 500, 60, 20
MOST_PARAMETERS, MOST_POSITIONAL = 5, 2
MANY_IMPORTS, MOST_WITH_MANY_IMPORTS, MOST_IMPORTS = 20, 37, 28
MOST_RECORDS_OF_ONE_MODULE = 105

# The engine's rooms from bottom to top, and what each may import. `files` and `analysis` stand side by side above `forks`.
GROUND = ("errors", "faults", "canonical", "draws", "home", "on_first_use", "own_process", "work")
ENGINE = {
    "ground": "",
    "text": "ground",
    "ingest": "ground text",
    "prompts": "ground text",
    "questions": "ground text ingest",
    "models": "ground text prompts",
    "record": "ground text prompts models",
    "statistics": "ground text record",
    "report": "ground text",
    "labels": "ground text record statistics report",
    "teaching": "ground",
    "store": "ground text prompts questions models record labels teaching",
    "run": "ground text ingest prompts questions models record labels store",
    "forks": "ground text ingest prompts questions models record statistics labels store run",
    "analysis": "ground text ingest prompts questions models record statistics report labels store run forks",
    "files": "ground text ingest prompts questions models record statistics report labels teaching store run forks analysis",
}
SHARED = (
    "html",
    "session",
    "player",
    "replay",
    "lessons",
    "publish",
    "widgets",
)  # components from bottom to top; above them the pages, side by side
NO_READERS = (  # beside the readers' own packages
    "readers.cli", "readers.__main__", "readers.registry", "readers.plugins", "readers.plugin_hooks", "readers.plugin_trial",
    "readers.inspect_solver",
)  # fmt: skip
CLI_MAY = ("components.replay", "components.publish")  # the rooms of the components that the command line reaches, to write files
READER_MAY = (
    "text", "prompts", "record", "analysis.memory_snapshots", "models.similarity",
    "models.tokenizer_files", "run.desk", "run.bounded_memory", "run.reader",
)  # fmt: skip

# Who may import which library; everybody else may not.
ONLY = {
    "streamlit": ("app", "pages.", "components."),
    "litellm": ("readers.engine.models.",),
    "inspect_ai": ("readers.inspect_solver.",),
    "distributed": ("readers.engine.run.cluster.dask_cluster.",),
    "dask": ("readers.engine.run.cluster.dask_cluster.",),
    "sqlite3": ("readers.engine.store.",),
    "sqlite_utils": ("readers.engine.store.migrations.",),
    "threading": (
        "readers.engine.run.",
        "readers.engine.models.similarity",
        "readers.engine.own_process",
        "readers.engine.on_first_use",
        "readers.cli.serve.",
        "readers.cli.watch.",
        "components.session.process_cache",
        "components.session.classes",
        "components.widgets.evidence_fates",
    ),
    "queue": ("readers.engine.run.calls_in_flight", "readers.cli.watch.recorder"),
    "concurrent": (),
    "multiprocessing": (),
    "asyncio": ("components.server.", "readers.cli.serve.", "readers.cli.watch.", "readers.engine.run.cluster.home_service."),
    "random": (),
}
DETERMINISTIC = ("time", "datetime", "uuid", "os", "pathlib", "socket", "secrets")  # what no reader imports
EXTERNAL_STATE = {"session_state", "query_params", "cookies"}  # what Streamlit keeps for a visitor

# Pure, with all they import: no Streamlit. Besides these, everything named `wording` or `html`.
PURE = ("readers.", "components.html.", "components.replay.", "components.lessons.", "components.publish.")
# Ids and titles of readers that are also ordinary words, so that finding them in a text says nothing.
ORDINARY = {"whole", "Whole text", "retrieval", "Retrieval", "recurrence", "Recurrence", "recursive"}
# Shared modules that may name a reader, each with the reason.
MAY_NAME_A_READER = {
    "components.player.pictures": "the table of pictures, by reader",
    "readers.engine.questions.benchmarks.paragraphs": "the repositories that publish these files are called like readers",
    "readers.cli.serve.layouts": "the repository that publishes a layout is called like a reader",
    "readers.engine.questions.scores.short_answers": "the paper that a score is from is the paper of a reader",
}
# Words of shared modules that are also an action or a step of one reader, each with what they mean there.
ANOTHER_MEANING = {
    "leave_out": "the kind of an edit (forks)",
    "start": "where a span begins, in JSON",
    "format_error": "the value of a reply that says what is wrong with its form",
    "scores": "the scores of a sample, in Inspect's format",
}
# Classes that share their name, each with the reason.
SAME_NAME = {
    "Line": "a line of a reply form and of pseudo-code: both are what readers outside this tree import",
    "Ended": "the exception with which a reader ends, and the event that is recorded of it",
}
# Signatures that the design sets: `choose` takes what it may leave out in order.
BY_CONTRACT = ("choose",)


def _modules() -> dict[str, Path]:
    paths = [path for folder in ("readers", "components", "pages") for path in (ROOT / folder).rglob("*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths} | {
        "app": ROOT / "app.py",
        "home": ROOT / "home.py",
    }


MODULES = _modules()


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def nodes(module: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(module)))


@cache
def imports(module: str) -> tuple[str, ...]:
    """The modules that a module imports, ours and others', wherever in it the import stands."""
    return tuple(_imports(module))


def _imports(module: str) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else str(node.module) for name in below)


@cache
def graph() -> nx.DiGraph[str]:
    """An arrow from each module to each that it imports."""
    return nx.DiGraph((module, other) for module in MODULES for other in imports(module) if other != module)


def room(module: str) -> str:
    """The room that a module of ours belongs to; a reader, and a page's folder, is one room."""
    parts = module.split(".")
    if module.startswith("readers.engine"):
        return "ground" if len(parts) < 3 or parts[2] in GROUND else parts[2]
    if parts[0] in ("app", "home", "pages"):
        return module
    return ".".join(parts[:2])


def arrows() -> Iterator[tuple[str, str, str, str]]:
    """Every import of ours that leaves a room: the two modules, and their rooms."""
    for module, other in sorted(graph().edges):
        if other in MODULES and room(module) != room(other):
            yield module, other, room(module), room(other)


def test_the_engine_imports_only_what_stands_below() -> None:
    order = list(ENGINE)
    assert {room(module) for module in MODULES if module.startswith("readers.engine")} == set(order)
    assert all(order.index(below) < order.index(name) for name, allowed in ENGINE.items() for below in allowed.split())
    wrong = [f"{a} -> {b}" for a, b, here, there in arrows() if here in ENGINE and there not in ENGINE[here].split()]
    assert not wrong


def test_a_reader_knows_the_engine_alone_and_not_another_reader() -> None:
    wrong = []
    for module, other, here, there in arrows():
        if here in ENGINE or not here.startswith("readers.") or here in NO_READERS:
            continue
        allowed = there == "ground" or any(f"{other}.".startswith(f"readers.engine.{name}.") for name in READER_MAY)
        wrong += [] if allowed else [f"{module} -> {other}"]
    clocks = [f"{module} -> {top}" for module in MODULES if _is_reader(module) for top in imports(module) if top in DETERMINISTIC]
    assert not wrong + clocks


def _is_reader(module: str) -> bool:
    return module.startswith("readers.") and room(module) not in (*ENGINE, *NO_READERS)


def test_components_import_only_what_stands_below_and_no_page_another() -> None:
    wrong = []
    for module, other, here, there in arrows():
        if here == "readers.cli" and there in CLI_MAY:
            continue
        if there in ("app", "pages") or (here.startswith("readers") and there.startswith("components")):
            wrong.append(f"{module} -> {other}")
        elif here.startswith("components.") and there.startswith("components."):
            height, below = _height(here), _height(there)
            wrong += [f"{module} -> {other}"] if below >= height else []
    assert not wrong


def _height(room: str) -> int:
    """How high a room of the components stands; pages are of one height."""
    name = room.removeprefix("components.")
    return SHARED.index(name) if name in SHARED else len(SHARED) + (name == "frame")


def test_there_are_no_circles() -> None:
    ours = graph().subgraph(MODULES)
    assert not [sorted(circle) for circle in nx.strongly_connected_components(ours) if len(circle) > 1]


def test_each_library_stays_in_its_place() -> None:
    wrong = [
        f"{module} -> {top}"
        for module in MODULES
        for top in {name.partition(".")[0] for name in imports(module)}
        if top in ONLY and not f"{module}.".startswith(ONLY[top])
    ]
    assert not wrong


def test_what_is_pure_reaches_no_streamlit_through_anything_it_imports() -> None:
    reaching = nx.ancestors(graph(), "streamlit") | {
        other for name in graph() if name.startswith("streamlit.") for other in nx.ancestors(graph(), name)
    }
    pure = [
        module for module in MODULES if f"{module}.".startswith(PURE) or module.rpartition(".")[2].endswith(("wording", "html"))
    ]
    assert not [module for module in pure if module in reaching]


def test_what_loads_slowly_or_may_be_missing_is_imported_when_it_is_needed_and_not_before() -> None:
    for module in MODULES:
        for node in parsed(module).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")]
            assert not any(str(name).startswith(("litellm", "dask", "distributed")) for name in names), module


def test_no_file_or_function_is_over_its_budget() -> None:
    wrong = []
    for module, path in MODULES.items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        is_page = module in ("app", "home") or path.parent.name == "pages"
        wrong += [f"{module}: {lines} lines"] if lines > (MOST_LINES_A_PAGE if is_page else MOST_LINES_A_FILE) else []
        wrong += [f"{module}: {function.name}" for function in functions(module) if _length(function) >= MOST_LINES_A_FUNCTION]
    assert not wrong


def functions(module: str) -> Iterator[ast.FunctionDef]:
    return (node for node in nodes(module) if isinstance(node, ast.FunctionDef))


def _length(function: ast.FunctionDef) -> int:
    return (function.end_lineno or 0) - function.lineno


def test_functions_take_few_parameters_and_options_by_name() -> None:
    """An optional parameter goes by name after the second; required ones may stand in order, as in a reader's `read`."""
    wrong = []
    for module in MODULES:
        for function in functions(module):
            positional = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args) if arg.arg not in ("self", "cls")]
            optional = positional[len(positional) - len(function.args.defaults) :]
            late = [name for name in positional[MOST_POSITIONAL:] if name in optional]
            too_many = len(positional) > MOST_PARAMETERS  # those by name may be many: they need no class of their own
            wrong += [f"{module}.{function.name}"] if too_many or (late and function.name not in BY_CONTRACT) else []
    assert not wrong


def test_few_modules_import_much_of_this_tree() -> None:
    """A module that imports more than twenty of ours usually has two subjects. Those that do may only become fewer."""
    counts = {module: len({other for other in imports(module) if other in MODULES}) for module in MODULES}
    much = {module: count for module, count in counts.items() if count > MANY_IMPORTS}
    assert len(much) <= MOST_WITH_MANY_IMPORTS, much
    assert not {module: count for module, count in much.items() if count > MOST_IMPORTS}


def test_a_class_has_a_name_of_its_own() -> None:
    defined = Counter(node.name.lstrip("_") for module in MODULES for node in nodes(module) if isinstance(node, ast.ClassDef))
    assert {name for name, times in defined.items() if times > 1} == set(SAME_NAME)


def test_few_records_are_used_by_one_module_alone() -> None:
    """A record earns its name by being used in two places. Those of one module may only become fewer."""
    alone = [f"{module}.{record}" for module in MODULES for record in records(module) if not _is_used_elsewhere(module, record)]
    assert len(alone) <= MOST_RECORDS_OF_ONE_MODULE, alone


def records(module: str) -> Iterator[str]:
    """The dataclasses and named tuples of a module."""
    for node in nodes(module):
        if isinstance(node, ast.ClassDef):
            decorated = [ast.unparse(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
            if "dataclass" in decorated or "NamedTuple" in map(ast.unparse, node.bases):
                yield node.name


def _is_used_elsewhere(module: str, record: str) -> bool:
    """By name, or as an attribute of the module."""
    others = graph().predecessors(module) if module in graph() else ()
    return any(f"{module}.{record}" in imported_names(other) or record in attributes(other) for other in others)


def test_the_desk_has_eight_verbs_and_no_more() -> None:
    verbs = [name for name in vars(Desk) if not name.startswith("_")]
    assert verbs == ["cut", "ask", "ask_all", "score", "write", "look", "choose", "step"]


def test_every_file_opens_with_what_it_is() -> None:
    assert not [module for module in MODULES if not ast.get_docstring(parsed(module))]


def test_what_streamlit_keeps_for_a_visitor_is_touched_in_the_session_alone() -> None:
    wrong = []
    for module in MODULES:
        used = {node.attr for node in nodes(module) if isinstance(node, ast.Attribute)} & EXTERNAL_STATE
        wrong += [f"{module}: {name}" for name in used] if room(module) != "components.session" else []
    assert not wrong


def test_refs_are_written_and_taken_apart_in_one_place() -> None:
    named = ("wrote:", "reply:", "document:", "choice:")
    wrong = [
        f"{module}:{node.lineno}: {node.value!r}"
        for module in MODULES
        if module != "readers.engine.text.refs"
        for node in nodes(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(named)
    ]
    assert not wrong


def test_components_open_the_store_and_the_jobs_in_the_session_alone() -> None:
    wrong = []
    for module in MODULES:
        if module.startswith(("components.", "pages.", "app")) and room(module) != "components.session":
            called = {node.func.id for node in nodes(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
            wrong += [f"{module}: {name}" for name in sorted(called & {"Store", "Jobs"})]
    assert not wrong


# A reader owns its words


def shared_modules() -> list[str]:
    """Everything but the readers' own packages and pictures, and the list of the readers."""
    pictures = "components.player.pictures."
    return [
        module
        for module in MODULES
        if module not in ("readers", "readers.registry") and not _is_reader(module) and not module.startswith(pictures)
    ]


def strings(module: str) -> Iterator[tuple[int, str]]:
    """The strings of a module, without docstrings, keys of dictionaries and subscripts, by line."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(module)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)
    }
    keys = {id(key) for node in nodes(module) if isinstance(node, ast.Dict) for key in node.keys}
    keys |= {id(node.slice) for node in nodes(module) if isinstance(node, ast.Subscript)}
    for node in nodes(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | keys:
            yield node.lineno, node.value


def attributes(module: str) -> set[str]:
    return {node.attr for node in nodes(module) if isinstance(node, ast.Attribute)}


def test_no_shared_module_names_a_reader() -> None:
    names = {name for reader in READERS for name in (reader.id, reader.title)} - ORDINARY
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b", re.IGNORECASE)
    wrong = [
        f"{module}:{number}: {line.strip()}"
        for module in shared_modules()
        if module not in MAY_NAME_A_READER
        for number, line in enumerate(MODULES[module].read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not wrong


def test_no_shared_module_compares_with_a_reader() -> None:
    """Also where the reader's id is an ordinary word."""
    ids = {reader.id for reader in READERS}
    wrong = []
    for module in shared_modules():
        for node in nodes(module):
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            named = any(isinstance(side, ast.Constant) and side.value in ids for side in sides)
            if named and any(isinstance(side, (ast.Name, ast.Attribute)) and "reader" in ast.unparse(side) for side in sides):
                wrong.append(f"{module}:{node.lineno}")
    assert not wrong


def test_no_shared_module_names_an_action_that_one_reader_has() -> None:
    """In modules that look at decisions; elsewhere the same words mean other things."""
    own = {action for reader in READERS for action in reader.narrative.actions} - set(ANOTHER_MEANING)
    assert not own & set(get_args(SharedAction))
    looking = {"action", "picked", "decisions"}
    wrong = [
        f"{module}:{line}: {words!r}"
        for module in shared_modules()
        if looking & attributes(module) or "readers.engine.record.events.Chose" in set(imported_names(module))
        for line, words in strings(module)
        if words in own
    ]
    assert not wrong


def test_no_shared_module_names_a_step_that_one_reader_has() -> None:
    """In modules that look at the names of steps."""
    own = {word for reader in READERS for word in (*reader.narrative.phases, *reader.narrative.steps)} | set(_steps_of_readers())
    own -= {*Narrative().headings, CHUNK, *ANOTHER_MEANING}
    wrong = [
        f"{module}:{line}: {words!r}"
        for module in shared_modules()
        if {"phase", "steps"} & attributes(module) and not module.startswith("readers.engine.models.")
        for line, words in strings(module)
        if words in own or (words.partition(" ")[0] in own and words.endswith(" "))
    ]
    assert not wrong


def _steps_of_readers() -> Iterator[str]:
    """The names of the readers' steps, without the numbers after them."""
    for module in filter(_is_reader, MODULES):
        for node in nodes(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step" and node.args:
                name = node.args[0]
                first = name.values[0] if isinstance(name, ast.JoinedStr) else name
                if isinstance(first, ast.Constant):
                    yield str(first.value).strip()


def imported_names(module: str) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_reader_declares_every_action_of_its_own() -> None:
    """What its type says is what its narrative shows."""
    for module in MODULES:
        if _is_reader(module):
            found = importlib.import_module(module)
            own = [target.id for node in parsed(module).body if isinstance(node, ast.Assign)
                   for target in node.targets if isinstance(target, ast.Name) and target.id.endswith("Action")]  # fmt: skip
            declared = {action for name in own for action in get_args(getattr(found, name))}
            shown = {a for value in vars(found).values() if isinstance(value, type) and value.__module__ == module
                     for a in getattr(value, "actions", {})}  # fmt: skip
            assert declared == shown, module
