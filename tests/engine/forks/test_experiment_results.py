"""What the samples of an experiment come to: answers that changed, decisions that were counted."""

from __future__ import annotations

from readers.engine.forks.experiment_results import (
    RULE,
    RULE_OF_CHOICES,
    answer_changed,
    compare_arms,
    firmness,
)
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.choices import OneOf
from readers.engine.prompts.formats.form import Form
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.formats.json_lists import Listed
from readers.engine.prompts.formats.letters import Boxed, Lettered
from readers.engine.prompts.formats.pages import Pages
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Record
from readers.engine.store import Run


def run(answer: str | None, *, outcome: str | None = "answered", status: str = "finished", choices: tuple[str, ...] = ()) -> Run:
    return Run("x", "d", "memwalker", "?", {"choices": choices}, status, outcome, answer)  # type: ignore[arg-type]


def samples(count: int, *choices: str) -> Run:
    return Run("x", "d", "samples", "?", {"options": {"count": count}, "choices": choices}, "finished")


def test_an_answer_changes_with_its_outcome_or_its_words() -> None:
    parent = run("The green door.")
    assert not answer_changed(parent, run("a GREEN door!"))
    assert answer_changed(parent, run("the red door"))
    assert answer_changed(parent, run(None, outcome="no_answer"))
    assert not answer_changed(run(None, outcome="exhausted"), run(None, outcome="exhausted"))


def test_failed_or_stopped_samples_are_reported_but_not_counted() -> None:
    parent = run("at five")
    without = [run("at six")] * 5 + [run("at five"), run(None, outcome="no_answer")]
    without += [
        run(None, outcome=None, status="failed"),
        run(None, outcome="over_budget"),
        run(None, outcome=None, status="queued"),
    ]
    found = compare_arms(parent, without, [run("at five")] * 6 + [run("At Five.")] + [run("at noon")])
    assert found.without == (10, 7, 6, 1, 1, 1, 1)
    assert found.unchanged == (8, 8, 1, 0, 0, 0, 0)
    assert found.sentence == "the answer changed in 6 of 7; unchanged reruns changed in 1 of 8"
    assert found.answers == (
        ("at five", 1, 7, False, True),
        ("at six", 5, 0, True, False),
        ("no answer", 1, 0, True, False),
        ("at noon", 0, 1, True, False),
    )
    nothing = compare_arms(parent, [run(None, outcome=None, status="failed")], [run(None, outcome=None, status="running")])
    assert nothing.sentence == "no sample without it has finished; no unchanged rerun has finished"
    gave_up = compare_arms(run(None, outcome="exhausted"), [run("at six")], [run(None, outcome="exhausted")])
    assert gave_up.sentence == "the outcome changed in 1 of 1; unchanged reruns changed in 0 of 1"
    assert "significant" not in f"{RULE} {RULE_OF_CHOICES} {found.sentence}"


def test_replies_are_counted_by_what_they_decide() -> None:
    def came(reply: Form, recorded: str, *others: str) -> list[tuple[object, int, bool]]:
        prompt = Prompt("t", "choose", "$offered $choices", reply)
        rows = [row_of(n, words) for n, words in enumerate(others)]
        found = firmness(prompt, {"offered": 3, "choices": 3}, recorded, samples(len(others), "x", "y", "z"), rows)
        assert found.asked == found.came == found.unreadable + sum(option.times for option in found.options)
        return [(option.value, option.times, option.taken) for option in found.options]

    block = Block((Line("action", "number", "", lowest=-1, below="offered"), Line("answer", "words", "", when=-2)))
    action = lambda n: block.render({"action": n})  # noqa: E731
    assert came(block, action(2), action(2), action(0), action(2), "no idea", action(9)) == [(2, 2, True), (0, 1, False)]
    pages = Pages()
    assert came(pages, "Page [2, 5]", "Page [5, 2] it is", "Page []", "Page []") == [((2, 5), 1, True), ((), 2, False)]
    lettered = Lettered("choices")
    replies = ("Answer: (b) y", "Answer: B", "Answer: (C)", "(Z)")
    assert came(lettered, "Answer: (B) y", *replies) == [("(B)", 2, True), ("(C)", 1, False)]
    listed = Listed("entities")
    said = ['{"entities": ["Vane", "Hale"]}', '{"entities": ["hale", "VANE"]}', '{"entities": ["Hale"]}', "[x"]
    assert [times for _, times, _ in came(listed, *said)] == [1, 1]
    assert came(Free(), "The lamp.", "the lamp", "A boat", "") == [("lamp", 1, True), ("boat", 1, False)]
    assert came(OneOf(("yes", "no")), "Yes.", "no", "NO, never", "maybe") == [("yes", 0, True), ("no", 2, False)]
    # The recorded reply counted although it is malformed, since it was the last try: that it did so is known.
    assert came(Boxed(), "The lamp.", r"\boxed{The lamp}", "A boat") == [("lamp", 1, True)]


def test_answers_are_counted_with_their_action() -> None:
    block = Block((Line("action", "number", "", lowest=-2, highest=-1), Line("answer", "words", "", when=-2)))
    replies = [block.render({"action": -2, "answer": words}) for words in ("at five", "At five.", "at six")]
    found = firmness(
        Prompt("t", "answer", "$x", block), {}, replies[0], samples(3), [row_of(n, r) for n, r in enumerate(replies)]
    )
    assert found.options == ((-2, "-2", 3, True, (("at five", 2), ("at six", 1))),)


def row_of(seq: int, reply: str) -> Record:
    return Record(seq, 0, "", "", "", "choose", False, "[]", "", 0, "live", "m", reply)
