"""What the page says about a reading, in plain words: its state, its steps, its figures. Pure: no Streamlit, no HTML, no
storage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from readers.engine.analysis.narrate import narrate
from readers.engine.models import catalogue
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.grading import Grade, Outcome
from readers.engine.questions.known_answer import KnownAnswer, found_by
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record import answered_by as who
from readers.engine.record.edits import models_called
from readers.engine.record.events import Answered, Chose, CutOff, Ended, Misread
from readers.engine.record.journal import Record
from readers.engine.record.narrative import UNREAD, WHAT_HELPS, Narrative, StepRecord, reason_in_plain_words, scorer_name
from readers.engine.record.trace import Trace
from readers.engine.report.values import FREE as FREE
from readers.engine.report.values import duration as duration
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run
from readers.engine.text import refs
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import capitalised, counted, percent
from readers.engine.text.words import has_no_spaces
from readers.engine.work import Range

Tone = Literal["", "good", "lost", "warn", "quiet"]
MessageTone = Literal["success", "info", "warning", "error"]  # of a message shown once, after a click
KEPT = "What was read until then is kept. Resume, where it is offered, continues from there"
YEAR = 365 * 86_400  # seconds
share = percent  # by this name on Compare and Results
COUNTED_AT_MOST = 500_000


class Chip(NamedTuple):
    """A word with its mark; the tone only colours what both say."""

    mark: str
    word: str
    tone: Tone = ""
    meaning: str = ""


class StepLine(NamedTuple):
    """A step in words. `asked_why`: whether a prompt of it asked for a reason."""

    number: int
    phase: str
    where: str
    sentence: str
    reasons: tuple[str, ...] = ()
    chip: Chip | None = None
    asked_why: bool = False


_STATES = {
    "queued": Chip("…", "waiting its turn", "quiet"),
    "running": Chip("●", "reading", "quiet"),
    "waiting": Chip("…", "waiting for you", "quiet"),
    "failed": Chip("!", "failed", "warn"),
    "cancelled": Chip("■", "stopped", "quiet"),
    "interrupted": Chip("‖", "interrupted", "warn"),
    "unreadable": Chip("!", "cannot be read", "warn"),
    "answered": Chip("◆", "answered", "quiet"),  # green says that an answer is right, and this chip does not know
    "none_given": Chip("∅", "no answer given", "lost", "The model's answer says that there is none."),
    "no_answer": Chip("∅", "no answer", "lost"),
    "exhausted": Chip("∅", "gave up", "lost"),
    "over_budget": Chip("■", "budget used up", "lost"),
}


def state(run: Run) -> Chip:
    """The state of a reading, in a word."""
    key = run.shown_outcome if run.status == "finished" and run.outcome else run.status
    return _STATES.get(key or "", Chip("", (key or "").replace("_", " ")))


def ending(run: Run) -> tuple[str, ...]:
    """Why there is no answer, and what can be done, in sentences."""
    reason = f" {sentence(reason_in_plain_words(run.error))}" if run.error else ""
    match run.status:
        case "failed":
            return (f"The reading failed.{reason}", f"{KEPT}, and makes no call twice.")
        case "cancelled":
            return ("The reading was stopped before its end.", f"{KEPT}.")
        case "interrupted":
            return ("The program ended during this reading.", f"{KEPT}.")
    match run.outcome:
        case "no_answer":
            helps = (WHAT_HELPS,) if run.error and UNREAD in run.error else ()
            return (f"It ended without an answer.{reason}", *helps)
        case "exhausted":
            return (f"It gave up.{reason}", "That is a result, not an error: the text may not say it, or the summaries hid it.")
        case "over_budget":
            return (f"It stopped, because the budget was used up.{reason}",)
    return ("It ended without an answer.",)


def lines(trace: Trace, reader: Reader, *, names: Mapping[str, str] | None = None) -> list[StepLine]:
    """The steps of a reading that has ended. `names` are the reader's, for a caller that has them already."""
    called = reader.names(trace) if names is None else names
    sentences = narrate(trace, reader, names=called)
    steps = [StepRecord(trace, step, called) for step in trace.steps]
    asking = frozenset(prompt.id for prompt in reader.prompts if prompt.reply.asks_why)
    told = [_line(step, sentence, reader.narrative) for step, sentence in zip(steps, sentences, strict=True)]
    return [
        line._replace(asked_why=any(event.prompt in asking for event in step.asked))
        for line, step in zip(told, steps, strict=True)
    ]


