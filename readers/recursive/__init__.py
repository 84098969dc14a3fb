"""Recursive reading, after Recursive Language Models (Zhang et al., 2025): ask fresh readers about parts of the text."""

from readers.recursive.reader import Recursive
from readers.recursive.slices import PRESETS, RecursiveOptions

__all__ = ["PRESETS", "Recursive", "RecursiveOptions"]
