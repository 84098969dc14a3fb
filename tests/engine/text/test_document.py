"""Texts that know where they come from: however a text is sliced, joined and stripped, its pieces stay true."""

from __future__ import annotations

import hashlib
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from readers.engine.text.document import Document, Piece, PrintedPage, Question, Span, Text

LETTERS = st.text("ab \n\t字é\u0301👩‍👩‍👧", max_size=20)
SEPARATORS = st.sampled_from(["", " ", "\n\n", " -- "])
PLACES = st.integers(-25, 25) | st.none()


class Texts(RuleBasedStateMachine):
    """Makes texts of origins and of one another, and keeps beside each what every character ought to come from."""

    made = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.origins: dict[str, str] = {}
        self.known: list[tuple[Text, list[tuple[str, int] | None]]] = []

    def keep(self, text: Text, places: list[tuple[str, int] | None]) -> int:
        self.known.append((text, places))
        return len(self.known) - 1

    @rule(target=made, text=LETTERS)
    def written(self, text: str) -> int:
        origin = f"wrote:{len(self.origins)}"
        self.origins[origin] = text
        return self.keep(Text.from_origin(text, origin), [(origin, at) for at in range(len(text))])

    @rule(target=made, text=LETTERS, data=st.data())
    def read(self, text: str, data: st.DataObject) -> int:
        document = Document("A title", text)
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        self.origins[f"document{len(self.origins)}"] = text  # each its own, where a real reading has but one
        name = list(self.origins)[-1]
        piece = document.at(Span(start, end))
        named = Text(piece.text, tuple(p._replace(origin=name) for p in piece.pieces))
        return self.keep(named, [(name, at) for at in range(start, end)])

    @rule(target=made, text=LETTERS)
    def fixed(self, text: str) -> int:
        return self.keep(Text(text), [None] * len(text))

    @rule(target=made, number=made, start=PLACES, stop=PLACES)
    def sliced(self, number: int, start: int | None, stop: int | None) -> int:
        text, places = self.known[number]
        return self.keep(text[start:stop], places[start:stop])

    @rule(target=made, number=made)
    def stripped(self, number: int) -> int:
        text, places = self.known[number]
        left = len(text.text) - len(text.text.lstrip())
        return self.keep(text.strip(), places[left : left + len(text.text.strip())])

    @rule(target=made, numbers=st.lists(made, max_size=4), separator=SEPARATORS)
    def joined(self, numbers: list[int], separator: str) -> int:
        places: list[tuple[str, int] | None] = []
        for n, number in enumerate(numbers):
            places += [None] * (len(separator) if n else 0) + self.known[number][1]
        return self.keep(Text.join(separator, (self.known[number][0] for number in numbers)), places)

    @invariant()
    def every_character_comes_from_where_its_piece_says(self) -> None:
        text, places = self.known[-1] if self.known else (Text(""), [])
        assert len(text) == len(text.text) == len(places)
        told: list[tuple[str, int] | None] = [None] * len(text)
        for piece in text.pieces:
            assert piece.exact
            assert 0 <= piece.start <= piece.end <= len(text)
            assert text.text[piece.start : piece.end] == self.origins[piece.origin][piece.begin : piece.stop]
            told[piece.start : piece.end] = [(piece.origin, at) for at in range(piece.begin, piece.stop)]
        assert told == places


TestTexts = Texts.TestCase
TestTexts.settings = settings(stateful_step_count=12)


@given(st.text(max_size=30), st.text(max_size=30))
@example("e\u0301\r\n\r\nx\rx", " \n")
@example("\ufeff\ufeffa", "\ud800")
@example("\ufeff\r\ufeff", "\ufeff")
def test_a_document_is_canonical_and_stays_so(text: str, title: str) -> None:
    document = Document.of(text, title=title)
    assert "\r" not in document.text
    assert document.text.startswith("\ufeff") is False
    assert unicodedata.is_normalized("NFC", document.text)
    assert document.text.encode("utf-8").decode("utf-8") == document.text
    assert document.title.encode("utf-8")
    assert document.title == document.title.strip() != ""
    assert Document.of(document.text).text == document.text
    assert Document.of(document.text).id == document.id


def test_a_document_has_unix_line_ends_composed_characters_and_no_byte_order_mark() -> None:
    assert Document.of("\ufeffCafe\u0301\r\nnoir\rau lait\r\n").text == "Caf\u00e9\nnoir\nau lait\n"
    assert Document.of("a\udc80b").text == "a?b"