def _line(record: StepRecord, sentence: str, narrative: Narrative) -> StepLine:
    where = record.place_name() or _steps_named(record.step.names[1:], narrative)
    number, phase = record.step.number + 1, narrative.phase(record.step.phase)
    return StepLine(number, phase, where, sentence, _reasons(record, narrative), _step_chip(record, narrative))


def _steps_named(names: Sequence[str], narrative: Narrative) -> str:
    """Steps without a place of their own, in words."""
    return " › ".join(narrative.step(name) for name in names)


def _reasons(record: StepRecord, narrative: Narrative) -> tuple[str, ...]:
    """What the model gave as its reason. Where no call was made, the reason is the reader's own, and the sentence has it."""
    if not record.asked:
        return ()
    return tuple(e.because for e in record.decisions if narrative.decision(e.action).reasoned and e.because.strip())


def _step_chip(record: StepRecord, narrative: Narrative) -> Chip | None:
    marks = {narrative.decision(event.action).mark for event in record.decisions}
    if any(isinstance(event, Answered) and none_given("answered", event.text) for event in record.events):
        return Chip("∅", "no answer given", "lost")
    if record.decisions_of("commit"):
        return Chip("◆", "found", "good")
    if any(isinstance(event, Ended) for event in record.events):
        return Chip("∅", "ended", "lost")
    if "back" in marks:
        return Chip("↩", "turned back", "lost")
    if "warn" in marks or any(isinstance(event, (CutOff, Misread)) for event in record.events):
        cut = any(isinstance(event, CutOff) for event in record.events)
        return Chip("!", "stood in" if record.decisions_of("fallback") else "cut off" if cut else "asked again", "warn")
    return None


def lines_so_far(trace: Trace, reader: Reader, *, names: Mapping[str, str] | None = None) -> list[StepLine]:
    """The steps of a running reading; the last one has no decision yet."""
    called = reader.names(trace) if names is None else names
    told = lines(trace, reader, names=called)
    if (
        told
        and not any(isinstance(event, Chose) for event in trace.events[trace.steps[-1].start :])
        and told[-1].where in called.values()
    ):
        told[-1] = told[-1]._replace(sentence=f"It is looking at {told[-1].where} now.", chip=Chip("○", "now"))
    return told


def stage(trace: Trace, told: Sequence[StepLine], narrative: Narrative) -> str:
    """What a reading is doing now, by the steps that are open."""
    open_steps = trace.open_steps
    if not open_steps:
        return "Beginning to read"
    phase = narrative.phase(open_steps[0])
    here = told[-1].where if told and trace.steps[-1].names == open_steps else _steps_named(open_steps[1:], narrative)
    here = here or (open_steps[0] if " " in open_steps[0] else "")
    return f"{phase} · {here}" if here and here.lower() != phase.lower() else phase


def author(model: str) -> str:
    """Who wrote something, within a sentence: a model by its id, the offline model by its description."""
    title = catalogue.title(model)
    return f"the {title}" if model == catalogue.OFFLINE else title


def author_of(record: Record) -> str:
    """Who wrote a reply, within a sentence."""
    return "a person" if record.origin == "edited" else author(record.model)


def reply_by(record: Record) -> str:
    """The line over a reply: who wrote it, or what computed it."""
    if record.task == "score":
        return f"result, computed by {scorer_name(record.model)}"
    return f"reply, written by {author_of(record)}"


