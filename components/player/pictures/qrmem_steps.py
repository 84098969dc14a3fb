"""What each step of a reading by QRMeM did to its net, and what the panel beside it shows. Pure.

A panel is a list of groups `{head, rows}`. A row has a mark, words, a note, and what pressing it shows: an entity (`id`) or a
place in the text (`span`). The candidates of a trial are listed with their scores; those not taken are struck, never left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from readers.engine.record.events import Chose, Looked, Wrote
from readers.engine.record.scores import in_words, shortened
from readers.engine.record.trace import BUILD, Step, Trace
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span
from readers.engine.text.phrases import listed_by_number
from readers.qrmem.mentions import key, occurrences

Change = tuple[int, str]
Pair = tuple[str, str]
Row = dict[str, Any]
# What is said of a pair: a relation's words and ref, the step that described it or put it together, and the step from which
# another one stands in its place.
Said = tuple[str, str, int, int | None]
UNSETTLED = "name "  # the prefix of the id of a name that no entity has claimed yet
ROWS = 40  # rows of a group; more are counted
HEADS = {
    "start": "The question's own entities",
    "weighed": "Relations weighed, with their scores",
    "revise": "Entities it looks for now",
    "relate": "Relations found here",
    "find both": "Names found by the model and by rules",
    "find model": "Names found by the model alone",
    "find rules": "Names found by rules alone",
    "question": "Questions, with their ROUGE-L",
    "same": "Names merged",
    "fuse": "Relations merged",
    "drop": "Not taken",
}


def segment_node(number: int) -> str:
    """The id of a segment's node."""
    return f"segment {number}"


def pair_of(a: str, b: str) -> Pair:
    """Two entities, in either order."""
    return (a, b) if a <= b else (b, a)


