"""A gallery: a folder of replays with a front page, for any web server or for none. Pure.

The front page has no script; it says of every reading its question, text, method, model and outcome, and draws the method and
where in the text the reading looked. Links are relative. Not here: writing the folder (`readers/cli/export.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from components.html.words import wording
from components.html.words.reading_words import title_in_list
from components.replay.file import plain_page, replay_file
from components.replay.reading import Replayed, replayed_from, shareable
from components.session.samples import sample_of
from readers import get, importable
from readers.engine.analysis import coverage
from readers.engine.analysis.coverage import RAW
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.forks.describe_edit import describe
from readers.engine.text.shorten import shorten_at_word

ASSETS = Path(__file__).parents[2] / "assets"
FRONT = "index.html"
TITLE = "Readings to watch"
LEAD = "Each page shows step by step how a language model read a long text to answer one question. It opens without a network."
_SHOWN = 400  # characters of an answer on the front page
_WIDE, _HIGH = 1000, 24  # of the map of a text


def shipped() -> list[Replayed]:
    """The readings by a real model that come with Palimpsest, with what is known about their answers."""
    rows = json.loads((ASSETS / "readings" / "index.json").read_text(encoding="utf-8"))
    return [_shipped(ASSETS / "readings" / row["file"], row["id"], row["watch"]) for row in rows]


def _shipped(path: Path, run_id: str, watch: str) -> Replayed:
    one = replayed_from(check_run_file(path, path.name, readers=importable), run_id)
    sample = sample_of(one.reading.document.id)
    return replace(one, known=sample.known(one.reading.run.question) if sample else None, watch=watch)


def gallery(shown: Sequence[Replayed]) -> Iterator[tuple[str, str]]:
    """The files of a gallery by name, one at a time: a replay of each reading, then the front page. Raises BadOptions for a
    reading without a step."""
    names = [_name(number, one) for number, one in enumerate(shown, 1)]
    for name, one in zip(names, shown, strict=True):
        yield name, replay_file([one])
    cards = "".join(_card(name, one) for name, one in zip(names, shown, strict=True))
    lead = f'<p class="gallery-lead">{LEAD}</p>'
    yield FRONT, plain_page(TITLE, f'<main class="gallery"><h1>{TITLE}</h1>{lead}<ul>{cards}</ul></main>')


def _name(number: int, one: Replayed) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", one.reading.run.question.lower())[:50].strip("-")
    return f"{number:02}-{one.reading.run.reader}-{words or 'reading'}.html"


def _card(name: str, shown: Replayed) -> str:
    reading = shareable(shown.reading)
    run, document = reading.run, reading.document
    chip = (wording.compared(run, shown.known).chip if shown.known else None) or wording.state(run)
    answer = run.answer if run.outcome == "answered" and run.answer else " ".join(wording.ending(run))
    steps = wording.count(len(reading.trace.steps), "step")
    facts = [title_in_list(run), wording.models(run.spec), document.title, wording.size(document), steps]
    told = f"Changed: {describe(run.edit)}" if run.edit else ""
    return (
        f'<li><a class="gallery-card" href="{escape(name)}"><span class="gallery-drawing">{_drawing(run.reader)}</span>'
        f'<span class="gallery-words"><b class="gallery-question">{escape(run.question)}</b>'
        f'<span class="gallery-answer">{escape(shorten_at_word(answer, _SHOWN))}</span>'
        f'<span class="gallery-facts"><span class="replay-chip {chip.tone}">{escape(f"{chip.mark} {chip.word}".strip())}</span> '
        f"{escape(' · '.join(facts))}</span>{_line(told)}{_line(shown.watch)}{_map(shown)}</span></a></li>"
    )


def _line(words: str) -> str:
    return f'<span class="gallery-watch">{escape(words)}</span>' if words else ""


def _drawing(reader_id: str) -> str:
    """The drawing of a reader's method; empty if there is none."""
    path = ASSETS / "methods" / f"{get(reader_id).id}.svg"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _map(one: Replayed) -> str:
    """Where in the text the reading looked: solid where the text was shown raw, hatched where it was represented."""
    length = max(1, len(one.reading.document.text))
    cells = []
    for start, end, changes in coverage.cells(one.reading.trace):
        if not changes:
            continue
        kind = "gallery-raw" if changes[-1][1] == RAW else "gallery-stood-for"
        x, wide = _WIDE * start / length, max(1.5, _WIDE * (end - start) / length)
        cells.append(f'<rect class="{kind}" x="{x:.1f}" y="1" width="{wide:.1f}" height="{_HIGH - 2}"/>')
    told = "Where in the text it looked: dark where the model saw the text itself, light where it saw a summary"
    return (
        f'<svg class="gallery-map" viewBox="0 0 {_WIDE} {_HIGH}" preserveAspectRatio="none" role="img" aria-label="{told}">'
        f"{''.join(cells)}</svg>"
    )
