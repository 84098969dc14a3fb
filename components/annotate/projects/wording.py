"""What the pages about projects and groups of notes say, without drawing it: figures, sentences, and what is chosen. Pure.

Who may see what is decided in `projects.py`; here nothing is said of a label's content but of one's own notes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from components.html import wording
from components.html.wording import Tone, count
from readers.engine.labels.label import CODES, GROUPS, NOTES, Label, Turn
from readers.engine.labels.project import NOTED_FIRST, Annotator, Progress, Project, Settings, Viewer, leads
from readers.engine.store import Run
from readers.engine.store.batches import Batch

STAGES = {NOTES: "1, notes", GROUPS: "2, groups", CODES: "3, codes"}
LEAST_SHARED = 0.2  # what agreement is worked out from should be this share of the readings at least
SHOWN = 300
FROM_BATCH, FROM_LIST, FROM_TICKED, FROM_FILES = "batch", "list", "ticked", "files"
SOURCES = {
    FROM_BATCH: "A batch of questions", FROM_LIST: "The readings there are", FROM_TICKED: "Those chosen on the page Readings",
    FROM_FILES: "Run files",
}  # fmt: skip
TAXONOMY, NO_CODES = "taxonomy", "none"
BEGINS = {TAXONOMY: "The codes that come with Palimpsest", NO_CODES: "No codes: they grow out of notes"}
STARTS = {NOTES: "Open notes first, the codebook later", CODES: "The codebook from the start"}
STARTS_MEAN = {
    NOTES: (
        f"Each annotator notes what went wrong in their own words, in about {NOTED_FIRST} readings, then groups the notes, then "
        "sees the codes and gives them, to these readings and to all others."
    ),
    CODES: "For people who know the codes, or after a first project has found them.",
}


def line(words: str, most: int = SHOWN) -> str:
    """Words on one line, shortened."""
    joined = " ".join(words.split())
    return joined if len(joined) <= most else f"{joined[:most]} …"


def named(titles: Mapping[str, str], most: int = SHOWN) -> Callable[[object], str]:
    """What an option of a field is called; one without a title by itself."""
    return lambda id: line(titles.get(str(id), str(id)), most)


# What is chosen


def batch(made: Batch, title: Callable[[str], str]) -> str:
    """A batch in a list of batches, which may be called alike: its readers, and when it was made."""
    readers = dict.fromkeys(title(str(one.get("reader", ""))) for one in made.plan.get("variants", ()))
    at = datetime.fromisoformat(made.created).strftime("%d %b %Y, %H:%M UTC").removeprefix("0")
    return " · ".join(filter(None, (line(made.name, 60), ", ".join(readers), at)))


class Chosen(NamedTuple):
    """Readings for a project: those that came to an end, in order, and how many were left out because they are under way, are in
    the project already, or are samples made to see how often something happens."""

    runs: tuple[Run, ...] = ()
    under_way: int = 0
    had: int = 0
    samples: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(run.id for run in self.runs)


def chosen(runs: Iterable[Run], going: Callable[[Run], bool], *, had: Collection[str] = ()) -> Chosen:
    kept: list[Run] = []
    under_way = already = samples = 0
    for run in runs:
        if run.id in had:
            already += 1
        elif run.experiment:
            samples += 1
        elif going(run):
            under_way += 1
        else:
            kept.append(run)
    return Chosen(tuple(kept), under_way, already, samples)


def left_out(found: Chosen) -> list[str]:
    """What was left out, in sentences."""
    told = []
    if found.under_way:
        is_not = "is under way and is" if found.under_way == 1 else "are under way and are"
        told.append(f"{count(found.under_way)} {is_not} left out; add them when they have come to an end.")
    if found.had:
        told.append(f"{count(found.had)} {'is' if found.had == 1 else 'are'} in the project already.")
    if found.samples:
        told.append(f"{count(found.samples, 'sample')} of an experiment {'is' if found.samples == 1 else 'are'} left out.")
    return told


# Who reads how much


def several(settings: Settings, readings: int) -> int:
    """How many readings are for several people, as `projects.for_several` has it."""
    return round(settings.share * readings)


def work(settings: Settings, readings: int) -> int:
    """Pieces of work in all: one person on one reading."""
    return readings + several(settings, readings) * (settings.annotators - 1)


def shares(settings: Settings, readings: int, people: int) -> list[tuple[str, str, str]]:
    """What each person would get, as figures with their names."""
    shared = several(settings, readings)
    rest = f", {readings - shared:,} for one" if readings > shared else ""
    by = f"{shared:,} for {settings.annotators} people each{rest}" if shared else "each for one person"
    can = shared * min(people, settings.annotators) + readings - shared
    low, high = can // people, -(-can // people)
    each = f"{low:,}" if low == high else f"{low:,} or {high:,}"
    name = "For one person" if people == 1 else f"For each of {people:,} people"
    return [
        ("Readings", f"{readings:,}", by),
        ("Pieces of work", f"{work(settings, readings):,}", "one person on one reading"),
        (name, each, "" if people == 1 else "if all are equally fast"),
    ]


def warnings(settings: Settings, readings: int, people: int) -> list[str]:
    """What speaks against these settings."""
    shared = several(settings, readings)
    told = []
    if shared and people < settings.annotators:
        wait = shared * (settings.annotators - people)
        told.append(
            f"{count(shared)} {'is' if shared == 1 else 'are'} for {settings.annotators} people and {people} "
            f"{'is' if people == 1 else 'are'} expected: {count(wait, 'piece')} of work would wait for others to join."
        )
    if settings.share < LEAST_SHARED or not shared:
        told.append("How far people agree is worked out from what several read. Let a fifth of the readings or more be that.")
    return told


# A project


def facts(readings: int, people: Sequence[Annotator], turns: Sequence[Turn], settings: Settings) -> list[str]:
    """How a project stands in a list."""
    told = [count(readings), count(len(people), "annotator")]
    total = work(settings, readings)
    if noted := finished(turns, NOTES):
        told.append(f"{noted:,} of {total:,} noted")
    return [*told, f"{finished(turns, CODES):,} of {total:,} labelled"]


def finished(turns: Iterable[Turn], stage: int) -> int:
    return sum(turn.stage == stage and turn.standing == "done" for turn in turns)


def terms(project: Project, readings: int, now: datetime) -> list[tuple[str, str]]:
    """A project's protocol, by name."""
    settings = project.settings
    shared = several(settings, readings)
    rest = f", {readings - shared:,} by one" if readings > shared else ""
    read_by = f"{shared:,} by {settings.annotators} people{' each' if not rest else ''}{rest}" if shared else "each by one person"
    seen = "Others’ labels of a reading are seen when one’s own are done" if settings.blind else "Others’ labels are seen at once"
    return [
        ("Begins with", STARTS[settings.start_stage]),
        ("Read", read_by),
        ("Blind", seen if settings.start_stage == CODES or settings.blind else f"{seen}, from stage 3 on"),
        ("Order", f"Each annotator’s own, fixed by seed {settings.seed}"),
        ("Lead", settings.lead or "Nobody: whoever opens the project may change its name and readings"),
        ("Made", wording.ago(project.created, now)),
    ]


