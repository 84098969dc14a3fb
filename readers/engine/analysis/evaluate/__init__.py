"""What readings of the same questions amount to: a table of readers by scores, readers compared in pairs, the spread of repeats.

Pure: rows of scored readings in, figures with intervals out. Not here: the scores (`questions/scores/`), figures of one reading
(`analysis/measures.py`), and pages.
"""

from readers.engine.analysis.evaluate.compare import Comparison, compare, compare_all, mcnemar
from readers.engine.analysis.evaluate.figures import FIGURES, Figure, figures, with_figures
from readers.engine.analysis.evaluate.intervals import ABOUT, Estimate
from readers.engine.analysis.evaluate.measured import beside, figures_table
from readers.engine.analysis.evaluate.repeats import Spread, spread
from readers.engine.analysis.evaluate.rows import Row, scored_row
from readers.engine.analysis.evaluate.table import Cell, Table, table

__all__ = [
    "ABOUT", "FIGURES", "Cell", "Comparison", "Estimate", "Figure", "Row", "Spread", "Table",
    "beside", "compare", "compare_all", "figures", "figures_table", "mcnemar", "scored_row", "spread", "table", "with_figures",
]  # fmt: skip
