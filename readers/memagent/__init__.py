"""MemAgent (Yu et al., 2025): read once, front to back, overwriting one bounded memory."""

from readers.memagent.options import PRESETS, MemAgentOptions
from readers.memagent.reader import MemAgent

__all__ = ["PRESETS", "MemAgent", "MemAgentOptions"]
