"""What one process caches for all its visitors: the running readings, and data that never changes once it exists.

A reading under way is not cached: it is in the database, which every page polls. Documents and finished readings are cached, with
what is computed from them. Data that must last as long as the process is `lasting`: Streamlit's caches can be emptied from
elsewhere. `access.py` decides who may see what.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, wraps
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

from components.session import database
from components.session.model_choice import ModelChoice
from readers import get
from readers.engine.analysis import measures as analysis
from readers.engine.analysis.facts.follow import Followed, follow, right_by_rule
from readers.engine.analysis.passages import FoundPassage
from readers.engine.analysis.passages import passages as passages_of
from readers.engine.analysis.trajectory import Trajectory, trajectory
from readers.engine.canonical import canonical
from readers.engine.forks import fork
from readers.engine.models import catalogue
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record import edits
from readers.engine.record.edits import Edit
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.store import Reading, Run, open_reading
from readers.engine.text.document import Document, Span
from readers.engine.text.search import Sought
from readers.engine.work import Price

T = TypeVar("T")
MOST_MOMENTS = 200_000  # in the lives of all facts that are kept: some 40 MB


RunState = tuple[str, str | None]
"""The status of a reading, and when it ended: what changes when one starts, stops or ends again, and so a part of a cache key."""
_OF_READINGS: list[Callable[[], None]] = []  # how to clear each cache made by `by_reading`


def lasting(make: Callable[[], T]) -> Callable[[], T]:
    """Make a value once a process, however many threads ask for it at the same time. Nothing empties it."""
    made, lock = cache(make), Lock()

    @wraps(make)
    def get_or_make() -> T:
        with lock:
            return made()

    return get_or_make


@lasting
def jobs() -> Jobs:
    _freeze_loaded()
    return Jobs(at_once=configured_at_once())


@st.cache_resource(show_spinner=False)
def window_of(model: str) -> int | None:
    """The context window of a model. For all but the offline model, this imports litellm, once a process."""
    window = catalogue.window_for(model)
    _freeze_loaded()
    return window


def window_of_choice(choice: ModelChoice) -> int | None:
    """The context window with which the chosen model reads; None for no limit."""
    return choice.window or window_of(choice.id)


@st.cache_resource(show_spinner=False)
def room_factor_of(model: str) -> int:
    """How many times its own room a prompt's reply gets from a model. As in `window_of`, this may import litellm."""
    factor = catalogue.room_factor_for(model)
    _freeze_loaded()
    return factor


@st.cache_resource(show_spinner=False)
def freeze_once() -> bool:
    """For a page that many devices poll: exclude everything loaded so far from garbage collection, once a process."""
    _freeze_loaded()
    return True


def _freeze_loaded() -> None:
    """Exclude everything loaded so far from garbage collection.

    A whole collection with litellm's objects takes 0.2 s, during which no page is drawn.
    """
    gc.collect()
    gc.freeze()


@lasting
def last_started() -> dict[str, tuple[datetime, int]]:
    """When this process last started each reading or batch, and how much of it was done by then."""
    return {}


@st.cache_resource(max_entries=8, show_spinner=False)
def document(document_id: str) -> Document:
    with database.opened() as store:
        return store.documents.get(document_id)


def run_state(run: Run) -> RunState:
    return run.status, run.ended


def ended_reading(run: Run) -> Reading:
    """A reading that has ended. It is cached, unless its worker died: then it has no end to know it by."""
    if run.ended is None:
        with database.opened() as store:
            return open_reading(store, run.id)
    return _reading(run.id, run_state(run))


@st.cache_resource(max_entries=16, show_spinner=False)
def _reading(run_id: str, run_state: RunState) -> Reading:
    """Also cached by its state, because a resumed reading ends again."""
    with database.opened() as store:
        return open_reading(store, run_id)


def by_reading(most: int) -> Callable[[Callable[[Reading], T]], Callable[[Reading], T]]:
    """Cache what a function makes of a reading that has ended, for the `most` used last, until `clear`."""

    def cached(make: Callable[[Reading], T]) -> Callable[[Reading], T]:
        def remade(run_id: str, run_state: RunState, _reading: Reading) -> T:
            return make(_reading)

        # Streamlit distinguishes caches by these names and the source, which is the same for every `remade`.
        remade.__module__, remade.__qualname__ = make.__module__, f"by_reading.{make.__qualname__}"
        found = st.cache_resource(max_entries=most, show_spinner=False)(remade)
        _OF_READINGS.append(found.clear)

        @wraps(make)
        def get_or_make(reading: Reading) -> T:
            run = reading.run
            return make(reading) if run.ended is None else found(run.id, run_state(run), reading)

        return get_or_make

    return cached


