"""The page of a reading in a site: the player, and below it the other readings of its question and its forks. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from markupsafe import Markup

from components.html.words import wording
from components.publish import reading_labels
from components.publish.card import CARD, SIZE
from components.publish.contents import PublishedReading
from components.publish.shell import SitePage
from components.replay.file import NO_SCRIPT
from readers.engine.forks.describe_edit import describe
from readers.engine.text.shorten import shorten_at_word

_TITLE = 120  # characters of a question in a page's title
_SHOWN = 160  # of an answer in a list
OPENED = "Open in the site, with the other readings of this question"


def pages(published: Sequence[PublishedReading], address: str) -> Iterator[SitePage]:
    """A page for each reading. `address` is that of the top of the site, if it is known."""
    asked: dict[object, list[PublishedReading]] = {}
    for one in published:
        asked.setdefault(one.reading.asked, []).append(one)
    forks: dict[str, list[PublishedReading]] = {}
    ids = {one.reading.run.id: one for one in published}
    for one in published:
        if one.reading.run.parent in ids:
            forks.setdefault(one.reading.run.parent or "", []).append(one)
    for one in published:
        page = _page(one, asked[one.reading.asked], forks.get(one.reading.run.id, []), ids.get(one.reading.run.parent or ""))
        yield replace(page, about=_about(one, address))


def _page(
    one: PublishedReading, asked: Sequence[PublishedReading], forks: Sequence[PublishedReading], parent: PublishedReading | None
) -> SitePage:
    top = "../../"
    family = {id(other) for other in (one, parent, *forks)}
    others = [other for other in asked if id(other) not in family and not other.reading.fork]
    lists = [
        _list("Forked from", [parent] if parent else [], one),
        _list("Forks: the same reading with one thing changed", forks, one),
        _list("Other readings of this question", others, one),
    ]
    root = Markup(
        '<div id="replay" data-id="{}" data-top="{}" data-named="{}"><noscript><p>{}</p></noscript></div>\n'
        '<div class="site-beside">{}</div>\n<p class="site-open"><a href="index.html" target="_blank" rel="noopener">{}</a></p>'
    ).format(
        one.reading.content, top, one.reading.way, NO_SCRIPT, Markup("").join([reading_labels.html(one.said), *lists]), OPENED
    )
    return SitePage(
        one.path,
        shorten_at_word(one.reading.run.question, _TITLE),
        root,
        ["terms", *(["network"] if one.drawn else []), "player"],  # type: ignore[list-item]
        [f"texts/{one.document}.js", f"reading/{one.reading.content}/data.js"],
        "reading",
    )


def _about(one: PublishedReading, address: str) -> dict[str, str]:
    """What a place where a link to the reading is shared may say of it."""
    question = shorten_at_word(one.reading.run.question, _TITLE)
    told = shorten_at_word(f"{one.reading.way}: {one.answer}", 200)
    about = {"og:type": "article", "og:title": question, "og:description": told}
    if not address:
        return about
    here = f"{address}reading/{one.reading.content}/"
    wide, high = SIZE
    picture = {"og:image": f"{here}{CARD}", "og:image:width": str(wide), "og:image:height": str(high), "og:image:alt": question}
    return {**about, "og:url": here, **picture, "twitter:card": "summary_large_image"}


def _list(title: str, others: Iterable[PublishedReading], one: PublishedReading) -> Markup:
    """Other readings, each with how it ended, and a link to see both side by side."""
    rows = Markup("").join(_row(other, one) for other in others)
    return Markup("<section><h2>{}</h2><ul>{}</ul></section>").format(title, rows) if rows else Markup()


def _row(other: PublishedReading, one: PublishedReading) -> Markup:
    edit = other.reading.run.edit
    about = [*([f"changed: {describe(edit)}"] if edit else []), wording.count(other.steps, "step")]
    chip = other.chip
    return Markup(
        '<li><a href="../../{}">{}</a> <span class="replay-chip {}"><span aria-hidden="true">{} </span>{}</span> '
        '<span class="site-answer" dir="auto">{}</span> <span class="site-soft">{}</span> '
        '<a class="site-pair" href="../../compare/index.html#readings={},{}">side by side</a></li>'
    ).format(
        other.link, other.reading.way, chip.tone, chip.mark, chip.word, shorten_at_word(other.answer, _SHOWN),
        " · ".join(about), one.reading.content, other.reading.content,
    )  # fmt: skip
