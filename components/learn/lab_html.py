"""HTML of the planted-fact lab. Pure. Everything that is not markup of this module is escaped by markupsafe."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup


def places(shares: Sequence[float], words: str) -> Markup:
    """The places of something in a text, as marks on a strip from its beginning to its end, and in words."""
    marks = Markup("").join(Markup('<i style="--at:{:.1f}%"></i>').format(100 * share) for share in shares)
    strip = Markup('<span>beginning</span><span class="track">{}</span><span>end</span>').format(marks)
    return Markup('<div class="learn-places"><div class="strip" aria-hidden="true">{}</div><p>{}</p></div>').format(strip, words)


def head(words: str) -> Markup:
    """The head of a row of the lab's map."""
    return Markup('<p class="lab-head">{}</p>').format(words)


def depth(share: float) -> Markup:
    """The head of a column of the lab's map."""
    return Markup('<p class="lab-depth">{:g}%</p>').format(share)


def waiting(words: str) -> Markup:
    """A cell of the lab's map that has no reading yet."""
    return Markup('<p class="lab-waiting">{}</p>').format(words)
