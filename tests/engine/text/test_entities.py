"""Names, dates and quantities by rules; which names may be the same."""

from __future__ import annotations

import pytest

from readers.engine.text.entities import NamedEntity, find_entities, may_be_same_name, name_words


def found(text: str, kind: str = "name") -> list[str]:
    return [text[start:end] for start, end, of in find_entities(text) if of == kind]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("In the loft sat Hester Tarrel, aged forty.", ["Hester Tarrel"]),
        ("They sent for Captain Andrew Rennick and Dr. Moule.", ["Captain Andrew Rennick", "Dr. Moule"]),
        ("It stood under the Bank of England, near the Firth of Forth.", ["Bank of England", "Firth of Forth"]),
        ("He wrote to Ludwig van der Rohe at the Hague.", ["Ludwig van der Rohe", "Hague"]),
        ("The firm was Brough and Son, of Tolhaven.", ["Brough and Son", "Tolhaven"]),
        ("She met Hester Tarrel and Magnus Brough.", ["Hester Tarrel", "Magnus Brough"]),
        ("the Sarn and Leith Steam Packet Company was wound up", ["Sarn and Leith Steam Packet Company"]),
        ("It was entered on Form 218 that day.", ["Form 218"]),
        ("They broke Magnus Brough’s windows by St Olaf's door.", ["Magnus Brough", "St Olaf"]),
        ("The ground is Cromar’s Park now.", ["Cromar’s Park"]),
        ("A paper by J. R. Hebblewhite was read.", ["J. R. Hebblewhite"]),
        ("I said that I'm late, and so I am.", []),
        ("He asked the Provost. The provost was out.", ["Provost"]),
    ],
)
def test_names_are_runs_of_capitals_with_their_titles_and_small_words(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("When the boats came, nobody looked. Visiting sides were offered a choice.", []),
        ("Sarn is small. The clock of Sarn is fast.", ["Sarn", "Sarn"]),
        ("Lobsters were cheap. They ate lobsters.", []),
        ("Rope was laid. He burned the rope of Rope Walk.", ["Rope Walk"]),
        ("Tolhaven lives around its harbour.", ["Tolhaven"]),
        ("When Brough came, he was late.", ["Brough"]),
        ("Osla Pell was late.", ["Osla Pell"]),
        ("Doris kept the lamp. However, the lamp was out. Lamps go out.", ["Doris"]),
        ("‘Nobody came,’ said Ganson. ‘Ganson did.’", ["Ganson", "Ganson"]),
    ],
)
def test_the_head_of_a_sentence_counts_only_where_the_text_or_the_vocabulary_says_so(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_a_line_wrapped_by_hand_does_not_begin_a_sentence_and_a_heading_does() -> None:
    wrapped = "The keeper of the lamp at Carrow Point wrote to old Edmund\nCoulter by the stove."
    assert found(wrapped) == ["Carrow Point", "Edmund\nCoulter"]
    assert found("Osla Pell\n\nOsla Pell was born there.") == ["Osla Pell", "Osla Pell"]


@pytest.mark.parametrize(
    "date",
    [
        "16 November 1923",
        "Friday 16 November 1923",
        "Monday, 10 November 1958",
        "June 1907",
        "November 16, 1923",
        "1907",
        "1911–12",
        "16th November 1909",
        "Friday",
        "8 July 1899",
        "Monday 10 June",
        "1859–1941",
        "1907年6月",
    ],
)
def test_dates_are_found_whole(date: str) -> None:
    assert found(f"it was in {date}, they say", "date") == [date]


@pytest.mark.parametrize(
    "quantity",
    [
        "421 feet",
        "eighteen weeks",
        "seven hundred and eighty miles",
        "1,150 feet",
        "fourteen square miles",
        "£1,206",
        "84 miles",
        "ten per cent",
        "six o’clock",
        "2.40",
        "twenty-three years",
        "forty minutes",
        "12%",
    ],
)
def test_quantities_are_numbers_with_a_unit(quantity: str) -> None:
    assert found(f"it came to {quantity}, they say", "quantity") == [quantity]


def test_a_year_is_no_quantity_and_a_quantity_no_year() -> None:
    assert found("It was 1150 feet long in 1907.", "date") == ["1907"]
    assert found("It was 1150 feet long in 1907.", "quantity") == ["1150 feet"]


def test_a_month_or_a_day_is_no_name() -> None:
    assert found("They came on Friday, in May.") == []


def test_chinese_has_the_names_in_its_book_marks_and_nothing_else() -> None:
    text = "灯台守は1907年に《老人と海》を読んだ。"
    assert [(text[start:end], kind) for start, end, kind in find_entities(text)] == [("1907年", "date"), ("老人と海", "name")]


def test_a_name_and_a_date_are_found_with_their_spans() -> None:
    assert find_entities("Hester Tarrel came in 1907.") == [NamedEntity(0, 13, "name"), NamedEntity(22, 26, "date")]


HOSTILE = [
    "",
    " ",
    "\n" * 500,
    "A" * 5000,
    "A " * 3000,
    "Aa " * 3000,
    "Aa of " * 3000,
    "Aa and " * 3000,
    "A. " * 3000,
    "1 " * 3000,
    "one " * 3000,
    "one-" * 3000,
    "1,000" * 2000,
    "«“‘" * 2000,
    "《" * 3000,
    "Mr " * 3000,
    "’s" * 3000,
    "\u0301" * 3000,
    "🙂 Aa" * 800,
    "İstanbul ǅ ß" * 400,
    "Friday " * 2000,
    "16 November " * 2000,
    "\x00Aa\ud7ff" * 900,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_spans_of_any_text_are_in_order_apart_not_empty_and_not_blank(text: str) -> None:
    spans = find_entities(text)
    end = 0
    for entity in spans:
        assert end <= entity.start < entity.end <= len(text)
        assert text[entity.start : entity.end].strip()
        end = entity.end


def test_names_may_be_the_same_where_one_holds_the_other() -> None:
    assert may_be_same_name("Brough", "Magnus Brough")
    assert may_be_same_name("Captain Rennick", "Andrew Rennick")
    assert may_be_same_name("the Lantern School", "LANTERN SCHOOL")
    assert may_be_same_name("Hester Tarrel’s", "Hester Tarrel")
    assert may_be_same_name("gate of three bars", "small gate with three bars")
    assert not may_be_same_name("Magnus Brough", "Dirk Brough")
    assert not may_be_same_name("1907", "10 June 1907")
    assert not may_be_same_name("Captain", "Captain Rennick")
    assert not may_be_same_name("", "Brough")


def test_a_name_of_titles_alone_keeps_them() -> None:
    assert name_words("the Captain") == ("captain",)
    assert name_words("Captain Rennick") == name_words("rennick")
