"""What the Compare page says: the names of its readings, and the tables of their measures, costs and settings. Pure.

Readings are numbered from 1 in the order of the page's address, and spoken of by that number. Not here: where two of them diverge
(`pair.py`), where each looked (`maps.py`), and which is the cheapest after how many questions (`costs.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from components.html.words import wording
from components.html.words.reading_words import title_in_list
from readers.engine.analysis import measures
from readers.engine.analysis.differences import Setting
from readers.engine.analysis.same_question import asked_words
from readers.engine.forks.describe_edit import describe
from readers.engine.record.costs import Costs, Tally
from readers.engine.record.edits import models_called
from readers.engine.record.narrative import Narrative
from readers.engine.report.values import NOTHING, Cell, Row, Table, columns, small_dollars
from readers.engine.store import Reading, Run

UNKNOWN = "unknown"
# Measures that this page shows in another way, or that say nothing in a comparison.
ELSEWHERE = ("outcome",)


def by(run: Run) -> str:
    """The reader and the model of a reading, or the models in the order of its calls."""
    return f"{title_in_list(run)} · {wording.models(run.spec)}"


def beside_parents(runs: Sequence[Run]) -> list[Run]:
    """Readings in the order given, but each fork after its parent and the parent's earlier forks, if the parent is there."""
    ids = {run.id for run in runs}

    def with_forks(run: Run) -> Iterator[Run]:
        yield run
        for fork in runs:
            if fork.parent == run.id:
                yield from with_forks(fork)

    return [one for run in runs if run.parent not in ids for one in with_forks(run)]


def short_names(runs: Sequence[Run]) -> list[str]:
    """The reading's own name or the reader, with the models where they have different ones; and which is a fork of which."""
    models = {models_called(run.spec) for run in runs}
    names = [run.name or (by(run) if len(models) > 1 else title_in_list(run)) for run in runs]
    return [_related(name, run, runs) for name, run in zip(names, runs, strict=True)]


def numbered(runs: Sequence[Run]) -> list[str]:
    """Short names for columns and choices, each after its number."""
    return [f"{number} · {name}" for number, name in enumerate(short_names(runs), 1)]


def choices_told(runs: Sequence[Run]) -> dict[str, str]:
    """What distinguishes readings of one question that were given different choices, by the reading's id; empty if all had the
    same."""
    given = {run.id: tuple(run.spec.get("choices") or ()) for run in runs}
    if len(set(given.values())) < 2:
        return {}
    several = len({choices for choices in given.values() if choices}) > 1
    first = {choices: f": {choices[0]} …" if several else "" for choices in given.values() if choices}
    return {run_id: f"with choices{first[choices]}" if choices else "without choices" for run_id, choices in given.items()}


def titles(runs: Sequence[Run]) -> list[str]:
    """The name of each over its row and its player, where its number is already shown."""
    rest = [by(run) if run.name else wording.models(run.spec) for run in runs]
    return [f"{_related(run.name or title_in_list(run), run, runs)} · {more}" for run, more in zip(runs, rest, strict=True)]


def _related(name: str, run: Run, runs: Sequence[Run]) -> str:
    """A name, with the fork or the parent that this reading is among those that are compared."""
    numbers = {one.id: number for number, one in enumerate(runs, 1)}
    if run.parent or run.edit:
        return f"{name}, a fork of {numbers[run.parent]}" if run.parent in numbers else f"{name}, a fork"
    return f"{name}, the parent" if any(one.parent == run.id for one in runs) else name


def called(run: Run) -> str:
    """How a list names a reading: its own name, if it has one, then the reader and model."""
    return f"{run.name} · {by(run)}" if run.name else by(run)


def about(reading: Reading, readings: Sequence[Reading]) -> list[str]:
    """What distinguishes a reading from the others in addition to its name: the change of a fork, its question, its text."""
    run = reading.run
    about = [describe(run.edit)] if run.edit else []
    about += [] if len({asked_words(one.run.question) for one in readings}) == 1 else [run.question]
    choices = choices_told([one.run for one in readings]).get(run.id)
    about += [choices] if choices else []
    return about + ([] if same_text(readings) else [reading.document.title])


def same_text(readings: Sequence[Reading]) -> bool:
    """Whether the readings are of one text."""
    return len({reading.run.document for reading in readings}) == 1


# Tables


def measures_table(found: Sequence[Mapping[str, Any]], names: Sequence[str], *, memories: Iterable[str] = ()) -> Table:
    """The measures that apply to any of the readings; `memories` are what their readers call a memory, if they agree on it."""
    called = set(memories)
    memory = called.pop() if len(called) == 1 else Narrative.carried
    rows = []
    for name in dict.fromkeys(name for one in found for name in one):
        if name in ELSEWHERE or all(one.get(name) is None for one in found):
            continue
        values = [NOTHING if one.get(name) is None else measures.in_words(name, one[name]) for one in found]
        rows.append(_row(measures.title(name, memory=memory), values, differs=len({*values} - {NOTHING}) > 1))
    return Table("Measure", columns(*names), rows, head="Measure")


def costs_table(found: Sequence[Costs], names: Sequence[str]) -> Table:
    """Calls, tokens and dollars of building, of asking, and of both for one question."""
    parts = {
        "Building (once a text)": [one.building for one in found],
        "Asking (each question)": [one.asking for one in found],
    }
    told: Mapping[str, Callable[[Tally], str]] = {
        "calls": lambda tally: f"{tally.calls:,}",
        "tokens sent": lambda tally: UNKNOWN if tally.tokens_in is None else f"{tally.tokens_in:,}",
        "tokens received": lambda tally: UNKNOWN if tally.tokens_out is None else f"{tally.tokens_out:,}",
        "price": lambda tally: UNKNOWN if tally.dollars is None else small_dollars(float(tally.dollars)),
    }
    rows = [_row(f"{name}: {what}", list(map(of, tallies))) for name, tallies in parts.items() for what, of in told.items()]
    return Table("Cost", columns(*names), rows, head="Cost")


def settings_table(found: Sequence[Setting], names: Sequence[str], *, title: str, marked: bool) -> Table:
    """Settings and their values; `marked`: each is marked as differing."""
    rows = [_row(one.name, one.values, differs=marked) for one in found]
    return Table(title, columns(*names), rows, head=title)


def _row(name: str, values: Sequence[str], *, differs: bool | None = None) -> Row:
    return Row(name, [Cell(value) for value in values], differs=len({*values}) > 1 if differs is None else differs)
