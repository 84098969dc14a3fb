"""The list of readings on a page of a site: all of them, or those behind the number or band that the address names after its `#`
(`assets/js/site/listed.js`). Pure."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from markupsafe import Markup

from components.publish.contents import Published, PublishedReading
from components.publish.shell import ScriptName
from readers.engine.canonical import digest
from readers.engine.text.phrases import counted
from readers.engine.text.shorten import shorten_at_word

_QUESTION = 160
_KEY = 10  # digits
SCRIPT: ScriptName = "listed"
ABOUT = "Choose a number above to see its readings alone."


class Listing:
    """What can be chosen of a page's readings, as its parts are drawn: each choice has a key, a name and its readings. The key is
    made from the name, so that an address means the same when the site is made again, with more readings or other tables."""

    def __init__(self) -> None:
        self._chosen: dict[tuple[str, tuple[str, ...]], str] = {}
        self._names: Counter[str] = Counter()

    def key(self, name: str, runs: Sequence[str]) -> str:
        """The key of these readings in the address."""
        chosen = name, tuple(runs)
        if chosen not in self._chosen:
            self._names[name] += 1
            same = self._names[name]
            self._chosen[chosen] = digest(name)[:_KEY] + (f"-{same}" if same > 1 else "")
        return self._chosen[chosen]

    def html(self, shown: Published, said: Callable[[PublishedReading], str] = lambda one: "") -> Markup:
        """The readings that any number stands for, each once, in the order of the site; `said` is what else is told of each."""
        keys: dict[str, list[str]] = defaultdict(list)
        for (_, runs), key in self._chosen.items():
            for run in runs:
                keys[run].append(key)
        listed = [one for one in shown.readings if one.reading.run.id in keys]
        if not listed:
            return Markup()
        rows = Markup("\n").join(_row(one, shown, keys[one.reading.run.id], said(one)) for one in listed)
        names = json.dumps({key: name for (name, _), key in self._chosen.items()}, ensure_ascii=False)
        return Markup(
            '<section class="site-listing" data-names="{}"><h2>Readings</h2><p class="site-count" role="status">{}</p>'
            '<p class="site-note">{} <a href="#" hidden>All of them</a></p><ul>{}</ul></section>'
        ).format(names, counted(len(listed), "reading"), ABOUT, rows)


def _row(one: PublishedReading, shown: Published, keys: Sequence[str], said: str) -> Markup:
    chip = one.chip
    return Markup(
        '<li data-in="{}"><a href="{}" dir="auto">{}</a> <span class="site-soft">{}</span> '
        '<span class="site-chip {}"><span aria-hidden="true">{} </span>{}</span> <span class="site-soft">{}</span></li>'
    ).format(
        " ".join(keys), shown.top + one.link, shorten_at_word(one.reading.run.question, _QUESTION), one.reading.way, chip.tone,
        chip.mark, chip.word, said,
    )  # fmt: skip
