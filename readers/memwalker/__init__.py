"""MemWalker (Chen et al., 2023): walk down a tree of summaries to the segment that answers."""

from readers.memwalker.options import PRESETS, MemWalkerOptions
from readers.memwalker.reader import MemWalker

__all__ = ["PRESETS", "MemWalker", "MemWalkerOptions"]
