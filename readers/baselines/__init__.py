"""The simple readers that the papers compare with: the whole text as far as it fits, retrieval, and recurrence."""

from readers.baselines.recurrence import Recurrence
from readers.baselines.retrieval import Retrieval
from readers.baselines.whole import Whole

__all__ = ["Recurrence", "Retrieval", "Whole"]
