"""The glossary on Learn: every underlined term, in the same words, with a drawing of the house and a step that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape

import pytest

from components.html import terms
from components.html.styles import sheet
from components.html.terms import BY_ID, FOLDER, TERMS, Term
from components.html.words import wording
from components.learn.glossary import all_entries
from components.lessons import recorded
from components.player.decision_card import decision
from components.session.samples import recordings
from readers import get
from readers.engine.record.events import Answered
from readers.engine.record.narrative import StepRecord
from readers.engine.store import Reading
from readers.recursive.narrative import LEAF
from tests.support.paths import ROOT

STEPS = [term for term in TERMS if term.step]


def record(term: Term) -> StepRecord:
    reading = recorded.reading(term.recording)
    names = get(reading.run.reader).names(reading.trace)
    return StepRecord(reading.trace, reading.trace.steps[term.step - 1], names)


def told(term: Term) -> str:
    """All that the page says in its own words of a step."""
    reading, here = recorded.reading(term.recording), record(term)
    reader = get(reading.run.reader)
    line = wording.lines(reading.trace, reader)[term.step - 1]
    card = decision(here, reader.narrative, before={}, replies={}) or {"options": [], "notes": []}
    options = [words for option in card["options"] for words in (option["name"], option["note"])]
    return " | ".join([line.sentence, line.where, line.phase, *options, *(note["head"] for note in card["notes"])])


def is_changed(reading: Reading, here: StepRecord) -> bool:
    """Whether this is the first step that is other than in the reading that was forked."""
    before = next(one for one in recordings() if one.id == recorded.recording_of(BY_ID["fork"].recording).parent)
    first, second = recorded.reading(before.path.stem), reading
    told = [wording.lines(one.trace, get(one.run.reader)) for one in (first, second)]
    return next(n for n, (a, b) in enumerate(zip(*told, strict=False)) if a.sentence != b.sentence) == here.step.number


# What shows a term at a step whose words do not name it.
SHOWN_BY: Mapping[str, Callable[[Reading, StepRecord], bool]] = {
    "raw": lambda reading, here: here.opened is not None and bool(here.opened.spans),
    "hop": lambda reading, here: any("no relation is left" in event.because for event in here.decisions),
    "slice": lambda reading, here: any(event.prompt == LEAF for event in here.asked),
    "score": lambda reading, here: bool(here.decisions_of("score")),
    "BM25": lambda reading, here: any(event.picked in ("bm25", "tfidf") for event in here.decisions_of("score")),
    "fork": is_changed,
    "evidence": lambda reading, here: any(isinstance(event, Answered) and event.evidence for event in here.events),
    "stated reason": lambda reading, here: any(len(event.because) > 20 for event in here.decisions_of("decline")),
    "context window": lambda reading, here: bool(here.decisions_of("filter")),
    "temperature": lambda reading, here: reading.run.reader == "qrmem" and any(event.kind == "misread" for event in here.events),
}


def test_every_term_has_its_sentence_and_a_place_once() -> None:
    html = all_entries()
    for term in TERMS:
        assert html.count(f"<dd>{escape(term.meaning)}</dd>") == 1
        assert html.count(f'data-term="{term.id}"') == 1
    assert [*re.findall("<dt>(.*?)</dt>", html)] == sorted((term.name for term in TERMS), key=str.lower)


@pytest.mark.parametrize("term", STEPS, ids=lambda term: term.id)
def test_the_step_of_a_term_shows_it(term: Term) -> None:
    reading, here = recorded.reading(term.recording), record(term)
    shown = SHOWN_BY.get(term.name)
    assert shown(reading, here) if shown else term.id in {found for *_, found in terms.marks(told(term))}


def test_a_page_for_want_of_a_step_is_there() -> None:
    for term in TERMS:
        assert bool(term.step) != bool(term.page)
        assert (ROOT / term.page).exists()


def test_every_term_has_a_drawing_in_the_houses_marks() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {term.id for term in TERMS}
    for path in FOLDER.glob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        assert svg.startswith('<svg viewBox="0 0 120 64" role="img" aria-label="')
        assert set(re.findall(r'class="([\w-]+)"', svg)) <= set(re.findall(r"\.([\w-]+)", sheet("drawing")))
        assert not re.search(r"#[0-9a-fA-F]{3}|style=|<script|href", svg)
