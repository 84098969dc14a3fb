"""MemWalker (Chen et al., 2023): walk down a tree of summaries to the segment that answers, and back up where it does not."""

from readers.memwalker.options import MemWalkerOptions
from readers.memwalker.reader import MemWalker

__all__ = ["MemWalker", "MemWalkerOptions"]
