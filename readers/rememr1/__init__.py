"""ReMemR1 (Shi et al., 2025): read once with one bounded memory, and look back into earlier memories."""

from readers.rememr1.options import PRESETS, ReMemR1Options
from readers.rememr1.reader import ReMemR1

__all__ = ["PRESETS", "ReMemR1", "ReMemR1Options"]