class Story:
    """The events, read once. `id_of` gives the node of a name while the graph is built; what is referred to by its text has that
    text's number as id. `numbers` are those of the segments, by their refs."""

    def __init__(self, trace: Trace, names: Mapping[str, str], id_of: Callable[[str], str], numbers: Mapping[str, int]) -> None:
        self.changes: dict[str, list[Change]] = defaultdict(list)
        self.links: dict[Pair, list[Change]] = {}
        self.said: dict[Pair, list[Said]] = defaultdict(list)
        self.written_at: dict[str, int] = {}
        self.moves: list[dict[str, Any]] = []
        self.panels: dict[int, list[dict[str, Any]]] = {}
        self.here: dict[int, str] = {}
        self.visits: dict[str, list[int]] = defaultdict(list)
        self.mentions: dict[str, list[Span]] = defaultdict(list)
        self.aims: dict[int, dict[str, Any]] = {}
        self.starts: list[str] = []
        self.found_as: dict[str, tuple[int, str]] = {}  # the step that first found an entity, and the name it had there
        self.known_at: dict[str, int] = {}  # the step that settled an entity's name
        self.counted: list[tuple[int, int]] = []  # by step: how many names were found so far, or entities, once they are merged
        self.reached: list[str] = []
        self.stands: dict[Pair, int] = {}  # since which step it is known that an entity stands in a segment
        self.settled: int | None = None  # the step from which names that mean the same are one entity
        self.weighed: dict[int, list[str]] = {}
        self._names = names
        self._all_names: set[str] = set()
        self._id_of = id_of
        self._trace = trace
        self._ends: dict[str, Pair] = {}
        self._merged: int | None = None  # the step that merged the relations
        self._numbers = numbers
        self._here = ""
        self._segment = Span(0, 0)
        self._groups: dict[str, list[Row]] = defaultdict(list)
        self._wrote: set[str] = set()  # the refs of what this step wrote
        for step in trace.steps:
            self._step(step)
        self._replace()

    @property
    def walked(self) -> list[str]:
        """The entities of the walk in order: those of the question, then those it reached."""
        return list(dict.fromkeys([*self.starts, *self.reached]))

    def _step(self, step: Step) -> None:
        self._groups = defaultdict(list)
        self._wrote = set()
        for entity_id in [entity_id for entity_id, changes in self.changes.items() if changes[-1][1] == "named"]:
            self._turn(step, entity_id, "found")
        act = self._build if step.phase == BUILD else self._walk
        for event in self._trace.of(step):
            if isinstance(event, Looked):
                self._segment = next(iter(event.spans), Span(0, 0))
                if step.phase == BUILD and (node := self._segment_node()):
                    self.here[step.number] = node
            elif isinstance(event, (Chose, Wrote)):
                act(step, event)
        if step.phase != BUILD:
            self._stand(step)
        self.panels[step.number] = list(self._panel())
        count = len(self.known_at) or len(self._all_names)
        if count != (self.counted[-1][1] if self.counted else 0) or self.settled == step.number:
            self.counted.append((step.number, count))

    def _build(self, step: Step, event: Chose | Wrote) -> None:
        if isinstance(event, Wrote):
            self._wrote.add(refs.wrote(event.n))
            self.written_at[refs.wrote(event.n)] = step.number
            if event.role == "entity":
                self._born(step, str(event.n), event)
            return
        match event.action:
            case "find":
                for name in event.among:
                    entity_id = self._id_of(name)
                    self._turn(step, entity_id, "named")
                    self.found_as.setdefault(entity_id, (step.number, name))
                    self._all_names.add(key(name))
                    self._mentioned(entity_id, name)
                    self._stood(step, entity_id, self._segment_node())
                    self._row(f"find {event.because}", "", name, id=entity_id)
            case "relate":
                self._relate(step, event)
            case "keep" | "drop_question":
                kept = event.action == "keep"
                self._row("question", "+" if kept else "✕", event.picked, note=shortened(event.because), struck=not kept)
            case "drop":
                self._row("drop", "✕", self._called(event.picked), note=event.because, struck=True)
            case "place":
                for ref in event.among:
                    self._stood(step, refs.node_id(event.picked), segment_node(self._numbers[ref]))
            case "same":
                entity_id = refs.node_id(event.picked)
                self._row("same", "+", self._called(event.picked), text=" = ".join(event.among), id=entity_id)
            case "link":
                a, b = (refs.node_id(ref) for ref in event.among[:2])
                self._ends[event.picked] = (a, b)
                self._merged = step.number
                self._linked(step, a, b)
                self._say(step, pair_of(a, b), event.picked)
                if event.picked in self._wrote:
                    self._row("fuse", "+", self._called(event.picked), text=self._words(event.picked), refs=[event.picked])

    def _say(self, step: Step, pair: Pair, ref: str) -> None:
        """Set what is said of a pair, each text once."""
        if all(other != ref for _, other, *_ in self.said[pair]):
            self.said[pair].append((self._words(ref), ref, step.number, None))

    def _replace(self) -> None:
        """Once the graphs are one, only its relations are said."""
        linked = {(pair_of(*ends), ref) for ref, ends in self._ends.items()}
        for pair, said in self.said.items() if self._merged is not None else ():
            said[:] = [(words, ref, since, None if (pair, ref) in linked else self._merged) for words, ref, since, _ in said]

    def _relate(self, step: Step, event: Chose) -> None:
        a, b = (self._id_of(name) for name in event.among[:2])
        self._found(step, a)
        self._found(step, b)
        self._linked(step, a, b)
        self._say(step, pair_of(a, b), event.picked)
        self._row("relate", "–", " – ".join(event.among[:2]), text=self._words(event.picked), id=a, refs=[event.picked])

    def _walk(self, step: Step, event: Chose | Wrote) -> None:
        if isinstance(event, Wrote):
            return
        entity_id = refs.node_id(event.picked)
        match event.action:
            case "start":
                self.starts.append(entity_id)
                self._here = self._here or entity_id
                self._turn(step, entity_id, "start")
                self._row("start", "◆", self._called(event.picked), id=entity_id)
            case "drop":
                self._row("drop", "✕", self._called(event.picked), note=event.because, struck=True)
            case "consider":
                self._consider(step, event)
            case "expand":
                self._expand(step, event)
            case "revise":
                self._revise(step, [refs.node_id(ref) for ref in event.among])
            case "add":
                self._aim(step, event.picked)
            case "filter" if (span := refs.span(event.picked)) and step.number in self.aims:
                self.aims[step.number]["spans"] = [one for one in self.aims[step.number]["spans"] if one != list(span)]

    def _consider(self, step: Step, event: Chose) -> None:
        (far,) = (refs.node_id(ref) for ref in event.among[:1])
        self.weighed.setdefault(step.number, []).append(far)
        self._turn(step, far, "candidate")
        rows = {row["relation"]: row for row in self._groups["weighed"]}
        about = {"relation": event.picked, "refs": [event.picked], "id": far}
        row = rows.get(event.picked) or self._row("weighed", "", self._called(event.picked), **about)
        row |= {"text": self._words(event.picked), "score": float(event.because)}  # weighed again, it has its last score
        pair = self._ends.get(event.picked)
        if pair:
            self._mark(step, pair, "weighed")

    def _expand(self, step: Step, event: Chose) -> None:
        (far,) = (refs.node_id(ref) for ref in event.among[:1])
        for row in self._groups["weighed"]:
            if row.get("relation") == event.picked:
                row |= {"mark": "→", "picked": True}
        a, b = self._ends.get(event.picked, (far, far))
        hop = any("hop" in name for name in step.names)
        number = len({move["step"] for move in self.moves} | {step.number}) if hop else len(self.moves) + 1
        near = b if far == a else a
        words = self._words(event.picked)
        self.moves.append({"start": near, "end": far, "label": str(number), "step": step.number, "words": words})
        self._here = far
        self.reached.append(far)
        self._turn(step, far, "taken")
        self._mark(step, pair_of(a, b), "taken")

    def _revise(self, step: Step, now: Sequence[str]) -> None:
        before = [entity_id for entity_id, changes in self.changes.items() if changes[-1][1] in ("start", "taken")]
        self.reached += now
        self._here = now[-1] if now else self._here
        for entity_id in before:
            if entity_id not in now:
                self._turn(step, entity_id, "left")
        for entity_id in now:
            if entity_id not in before:
                self._turn(step, entity_id, "taken")
                self._here = entity_id
            self._row("revise", "◆", self._called(refs.wrote(entity_id)), id=entity_id)

    def _aim(self, step: Step, ref: str) -> None:
        """The segments just added, which are shown raw next; the text goes to the first one."""
        if span := refs.span(ref):
            self.aims.setdefault(step.number, {"spans": [], "fresh": True})["spans"].append(list(span))

    def _stand(self, step: Step) -> None:
        """Set where the walk is: at the entity taken last, otherwise at the question's first entity. Earlier candidates no longer
        count."""
        weighed = self.weighed.get(step.number, [])
        for at, before in list(self.weighed.items()):
            if at < step.number:
                for entity_id in before:
                    if entity_id not in weighed and self.changes[entity_id][-1][1] == "candidate":
                        self._turn(step, entity_id, "found")
        self._aimed(step)
        if self._here:
            self.here[step.number] = self._here
            self.visits[self._here].append(step.number)
        elif (aim := self.aims.get(step.number)) and (number := self._numbers.get(refs.place(*aim["spans"][0]))):
            self.here[step.number] = segment_node(number)

    def _aimed(self, step: Step) -> None:
        """Say what the step added, of what was not put out again; otherwise the text stays where the step before went."""
        if not self.aims.get(step.number, {}).get("spans"):
            self.aims.pop(step.number, None)
            if before := self.aims.get(step.number - 1):
                self.aims[step.number] = {**before, "fresh": False}
        if aim := self.aims.get(step.number):
            names = listed_by_number((self._called(refs.place(*span)) for span in aim["spans"]), "segment")
            aim["words"] = f"+ {names} · added here" if aim["fresh"] else f"{names} · added before"

    def _turn(self, step: Step, entity_id: str, state: str) -> None:
        changes = self.changes[entity_id]
        if not changes or changes[-1][1] != state:
            changes.append((step.number, state))

    def _found(self, step: Step, entity_id: str) -> None:
        if entity_id not in self.changes:
            self._turn(step, entity_id, "found")

    def _born(self, step: Step, entity_id: str, event: Wrote) -> None:
        self._settle(step)
        self._found(step, entity_id)
        self.known_at[entity_id] = step.number
        self.mentions[entity_id] = sorted(_lines(event))

    def _settle(self, step: Step) -> None:
        """From the first entity that is written on, names that have no entity of their own are gone."""
        if self.settled is None:
            self.settled = step.number
            for node_id in [node_id for node_id in self.changes if node_id.startswith(UNSETTLED)]:
                self._turn(step, node_id, "hidden")

    def _segment_node(self) -> str:
        number = self._numbers.get(refs.place(*self._segment))
        return segment_node(number) if number else ""

    def _stood(self, step: Step, entity_id: str, segment: str) -> None:
        if segment:
            self.stands.setdefault((entity_id, segment), step.number)

    def _mentioned(self, entity_id: str, name: str) -> None:
        """Set where a name is mentioned in the segment, until an entity is written that knows its mentions."""
        if entity_id.startswith(UNSETTLED):
            segment = self._trace.document.at(self._segment)
            self.mentions[entity_id] += [span for mention in occurrences(segment, name) for span in mention.spans]

    def _linked(self, step: Step, a: str, b: str) -> None:
        if a != b:
            self.links.setdefault(pair_of(a, b), [(step.number, "there")])

    def _mark(self, step: Step, pair: Pair, state: str) -> None:
        if pair[0] != pair[1]:
            self.links.setdefault(pair_of(*pair), [(step.number, "there")]).append((step.number, state))

    def _row(self, group: str, mark: str, name: str, **about: Any) -> Row:
        row: Row = {"mark": mark, "name": name, **about}
        self._groups[group].append(row)
        return row

    def _called(self, ref: str) -> str:
        return self._names.get(ref, ref)

    def _words(self, ref: str) -> str:
        number = refs.written(ref)
        return self._trace.wrote[number].text if number in self._trace.wrote else ""

    def _panel(self) -> Iterator[dict[str, Any]]:
        for group in HEADS:
            if rows := self._groups.get(group):
                if group.startswith("find"):
                    yield {"head": HEADS[group], "count": len(rows), "chips": rows}
                    continue
                if group == "weighed":
                    _score(rows)
                kept = [row for row in rows if row.get("picked")]
                shown = [*kept, *(row for row in rows if not row.get("picked"))][:ROWS]
                yield {"head": HEADS[group], "count": len(rows), "rows": shown, "more": len(rows) - len(shown)}


def _score(rows: Sequence[Row]) -> None:
    """Give each relation that was weighed its score, and a word for how clear it was that it was followed or not."""
    words = in_words([row["score"] for row in rows], {number for number, row in enumerate(rows) if row.get("picked")})
    for row, note in zip(rows, words, strict=True):
        row["note"] = note


def _lines(wrote: Wrote) -> Iterator[Span]:
    """The span in the document of each line of an entity's text: its mentions, which may be broken over two lines there."""
    at = 0
    for line in wrote.text.split("\n"):
        here = [piece for piece in wrote.pieces if at <= piece.start < at + len(line) and piece.origin == DOCUMENT]
        if here:
            yield Span(here[0].begin, here[-1].stop)
        at += len(line) + 1
