"""The first half of QRMeM's memory (section 2.1): segments, the summary of the whole text, and a small graph for each segment.

Each stage asks about all segments at once. A name from the model counts only if it occurs in the segment; omissions are recorded
with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from readers.engine.prompts.formats.json_lists import rows, strings
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.edits import LEFT_OUT
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Question, Text
from readers.engine.text.entities import find_entities
from readers.engine.text.rouge import Nearest
from readers.qrmem.mentions import cut, flat, key, marked, occurrences, within
from readers.qrmem.narrative import Action
from readers.qrmem.options import QRMeMOptions
from readers.qrmem.prompts import (
    ENTITIES,
    MORE_ENTITIES,
    MORE_RELATIONS,
    QUESTIONS,
    RELATION_KEYS,
    RELATIONS,
    SEGMENT_SUMMARY,
    SUMMARY,
)  # fmt: skip

NOVEL = 0.6
QUESTIONS_A_SEGMENT = 3
# Limits that the paper does not give. They keep every prompt within a few times the size of a segment.
ENTITIES_A_SEGMENT, RELATIONS_A_SEGMENT = 60, 60
LONGEST_NAME, RELATION_TOKENS, LISTED_TOKENS = 100, 100, 600
REDUCED_TOKENS = 2_000
RECOGNISER = "rules"  # recorded, because readings by other recognisers exist; a replay must not mix their names with these

NOT_THERE = "it does not occur in the segment"
NO_ENTITY = "one of its ends is no entity of the segment"
THE_SAME = "both its ends are the same entity"


@dataclass
class SegmentEntity:
    """An entity of one segment: its mentions there, in order, and who found it (`model`, `rules` or `both`)."""

    mentions: list[Text]
    source: str

    @property
    def name(self) -> Text:
        return flat(self.mentions[0])


@dataclass
class Described:
    """A relation of one segment between two of its entities, which are given by their keys."""

    a: str
    b: str
    text: Text


@dataclass
class SubGraph:
    """What was found in one segment. `number` counts from 1; entities are by the key of their name, in the order they were
    found."""

    number: int
    segment: Text
    entities: dict[str, SegmentEntity] = field(default_factory=dict)
    relations: list[Described] = field(default_factory=list)

    @property
    def names(self) -> list[Text]:
        """Its entities, as listed in prompts."""
        return list(within((found.name for found in self.entities.values()), LISTED_TOKENS))

    @property
    def marked(self) -> Text:
        return marked(self.segment, (mention for found in self.entities.values() for mention in found.mentions))

    @property
    def listed_relations(self) -> list[Text]:
        """Its relations, as listed in prompts: `A – B: description`."""
        lines = (self._line(relation) for relation in self.relations)
        return list(within(lines, LISTED_TOKENS))

    def _line(self, described: Described) -> Text:
        a, b = self.entities[described.a].name, self.entities[described.b].name
        return Text.join("", [a, Text(" – "), b, Text(": "), described.text])


@dataclass
class Findings:
    """What one round found in one segment, until it is recorded."""

    found: dict[str, list[str]] = field(default_factory=dict)
    dropped: list[tuple[str, str]] = field(default_factory=list)
    relations: list[Described] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    questions: list[tuple[Action, str, str]] = field(default_factory=list)
    """Action, question, reason."""


class Construction:
    """The graphs of all segments."""

    def __init__(self, document: Document, question: Question, desk: Desk[Action], options: QRMeMOptions) -> None:
        self.document = document
        self.question = question
        self.desk = desk
        self.options = options

    def graphs(self) -> tuple[list[SubGraph], Text]:
        """The graph of each segment, and the summary of the whole text; no graph for an empty text."""
        with self.desk.step("summary"):
            segments = self.desk.cut(
                self.document, split.segments(self.document.text, self.options.segment_tokens), join_blank_end=True
            )
            summary = self._summary(segments) if segments else Text("")
        graphs = [SubGraph(number, segment) for number, segment in enumerate(segments, 1)]
        with self.desk.step("graph"):
            self._initial(graphs, summary)
        if self.options.graph_update:
            with self.desk.step("questions"):
                self._update(graphs, summary)
        return graphs, summary

    def _summary(self, segments: Sequence[Text]) -> Text:
        """Map, then reduce until one summary is left; with a single segment, that is its summary."""
        replies = self.desk.ask_all(SEGMENT_SUMMARY, ({"segment": segment} for segment in segments))
        level = [self._written(reply, segment, SEGMENT_SUMMARY) for reply, segment in zip(replies, segments, strict=True)]
        while len(level) > 1:
            groups = list(_groups(level))
            replies = self.desk.ask_all(SUMMARY, ({"summaries": group} for group in groups))
            level = [
                self._written(reply, Text.join(" ", group), SUMMARY) for reply, group in zip(replies, groups, strict=True)
            ]  # fmt: skip
        return level[0]

    def _written(self, reply: Got | Unread, instead: Text, prompt: Prompt) -> Text:
        """Write the summary from a reply, or the first sentences of what it should summarise."""
        if isinstance(reply, Unread):
            self.desk.choose("fallback", "first sentences", because=f"no summary could be read: {reply.problems[-1]}")
            opening = cut(instead, prompt.max_tokens)
            return self.desk.write("summary", opening[: split.opening(opening.text)].strip() or opening)
        return self.desk.write("summary", self._bounded(reply, prompt.max_tokens))

    def _bounded(self, text: Text, most: int) -> Text:
        """The text cut to the length that was asked for."""
        short = cut(text, most)
        if len(short) < len(text.strip()):
            self.desk.choose("truncate", f"{len(short)} of {len(text)} characters", because=f"it was over {most} tokens")
        return short

    def _initial(self, graphs: Sequence[SubGraph], summary: Text) -> None:
        """Find entities for the question, by the model and by rules; then the relations between those of each segment."""
        self.desk.choose("recognise", RECOGNISER)
        findings = [Findings() for _ in graphs]
        by_rules = _by_rules(self.document, graphs)
        replies: Iterable[Got | Unread | None] = [None] * len(graphs)
        if self.options.model_entities:
            asked: PromptParts = {"summary": summary, "question": self.question.asked, "choices": self.question.offered}
            replies = self.desk.ask_all(ENTITIES, ({**asked, "segment": graph.segment} for graph in graphs))
        for graph, new, reply, rules in zip(graphs, findings, replies, by_rules, strict=True):
            _take(graph, new, _names(reply, new, "no entities of the model's"), rules)
        self._relate(RELATIONS, graphs, findings, {})
        for graph, new in zip(graphs, findings, strict=True):
            self._record(graph, new)

    def _update(self, graphs: Sequence[SubGraph], summary: Text) -> None:
        """Ask questions about each segment, keep those unlike the kept ones, and find the entities and relations that they
        raise."""
        findings = [Findings() for _ in graphs]
        about: list[PromptParts] = [{"summary": summary, "segment": graph.segment, "entities": graph.names} for graph in graphs]
        rest = ({**row, "relations": graph.listed_relations} for row, graph in zip(about, graphs, strict=True))
        replies = self.desk.ask_all(QUESTIONS, rest)
        pool = Nearest()
        kept = {
            graph.number: found
            for graph, new, reply in zip(graphs, findings, replies, strict=True)
            if (found := _kept(reply, new, pool))
        }
        with_questions = [n for n, graph in enumerate(graphs) if graph.number in kept]
        if self.options.model_entities:
            more = ({**about[n], "questions": kept[graphs[n].number]} for n in with_questions)
            for n, reply in zip(with_questions, self.desk.ask_all(MORE_ENTITIES, more), strict=True):
                _take(graphs[n], findings[n], _names(reply, findings[n], "no further entities"), [])
        chosen = [graphs[n] for n in with_questions]
        self._relate(MORE_RELATIONS, chosen, [findings[n] for n in with_questions], kept)
        for graph, new in zip(graphs, findings, strict=True):
            self._record(graph, new)

    def _relate(
        self, prompt: Prompt, graphs: Sequence[SubGraph], findings: Sequence[Findings], kept: Mapping[int, Sequence[Text]]
    ) -> None:
        """Ask how the entities of each segment are related, if it has at least two."""
        pairs = [(graph, new) for graph, new in zip(graphs, findings, strict=True) if len(graph.entities) > 1]

        def row(graph: SubGraph) -> PromptParts:
            more: PromptParts = {"relations": graph.listed_relations, "questions": kept[graph.number]} if kept else {}
            return {"segment": graph.segment, "entities": graph.names, "marked": graph.marked, **more}

        for (graph, new), reply in zip(pairs, self.desk.ask_all(prompt, (row(graph) for graph, _ in pairs)), strict=True):
            if isinstance(reply, Unread):
                new.unread.append(("no relations", f"no relations could be read: {reply.problems[-1]}"))
            else:
                _take_relations(graph, new, reply.field("relations"))

    def _record(self, graph: SubGraph, new: Findings) -> None:
        """Record what a round found in a segment, and write its relations."""
        with self.desk.step(f"segment {graph.number}"):
            self.desk.look(graph.segment)
            for action, words, why in new.questions:
                self.desk.choose(action, words, because=why)
            for picked, why in new.unread:
                self.desk.choose("fallback", picked, because=why)
            for source, names in new.found.items():
                self.desk.choose("find", f"{len(names)} name{'s' * (len(names) > 1)}", names, source)
            for name, why in new.dropped:
                self.desk.choose("drop", name, because=why)
            for relation in new.relations:
                relation.text = self.desk.write("relation", self._bounded(relation.text, RELATION_TOKENS))
                ends = (graph.entities[relation.a].name.text, graph.entities[relation.b].name.text)
                self.desk.choose("relate", relation.text, ends)
                if relation.text.text != LEFT_OUT:  # in a fork, a relation that a person left out has no effect
                    graph.relations.append(relation)


def _groups(level: Sequence[Text]) -> Iterator[list[Text]]:
    """Consecutive summaries in groups of bounded size, two or more in a group if possible."""
    group: list[Text] = []
    used = 0
    for text in level:
        size = tokens.count(text.text)
        if len(group) > 1 and used + size > REDUCED_TOKENS:
            yield group
            group, used = [], 0
        group.append(text)
        used += size
    yield group


def _by_rules(document: Document, graphs: Sequence[SubGraph]) -> list[list[Text]]:
    """The names that rules find in each segment, in order. They see the whole text; a name that crosses the end of a segment does
    not count."""
    found: list[list[Text]] = [[] for _ in graphs]
    at = 0
    for start, end, *_ in find_entities(document.text):
        while at < len(graphs) and graphs[at].segment.spans[0].end <= start:
            at += 1
        if at < len(graphs) and end <= graphs[at].segment.spans[0].end:
            low = graphs[at].segment.spans[0].start
            found[at].append(graphs[at].segment[start - low : end - low])
    return found


def _names(reply: Got | Unread | None, new: Findings, without: str) -> list[Text]:
    """The names in a reply; none if it could not be read, which is recorded."""
    if isinstance(reply, Unread):
        new.unread.append((without, f"no entities could be read: {reply.problems[-1]}"))
    return strings(reply.field("entities")) if isinstance(reply, Got) else []


def _take(graph: SubGraph, new: Findings, by_model: Sequence[Text], by_rules: Sequence[Text]) -> None:
    """Add the names from the model and the rules. A name that does not occur in the segment is dropped."""
    rules = {key(mention.text): mention for mention in by_rules}
    model: dict[str, list[Text]] = {}
    for name in by_model:
        folded = key(name.text)
        if folded in graph.entities or folded in model or not folded:
            continue
        places = occurrences(graph.segment, name.text) if len(folded) <= LONGEST_NAME else []
        if places:
            model[folded] = places
        else:
            why = NOT_THERE if len(folded) <= LONGEST_NAME else f"it is longer than {LONGEST_NAME} characters"
            new.dropped.append((_clipped(name.text), why))
    for folded, places in model.items():
        _add(graph, new, SegmentEntity(places, "both" if folded in rules else "model"))
    for folded, mention in rules.items():
        if folded not in graph.entities and folded not in model and len(folded) <= LONGEST_NAME:
            _add(graph, new, SegmentEntity(occurrences(graph.segment, mention.text) or [mention], "rules"))


def _add(graph: SubGraph, new: Findings, found: SegmentEntity) -> None:
    name = found.name.text
    if len(graph.entities) == ENTITIES_A_SEGMENT:
        new.dropped.append((name, f"the segment has {ENTITIES_A_SEGMENT} entities already"))
        return
    graph.entities[key(name)] = found
    new.found.setdefault(found.source, []).append(name)


def _take_relations(graph: SubGraph, new: Findings, field: Text) -> None:
    """Add the relations of a reply that join two entities of the segment, each once."""
    known = {(relation.a, relation.b, relation.text.text) for relation in graph.relations}
    for row in rows(field, RELATION_KEYS):
        a, b, text = key(row["a"].text), key(row["b"].text), row["relation"].strip()
        why = NO_ENTITY if not (a in graph.entities and b in graph.entities) else THE_SAME if a == b else ""
        why = why or ("" if text.text else "it says nothing")
        if not why and len(graph.relations) + len(new.relations) >= RELATIONS_A_SEGMENT:
            why = f"the segment has {RELATIONS_A_SEGMENT} relations already"
        if why:
            new.dropped.append((f"{_clipped(row['a'].text)} – {_clipped(row['b'].text)}", why))
        elif (a, b, text.text) not in known:
            known.add((a, b, text.text))
            new.relations.append(Described(a, b, text))


def _kept(reply: Got | Unread, new: Findings, pool: Nearest) -> list[Text]:
    """The questions about a segment that resemble no kept one, those about earlier segments included."""
    if isinstance(reply, Unread):
        new.unread.append(("no questions", f"no questions could be read: {reply.problems[-1]}"))
        return []
    kept: list[Text] = []
    asked = [words for words in strings(reply.field("questions")) if any(map(str.isalnum, words.text))]
    for number, words in enumerate(asked):
        if number >= QUESTIONS_A_SEGMENT:
            new.dropped.append((words.text, f"{QUESTIONS_A_SEGMENT} questions a segment are the most"))
            continue
        nearest = pool.score(words.text)
        like = f"{nearest:.4f}" if pool.size else "0"
        new.questions.append(("keep" if nearest < NOVEL else "drop_question", words.text, like))
        if nearest < NOVEL:
            pool.keep(words.text)
            kept.append(words)
    return kept


def _clipped(words: str) -> str:
    return words if len(words) <= LONGEST_NAME else words[:LONGEST_NAME] + " …"