def answered_by(reading: Reading) -> str:
    """Who gave the answer of a reading, within a sentence: the model of that call, or the person who replied in its place."""
    record = who.answering_record(reading.trace, reading.records)
    return author_of(record) if record else author(models_called(reading.run.spec)[-1])


def models(spec: Mapping[str, Any]) -> str:
    """The models of a reading with this spec by their names, in the order of its calls."""
    return ", then ".join(map(catalogue.title, models_called(spec)))


def places(evidence: Sequence[Span], called: Mapping[str, str], document: Document) -> str:
    """The place of the evidence, by the reader's own names and by its pages."""
    if not evidence:
        return "The model saw no part of the text itself when it answered."
    names, pages = names_of_places(evidence, called), document.pages_of(*evidence)
    if names:
        return f"found in {names} of the text{f', {pages}' if pages else ''}"
    counted = "1 place in the text" if len(evidence) == 1 else f"{len(evidence)} places in the text"
    return f"found at {pages}" if pages else counted


def names_of_places(places: Sequence[Span], called: Mapping[str, str]) -> str:
    """The reader's own names for a few places; empty if it has none for one of them, or there are more."""
    names = list(dict.fromkeys(called.get(refs.place(start, end), "") for start, end in places))
    return " and ".join(names) if all(names) and len(names) <= 3 else ""


def from_memory(steps: Sequence[int], *, own_words: bool = True, called: str = "memory") -> str:
    """The source of an answer given only from memory: the steps (from 1) at which sentences like it were written. If its words
    are those of a choice, their absence from the text means nothing. `called` is the reader's word for a memory."""
    kept = "memory" if called == "memory" else f"the last {called}"
    if not steps and not own_words:
        return f"From {kept} alone."
    if not steps:
        return f"From {kept} alone; its words match no sentence that the {called} held then."
    named = [f"{step:,}" for step in steps]
    several = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
    return f"from {kept}, most like what was written at step{'' if len(named) == 1 else 's'} {several}"


def count(number: int, thing: str = "reading") -> str:
    """How many of a thing there are; named in the singular."""
    return counted(number, thing)


def numbers(found: Range, *, rough: bool = False) -> str:
    """A range in words; one number if both ends read the same."""
    low, high = (_rounded(found.low), _rounded(found.high)) if rough else (round(found.low), round(found.high))
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _rounded(value: float) -> int:
    """To two digits that mean something."""
    digits = len(str(round(value)))
    return int(round(value, 2 - digits)) if digits > 2 else round(value)


def counting(prompt: Prompt) -> str:
    """How a prompt counts the texts it offers, where people count otherwise; empty if they count alike."""
    counted = prompt.counted_from_0
    return f"The prompt counts from 0: “{counted.sent(0)}” is the first." if counted else ""


def share_done(replies: int, expected: float | None) -> float | None:
    """The share of a reading that is done, if it takes at most as many replies as `expected`. At most 0.95, because the last
    calls may be more than one; None where nothing is expected, or more replies came."""
    return min(0.95, replies / expected) if expected and replies <= expected else None


def lost(count: int, *, called: str = "memory") -> list[Chip]:
    """A chip for the sentences that a memory (under its reader's word) lost, if there are any. It is quiet: forgetting is what a
    bounded memory does, and a right answer may need none of them."""
    words = f"{count:,} sentence{'' if count == 1 else 's'} lost"
    were, their = ("It was overwritten, and is", "its") if count == 1 else ("They were overwritten, and are", "their")
    return [Chip("✕", words, "quiet", f"{were} not in the last {called}; some of {their} words may be.")] if count else []


KEPT_BACK = "The known answer is hidden from you for now: you take notes on readings of this question in a project."


NOT_IN_TEXT = "The text does not answer this question."

