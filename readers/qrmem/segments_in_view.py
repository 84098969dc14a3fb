"""The segments that the model is shown, and what leaves when the window is full (Algorithm 1, lines 13 to 20).

First segments (the paper's S_imp) are those of the question's entities; added ones (S_add) came later, each with the score of
what brought it. Segments are numbered from 0, and shown in the order of the text. Not here: which segments are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from readers.engine.record.scores import best_first, fitting
from readers.engine.run.desk import Desk
from readers.engine.text import tokens
from readers.engine.text.document import Question, Text
from readers.qrmem.merged_graph import Relation
from readers.qrmem.narrative import Action
from readers.qrmem.options import QRMeMOptions

TOGETHER = "the most similar segments together"


class SegmentsInView:
    """The segments in view, and those that were shown before. `window` is in tokens; it shrinks if a prompt does not fit into the
    model's own window."""

    def __init__(self, segments: Sequence[Text], question: Question, desk: Desk[Action], options: QRMeMOptions) -> None:
        self.all = segments
        self.first: list[int] = []
        self.added: dict[int, float] = {}
        self.shown: set[int] = set()
        self.window = options.window_tokens
        self._asked: set[frozenset[int]] = set()
        self._question = question
        self._desk = desk
        self._options = options
        self._sizes = [tokens.count(segment.text) for segment in segments]

    @property
    def numbers(self) -> list[int]:
        return sorted({*self.first, *self.added})

    @property
    def texts(self) -> list[Text]:
        return [self.all[number] for number in self.numbers]

    @property
    def joined(self) -> Text:
        return Text.join("\n\n", self.texts)

    @property
    def size(self) -> int:
        return self._size(self.numbers)

    @property
    def unseen(self) -> list[int]:
        """The segments that were never shown, and are not in view."""
        there = {*self.shown, *self.numbers}
        return [number for number in range(len(self.all)) if number not in there]

    def add_first(self, number: int, because: str) -> None:
        if number not in self.first:
            self.first.append(number)
            self._desk.choose("add", self.all[number], because=because)

    def add(self, numbers: Iterable[int], score: float, because: str) -> bool:
        """Bring segments into view that are not there; returns whether one of them was never shown."""
        there = frozenset(self.numbers)
        new = [number for number in numbers if number not in there]
        for number in new:
            self.added[number] = score
            self._desk.choose("add", self.all[number], because=because)
        return not self.shown.issuperset(new)

    def record_shown(self) -> None:
        """Record that the model was asked about the segments in view."""
        self.shown.update(self.numbers)
        self._asked.add(frozenset(self.numbers))

    def make_room(self) -> bool:
        """Drop segments if the window is exceeded: first added ones, then first ones. Returns whether any was dropped.

        Added segments leave by score, lowest first, of equals the one less similar to the question; segments never shown leave
        last, and one of them always stays. First ones, which the paper never drops, keep at least half of the window, and go by
        their similarity to the question.
        """
        if self.size <= self.window:
            return False
        likeness = self.scored(self._question.asked, self.numbers)
        scores = likeness if self._options.strategy == "trial" else self.added
        order = sorted(self.added, key=lambda n: (n in self.shown, -scores[n], -likeness[n], n))
        room = max(self.window - self._size(self.first), self.window // 2)
        kept = self._fitting(order, scores, room, least=1)
        self.added = {number: self.added[number] for number in kept}
        order = sorted(self.first, key=lambda n: (-likeness[n], n))
        self.first = self._fitting(order, likeness, self.window - self._size(kept), least=0 if kept else 1)
        return True

    @property
    def hidden(self) -> bool:
        """Whether a segment that was shown is out of view."""
        return not self.shown.issubset(self.numbers)

    def regroup(self, query: Text, because: str, *, relations: Sequence[Relation] = ()) -> bool:
        """Show the segments most relevant to the query together; False if they were shown together before."""
        scores = self._relevance(query, relations)
        order = best_first(scores)
        best = self._filling(order, self.window) or order[:1]
        if frozenset(best) in self._asked:
            return False
        self._desk.choose("fallback", TOGETHER, (self.all[n] for n in best), because)
        for number in sorted({*self.numbers} - {*best}):
            self._desk.choose("filter", self.all[number], because=f"{scores[number]:.4f}")
        for number in sorted({*best} - {*self.numbers}):
            self._desk.choose("add", self.all[number], because=f"{scores[number]:.4f}")
        self.first, self.added = [], {number: scores[number] for number in best}
        return True

    def nearest(self, query: Text, among: Sequence[int]) -> dict[int, float]:
        """The segments most similar to the query with their scores: `top_k`, or as many as there is room for; of equal ones the
        first in the text."""
        scores = self.scored(query, among)
        order = [among[n] for n in best_first([*scores.values()])]
        best, rest = order[: self._options.top_k], order[self._options.top_k :]
        if self._options.fill_window:
            best += self._filling(rest, self.window - self._size({*self.numbers, *best}))
        return {number: scores[number] for number in best}

    def _relevance(self, query: Text, relations: Sequence[Relation]) -> list[float]:
        """The similarity of each segment, plus that of the most similar of the relations that it states."""
        count = len(self.all)
        scores = self._desk.score(query, [*self.all, *(relation.text for relation in relations)], by=self._options.scorer)
        told = [0.0] * count
        for relation, score in zip(relations, scores[count:], strict=True):
            for number in relation.segments:
                told[number] = max(told[number], score)
        return [scores[number] + told[number] for number in range(count)]

    def scored(self, query: Text, numbers: Sequence[int]) -> dict[int, float]:
        scores = self._desk.score(query, [self.all[number] for number in numbers], by=self._options.scorer)
        return dict(zip(numbers, scores, strict=True))

    def _fitting(self, order: Sequence[int], scores: Mapping[int, float], room: int, *, least: int) -> list[int]:
        """The segments that fit together, taken in this order, but no fewer than `least`; the others are filtered out."""
        kept = [*order[:least]]
        kept += self._filling(order[least:], room - self._size(kept))
        left_out = {*order} - {*kept}
        for number in order:
            if number in left_out:
                self._desk.choose("filter", self.all[number], because=f"{scores[number]:.4f}")
        return kept

    def _filling(self, order: Iterable[int], room: int) -> list[int]:
        """The segments that fit together, taken in this order."""
        return fitting(order, self._sizes.__getitem__, room, skips=True)

    def _size(self, numbers: Iterable[int]) -> int:
        return sum(self._sizes[number] for number in numbers)
