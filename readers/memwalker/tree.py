"""Building the tree of summaries, level by level from the segments up to one root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from readers.engine.run.bounded_memory import end_within
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Text
from readers.memwalker import sections
from readers.memwalker.options import MemWalkerOptions
from readers.memwalker.prompts import LEAF_SUMMARY, PARENT_SUMMARY

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
    """Build the tree level by level. The summaries of a level are asked for at once. Raises BadOptions if it shall be that of the
    text's headings, and the text has none."""
    if options.tree == "headings":
        return _of_headings(document, desk, options)
    with desk.step("segments"):
        segments = desk.cut(document, sections.segments(document.text, options.segment_tokens))
    with desk.step(FIRST_LEVEL):
        level = _leaves(segments, [None] * len(segments), desk, options)
    while level[0].level == 0 or len(level) > 1:
        with desk.step(f"level {level[0].level + 2}"):
            groups = [tuple(group) for group in sections.even_groups(level, options.max_children)]
            level = _parents(groups, [None] * len(groups), desk, options)
    return level[0]


def _of_headings(document: Document, desk: Desk, options: MemWalkerOptions) -> Node:
    """The tree of the text's own headings. Each level above the leaves records which spans its nodes represent: their parts do
    not follow from their number."""
    planned = sections.plan(document.text, options.segment_tokens, options.max_children)
    below = sections.leaves(planned)
    with desk.step("segments"):
        segments = desk.cut(document, [leaf.span for leaf in below])
    with desk.step(FIRST_LEVEL):
        titles = [_title(document, leaf) for leaf in below]
        made = dict(zip(below, _leaves(segments, titles, desk, options), strict=True))
    for height in range(1, planned.height + 1):
        nodes = sections.at_height(planned, height)
        with desk.step(f"level {height + 1}"):
            desk.cut(document, [node.span for node in nodes])
            groups = [tuple(made[child] for child in node.children) for node in nodes]
            titles = [_title(document, node) for node in nodes]
            made |= zip(nodes, _parents(groups, titles, desk, options), strict=True)
    return made[planned]


def _title(document: Document, node: sections.NodePlan) -> Text | None:
    return document.at(node.title) if node.title else None


def shown(segment: Text, options: MemWalkerOptions) -> Text:
    """A segment as prompts hold it: without the white space that was joined to it over the limit."""
    return segment if tokens.count(segment.text) <= options.segment_tokens else segment.strip()


def _leaves(segments: list[Text], titles: Sequence[Text | None], desk: Desk, options: MemWalkerOptions) -> list[Node]:
    limits = [min(options.summary_limit_tokens, max(LEAST_SUMMARY, tokens.count(segment.text) // 2)) for segment in segments]
    prompt = replace(LEAF_SUMMARY, max_tokens=_room(max(limits)))
    rows = (
        {"segment": shown(segment, options), "limit": _in_words(limit)} for segment, limit in zip(segments, limits, strict=True)
    )
    replies = desk.ask_all(prompt, rows)
    return [
        Node(_write(desk, title, _leaf_summary(desk, reply, segment, limit)), 0, segment=segment)
        for segment, title, reply, limit in zip(segments, titles, replies, limits, strict=True)
    ]


def _leaf_summary(desk: Desk, reply: Got | Unread, segment: Text, limit: int) -> Text:
    """The summary from a reply, cut at a sentence end if it is over the limit; or the first sentences, on record."""
    if isinstance(reply, Unread):
        desk.choose("fallback", "first sentences", because=f"no summary could be read: {reply.problems[-1]}")
        return segment[: split.opening(segment.text)].strip() or segment
    whole = split.segments(reply.text, limit)[0]
    if whole.end < len(reply):
        desk.choose("truncate", f"{whole.end} of {len(reply)} characters", because=f"the summary was over {limit} tokens")
    return reply[: whole.end].strip()


def _write(desk: Desk, title: Text | None, summary: Text) -> Text:
    """Write a summary, under the heading of its part if that has one."""
    return desk.write("summary", Text.join(": ", [title, summary]) if title else summary)


def _parents(
    groups: Sequence[tuple[Node, ...]], titles: Sequence[Text | None], desk: Desk, options: MemWalkerOptions
) -> list[Node]:
    """A node above each group, with its heading if it has one."""
    joined = [Text.join("\n\n", (child.summary for child in group)) for group in groups]
    limit = options.summary_limit_tokens
    long = [tokens.count(text.text) > limit for text in joined]
    prompt = replace(PARENT_SUMMARY, max_tokens=_room(limit))
    rows: Iterator[PromptParts] = (
        {
            "summaries": [child.summary for child in group],
            "limit": _in_words(limit),
            "each": _in_words(limit // len(group)),
        }
        for group, too_long in zip(groups, long, strict=True)
        if too_long
    )
    replies = iter(desk.ask_all(prompt, rows))
    parents = []
    for group, title, text, too_long in zip(groups, titles, joined, long, strict=True):
        summary = _parent_summary(desk, next(replies), group, limit) if too_long else text
        level = 1 + max(child.level for child in group)
        parents.append(Node(_write(desk, title, summary), level, children=group))
    return parents


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
