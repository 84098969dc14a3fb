"""All SQL, one file for each group of tables. The package exports what most of its users need: the Store and its runs.

Not here: what is decided about what is stored, such as who may change it and which labels are valid.
"""

from readers.engine.store.database.workers import AT_WORK
from readers.engine.store.documents import ListedDocument
from readers.engine.store.runs.run import Run, Status
from readers.engine.store.store import Store

__all__ = ["AT_WORK", "ListedDocument", "Run", "Status", "Store"]
