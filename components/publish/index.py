"""The front page of a site: its questions by readers as a table, which a script sorts, filters and searches; without a script
it is the whole table. Readings with a sentence on what to watch for come first, as cards. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from components.html import evidence_flow
from components.html.words import wording
from components.publish.compare_page import MOST_BESIDE
from components.publish.contents import PublishedReading, SiteContents
from components.publish.drawings import method
from components.publish.report_tables import key_of_fates, paragraphs
from components.publish.shell import FRONT, SitePage
from components.publish.withheld import WHAT
from readers.engine.analysis.facts.fates import SEVERAL
from readers.engine.report.values import small_dollars
from readers.engine.text.phrases import percent
from readers.engine.text.shorten import shorten_at_word

_QUESTION = 300  # characters of a question in the table
_ANSWER = 400  # of an answer on a card
SORTS: Mapping[str, str] = {"outcome": "outcome", "calls": "calls, also those reused", "cost": "cost"}


def page(contents: SiteContents, published: Sequence[PublishedReading]) -> SitePage:
    """The front page."""
    listed = [one for one in published if not (one.reading.fork or one.reading.aside)]
    watched = [one for one in published if one.reading.watch]
    ways = list(dict.fromkeys(one.reading.way for one in listed))
    rows = _rows(listed)
    said = " · ".join(contents.facts) + ("" if contents.texts else f". {WHAT}")
    facts = Markup('<p class="site-facts">{}</p>').format(said)
    body = Markup("<h1>{}</h1>\n{}\n{}{}\n{}{}").format(
        contents.title, facts, _cards(watched), _tools(listed, ways, len(rows)), _table(rows, ways), _key(listed)
    )
    about = {"og:type": "website", "og:title": contents.title, "og:description": " · ".join(contents.facts)}
    return SitePage(FRONT, contents.title, body, ["index"], about=about)


def _rows(listed: Iterable[PublishedReading]) -> list[list[PublishedReading]]:
    """The readings of each question, in the order of the questions."""
    rows: dict[object, list[PublishedReading]] = {}
    for one in listed:
        rows.setdefault(one.reading.asked, []).append(one)
    return [*rows.values()]


def _key(listed: Sequence[PublishedReading]) -> Markup:
    """The words of the table for what became of the evidence, where it has any."""
    if not any(one.reading.fate for one in listed):
        return Markup()
    return Markup(
        '<details class="site-fold"><summary>The words for what became of the evidence</summary>{}{}</details>'
    ).format(paragraphs([SEVERAL]), key_of_fates())  # fmt: skip


def _tools(listed: Sequence[PublishedReading], ways: Sequence[str], questions: int) -> Markup:
    """What the script works with; without one it stays hidden."""
    texts = list(dict.fromkeys(one.text for one in listed))
    outcomes = list(dict.fromkeys(one.chip.word for one in listed))
    fates = list(dict.fromkeys(one.reading.fate.exit.id for one in listed if one.reading.fate))
    chosen = [("text", "Text", texts), ("outcome", "Outcome", outcomes), ("fate", "What became of the evidence", fates)]
    selects = Markup("").join(_select(*one) for one in chosen if len(one[2]) > 1)
    sort = Markup("").join(Markup('<option value="{}">{}</option>').format(name, words) for name, words in SORTS.items())
    return Markup(
        '<form class="site-tools" hidden><label>Search '
        '<input type="search" name="words" placeholder="words of a question, text or answer"></label>{}'
        '<label>Sort columns by <select name="by">{}</select></label>'
        '<p class="site-count" role="status">{}</p></form>'
    ).format(selects, sort, wording.count(questions, "question"))


def _select(name: str, label: str, values: Sequence[str]) -> Markup:
    options = Markup("").join(Markup("<option>{}</option>").format(value) for value in sorted(values))
    return Markup('<label>{} <select name="{}"><option value="">all</option>{}</select></label>').format(label, name, options)


def _table(rows: Sequence[Sequence[PublishedReading]], ways: Sequence[str]) -> Markup:
    heads = Markup("").join(Markup('<th scope="col"><button type="button" disabled>{}</button></th>').format(way) for way in ways)
    body = Markup("\n").join(_row(number, row, ways) for number, row in enumerate(rows))
    return Markup(
        '<div class="site-wide" tabindex="0" role="region" aria-label="Questions by readers"><table class="site-table">'
        '<thead><tr><th scope="col"><button type="button" disabled>Question</button></th>{}</tr></thead>'
        "<tbody>\n{}\n</tbody></table></div>"
    ).format(heads, body)


def _row(number: int, row: Sequence[PublishedReading], ways: Sequence[str]) -> Markup:
    first = row[0]
    choices = first.reading.run.spec.get("choices") or ()
    pair = Markup("")
    if len(row) > 1:
        ids = ",".join(one.reading.content for one in _beside(row))
        pair = Markup(' <a class="site-pair" href="compare/index.html#readings={}">compare</a>').format(ids)
    asked = Markup('<th scope="row"><span dir="auto">{}</span><small><span dir="auto">{}</span>{}{}</small></th>').format(
        shorten_at_word(first.reading.run.question, _QUESTION), first.text,
        f" · {len(choices)} choices" if choices else "", pair,
    )  # fmt: skip
    cells = Markup("").join(_cell([one for one in row if one.reading.way == way]) for way in ways)
    return Markup('<tr data-row="{}" data-text="{}">{}{}</tr>').format(number, first.text, asked, cells)


def _beside(row: Sequence[PublishedReading]) -> Sequence[PublishedReading]:
    """The readings of a question that are compared: the first of each reader, or all of one."""
    first = {one.reading.way: one for one in reversed(row)}
    by_reader = [one for one in row if first[one.reading.way] is one]
    return (by_reader if len(by_reader) > 1 else row)[:MOST_BESIDE]


def _cell(found: Sequence[PublishedReading]) -> Markup:
    return Markup("<td>{}</td>").format(Markup("").join(map(_link, found)) or Markup('<span class="site-soft">–</span>'))


def _link(one: PublishedReading) -> Markup:
    """A reading in the table: how it ended, what became of the evidence, and what it took."""
    chip, fate = one.chip, one.reading.fate
    cost = "" if one.cost is None else f" · {small_dollars(one.cost)}"
    score = "" if one.reading.score is None or one.reading.score in (0.0, 1.0) else f" {percent(one.reading.score)}"
    return Markup(
        '<a class="site-cell {}" href="{}" title="{}" '
        'data-outcome="{}" data-rank="{}" data-fate="{}" data-calls="{}" data-cost="{}">'
        '<b><span aria-hidden="true">{} </span>{}{}</b>{}<small>{}{}</small></a>'
    ).format(
        chip.tone, one.link, shorten_at_word(one.answer, _ANSWER), chip.word, _rank(one), fate.exit.id if fate else "",
        one.calls + one.reused, "" if one.cost is None else f"{one.cost:.8f}", chip.mark, chip.word, score,
        Markup("<small>{}</small>").format(evidence_flow.ended(fate)) if fate else "", _calls(one), cost,
    )  # fmt: skip


def _calls(one: PublishedReading) -> str:
    return wording.count(one.calls, "call") + (f", {one.reused:,} reused" if one.reused else "")


def _rank(one: PublishedReading) -> str:
    """What columns are sorted by: the score, or else how the answer was graded."""
    value = one.reading.score if one.reading.score is not None else {"good": 1.0, "warn": 0.5}.get(one.chip.tone, 0.0)
    return f"{value:.4f}"


def _cards(watched: Sequence[PublishedReading]) -> Markup:
    if not watched:
        return Markup()
    rows = Markup("").join(map(_card, watched))
    return Markup('<section class="gallery"><h2>Where to begin</h2><ul>{}</ul></section>\n<h2>All readings</h2>\n').format(rows)


def _card(one: PublishedReading) -> Markup:
    run, chip = one.reading.run, one.chip
    facts = [one.reading.way, one.text, one.size, wording.count(one.steps, "step")]
    return Markup(
        '<li><a class="gallery-card" href="{}"><span class="gallery-drawing">{}</span><span class="gallery-words">'
        '<b class="gallery-question" dir="auto">{}</b><span class="gallery-answer" dir="auto">{}</span>'
        '<span class="gallery-facts"><span class="replay-chip {}"><span aria-hidden="true">{} </span>{}</span> {}</span>'
        '<span class="gallery-watch">{}</span>{}</span></a></li>'
    ).format(
        one.link, method(run.reader), run.question, shorten_at_word(one.answer, _ANSWER), chip.tone, chip.mark, chip.word,
        " · ".join(facts), one.reading.watch, one.looked,
    )  # fmt: skip
