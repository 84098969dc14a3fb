"""MemWalker's options, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from readers.engine.prompts.options import Preset, option


@dataclass(frozen=True)
class MemWalkerOptions:
    segment_tokens: int = option(
        1000, "The longest segment, in tokens; each becomes a leaf of the tree.", lowest=32, title="Longest segment, in tokens"
    )
    tree: Literal["even", "headings"] = option(
        "even",
        "What is below what: even groups of segments, or the text's own headings with the sections under each.",
        title="What is below what",
        names={"even": "Even groups", "headings": "The text’s headings"},
    )
    max_children: int = option(8, "The most parts under one node.", lowest=2, title="Most parts under a node")
    summary_limit_tokens: int = option(
        1000, "Joined summaries are compressed if they are longer than this.", lowest=32, title="Longest joined summaries"
    )
    working_memory: Literal["path", "visited", "off"] = option(
        "path",
        "What is carried along: the summaries on the path from the root, those of every node visited, or nothing.",
        title="What is carried along",
        names={"path": "Way from the root", "visited": "All nodes visited", "off": "Nothing"},
    )
    reasoning: bool = option(True, "Ask the model for its reasoning before each decision.", title="Reasons before decisions")
    max_steps: int | None = option(
        None,
        "The most nodes visited in one walk; auto is four times the depth of the tree, plus eight.",
        lowest=1,
        title="Most nodes visited",
    )


# The settings of the paper's three data sets (section 4.2).
PRESETS: dict[str, Preset] = {
    "QuALITY": Preset({"segment_tokens": 1000, "max_children": 8}),
    "SummScreenFD": Preset({"segment_tokens": 1000, "max_children": 5}),
    "GovReport": Preset({"segment_tokens": 1200, "max_children": 8}),
}
