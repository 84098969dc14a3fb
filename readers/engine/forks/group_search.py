"""Which smallest groups of a prompt's sentences change its answer when they are left out: found by trying, halving, descending.

The same prompt is first asked several times unchanged: how often its answer changes then is the *noise floor*. If there is none,
one reply decides a trial; if there is some, a trial is repeated until it differs clearly from the noise; if half of the unchanged
replies differ, nothing can be concluded. Then everything is left out. If that changes the answer, the halves are tried, then the
halves of the half that does; if neither half does so by itself, sentences of both do so together (Zeller's delta debugging,
1999). The group that is found stays in the prompt, and the rest is tried again, until it changes nothing. So the calls grow with
the logarithm of the sentences, for each group. A group is the smallest on the way of the descent; other ways may lead to others.

Pure: the caller asks, and decides whether the answer changed. Not here: the prompt and its answers (`stands_on.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

# Asks the prompt this many times without these sentences, and says of each reply whether its answer changed.
Ask = Callable[[frozenset[int], int], Sequence[bool]]
End = Literal["settled", "differs by itself", "nothing changes it", "out of calls", "unfinished"]

_STANDS_OUT = 0.8  # the share of replies that must differ where unchanged ones also differ
_TRIED_ALONE = 8  # up to this many sentences, each one of a group is tried by itself


class Count(NamedTuple):
    """The answer changed in `changed` of `of` replies."""

    changed: int = 0
    of: int = 0


class Plan(NamedTuple):
    """A search among `size` sentences, with at most `budget` calls; a result is asked for `repeats` times."""

    size: int
    repeats: int
    budget: int

    @property
    def calls_for_one(self) -> int:
        """About how many calls find one group of one sentence where nothing differs by chance; at most the budget."""
        return min(self.budget, 2 * self.repeats + 1 + math.ceil(1.5 * math.log2(max(1, self.size))))


class Group(NamedTuple):
    """Sentences (numbers from 0) whose absence changed the answer. `together`: each was tried by itself and changed nothing."""

    sentences: tuple[int, ...]
    came: Count
    together: bool


class SearchResult(NamedTuple):
    """What a search found until its end: `noise` of the unchanged prompt, the count with `everything` left out, and the groups
    in the order in which they were found."""

    noise: Count
    everything: Count
    groups: tuple[Group, ...]
    end: End
    calls: int


class NotAskedError(Exception):
    """Raised by an `Ask` that has no reply yet: the search is unfinished."""


def search(plan: Plan, ask: Ask) -> SearchResult:
    """Search until nothing more changes the answer, or no call is left. The same replies give the same result."""
    return _Search(plan, ask).run()


class _OutOfCallsError(Exception):
    """The next call would exceed the budget."""


class _Search:
    def __init__(self, plan: Plan, ask: Ask) -> None:
        self._plan = plan
        self._ask = ask
        self._counts: dict[frozenset[int], Count] = {}
        self._groups: list[Group] = []
        self._calls = 0

    def run(self) -> SearchResult:
        everything = frozenset(range(self._plan.size))
        try:
            end = self._until_settled(everything)
        except _OutOfCallsError:
            end = "out of calls"
        except NotAskedError:
            end = "unfinished"
        noise, every = (self._counts.get(left_out, Count()) for left_out in (frozenset[int](), everything))
        return SearchResult(noise, every, tuple(self._groups), end, self._calls)

    def _until_settled(self, everything: frozenset[int]) -> End:
        noise = self._asked(frozenset(), times=self._plan.repeats)
        if noise.changed * 2 >= noise.of:
            return "differs by itself"
        if not self._changes(everything) and not self._surely(everything):
            return "nothing changes it"
        left = everything
        while left and self._changes(left):
            group = self._on_its_own(self._smallest(sorted(left), frozenset()))
            left -= frozenset(group.sentences)
            self._groups.append(group)
            self._groups[-1] = group._replace(came=self._asked(frozenset(group.sentences), times=self._plan.repeats))
        return "settled"

    def _smallest(self, sentences: list[int], given: frozenset[int]) -> list[int]:
        """The fewest of these sentences that change the answer when they are left out with the `given` ones. All of them do."""
        if len(sentences) == 1:
            return sentences
        middle = len(sentences) // 2
        for half in (sentences[:middle], sentences[middle:]):
            if self._changes(given | frozenset(half)):
                return self._smallest(half, given)
        first = self._smallest(sentences[:middle], given | frozenset(sentences[middle:]))
        return first + self._smallest(sentences[middle:], given | frozenset(first))

    def _on_its_own(self, sentences: list[int]) -> Group:
        """A group; or one of its sentences, if that changes the answer by itself."""
        tried = sentences if 1 < len(sentences) <= _TRIED_ALONE else []
        alone = next((number for number in tried if self._changes(frozenset((number,)))), None)
        kept = tuple(sentences) if alone is None else (alone,)
        return Group(kept, self._counts.get(frozenset(kept), Count()), together=bool(tried) and alone is None)

    def _changes(self, left_out: frozenset[int]) -> bool:
        """Whether the answer changes without these sentences; asked until that is settled."""
        noise = self._counts[frozenset()].changed
        repeats = self._plan.repeats if noise else 1
        needed = min(repeats, max(noise + 2, math.ceil(_STANDS_OUT * repeats))) if noise else 1
        while True:
            count = self._counts.get(left_out, Count())
            if count.changed >= needed:
                return True
            if count.changed + max(0, repeats - count.of) < needed:
                return False
            self._asked(left_out, times=count.of + 1)

    def _surely(self, left_out: frozenset[int]) -> bool:
        """Whether most answers change after all repeats: checked before concluding that nothing changes the answer."""
        count = self._asked(left_out, times=self._plan.repeats)
        return count.changed * 2 > count.of

    def _asked(self, left_out: frozenset[int], *, times: int) -> Count:
        """The result of asking this many times in total."""
        before = self._counts.get(left_out, Count())
        missing = times - before.of
        if missing <= 0:
            return before
        if self._calls + missing > self._plan.budget:
            raise _OutOfCallsError
        came = self._ask(left_out, missing)
        self._calls += len(came)
        self._counts[left_out] = Count(before.changed + sum(came), before.of + len(came))
        return self._counts[left_out]
