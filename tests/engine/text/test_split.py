"""Cutting a text: nothing is dropped, repeated or reordered, whatever the text; no segment is over its limit."""

from __future__ import annotations

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from readers.engine.text import split, tokens, words
from readers.engine.text.document import Document, Span
from tests.support.texts_and_files.shapes import TEXTS

ODD = [
    "a", "the ", "lamp", "Mr. ", "A. ", "e.g. ", "I'm", "'S", "7", "1234", "1,024.5", "http://",
    ".", "!", "?", "...", "…", "。", "！", "؟", "।", '"', "”", "」", ")", "(", "—", "-", "_", "/", "\\",
    " ", "  ", "\t", "\xa0", "\u2028", "\n", "\n\n", "\n \n", "\r\n", "\r", "\x00", "\x1c", "\ud800", "\ufeff",
    "字", "漢字", "かな", "カ", "\u3099", "한", "\u1112\u1161\u11ab", "אב", "عر", "\u0600", "नि", "क्ष",
    "\u0301", "\u0316\u0301", "\u200d", "\ufe0f", "👩", "🏽", "👩‍👩‍👧‍👦", "🇩🇪", "🇫",
]  # fmt: skip

# A few kinds of piece, repeated and mixed: that is where cutting goes wrong, more than in letters picked one by one.
mixed = st.lists(st.sampled_from(ODD), min_size=1, max_size=6, unique=True).flatmap(
    lambda few: st.lists(st.tuples(st.sampled_from(few), st.integers(1, 4)), max_size=30).map(
        lambda runs: "".join(piece * times for piece, times in runs)
    )
)
texts = mixed | st.text(max_size=60)
limits = st.sampled_from([1, 2, 3, 5, 8, 13, 32, 64])


def pieces(text: str, spans: list[Span]) -> list[str]:
    return [text[start:end] for start, end in spans]


def graphemes(text: str) -> list[Span]:
    """As Unicode has them, by the library's own word."""
    return [Span(*match.span()) for match in regex.finditer(r"\X", text)]


@given(texts)
@example("")
@example("\n\n\n")
@example("\x1c\n\n\n\nA")
@example(". \u0301ab")
def test_paragraphs_and_sentences_put_together_are_the_text(text: str) -> None:
    for cut in (split.paragraphs, split.sentences):
        assert "".join(pieces(text, cut(text))) == text
        assert all(pieces(text, cut(text)))


@given(texts, limits)
@example("", 1)
@example(" ", 1)
def test_segments_put_together_are_the_text(text: str, limit: int) -> None:
    found = pieces(text, split.segments(text, limit))
    assert "".join(found) == text
    assert all(found)


@given(texts, st.data())
def test_sentences_within_a_stretch_put_together_are_the_stretch(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert "".join(pieces(text, split.sentences(text, Span(start, end)))) == text[start:end]


@given(texts, limits)
@example("'S！'S！！'S！'S'S！'S！'S！！'S！'S'S！'S！'S！", 13)
@example("\t\t\t12", 2)
@example("...\t\t\t.........\t\t\t\t\t......\t\t\t......\t", 8)
@example("🏽🏽🏽I'mI'mI'm🏽🏽🏽🏽🏽🏽🏽🏽🏽🏽", 5)
def test_no_segment_is_over_the_limit_but_a_character_that_is_by_itself(text: str, limit: int) -> None:
    assert [found for found in pieces(text, split.segments(text, limit)) if tokens.count(found) > limit and len(found) > 1] == []


@pytest.mark.parametrize("limit", [1, 7, 32, 100, 1000])
def test_no_segment_of_the_sample_is_over_the_limit(lamp: Document, limit: int) -> None:
    assert max(tokens.count(found) for found in pieces(lamp.text, split.segments(lamp.text, limit))) <= limit


@given(texts, limits)
@example("！\U0001f3fd", 4)
@example("\t\ufe0f\ufe0f\ufe0f", 2)
@example("निनि", 1)
@example("क्षक्ष", 1)
@example("a\n \u0301b", 8)
@example("a\n\n \u0301b", 2)
@example("\n\n\n\n\n\n\n\r\r\r\r\r\r\r\n\r\n\n\n\n", 5)
def test_no_grapheme_is_cut_unless_it_is_longer_than_the_limit(text: str, limit: int) -> None:
    ends = {end for _, end in split.segments(text, limit)}
    cut = [text[start:end] for start, end in graphemes(text) if any(place in ends for place in range(start + 1, end))]
    assert [grapheme for grapheme in cut if tokens.count(grapheme) <= limit] == []


@given(texts)
@example("a.\t\u0301b")
@example("！\U0001f3fd")
@example("a\n\n \u0301b")
def test_paragraphs_and_sentences_end_with_a_whole_grapheme(text: str) -> None:
    ends = {end for _, end in graphemes(text)}
    for cut in (split.paragraphs, split.sentences):
        assert {span.end for span in cut(text)} <= ends


def test_a_grapheme_longer_than_a_window_of_search_is_kept_whole_where_it_fits() -> None:
    crowded = "e" + "\u0301" * 80
    found = pieces(text := ("字" * 30 + crowded) * 20, split.segments(text, tokens.count(crowded) + 40))
    assert {part.count("\u0301") % 80 for part in found} == {0}


def test_one_thing_over_and_over_is_cut_whole_and_within_its_limit() -> None:
    for shape, make in TEXTS.items():
        text = make(1_500)
        for cut in (split.paragraphs(text), split.sentences(text), split.segments(text, 64), split.segments(text, 5000)):
            assert "".join(pieces(text, cut)) == text, shape
        units = split.units(text, 60, 240)
        assert "".join(pieces(text, [unit.span for unit in units])) == text, shape
        assert all(unit.words <= 60 for unit in units), shape
        assert all(tokens.count(text[unit.span.start : unit.span.end]) <= 250 for unit in units), shape


def test_any_blank_line_ends_a_paragraph_and_belongs_to_it() -> None:
    text = "\n \nOne\nstill one.\n \t\nTwo.\n\n\n\nThree."
    assert pieces(text, split.paragraphs(text)) == ["\n \nOne\nstill one.\n \t\n", "Two.\n\n\n\n", "Three."]


def test_a_sentence_ends_after_its_closing_quotes_and_not_after_a_title() -> None:
    text = 'Mr. Hale met J. Smith. "Is it lit?" he asked... No.\nYes'
    assert pieces(text, split.sentences(text)) == ["Mr. Hale met J. Smith. ", '"Is it lit?" ', "he asked... ", "No.\n", "Yes"]


def test_chinese_sentences_end_without_white_space() -> None:
    assert pieces("他来了。“真的？”我问。", split.sentences("他来了。“真的？”我问。")) == ["他来了。", "“真的？”", "我问。"]


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    first, second, third = "One two three four. Five six.\n\n", "Seven eight nine ten. Eleven.\n\n", "Twelve."
    size = tokens.count(first)
    assert pieces(first + second + third, split.segments(first + second + third, size + 3)) == [first, second + third]


def test_a_paragraph_is_cut_at_a_sentence_end_rather_than_leave_a_segment_half_empty() -> None:
    head, one, two = "Head.\n\n", "Alpha beta gamma delta epsilon zeta. ", "Eta theta iota kappa lamda mu nu xi. "
    limit = tokens.count(one + two) + 1
    assert pieces(head + one + two, split.segments(head + one + two, limit)) == [head + one, two]


def test_as_few_segments_as_the_whole_words_of_a_long_line_allow() -> None:
    line = "lamp" + " lamp" * 999
    assert [tokens.count(found) for found in pieces(line, split.segments(line, 100))] == [100] * 10


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_token_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="at least 1 token"):
        split.segments("lamp", limit)


