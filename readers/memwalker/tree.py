"""Building the tree of summaries, level by level from the segments up to one root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from readers.engine.run.bounded_memory import end_within
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Span, Text
from readers.memwalker.options import MemWalkerOptions
from readers.memwalker.prompts import LEAF_SUMMARY, PARENT_SUMMARY

FIRST_LEVEL = "level 1"
LEAST_SUMMARY = 64  # tokens; no limit on a summary is lower, however short its segment is
SHARES = "the summaries of its parts, each cut to its share"

_Item = TypeVar("_Item")


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the tree: its summary, and its children or (for a leaf) its segment. `level` is 0 for a leaf."""

    summary: Text
    level: int
    children: tuple[Node, ...] = ()
    segment: Text | None = None


def build(document: Document, desk: Desk, options: MemWalkerOptions) -> Node:
    """Build the tree level by level. The summaries of a level are asked for at once."""
    with desk.step("segments"):
        segments = desk.cut(document, _segments(document.text, options.segment_tokens))
    with desk.step(FIRST_LEVEL):
        level = _leaves(segments, desk, options)
    while level[0].level == 0 or len(level) > 1:
        with desk.step(f"level {level[0].level + 2}"):
            level = _parents(level, desk, options)
    return level[0]


def _segments(text: str, limit: int) -> list[Span]:
    """Spans of at most `limit` tokens besides white space: a span of white space alone is joined to the one before it, or to the
    next at the very start."""
    found: list[Span] = []
    for span in split.segments(text, limit):
        blank = text[span.start : span.end].isspace()
        if found and (blank or text[found[-1].start : found[-1].end].isspace()):
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


def shown(segment: Text, options: MemWalkerOptions) -> Text:
    """A segment as prompts hold it: without the white space that was joined to it over the limit."""
    return segment if tokens.count(segment.text) <= options.segment_tokens else segment.strip()


def _leaves(segments: list[Text], desk: Desk, options: MemWalkerOptions) -> list[Node]:
    limits = [min(options.summary_limit_tokens, max(LEAST_SUMMARY, tokens.count(segment.text) // 2)) for segment in segments]
    prompt = replace(LEAF_SUMMARY, max_tokens=_room(max(limits)))
    rows = (
        {"segment": shown(segment, options), "limit": _in_words(limit)} for segment, limit in zip(segments, limits, strict=True)
    )
    replies = desk.ask_all(prompt, rows)
    return [
        Node(_leaf_summary(desk, reply, segment, limit), 0, segment=segment)
        for segment, reply, limit in zip(segments, replies, limits, strict=True)
    ]


def _leaf_summary(desk: Desk, reply: Got | Unread, segment: Text, limit: int) -> Text:
    """Write the summary from a reply, cut at a sentence end if it is over the limit; or the first sentences, on record."""
    if isinstance(reply, Unread):
        desk.choose("fallback", "first sentences", because=f"no summary could be read: {reply.problems[-1]}")
        return desk.write("summary", segment[: split.opening(segment.text)].strip() or segment)
    whole = split.segments(reply.text, limit)[0]
    if whole.end < len(reply):
        desk.choose("truncate", f"{whole.end} of {len(reply)} characters", because=f"the summary was over {limit} tokens")
    return desk.write("summary", reply[: whole.end].strip())


def _parents(level: list[Node], desk: Desk, options: MemWalkerOptions) -> list[Node]:
    groups = list(even_groups(level, options.max_children))
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
    for group, text, too_long in zip(groups, joined, long, strict=True):
        summary = _parent_summary(desk, next(replies), group, limit) if too_long else desk.write("summary", text)
        parents.append(Node(summary, level[0].level + 1, children=tuple(group)))
    return parents


def _parent_summary(desk: Desk, reply: Got | Unread, group: list[Node], limit: int) -> Text:
    """Write the summary from a reply. One over the limit would have to lose its end, and with it the last children: the
    children's own summaries take its place, each cut to its share, on record; so they do if no summary could be read."""
    if isinstance(reply, Got) and tokens.count(reply.text) <= limit:
        return desk.write("summary", reply)
    if isinstance(reply, Got):
        why = f"the summary of {len(group)} parts had {tokens.count(reply.text)} tokens, and there is room for {limit}"
    else:
        why = f"no summary could be read: {reply.problems[-1]}"
    desk.choose("fallback", SHARES, because=why)
    share = max(1, limit // len(group) - 1)
    cut = (child.summary[: end_within(child.summary.text, share)].strip() for child in group)
    return desk.write("summary", Text.join("\n\n", cut))


def _in_words(limit: int) -> Text:
    return Text(str(tokens.in_words(limit)))


def _room(limit: int) -> int:
    """Room for a reply a quarter longer, so that an overlong one is noticed."""
    return limit * 5 // 4


def even_groups(nodes: list[Node], most: int) -> Iterator[list[Node]]:
    """Consecutive groups of at most `most`, as few as possible; their sizes differ by at most one."""
    return grouped(nodes, -(-len(nodes) // most))


def grouped(nodes: list[_Item], groups: int) -> Iterator[list[_Item]]:
    """So many consecutive groups, as even as possible."""
    for number in range(groups):
        yield nodes[number * len(nodes) // groups : (number + 1) * len(nodes) // groups]
