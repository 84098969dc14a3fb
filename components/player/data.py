"""The data the player gets for a reading, and what it asks for later: stretches of a long text, opened parts of a picture.
Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from components.html import document as prose
from components.html.words import wording
from components.player import browser_text, ending, frames
from components.player.pictures import before, kind, picture
from readers import get
from readers.engine.analysis import authorship
from readers.engine.analysis.narrate import narrate_briefly
from readers.engine.forks import describe_edit
from readers.engine.models import catalogue
from readers.engine.questions.no_answer_given import NONE_GIVEN
from readers.engine.record.events import Event
from readers.engine.record.journal import Record
from readers.engine.record.provisional import Answer, Answers, first_unreported, with_answers
from readers.engine.record.pseudo_code import PseudoCode
from readers.engine.record.trace import Trace
from readers.engine.run.execute import edited_prompts
from readers.engine.store import Reading, Run
from readers.engine.text.document import Document, Span

STRETCHES_AT_ONCE = 12


def of(reading: Reading) -> dict[str, Any]:
    """Everything about a reading that is not in progress. Of one that was broken off, what its replies brought is shown, too,
    although no event reports it (`provisional.py`)."""
    run, document, _, _ = reading
    shown = _ended(reading)
    found = run.evidence if run.gives_answer else ()
    quotes = [Span(mark.start, mark.end) for mark in prose.quotes(document.text, run.answer or "", found)]
    rests = ending.basis(run, document, shown.names)
    marked = replace(
        shown,
        evidence=rests.places if rests.stated else (),
        nearest=() if rests.stated else rests.places,
        quotes=quotes,
    )
    return _marked(frames.frames(marked), run, shown.trace)


def _ended(reading: Reading) -> frames.ShownReading:
    """A reading that is not in progress, without what is marked in its text."""
    run, _, _, records = reading
    trace, reader = _shown(reading), get(run.reader)
    names = reader.names(trace)
    return replace(
        _described(run, trace, names, told=wording.lines(trace, reader, names=names), drawn=_picture(run, trace)),
        authorship=authorship.of(trace, run, records),
        replies={(one.seq, one.attempt): one.reply for one in records if one.reply is not None},
        none_given=run.shown_outcome == NONE_GIVEN,
    )


def showing(reading: Reading) -> dict[str, Any]:
    """A finished reading that plays by itself (`mount.showing`): its picture and one sentence a step, without the text."""
    run, document, trace, _ = reading
    reader, made = get(run.reader), frames.moving(_ended(reading))
    model = catalogue.title(run.spec["model"])
    return {
        "run": run.id,
        **{name: made[name] for name in ("live", "kind", "picture", "by", "building")},
        "text": {"whole": None},
        "steps": [{"say": sentence} for sentence in narrate_briefly(trace, reader)],
        "question": run.question,
        "about": f"{reader.title} · {model} · {document.title}",
        "answer": {"by": f"answer, written by {model}", "words": run.answer or ""},
    }


def _described(
    run: Run, trace: Trace, names: Mapping[str, str], *, told: Sequence[wording.StepLine], drawn: Mapping[str, Any] | None
) -> frames.ShownReading:
    """What is shown of a reading by its reader's own account, whether it goes on or has ended."""
    narrative, reader = get(run.reader).narrative, run.reader
    return frames.ShownReading(
        run.id, trace, narrative, names, told, drawn, kind(reader), before=before(reader), algorithm=_algorithm(run)
    )


def _shown(reading: Reading) -> Trace:
    run, _, recorded, records = reading
    return recorded if run.status == "finished" else _with_unreported(recorded, run, records)


def _with_unreported(recorded: Trace, run: Run, records: Sequence[Record]) -> Trace:
    reader = get(run.reader)
    worded = edited_prompts(reader, run.spec.get("prompts", {})) if run.is_of_version(reader.version) else {}
    called = {prompt.hash: prompt.id for prompt in (*reader.prompts, *worded.values())}
    first = first_unreported(recorded.events)
    replied = [
        Answer(record.seq, record.attempt, called[record.prompt], record.parts, record.reply, record.parsed)
        for record in records
        if record.seq >= first and record.reply is not None and record.prompt in called
    ]
    answers = Answers(recorded, first, replied)
    return with_answers(answers, list(reader.provisional(answers)))


def _algorithm(run: Run) -> PseudoCode | None:
    """The reader's algorithm, unless an earlier version of it read: its steps may have been others."""
    reader = get(run.reader)
    return reader.pseudo_code if run.is_of_version(reader.version) else None


def _picture(run: Run, trace: Trace, *, unfolded: frozenset[str] = frozenset()) -> dict[str, Any] | None:
    try:
        return picture(run.reader, trace, opened=unfolded, options=run.spec.get("options"), question=run.question)
    except Exception:
        if not run.unchecked:
            raise
        return None  # its steps need not hang together; they are told without a picture


def _marked(made: dict[str, Any], run: Run, trace: Trace) -> dict[str, Any]:
    """The frames of a fork, with the step marked at which it was changed."""
    at = describe_edit.step_of_edit(trace, run.edit) if run.edit else None
    if at is not None:
        made["steps"][at]["changed"] = True
    return made


def changed_step(made: Mapping[str, Any]) -> int | None:
    """The step (from 0) at which a fork was changed; None for other readings."""
    return next((n for n, step in enumerate(made["steps"]) if step.get("changed")), None)


def so_far(
    run: Run, document: Document, events: Sequence[Event], *, answered: Sequence[Answer] = (), opened: Iterable[str] = ()
) -> dict[str, Any]:
    """What grows of a reading in progress. `answered` are its calls from the first that no event may report yet
    (`provisional.first_unreported`): what they bring is shown before it is recorded."""
    reader, recorded = get(run.reader), Trace(document, tuple(events), run.question)
    answers = Answers(recorded, first_unreported(events), answered)
    trace = with_answers(answers, list(reader.provisional(answers)))
    names = reader.names(trace)
    told = wording.lines_so_far(trace, reader, names=names)
    unfolded = frozenset(opened)
    drawn = _picture(run, trace, unfolded=unfolded)
    described = _described(run, trace, names, told=told, drawn=drawn)
    shown = replace(described, live=True, authorship=authorship.so_far(trace, run))
    return {**_marked(frames.moving(shown), run, trace), "version": [len(events), len(answered), len(unfolded)]}


def begun(run: Run, document: Document, events: Sequence[Event]) -> dict[str, Any]:
    """A reading in progress, for a player that has nothing of it yet."""
    nothing: dict[str, list[Span]] = {"evidence": [], "nearest": [], "quotes": []}
    code = _algorithm(run)
    algorithm = code.as_data() if code else None
    return {
        "run": run.id,
        "text": frames.text(document),
        "marks": nothing,
        "algorithm": algorithm,
        **so_far(run, document, events),
    }


def stretches(document: Document, numbers: Iterable[int]) -> dict[str, Any]:
    """Stretches of a document by their numbers, with their blocks; numbers that do not exist are ignored."""
    count = len(browser_text.cuts(document.text))
    wanted = [n for n in dict.fromkeys(numbers) if n < count][:STRETCHES_AT_ONCE]
    text = document.text
    return {str(n): {"words": browser_text.stretch(text, n), "blocks": browser_text.blocks(text, n)} for n in wanted}


def opened(reading: Reading, ids: Iterable[str]) -> Mapping[str, Any] | None:
    """The picture with these parts unfolded by the viewer."""
    drawn = _picture(reading.run, _shown(reading), unfolded=frozenset(ids))
    return browser_text.picture(reading.document.text, drawn)
