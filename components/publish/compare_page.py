"""The page of a site that puts readings beside each other, and what it knows of each before any is loaded. Pure.

Which readings are compared stands in the address, so the page is drawn by a script (`assets/js/site/compare.js`) from the data of
those readings. Where two readings of a question part is in the data of the first of them (`parted`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from components.html.words import parting_words
from components.publish.contents import PublishedReading, SiteReading
from components.publish.data import script_of
from components.publish.shell import SitePage
from components.replay.file import NO_SCRIPT
from components.replay.reading import Replayed, shareable
from readers import get
from readers.engine.analysis.narrate import narrate
from readers.engine.forks.describe_edit import describe
from readers.engine.store import Reading

PATH = "compare/index.html"
LISTED = "readings.js"
MOST_BESIDE = 12  # readings of a question that are held against each other: 66 pairs
Opened = tuple[SiteReading, Replayed]


def page(published: Sequence[PublishedReading]) -> SitePage:
    """The page, which is filled by its script."""
    body = Markup(
        '<div class="site-main" id="compare" data-top="../"><h1>Compare readings</h1><noscript><p>{}</p></noscript></div>'
    ).format(NO_SCRIPT)
    drawn = any(one.drawn for one in published)
    return SitePage(PATH, "Compare readings", body, ["terms", *(["network"] if drawn else []), "player"], [LISTED], "reading")  # type: ignore[list-item]


def listed(published: Sequence[PublishedReading]) -> str:
    """The script with what there is to choose from: the questions, and the readings of each."""
    asked = list(dict.fromkeys(one.reading.asked for one in published))
    first = {one.reading.asked: one for one in reversed(published)}
    return script_of(
        "readings",
        {
            "questions": [
                {"question": question, "choices": len(choices), "text": first[(document, question, choices)].text}
                for document, question, choices in asked
            ],
            "readings": [_row(one, asked.index(one.reading.asked)) for one in published],
            "rules": {"same": parting_words.stepping(True, None), "other": parting_words.stepping(False, None)},
        },
    )


def _row(one: PublishedReading, question: int) -> dict[str, Any]:
    run = one.reading.run
    return {
        "id": one.reading.content,
        "way": one.reading.way,
        "changed": describe(run.edit) if run.edit else "",
        "reader": run.reader,
        "question": question,
        "at": one.at,
        "chip": [one.chip.mark, one.chip.word, one.chip.tone],
    }


def by_question(readings: Sequence[SiteReading]) -> Iterator[tuple[SiteReading, Replayed, Sequence[Opened]]]:
    """The readings opened, text by text, as much that is known of a text is kept a while, and those of a question together; with
    each the readings of its question that come after it. No reading is kept longer than its question."""
    asked: dict[object, list[SiteReading]] = {}
    for one in sorted(readings, key=lambda each: each.run.document):
        asked.setdefault(one.asked, []).append(one)
    for group in asked.values():
        together = [(one, one.open()) for one in group[:MOST_BESIDE]] if len(group) > 1 else []
        for number, (one, opened) in enumerate(together):
            yield one, opened, together[number + 1 :]
        for one in group[len(together) :]:
            yield one, one.open(), ()


def parted(opened: Replayed, later: Iterable[Opened], told: dict[str, list[str]]) -> dict[str, Any]:
    """Where a reading parts from others of its question, by their content ids: in words, with the step of each (from 0). `told`
    keeps the sentences on each reading's steps, which several pairs need."""
    one, found = shareable(opened.reading), {}

    def sentences(reading: Reading) -> list[str]:
        if reading.run.id not in told:
            told[reading.run.id] = list(narrate(reading.trace, get(reading.run.reader)))
        return told[reading.run.id]

    for other, opened_other in later:
        beside = shareable(opened_other.reading)
        if not beside.trace.steps:
            continue
        where, steps = parting_words.part(one, beside, sentences)
        found[other.content] = {
            "lead": where.lead,
            "sides": [[said, words] for _, said, words in where.sides],
            "at": list(steps) if where.sides else None,
            "note": where.note,
            "rule": parting_words.stepping(one.run.reader == beside.run.reader, steps[0]),
        }
    return found
