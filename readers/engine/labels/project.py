"""Projects of readings that people label: their settings, who labels what in which order, and who may see what. Pure.

A project is a protocol: open notes with codes and outcomes hidden (stage 1), grouping them (2), the codebook (3), and then,
reading by reading, what others said (agreement and adjudication). Each annotator has their own order, fixed only by the project's
seed and their name. A share of the readings is for several annotators, the others for one: the first annotator to open a reading
has it, until they skip it. Blindness is decided only here: all access to labels goes through the functions over a `Viewer`. Not
here: how a person is identified.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

from readers.engine.draws import shuffled
from readers.engine.errors import BadOptions
from readers.engine.labels.label import CODES, GROUPS, NOTES, STAGES, Label, Turn, annotator_name, is_model

MOST_READINGS, MOST_ANNOTATORS, LONGEST_SAMPLE = 5_000, 50, 400
NOTED_FIRST = 30  # readings to take notes on before the codebook is used, as practice guides recommend
_MOST_SEED = 2**53 - 1

# Where the readings of a project open on the bench (`analysis/facts/follow.py`).
OpensAt = Literal["beginning", "first decision", "known place", "first loss", "answer"]
OPENINGS: tuple[OpensAt, ...] = get_args(OpensAt)


@dataclass(frozen=True)
class Settings:
    """A project's protocol. `share` (0 to 1) of the readings are for `annotators` people (2 or more), the others for one.

    `blind`: nobody sees others' labels of a reading before their own turn is done. `start_stage` is 1 or 3. `lead` set the
    project up and sees everything, as long as they do not label in it. `batch` is the batch that it was made from, if any;
    `sample` says how its first readings were drawn from more, if they were. `suggest_fates`: hints may suggest the fate of the
    fact, in a blind project only after an annotator has finished the reading. `opens_at`: the step that a reading opens at; steps
    that depend on the known answer are only for those who may see it, the others start at the first decision.
    `proposals`: a model may propose codes; annotators see them where they would see others' labels.
    `training`: how many of the project's first readings are the training round, which every annotator labels first, in the
    project's order.
    """

    lead: str = ""
    start_stage: int = NOTES
    blind: bool = True
    seed: int = 0
    share: float = 0.2
    annotators: int = 2
    batch: str = ""
    sample: str = ""
    suggest_fates: bool = False
    opens_at: OpensAt = "first decision"
    training: int = 0
    proposals: bool = False


@dataclass(frozen=True)
class Project:
    """A project without its readings. `created` is ISO 8601 in UTC."""

    id: str
    name: str
    created: str
    settings: Settings


class Annotator(NamedTuple):
    """A person who labels in a project, and the stage they are in."""

    name: str
    joined: str
    stage: int


@dataclass(frozen=True)
class Viewer:
    """A person who looks at a project: the stage they are in (0: they do not label in it), and the readings that they have
    finished in stage 3. Nothing is hidden from a `whole` viewer."""

    name: str
    stage: int = 0
    done: frozenset[str] = frozenset()
    blind: bool = True
    whole: bool = False


HOST = Viewer("", whole=True)  # whoever has the database itself: the command line, never a page
NOBODY = Viewer("")  # sees who did what and when, but no labels


class Progress(NamedTuple):
    """How far an annotator has come in a stage: readings done, skipped, open, and still available to them."""

    done: int
    skipped: int
    open: int
    left: int


# Settings


def settings_of(data: Mapping[str, Any]) -> Settings:
    """The settings from JSON data, with defaults for missing ones. Raises BadOptions, naming the invalid setting."""
    known = {one.name: one for one in fields(Settings)}
    if unknown := [name for name in data if name not in known]:
        raise BadOptions(f"a project has no setting {str(unknown[0])[:40]!r}; it has {', '.join(known)}")
    given = {**asdict(Settings()), **data}
    start = given["start_stage"]
    _require(start in (NOTES, CODES) and _is_int(start), "start_stage is 1 (notes first) or 3 (codes)")
    for name in ("blind", "suggest_fates", "proposals"):
        _require(isinstance(given[name], bool), f"{name} is true or false")
    _require(_is_int(given["seed"]) and 0 <= given["seed"] <= _MOST_SEED, f"seed is a whole number from 0 to {_MOST_SEED:,}")
    share = given["share"]
    _require(isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1, "share is a number from 0 to 1")
    people = given["annotators"]
    _require(_is_int(people) and 2 <= people <= MOST_ANNOTATORS, f"annotators is a whole number from 2 to {MOST_ANNOTATORS}")
    _require(isinstance(given["batch"], str) and len(given["batch"]) <= 80, "batch is the id of a batch, or empty")
    _require(isinstance(given["sample"], str) and len(given["sample"]) <= LONGEST_SAMPLE, "sample is words, or empty")
    _require(given["opens_at"] in OPENINGS, f"opens_at is one of {', '.join(OPENINGS)}")
    training = given["training"]
    _require(_is_int(training) and 0 <= training <= MOST_READINGS, f"training is a whole number from 0 to {MOST_READINGS:,}")
    _require(isinstance(given["lead"], str), "lead is a name, or empty")
    lead = annotator_name(given["lead"]) if given["lead"] else ""
    return Settings(**{**given, "share": float(share), "lead": lead})


def settings_json(settings: Settings) -> dict[str, Any]:
    """The settings as JSON data; without the newer ones where they have their defaults, as older files have it."""
    newer, defaults = ("sample", "suggest_fates", "opens_at", "training", "proposals"), asdict(Settings())
    return {name: value for name, value in asdict(settings).items() if name not in newer or value != defaults[name]}


def protocol(settings: Settings, readings: int) -> str:
    """The protocol in one sentence, as exports state it."""
    several = round(settings.share * readings)
    start = "the codebook from the start"
    if settings.start_stage == NOTES:
        some = f", of about {NOTED_FIRST} readings" if readings > NOTED_FIRST else ""
        start = f"open notes first{some}, then groups, then the codebook{' for these and the others' if some else ''}"
    seen = "blind: others' labels of a reading are seen when one's own are done" if settings.blind else "not blind"
    shared = f"{several:,} of {readings:,} readings are for {settings.annotators} annotators, the others for one"
    if several == readings:
        shared = f"each reading is for {settings.annotators} annotators"
    elif not several:
        shared = "each reading is for one annotator"
    drawn = f"; readings drawn: {settings.sample}" if settings.sample else ""
    opened = "" if settings.opens_at == Settings().opens_at else f"; readings open at the {settings.opens_at}"
    trained = f"; the first {settings.training:,} readings are a training round for all" if settings.training else ""
    proposed = "; a model may propose codes" if settings.proposals else ""
    first = f"{start}{drawn}{opened}{trained}{proposed}"
    return f"{first}; {shared}; the order is each annotator's own, under seed {settings.seed}; {seen}"


# Who reads what


def order(settings: Settings, annotator: str, runs: Collection[str]) -> tuple[str, ...]:
    """The readings in one annotator's order: after the training round, it depends only on the seed, the name and the readings.
    A new annotator does not change it, and a new reading does not change the order of the others."""
    first = training(settings, runs)
    return *first, *(run for run in shuffled(f"{settings.seed}|order|{annotator}", runs) if run not in first)


def training(settings: Settings, runs: Iterable[str]) -> tuple[str, ...]:
    """The readings of the training round: the first of the project's, given in its order."""
    return tuple(islice(runs, settings.training))


