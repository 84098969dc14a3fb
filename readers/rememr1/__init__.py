"""ReMemR1 (Shi et al., 2025): read once with one bounded memory, and look back into earlier memories."""

from readers.rememr1.reader import PRESETS, ReMemR1, ReMemR1Options

__all__ = ["PRESETS", "ReMemR1", "ReMemR1Options"]