@by_reading(16)
def _measures(reading: Reading) -> dict[str, Any]:
    return analysis.measures_of(reading, get(reading.run.reader))


def measures_of(reading: Reading, known: KnownAnswer | None = None) -> dict[str, Any]:
    """The measures of a reading; those that need the known answer only with it."""
    found = _measures(reading)
    return {**found, "recovered": analysis.recovered(reading.trace, known)} if known and found["stray"] else found


@st.cache_resource(max_entries=64, show_spinner=False)
def _passages(run_id: str, run_state: RunState, words: str, events: int, _reading: Reading) -> list[FoundPassage]:
    """Also cached by the number of events, which grows while it is read."""
    with database.opened() as store:
        return passages_of(_reading, Sought.of(words), store.runs.tape(run_id).prompts())


def passages(reading: Reading, words: str) -> list[FoundPassage]:
    """The passages of a reading with the words that are looked for."""
    return _passages(reading.run.id, run_state(reading.run), words, len(reading.trace.events), reading)


@st.cache_resource(max_entries=16, show_spinner=False)
def _rewards(run_id: str, run_state: RunState, answer: str, _reading: Reading, _known: KnownAnswer) -> Trajectory:
    with database.opened() as store:
        return trajectory(_reading, store.runs.tape(run_id).prompts(), _known)


def rewards_of(reading: Reading, known: KnownAnswer) -> Trajectory:
    """The rewards along a reading that has ended, by its known answer."""
    return _rewards(reading.run.id, run_state(reading.run), canonical([known.answers, known.all_required]), reading, known)


_FactKey = tuple[str, RunState, Span, bool | None]
"""A fact in a reading that has ended, and whether the answer is right, on which the fate also depends."""


class FactCache:
    """What became of facts, up to a total number of moments; the least recently requested is dropped first.

    Visitors name the facts, by the address and by marking, so nothing about a fact is kept anywhere else.
    """

    def __init__(self, most: int = MOST_MOMENTS) -> None:
        self.most = most
        self.moments = 0
        self._found: OrderedDict[_FactKey, Followed] = OrderedDict()
        self._lock = Lock()

    def follow(self, reading: Reading, facts: Sequence[Span], known: KnownAnswer | None) -> list[Followed]:
        """As `follow`, which is asked only about facts that are not here."""
        right = right_by_rule(reading, known)
        keys = {fact: (reading.run.id, run_state(reading.run), fact, right) for fact in facts}
        with self._lock:
            found = {fact: self._found[key] for fact, key in keys.items() if key in self._found}
            for fact in found:
                self._found.move_to_end(keys[fact])
        missing = [fact for fact in keys if fact not in found]
        found |= {one.fact: one for one in follow(reading, get(reading.run.reader), missing, known=known)} if missing else {}
        with self._lock:
            for fact in missing:
                self._keep(keys[fact], found[fact])
        return [found[fact] for fact in facts]

    def _keep(self, key: _FactKey, followed: Followed) -> None:
        if key not in self._found:
            self.moments += _size(followed)
        self._found[key] = followed
        while self.moments > self.most:
            _, oldest = self._found.popitem(last=False)
            self.moments -= _size(oldest)


def _size(followed: Followed) -> int:
    return 1 + len(followed.life.moments) + len(followed.life.texts)


@st.cache_resource(show_spinner=False)
def _facts() -> FactCache:
    return FactCache()


def followed(reading: Reading, facts: Sequence[Span], *, known: KnownAnswer | None = None) -> list[Followed]:
    """What became of each fact in a reading; with its known answer, if there is one. Cached once the reading has ended."""
    if not facts:
        return []
    if reading.run.ended is None:
        return follow(reading, get(reading.run.reader), facts, known=known)
    return _facts().follow(reading, facts, known)


@st.cache_resource(max_entries=64, show_spinner=False)
def _fork_price(run_id: str, run_state: RunState, changes: str, _reading: Reading, _edits: tuple[Edit, ...]) -> Price:
    first, *also = _edits
    with database.opened() as store:
        return fork.price(store, _reading, get(_reading.run.reader), first, terms=fork.ForkTerms(also=tuple(also)))


def fork_price(reading: Reading, *changes: Edit) -> Price:
    """What a fork of a reading with these edits would cost, tried out once. Raises like `fork.prepare`."""
    named = canonical([edits.to_json(edit) for edit in changes])
    return _fork_price(reading.run.id, run_state(reading.run), named, reading, changes)


def clear() -> None:
    """Clear the cached documents and readings, because something was renamed or deleted."""
    for clear in (document.clear, _reading.clear, _rewards.clear, _facts.clear, _fork_price.clear, *_OF_READINGS):
        clear()
