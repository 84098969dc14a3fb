"""MemAgent's options, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass

from readers.engine.prompts.options import option


@dataclass(frozen=True)
class MemAgentOptions:
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32)
    memory_tokens: int = option(1024, "The longest memory, in tokens. Under 256, the paper's readings suffer.", lowest=32)
    stop_after_unchanged: int = option(
        0, "Stop reading after this many chunks in a row that leave the memory unchanged; 0 reads to the end.", lowest=0
    )
