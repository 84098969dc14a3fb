"""Finding the segments for a question (section 2.2): Algorithm 1 and the two other strategies, over a finished graph.

Every trial shows a segment that no trial showed before, or, once all were shown, segments that were not shown together. Before
the last answer, the most relevant segments are put together. What is in view, and what leaves it, is in `segments_in_view.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readers.engine.errors import Ended, PromptTooLong
from readers.engine.prompts.formats.json_lists import strings
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.scores import best_first
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text.document import Question, Text
from readers.engine.text.entities import find_entities
from readers.qrmem.mentions import cut, key, occurrences, within
from readers.qrmem.merged_graph import Graph, Relation
from readers.qrmem.narrative import ANSWERED, DECLINED, Action
from readers.qrmem.options import QRMeMOptions
from readers.qrmem.prompts import ANSWER, ANSWER_CHOICE, ANSWERABLE, ELABORATE, REVISE, START
from readers.qrmem.segment_graphs import LISTED_TOKENS, LONGEST_NAME
from readers.qrmem.segments_in_view import SegmentsInView

COMMIT = -2
MOST_FOLLOWED = 8  # relations followed in a row that bring no segment that was not shown
MOST_SIMILAR = "the most similar segments"
NO_WAY_ON, WINDOW_FULL = "no way on", "the window is full"
UNKNOWN = "no entity of the graph has this name"
NOT_ASKED = "the question does not name it"


class Navigation:
    """One question over one graph: the entities reached so far, and the segments in view."""

    def __init__(self, graph: Graph, question: Question, desk: Desk[Action], options: QRMeMOptions) -> None:
        self.graph = graph
        self.question = question
        self.desk = desk
        self.options = options
        self.reached: list[int] = []
        self.reasons: dict[str, Text] = {}  # those of all trials, each once
        self.view = SegmentsInView(graph.segments, question, desk, options)
        self.verdict_read = True

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
            if self.options.gather and self.view.hidden:
                self._gather()
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
            self._retrieve(self.question.asked, self.view.unseen, instead_because="the question names no entity of the graph")
            self.view.first, self.view.added = self.view.numbers, {}
        elif into_view:
            for entity in self.reached:
                for segment in self.graph.entities[entity].segments:
                    self.view.add_first(segment, self.graph.entities[entity].name.text)
        self.view.make_room()

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

    # Trials (Algorithm 1, lines 3 to 7)

    def _try(self) -> tuple[Text | None, Text]:
        """Ask whether the segments in view answer the question: the answer, or None with the reason."""
        self.desk.look(self.view.joined)
        got = self._ask(ANSWERABLE)
        self.view.record_shown()
        self.verdict_read = isinstance(got, Got)
        offered = (ANSWERED, DECLINED)
        if isinstance(got, Unread):
            self.desk.choose("fallback", DECLINED, offered, f"no reply could be read: {got.problems[-1]}")
            return None, Text("")
        reason = got.field("reasoning")
        if got.number("action") == COMMIT:
            self.desk.choose("commit", ANSWERED, offered, reason)
            return got.field("answer"), reason
        self.desk.choose("decline", DECLINED, offered, reason)
        reason = reason if self.options.reflection else Text("")
        self.reasons[reason.text] = reason
        return None, reason

    # Knowledge-directed navigation (Algorithm 1, lines 8 to 20)

    def _walk_on(self, reason: Text) -> bool:
        """Follow the best relation of the entities reached so far, and the next best, until one brings a segment that was never
        shown; False if nothing is left to follow or show."""
        why = f"{MOST_FOLLOWED} relations in a row brought no segment that was not shown before"
        for _ in range(MOST_FOLLOWED if self.view.unseen else 0):
            edges = self._edges()
            if not edges:
                why = "no relation is left to follow"
                break
            best, score = self._weighed(self._query([reason]), edges)[0]
            relation = self.graph.relations[best]
            entity = self._far(relation)
            because = f"its score, {score:.4f}, is the highest of {len(edges)}"
            self.desk.choose("expand", relation.text, (self.graph.entities[entity].written,), because)
            self.reached.append(entity)
            if self._add(entity, score):
                self.view.make_room()
                return True
        return self._fall_back(why, Text.join("\n", [self.question.asked, reason]))

    def _edges(self) -> list[int]:
        """The relations from a reached entity to one not yet reached, in the graph's order."""
        reached = frozenset(self.reached)
        found = {edge for entity in self.reached for edge in self.graph.edges[entity]}
        return sorted(edge for edge in found if not reached.issuperset(self.graph.relations[edge].ends))

    def _query(self, reasons: Iterable[Text]) -> Text:
        """[Q; R; E]"""
        names = (self.graph.entities[entity].name for entity in self.reached)
        return Text.join("\n", [self.question.asked, *(reason for reason in reasons if reason.text), Text.join(", ", names)])

    def _weighed(self, query: Text, edges: Sequence[int]) -> list[tuple[int, float]]:
        """Relations with their scores, best first; of equal scores in the graph's order."""
        scores = self.desk.score(query, [self.graph.relations[edge].text for edge in edges], by=self.options.scorer)
        weighed = [(edges[number], scores[number]) for number in best_first(scores)]
        for edge, score in weighed:
            relation = self.graph.relations[edge]
            self.desk.choose("consider", relation.text, (self.graph.entities[self._far(relation)].written,), f"{score:.4f}")
        return weighed

    def _far(self, relation: Relation) -> int:
        a, b = relation.ends
        return b if a in self.reached else a

    def _add(self, entity: int, score: float) -> bool:
        """Bring the entity's segments into view; returns whether one of them was never shown."""
        found = self.graph.entities[entity]
        return self.view.add(found.segments, score, found.name.text)

    # Entity Trial

    def _revise(self, reason: Text) -> bool:
        """Let the model name other entities, without relations; False if the window is full or nothing is new."""
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
            return self._fall_back("these entities bring no segment that was not shown", self.question.asked)
        if self.view.make_room():
            self.desk.choose("stop", WINDOW_FULL, because=f"all their segments come to over {self.view.window} tokens")
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
            self.view.make_room()

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
        """If the graph gives nothing, show the segments most similar to the query: those never shown, and once there are none,
        those not shown together. Otherwise raise Ended; False if the last verdict could not be read, and an answer may be."""
        if unseen := self.view.unseen:
            self._retrieve(query, unseen, instead_because=why)
            self.view.make_room()
            return True
        why = "every segment was shown"
        if self.view.regroup(query, why):
            return True
        self.desk.choose("stop", NO_WAY_ON, because=why)
        if self.verdict_read:
            raise Ended("exhausted", f"{why}, and the question could not be answered from what was in view together")
        return False

    def _retrieve(self, query: Text, among: Sequence[int], *, instead_because: str = "") -> None:
        """Bring the segments most similar to the query into view."""
        best = self.view.nearest(query, among)
        if instead_because:
            self.desk.choose("fallback", MOST_SIMILAR, (self.graph.segments[n] for n in best), instead_because)
        for segment, score in best.items():
            self.view.add([segment], score, f"{score:.4f}")

    def _gather(self) -> None:
        """Put the segments most relevant to question, all reasons and entities together; Entity Trial uses no relations."""
        edges = {edge for entity in self.reached for edge in self.graph.edges[entity]}
        relations = [self.graph.relations[edge] for edge in sorted(edges)] if self.options.strategy == "navigation" else []
        if self.view.regroup(self._query(self.reasons.values()), "segments shown before had left the view", relations=relations):
            self.view.record_shown()  # if the model's own window is smaller, the least relevant leave, not the ones shown

    def _answer(self) -> Text:
        """Answer from the segments in view."""
        self.desk.look(self.view.joined)
        got = self._ask(ANSWER_CHOICE if self.question.choices else ANSWER)
        if isinstance(got, Unread):
            raise got.no_answer
        return got

    def _ask(self, prompt: Prompt, **parts: Text | Iterable[Text]) -> Got | Unread:
        """Ask about the segments in view. What exceeds the model's own window is filtered like what exceeds the option's."""
        while True:
            try:
                return self.desk.ask(
                    prompt, segments=self.view.texts, question=self.question.asked, choices=self.question.offered, **parts
                )
            except PromptTooLong:
                if len(self.view.numbers) == 1:
                    raise
                self.view.window = self.view.size * 9 // 10
                self.view.make_room()
                self.desk.look(self.view.joined)

    def _listed_entities(self) -> list[Text]:
        return list(within((self.graph.entities[entity].name for entity in self.reached), LISTED_TOKENS))
