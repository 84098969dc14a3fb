"""The simple readers that the papers compare with: as much of the whole text as fits, retrieval, and recurrence."""

from readers.baselines.recurrence import Recurrence
from readers.baselines.retrieval import Retrieval
from readers.baselines.whole import Whole

__all__ = ["Recurrence", "Retrieval", "Whole"]
