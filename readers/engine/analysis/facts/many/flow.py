"""The way of the evidence through many readings: from the text, stage by stage, to right and wrong answers. Pure.

The evidence of a reading passes *stations*, at each of which it surely stood. It *leaves* where its fate was decided, or comes
into the answer, and the reading ends at a verdict on its answer. A band holds the readings that go from one place to the next, so
as many readings leave a place as enter it. A station at which the rules cannot tell is passed by.
Not here: what became of the evidence in one reading (`evidence.py`), and the picture (`components/questions/flow_figure.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from readers.engine.analysis.facts.fate import FateKind
from readers.engine.analysis.facts.stages import Course, StageKind
from readers.engine.questions.grading import Outcome
from readers.engine.record.trace import Trace
from readers.engine.text import refs

Station = Literal["in the text", "reached", "carried", "opened", "in the answering call", "used"]
STATIONS: tuple[Station, ...] = get_args(Station)
# Where the evidence left the reading, or where the rules cannot tell.
Exit = Literal[
    "never reached", "summarised away", "never opened", "overwritten", "left again", "not used", "perhaps used", "cannot be told",
]  # fmt: skip
EXITS: tuple[Exit, ...] = get_args(Exit)
End = Exit | Literal["used"]
ENDS: tuple[End, ...] = (*EXITS, "used")
Verdict = Literal["right", "lucky", "partly right", "wrong", "not graded"]  # lucky: right, with none of the evidence in view
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Place = Station | Exit | Verdict

ANSWERS_AT = len(STATIONS)  # the column of the verdicts
PLACES: tuple[Place, ...] = (*STATIONS, *EXITS, *VERDICTS)
COLUMNS: Mapping[Place, int] = {
    **{station: number for number, station in enumerate(STATIONS)},
    **dict(zip(EXITS, (1, 2, 3, 4, 4, 5, 5, 5), strict=True)),
    **dict.fromkeys(VERDICTS, ANSWERS_AT),
}
EXIT_OF: Mapping[FateKind, Exit | None] = {
    "cut off": "never reached",
    "never read": "never reached",
    "never offered": "never opened",
    "passed over": "never opened",
    "left out": "never opened",
    "lost in a text": "summarised away",
    "not written down": "summarised away",
    "altered": "summarised away",
    "overwritten": "overwritten",
    "opened, then left": "left again",
    "taken out of view": "left again",
    "in view, declined": "not used",
    "in view, not used": "not used",
    "in view": "perhaps used",
    "cannot be told": "cannot be told",
    "used": None,
}
_STATION_OF: Mapping[StageKind, Station] = {
    "before the model": "reached",
    "carried": "carried",
    "opened again": "opened",
    "in the answering call": "in the answering call",
    "in the answer": "used",
}
_VERDICTS: Mapping[Outcome, Verdict] = {
    "partly": "partly right",
    "wrong": "wrong",
    "abstained_wrong": "wrong",
}

# What a table of right and wrong answers hides. A reading is at most one of these: only the lucky ones are right.
Telling = Literal["lucky", "never opened", "summarised away", "had it, unused"]
TELLINGS: tuple[Telling, ...] = get_args(Telling)
_TELLING_EXITS: Mapping[Exit, Telling] = {
    "never reached": "never opened",
    "never opened": "never opened",
    "summarised away": "summarised away",
    "overwritten": "summarised away",
    "not used": "had it, unused",
}


class Way(NamedTuple):
    """The way of the evidence in one reading: the stations it passed, its fate, and the grade of the answer, if it has one.

    `in_view`: some of the evidence stood in the answering call, or may have. `possible`: the stations that there were to pass.
    """

    run: str
    passed: tuple[Station, ...]
    kind: FateKind
    grade: Outcome | None
    in_view: bool
    possible: frozenset[Station] = frozenset(STATIONS)

    @property
    def verdict(self) -> Verdict:
        if self.grade == "correct":
            return "right" if self.in_view else "lucky"
        return _VERDICTS.get(self.grade, "not graded") if self.grade else "not graded"

    @property
    def is_right(self) -> bool:
        """Whether the answer is right by rule, with the evidence in view or without it."""
        return self.verdict in ("right", "lucky")

    @property
    def end(self) -> End:
        """Where the evidence left, or that it was used."""
        return EXIT_OF[self.kind] or "used"

    @property
    def places(self) -> tuple[Place, ...]:
        """The places from the text to the verdict, in the order of their columns."""
        left = EXIT_OF[self.kind]
        if left is None:
            return (*self.passed, self.verdict)
        return (*(one for one in self.passed if COLUMNS[one] < COLUMNS[left]), left, self.verdict)

    @property
    def telling(self) -> Telling | None:
        """What an accuracy table would hide of this reading."""
        if self.is_right or self.verdict == "not graded":
            return "lucky" if self.verdict == "lucky" else None
        left = EXIT_OF[self.kind]
        return _TELLING_EXITS.get(left) if left else None


class Band(NamedTuple):
    """From one place to the next."""

    source: Place
    target: Place


@dataclass(frozen=True)
class Flow:
    """Readings by band and by place, in the order of the columns; the stations that there are for these readings."""

    bands: Mapping[Band, tuple[str, ...]]
    places: Mapping[Place, tuple[str, ...]]
    possible: frozenset[Station]
    total: int


def stations(course: Course) -> tuple[Station, ...]:
    """The stations that the evidence surely passed before its fate was decided."""
    decided = next((number for number, stage in enumerate(course.stages) if stage.decided), len(course.stages))
    sure = [stage for stage in course.stages[:decided] if stage.mark in ("raw", "written", "used")]
    return ("in the text", *(_STATION_OF[stage.kind] for stage in sure))


def possible_stations(trace: Trace) -> frozenset[Station]:
    """The stations that a reading has: not *carried* where nothing is written, nor *opened* where nothing can be opened again."""
    writes = bool(trace.wrote)
    opens = writes and (trace.built_until > 0 or any(_chooses_a_text(event.among) for event in trace.decisions()))
    missing = {*([] if writes else ["carried"]), *([] if opens else ["opened"])}
    return frozenset(station for station in STATIONS if station not in missing)


def _chooses_a_text(among: Sequence[str]) -> bool:
    return any(refs.written(ref) is not None for ref in among)


def flow(ways: Iterable[Way]) -> Flow:
    """The bands and places of many readings."""
    every = list(ways)
    bands: dict[Band, list[str]] = {}
    places: dict[Place, list[str]] = {}
    for way in every:
        for place in way.places:
            places.setdefault(place, []).append(way.run)
        for source, target in zip(way.places, way.places[1:], strict=False):
            bands.setdefault(Band(source, target), []).append(way.run)
    order = {place: number for number, place in enumerate(PLACES)}
    return Flow(
        {band: tuple(bands[band]) for band in sorted(bands, key=lambda one: (order[one.source], order[one.target]))},
        {place: tuple(places[place]) for place in sorted(places, key=lambda one: order[one])},
        frozenset().union(*(way.possible for way in every)),
        len(every),
    )


def told_apart(ways: Iterable[Way]) -> dict[Telling, tuple[str, ...]]:
    """The readings of each kind that an accuracy table hides."""
    found: dict[Telling, list[str]] = {telling: [] for telling in TELLINGS}
    for way in ways:
        if way.telling:
            found[way.telling].append(way.run)
    return {telling: tuple(runs) for telling, runs in found.items()}
