"""The options of recursive reading: what fits into one prompt, and how far it may go."""

from __future__ import annotations

from dataclasses import dataclass

from readers.engine.prompts.options import Preset, option


@dataclass(frozen=True)
class RecursiveOptions:
    slice_tokens: int = option(
        1000,
        "A slice of at most so many tokens is shown raw and answered from directly; at the limit of depth any is.",
        lowest=32,
    )
    depth: int = option(2, "How deep questions may be asked below the whole text.", lowest=1, highest=8)
    max_parts: int = option(8, "The most parts into which a slice is split.", lowest=2, highest=40)
    max_actions: int = option(12, "The most actions in one slice; then it has to answer from what it has seen.", lowest=1)
    max_calls: int | None = option(
        None,
        "The most calls in one reading, without those made again after an unreadable reply; auto is 60, or more where it takes "
        "more to read every slice of the text once.",
        lowest=2,
    )
    peek_tokens: int = option(150, "How many tokens of its slice a peek shows.", lowest=16)
    max_hits: int = option(5, "The most places that a search shows.", lowest=1, highest=50)
    hit_tokens: int = option(60, "How many tokens a search shows of each place.", lowest=16)


# Questions go one level down in the paper's experiments (section 2): those below answer directly.
PRESETS: dict[str, Preset] = {"one_level": Preset({"depth": 1, "max_parts": 20})}
