"""The rewards along a reading as a small figure with its table: what each step gained and lost, and the outcome. Pure.

A column for each reply, or for several in a row where there are very many; bars above and below a line, so that shape and place
say the same as colour. Not here: how rewards are computed (`engine/analysis/rewards.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from components.html import markup
from components.html.words import wording
from readers.engine.analysis.rewards import Outcome
from readers.engine.analysis.trajectory import Conversation, Trajectory
from readers.engine.report import html
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.text.phrases import capitalised

MOST_COLUMNS = 240
MOST_ROWS = 200  # of the table
WIDEST = 44  # px of a column
WHAT = (
    "What training would reward in this reading, after Yu et al. (2025) and Shi et al. (2025). Update: how many more of the "
    "known answer’s words the new memory contains than the one before. Look-back: how many more of them an earlier memory "
    "shows to the model. Form: whether the reply was in the form asked for."
)
_FLAT = 0.0005  # values shown as 0.00


class RewardColumn(NamedTuple):
    """One reply, or several in a row: the column's name, their total gain, and whether all kept their form."""

    name: str
    update: float
    look_back: float
    kept: bool


def figure(found: Trajectory) -> Markup:
    """The outcome and, where the reading keeps a memory, the figure of its states; empty where nothing has a reward."""
    if found.outcome is None:
        return Markup()
    told = Markup('<p class="reward-outcome">{}</p>').format(_outcome(found.outcome))
    columns = columns_of(found.conversations)
    if not columns:
        return Markup('{}<div class="rewards">{}</div>').format(markup.section("", "Rewards"), told)
    rows = [_row("Update", columns, [_both_ways(one.update) for one in columns], "both-ways")]
    if any(one.look_back for one in columns):
        rows.append(_row("Look-back", columns, [_bar("gained", one.look_back, most=100) for one in columns], "one-way"))
    rows.append(
        _row("Form", columns, [Markup("<i></i>") if one.kept else Markup('<i class="broken">!</i>') for one in columns], "form")
    )
    first, last = columns[0].name, columns[-1].name
    ends = Markup('<div class="reward-ends"><span></span><p style="{}"><span>{}</span><span>{}</span></p></div>').format(
        _width(columns), first, last
    )
    told += Markup("<p>{}</p>").format(summary(columns))
    drawn = Markup('<div role="img" aria-label="{}">{}{}</div>').format(summary(columns), Markup("").join(rows), ends)
    about = Markup('<p class="reward-what">{}</p>').format(WHAT)
    legend = Markup('<p class="reward-legend"><span><i class="gained"></i>gained</span><span><i class="lost"></i>lost</span>')
    legend += Markup('<span><i class="broken">!</i>not in the form</span></p>')
    body = Markup("").join([told, about, drawn, legend, _table(found.conversations)])
    return Markup('{}<div class="rewards">{}</div>').format(markup.section("", "Rewards"), body)


def columns_of(conversations: Sequence[Conversation]) -> list[RewardColumn]:
    """A column for each reply that has a state reward; if there are very many, one column for several in a row."""
    states = [(one.name, one.state) for one in conversations if one.state]
    size = -(-len(states) // MOST_COLUMNS) or 1
    columns = []
    for at in range(0, len(states), size):
        part = states[at : at + size]
        name = part[0][0] if len(part) == 1 else f"{part[0][0]} to {part[-1][0]}"
        update, look_back = sum(state.update for _, state in part), sum(state.look_back for _, state in part)
        columns.append(RewardColumn(capitalised(name), update, look_back, all(state.form for _, state in part)))
    return columns


def summary(columns: Sequence[RewardColumn]) -> str:
    """The figure in a sentence."""
    gained, lost = ([one.name for one in columns if sign * one.update > _FLAT] for sign in (1, -1))
    looked, broken = [one.name for one in columns if one.look_back > _FLAT], [one.name for one in columns if not one.kept]
    told = [
        f"the memory gained words of the answer at {_some(gained)}" if gained else "the memory gained no word of the answer",
        f"lost some at {_some(lost)}" if lost else "",
        f"looking back brought some at {_some(looked)}" if looked else "",
        f"a reply was not in its form at {_some(broken)}" if broken else "",
    ]
    return wording.sentence("; ".join(filter(None, told)))


def _some(names: Sequence[str]) -> str:
    lowered = [name[:1].lower() + name[1:] for name in names[:6]]
    listed = ", ".join(name if any(map(str.isdigit, name)) else f"the {name}" for name in lowered)
    return f"{listed} and {len(names) - 6:,} more" if len(names) > 6 else listed


def _outcome(outcome: Outcome) -> str:
    reward = f"{outcome.reward:.2f}".rstrip("0").rstrip(".")
    if outcome.unboxed:
        return f"Outcome {reward}: the answer is not in the required box. Its grade may be kinder."
    if outcome.rule == "all":
        return f"Outcome {reward}: the share of the required answers that occur in it, character by character (equation 7)."
    if outcome.rule == "choice":
        return f"Outcome {reward}: the choice is {'right' if outcome.reward else 'not right'}."
    if outcome.reward:
        return f"Outcome {reward}: the answer is a known one (equation 6)."
    return f"Outcome {reward}: the answer is not exactly a known one (equation 6). Its grade may be kinder."


def _row(name: str, columns: Sequence[RewardColumn], cells: Sequence[str], kind: str) -> Markup:
    drawn = Markup("").join(
        Markup('<b title="{}">{}</b>').format(_told(one), cell) for one, cell in zip(columns, cells, strict=True)
    )
    return Markup('<div class="reward-row {}"><span>{}</span><p style="{}">{}</p></div>').format(
        kind, name, _width(columns), drawn
    )


def _width(columns: Sequence[RewardColumn]) -> str:
    return f"max-width: {len(columns) * WIDEST}px"


def _both_ways(gain: float) -> Markup:
    return _bar("gained", gain, most=50) or _bar("lost", -gain, most=50)


def _bar(kind: str, amount: float, *, most: int) -> Markup:
    """A bar for a gain of 0 to 1; `most` is its height at 1, in percent."""
    if amount <= _FLAT:
        return Markup()
    return Markup('<i class="{}" style="height: {}%"></i>').format(kind, max(5, min(most, round(most * amount))))


def _told(one: RewardColumn) -> str:
    """A column in words, for who points at it."""
    back = f", look-back {one.look_back:+.2f}" if one.look_back else ""
    return f"{one.name}: update {one.update:+.2f}{back}, {'in the form' if one.kept else 'not in the form'}"


def _table(conversations: Sequence[Conversation]) -> Markup:
    """The steps that gained or lost something or broke their form, as a table."""
    states = [(capitalised(one.name), one.state) for one in conversations if one.state]
    told = [(name, one) for name, one in states if abs(one.update) > _FLAT or one.look_back > _FLAT or not one.form]
    rows = [
        Row(name, [Cell(f"{one.update:+.2f}"), Cell(f"{one.look_back:+.2f}"), Cell("kept" if one.form else "not kept")])
        for name, one in told[:MOST_ROWS]
    ]
    rest = f"{wording.count(len(states) - len(told), 'other reply')} gained and lost nothing, in the form."
    more = f" {len(told) - MOST_ROWS:,} more are not listed." if len(told) > MOST_ROWS else ""
    found = Table("Rewards by step", columns("Update", "Look-back", "Form"), rows, head="Step")
    table = html.table(found, kind="rewards-by-step") if rows else ""
    return Markup('<details class="reward-table"><summary>As a table</summary>{}<p class="facts-line">{}{}</p></details>').format(
        table, rest, more
    )
