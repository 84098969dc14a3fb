"""Rewards and advantages equal rows that were computed by hand from the papers' equations, and those of whole readings."""

from __future__ import annotations

import pytest

from readers import get
from readers.engine.analysis.rewards import MemoryChange, Outcome, StateReward, held, in_form, outcome_reward, state_reward
from readers.engine.analysis.trajectory import Advantage, Trajectory, advantages, group_advantages, step_means, trajectory
from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.journal import MemoryTape
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.store import Reading, Run
from tests.support.models.scripted_models import Scripted
from tests.support.readings.rememr1_readings import QUESTION, SMALL, blocks, chunks_of, number

CAPITAL = KnownAnswer("?", answers=("Paris", "City of Light"))
NUMBERS = KnownAnswer("?", answers=("10", "20", "30", "40"), all_required=True)
PARROT = KnownAnswer("?", answers=("the grey parrot Doris",))  # four words
PLACES = KnownAnswer("?", choices=("Rome", "Paris"), answers=("Paris",))


@pytest.mark.parametrize(
    ("answer", "known", "reward"),
    [  # equation 6: the best of the known answers
        ("paris", CAPITAL, 1),
        ("CITY of  light", CAPITAL, 1),
        ("Paris, France", CAPITAL, 0),  # no credit for part of it, nor for more
        ("", CAPITAL, 0),
        (None, CAPITAL, 0),
        ("\\left( .5 \\right)", KnownAnswer("?", answers=("(0.5)",)), 1),
        ("$1,000", KnownAnswer("?", answers=("1,000",)), 1),
        # equation 7: |{y in Y: y in answer}| / |Y|
        ("10, 20 and 40", NUMBERS, 3 / 4),
        ("40 30 20 10", NUMBERS, 1),
        ("fifty", NUMBERS, 0),
        ("Ann\nand  bob", KnownAnswer("?", answers=("and Bob", "Cai", "and Bob"), all_required=True), 1 / 2),
    ],
)
def test_the_outcome_reward_by_equations_6_and_7(answer: str | None, known: KnownAnswer, reward: float) -> None:
    found = outcome_reward(answer, known)
    assert found == Outcome(pytest.approx(reward), "all" if known.all_required else "any")


def test_a_choice_is_right_by_its_letter_or_words_and_the_unknown_has_no_reward() -> None:
    rewards = [outcome_reward(one, PLACES, choices=PLACES.choices) for one in ("(B) Paris", "paris", "A", "neither", None)]
    assert [one and one.reward for one in rewards] == [1, 1, 0, 0, 0]
    assert {one.rule for one in rewards if one} == {"choice"}
    assert outcome_reward("Paris", None) is None
    assert outcome_reward("Paris", KnownAnswer(answerable=False)) is None
    assert outcome_reward("Paris", KnownAnswer(answers=())) is None


def test_the_advantages_of_a_group_by_equation_4() -> None:
    assert group_advantages([1, 0, 0, 1]) == [0.5, -0.5, -0.5, 0.5]
    assert group_advantages([1, 0.75, 0.25, 0]) == [0.5, 0.25, -0.25, -0.5]  # not divided by 0.40
    assert group_advantages([1, 1]) == [0, 0]
    assert group_advantages([1]) == [0]
    assert step_means([("a", 1.0), ("b", 0.5), ("a", 2.0)]) == {"a": 1.5, "b": 0.5}


@pytest.mark.parametrize(
    ("before", "after", "shown", "looked_back", "reward"),
    [  # of four words: held after less held before; held with the memory looked back at less held without it
        ("", "A parrot.", "part", "", (1 / 4, 0)),
        ("A parrot.", "The grey parrot is Doris.", "part", "", (3 / 4, 0)),
        ("Grey Doris.", "Nothing.", "part", "", (-2 / 4, 0)),
        ("Doris.", "Doris.", "Doris", "The grey one.", (0, 2 / 4)),
        ("Doris.", "Doris.", "the grey parrot Doris", "Grey.", (0, 0)),  # the prompt had it all
        ("Theory, greyish.", "Parrots.", "part", "", (0, 0)),  # whole words alone
    ],
)
def test_the_reward_of_a_state_is_its_gain_of_the_answers_words(
    before: str, after: str, shown: str, looked_back: str, reward: tuple[float, float]
) -> None:
    found = state_reward(MemoryChange(before, after, looked_back), PARROT, shown=shown, in_form=True)
    assert found == StateReward(pytest.approx(reward[0]), pytest.approx(reward[1]), 1)
    assert found.total == pytest.approx(sum(reward) + 1)


def test_of_equivalent_answers_the_best_counts_and_of_required_ones_the_mean() -> None:
    either = KnownAnswer("?", answers=("Doris", "grey parrot"))
    both = KnownAnswer("?", answers=("Doris", "grey parrot"), all_required=True)
    assert (held("Doris is grey.", either), held("Doris is grey.", both)) == (1, 3 / 4)
    assert held("Doris", KnownAnswer("?", answers=("?!",))) == 0


@pytest.mark.parametrize(
    ("reply", "good"),
    [
        ("<thinking>x</thinking>\n<update>one\ntwo</update>\n<recall>q</recall>", True),
        ("<update>one</update><update>two</update>", False),
        ("<update> </update>", False),
        ("<update>one", False),
        ("one", False),
    ],
)
def test_the_form_of_a_memory_is_exactly_one_update(reply: str, good: bool) -> None:
    assert in_form(reply, MemoryBlocks(99), read=True) is good


