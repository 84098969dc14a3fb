"""`READERS` lists the readers: the built-in ones, then your own (`plugins.py`). To add a built-in reader, add its package and an
entry in `BUILT_IN`.
"""

from __future__ import annotations

from readers import plugins
from readers.baselines import Recurrence, Retrieval, Whole
from readers.chain_of_agents import ChainOfAgents
from readers.engine.errors import NotFound
from readers.engine.forks.judge import Judge
from readers.engine.forks.nearness import Nearness
from readers.engine.forks.rater import Rater
from readers.engine.forks.resample import Samples
from readers.engine.forks.stands_on import Tries
from readers.engine.prompts.options import keep_names
from readers.engine.run.reader import Reader
from readers.memagent import MemAgent
from readers.memwalker import MemWalker
from readers.observed import Observed
from readers.qrmem import QRMeM
from readers.readagent import ReadAgent
from readers.recursive import Recursive
from readers.rememr1 import ReMemR1

BUILT_IN: tuple[Reader, ...] = (
    MemWalker(),
    ReadAgent(),
    QRMeM(),
    MemAgent(),
    ReMemR1(),
    ChainOfAgents(),
    Recursive(),
    Whole(),
    Retrieval(),
    Recurrence(),
)

# Readers of the runs that hold the calls of an experiment: they cannot be selected.
_INTERNAL: tuple[Reader, ...] = (Samples(), Tries(), Judge(), Rater(), Nearness())

# Readers of the runs that were recorded of programs elsewhere: nobody can start one, but a run file may name it.
_RECORDED: tuple[Reader, ...] = (Observed(),)

PLUGINS: tuple[plugins.Plugin, ...] = plugins.found([reader.id for reader in (*BUILT_IN, *_INTERNAL, *_RECORDED)])
READERS: tuple[Reader, ...] = (*BUILT_IN, *(plugin.reader for plugin in PLUGINS if plugin.reader))
for _reader in READERS:
    keep_names(_reader.id, _reader.Options)


def get(reader_id: str) -> Reader:
    """The reader with this id, internal ones included. Raises NotFound, which names the readers to choose from."""
    return next((reader for reader in _INTERNAL if reader.id == reader_id), None) or importable(reader_id)


def is_inquiry(reader_id: str) -> bool:
    """Whether a run of this reader holds the calls of an experiment, and is not a reading itself."""
    return any(reader.id == reader_id for reader in _INTERNAL)


def importable(reader_id: str) -> Reader:
    """The reader with this id that a run file may name. Raises NotFound like `offered`."""
    return next((reader for reader in _RECORDED if reader.id == reader_id), None) or offered(reader_id)


def offered(reader_id: str) -> Reader:
    """The reader with this id that a person may choose. Raises NotFound, which says why it is refused,
    or names those there are."""
    for reader in READERS:
        if reader.id == reader_id:
            return reader
    for plugin in PLUGINS:
        if plugin.name == reader_id and plugin.problem:
            raise NotFound(f"the reader {reader_id!r} is refused: {plugin.problem}")
    raise NotFound(f"there is no reader {reader_id!r}; there are {', '.join(reader.id for reader in READERS)}")


def origin(reader_id: str) -> str:
    """The origin of a user's own reader, such as its folder; empty for a built-in reader."""
    return next((plugin.origin for plugin in PLUGINS if plugin.reader and plugin.reader.id == reader_id), "")
