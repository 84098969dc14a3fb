"""Finding the segments for a question (section 2.2): Algorithm 1 and the two other strategies, over a finished graph.

The segments in view of the model are those of the question's entities (the paper's S_imp) and those added on the way (S_add), in
the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from readers.engine.errors import Ended, PromptTooLong
from readers.engine.prompts.json_lists import strings
from readers.engine.prompts.prompt import Prompt
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import tokens
from readers.engine.text.document import Question, Text
from readers.engine.text.entities import find_entities
from readers.qrmem.mentions import cut, key, occurrences, within
from readers.qrmem.merged_graph import Graph, Relation
from readers.qrmem.narrative import ANSWERED, DECLINED, Action
from readers.qrmem.options import QRMeMOptions
from readers.qrmem.prompts import ANSWER, ANSWER_CHOICE, ANSWERABLE, ELABORATE, REVISE, START
from readers.qrmem.segment_graphs import LISTED_TOKENS, LONGEST_NAME

COMMIT = -2
MOST_SIMILAR = "the most similar segments"
NO_WAY_ON, WINDOW_FULL = "no way on", "the window is full"
UNKNOWN = "no entity of the graph has this name"
NOT_ASKED = "the question does not name it"


@dataclass
class View:
    """The segments in view, from 0: `first` are those of the question's entities, `added` came later, each with the score of what
    brought it."""

    first: list[int] = field(default_factory=list)
    added: dict[int, float] = field(default_factory=dict)

    @property
    def segments(self) -> list[int]:
        return sorted({*self.first, *self.added})


class Navigation:
    """One question over one graph: the entities reached so far, and the segments in view."""

    def __init__(self, graph: Graph, question: Question, desk: Desk[Action], options: QRMeMOptions) -> None:
        self.graph = graph
        self.question = question
        self.desk = desk
        self.options = options
        self.reached: list[int] = []
        self.view = View()
        self.sizes = [tokens.count(segment.text) for segment in graph.segments]

    def answer(self) -> Text:
        retrieving = self.options.navigate and self.options.strategy == "expansion"
        with self.desk.step("start"):
            self._start(into_view=not retrieving)
        if retrieving:
            self._expand()
        elif self.options.navigate:
            for trial in range(1, self.options.max_trials + 1):
                with self.desk.step(f"trial {trial}"):
                    answer, reason = self._try()
                    if answer is not None:
                        return answer
                    if not (self._walk_on(reason) if self.options.strategy == "navigation" else self._revise(reason)):
                        break
        with self.desk.step("answer"):
            return self._answer()

    # The first entities and their segments

    def _start(self, *, into_view: bool) -> None:
        """Find E_s, the entities that the question names, by the model and by rules, and S_imp, their segments."""
        for name in self._named():
            found = self.graph.find(name)
            if found is None:
                self.desk.choose("drop", name[:LONGEST_NAME], because=UNKNOWN)
            elif found not in self.reached:
                self.reached.append(found)
                self.desk.choose("start", self.graph.entities[found].written, because=name)
        if not self.reached:
            self._fall_back("the question names no entity of the graph", self.question.asked)
            self.view = View(first=self.view.segments)
        elif into_view:
            for entity in self.reached:
                self._add_first(entity)
            self._cut_first(self.options.window_tokens)

    def _named(self) -> list[str]:
        got = self.desk.ask(START, question=self.question.asked)
        if isinstance(got, Unread):
            self.desk.choose("fallback", "the names the rules find", because=f"no entities could be read: {got.problems[-1]}")
        words = self.question.text
        by_rules = [words[start:end] for start, end, *_ in find_entities(words)]
        by_model = []
        for name in strings(got.field("entities")) if isinstance(got, Got) else ():
            if occurrences(self.question.asked, name.text):
                by_model.append(name.text)
            else:
                self.desk.choose("drop", name.text[:LONGEST_NAME], because=NOT_ASKED)
        return list({key(name): name for name in reversed([*by_model, *by_rules]) if key(name)}.values())[::-1]

    def _add_first(self, entity: int) -> None:
        for segment in self.graph.entities[entity].segments:
            if segment not in self.view.first:
                self.view.first.append(segment)
                self.desk.choose("add", self.graph.segments[segment], because=self.graph.entities[entity].name.text)

    def _cut_first(self, window: int) -> None:
        """Cut first segments that alone exceed the window, the least similar to the question first; one stays. The paper is
        silent
        on this."""
        if self._size(self.view.first) <= window:
            return
        scores = self._scored(self.question.asked, self.view.first)
        best, *others = sorted(self.view.first, key=lambda n: (-scores[n], n))
        self.view.first = [best, *self._fitting(others, scores, window - self.sizes[best])]

    # Trials (Algorithm 1, lines 3 to 7)

    def _try(self) -> tuple[Text | None, Text]:
        """Ask whether the segments in view answer the question: the answer, or None with the reason."""
        self.desk.look(self._joined())
        got = self._ask(ANSWERABLE)
        offered = (ANSWERED, DECLINED)
        if isinstance(got, Unread):
            self.desk.choose("fallback", DECLINED, offered, f"no reply could be read: {got.problems[-1]}")
            return None, Text("")
        reason = got.field("reasoning")
        if got.number("action") == COMMIT:
            self.desk.choose("commit", ANSWERED, offered, reason)
            return got.field("answer"), reason
        self.desk.choose("decline", DECLINED, offered, reason)
        return None, reason

    # Knowledge-directed navigation (Algorithm 1, lines 8 to 20)

    def _walk_on(self, reason: Text) -> bool:
        """Follow the best relation of the entities reached so far; False if nothing is left to follow."""
        reason = reason if self.options.reflection else Text("")
        edges = self._edges()
        if not edges:
            if not self._fall_back("no relation is left to follow", Text.join("\n", [self.question.asked, reason])):
                return False
        else:
            best, score = self._weighed(self._query(reason), edges)[0]
            relation = self.graph.relations[best]
            (entity,) = (end for end in relation.ends if end not in self.reached)
            why = f"its score, {score:.4f}, is the highest of {len(edges)}"
            self.desk.choose("expand", relation.text, (self.graph.entities[entity].written,), why)
            self.reached.append(entity)
            self._add(entity, score)
        self._filter(self.options.window_tokens)
        return True

    def _edges(self) -> list[int]:
        """The relations from a reached entity to one not yet reached, in the graph's order."""
        reached = frozenset(self.reached)
        found = {edge for entity in self.reached for edge in self.graph.edges[entity]}
        return sorted(edge for edge in found if not reached.issuperset(self.graph.relations[edge].ends))

    def _query(self, reason: Text) -> Text:
        """[Q; R; E]"""
        names = (self.graph.entities[entity].name for entity in self.reached)
        return Text.join("\n", [self.question.asked, *([reason] if reason.text else []), Text.join(", ", names)])

    def _weighed(self, query: Text, edges: Sequence[int]) -> list[tuple[int, float]]:
        """Relations with their scores, best first; of equal scores in the graph's order."""
        scores = self.desk.score(query, [self.graph.relations[edge].text for edge in edges], by=self.options.scorer)
        weighed = sorted(zip(edges, scores, strict=True), key=lambda pair: (-pair[1], pair[0]))
        for edge, score in weighed:
            relation = self.graph.relations[edge]
            self.desk.choose("consider", relation.text, (self.graph.entities[self._far(relation)].written,), f"{score:.4f}")
        return weighed

    def _far(self, relation: Relation) -> int:
        a, b = relation.ends
        return b if a in self.reached else a

    def _add(self, entity: int, score: float) -> bool:
        """Bring the entity's segments into view; whether any of them is new."""
        there = frozenset(self.view.segments)
        new = [segment for segment in self.graph.entities[entity].segments if segment not in there]
        for segment in new:
            self.view.added[segment] = score
            self.desk.choose("add", self.graph.segments[segment], because=self.graph.entities[entity].name.text)
        return bool(new)

    def _filter(self, window: int) -> bool:
        """Lines 17 to 20: if the window is exceeded, drop added segments with the lowest score of what brought them, of equal
        ones
        the less similar to the question. First segments stay. Returns whether any was dropped."""
        if self._size(self.view.segments) <= window:
            return False
        likeness = self._scored(self.question.asked, list(self.view.added))
        scores = likeness if self.options.strategy == "trial" else self.view.added
        order = sorted(self.view.added, key=lambda n: (-scores[n], -likeness[n], n))
        stays = [] if self.view.first else order[:1]  # if nothing else is in view
        room = window - self._size([*self.view.first, *stays])
        kept = [*stays, *self._fitting(order[len(stays) :], scores, room)]
        self.view.added = {segment: self.view.added[segment] for segment in kept}
        return True

    def _fitting(self, order: Iterable[int], scores: Mapping[int, float], room: int) -> list[int]:
        """The segments that fit together, taken in this order; the others are filtered out."""
        kept: list[int] = []
        for segment in order:
            if self.sizes[segment] <= room:
                kept.append(segment)
                room -= self.sizes[segment]
            else:
                self.desk.choose("filter", self.graph.segments[segment], because=f"{scores[segment]:.4f}")
        return kept

    # Entity Trial

    def _revise(self, reason: Text) -> bool:
        """Let the model name other entities, without relations; False if the window is full or nothing is new."""
        reason = reason if self.options.reflection else Text("")
        got = self._ask(REVISE, entities=self._listed_entities(), reason=reason)
        if isinstance(got, Unread):
            return self._fall_back(f"no entities could be read: {got.problems[-1]}", self.question.asked)
        revised: dict[int, None] = {}
        for name in strings(got.field("entities")):
            found = self.graph.find(name.text)
            if found is None:
                self.desk.choose("drop", name.text[:LONGEST_NAME], because=UNKNOWN)
            else:
                revised[found] = None
        self.reached = list(revised) or self.reached
        self.desk.choose("revise", "the entities", (self.graph.entities[entity].written for entity in self.reached))
        brought = [self._add(entity, 0.0) for entity in self.reached]
        if not any(brought):
            return self._fall_back("these entities bring no segment that is not in view", self.question.asked)
        if self._filter(self.options.window_tokens):
            self.desk.choose("stop", WINDOW_FULL, because=f"all their segments come to over {self.options.window_tokens} tokens")
            return False
        return True

    # Graph Expansion Search

    def _expand(self) -> None:
        """Follow relations similar to the question hop by hop; then retrieve segments with an elaborated question."""
        if not self.reached:
            return
        for hop in range(1, self.options.max_hops + 1):
            with self.desk.step(f"hop {hop}"):
                if not self._hop():
                    break
        with self.desk.step("retrieve"):
            query = self._elaborated()
            self._retrieve(query, range(len(self.graph.segments)))
            self._filter(self.options.window_tokens)

    def _hop(self) -> bool:
        edges = self._edges()
        if not edges:
            self.desk.choose("stop", NO_WAY_ON, because="no relation is left to follow")
            return False
        least = self.options.min_similarity
        kept = [
            (edge, self._far(self.graph.relations[edge]), score)
            for edge, score in self._weighed(self.question.asked, edges)
            if score >= least
        ]
        if not kept:
            self.desk.choose("stop", "no relation is similar enough", because=f"none of {len(edges)} scores {least:g} or more")
        for edge, entity, score in kept:
            entities = (self.graph.entities[entity].written,)
            self.desk.choose("expand", self.graph.relations[edge].text, entities, f"{score:.4f}")
        self.reached += dict.fromkeys(entity for _, entity, _ in kept)
        return bool(kept)

    def _elaborated(self) -> Text:
        reached = frozenset(self.reached)
        inside = (relation.text for relation in self.graph.relations if reached.issuperset(relation.ends))
        got = self.desk.ask(
            ELABORATE,
            question=self.question.asked,
            choices=self.question.offered,
            entities=self._listed_entities(),
            relations=list(within(inside, LISTED_TOKENS)),
        )
        if isinstance(got, Unread):
            why = f"no longer question could be read: {got.problems[-1]}"
            self.desk.choose("fallback", "the question as it stands", because=why)
            return self.question.asked
        return self.desk.write("query", cut(got, ELABORATE.max_tokens))

    # What the strategies share

    def _fall_back(self, why: str, query: Text) -> bool:
        """If the graph gives nothing, add the segments most similar to the query; False if all are in view."""
        there = frozenset(self.view.segments)
        rest = [segment for segment in range(len(self.graph.segments)) if segment not in there]
        if not rest:
            self.desk.choose("stop", NO_WAY_ON, because=f"{why}, and every segment is in view")
            return False
        self._retrieve(query, rest, instead_because=why)
        self._filter(self.options.window_tokens)
        return True

    def _retrieve(self, query: Text, among: Sequence[int], *, instead_because: str = "") -> None:
        """Bring the segments most similar to the query into view; of equal ones the first in the text."""
        scores = self._scored(query, among)
        best = sorted(among, key=lambda n: (-scores[n], n))[: self.options.top_k]
        if instead_because:
            self.desk.choose("fallback", MOST_SIMILAR, (self.graph.segments[n] for n in best), instead_because)
        for segment in best:
            self.view.added[segment] = scores[segment]
            self.desk.choose("add", self.graph.segments[segment], because=f"{scores[segment]:.4f}")

    def _answer(self) -> Text:
        """Answer from the segments in view."""
        self.desk.look(self._joined())
        got = self._ask(ANSWER_CHOICE if self.question.choices else ANSWER)
        if isinstance(got, Unread):
            raise Ended("no_answer", f"{len(got.problems)} replies in a row could not be read; the last one: {got.problems[-1]}")
        return got

    def _ask(self, prompt: Prompt, **parts: Text | Iterable[Text]) -> Got | Unread:
        """Ask about the segments in view. What exceeds the model's own window is filtered like what exceeds the option's."""
        while True:
            shown = [self.graph.segments[segment] for segment in self.view.segments]
            try:
                return self.desk.ask(prompt, segments=shown, question=self.question.asked, choices=self.question.offered, **parts)
            except PromptTooLong:
                if len(shown) == 1:
                    raise
                less = self._size(self.view.segments) * 9 // 10
                if self.view.added:
                    self._filter(less)
                else:
                    self._cut_first(less)
                self.desk.look(self._joined())

    def _listed_entities(self) -> list[Text]:
        return list(within((self.graph.entities[entity].name for entity in self.reached), LISTED_TOKENS))

    def _joined(self) -> Text:
        return Text.join("\n\n", (self.graph.segments[segment] for segment in self.view.segments))

    def _size(self, segments: Iterable[int]) -> int:
        return sum(self.sizes[segment] for segment in segments)

    def _scored(self, query: Text, segments: Sequence[int]) -> dict[int, float]:
        scores = self.desk.score(query, [self.graph.segments[segment] for segment in segments], by=self.options.scorer)
        return dict(zip(segments, scores, strict=True))
