"""QRMeM's picture: a growing net of entities and relations, the walk over it, and beside it what was weighed. Pure.

An entity has states by step: `found` (in the text), `named` (in the segment of this step), `start` (the question names it),
`candidate` (a relation to it was weighed), `taken` (the walk reached it), `left` (no longer looked for). Until names from several
segments are merged, each name is a node of its own. While the net is built, most entities are dots. Once the walk begins, only
the walk and what is weighed on it are drawn, at places of their own (`qrmem_walk.py`), with counted stubs for their surroundings;
opening a stub, or finding an entity by its name, shows more. It is made from the reader's state, as its `view` is, so it shows
what the run file has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import networkx as nx

from components.player import graph_layout
from components.player.pictures import qrmem_segments, qrmem_walk
from components.player.pictures.qrmem_steps import HEADS, UNSETTLED, Change, Pair, Story, pair_of
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
from readers.engine.text.phrases import counted
from readers.engine.text.shorten import shorten_at_word
from readers.qrmem.mentions import key
from readers.qrmem.state import QRMeMState

MOST = 150
AROUND = 40  # neighbours shown of an unfolded entity
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
    state = QRMeMState.of(trace)
    net = _net(state)
    story = Story(trace, state.called, net.id)
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
    _connect(graph, net, story, named)
    graph_layout.lay_out_net(graph)
    heads: list[dict[str, Any]] = []
    here = [story.here.get(step.number) for step in trace.steps]
    if begun is not None and story.walked:
        heads = _walk(graph, story, by_hand, begun)
        for entity_id in story.walked:
            if "walk" in graph.nodes.get(entity_id, ()):
                _stub(graph, net, around, entity_id, begun)
    elif begun is not None:
        heads, here = _segments(graph, story, state.called, begun, len(trace.steps))
    return graph_layout.picture(
        graph,
        caption="The entities and their relations",
        walk_caption=qrmem_walk.CAPTIONS[story.strategy] if story.walked else qrmem_segments.CAPTION,
        hint=_hint(story),
        here=here,
        meanings=MEANINGS if story.walked or begun is None else qrmem_segments.MEANINGS,
        note="Find an entity by its name." if len(net.entities) > len(named) else "",
        notes=[(step, _count(count, step, story)) for step, count in story.counted],
        names={entity_id: entity.name for entity_id, entity in net.entities.items()},
        texts={entity_id: ", ".join(entity.found[1:]) for entity_id, entity in net.entities.items() if len(entity.found) > 1},
        parents={},
        walks_from=begun,
        heads=heads,
        aims=story.aims,
        panels=_panels(story, begun),
        cards={entity_id: _card(net.entities[entity_id], net, around, story) for entity_id in shown},
    ) | {"kind": "net"}


def _segments(
    graph: nx.MultiDiGraph[str], story: Story, names: Mapping[str, str], begun: int, steps: int
) -> tuple[list[dict[str, Any]], list[str | None]]:
    """Without an entity to walk from, the segments are the picture, and the net is away once the walk begins."""
    for entity_id in list(graph):
        graph.nodes[entity_id]["changes"] = _only_weighed(graph.nodes[entity_id]["changes"], begun)
    return qrmem_segments.add_to(graph, story.segments, names, [story.aims.get(step) for step in range(steps)])


def _panels(story: Story, begun: int | None) -> dict[int, list[dict[str, Any]]]:
    """What the panel below the picture shows at each step; not the segments in view where they are the picture."""
    if story.walked or begun is None:
        return {step: groups for step, groups in story.panels.items() if groups}
    shown = {step: [group for group in groups if group["head"] != HEADS["view"]] for step, groups in story.panels.items()}
    return {step: groups for step, groups in shown.items() if groups}


def _hint(story: Story) -> str:
    if not story.walked:
        return "no entity to walk from: it took similar segments"
    return "numbers: the order of the walk" if story.moves else ""


def _net(state: QRMeMState) -> Net:
    net = Net()
    for event in state.trace.decisions("same"):  # also names that occur only inside longer ones and are not mentions
        net.by_name.update((key(name), refs.node_id(event.picked)) for name in event.among)
    for entity in state.entities:
        entity_id = entity["id"]
        found = tuple(dict.fromkeys([entity["name"], *entity["mentions"]]))
        net.entities[entity_id] = DrawnEntity(entity_id, found, entity["source"])
        net.by_name.update((key(name), entity_id) for name in found)
    for relation in state.relations:
        pair = pair_of(relation["a"], relation["b"])
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
    """The entities that are drawn, in order: all of a small net; otherwise the walk, what was weighed, what was opened, what
    has most relations, and then the others as they were found."""
    if len(net.entities) <= MOST:
        return list(net.entities)
    walked = [*story.walked, *_weighed(story)]
    often = (
        entity_id for entity_id, _ in Counter({entity_id: len(near) for entity_id, near in around.items()}).most_common(MOST)
    )
    wanted = dict.fromkeys(entity_id for entity_id in (*walked, *by_hand, *often, *net.entities) if entity_id in net.entities)
    return list(wanted)[: MOST + len(by_hand)]


def _named(story: Story, around: Mapping[str, Sequence[str]], shown: Sequence[str], by_hand: Sequence[str]) -> set[str]:
    """The entities drawn with their names; the others are dots, named when pointed at."""
    if len(shown) <= NAMED:
        return set(shown)
    hubs = sorted(shown, key=lambda entity_id: -len(around.get(entity_id, ())))[:NAMED]
    return {*hubs, *by_hand, *story.walked, *_weighed(story)}


def _weighed(story: Story) -> list[str]:
    """What is drawn of what was weighed: the best of each step."""
    return [entity_id for ids in story.weighed.values() for entity_id in ids[: qrmem_walk.WEIGHED]]


def _graph(net: Net, story: Story, shown: Iterable[str], named: Set[str]) -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for entity_id in shown:
        entity = net.entities[entity_id]
        label = shorten_at_word(entity.name, LONGEST_LABEL) if entity_id in named else ""
        graph.add_node(
            entity_id,
            kind="node" if label else "dot",
            name=entity.name,
            label=label,
            labels=_labels(entity_id, label, story),
            width=graph_layout.label_width(label) if label else graph_layout.DOT,
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


def _stages(story: Story) -> list[qrmem_walk.WalkStage]:
    """What the walk came to together, in order: the question's own entities, then by move, hop or trial."""
    stages = [qrmem_walk.WalkStage("the question’s own", None, story.starts)]
    if story.strategy == "trial":
        return stages + [qrmem_walk.WalkStage(f"named in {name}", step, ids) for step, name, ids in story.revised]
    if story.strategy == "navigation":
        return stages + [qrmem_walk.WalkStage("", move["step"], [move["end"]]) for move in story.moves]
    for label, moves in groupby(story.moves, key=lambda move: str(move["label"])):
        several = list(moves)
        stages.append(qrmem_walk.WalkStage(f"hop {label}", several[0]["step"], [move["end"] for move in several]))
    return stages