def for_several(settings: Settings, runs: Collection[str]) -> frozenset[str]:
    """The readings that several annotators are to label: the share from the settings, rounded to whole readings."""
    return frozenset(shuffled(f"{settings.seed}|several", runs)[: round(settings.share * len(runs))])


def quotas(settings: Settings, runs: Collection[str]) -> dict[str, int]:
    """How many annotators each reading is for."""
    several, first = for_several(settings, runs), training(settings, runs)
    return {run: MOST_ANNOTATORS if run in first else settings.annotators if run in several else 1 for run in runs}


def upcoming(project: Project, runs: Collection[str], annotator: Annotator, turns: Iterable[Turn]) -> tuple[str, ...]:
    """The readings that an annotator still has to do in their stage, in their order. `turns` are those of the whole project.

    Open turns are included; readings done in this stage or skipped in any are not. They get what they did in an earlier stage,
    and every reading that still has room. Grouping (stage 2) is for their notes, so nothing new is added then.
    """
    kept = list(turns)
    mine: dict[str, dict[int, str]] = defaultdict(dict)
    for turn in kept:
        if turn.annotator == annotator.name:
            mine[turn.run][turn.stage] = turn.standing
    held, room = holders(kept), quotas(project.settings, runs)

    def is_next(run: str) -> bool:
        stands = mine.get(run, {})
        if annotator.stage in stands:
            return stands[annotator.stage] == "open"
        if "skipped" in stands.values():
            return False
        if "done" in stands.values():
            return True
        return annotator.stage != GROUPS and len(held.get(run, frozenset()) - {annotator.name}) < room[run]

    return tuple(run for run in order(project.settings, annotator.name, runs) if is_next(run))


def holders(turns: Iterable[Turn]) -> dict[str, frozenset[str]]:
    """The annotators who have each reading: those who have not skipped it in their last stage. Each takes one place; a model
    takes none."""
    last: dict[tuple[str, str], Turn] = {}
    for turn in (one for one in turns if not is_model(one.annotator)):
        before = last.get((turn.run, turn.annotator))
        if before is None or before.stage < turn.stage:
            last[turn.run, turn.annotator] = turn
    found: dict[str, set[str]] = defaultdict(set)
    for turn in last.values():
        if turn.standing != "skipped":
            found[turn.run].add(turn.annotator)
    return {run: frozenset(names) for run, names in found.items()}


