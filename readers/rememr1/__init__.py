"""ReMemR1 (Shi et al., 2025): read once with one bounded memory, and look back into earlier memories."""

from readers.rememr1.options import ReMemR1Options
from readers.rememr1.reader import ReMemR1

__all__ = ["ReMemR1", "ReMemR1Options"]
