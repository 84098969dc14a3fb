"""The parts of the tree: segments and even groups of consecutive parts; or the text's own headings, a node for each section with
its parts below it. Pure.

A section without sections in it is a leaf, or is cut into segments if it is over the limit. A section with only one part is that
part. If there are more parts than a node may have, consecutive parts are grouped evenly. Not here: summaries (`tree.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from readers.engine.errors import BadOptions
from readers.engine.text import headings, split
from readers.engine.text.document import Span
from readers.engine.text.headings import Section

_Item = TypeVar("_Item")
NONE_FOUND = (
    "this text has no headings that can be told from its lines: headings of Markdown, such as “# Title”, or lines that stand "
    "alone and begin with “Chapter”, “Part” or a number. Set tree to even, or add headings"
)


def segments(text: str, limit: int) -> list[Span]:
    """Spans of at most `limit` tokens without counting white space: a span of only white space is joined to the one before it, or
    to the next at the very start."""
    found: list[Span] = []
    for span in split.segments(text, limit):
        blank = text[span.start : span.end].isspace()
        if found and (blank or text[found[-1].start : found[-1].end].isspace()):
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


def even_groups(items: Sequence[_Item], most: int) -> Iterator[Sequence[_Item]]:
    """Consecutive groups of at most `most`, as few as possible; their sizes differ by at most one."""
    return grouped(items, -(-len(items) // most))


def grouped(items: Sequence[_Item], groups: int) -> Iterator[Sequence[_Item]]:
    """So many consecutive groups, as even as possible."""
    for number in range(groups):
        yield items[number * len(items) // groups : (number + 1) * len(items) // groups]


@dataclass(frozen=True, eq=False)
class NodePlan:
    """A node to be made: its span, the span of its title if it has one, and its children. `height` is 0 for a leaf."""

    span: Span
    title: Span | None
    children: tuple[NodePlan, ...] = ()
    height: int = 0


def plan(text: str, limit: int, most: int) -> NodePlan:
    """The tree of a text: leaves of at most `limit` tokens, and at most `most` children below a node. Raises BadOptions if the
    text has no headings."""
    found = headings.headings(text)
    parts = headings.sections(text, found)
    if not parts:
        raise BadOptions(NONE_FOUND)
    root = _node(Section(Span(0, len(text)), None, parts), text, limit, most)
    return root if root.children else _above((root,), None, most)


def even_plan(spans: Sequence[Span], most: int) -> NodePlan:
    """A tree above these leaves, level by level, in even groups of at most `most`; with one leaf there is a root above it."""
    level = [NodePlan(span, None) for span in spans]
    while len(level) > 1 or level[0].height == 0:
        groups = [tuple(group) for group in even_groups(level, most)]
        height = level[0].height + 1
        level = [NodePlan(Span(group[0].span.start, group[-1].span.end), None, group, height) for group in groups]
    return level[0]


def levels(root: NodePlan) -> list[list[NodePlan]]:
    """The nodes of each height, in order, from the leaves up."""
    found: list[list[NodePlan]] = [[] for _ in range(root.height + 1)]

    def add(node: NodePlan) -> None:
        for child in node.children:
            add(child)
        found[node.height].append(node)

    add(root)
    return found


def _node(section: Section, text: str, limit: int, most: int) -> NodePlan:
    if section.parts:
        children = tuple(_node(part, text, limit, most) for part in section.parts)
    else:
        start = section.span.start
        spans = segments(text[start : section.span.end], limit)
        children = tuple(NodePlan(Span(start + span.start, start + span.end), None) for span in spans)
    if len(children) == 1:
        (only,) = children
        return NodePlan(section.span, section.title or only.title, only.children, only.height)
    return _above(children, section.title, most)


def _above(children: Sequence[NodePlan], title: Span | None, most: int) -> NodePlan:
    """A node above these, with groups between if there are too many."""
    while len(children) > most:
        groups = even_groups(children, most)
        children = [group[0] if len(group) == 1 else _above(group, None, most) for group in groups]
    span = Span(children[0].span.start, children[-1].span.end)
    return NodePlan(span, title, tuple(children), 1 + max(child.height for child in children))
