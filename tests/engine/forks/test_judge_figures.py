"""How often a judge agrees with labels: counted, stored, read again, and never from a damaged file."""

from __future__ import annotations

import pytest

from readers.engine.errors import ModelFailed
from readers.engine.forks import judge_figures
from readers.engine.forks.judge_figures import JudgedPair, Share, figures, find, store, stored
from readers.engine.home import home
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Scripted
from tests.facts.judge import chosen, measure
from tests.facts.measure import labelled

JUDGED = [
    *[JudgedPair("lost", "does not say it")] * 5,
    JudgedPair("lost", "says it"),
    *[JudgedPair("carried", "says it")] * 3,
    JudgedPair("carried", None),
    JudgedPair("partly", "says it"),
    JudgedPair(None, "cannot tell"),
]


def test_agreement_kappa_and_each_verdict_are_counted() -> None:
    found = figures("x/judge", JUDGED)
    assert (found.pairs, found.unread, found.agreed) == (12, 1, Share(8, 10))
    assert found.kappa == pytest.approx((0.8 - 0.46) / 0.54)
    assert found.verdicts == {"says it": (3, 5), "says another": (0, 0), "does not say it": (5, 5)}
    assert found.agreed.interval == pytest.approx((0.490, 0.943), abs=0.001)
    assert found.current
    assert figures("x/judge", []).kappa is None


def test_figures_are_stored_by_model_and_what_is_damaged_was_never_measured() -> None:
    assert stored() == []
    first, other = figures("x/judge", JUDGED), figures("y/judge", JUDGED[:3])
    for one in (first, other, figures("x/judge", JUDGED[:9])):
        store(one)
    assert [(one.model, one.pairs) for one in stored()] == [("x/judge", 9), ("y/judge", 3)]
    assert find("y/judge") == other
    assert find("z/judge") is None
    for damage in ("[]", "{", '{"x": {"model": 1}}', '{"x": {"model": "x", "prompt": "p", "pairs": 1, "unread": 0, '
                   '"agreed": [5, 2], "kappa": null, "verdicts": {}}}'):  # fmt: skip
        (home() / "judges.json").write_text(damage, encoding="utf-8")
        assert stored() == []


def test_the_labelled_pairs_are_judged_by_a_scripted_judge_which_is_what_bench_judge_counts() -> None:
    """The judge says of a writing what its length tells, so the agreement is that of this rule."""
    pairs = chosen(labelled(), 20, "1")
    assert pairs == chosen(labelled(), 20, "1") == chosen(labelled(), 0, "1")[:20] != chosen(labelled(), 20, "2")

    def judge(call: Call) -> str:
        return "SAID" if len(call.part("writing")[0]) < 300 else "MISSING"

    found = measure(pairs, Scripted(judge), "offline/extractive")
    meant = [one for one in pairs if one.agreed in ("carried", "altered", "lost")]
    right = sum(one.agreed == ("carried" if len(one.carrier) < 300 else "lost") for one in meant)
    assert (found.pairs, found.unread, found.agreed) == (20, 0, Share(right, len(meant)))
    assert 0 < right < len(meant)


def test_what_was_judged_before_a_failure_is_counted() -> None:
    left = [1, 1, 1]

    class Failing:
        def complete(self, call: Call) -> Reply:
            if not left:
                raise ModelFailed("the server is gone")
            left.pop()
            return Reply("MISSING")

    pairs = chosen(labelled(), 9, "1")
    assert measure(pairs, Failing(), "offline/extractive").pairs == 3
    with pytest.raises(ModelFailed):
        measure(pairs, Failing(), "offline/extractive")
    assert judge_figures.stored() == []
