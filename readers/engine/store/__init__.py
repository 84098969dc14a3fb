"""All SQL, one file for each group of tables. The package exports what most of its users need: the Store, its runs and readings.

Not here: decisions about stored data, such as who may change it and which labels are valid.
"""

from readers.engine.store.database import AT_WORK
from readers.engine.store.documents import ListedDocument
from readers.engine.store.run import Run, Status
from readers.engine.store.store import Reading, Store, open_reading

__all__ = ["AT_WORK", "ListedDocument", "Reading", "Run", "Status", "Store", "open_reading"]
