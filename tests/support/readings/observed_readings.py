"""Our own readings as a program of others would be seen, call by call, with the truth: where each character of a prompt is from.

The truth comes from the desk's record, and `compared` counts how much of it `readers/observed/sources.py` finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from components.replay.reading import replayed_from
from readers import get, offered
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.models.call import build_messages
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import MemoryTape, Record, decode_parts
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Document, Piece, Question
from readers.observed.calls import ObservedCall, Said
from readers.observed.sources import OWN, sources
from tests.support.readings.every_reading import SMALL
from tests.support.readings.shipped_readings import FOLDER

LENGTHS = (24, 40, 1 << 40)  # of true pieces, up to which they are counted together
Counts = Counter[tuple[str, int, bool]]  # characters by kind of source, the length of the true piece, and whether it was found


class TrueReading(NamedTuple):
    """A reading as calls, and for each call the pieces of its one message whose source is on record."""

    document: Document
    question: Question
    calls: list[ObservedCall]
    true: list[tuple[Piece, ...]]


class _Tape(MemoryTape):
    """A record in memory that keeps the prompts, too."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: dict[str, Prompt] = {}

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        if prompt:
            self.prompts[prompt.hash] = prompt
        super().save(record, prompt, start, new_events)


def offline(reader_id: str, document: Document, question: str, *, longer: int = 1) -> TrueReading:
    """A reading by the offline model; its parts are so many times longer than the smallest."""
    reader, tape = get(reader_id), _Tape()
    sizes = {name: size * longer if name.endswith(("tokens", "words")) else size for name, size in SMALL[reader_id].items()}
    spec = RunSpec(reader.id, reader.version, question, options=sizes)
    trace = rehearse(document, reader, spec, Offline(), tape=tape)
    return observed(trace, list(tape.records.values()), tape.prompts, spec.full_question)


def shipped(name: str) -> TrueReading:
    """A shipped reading by a real model."""
    path = FOLDER / name
    one = replayed_from(check_run_file(path, path.name, readers=offered), name)
    spec: Mapping[str, Any] = one.reading.run.spec
    question = Question(one.reading.run.question, tuple(spec.get("choices") or ()))
    return observed(one.reading.trace, one.reading.records, one.prompts, question)


def compared(reading: TrueReading) -> Counts:
    """How many characters of the prompts, without white space, are found at their true place in the document, in the true reply
    or in the question; and how many of a reader's own words are claimed for no source."""
    counts: Counts = Counter()
    choices = [choice.text for choice in reading.question.offered]
    found = sources([reading.document.text], reading.question.text, reading.calls, choices=choices)
    for call, true, [pieces] in zip(reading.calls, reading.true, found, strict=True):
        text = call.messages[0].text
        by_character = [one.piece for one in pieces for _ in range(one.piece.start, one.piece.end)]
        own = [True] * len(text)
        for piece in true:
            kind, length = piece.origin.partition(":")[0], next(most for most in LENGTHS if piece.end - piece.start < most)
            for at in range(piece.start, piece.end):
                own[at] = False
                counts[kind, length, _is_at(by_character[at], at, piece)] += not text[at].isspace()
        for at in (at for at, is_own in enumerate(own) if is_own):
            counts["own", 0, by_character[at].origin == OWN] += not text[at].isspace()
    return counts


def _is_at(found: Piece, at: int, true: Piece) -> bool:
    """Whether a character of a prompt was found where it is from; of a reply, in that reply."""
    if found.origin != true.origin or true.origin != DOCUMENT:
        return found.origin == true.origin
    place = true.begin + at - true.start
    return found.begin + at - found.start == place if found.exact else found.begin <= place < found.stop


def share(counts: Counts, kind: str, length: int | None = None) -> float | None:
    """How much of a kind was found, in per cent; None if there was none."""
    every = {
        found: sum(
            count for (one, most, right), count in counts.items() if right == found and one == kind and length in (None, most)
        )
        for found in (True, False)
    }
    return 100 * every[True] / total if (total := sum(every.values())) else None


def observed(trace: Trace, records: list[Record], prompts: Mapping[str, Prompt], question: Question) -> TrueReading:
    """A reading of ours as a stranger's, one call after the other; what a scorer compares is no call of a model."""
    asked = [
        one
        for one in sorted(records, key=lambda one: (one.seq, one.attempt))
        if one.seq in trace.asked and one.task != "score" and not one.messages
    ]
    numbers: dict[int, int] = {}  # of the call whose reply was read, by its number in our record
    for number, record in enumerate(asked):
        numbers[record.seq] = number if trace.asked[record.seq].attempt in (record.attempt, None) else numbers.get(record.seq, 0)
    calls, true = [], []
    for number, record in enumerate(asked):
        prompt, parts = prompts[record.prompt], decode_parts(record.parts, trace.document)
        [message] = build_messages(prompt, parts, note=record.note)
        calls.append(ObservedCall(number, number + 0.5, (Said("user", message["content"]),), record.reply or ""))
        pieces = dict(trace.asked[record.seq].parts)
        found: list[Piece] = []
        at = 0
        for stretch in prompt.stretches(parts):
            if stretch.part:
                [text] = [part.texts[stretch.number].text for part in parts if part.name == stretch.part]
                moved = _moved(text, stretch.text)
                for piece in _resolved(pieces[stretch.part][stretch.number], trace, numbers):
                    found += _through(piece, moved, at)
            at += len(stretch.text)
        true.append(tuple(found))
    return TrueReading(trace.document, question, calls, true)


def _moved(text: str, rendered: str) -> list[int]:
    """Where each character of a text stands in the prompt, which breaks markers up by blanks and dashes."""
    if text == rendered:
        return list(range(len(text) + 1))
    places, at = [], 0
    for sign in text:
        while rendered[at] != sign:
            at += 1
        places.append(at)
        at += 1
    return [*places, len(rendered)]


def _through(piece: Piece, moved: list[int], at: int) -> Iterator[Piece]:
    """A piece in the prompt; an exact one is cut where something was put in."""
    start = piece.start
    for n in range(piece.start + 1, piece.end + 1):
        if n == piece.end or (piece.exact and moved[n] != moved[n - 1] + 1):
            shift = piece.begin - piece.start if piece.exact else 0
            begin, stop = (start + shift, n + shift) if piece.exact else (piece.begin, piece.stop)
            yield Piece(at + moved[start], at + moved[n - 1] + 1, piece.origin, begin, stop)
            start = n


def _resolved(pieces: tuple[Piece, ...], trace: Trace, numbers: Mapping[int, int]) -> Iterator[Piece]:
    """Pieces by what a stranger could know: the document, the question, and replies by the numbers of their calls."""
    for piece in pieces:
        if (number := refs.written(piece.origin)) is not None:
            inside = _resolved(trace.wrote[number].pieces, trace, numbers)
            for one in inside:
                if not piece.exact:
                    yield one._replace(start=piece.start, end=piece.end)
                elif (clipped := one.clipped(piece.begin, piece.stop)) is not None:
                    yield clipped.moved(piece.start)
        elif (seq := refs.replied(piece.origin)) is not None:
            yield piece._replace(origin=refs.reply(numbers[seq]))
        else:
            yield piece