def _walk(graph: nx.MultiDiGraph[str], story: Story, by_hand: Sequence[str], begun: int) -> list[dict[str, Any]]:
    """Give what is drawn during the walk its place there, and hide the rest from then on; returns the heads."""
    weighed = {step: ids[: qrmem_walk.WEIGHED] for step, ids in story.weighed.items()}
    boxes = {entity_id for ids in (story.walked, by_hand, *weighed.values()) for entity_id in ids} & set(graph)
    widest = max((graph.nodes[entity_id]["width"] for entity_id in boxes), default=0.0)
    layout = qrmem_walk.lay_out(_stages(story), weighed, strategy=story.strategy, widest=widest)
    qrmem_walk.beside(layout, by_hand)
    kept = {*story.walked, *by_hand}
    for entity_id in list(graph):
        node = graph.nodes[entity_id]
        if entity_id not in kept:
            node["changes"] = _only_weighed(node["changes"], begun)
        if entity_id in layout.places and node["label"]:
            node |= {"walk": list(layout.places[entity_id]), "opened": entity_id in by_hand}
    return layout.heads


def _stub(graph: nx.MultiDiGraph[str], net: Net, around: Mapping[str, Sequence[str]], entity_id: str, begun: int) -> None:
    """At the right of an entity of the walk, a stub for its neighbours that are not drawn."""
    beyond = sum(near not in graph or "walk" not in graph.nodes[near] for near in dict.fromkeys(around.get(entity_id, ())))
    if not beyond:
        return
    node = graph.nodes[entity_id]
    label, name = f"+{beyond}", f"{beyond} more around {net.entities[entity_id].name}"
    width = graph_layout.label_width(label)
    x, y = node["walk"][0] + (node["width"] + width) / 2 + 3, node["walk"][1]
    about = {"kind": "stub", "label": label, "width": width, "row": 1, "visits": [], "span": None}
    came = next((step for step, state in node["changes"] if step >= begun and state in ("start", "taken")), begun)
    graph.add_node(f"{entity_id}+", name=name, changes=[(came, "found")], x=x, y=y, walk=[x, y], **about)


