"""Building the tree of summaries, level by level from the segments up to one root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Text
from readers.memwalker.options import MemWalkerOptions
from readers.memwalker.prompts import LEAF_SUMMARY, PARENT_SUMMARY

FIRST_LEVEL = "level 1"
WORDS_KEPT_UNSUMMARISED = 60

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
        segments = desk.cut(document, split.segments(document.text, options.segment_tokens))
    with desk.step(FIRST_LEVEL):
        prompt = replace(LEAF_SUMMARY, max_tokens=options.summary_limit_tokens)
        replies = desk.ask_all(prompt, ({"segment": segment} for segment in segments))
        level = [
            Node(_summary(desk, reply, instead=_opening(segment), limit=options.summary_limit_tokens), 0, segment=segment)
            for segment, reply in zip(segments, replies, strict=True)
        ]
    while level[0].level == 0 or len(level) > 1:
        with desk.step(f"level {level[0].level + 2}"):
            level = _parents(level, desk, options)
    return level[0]


def _parents(level: list[Node], desk: Desk, options: MemWalkerOptions) -> list[Node]:
    groups = list(even_groups(level, options.max_children))
    joined = [Text.join("\n\n", (child.summary for child in group)) for group in groups]
    limit = options.summary_limit_tokens
    long = [tokens.count(text.text) > limit for text in joined]
    prompt = replace(PARENT_SUMMARY, max_tokens=limit)
    rows = ({"summaries": [child.summary for child in group]} for group, too_long in zip(groups, long, strict=True) if too_long)
    replies = iter(desk.ask_all(prompt, rows))
    parents = []
    for group, text, too_long in zip(groups, joined, long, strict=True):
        openings = Text.join(" ", (_opening(child.summary) for child in group))
        summary = _summary(desk, next(replies), instead=openings, limit=limit) if too_long else desk.write("summary", text)
        parents.append(Node(summary, level[0].level + 1, children=tuple(group)))
    return parents


def even_groups(nodes: list[Node], most: int) -> Iterator[list[Node]]:
    """Consecutive groups of at most `most`, as few as possible; their sizes differ by at most one."""
    return grouped(nodes, -(-len(nodes) // most))


def grouped(nodes: list[_Item], groups: int) -> Iterator[list[_Item]]:
    """So many consecutive groups, as even as possible."""
    for number in range(groups):
        yield nodes[number * len(nodes) // groups : (number + 1) * len(nodes) // groups]


def _summary(desk: Desk, reply: Got | Unread, *, instead: Text, limit: int) -> Text:
    """Write the summary from a reply, cut at a sentence end if it is over the limit; or `instead`, recorded as a fallback."""
    if isinstance(reply, Unread):
        desk.choose("fallback", "first sentences", because=f"no summary could be read: {reply.problems[-1]}")
        return desk.write("summary", instead)
    whole = split.segments(reply.text, limit)[0]
    if whole.end < len(reply):
        desk.choose("truncate", f"{whole.end} of {len(reply)} characters", because=f"the summary was over {limit} tokens")
    return desk.write("summary", reply[: whole.end].strip())


def _opening(text: Text) -> Text:
    """The first sentences, about sixty words of them; the whole text if it has no sentence end."""
    end = 0
    for sentence in split.sentences(text.text):
        end = sentence.end
        if len(text.text[:end].split()) >= WORDS_KEPT_UNSUMMARISED:
            break
    return text[:end].strip() or text[:end]