def test_what_makes_a_document_is_its_text_and_not_its_title() -> None:
    one, same, other = Document.of("Lamp.", title="One"), Document.of("Lamp.", title="Two"), Document.of("Lamp")
    assert one.id == same.id == hashlib.sha256(b"Lamp.").hexdigest()[:16]
    assert one.id != other.id
    assert Document.of("x", title="  ").title == "Untitled"


def test_a_document_counts_its_tokens() -> None:
    assert Document.of("The lamp at Carrow Point").tokens == 6
    assert Document.of("").tokens == 0


@pytest.mark.parametrize("span", [Span(-1, 2), Span(2, 1), Span(0, 6), Span(6, 6)])
def test_a_span_outside_the_text_is_refused(span: Span) -> None:
    with pytest.raises(ValueError, match="outside a text of 5 characters"):
        Document.of("12345").at(span)


def test_a_stretch_of_the_document_knows_its_offsets() -> None:
    text = Document.of("One two three.").at(Span(4, 13))
    assert (text.text, text.pieces) == ("two three", (Piece(0, 9, "document", 4, 13),))
    assert text[4:].spans == (Span(8, 13),)
    assert text[4:].ref == "document:8-13"


def test_the_spans_of_a_text_stand_in_the_order_they_appear_in() -> None:
    document = Document.of("One two three.")
    text = Text.join(" and ", [document.at(Span(8, 13)), Text.from_origin("a summary", "wrote:0"), document.at(Span(0, 3))])
    assert text.text == "three and a summary and One"
    assert text.spans == (Span(8, 13), Span(0, 3))
    assert text.ref == "document:8-13+wrote:0+document:0-3"


def test_a_writing_goes_by_its_name_and_a_later_stretch_of_it_by_its_place_too() -> None:
    summary = Text.from_origin("He lit it.", "wrote:3")
    assert summary.ref == "wrote:3"
    assert summary[3:].ref == "wrote:3:3-10"
    assert Text("fixed words").ref == ""


def test_a_piece_that_is_no_copy_stays_one_wherever_it_is_cut() -> None:
    unescaped = Text('say "lit" now', (Piece(0, 13, "reply:0", 20, 35),))  # from: say \"lit\" now
    assert not unescaped.pieces[0].exact
    for start in range(13):
        for end in range(start + 1, 14):
            assert unescaped[start:end].pieces == (Piece(0, end - start, "reply:0", 20, 35),)


def test_a_text_is_sliced_in_steps_of_one_and_not_walked_through() -> None:
    text = Text.from_origin("abc", "wrote:0")
    with pytest.raises(ValueError, match="steps of one"):
        text[::-1]
    with pytest.raises(TypeError, match="a Text is one string"):
        list(text)
    assert text[2:1] == Text("")
    assert text[5:9] == Text("")
    assert text[-2:].text == "bc"


def test_choices_are_lettered_and_known_by_their_number() -> None:
    question = Question("Who?", ("Ann", "Bo"))
    assert [choice.text for choice in question.offered] == ["(A) Ann", "(B) Bo"]
    assert [choice.pieces[0].origin for choice in question.offered] == ["choice:0", "choice:1"]
    assert question.asked.pieces == (Piece(0, 4, "question", 0, 4),)
    assert Question("Who?").offered == ()


@pytest.mark.parametrize(
    ("spans", "named"),
    [
        ([(0, 3)], "p. iv"), ([(9, 10)], "p. iv"), ([(9, 11)], "pp. iv–1"), ([(10, 10)], "p. 1"), ([(25, 90)], "p. 2"),
        ([(0, 40)], "pp. iv–2"), ([(0, 1), (22, 30)], "pp. iv, 2"), ([(22, 30), (12, 13), (25, 26)], "pp. 1–2"), ([], ""),
    ],
)  # fmt: skip
def test_places_are_named_by_the_pages_on_which_they_lie(spans: list[tuple[int, int]], named: str) -> None:
    document = Document("x", "x" * 90, (PrintedPage(0, "iv"), PrintedPage(10, "1"), PrintedPage(20, "2")))
    assert document.pages_of(*(Span(*span) for span in spans)) == named
    assert Document("x", "x" * 90).pages_of(*(Span(*span) for span in spans)) == ""
    assert document.id == Document("y", "x" * 90).id


def test_of_places_on_many_pages_the_first_are_named() -> None:
    document = Document("x", "x" * 90, tuple(PrintedPage(n, str(n + 1)) for n in range(0, 90, 2)))
    assert document.pages_of(*(Span(n, n + 1) for n in range(0, 40, 4))) == "pp. 1, 5, 9, 13, …"
