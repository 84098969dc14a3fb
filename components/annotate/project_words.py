"""What the pages about projects say: figures, sentences, and which readings were chosen. Pure.

Nothing here shows the content of a label. `readers/engine/labels/project.py` decides who may see what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from components.html.markup import Fact
from components.html.words import wording
from components.html.words.wording import count
from readers.engine.labels.label import CODES, GROUPS, NOTES, Turn, is_model
from readers.engine.labels.project import Annotator, OpensAt, Progress, Project, Settings
from readers.engine.report.values import Cell, Column, Figure, Row, Table

STAGES = {NOTES: "1, notes", GROUPS: "2, groups", CODES: "3, codes"}
LEAST_SHARED = 0.2  # the share of readings that several people should label, at least, to compute agreement
OPENS_AT: Mapping[OpensAt, str] = {
    "beginning": "Its first step",
    "first decision": "The first decision: the walk, the look-up",
    "known place": "The first step that shows the model a known place",
    "first loss": "The first loss of a known fact",
    "answer": "The answer",
}
START_STAGES = {NOTES: "Open notes first, the codebook later", CODES: "The codebook from the start"}


def project_facts(readings: int, people: Sequence[Annotator], turns: Sequence[Turn], settings: Settings) -> list[str]:
    """A project in a list: its size and how much is done."""
    facts = [count(readings), count(len(people), "annotator")]
    total = assignments(settings, readings)
    if noted := finished_turns(turns, NOTES):
        facts.append(f"{noted:,} of {total:,} noted")
    return [*facts, f"{finished_turns(turns, CODES):,} of {total:,} labelled"]


def own_work(mine: Progress, stage: int) -> str:
    """What remains for the visitor to do in a project, for its place in the list."""
    if stage == GROUPS:
        return "you: notes to group"
    left = mine.left + mine.open
    opened = f", {mine.open:,} of them open" if mine.open else ""
    return f"you: {count(left)} left{opened}" if left else "you: all done"


def finished_turns(turns: Iterable[Turn], stage: int) -> int:
    return sum(turn.stage == stage and turn.standing == "done" and not is_model(turn.annotator) for turn in turns)


def protocol(project: Project, readings: int, now: datetime) -> list[tuple[str, str]]:
    """A project's protocol: names and values."""
    settings = project.settings
    shared = shared_readings(settings, readings)
    rest = f", {readings - shared:,} by one" if readings > shared else ""
    labelled_by = (
        f"{shared:,} by {settings.annotators} people{' each' if not rest else ''}{rest}" if shared else "each by one person"
    )
    seen = (
        "Annotators see others’ labels of a reading only after finishing their own"
        if settings.blind
        else "Everyone sees all labels at once"
    )
    return [
        ("Starts with", START_STAGES[settings.start_stage]),
        *([("Readings", f"{settings.sample[0].upper()}{settings.sample[1:]}")] if settings.sample else []),
        ("Labelled", labelled_by),
        ("Blind", seen if settings.start_stage == CODES or settings.blind else f"{seen}, from stage 3 on"),
        ("Opens at", OPENS_AT[settings.opens_at]),
        *([("Proposals", "A model may propose codes")] * settings.proposals),
        ("Order", f"Different for each annotator, fixed by seed {settings.seed}"),
        ("Owner", settings.lead or "Nobody: everyone may change the project’s name and readings"),
        ("Created", wording.ago(project.created, now)),
    ]


def people(annotators: Iterable[Annotator], progress: Mapping[str, Progress], now: datetime) -> Table:
    """Who labels in a project, and how far each has come: of the readings they have done, have open or could still get."""
    rows = []
    for one in annotators:
        readings = progress.get(one.name, Progress(0, 0, 0, 0))
        facts = [f"{readings.open} open"] * bool(readings.open) + [f"{readings.skipped} skipped"] * bool(readings.skipped)
        facts += [f"{readings.left} available"] * bool(readings.left)
        total = readings.done + readings.open + readings.left
        done = Cell(Figure(readings.done / total, unit="part", of=total)) if total else Cell("")
        if one.stage == GROUPS:
            facts, done = ["grouping their notes"], Cell("")
        cells = [Cell(STAGES.get(one.stage, "")), done, Cell(", ".join(facts)), Cell(wording.ago(one.joined, now))]
        rows.append(Row(one.name, cells))
    heads = [Column("Stage"), Column("Done in it", axis=(0.0, 1.0)), Column(""), Column("Joined")]
    return Table("Who labels in this project", heads, rows, head="Annotator")


def deletion_warning(readings: int, turns: Sequence[Turn], versions: int) -> str:
    """What deleting a project would lose."""
    done = sum(turn.standing == "done" for turn in turns)
    names = {turn.annotator for turn in turns}
    stays = f"The {'reading stays' if readings == 1 else f'{readings:,} readings stay'}."
    if not turns:
        return f"Delete this project? Nobody has labelled in it yet. {stays}"
    lost = [f"the labels of {count(len({turn.run for turn in turns}))} by {count(len(names), 'annotator')}"]
    lost[0] += f" ({count(done, 'finished assignment')})" if done else ""
    lost += [f"{count(versions, 'version')} of the codebook"] * bool(versions) + ["every decision"]
    return f"Delete this project? This deletes {', '.join(lost[:-1])} and {lost[-1]}. Export them first. {stays}"


# Workload


def shared_readings(settings: Settings, readings: int) -> int:
    """How many readings several people label, as in `labels.project.for_several`."""
    return round(settings.share * readings)


def assignments(settings: Settings, readings: int) -> int:
    """The number of assignments: one person labels one reading."""
    return readings + shared_readings(settings, readings) * (settings.annotators - 1)


def workload(settings: Settings, readings: int, people: int) -> list[Fact]:
    """How much each person would label: figures with their names and notes."""
    shared = shared_readings(settings, readings)
    rest = f", {readings - shared:,} for one" if readings > shared else ""
    by = f"{shared:,} for {settings.annotators} people each{rest}" if shared else "each for one person"
    total = shared * min(people, settings.annotators) + readings - shared
    low, high = total // people, -(-total // people)
    each = f"{low:,}" if low == high else f"{low:,} or {high:,}"
    name = "For one person" if people == 1 else f"For each of {people:,} people"
    return [
        Fact("Readings", f"{readings:,}", by),
        Fact("Assignments", f"{assignments(settings, readings):,}", "one person, one reading"),
        Fact(name, each, "" if people == 1 else "if all work at the same speed"),
    ]


def warnings(settings: Settings, readings: int, people: int) -> list[str]:
    """What speaks against these settings."""
    shared = shared_readings(settings, readings)
    sentences = []
    if shared and people < settings.annotators:
        wait = shared * (settings.annotators - people)
        sentences.append(
            f"{count(shared)} {'is' if shared == 1 else 'are'} for {settings.annotators} people and {people} "
            f"{'is' if people == 1 else 'are'} expected: {count(wait, 'assignment')} would wait for others to join."
        )
    if settings.share < LEAST_SHARED or not shared:
        sentences.append(
            "Agreement is computed from readings that several people label. Set the share to a fifth of the readings or more."
        )
    return sentences
