"""The figure of rewards: a bar for each gain and loss, a mark for a broken form, the outcome in a sentence, and a table twin."""

from __future__ import annotations

import re
from typing import Any

from components.html import rewards
from readers.engine.analysis.rewards import Outcome, StateReward
from readers.engine.analysis.trajectory import Conversation, Trajectory

NONE: Any = None  # the record of a call, which the figure does not look at


def of(*states: tuple[float, float, float]) -> Trajectory:
    names = [*(f"chunk {n}" for n in range(1, len(states))), "answer"]
    found = [
        Conversation(NONE, n, name, True, False, StateReward(*state))
        for n, (name, state) in enumerate(zip(names, states, strict=True))
    ]
    return Trajectory(tuple(found), Outcome(0.75, "all"))


READ = of((0.5, 0, 1), (-0.5, 0, 0), (1, 0.25, 1), (0, 0, 1))


def test_a_bar_stands_above_or_below_the_line_by_its_gain() -> None:
    drawn = rewards.figure(READ)
    assert re.findall(r'<i class="(\w+)" style="height: (\d+)%">', drawn) == [
        ("gained", "25"), ("lost", "25"), ("gained", "50"),  # updates: half of the row is a gain of 1
        ("gained", "25"),  # look-back: the whole row is
    ]  # fmt: skip
    assert drawn.count('<i class="broken">!</i></b>') == 1
    assert 'title="Chunk 3: update +1.00, look-back +0.25, in the form"' in drawn
    assert '<th scope="row">Chunk 2</th><td>-0.50</td><td>+0.00</td><td>not kept</td>' in drawn
    assert "1 other reply gained and lost nothing, in the form." in drawn
    assert "Outcome 0.75: the share of the required answers" in drawn


def test_the_figure_is_told_in_a_sentence() -> None:
    assert rewards.summary(rewards.columns_of(READ.conversations)) == (
        "The memory gained words of the answer at chunk 1, chunk 3; lost some at chunk 2; looking back brought some at chunk 3; "
        "a reply was not in its form at chunk 2."
    )
    none = of((0, 0, 1), (0, 0, 0))
    assert rewards.summary(rewards.columns_of(none.conversations)) == (
        "The memory gained no word of the answer; a reply was not in its form at the answer."
    )
    assert "Look-back</span>" not in rewards.figure(none)


def test_very_many_replies_share_columns_and_nothing_is_lost() -> None:
    many = of(*[(0.001, 0, 1)] * 999, (0, 0, 0))
    columns = rewards.columns_of(many.conversations)
    assert len(columns) == 200
    assert (columns[0].name, columns[0].kept, columns[-1].kept) == ("Chunk 1 to chunk 5", True, False)
    assert round(sum(one.update for one in columns), 6) == 0.999
    assert "more are not listed" in rewards.figure(many)


def test_a_reading_without_a_memory_has_its_outcome_alone_and_an_unknown_answer_nothing() -> None:
    alone = Trajectory((Conversation(NONE, 0, "answer", True, True, None),), Outcome(1, "choice"))
    assert "Outcome 1: the choice is right." in rewards.figure(alone)
    assert "As a table" not in rewards.figure(alone)
    assert rewards.figure(alone._replace(outcome=None)) == ""
    assert "Outcome 1: the answer is a known one" in rewards.figure(alone._replace(outcome=Outcome(1, "any")))
    assert "Outcome 0: the answer is not in the required box" in rewards.figure(alone._replace(outcome=Outcome(0, "any", True)))
    assert "Outcome 0: the answer is not exactly" in rewards.figure(alone._replace(outcome=Outcome(0, "any")))
