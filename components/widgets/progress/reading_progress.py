"""How far a running reading is: its stage in words, its figures, and the share that is done, as the database has them now.

Pages poll this while they follow readings. Not here: what is drawn of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from components.html.words import estimate_words, wording
from components.session import process_cache
from components.session.page import state
from components.session.work import start_runs
from components.widgets import keys, text_cache
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue, timeouts
from readers.engine.record.edits import Edits
from readers.engine.record.events import Event, from_json
from readers.engine.record.journal import Spending, Wait
from readers.engine.record.trace import Trace
from readers.engine.report.values import duration
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from readers.engine.text.phrases import call_number
from readers.engine.work import Work

SURE_AFTER = 3.0  # seconds before a rate is meaningful
MOST_FOLLOWED = 16  # readings whose events a session remembers


def progress(store: Store, run: Run, document: Document, *, at_once: bool = False) -> Work:
    """How far a reading that is queued, running or waiting is, in replies. `at_once`: without their expected number, which takes
    a rehearsal the first time."""
    tape = store.runs.tape(run.id)
    replies, spent, waited = tape.answered(), tape.spent(), tape.wait()
    expected = None if at_once else _expected(run, document)
    facts = [*_facts(run, replies, spent, expected=expected), *(waited_facts(run, waited) if waited else [])]
    share = wording.share_done(replies, expected)
    stage = _stage(run, document, events(store, run.id))
    return Work(replies, share and replies / share, stage=stage, notes=tuple(facts), stopping=run.cancel)


def events(store: Store, run_id: str) -> list[Event]:
    """All events so far. The session remembers those of the readings it follows, so that only new ones are fetched."""
    followed: dict[str, list[Event]] = state.remembered(keys.EVENTS, dict)
    seen = followed.pop(run_id, [])
    found = [*seen, *map(from_json, store.runs.tape(run_id).events_after(len(seen) - 1))]
    followed[run_id] = found
    while len(followed) > MOST_FOLLOWED:
        del followed[next(iter(followed))]
    return found


def _stage(run: Run, document: Document, events: Sequence[Event]) -> str:
    if run.cancel:
        return "Stopping before the next call"
    ahead = process_cache.jobs().queue_position(run.id)
    if ahead is None:
        if run.status == "queued":
            return "About to start"
        trace = Trace(document, tuple(events))
        reader = get(run.reader)
        return wording.stage(trace, wording.lines_so_far(trace, reader), reader.narrative)
    return f"{wording.count(ahead)} ahead of this one" if ahead else "Next in turn"


def _facts(run: Run, replies: int, spent: Spending, *, expected: float | None) -> list[str]:
    """Count, rate, time left and cost, if known."""
    facts = [f"{wording.count(replies, 'reply')} so far"]
    seconds = start_runs.seconds_so_far(run)
    if seconds is not None and run.status == "running":
        facts.append(f"{duration(seconds)} elapsed")
        since = spent.calls - process_cache.last_started().get(run.id, (None, 0))[1]
        if seconds >= SURE_AFTER and since > 0:
            rate = since / seconds
            facts.append(f"{rate:.1f} calls a second" if rate >= 1 else f"a call every {1 / rate:.1f} seconds")
            if expected and expected > replies:
                facts.append(f"about {duration((expected - replies) / rate)} left")
    return [*facts, *estimate_words.spent(spent.usd)]


def waited_facts(run: Run, waited: Wait) -> list[str]:
    """How long the oldest call has waited, and whether its server, if it is the user's own, still accepts connections."""
    if run.status != "running":
        return []
    spec = RunSpec.from_json(run.spec)
    settings = Edits.of(spec.edits).settings(waited.seq, spec.settings)
    server = catalogue.server_of(settings.model, settings.api_base)
    facts = [f"{call_number(waited.seq)} has waited {duration(waited.seconds)} for its reply"]
    if server:
        alive = timeouts.accepts_connections(server)
        facts.append(
            "its server accepts connections, so it may only be slow"
            if alive
            else "its server accepts no connections: it may have stopped"
        )
    return facts


def _expected(run: Run, document: Document) -> float | None:
    """How many replies such a reading usually takes; None if that is unknown."""
    try:
        found = text_cache.estimated_before(run, document)
    except ReadingError:
        return None
    return None if found.open_end else found.calls.high + found.reused
