"""Recursive reading, after Recursive Language Models (Zhang et al., 2025): ask fresh readers about parts of the text."""

from readers.recursive.options import PRESETS, RecursiveOptions
from readers.recursive.reader import Recursive

__all__ = ["PRESETS", "Recursive", "RecursiveOptions"]
