"""Where an answer is said to come from: found in the text only where the text supports it, or else nearest to a place."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from components.html.words import wording
from components.player import browser_text, cache, data, ending, frames
from components.session.samples import samples
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text import refs
from readers.engine.text.document import Document, PrintedPage, Span
from tests.support.readings.shipped_readings import every_shipped, shipped_reading


@pytest.mark.parametrize(
    ("question", "kind", "words"),
    [
        ("Where were the bolts cast?", "nearest", "nearest: part 1.7; “cast” does not occur there"),
        ("Who kept the high light?", "found", "found in part 1.2 of the text"),
    ],
)
def test_an_answer_is_found_in_the_text_only_if_the_text_supports_it(question: str, kind: str, words: str, store: Store) -> None:
    reader, document = get("memwalker"), samples()[0].document
    spec = RunSpec(reader.id, reader.version, question, options={"segment_tokens": 600, "max_children": 8})
    run = execute(store, create_run(store, document, reader, spec).id, reader, Execution(Offline()))
    found = cache.source(open_reading(store, run.id))
    assert (found.kind, found.words) == (kind, words)


def test_a_bare_letter_is_found_where_its_choice_is_stated() -> None:
    reading = shipped_reading("memwalker-lamp-harmonium-mended.json")
    assert reading.run.answer == "(D)"
    assert ending.source_of(reading, data.of(reading)).words == "found in part 2.1 of the text"


def test_all_the_places_that_hold_the_words_of_an_answer_are_named() -> None:
    reading = shipped_reading("readagent-bridge-postcards.json")
    assert (
        ending.source_of(reading, data.of(reading)).words
        == "its words occur in page 5 and page 9; 3 other places were also in view"
    )


@every_shipped
def test_the_map_marks_the_places_of_the_headline_each_once_and_filled_only_where_the_answer_is_stated(name: str) -> None:
    reading = shipped_reading(name)
    frames = data.of(reading)
    headline, text, marks = ending.source_of(reading, frames), reading.document.text, frames["marks"]
    counted = browser_text.counter(text)
    names = {
        counted(start): named for ref, named in get(reading.run.reader).names(reading.trace).items() for start, _ in places(ref)
    }
    assert not (marks["nearest"] if headline.kind == "found" else marks["evidence"])
    marked = [*marks["evidence"], *marks["nearest"]]
    assert bool(marked) == (headline.kind != "memory" and bool(reading.run.evidence))
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(marked))
    assert all(names.get(start, "place") in headline.words for start, _ in marked if len(marked) <= ending.MOST_NAMED)


def places(ref: str) -> list[tuple[int, int]]:
    return [span] if (span := refs.span(ref)) else []


def test_an_answer_is_found_on_the_pages_of_its_places() -> None:
    paged = Document("Essay", "x" * 90, (PrintedPage(0, "11"), PrintedPage(40, "12"), PrintedPage(80, "13")))
    first, second = Span(42, 50), Span(60, 85)
    assert wording.places([first], {}, paged) == "found at p. 12"
    assert wording.places([first, second], {}, paged) == "found at pp. 12–13"
    assert wording.places([first], {"document:42-50": "part 4"}, paged) == "found in part 4 of the text, p. 12"
    assert (
        ending.where_found([first, second], [second], {}, paged)
        == "its words occur in 1 place, pp. 12–13; 1 other place was also in view"
    )
    assert frames.place_range(paged, [first], {42: 1, 50: 2}) == "p. 12"
    plain = replace(paged, pages=())
    assert wording.places([first, second], {}, plain) == "2 places in the text"
    assert frames.place_range(plain, [first], {42: 1, 50: 2}) == "words 2 to 2"


def test_places_with_only_space_and_marks_between_them_are_one() -> None:
    document = Document("Essay", "The oar, broken. It was found at Ganse by Brough.")
    words = [Span(0, 3), Span(4, 7), Span(9, 15), Span(33, 38), Span(39, 41)]
    assert frames.place_range(document, words[:3], {0: 0, 15: 3}) == "words 1 to 3"
    assert frames.place_range(document, words, {0: 0, 41: 9}) == "2 places, 39% of the text"
