"""`auto` sizes: for any reader that cuts, a text of any length has 8 to 20 parts. A window may forbid it; then that is said."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from components.session.samples import samples
from readers import READERS, get
from readers.engine.models.offline import Offline
from readers.engine.prompts.options import read_options
from readers.engine.record.events import Cut
from readers.engine.run.execute import RunSpec, cut_before_asking, rehearse
from readers.engine.run.part_sizes import FEWEST, MOST, TextLength, in_words, larger, parts, suited, why_limited
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document

CUTTING = [reader for reader in READERS if reader.part_size]
# Not the recursive reader, which cuts a slice where and when the model asks for it.
FIRST_CUTTING = [reader for reader in CUTTING if not (reader.part_size and reader.part_size.least) and reader.id != "recursive"]
LENGTHS = (2_000, 6_000, 30_000, 100_000, 300_000)


@cache
def document(length: int, *, flat: bool = False) -> Document:
    """A text of so many words, of the samples over and over; `flat`: without paragraphs."""
    words = 0
    paragraphs: list[str] = []
    while words < length:
        for sample in samples():
            for paragraph in sample.document.text.split("\n\n"):
                if words < length:
                    paragraphs.append(paragraph)
                    words += len(paragraph.split())
    return Document.of((" " if flat else "\n\n").join(paragraphs))


@cache
def length_of(words: int) -> TextLength:
    return TextLength.of(document(words))


def cuts(reader: Reader, text: Document, length: TextLength) -> int:
    """The parts that the reader cuts with its auto sizes, before it asks."""
    spec = RunSpec(reader.id, reader.version, "Who?", options=suited(reader, length).options)
    return len(cut_before_asking(text, reader, spec))


@pytest.mark.parametrize("words", [pytest.param(n, marks=pytest.mark.slow) if n > 50_000 else n for n in LENGTHS])
@pytest.mark.parametrize("reader", FIRST_CUTTING, ids=lambda reader: reader.id)
def test_a_text_of_any_length_has_8_to_20_parts(reader: Reader, words: int) -> None:
    found = cuts(reader, document(words), length_of(words))
    assert FEWEST <= found <= MOST
    told = parts(reader, suited(reader, length_of(words)).options, length_of(words))
    assert told is not None
    assert abs(told - found) <= max(2, 0.2 * found)


@pytest.mark.parametrize("words", [2_000, 6_000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_pages_that_end_where_the_model_chooses_are_8_to_20(words: int) -> None:
    reader, text = get("readagent"), document(words)
    spec = RunSpec(reader.id, reader.version, "Who?", options=suited(reader, length_of(words)).options)
    trace = rehearse(text, reader, spec, Offline())
    assert FEWEST <= sum(isinstance(event, Cut) for event in trace.events) <= MOST


@pytest.mark.parametrize("words", LENGTHS)
def test_pages_may_not_be_so_long_or_so_short_that_there_are_others(words: int) -> None:
    chosen = suited(get("readagent"), length_of(words)).options
    assert length_of(words).words / chosen["max_words"] >= FEWEST
    assert length_of(words).words / chosen["min_words"] <= MOST


def test_a_text_without_paragraphs_is_cut_as_well() -> None:
    text = document(6_000, flat=True)
    assert FEWEST <= cuts(get("memwalker"), text, TextLength.of(text)) <= MOST


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_what_is_chosen_is_allowed_and_said(reader: Reader) -> None:
    chosen = suited(reader, length_of(6_000)).options
    read_options(reader.Options, chosen)
    assert bool(chosen) is bool(reader.part_size)
    told = in_words(reader, chosen, length_of(6_000))
    if reader.part_size:
        assert f"{chosen[reader.part_size.option]:,} {'words' if reader.part_size.in_words else 'tokens'}: about 1" in told
        assert reader.part_size.name in told
        assert in_words(reader, {reader.part_size.option: None}, length_of(6_000)) == ""  # a field that was emptied
    else:
        assert told == ""


@pytest.mark.parametrize("reader", CUTTING, ids=lambda reader: reader.id)
def test_a_window_may_forbid_parts_so_large_and_then_that_is_said(reader: Reader) -> None:
    assert reader.part_size is not None
    free, tight = suited(reader, length_of(300_000)), suited(reader, length_of(300_000), window=4096)
    assert not free.limited
    assert tight.limited
    assert tight.options[reader.part_size.option] < free.options[reader.part_size.option]
    found = parts(reader, tight.options, length_of(300_000))
    assert found is not None
    assert found > MOST
    assert str(MOST) in why_limited(4096)
    assert not suited(reader, length_of(2_000), window=32_768).limited


@pytest.mark.slow
@pytest.mark.parametrize("reader", CUTTING, ids=lambda reader: reader.id)
def test_in_a_small_window_a_reading_with_these_sizes_runs(reader: Reader) -> None:
    options = suited(reader, length_of(6_000), window=4096).options
    spec = RunSpec(reader.id, reader.version, "Who kept the lamp?", options=options, window=4096)
    assert rehearse(document(6_000), reader, spec, Offline()).end is not None


@pytest.mark.parametrize("reader", CUTTING, ids=lambda reader: reader.id)
def test_a_text_of_a_few_words_has_the_least_size(reader: Reader) -> None:
    read_options(reader.Options, suited(reader, TextLength(5, 3)).options)
    read_options(reader.Options, suited(reader, TextLength(0, 0)).options)


@pytest.mark.parametrize(
    ("reader", "options", "calls", "window", "offered"),
    [
        ("memwalker", {"segment_tokens": "100"}, 600, None, "some 538 segments of 100 tokens. With 1,000 for “Longest segment"),
        ("memwalker", {"segment_tokens": 100}, 600, 8192, "about 10 times fewer calls"),
        ("memwalker", {"segment_tokens": 100}, 20, None, ""),  # the tree is stored
        ("memwalker", {"segment_tokens": 100}, 600, 1200, ""),  # larger ones would not fit
        ("memwalker", {"segment_tokens": 600}, 100, None, ""),
        ("memwalker", {}, 60, None, ""),
        ("whole", {}, 1, None, ""),
    ],
)
def test_larger_parts_are_offered_where_many_small_ones_are_asked_about(
    reader: str, options: dict[str, Any], calls: int, window: int | None, offered: str
) -> None:
    told = larger(get(reader), options, lambda: TextLength(50_000, 40_000), calls=calls, window=window)
    assert offered in told
    assert bool(told) is bool(offered)