def test_no_token_of_the_encoding_is_longer_than_what_skips_counting() -> None:
    encoding = tokens.encoding()
    words = (encoding.decode([token], errors="ignore") for token in range(encoding.eot_token - 1))
    assert max(map(len, words)) <= split._MOST_CHARACTERS_A_TOKEN


# By words


@given(texts, limits)
@example("", 1)
@example("x" * 500, 3)
@example("字" * 40, 8)
@example("lamp. " * 9 + "\n\nlamp", 4)
@example("👩‍👩‍👧" * 60, 2)
def test_units_put_together_are_the_text_and_none_has_more_words_than_it_may(text: str, most: int) -> None:
    units = split.units(text, most, 4 * most)
    assert "".join(pieces(text, [unit.span for unit in units])) == text
    assert all(unit.words <= most for unit in units)
    assert {unit.span.start for unit in units if not unit.inside} == {span.start for span in split.paragraphs(text)}


@given(texts, limits)
def test_no_unit_ends_inside_a_grapheme(text: str, most: int) -> None:
    ends = {end for _, end in graphemes(text)}
    assert {unit.span.end for unit in split.units(text, most, 4 * most + 200)} <= ends


def test_a_long_paragraph_is_cut_at_sentence_ends_into_even_pieces() -> None:
    text = "One two three four. " * 7 + "\n\nFive six."
    assert [(unit.words, unit.inside) for unit in split.units(text, 20, 80)] == [(16, False), (12, True), (2, False)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n\t", 0),
        ("The lamp, lit.", 3),
        ("don’t well-known", 2),
        ("老人と海。", 4),
        ("The 灯台 lamp", 4),
        ("한국어 글", 2),
        ("x" * 400, 10),
    ],
)
def test_words_are_counted_by_spaces_and_by_characters_where_a_script_has_none(text: str, count: int) -> None:
    assert words.count(text) == count


def test_an_opening_is_the_first_sentences() -> None:
    text = "One two. Three four five. Six seven."
    assert text[: split.opening(text, 5)] == "One two. Three four five. "
    assert split.opening(text) == len(text)


@pytest.mark.parametrize("unit", ["x", "lamp ", "灯", "7f-", "\n"])
def test_an_opening_is_short_also_where_a_text_has_no_sentences(unit: str) -> None:
    text = unit * 20_000
    assert 0 < tokens.count(text[: split.opening(text)]) <= 240


@pytest.mark.parametrize("unit", ["ሰላም", "7fQz-", "🜁"])
def test_a_unit_of_few_words_is_bounded_in_tokens_too(unit: str) -> None:
    text = unit * 3_000
    units = split.units(text, 500, 400)
    assert "".join(pieces(text, [unit.span for unit in units])) == text
    assert all(tokens.count(text[unit.span.start : unit.span.end]) <= 410 for unit in units)
    assert len(units) > 5


@pytest.mark.parametrize("limit", [32, 600, 1_000, 5_000])
def test_an_endless_run_of_marks_is_not_encoded_again_for_every_cut(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encoding such a run takes a hundred times as long as reading it, and 50 MB of it are within the limits."""
    text = "!" * 500_000
    encoded: list[int] = []
    real = tokens.encoding()

    class Counting:
        def encode_ordinary(self, block: str) -> list[int]:
            encoded.append(len(block))
            return real.encode_ordinary(block)

        def decode_bytes(self, found: list[int]) -> bytes:
            return real.decode_bytes(found)

    monkeypatch.setattr(tokens, "encoding", Counting)
    tokens._encode_long.cache_clear()
    found = split.segments(text, limit)
    assert sum(encoded) < len(text)
    assert "".join(pieces(text, found)) == text
