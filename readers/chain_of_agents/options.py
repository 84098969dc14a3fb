"""The options of Chain-of-Agents, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from readers.engine.prompts.options import Preset, option


@dataclass(frozen=True)
class ChainOfAgentsOptions:
    worker_tokens: int = option(
        8192, "A worker's window, in tokens: instructions, question, chunk and two messages fit into it.", lowest=128
    )
    message_tokens: int = option(1024, "The longest message from one worker to the next, in tokens.", lowest=32)
    chunk_tokens: int | None = option(
        None, "The longest chunk, in tokens; auto, and the most, is what a worker's window leaves.", lowest=32
    )
    direction: Literal["forward", "backward"] = option(
        "forward", "Which chunk the first worker reads: the first of the text (forward) or the last (backward)."
    )


_PAPER = {"worker_tokens": 8192, "message_tokens": 1024, "chunk_tokens": None}

# Windows of 8k and messages of 1k were used with every model but Gemini Ultra; the second is an ablation.
PRESETS: dict[str, Preset] = {
    "8k": Preset({**_PAPER, "direction": "forward"}, temperature=0.0),
    "8k_right_to_left": Preset({**_PAPER, "direction": "backward"}, temperature=0.0),
}