def progress(project: Project, runs: Collection[str], annotator: Annotator, turns: Iterable[Turn]) -> Progress:
    """How far an annotator has come in their current stage."""
    kept = list(turns)
    own = Counter(turn.standing for turn in kept if (turn.annotator, turn.stage) == (annotator.name, annotator.stage))
    left = len(upcoming(project, runs, annotator, kept)) - own["open"]
    return Progress(own["done"], own["skipped"], own["open"], left)


def refused_stage(annotator: Annotator, stage: int, *, turns: Iterable[Turn], ungrouped: int) -> str | None:
    """Why an annotator cannot move on to a stage yet; None if they can. Stages follow one by one and never back: who has seen the
    codes can no longer take notes without them. `ungrouped` counts their notes without a group."""
    if stage not in STAGES or stage != annotator.stage + 1:
        return f"after stage {annotator.stage} comes stage {annotator.stage + 1}" if annotator.stage < CODES else "it is the last"
    if annotator.stage == NOTES:
        own = [turn for turn in turns if (turn.annotator, turn.stage) == (annotator.name, NOTES)]
        if any(turn.standing == "open" for turn in own):
            return "a reading is still open; finish or skip it first"
        if not any(turn.standing == "done" for turn in own):
            return "there are no notes on any reading yet; take notes on at least one first"
    if annotator.stage == GROUPS and ungrouped:
        return f"{ungrouped} of the notes {'has' if ungrouped == 1 else 'have'} no group yet; group them first"
    return None


# Who may see what, and change what


def viewer_of(project: Project, name: str, joined: Annotator | None, *, turns: Iterable[Turn]) -> Viewer:
    """What somebody may see of a project: as the annotator they have `joined` as, with their turns, or as an outsider."""
    settings = project.settings
    if joined is None:
        return Viewer(name, blind=settings.blind, whole=bool(name) and one_person(name, settings.lead))
    done = frozenset(
        turn.run for turn in turns if turn.annotator == joined.name and turn.stage == CODES and turn.standing == "done"
    )
    return Viewer(joined.name, joined.stage, done, settings.blind)


def one_person(name: str, other: str) -> bool:
    """Whether two names are one person's: they differ at most in case."""
    return name.casefold() == other.casefold()


def leads(project: Project, viewer: Viewer) -> bool:
    """Whether the viewer may rename or delete a project, add readings, or release others' turns: the lead, even if they also
    label in it, and everybody if there is no lead."""
    return viewer.whole or not project.settings.lead or one_person(project.settings.lead, viewer.name)


def sees_codes(viewer: Viewer) -> bool:
    """Whether the viewer may see the codebook, and hints that name its codes."""
    return viewer.whole or viewer.stage >= CODES


def sees_outcome(viewer: Viewer) -> bool:
    """Whether the viewer may see the known answer, how an answer compares with it, and hints based on it."""
    return viewer.whole or viewer.stage >= CODES


def sees_others(viewer: Viewer, run: str) -> bool:
    """Whether the viewer may see others' labels of a reading and decisions on it: after their own turn in stage 3, or from the
    beginning of that stage if the project is not blind."""
    return viewer.whole or (viewer.stage >= CODES and (not viewer.blind or run in viewer.done))


def sees(viewer: Viewer, label: Label) -> bool:
    """Whether the viewer may see a label: their own, or another's if they may see others'."""
    return (viewer.stage > 0 and label.annotator == viewer.name) or sees_others(viewer, label.run)


def noted_by_all(project: Project, runs: Collection[str], viewer: Viewer, turns: Iterable[Turn]) -> frozenset[str]:
    """The readings whose open notes the viewer may see on the board, no matter who wrote them: all except those that the viewer
    still has to read unseen. None before stage 2: until then the viewer's own notes are not in. `turns` are those of the whole
    project.
    """
    if viewer.whole:
        return frozenset(runs)
    if viewer.stage < GROUPS:
        return frozenset()
    if not viewer.blind:
        return frozenset(runs)
    kept = list(turns)
    own = {turn.run for turn in kept if (turn.annotator, turn.stage, turn.standing) == (viewer.name, NOTES, "done")}
    coming = frozenset(upcoming(project, runs, Annotator(viewer.name, "", CODES), kept))
    return frozenset(runs) - (coming - own)


def sees_note(viewer: Viewer, note: Label, open_readings: Collection[str]) -> bool:
    """Whether the viewer may see a note on the board, given what `noted_by_all` returned. A note that was written with the
    codebook at hand is like any other label of stage 3."""
    return sees(viewer, note) or (not note.codebook and note.run in open_readings)


def visible(viewer: Viewer, labels: Iterable[Label]) -> list[Label]:
    """Those of these labels that the viewer may see."""
    return [label for label in labels if sees(viewer, label)]


def _require(valid: bool, expected: str) -> None:
    if not valid:
        raise BadOptions(f"a project's {expected}")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