# The mark and tone of each grade by rule; its words are `Grade.words`.
_VERDICT_MARKS: dict[Outcome, tuple[str, Tone]] = {
    "correct": ("✓", "good"),
    "partly": ("◇", "warn"),
    "wrong": ("✕", "lost"),
    "abstained_right": ("∅", "good"),
    "abstained_wrong": ("∅", "lost"),
    "not_judgeable": ("?", "quiet"),
}


def verdict_chip(graded: Grade) -> Chip:
    """A grade by rule as shown everywhere: a suggestion in a word or two, with the reason as its explanation."""
    mark, tone = _VERDICT_MARKS[graded.outcome]
    return Chip(mark, graded.words, tone, f"A suggestion by rule. {graded.reason}")


class AnswerVerdict(NamedTuple):
    """How a reading compares with the known answer: the verdict in a word, and the reasons in sentences."""

    chip: Chip | None
    reasons: tuple[str, ...]

    @property
    def words(self) -> str:
        """All of it in one line."""
        told = " ".join(self.reasons)
        return f"{sentence(self.chip.word)} {told}" if self.chip else told


def compared(run: Run, known: KnownAnswer) -> AnswerVerdict:
    """How a reading compares with what is known, as far as a rule can decide; nothing on places if none are known."""
    graded = run.graded(known)
    reasons = [graded.reason] if graded else ["The reading has no answer yet."]
    count, met = len(known.evidence), found_by(run.evidence, known.evidence)
    if run.gives_answer and count and not run.evidence:
        reasons.append("It saw none of the text itself when it answered.")
    elif run.gives_answer and count == 1:
        met_it = "It saw the known place when it answered."
        reasons.append(met_it if met else "It did not see the known place when it answered.")
    elif run.gives_answer and count:
        reasons.append(f"It had {met or 'none'} of the {count} known places word for word in front of it when it answered.")
    if run.gives_answer and (misled := found_by(run.evidence, known.distractors)):
        which = f"{misled} of the {len(known.distractors)} distractors" if len(known.distractors) > 1 else "the distractor"
        reasons.append(f"It was also shown {which}.")
    return AnswerVerdict(verdict_chip(graded) if graded else None, tuple(reasons))


def ago(created: str, now: datetime) -> str:
    """How long ago, roughly; the day where it is over a year from now, as with a wrong clock; nothing for a time that cannot be
    read."""
    try:
        then = datetime.fromisoformat(created)
        seconds = (now - then).total_seconds()
    except (TypeError, ValueError):
        return ""
    if abs(seconds) > YEAR:
        return f"on {then.date().isoformat()}"
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def made(run: Run, now: datetime, *, recorded: str = "") -> str:
    """When a reading was made. `recorded`: the day of a reading that comes with Palimpsest, which was imported only now."""
    if recorded:
        return f"recorded {recorded} by {models(run.spec)}"
    return f"imported from a file {ago(run.created, now)}".rstrip() if run.taken_in else ago(run.created, now)


def size(document: Document) -> str:
    return words_between(document.text, 0, len(document.text))


def words_between(text: str, start: int, end: int) -> str:
    """So many words; roughly, where counting them all would hold the page up. Characters, where no spaces part the words."""
    if has_no_spaces(text):
        count = len("".join(text[start:end].split()))
        return f"{count:,} character{'' if count == 1 else 's'}"
    if end - start <= COUNTED_AT_MOST:
        count = len(text[start:end].split())
        return f"{count:,} word{'' if count == 1 else 's'}"
    sample = max(1, len(text[start : start + COUNTED_AT_MOST].split()))
    return f"about {round(sample * (end - start) / COUNTED_AT_MOST, -3):,.0f} words"


def sentence(words: str) -> str:
    """A message as a sentence: with a capital at the start and a stop at the end. Empty words stay empty."""
    words = words.strip()
    return capitalised(words) + ("" if words[-1:] in ".!?…" else ".")