def _only_weighed(changes: Iterable[Change], begun: int) -> list[Change]:
    """The states of an entity that the walk never reached: once it has begun, it is drawn only while it is weighed."""
    later = [(step, state if state == "candidate" else "hidden") for step, state in changes if step >= begun]
    hidden = [] if later and later[0][0] == begun else [(begun, "hidden")]
    return [*(change for change in changes if change[0] < begun), *hidden, *later]


def _connect(graph: nx.MultiDiGraph[str], net: Net, story: Story, named: Set[str]) -> None:
    """The relations between what is drawn, with their words where both ends are named, and the moves over them."""
    for (a, b), changes in story.links.items():
        if a in graph and b in graph:
            said = net.said.get((a, b), [""])[0] if a in named and b in named else ""
            about = {"kind": "relation", "changes": changes, "refs": story.written.get(pair_of(a, b), [])}
            graph.add_edge(a, b, **about, **_words(net, a, b, said))
    for move in story.moves:
        a, b = move["start"], move["end"]
        if a in graph and b in graph:
            about = {"kind": "walk", "label": move["label"], "changes": [(move["step"], "walk")]}
            graph.add_edge(a, b, **about, **_words(net, a, b, move["words"]))


def _words(net: Net, a: str, b: str, said: str) -> dict[str, str]:
    """The words of a relation, whole and as they stand on its edge."""
    names = [name for entity_id in (a, b) for name in net.entities[entity_id].found]
    return {"words": said, "short": qrmem_walk.short_words(said, names)} if said else {}


def _card(entity: DrawnEntity, net: Net, around: Mapping[str, Sequence[str]], story: Story) -> dict[str, Any]:
    """An entity in full: who found it, its names and the step that settled them, every mention in the text, and its relations in
    words, each with the step that found it."""
    mentions, links, settled = story.mentions[entity.id], story.links, story.known_at.get(entity.id)
    return {
        "by": BY.get(entity.source, ""),
        "names": list(entity.found[1:]),
        "names_from": settled,
        "spans": list(mentions),
        "relations": [
            {
                "id": other,
                "name": net.entities[other].name,
                "from": next((step for step, _ in links.get(pair_of(entity.id, other), ())), 0),
                "texts": net.said.get(pair_of(entity.id, other), []),
                "refs": net.refs.get(pair_of(entity.id, other), []),
            }
            for other in dict.fromkeys(around.get(entity.id, ()))
            if other in net.entities
        ],
    }
