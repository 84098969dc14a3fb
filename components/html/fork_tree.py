"""A reading and its forks in one drawing: each a line, which its forks leave at the steps they changed, and what it answered.
Pure: strings, all of it escaped."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from components.html.markup import draw_chip
from components.html.words.wording import Chip

MOST_DOTS = 80  # of the steps of a line


def fork_tree(rows: Sequence[Markup]) -> Markup:
    return Markup('<ol class="fork-tree">{}</ol>').format(Markup("").join(rows))


def fork_row(
    title: str,
    said: Sequence[str],
    answer: Markup,
    *,
    link: str,
    dots: Sequence[float] = (),
    leaves: tuple[int, float] = (0, 0.0),
) -> Markup:
    """A reading's row: its line, a link to it, what is `said` of it, its answer. `link`: empty for the reading that is open;
    `dots`: its steps, as shares of the width; `leaves`: a fork's line leaves the one so many rows above, at this share."""
    above, share = leaves
    name = Markup('<a href="{}" target="_self">{}</a>').format(link, title)
    here = Markup("<strong>{}</strong>").format(title)
    about = " · ".join(filter(None, said))
    return Markup(
        '<li class="fork-row{}"{}><span class="fork-line" aria-hidden="true">{}</span><div class="fork-what">'
        '<p title="{}">{}</p><p class="about" title="{}">{}</p></div><div class="fork-answer">{}</div></li>'
    ).format(
        "" if link else " here", "" if link else Markup(' aria-current="page"'), _line(dots, above, share), title,
        name if link else here, about, about, answer,
    )  # fmt: skip


def fork_answer(answer: str, chip: Chip, *, same: bool | None) -> Markup:
    """What a reading answered; for a fork, whether that is the `same` as the first reading's answer."""
    if not answer:
        return draw_chip(chip)
    sign = {None: "", True: "= ", False: "≠ "}[same]
    told = {None: "", True: "the first reading's answer: ", False: "another answer than the first reading's: "}[same]
    return Markup('<span class="fork-said{}" dir="auto" title="{}{}">{}“{}”</span>{}').format(
        " same" if same else "", told, answer, sign, answer, draw_chip(chip)
    )


def _line(dots: Sequence[float], above: int, share: float) -> Markup:
    begins = Markup("")
    if above:
        stem = Markup('<i class="stem" style="left:{:.2f}%;height:calc({} * var(--fork-row))"></i>').format(100 * share, above)
        begins = Markup('{}<b class="changed" style="left:{:.2f}%"></b>').format(stem, 100 * share)
    drawn = [dot for dot in dots if dot > share] if len(dots) <= MOST_DOTS else []
    steps = Markup("").join(Markup('<b style="left:{:.2f}%"></b>').format(100 * dot) for dot in drawn)
    return Markup('<i class="line" style="left:{:.2f}%"></i>{}{}').format(100 * share, begins, steps)