class Person(NamedTuple):
    """An annotator in the table of people; `of` is what they have done and could have."""

    name: str
    stage: str
    done: int
    of: int
    facts: str
    joined: str


def people(annotators: Iterable[Annotator], progress: Mapping[str, Progress], now: datetime) -> list[Person]:
    """How far everybody is."""
    rows = []
    for one in annotators:
        stands = progress.get(one.name, Progress(0, 0, 0, 0))
        told = [f"{stands.open} open"] * bool(stands.open) + [f"{stands.skipped} skipped"] * bool(stands.skipped)
        told += [f"{stands.left} to be had"] * bool(stands.left)
        total = stands.done + stands.open + stands.left
        if one.stage == GROUPS:
            told, total = ["groups their notes"], 0
        rows.append(
            Person(one.name, STAGES.get(one.stage, ""), stands.done, total, ", ".join(told), wording.ago(one.joined, now))
        )
    return rows


def may_lead(project: Project, viewer: str) -> bool:
    """Whether somebody may change a project's name and readings, or delete it: its lead, and everybody where there is none."""
    return leads(project, Viewer(viewer))


def before_deleting(readings: int, turns: Sequence[Turn], versions: int) -> str:
    """What is lost, before it is."""
    done = sum(turn.standing == "done" for turn in turns)
    names = {turn.annotator for turn in turns}
    stays = f"The {'reading stays' if readings == 1 else f'{readings:,} readings stay'}."
    if not turns:
        return f"Delete this project? Nobody has labelled in it yet. {stays}"
    lost = [f"the labels of {count(len({turn.run for turn in turns}))} by {count(len(names), 'annotator')}"]
    lost[0] += f" ({count(done, 'piece')} of finished work)" if done else ""
    lost += [f"{count(versions, 'version')} of the codebook"] * bool(versions) + ["every decision"]
    return f"Delete this project? Lost for good: {', '.join(lost[:-1])} and {lost[-1]}. Export them first. {stays}"


