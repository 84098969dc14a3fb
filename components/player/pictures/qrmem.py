"""QRMeM's picture: a growing net of entities and relations, the walk over it, and beside it what was weighed. Pure.

An entity has states by step: `found` (in the text), `named` (in the segment of this step), `start` (the question names it),
`candidate` (a relation to it was weighed), `taken` (the walk reached it), `left` (no longer looked for). Until names from several
segments are merged, each name is a node of its own. While the net is built, most entities are dots. Once the walk begins, only
the walk and what was weighed on it are drawn, with counted stubs for their surroundings; opening a stub, or finding an entity by
its name, shows more. Built on the reader's `view`, so it shows what the run file has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from components.player import graph_layout
from components.player.pictures.qrmem_steps import UNSETTLED, Change, Pair, Story, pair_of
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.qrmem import QRMeM
from readers.qrmem.mentions import key

READER = QRMeM()
MOST = 150
AROUND = 40  # neighbours shown of an unfolded entity
WEIGHED = 8  # candidates of a trial that are drawn with their names
NAMED = 26  # entities with their names on the picture before the walk
LONGEST_LABEL = 20
MEANINGS = {
    "start": "named by the question",
    "taken": "walked to",
    "candidate": "weighed",
    "left": "no longer looked for",
    "named": "named in this segment",
    "found": "found in the text",
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
    """The entities by id, the entity of each name, and the descriptions of the relations of each pair, with their refs once they
    are in the graph."""

    entities: dict[str, DrawnEntity] = field(default_factory=dict)
    by_name: dict[str, str] = field(default_factory=dict)
    said: dict[Pair, list[str]] = field(default_factory=lambda: defaultdict(list))
    refs: dict[Pair, list[str]] = field(default_factory=lambda: defaultdict(list))

    def id(self, name: str) -> str:
        """The entity of a name; a name that no entity has is a node of its own."""
        folded = key(name)
        if folded not in self.by_name:
            self.by_name[folded] = f"{UNSETTLED}{folded}"
            self.entities[f"{UNSETTLED}{folded}"] = DrawnEntity(f"{UNSETTLED}{folded}", (name,))
        return self.by_name[folded]


def draw(trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """The net and the walk so far; None before there is a name or a walk to show."""
    told = READER.view(trace)
    net = _net(told, trace)
    story = Story(trace, READER.names(trace), net.id)
    for pair, words in story.said.items():
        net.said.setdefault(pair, words)
    begun = next((step.number for step in trace.steps if step.phase != BUILD), None)
    if not net.entities and begun is None:
        return None
    around = _around(story.links)
    by_hand = [
        near for entity_id in net.entities if entity_id in opened for near in (entity_id, *around.get(entity_id, ())[:AROUND])
    ]
    shown = _shown(net, story, around, by_hand)
    named = _named(story, around, shown, by_hand)
    graph = _graph(net, story, shown, named)
    if begun is not None:
        _stubs(graph, net, around, [entity_id for entity_id in story.walked if entity_id in named], begun)
    _connect(graph, story, named, begun)
    graph_layout.lay_out_net(graph, _spine(story))
    return graph_layout.picture(
        graph,
        caption="The entities it walked over" if story.walked else "The entities and their relations",
        hint="in circles: the order of the walk" if story.moves else "",
        here=[story.here.get(step.number) for step in trace.steps],
        meanings=MEANINGS,
        note=f"{len(net.entities):,} in all; find one by its name." if len(net.entities) > len(named) else "",
        names={entity_id: entity.name for entity_id, entity in net.entities.items()},
        texts={entity_id: ", ".join(entity.found[1:]) for entity_id, entity in net.entities.items() if len(entity.found) > 1},
        parents={},
        panels={step: groups for step, groups in story.panels.items() if groups},
        cards={entity_id: _card(net.entities[entity_id], net, around, story.mentions[entity_id]) for entity_id in shown},
    ) | {"kind": "net"}


def _net(told: Mapping[str, Any], trace: Trace) -> Net:
    net = Net()
    for event in trace.decisions("same"):  # also names that occur only inside longer ones and are not mentions
        net.by_name.update((key(name), refs.node_id(event.picked)) for name in event.among)
    for entity in told["entities"]:
        entity_id = str(entity["id"])
        found = tuple(dict.fromkeys([entity["name"], *entity["mentions"]]))
        net.entities[entity_id] = DrawnEntity(entity_id, found, entity["source"])
        net.by_name.update((key(name), entity_id) for name in found)
    for relation in told["relations"]:
        pair = pair_of(str(relation["a"]), str(relation["b"]))
        net.said[pair].append(relation["text"])
        net.refs[pair].append(refs.wrote(relation["id"]))
    return net


def _around(links: Iterable[Pair]) -> dict[str, list[str]]:
    """The neighbours of every entity, in the order of their relations."""
    around: dict[str, list[str]] = defaultdict(list)
    for a, b in links:
        around[a].append(b)
        around[b].append(a)
    return around


def _shown(net: Net, story: Story, around: Mapping[str, Sequence[str]], by_hand: Sequence[str]) -> list[str]:
    """The entities that are drawn, in order: all of a small net; otherwise the walk, what was weighed, and what was opened."""
    if len(net.entities) <= MOST:
        return list(net.entities)
    walked = [*story.walked, *(entity_id for ids in story.weighed.values() for entity_id in ids[:WEIGHED])]
    often = (
        entity_id for entity_id, _ in Counter({entity_id: len(near) for entity_id, near in around.items()}).most_common(MOST)
    )
    wanted = dict.fromkeys(entity_id for entity_id in (*walked, *by_hand, *often) if entity_id in net.entities)
    return list(wanted)[: MOST + len(by_hand)]


def _named(story: Story, around: Mapping[str, Sequence[str]], shown: Sequence[str], by_hand: Sequence[str]) -> set[str]:
    """The entities drawn with their names; the others are dots, named when pointed at."""
    if len(shown) <= NAMED:
        return set(shown)
    if story.walked:
        return {*story.walked, *(entity_id for ids in story.weighed.values() for entity_id in ids[:WEIGHED]), *by_hand}
    return {*sorted(shown, key=lambda entity_id: -len(around.get(entity_id, ())))[:NAMED], *by_hand}


def _graph(net: Net, story: Story, shown: Iterable[str], named: Set[str]) -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for entity_id in shown:
        entity = net.entities[entity_id]
        name = entity.name if len(entity.name) <= LONGEST_LABEL else entity.name[: LONGEST_LABEL - 1].rstrip() + "…"
        label = name if entity_id in named else ""
        graph.add_node(
            entity_id,
            kind="node" if label else "dot",
            name=entity.name,
            label=label,
            width=graph_layout.label_width(label) if label else graph_layout.DOT,
            row=0,
            span=next(iter(story.mentions[entity_id]), None),
            changes=story.changes[entity_id],
            visits=story.visits.get(entity_id, []),
        )
    return graph


def _stubs(graph: nx.MultiDiGraph[str], net: Net, around: Mapping[str, Sequence[str]], walked: Iterable[str], begun: int) -> None:
    """Once the walk has begun, stubs for the neighbours of its entities that are drawn as dots."""
    for entity_id in walked:
        beyond = sum(near not in graph or not graph.nodes[near]["label"] for near in dict.fromkeys(around.get(entity_id, ())))
        if not beyond:
            continue
        label, name = f"+{beyond}", f"{beyond} more around {net.entities[entity_id].name}"
        about = {"kind": "stub", "label": label, "width": graph_layout.label_width(label), "row": 1, "visits": [], "span": None}
        graph.add_node(f"{entity_id}+", name=name, changes=[(begun, "found")], **about)
        graph.add_edge(entity_id, f"{entity_id}+", kind="relation", changes=[(begun, "there")])


def _spine(story: Story) -> list[list[str]]:
    """The entities of the walk in columns from left to right: those of the question, then each that the walk reached."""
    columns: list[list[str]] = [list(story.starts)]
    for move in story.moves:
        if move["new_column"]:
            columns.append([])
        columns[-1].append(move["end"])
    columns.append(story.revised)
    first = {entity_id: number for number, column in reversed(list(enumerate(columns))) for entity_id in column}
    return [
        [entity_id for entity_id in dict.fromkeys(column) if first[entity_id] == number] for number, column in enumerate(columns)
    ]


def _connect(graph: nx.MultiDiGraph[str], story: Story, named: Set[str], begun: int | None) -> None:
    """The relations between what is drawn, and the moves over them; dots and the relations to them go when the walk begins."""
    for (a, b), changes in story.links.items():
        if a in graph and b in graph:
            until = changes if begun is None or (a in named and b in named) else _until(begun, changes, "")
            graph.add_edge(a, b, kind="relation", changes=until)
    for node in (graph.nodes[entity_id] for entity_id in graph):
        if begun is not None and node["kind"] == "dot":
            node["changes"] = _until(begun, node["changes"], "hidden")
    for move in story.moves:
        if move["start"] in graph and move["end"] in graph:
            about: dict[str, Any] = {"kind": "walk", "label": move["label"], "changes": [(move["step"], "walk")]}
            graph.add_edge(move["start"], move["end"], **about)


def _until(end: int, changes: Iterable[Change], state: str) -> list[Change]:
    """The changes before a step, and a last state from that step on."""
    return [*(change for change in changes if change[0] < end), (end, state)]


def _card(entity: DrawnEntity, net: Net, around: Mapping[str, Sequence[str]], mentions: Sequence[Span]) -> dict[str, Any]:
    """An entity in full: who found it, its names, every mention in the text, and its relations in words."""
    return {
        "by": BY.get(entity.source, ""),
        "names": list(entity.found[1:]),
        "spans": list(mentions),
        "relations": [
            {
                "id": other,
                "name": net.entities[other].name,
                "texts": net.said.get(pair_of(entity.id, other), []),
                "refs": net.refs.get(pair_of(entity.id, other), []),
            }
            for other in dict.fromkeys(around.get(entity.id, ()))
            if other in net.entities
        ],
    }
