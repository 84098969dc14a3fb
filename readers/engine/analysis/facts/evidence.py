"""What became of the evidence in many readings, saved in the store once computed, so that nobody waits for it again, even after a
restart.

A reading counts with the fate of the fact that got least far. Whether its answer is right is counted apart: it can be right
although the evidence was never in the answering call. A saved fate holds for one end of a reading, one known answer and one
`VERSION` of the rules. Saving never blocks: it saves a few dozen fates at a time, and is skipped while another process is
writing. Not here: the counts (`flow.py`), the table (`store/run_tape.py`), and the thread this runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.fates import FATES, End, Exit
from readers.engine.analysis.facts.follow import Followed, evidence_of, follow, right_by_rule
from readers.engine.analysis.facts.stages import course, possible_stations
from readers.engine.analysis.facts.sufficiency import Sufficiency, sufficiency
from readers.engine.canonical import canonical, digest
from readers.engine.errors import NotFound, StoreError
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.batches import CellResult
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, open_reading
from readers.engine.store.run import Run
from readers.engine.store.run_tape import SavedFate
from readers.engine.store.store import Store


def evidence_in(result: CellResult) -> KnownAnswer | None:
    """What is known about the answer, if this reading has ended and its evidence is known."""
    known = KnownAnswer.of(result.question)
    ended = result.run is not None and result.run.status == "finished"
    return known if ended and known and known.evidence else None


class EvidenceFate(NamedTuple):
    """What became of all evidence together: the fate of the fact that got least far, the step (from 0) that decided it, and the
    stations that it passed, of those that exist. `right`: whether the answer is, by rule (None if no rule can tell).
    `sufficiency`: the call in which all of it stood. `ends`: how each place of the evidence stood in the answering call: there
    (alive), perhaps (unclear), or not (dead)."""

    kind: str
    step: int
    passed: tuple[str, ...]
    possible: frozenset[str]
    right: bool | None = None
    sufficiency: Sufficiency | None = None
    ends: tuple[End, ...] = ()

    @property
    def exit(self) -> Exit:
        return FATES[self.kind].exit

    @property
    def in_view(self) -> bool:
        """Whether any of it was, or may have been, in the answering call."""
        return any(end != "dead" for end in self.ends)

    @property
    def certain(self) -> int:
        """How many places certainly stood in the answering call."""
        return self.ends.count("alive")


def together(evidence: Sequence[Followed], reading: Reading, known: KnownAnswer | None) -> EvidenceFate | None:
    """What became of all evidence of a reading; None if there is none, or the reading has not ended."""
    trace = reading.trace
    fates = [one.fate for one in evidence if one.fate]
    least = of_all(fates)
    if least is None:
        return None
    life = next(one.life for one in evidence if one.fate is least)
    ends = tuple(one.row.end for one in fates)
    stood = sufficiency(trace, [one.life for one in evidence], reading.records)
    passed, possible = course(trace, life, least).passed, possible_stations(trace)
    return EvidenceFate(least.kind, least.step, passed, possible, right_by_rule(reading, known), stood, ends)


VERSION = 12  # raise it whenever the rules of this package may give another fate: the matcher's, a life's, a fate's, a station's
PORTION = 40  # fates that are saved together


class Wanted(NamedTuple):
    """A reading whose fate is wanted, and what is known about its answer."""

    run: Run
    known: KnownAnswer

    @property
    def stamp(self) -> str:
        """Stands for the known answer in the store: its places, and what decides whether an answer is right."""
        return _stamp(self.known)

    @property
    def key(self) -> str:
        """Identifies this end of the reading and this known answer."""
        return f"{self.run.id} {self.run.ended} {self.stamp}"


@lru_cache(maxsize=4096)
def _stamp(answer: KnownAnswer) -> str:
    known = asdict(answer)
    del known["fields"]  # they decide nothing here
    return digest(canonical(known))[:16]


def wanted(results: Iterable[CellResult]) -> list[Wanted]:
    """The readings of a batch that ended and whose evidence is known."""
    return [Wanted(one.run, known) for one in results if one.run and (known := evidence_in(one))]


def saved_fates(store: Store, every: Sequence[Wanted]) -> dict[str, EvidenceFate | None]:
    """The fates that were saved, by run; None for a reading without one. Those that are missing are not here."""
    asked = {one.run.id: one for one in every}
    saved = store.fates.of_runs(asked, VERSION)
    now = ((one, asked[one.run]) for one in saved)
    return {one.run: _from_json(one.value) for one, want in now if (one.ended, one.known) == (want.run.ended, want.stamp)}


def make_fates(
    store: Store, every: Sequence[Wanted], readers: Callable[[str], Reader]
) -> Generator[tuple[Wanted, EvidenceFate | None], None, None]:
    """Compute the fates of these readings (None for one without evidence in its text) and save them; yields each, so that the
    caller can stop between two: the fates computed so far are saved. Readings that were deleted meanwhile are left out."""
    made: list[SavedFate] = []
    try:
        for one in every:
            with suppress(NotFound):
                reading = open_reading(store, one.run.id)
                facts = evidence_of(one.known, reading.document)
                followed = follow(reading, readers(one.run.reader), facts, known=one.known)
                fate = together(followed, reading, one.known)
                value = fate and {**fate._asdict(), "possible": sorted(fate.possible)}
                if value and value["sufficiency"]:
                    value["sufficiency"] = value["sufficiency"]._asdict()
                if one.run.ended:
                    made.append(SavedFate(one.run.id, one.run.ended, one.stamp, value))
                yield one, fate
            if len(made) >= PORTION:
                _save(store, made)
                made = []
    finally:
        _save(store, made)


def _save(store: Store, made: Sequence[SavedFate]) -> None:
    with suppress(StoreError):  # another process writes, or nothing can be written: they are computed again the next time
        if made:
            store.fates.save(made, VERSION)


def _from_json(value: Any) -> EvidenceFate | None:
    if value is None:
        return None
    stood = value["sufficiency"] and Sufficiency.of_json(value["sufficiency"])
    lists = {"passed": tuple(value["passed"]), "possible": frozenset(value["possible"]), "ends": tuple(value["ends"])}
    return EvidenceFate(**{**value, **lists, "sufficiency": stood})
