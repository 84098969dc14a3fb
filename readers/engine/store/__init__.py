"""All SQL, a file a table group. Nothing is decided here. The package hands on what others need to open and list runs."""

from readers.engine.store.rows import ListedDocument, Run, Status
from readers.engine.store.store import Store
from readers.engine.store.workers import AT_WORK

__all__ = ["AT_WORK", "ListedDocument", "Run", "Status", "Store"]
