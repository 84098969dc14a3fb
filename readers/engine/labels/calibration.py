"""Calibration: how far each annotator agrees with what is known, and how agreement develops from round to round. Pure.

What is known of a reading is what was decided on it, otherwise what the project's owner gave who finished it. Rounds are the
training round and then the readings that two annotators or more have finished, in the order in which the second of them did, by
`ROUND`. The figures are Krippendorff's alpha: nominal for fields, with the MASI distance for the codes of a reading.

A model that proposes codes is compared with people in pairs: itself and one person at a time, so that how far people agree with
each other plays no part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from readers.engine.labels.adjudication import from_stored
from readers.engine.labels.agreement import READING, SPAN, Done, of_field, of_readings, of_spans, of_steps
from readers.engine.labels.label import CODES, DECISIVE, STEP, TITLES, VALUES, Decision, Label, Turn
from readers.engine.labels.project import one_person
from readers.engine.report.values import Cell, Column, Figure, Row, Table
from readers.engine.statistics.agreement import Coefficient, Item, alpha, character_f1, differs, masi
from readers.engine.text.phrases import counted

ROUND = 10  # readings
KNOWN = ""  # who gave what is known; no annotator has this name
CODED = "codes"
SUBJECTS: Mapping[str, str] = {name: TITLES[name] for name in (*VALUES, DECISIVE)} | {CODED: "Codes of a reading"}


def by_annotator(labels: Sequence[Label], done: Done, decisions: Iterable[Decision], *, owner: str) -> Table:
    """Each annotator beside what is known, over the readings that they have finished and of which something is known."""
    given = _given(labels, done)
    known = {subject: _known(subject, items, decisions, owner) for subject, items in given.items()}
    rows = []
    for name in sorted({name for _, name in done if not one_person(name, owner)}):
        found = {}
        for subject, items in given.items():
            own = [one for one in items if one.annotator == name and one.reading in known[subject]]
            found[subject] = _alpha(subject, [*own, *known[subject].values()])
        rows.append(_row(name, found, {"annotator": name}))
    return _table("By annotator, beside what is known", rows, "Annotator")


def by_round(labels: Sequence[Label], done: Done, turns: Iterable[Turn], *, training: Collection[str]) -> Table:
    """The agreement of all annotators in each round."""
    given = _given(labels, done)
    rounds = [("Training round", frozenset(training))] if training else []
    ordered = [run for run in _finished_in_order(done, turns, least=2) if run not in training]
    for first in range(0, len(ordered), ROUND):
        some = ordered[first : first + ROUND]
        rounds.append((f"Readings {first + 1:,} to {first + len(some):,}", frozenset(some)))
    rows = []
    for name, runs in rounds:
        found = {subject: _alpha(subject, [one for one in items if one.reading in runs]) for subject, items in given.items()}
        rows.append(_row(name, found, {"round": name}))
    return _table("From round to round", rows, "Round")


def beside_people(
    labels: Sequence[Label], done: Done, turns: Iterable[Turn], *, model: str, proposals: Sequence[Label], proposing: Done
) -> tuple[dict[str, list[Item]], Table]:
    """How far a model agrees with people on the readings that both have finished: what both gave, pair by pair, by step and by
    reading; and the agreement over time, in the order in which people finished these readings."""
    runs = {run for run, name in proposing if name == model}
    people = {(run, name) for run, name in done if run in runs}
    given = [*labels, *(one for one in proposals if one.annotator == model)]
    pairs: dict[str, list[Item]] = {}
    for subject, items_of in ((STEP, of_steps), (READING, of_readings), (SPAN, of_spans)):
        pairs[subject] = [
            item._replace(unit=f"{item.unit} {name}", annotator="person" if item.annotator == name else "model")
            for run, name in sorted(people)
            for item in items_of(given, {(run, name), (run, model)})
        ]
    rows = []
    ordered = _finished_in_order(people, turns, least=1)
    for first in range(0, len(ordered), ROUND):
        some = frozenset(ordered[first : first + ROUND])
        here = {subject: [one for one in items if one.reading in some] for subject, items in pairs.items()}
        found = {subject: alpha(here[subject], masi, name=f"alpha of {subject}") for subject in (STEP, READING)}
        name = f"Readings {first + 1:,} to {first + len(some):,}"
        rows.append(
            _row(name, found | {SPAN: character_f1(here[SPAN], name="character-level F1")}, {"annotator": model, "round": name})
        )
    heads = [Column(name) for name in ("Codes within a step", "Codes of a reading", "Spans")]
    return pairs, Table(f"{model}, beside people from round to round", heads, rows, head="Round")


def _given(labels: Iterable[Label], done: Done) -> dict[str, list[Item]]:
    """What annotators gave to whole readings, by subject."""
    counted_labels = [label for label in labels if (label.run, label.annotator) in done]
    found = {subject: of_field(counted_labels, subject) for subject in SUBJECTS if subject != CODED}
    found[DECISIVE] = [item._replace(value=item.value["step"]) for item in found[DECISIVE]]
    return found | {CODED: of_readings(counted_labels, done)}


def _known(subject: str, items: Iterable[Item], decisions: Iterable[Decision], owner: str) -> dict[str, Item]:
    """What is known, by reading. Codes are decided step by step, so that only the owner's are known of a whole reading."""
    found = {one.reading: one._replace(annotator=KNOWN) for one in items if owner and one_person(one.annotator, owner)}
    for decision in decisions:
        if decision.target.get("field") == subject and (value := from_stored(subject, decision.value)) is not None:
            found[decision.run] = Item(decision.run, KNOWN, value)
    return found


def _alpha(subject: str, items: Iterable[Item]) -> Coefficient:
    return alpha(items, masi if subject == CODED else differs, name=f"alpha of {subject}")


def _finished_in_order(done: Done, turns: Iterable[Turn], *, least: int) -> list[str]:
    """The readings that so many annotators or more have finished, in the order in which the last of these did."""
    closed: dict[str, list[str]] = defaultdict(list)
    for turn in turns:
        if turn.stage == CODES and (turn.run, turn.annotator) in done:
            closed[turn.run].append(turn.closed)
    enough = (run for run, times in closed.items() if len(times) >= least)
    return sorted(enough, key=lambda run: (sorted(closed[run])[least - 1], run))


def _row(name: str, found: Mapping[str, Coefficient], who: Mapping[str, str]) -> Row:
    cells = []
    for subject, figure in found.items():
        data = {
            "question": subject, "figure": figure.name, **who, "value": figure.value, "low": figure.low, "high": figure.high,
            "interval": figure.interval, "readings": figure.readings, "note": figure.why or figure.note,
        }  # fmt: skip
        of = f"of {counted(figure.readings, 'reading')}"
        if figure.value is None:
            cells.append(Cell(notes=[of if figure.readings else ""], data=data))
        else:
            cells.append(Cell(Figure(figure.value, figure.low, figure.high, "coefficient"), [of], data=data))
    return Row(name, cells)


def _table(title: str, rows: Sequence[Row], head: str) -> Table:
    return Table(title, [Column(name) for name in SUBJECTS.values()], rows, head=head)
