"""MemAgent (Yu et al., 2025): read once, front to back, overwriting one bounded memory."""

from readers.memagent.reader import PRESETS, MemAgent, MemAgentOptions

__all__ = ["PRESETS", "MemAgent", "MemAgentOptions"]
