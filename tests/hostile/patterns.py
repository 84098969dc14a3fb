"""Every pattern of ours, by where it stands, and what the program asks of it.

Found are those that a module holds, also in a tuple, a table or a record, and those that a function writes down where it uses
them. What such a pattern is made of must be known: `MADE_OF` says it for the names that only the function has.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import regex

import components
import readers
from components.readings import wording
from readers.engine import on_first_use
from tests.support.paths import ROOT

SEARCHING = frozenset({"search", "sub", "subn", "split", "findall", "finditer"})
METHODS = SEARCHING | {"match", "fullmatch"}
FLAGS_AT = {"sub": 4, "subn": 4, "split": 3, "compile": 1}  # among the arguments; elsewhere the third
NOT_LOADED = ("readers.inspect_solver", "readers.__main__", "readers.engine.run.cluster.dask_cluster")

# What a pattern in a function is made of, as far as the function is given it.
_ACTION = SimpleNamespace(acts=[SimpleNamespace(word="read"), SimpleNamespace(word="search")])
_HEADED = r"^(?:[^\S\n]|[>*_])*(?:reason|action|argument)(?:[^\S\n]|[*_])*:"
MADE_OF: dict[str, dict[str, Any]] = {
    "components.html.document._standing": {"words": "a  a"},
    "components.publish.pseudonyms.__init__": {"longest_first": ["a a", "a"]},
    "components.readings.wording.refusal": {"sign": "|".join(sign for sign, _ in wording._REFUSED)},
    "readers.cli.watch.program.__init__": {"given": "answer: (a)"},  # whoever starts the program gives it
    "readers.engine.models.offline.lexicon.counted": {"number": " 1 ", "many": {"what": "a"}},
    "readers.engine.models.received._tag": {"names": ("think", "a")},
    "readers.engine.prompts.formats.blocks._heading": {"names": "answer|a"},
    "readers.engine.prompts.formats.blocks._strict": {"names": "answer|a"},
    "readers.engine.prompts.formats.choices._joined": {"self": _ACTION},
    "readers.engine.prompts.formats.choices._places": {"self": SimpleNamespace(words=("yes", "no"))},
    "readers.engine.prompts.formats.choices._word": {"words": "read|search|a"},
    "readers.engine.prompts.formats.json_lists._in_words": {"self": SimpleNamespace(name="a")},
    "readers.engine.prompts.formats.json_lists._key": {"name": "a"},
    "readers.engine.prompts.formats.labels._labels": {"names": ("answer", "reasoning"), "alone": True},
    "readers.engine.prompts.formats.letters.by_letters": {"either_words": "a[\\W_]{1,4}a|a"},
    "readers.engine.prompts.prompt._markers": {
        "fences": {"<a", "<text>", "-{3,}", r"<\s*a\s*\d+\s*>"},
        "self": SimpleNamespace(reply=SimpleNamespace(markers=(_HEADED, r"\\boxed(?=\s*\{)"))),
    },
    "readers.engine.questions.benchmarks.stories._marks": {"parts": ["a", "a", "-"]},
    "readers.engine.questions.benchmarks.synthetic._assignments": {"name": "a"},
    "readers.engine.questions.benchmarks.synthetic._needles": {"value": "a"},
    "readers.engine.questions.grading.names._another_form": {"name": "a a"},
    "readers.engine.questions.scores.score.has_whole": {"part": "a", "start": r"[^\W_]", "end": r"[^\W_]"},
    "readers.engine.text.search.find": {"parts": ["a", "a"]},
    "readers.engine.text.search.marked": {"self": SimpleNamespace(phrases=("a a", "a"))},
    "readers.qrmem.mentions._places": {"words": ["a", "a"], "flags": 0},
}

# What is asked of patterns that a loop goes through.
IN_A_LOOP = {
    "readers.engine.questions.grading.yes_no._OPENING": frozenset({"match"}),
    "readers.engine.questions.grading.yes_no._SOURCE": frozenset({"match"}),
}


class Used(NamedTuple):
    """A pattern, and what the program asks of it."""

    pattern: re.Pattern[str]
    methods: frozenset[str]


def patterns() -> dict[str, Used]:
    found: dict[str, Used] = {}
    anywhere = _asked_for(path for folder in ("readers", "components") for path in (ROOT / folder).rglob("*.py"))
    for module in modules():
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        here = _asked_for_in(tree)
        for key, value in vars(module).items():
            name = f"{module.__name__}.{key}"
            asked = IN_A_LOOP.get(name, (here if key.startswith("_") else anywhere)[key] & METHODS)
            for place, held in _held(value):
                found[name + place] = Used(held, frozenset(asked or {"finditer"}))
        if module is not on_first_use:
            found.update(_in_functions(module, tree, here))
    return found


def modules() -> Iterator[ModuleType]:
    for package in (readers, components):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name not in NOT_LOADED:
                yield importlib.import_module(found.name)


def _held(value: object, place: str = "") -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns that a value is or holds, and where in it."""
    value = value._made() if isinstance(value, on_first_use._OnFirstUse) else value
    if isinstance(value, (re.Pattern, regex.Pattern)):
        if isinstance(value.pattern, str):
            yield place, value
        return
    inside: Iterable[tuple[object, object]] = ()
    if isinstance(value, Mapping):
        inside = value.items()
    elif isinstance(value, (tuple, list)):
        inside = enumerate(value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        inside = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    for key, part in inside:
        yield from _held(part, f"{place}[{key}]")


def _asked_for(paths: Iterable[Path]) -> dict[str, set[str]]:
    asked = defaultdict(set)
    for path in paths:
        for name, methods in _asked_for_in(ast.parse(path.read_text(encoding="utf-8"))).items():
            asked[name] |= methods
    return asked


def _asked_for_in(tree: ast.AST) -> dict[str, set[str]]:
    """What a file asks of each name: its methods. A pattern that is handed on is asked for by no name."""
    asked = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            of = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(of, (ast.Name, ast.Attribute)):
                asked[of.id if isinstance(of, ast.Name) else of.attr].add(node.attr)
    return asked


def _in_functions(module: ModuleType, tree: ast.AST, here: Mapping[str, set[str]]) -> Iterator[tuple[str, Used]]:
    """The patterns that the functions of a module write down."""
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        where = f"{module.__name__}.{function.name}"
        asked_next = {
            id(node.value): node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute) and node.attr in METHODS
        }
        names = {**vars(module), **MADE_OF.get(where, {})}
        set_here = _set_in(function)
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and (method := _method(call, names)) and not _is_pattern(call.args[0], names):
                source = _value(call.args[0], names, set_here, where)
                flags = _value(_flags(call, method), names, set_here, where)
                library = regex if ast.unparse(call.func).startswith(("regex.", "unicode")) else re
                asked = {method, asked_next.get(id(call), "")} | here.get(function.name, set())
                yield f"{where}: {source}", Used(library.compile(source, flags), frozenset(asked & METHODS or {"finditer"}))