def bench_ends(done: int, skipped: int, others: int) -> tuple[Tone, str]:
    """What an annotator is told for whom there is no further reading in their stage, and whether it is good news. `others` are
    the readings of the project that other people have."""
    own = f"All of your readings are done: {done:,} done, {skipped:,} skipped."
    if not others:
        return "good", f"{own} There is no further reading for you in this stage."
    have = "have it: as many as are to read it" if others == 1 else "have them: as many as are to read each"
    if done or skipped:
        rest = "one more reading" if others == 1 else f"{others:,} more readings"
        return "good", f"{own} The project has {rest}, and others {have}."
    rest = "one reading" if others == 1 else f"{others:,} readings"
    return "", f"There is no reading for you in this stage. The project has {rest}, and others {have}."


# Notes and their groups


class Group(NamedTuple):
    """One's own notes under one name; an empty name is for those without a group."""

    name: str
    notes: tuple[Label, ...]

    @property
    def readings(self) -> int:
        return len({note.run for note in self.notes})


def notes_of(labels: Iterable[Label], annotator: str) -> list[Label]:
    """One's own notes, in the order in which they can be read: reading by reading, the whole of it before its steps."""
    own = [label for label in labels if label.kind == "note" and label.annotator == annotator and not label.removed]
    return sorted(own, key=lambda note: (note.run, note.step or 0, note.id))


def group_of(note: Label) -> str:
    return str(note.value.get("group", ""))


def groups(notes: Iterable[Label]) -> list[Group]:
    """The groups used so far, the largest first; those without one are not among them."""
    found: dict[str, list[Label]] = {}
    for note in notes:
        if name := group_of(note):
            found.setdefault(name, []).append(note)
    return sorted((Group(name, tuple(kept)) for name, kept in found.items()), key=lambda one: (-len(one.notes), one.name))


def steady(before: Iterable[str], found: Sequence[Group]) -> list[Group]:
    """The groups in the order they had before, new ones last: a key means the same group as long as it is there."""
    by_name = {one.name: one for one in found}
    return [by_name[name] for name in dict.fromkeys([*before, *by_name]) if name in by_name]


def ungrouped(notes: Iterable[Label]) -> int:
    return sum(not group_of(note) for note in notes)


def tidy_group(name: str, used: Sequence[str]) -> str:
    """A group's name as it is kept; one that differs from a used one in capital letters alone is that one."""
    tidy = " ".join(name.split())
    return next((one for one in used if one.casefold() == tidy.casefold()), tidy)


def where(note: Label) -> str:
    return f"step {note.step}" if note.step else "the whole reading"


def next_ungrouped(notes: Sequence[Label], at: str, just: Collection[str]) -> str:
    """The note to go on with after `just` were grouped: the next one without a group, from the place one is at."""
    ids = [note.id for note in notes]
    start = ids.index(at) if at in ids else 0
    for note in [*notes[start:], *notes[:start]]:
        if not group_of(note) and note.id not in just:
            return note.id
    return at if at in ids else (ids[0] if ids else "")


def go_on_told(why: str | None) -> str:
    """What stands between somebody and the codebook."""
    return wording.sentence(why) if why else "Every note has a group."
