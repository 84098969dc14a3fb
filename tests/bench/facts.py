"""The life of a fact over 2,000 memories of 40 sentences and a text of 300,000 words."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from components.session.samples import samples
from readers import get
from readers.engine.analysis.facts.fate import fate
from readers.engine.analysis.facts.life import life
from readers.engine.record.events import Answered, Asked, Cut, Event, StepBegan, StepEnded, Wrote
from readers.engine.record.trace import Trace
from readers.engine.text import split
from readers.engine.text.document import DOCUMENT, Document, Piece, Span

STEPS, SENTENCES, WORDS = 2_000, 40, 300_000


def followed() -> tuple[str, str, float, float]:
    trace, fact = _reading()
    best = min(_seconds(trace, fact) for _ in range(3))
    return f"the life of a fact over {STEPS:,} memories and a novel", "half a second of the processor", best / 0.5, 1.0


def _seconds(trace: Trace, fact: Span) -> float:
    before = time.process_time()
    lived = life(trace, fact, get("memagent").narrative)
    assert len(lived.by_step) == STEPS
    assert fate(trace, lived, "What is it?")
    return time.process_time() - before


def _reading() -> tuple[Trace, Span]:
    """A reading whose memory has two new sentences after each chunk; the fact stands in the first chunk."""
    own = [
        sample.document.text[start:end].strip() for sample in samples() for start, end in split.sentences(sample.document.text)
    ]
    pool = [sentence for sentence in own if len(sentence) > 30]
    text = " ".join(pool * (WORDS // sum(len(sentence.split()) for sentence in pool) + 1))
    document = Document.of(text, title="A novel")
    start, end = split.sentences(document.text[:5000])[2]
    return Trace(document, tuple(_events(document, pool))), Span(start, end)


def _events(document: Document, pool: list[str]) -> Iterator[Event]:
    rng = random.Random(1)
    size = len(document.text) // STEPS
    assert size > 300
    memory = rng.sample(pool, SENTENCES)
    yield Cut(tuple(Span(n * size, (n + 1) * size) for n in range(STEPS)))
    for n in range(STEPS):
        yield StepBegan(f"chunk {n + 1}")
        begin = 0 if n == 0 else n * size
        chunk = (Piece(0, size, DOCUMENT, begin, begin + size),)
        before = ((Piece(0, 10, f"wrote:{n - 1}", 0, 10),),) if n else ((),)
        yield Asked(n, "memagent.update", (("memory", before), ("section", (chunk,))), 0)
        memory[rng.randrange(SENTENCES)], memory[rng.randrange(SENTENCES)] = rng.sample(pool, 2)
        words = " ".join(memory)
        yield Wrote(n, "memory", words, (Piece(0, len(words), f"reply:{n}", 0, len(words)),))
        yield StepEnded()
    yield Answered("Nothing.", (), ())
