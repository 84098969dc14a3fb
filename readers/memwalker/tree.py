"""Building the tree of summaries, level by level from the segments up to one root."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from readers.engine.prompts.prompt import Prompt
from readers.engine.run.bounded_memory import end_within
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Text
from readers.memwalker import sections
from readers.memwalker.options import MemWalkerOptions
from readers.memwalker.prompts import LEAF_SUMMARY, PARENT_SUMMARY
from readers.memwalker.sections import NodePlan

FIRST_LEVEL = "level 1"
LEAST_SUMMARY = 64  # tokens; no limit on a summary is lower, however short its segment is
SHARES = "the summaries of its parts, each cut to its share"


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the tree: its summary, and its children or (for a leaf) its segment. `level` is 0 for a leaf."""

    summary: Text
    level: int
    children: tuple[Node, ...] = ()
    segment: Text | None = None


def build(document: Document, desk: Desk, options: MemWalkerOptions) -> Node:
    """Build the tree level by level. The summaries of a level are asked for at once, and those of the level above as soon as
    their children are there, in the order of the text. Raises BadOptions if it shall be the tree of the text's headings, and the
    text has none; each level of that records which spans its nodes represent, for they do not follow from their number."""
    by_headings = options.tree == "headings"
    if by_headings:
        root = sections.plan(document.text, options.segment_tokens, options.max_children)
    else:
        root = sections.even_plan(sections.segments(document.text, options.segment_tokens), options.max_children)
    leaves, *parents = sections.levels(root)
    made: dict[NodePlan, Node] = {}
    levels = [*(Level(nodes, made, options) for nodes in parents), Level([], made, options)]
    with desk.step("segments"):
        segments = desk.cut(document, [leaf.span for leaf in leaves])
    with desk.step(FIRST_LEVEL):
        _leaves(dict(zip(leaves, segments, strict=True)), document, desk, levels[0])
    for height, (level, above) in enumerate(pairwise(levels), 1):
        with desk.step(f"level {height + 1}"):
            if by_headings:
                desk.cut(document, [node.span for node in level.nodes])
            _parents(level, document, desk, above)
    return made[root]


class Level:
    """The nodes of one height, and which of them are `ready`: whose children are `made`, as all before them. Each has its
    children's summaries, joined, and what is asked to compress them if they are too long."""

    def __init__(self, nodes: Sequence[NodePlan], made: dict[NodePlan, Node], options: MemWalkerOptions) -> None:
        self.nodes = nodes
        self.made = made
        self.options = options
        self.prompt = replace(PARENT_SUMMARY, max_tokens=_room(options.summary_limit_tokens))
        self.ready: list[tuple[NodePlan, Text, PromptParts | None]] = []

    def children(self, node: NodePlan) -> tuple[Node, ...]:
        return tuple(self.made[child] for child in node.children)

    def advance(self) -> Iterator[tuple[Prompt, PromptParts]]:
        """What is to be asked for the nodes that have become ready."""
        limit = self.options.summary_limit_tokens
        while len(self.ready) < len(self.nodes) and all(child in self.made for child in self.nodes[len(self.ready)].children):
            node = self.nodes[len(self.ready)]
            summaries = [child.summary for child in self.children(node)]
            joined = Text.join("\n\n", summaries)
            asked: PromptParts | None = None
            if tokens.count(joined.text) > limit:
                asked = {"summaries": summaries, "limit": _in_words(limit), "each": _in_words(limit // len(summaries))}
            self.ready.append((node, joined, asked))
            if asked:
                yield self.prompt, asked


def shown(segment: Text, options: MemWalkerOptions) -> Text:
    """A segment as prompts hold it: without the white space that was joined to it over the limit."""
    return segment if tokens.count(segment.text) <= options.segment_tokens else segment.strip()


def _leaves(segments: Mapping[NodePlan, Text], document: Document, desk: Desk, above: Level) -> None:
    """The leaves, each over its segment."""
    options, leaves = above.options, list(segments)
    limits = [
        min(options.summary_limit_tokens, max(LEAST_SUMMARY, tokens.count(segment.text) // 2)) for segment in segments.values()
    ]
    rows = (
        {"segment": shown(segment, options), "limit": _in_words(limit)}
        for segment, limit in zip(segments.values(), limits, strict=True)
    )

    def summarised(number: int, reply: Got | Unread) -> Iterator[tuple[Prompt, PromptParts]]:
        leaf = leaves[number]
        summary = _leaf_summary(desk, reply, segments[leaf], limits[number])
        above.made[leaf] = Node(_write(document, desk, leaf, summary), 0, segment=segments[leaf])
        return above.advance()

    desk.ask_all(replace(LEAF_SUMMARY, max_tokens=_room(max(limits))), rows, ahead=summarised)


def _leaf_summary(desk: Desk, reply: Got | Unread, segment: Text, limit: int) -> Text:
    """The summary from a reply, cut at a sentence end if it is over the limit; or the first sentences, on record."""
    if isinstance(reply, Unread):
        desk.choose("fallback", "first sentences", because=f"no summary could be read: {reply.problems[-1]}")
        return segment[: split.opening(segment.text)].strip() or segment
    whole = split.segments(reply.text, limit)[0]
    if whole.end < len(reply):
        desk.choose("truncate", f"{whole.end} of {len(reply)} characters", because=f"the summary was over {limit} tokens")
    return reply[: whole.end].strip()


def _write(document: Document, desk: Desk, node: NodePlan, summary: Text) -> Text:
    """Write a summary, under the heading of its part if that has one."""
    return desk.write("summary", Text.join(": ", [document.at(node.title), summary]) if node.title else summary)


def _parents(level: Level, document: Document, desk: Desk, above: Level) -> None:
    """The nodes of a level, whose children are all there."""
    for _ in level.advance():
        pass
    left = iter(level.ready)

    def add(node: NodePlan, summary: Text) -> None:
        level.made[node] = Node(_write(document, desk, node, summary), node.height, level.children(node))

    def compressed(_: int, reply: Got | Unread) -> Iterator[tuple[Prompt, PromptParts]]:
        for node, joined, asked in left:
            if asked:
                add(node, _parent_summary(desk, reply, level.children(node), level.options.summary_limit_tokens))
                return above.advance()
            add(node, joined)
        raise AssertionError("unreachable")

    desk.ask_all(level.prompt, [asked for _, _, asked in level.ready if asked], ahead=compressed)
    for node, joined, _ in left:
        add(node, joined)


def _parent_summary(desk: Desk, reply: Got | Unread, group: Sequence[Node], limit: int) -> Text:
    """The summary from a reply. One over the limit would have to lose its end, and with it the last children: the
    children's own summaries take its place, each cut to its share, on record; so they do if no summary could be read."""
    if isinstance(reply, Got) and tokens.count(reply.text) <= limit:
        return reply
    if isinstance(reply, Got):
        why = f"the summary of {len(group)} parts had {tokens.count(reply.text)} tokens, and there is room for {limit}"
    else:
        why = f"no summary could be read: {reply.problems[-1]}"
    desk.choose("fallback", SHARES, because=why)
    share = max(1, limit // len(group) - 1)
    cut = (child.summary[: end_within(child.summary.text, share)].strip() for child in group)
    return Text.join("\n\n", cut)


def _in_words(limit: int) -> Text:
    return Text(str(tokens.in_words(limit)))


def _room(limit: int) -> int:
    """Room for a reply a quarter longer, so that an overlong reply is noticed."""
    return limit * 5 // 4
