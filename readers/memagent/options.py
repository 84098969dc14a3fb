"""MemAgent's options, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass

from readers.engine.models.tokenizer_files import PublishedOptions
from readers.engine.prompts.options import Preset, option


@dataclass(frozen=True)
class MemAgentOptions(PublishedOptions):
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32)
    memory_tokens: int = option(1024, "The longest memory, in tokens. Under 256, the paper's readings suffer.", lowest=32)
    stop_after_unchanged: int = option(
        0, "Stop reading after this many chunks in a row that leave the memory unchanged; 0 reads to the end.", lowest=0
    )
    as_published: bool = option(
        False,
        "Send what the published checkpoints were trained on: each prompt once, texts unchanged, memory_tokens as the room of "
        "every reply, and the reply as the memory. Their wording is a prompt set of your own.",
    )
    tokenizer: str = option("", "The path of a checkpoint's tokenizer.json: chunks are then slices of its tokens.")


# How the published checkpoints were trained and are evaluated; `tokenizer` is the user's.
PRESETS: dict[str, Preset] = {
    "as_published": Preset(
        {"chunk_tokens": 5000, "memory_tokens": 1024, "stop_after_unchanged": 0, "as_published": True},
        temperature=0.7,
        top_p=0.95,
    )
}