def _method(call: ast.Call, names: Mapping[str, Any]) -> str:
    """What this call asks of a pattern that it is given as text; empty for another call."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="re" | "regex"), attr=method) if method in METHODS | {"compile"}:
            return method
        case ast.Name(id=name) if names.get(name) in (on_first_use.pattern, on_first_use.unicode_pattern):
            return "compile"
    return ""


def _is_pattern(argument: ast.expr, names: Mapping[str, Any]) -> bool:
    """Whether a call is given a pattern that a module holds."""
    held = names.get(argument.id) if isinstance(argument, ast.Name) else None
    return isinstance(held, (re.Pattern, regex.Pattern, on_first_use._OnFirstUse))


def _flags(call: ast.Call, method: str) -> ast.expr:
    at = FLAGS_AT.get(method, 2)
    given = [word.value for word in call.keywords if word.arg == "flags"]
    return given[0] if given else call.args[at] if len(call.args) > at else ast.Constant(0)


def _set_in(function: ast.AST) -> dict[str, ast.expr]:
    """What a function sets its own names to."""
    return {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _value(expression: ast.expr, names: dict[str, Any], set_here: Mapping[str, ast.expr], where: str) -> Any:
    try:
        return eval(ast.unparse(expression), names)
    except NameError as error:
        name = error.name
    if name not in set_here:
        raise AssertionError(f"{where} makes a pattern of {name}: say in MADE_OF what that may be")
    return _value(expression, {**names, name: _value(set_here[name], names, set_here, where)}, set_here, where)
