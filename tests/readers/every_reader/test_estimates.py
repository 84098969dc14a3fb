"""The range of calls given before a reading holds the number that it then makes: for every reader, texts short and long.

The quick test makes every length some ten times smaller; the one marked `scale` takes texts of up to 300,000 words.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from components.html.words.wording import share_done
from readers import READERS
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text import split
from readers.engine.text.document import Document
from tests.support.paths import LAMP

QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"
SHORT = {
    "memwalker": {"segment_tokens": 100},
    "readagent": {"min_words": 40, "max_words": 100},
    "qrmem": {"segment_tokens": 150, "window_tokens": 600},
    "memagent": {"chunk_tokens": 300, "memory_tokens": 64},
    "rememr1": {"chunk_tokens": 300, "memory_tokens": 64},
    "chain_of_agents": {"chunk_tokens": 300, "message_tokens": 64},
    "recursive": {"slice_tokens": 300},
    "whole": {"window_tokens": 400},
    "retrieval": {"segment_tokens": 50, "top_k": 3},
    "recurrence": {"chunk_tokens": 250, "summary_tokens": 64},
}
every_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)


class Counting:
    """The offline model, counting its replies."""

    def __init__(self) -> None:
        self.made = 0

    def complete(self, call: Call) -> Reply:
        self.made += 1
        return Offline().complete(call)


@cache
def story(words: int) -> Document:
    """A text of about so many words: the sentences of a sample in another order, in paragraphs of unequal length. Its second half
    has the longer paragraphs, so that its beginning is not quite like the rest."""
    lamp = LAMP.read_text(encoding="utf-8")
    sentences = [lamp[start:end].strip() for start, end in split.sentences(lamp)]
    chance, told, count = random.Random(words), [], 0
    while count < words:
        paragraph = chance.choices(sentences, k=chance.randint(1, 4 if 2 * count < words else 9))
        told.append(" ".join(paragraph))
        count += len(told[-1].split())
    return Document.of("\n\n".join(told), title=f"{words:,} words")


def check(document: Document, reader: Reader, spec: RunSpec) -> None:
    found, model = estimate(document, reader, spec), Counting()
    rehearse(document, reader, spec, model)
    assert found.calls.low <= model.made <= found.calls.high
    for replies in range(int(0.95 * model.made)):
        done = share_done(replies, found.calls.high)
        assert done is not None
        assert done <= 0.95
        assert done <= (replies + 1) / model.made
    assert found.calls.high <= 12 * model.made


@pytest.mark.slow
@every_reader
def test_the_range_given_before_a_reading_holds_the_calls_it_makes(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.run.trial.MAX_WHOLE_TOKENS", 3_000)
    monkeypatch.setattr("readers.engine.run.trial.BEGINNING_LENGTHS", (2_500, 5_000))
    check(story(4_000), reader, RunSpec(reader.id, reader.version, QUESTION, options=SHORT.get(reader.id, {})))


@pytest.mark.scale
@pytest.mark.parametrize("words", [5_000, 60_000, 300_000])
@every_reader
def test_the_range_holds_from_5000_to_300000_words(reader: Reader, words: int) -> None:
    check(story(words), reader, RunSpec(reader.id, reader.version, QUESTION))


@pytest.mark.scale
@pytest.mark.parametrize("chunk_tokens", [500, 20_000, 100_000])
@pytest.mark.parametrize(
    "reader", [reader for reader in READERS if reader.id in ("memagent", "rememr1", "chain_of_agents")], ids=lambda r: r.id
)
def test_the_range_holds_for_chunks_of_any_size(reader: Reader, chunk_tokens: int) -> None:
    memory = reader.part_size.memory if reader.part_size else ""
    options = {"chunk_tokens": chunk_tokens, memory: 256}
    check(story(120_000), reader, RunSpec(reader.id, reader.version, QUESTION, options=options, window=200_000))


def test_more_replies_than_expected_leave_no_share_to_show() -> None:
    assert share_done(14, 51) == 14 / 51
    assert share_done(51, 51) == 0.95
    assert share_done(52, 51) is None
    assert share_done(3, None) is None
