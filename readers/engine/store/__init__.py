"""All SQL, one file for each group of tables. The package exports what most of its users need: the Store and its runs."""

from readers.engine.store.rows import ListedDocument, Run, Status
from readers.engine.store.store import Store
from readers.engine.store.workers import AT_WORK

__all__ = ["AT_WORK", "ListedDocument", "Run", "Status", "Store"]
