"""The second half of QRMeM's memory (section 2.1): the graphs of the segments merged into one, each entity with its segments.

Rules find names that may mean the same, and the model decides. Descriptions of the same two entities are merged by the model, two
at a time. Work grows with the number of names and descriptions, never with its square.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from readers.engine.prompts.formats.json_lists import rows
from readers.engine.record.edits import LEFT_OUT
from readers.engine.run.desk import Desk, Got, PromptParts
from readers.engine.text import split
from readers.engine.text.document import Question, Text
from readers.engine.text.entities import may_be_same_name, name_words
from readers.qrmem.mentions import cut, flat, key, sentence
from readers.qrmem.narrative import NOT_OFFERED, Action
from readers.qrmem.prompts import MERGE_QUESTION, MERGE_RELATIONS, PAIR_KEYS, SAME
from readers.qrmem.segment_graphs import LONGEST_NAME, RELATION_TOKENS, THE_SAME, SubGraph

# Names sent to the model at once; and the number of names above which a word they share does not suggest that they are the same.
NAMES_AT_ONCE, COMMON_WORD = 20, 50
SENTENCE_TOKENS = 60


@dataclass(frozen=True)
class Entity:
    """A node: its written text (its name, then its other mentions), and the segments it occurs in, from 0."""

    written: Text
    name: Text
    segments: tuple[int, ...]


@dataclass(frozen=True)
class Relation:
    """An edge: its description, the two entities it joins, and the segments it comes from."""

    text: Text
    ends: tuple[int, int]
    segments: tuple[int, ...]

    def far(self, near: int) -> int:
        a, b = self.ends
        return b if near == a else a


@dataclass(frozen=True)
class Graph:
    """The memory: the unchanged segments, and the entities and relations over them. `known` maps every name to its entity."""

    segments: list[Text]
    entities: list[Entity]
    relations: list[Relation]
    known: dict[str, int]

    @cached_property
    def edges(self) -> list[list[int]]:
        """The relations at each entity, in order."""
        found: list[list[int]] = [[] for _ in self.entities]
        for number, relation in enumerate(self.relations):
            for end in relation.ends:
                found[end].append(number)
        return found

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        return _index(self.known)

    def find(self, name: str) -> int | None:
        """The entity of this name; otherwise the one in most segments whose name may mean the same; None if there is none."""
        folded = key(name)
        if folded in self.known:
            return self.known[folded]
        words = [self._by_word.get(word, []) for word in name_words(folded)]
        near = dict.fromkeys(other for names in words if len(names) <= COMMON_WORD for other in names)
        alike = [self.known[other] for other in near if may_be_same_name(folded, other)]
        return min(alike, key=lambda n: (-len(self.entities[n].segments), n), default=None)


@dataclass
class Name:
    """One name in all segments: every mention with its segment (from 0), and who found it."""

    shown: Text
    mentions: list[tuple[int, Text]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)


Several = dict[str, Relation]  # the descriptions of the same two entities, by their words in the form that is compared


class Combination:
    """Merges the graphs of the segments into one."""

    def __init__(self, graphs: Sequence[SubGraph], summary: Text, question: Question, desk: Desk[Action]) -> None:
        self.graphs = graphs
        self.summary = summary
        self.question = question
        self.desk = desk
        self.segments = [graph.segment for graph in graphs]
        self._sentences: dict[int, Sequence[tuple[int, int]]] = {}  # of the segments in which names were looked up

    def graph(self) -> Graph:
        names = self._by_name()
        with self.desk.step("merging"):
            groups = self._disambiguated(names)
            with self.desk.step("entities"):
                entities = [self._entity([names[folded] for folded in group]) for group in groups]
            known = {folded: number for number, group in enumerate(groups) for folded in group}
            with self.desk.step("relations"):
                relations = self._relations(entities, known)
        return Graph(self.segments, entities, relations, known)

    def _by_name(self) -> dict[str, Name]:
        """Every name by its key, in the order of first occurrence."""
        found: dict[str, Name] = {}
        firsts: dict[str, int] = {}
        for number, graph in enumerate(self.graphs):
            for folded, entity in graph.entities.items():
                name = found.setdefault(folded, Name(entity.name))
                name.mentions += [(number, mention) for mention in entity.mentions]
                name.sources.append(entity.source)
                firsts.setdefault(folded, entity.mentions[0].spans[0].start)
        return {folded: found[folded] for folded in sorted(found, key=lambda folded: (firsts[folded], folded))}

    # Disambiguation

    def _disambiguated(self, names: dict[str, Name]) -> list[list[str]]:
        """Groups of names that mean the same, by their keys: the rules propose, the model decides."""
        parent = {folded: folded for folded in names}
        offers = list(_batches(_candidates(names)))
        asked: Iterable[PromptParts] = ({"names": [self._in_context(names[folded]) for folded in offer]} for offer in offers)
        for offer, reply in zip(offers, self.desk.ask_all(SAME, asked), strict=True):
            if not isinstance(reply, Got):
                shown = [names[folded].shown.text for folded in offer]
                why = f"no pairs could be read: {reply.problems[-1]}"
                self.desk.choose("fallback", "every name for itself", shown, why)
                continue
            for pair in rows(reply.field("same"), PAIR_KEYS):
                a, b = key(pair["a"].text), key(pair["b"].text)
                if a in offer and b in offer:
                    _unite(parent, a, b)
                else:
                    missing = pair["a"] if a not in offer else pair["b"]
                    self.desk.choose("drop", missing.text[:LONGEST_NAME], because=NOT_OFFERED)
        groups: dict[str, list[str]] = defaultdict(list)
        for folded in names:
            groups[_root(parent, folded)].append(folded)
        return list(groups.values())

    def _entity(self, names: Sequence[Name]) -> Entity:
        """One entity with one or more names: write its mentions, its name first, and record where they are."""
        mentions = _apart(mention for name in names for mention in name.mentions)
        flats = [flat(mention) for _, mention in mentions]
        first = _called(flats)
        written = self.desk.write("entity", Text.join("\n", [flats[first], *flats[:first], *flats[first + 1 :]]))
        segments = tuple(dict.fromkeys(number for number, _ in mentions))
        sources = {source for name in names for source in name.sources}
        source = sources.pop() if len(sources) == 1 else "both"
        self.desk.choose("place", written, (self.segments[number] for number in segments), source)
        if len(names) > 1:
            self.desk.choose("same", written, (name.shown.text for name in names))
        return Entity(written, written[: len(flats[first])], segments)

    def _in_context(self, name: Name) -> Text:
        """A name, and below it the sentence of its first mention."""
        number, mention = name.mentions[0]
        segment = self.segments[number]
        if number not in self._sentences:
            self._sentences[number] = split.sentences(segment.text)
        return Text.join("\n", [name.shown, sentence(segment, self._sentences[number], mention, SENTENCE_TOKENS)])

    # Fusion

    def _relations(self, entities: Sequence[Entity], known: dict[str, int]) -> list[Relation]:
        """One relation for every two entities that have a description."""
        said: dict[tuple[int, int], Several] = {}
        first_ends: dict[tuple[int, int], tuple[int, int]] = {}
        for number, graph in enumerate(self.graphs):
            for relation in graph.relations:
                a, b = known[relation.a], known[relation.b]
                if a == b:
                    self.desk.choose("drop", relation.text, because=THE_SAME)
                    continue
                ends = (min(a, b), max(a, b))
                first_ends.setdefault(ends, (a, b))
                _add(said.setdefault(ends, {}), Relation(relation.text, ends, (number,)))
        while any(len(several) > 1 for several in said.values()):
            self._fuse(said, entities)
        edges = [replace(one, ends=first_ends[ends]) for ends, several in said.items() for one in several.values()]
        for edge in edges:
            a, b = edge.ends
            where = (self.segments[number] for number in edge.segments)
            self.desk.choose("link", edge.text, (entities[a].written, entities[b].written, *where))
        return edges

    def _fuse(self, said: dict[tuple[int, int], Several], entities: Sequence[Entity]) -> None:
        """Merge neighbouring descriptions of the same two entities, two at a time; all pairs are asked for at once."""
        pairs = [(ends, one, other) for ends, several in said.items() for one, other in _by_twos(several)]
        parts: list[PromptParts] = [
            {
                "summary": self.summary,
                "a": entities[a].name,
                "b": entities[b].name,
                "first": self.segments[one.segments[0]],
                "second": self.segments[other.segments[0]],
                "one": one.text,
                "other": other.text,
            }
            for (a, b), one, other in pairs
        ]
        questions = self.desk.ask_all(MERGE_QUESTION, parts)
        about = [reply if isinstance(reply, Got) else self.question.asked for reply in questions]
        for reply in questions:
            if not isinstance(reply, Got):
                why = f"no question for putting two descriptions together could be read: {reply.problems[-1]}"
                self.desk.choose("fallback", "the question itself", because=why)
        more = ({**row, "question": words, "about": self.question.asked} for row, words in zip(parts, about, strict=True))
        fused = iter(zip(pairs, self.desk.ask_all(MERGE_RELATIONS, more), strict=True))
        for ends, several in said.items():
            halved: Several = {}
            for one, other in _by_twos(several):
                _, got = next(fused)
                text = got if isinstance(got, Got) else Text.join(" ", [one.text, other.text])
                if not isinstance(got, Got):
                    why = f"no joint description could be read: {got.problems[-1]}"
                    self.desk.choose("fallback", "both descriptions, one after the other", because=why)
                written = self.desk.write("relation", cut(text, 2 * RELATION_TOKENS))
                if written.text != LEFT_OUT:  # in a fork, a relation that a person left out joins nothing
                    _add(halved, Relation(written, ends, tuple(sorted({*one.segments, *other.segments}))))
            if len(several) % 2:
                _add(halved, list(several.values())[-1])
            said[ends] = halved


def _candidates(names: dict[str, Name]) -> Iterator[tuple[str, str]]:
    """Pairs of names that may mean the same, each once. Only names that share a word are compared."""
    by_word = _index(names)
    place = {folded: number for number, folded in enumerate(names)}
    for folded in names:
        near = [other for word in name_words(folded) if len(by_word[word]) <= COMMON_WORD for other in by_word[word]]
        for other in sorted(dict.fromkeys(near), key=place.__getitem__):
            if place[other] > place[folded] and may_be_same_name(folded, other):
                yield folded, other


def _index(names: Iterable[str]) -> dict[str, list[str]]:
    """The names that have a word, in order."""
    by_word: dict[str, list[str]] = defaultdict(list)
    for folded in names:
        for word in dict.fromkeys(name_words(folded)):
            by_word[word].append(folded)
    return by_word


def _batches(pairs: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """The names of all pairs, in as few batches as their order allows; both names of a pair are in the same batch."""
    parent: dict[str, str] = {}
    ordered: dict[str, list[tuple[str, str]]] = defaultdict(list)
    kept = list(pairs)
    for a, b in kept:
        parent.setdefault(a, a)
        parent.setdefault(b, b)
        _unite(parent, a, b)
    for a, b in kept:
        ordered[_root(parent, a)].append((a, b))
    batch: dict[str, None] = {}
    for pair in (pair for group in ordered.values() for pair in group):
        if len({*batch, *pair}) > NAMES_AT_ONCE:
            yield list(batch)
            batch = {}
        batch |= dict.fromkeys(pair)
    if batch:
        yield list(batch)


def _unite(parent: dict[str, str], a: str, b: str) -> None:
    parent[_root(parent, b)] = _root(parent, a)


def _root(parent: dict[str, str], name: str) -> str:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name


def _apart(mentions: Iterable[tuple[int, Text]]) -> list[tuple[int, Text]]:
    """Mentions in the order of the text, without those inside another, such as the `Tarrel` of `Hester Tarrel`."""
    found: list[tuple[int, Text]] = []
    end = 0
    for number, mention in sorted(mentions, key=lambda m: (m[1].spans[0].start, -m[1].spans[0].end)):
        if mention.spans[0].start >= end:
            found.append((number, mention))
            end = mention.spans[0].end
    return found


def _called(mentions: Sequence[Text]) -> int:
    """The number of the mention that gives the name: the longest of the most frequent forms, of equals the earliest."""
    count: dict[str, int] = defaultdict(int)
    for mention in mentions:
        count[mention.text] += 1
    most = max(count.values())
    best = max((form for form in count if count[form] == most), key=len)
    return next(number for number, mention in enumerate(mentions) if mention.text == best)


def _by_twos(several: Several) -> list[tuple[Relation, Relation]]:
    """Pairs of neighbours; the last is left over if the number is odd."""
    found = list(several.values())
    return list(zip(found[::2], found[1::2], strict=False))


def _add(several: Several, new: Relation) -> None:
    """Add a description; the same words in several segments are one description."""
    folded = key(new.text.text)
    before = several.get(folded)
    segments = tuple(sorted({*before.segments, *new.segments})) if before else new.segments
    several[folded] = replace(before or new, segments=segments)
