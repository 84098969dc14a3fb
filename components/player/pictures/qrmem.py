"""QRMeM's picture: its walk trial by trial (`qrmem_walk.py`), the net that it is a walk over, and beside them what was found and
weighed at each step. Pure.

In the net, segments and entities are nodes. Segments keep their places in the order of the text, and entities lie near those they
stand in. A segment is `found`, `shown` (in view) or `left` (out of view again). An entity is `found` (in the text), `named` (in
the segment of this step), `start` (the question names it), `candidate` (a relation to it was weighed), `taken` (the walk reached
it) or `left` (no longer looked for). Nothing is there before its step: until names that mean the same are merged, each is a node
of its own, and what is counted is what was found so far. It is made from the reader's state, as its `view` is, so it shows what
the run file has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from components.player import graph_layout
from components.player.pictures.qrmem_steps import UNSETTLED, Pair, Story, pair_of, segment_node
from components.player.pictures.qrmem_walk import CAPTION, IN_VIEW, WalkBands
from readers.engine import on_first_use
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
from readers.engine.text.phrases import counted
from readers.engine.text.shorten import shorten_at_word
from readers.engine.text.words import rarity, words
from readers.qrmem.mentions import key
from readers.qrmem.state import QRMeMState

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = on_first_use.module("networkx")

MOST = 150
WEIGHED = 4  # entities to which relations were weighed at a trial, and that are drawn of a large net, the best first
AROUND = 40  # neighbours shown of an unfolded entity
LONGEST_LABEL, SHORT = 20, 24  # characters of a name in its box, and of a relation's words on its line
WIDER = 10  # pixels of a name's box beside its letters, so that no other font breaks it into lines
MEANINGS = {
    "found": "found in the text",
    "named": "named in this segment",
    "shown": "segment in view",
    "start": "named by the question",
    "taken": "walked to",
    "candidate": "weighed",
    "left": "out of view, or no longer looked for",
}
BY = {"model": "found by the model", "rules": "found by rules", "both": "found by the model and by rules"}


@dataclass(frozen=True)
class DrawnEntity:
    """One node of the net. `found` are the names of its mentions, its own name first."""

    id: str
    found: tuple[str, ...]
    source: str = ""

    @property
    def name(self) -> str:
        return self.found[0]


@dataclass
class Net:
    """The nodes of entities by id, and the node of each name while the graph is built."""

    entities: dict[str, DrawnEntity] = field(default_factory=dict)
    apart: dict[str, str] = field(default_factory=dict)

    def before(self, name: str) -> str:
        """The node of a name before names were merged: that of the entity which is called so, or one of its own."""
        folded = key(name)
        if folded not in self.apart:
            self.apart[folded] = f"{UNSETTLED}{folded}"
            self.entities[f"{UNSETTLED}{folded}"] = DrawnEntity(f"{UNSETTLED}{folded}", (name,))
        return self.apart[folded]


def draw(trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """The net and the walk so far; None before the text is cut."""
    state = QRMeMState.of(trace)
    net = _net(state)
    story = Story(trace, state.called, net.before, state.numbers)
    if not state.numbers:
        return None
    walk = WalkBands(state)
    around = _around(story.links)
    by_hand = [
        near for entity_id in net.entities if entity_id in opened for near in (entity_id, *around.get(entity_id, ())[:AROUND])
    ]
    shown = _shown(net, story, around, by_hand)
    graph = _graph(net, story, shown)
    places = _add_segments(graph, state, story, walk)
    _connect(graph, net, story)
    graph_layout.lay_out_net(graph, places)
    settled = [node_id for node_id in net.entities if not node_id.startswith(UNSETTLED)] or list(net.entities)
    return graph_layout.picture(
        graph,
        caption="The entities and their relations",
        view_caption=CAPTION,
        walk_caption=walk.caption,
        walk_from=walk.from_step,
        here=[story.here.get(step.number) for step in trace.steps],
        meanings=MEANINGS,
        notes=[(step, _count(count, step, story)) for step, count in story.counted],
        counts=story.counted,
        names={node_id: net.entities[node_id].name for node_id in settled},
        found_at={node_id: story.changes[node_id][0][0] for node_id in settled if story.changes.get(node_id)},
        texts={node_id: ", ".join(found[1:]) for node_id in settled if len(found := net.entities[node_id].found) > 1},
        parents={},
        segments=_segments(state, walk),
        bands=walk.bands,
        aims=story.aims,
        panels={step: groups for step, groups in story.panels.items() if groups},
        cards={entity_id: _card(net.entities[entity_id], net, around, story) for entity_id in shown},
    ) | {"kind": "net"}


def _segments(state: QRMeMState, walk: WalkBands) -> list[dict[str, Any]]:
    """The axis of the walk: every segment with its place, and since when it is in view or out of it again."""
    return [
        {
            "number": number,
            "name": f"segment {number}",
            "ref": refs.place(*span),
            "span": list(span),
            "changes": walk.segments[number],
        }
        for number, span in zip(state.numbers.values(), state.trace.first_cut, strict=True)
    ]


def _net(state: QRMeMState) -> Net:
    net = Net()
    for entity in state.entities:
        entity_id = entity["id"]
        found = tuple(dict.fromkeys([entity["name"], *entity["mentions"]]))
        net.entities[entity_id] = DrawnEntity(entity_id, found, entity["source"])
        net.apart[key(entity["name"])] = entity_id
    return net


def _around(links: Iterable[Pair]) -> dict[str, list[str]]:
    """The neighbours of every entity, in the order of their relations."""
    around: dict[str, list[str]] = defaultdict(list)
    for a, b in links:
        around[a].append(b)
        around[b].append(a)
    return around


def _shown(net: Net, story: Story, around: Mapping[str, Sequence[str]], by_hand: Sequence[str]) -> list[str]:
    """The entities that are drawn, in order: all of a small net; otherwise the walk, what was weighed, what was opened, what
    has most relations, and then the others as they were found."""
    if len(net.entities) <= MOST:
        return list(net.entities)
    often = (
        entity_id for entity_id, _ in Counter({entity_id: len(near) for entity_id, near in around.items()}).most_common(MOST)
    )
    weighed = [entity_id for ids in story.weighed.values() for entity_id in ids[:WEIGHED]]
    wanted = dict.fromkeys(
        entity_id for entity_id in (*story.walked, *weighed, *by_hand, *often, *net.entities) if entity_id in net.entities
    )
    return list(wanted)[: MOST + len(by_hand)]


def _graph(net: Net, story: Story, shown: Iterable[str]) -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for entity_id in shown:
        entity = net.entities[entity_id]
        label = shorten_at_word(entity.name, LONGEST_LABEL)
        graph.add_node(
            entity_id,
            kind="entity",
            name=entity.name,
            label=label,
            labels=_labels(entity_id, label, story),
            width=graph_layout.label_width(label) + WIDER,
            row=0,
            span=next(iter(story.mentions[entity_id]), None),
            changes=story.changes[entity_id],
            visits=story.visits.get(entity_id, []),
        )
    return graph


def _count(count: int, step: int, story: Story) -> str:
    """How many entities there are at a step; before names are merged, how many names were found."""
    settled = min(story.known_at.values(), default=step + 1) <= step
    return counted(count, "entity") if settled else f"{counted(count, 'name')} found so far"


def _labels(entity_id: str, label: str, story: Story) -> list[tuple[int, str]]:
    """The labels of an entity by step: until its names are merged, the name under which it was found first."""
    found, settled = story.found_as.get(entity_id), story.known_at.get(entity_id)
    if not label or found is None or settled is None:
        return [(next((step for step, _ in story.changes[entity_id]), 0), label)]
    first = shorten_at_word(found[1], LONGEST_LABEL)
    return [(found[0], first), *([(settled, label)] if first != label else [])]


def _add_segments(graph: nx.MultiDiGraph[str], state: QRMeMState, story: Story, walk: WalkBands) -> dict[str, graph_layout.Place]:
    """Add the segments, joined to the entities that stand in them; returns their places, row by row in the order of the text.
    Before the first name is found, or it looks for the answer, there is no net."""
    entities = list(graph)
    steps = state.trace.steps
    looks = next((step.number for step in steps if step.phase != BUILD), len(steps))
    begun = next((step for step, _ in story.counted), looks)
    for number, span in zip(state.numbers.values(), state.trace.first_cut, strict=True):
        states = [(step, "shown" if to == IN_VIEW else "left") for step, to in walk.segments[number]]
        label = str(number)
        graph.add_node(
            segment_node(number),
            kind="segment",
            name=f"segment {number}",
            label=label,
            width=max(graph_layout.HIGH, graph_layout.label_width(label)),
            row=0,
            span=list(span),
            refs=[refs.place(*span)],
            changes=[(begun, "found"), *states],
            visits=[step for step, to in walk.segments[number] if to == IN_VIEW],
        )
    for (entity_id, segment), step in story.stands.items():
        if entity_id in graph and segment in graph:
            graph.add_edge(entity_id, segment, kind="stands", changes=[(step, "there")])
    segments = [segment_node(number) for number in state.numbers.values()]
    return graph_layout.in_rows(segments, [graph.nodes[entity_id]["width"] for entity_id in entities])


def _connect(graph: nx.MultiDiGraph[str], net: Net, story: Story) -> None:
    """The relations between what is drawn, with their words, and the moves over them."""
    for (a, b), changes in story.links.items():
        if a in graph and b in graph:
            said = story.said.get(pair_of(a, b), [])
            made = sorted(
                {story.written_at[ref] for _, ref, *_ in said if ref in story.written_at}
            )  # joined names make nothing new
            about = {"kind": "relation", "changes": changes, "refs": [ref for _, ref, *_ in said], "said": said, "made": made}
            graph.add_edge(a, b, **about, **_short(net, a, b, said[-1][0] if said else ""))
    for move in story.moves:
        a, b = move["start"], move["end"]
        if a in graph and b in graph:
            about = {"kind": "walk", "label": move["label"], "changes": [(move["step"], "walk")]}
            graph.add_edge(a, b, **about, words=move["words"], **_short(net, a, b, move["words"]))


def _short(net: Net, a: str, b: str, said: str) -> dict[str, str]:
    """The words of a relation as they stand on its edge."""
    names = [name for entity_id in (a, b) for name in net.entities[entity_id].found]
    return {"short": short_words(said, names)} if said else {}


def short_words(text: str, names: Iterable[str]) -> str:
    """What a relation says between its two names, in a few words: `made every plank of`. Without names in it, its beginning."""
    line = " ".join(text.split())
    low = line.lower()
    spans: list[tuple[int, int]] = []
    for at, length in sorted((low.find(name.lower()), -len(name)) for name in names if name and name.lower() in low):
        if not spans or at >= spans[-1][1]:
            spans.append((at, at - length))
    between = line[spans[0][1] : spans[1][0]].strip(" ,;:–-") if len(spans) > 1 else ""
    if any(rarity(word) > 0 for word in words(between)):
        return shorten_at_word(between, SHORT)
    rest = line[spans[0][1] :].strip(" ,;:–-.") if spans and spans[0][0] == 0 else line
    return shorten_at_word(rest or line, SHORT).rstrip(".")


def _card(entity: DrawnEntity, net: Net, around: Mapping[str, Sequence[str]], story: Story) -> dict[str, Any]:
    """An entity in full: who found it, its names and the step that settled them, every mention in the text, and its relations in
    words, each with the steps at which that was said."""
    mentions, settled = story.mentions[entity.id], story.known_at.get(entity.id)
    return {
        "by": BY.get(entity.source, ""),
        "names": list(entity.found[1:]),
        "names_from": settled,
        "spans": list(mentions),
        "relations": [
            {
                "id": other,
                "name": net.entities[other].name,
                "said": story.said.get(pair_of(entity.id, other), []),
            }
            for other in dict.fromkeys(around.get(entity.id, ()))
            if other in net.entities
        ],
    }