def test_the_form_of_an_answer_is_exactly_one_box_and_of_anything_else_that_it_was_read() -> None:
    replies = ["So \\boxed{a}.", "\\boxed{a} or \\boxed{b}", "\\boxed{}", "\\boxed{a", "a"]
    assert [in_form(one, Boxed(), read=True) for one in replies] == [True, False, False, False, False]
    assert [in_form("text", Memory(9), read=read) for read in (True, False)] == [True, False]


def read(reader: str, chunks: int, replies: Scripted, known: KnownAnswer | None) -> Trajectory:
    tape, document = MemoryTape(), chunks_of(chunks)
    spec = RunSpec(reader, get(reader).version, QUESTION, options=SMALL)
    trace = rehearse(document, get(reader), spec, replies, tape=tape)
    reading = Reading(Run("r", document.id, reader, QUESTION, {}, "finished"), document, trace, [*tape.records.values()])
    return trajectory(reading, {call.prompt.hash: call.prompt for call in replies.calls}, known)


def looking_back(*, right: bool) -> Scripted:
    """Four chunks: half the answer is met and dropped, then looked back at (or not), then all of it is written (or nothing)."""
    memories = ["A grey parrot.", "A boat.", "A boat and the Doris.", "The grey parrot Doris." if right else "Boats."]

    def reply(call: object) -> str:
        if call.prompt.task != "update_memory":  # type: ignore[attr-defined]
            return "\\boxed{The grey parrot Doris}" if right else "Boats, I say."
        at = number(call)  # type: ignore[arg-type]
        return blocks(memories[at - 1], "which parrot" if right and at == 3 else "")

    return Scripted(reply)  # type: ignore[arg-type]


def test_every_conversation_of_a_reading_that_looks_back_has_its_state_reward() -> None:
    found = read("rememr1", 4, looking_back(right=True), PARROT)
    # Held after each chunk: 2, 0, 2, 4 of 4 words ("the" and "Doris" after the third). The prompt of chunk 3 has one of them, the
    # "the" in the question; the memory that is looked back at has two more.
    updates = [one.state and one.state.update for one in found.conversations]
    assert updates == [2 / 4, -2 / 4, 2 / 4, 2 / 4, 0]
    assert [one.state and one.state.look_back for one in found.conversations] == [0, 0, 2 / 4, 0, 0]
    assert [one.state and one.state.form for one in found.conversations] == [1, 1, 1, 1, 1]
    assert [one.name for one in found.conversations] == ["chunk 1", "chunk 2", "chunk 3", "chunk 4", "answer"]
    assert [one.final for one in found.conversations] == [False] * 4 + [True]
    assert found.outcome == Outcome(1, "any")


def test_an_answer_outside_its_box_counts_nothing_and_a_misread_reply_is_a_conversation_of_its_own() -> None:
    found = read("rememr1", 4, looking_back(right=False), KnownAnswer("?", answers=("Boats, I say.",)))
    assert found.outcome == Outcome(0, "any", unboxed=True)
    assert [(one.read, one.final) for one in found.conversations[-2:]] == [(False, False), (True, True)]
    assert [one.state and one.state.total for one in found.conversations[-2:]] == [0, 0]


def test_advantages_are_normalised_at_each_level_and_mixed() -> None:
    group = [read("rememr1", 4, looking_back(right=right), PARROT) for right in (True, False)]
    # Outcomes 1 and 0: advantages 0.5 and -0.5. States in total, of both readings: chunk 1 1.5, 1.5; chunk 2 0.5, 0.5;
    # chunk 3 2, 1.5; chunk 4 1.5, 0.5; answer 1, 0, 0 (asked twice).
    first, second = advantages(group)
    states = [0, 0, 0.25, 0.5, 2 / 3]
    assert [one.outcome for one in first] == [0.5] * 5
    assert [one.state for one in first] == pytest.approx(states)
    assert [one.levels for one in first] == pytest.approx([0.8 * 0.5 + 0.2 * state for state in states])
    assert [one.state for one in second] == pytest.approx([0, 0, -0.25, -0.5, -1 / 3, -1 / 3])
    assert second[0].levels == pytest.approx(-0.4)
    assert advantages([*group, group[0]._replace(outcome=None)]) == [first, second, ()]


def test_a_reading_without_a_look_back_has_gains_and_one_without_a_memory_its_outcome_alone() -> None:
    memories = ["A grey parrot.", "The grey parrot Doris."]
    replies = Scripted(lambda call: memories[number(call) - 1] if call.prompt.task == "update_memory" else "\\boxed{Doris}")
    found = read("memagent", 2, replies, PARROT)
    assert [one.state for one in found.conversations] == [StateReward(0.5, 0, 1), StateReward(0.5, 0, 1), StateReward(0, 0, 1)]
    assert found.outcome == Outcome(0, "any")
    never = read("memagent", 2, Scripted(lambda call: "No change." if call.prompt.task != "answer" else "\\boxed{?!}"), PARROT)
    assert [one.state for one in never.conversations] == [StateReward(0, 0, 1)] * 3
    unknown = read("memagent", 2, Scripted(replies.replies), None)
    assert (unknown.outcome, {one.state for one in unknown.conversations}) == (None, {None})
    tape, document = MemoryTape(), chunks_of(1)
    once = Scripted(["The grey parrot Doris."])
    trace = rehearse(document, get("whole"), RunSpec("whole", get("whole").version, QUESTION), once, tape=tape)
    whole = Reading(Run("r", document.id, "whole", QUESTION, {}, "finished"), document, trace, [*tape.records.values()])
    alone = trajectory(whole, {call.prompt.hash: call.prompt for call in once.calls}, PARROT)
    assert (alone.outcome, [one.state for one in alone.conversations]) == (Outcome(1, "any"), [None])
    assert advantages([alone]) == [(Advantage(0),)]
