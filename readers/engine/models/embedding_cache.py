"""Embedding vectors computed in this process, so that no text is embedded twice.

Each look-back compares a new query with the same memories; without a cache the texts sent would grow with the square of the
steps. Entries are keyed by model, server and text, never by an API key. The cache is bounded (least recently used entries go
first) and thread-safe. It assumes that a model name at an address means the same model for the life of the process.
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

from readers.engine.models.call import ServedModel

MAX_FLOATS = 8_000_000  # of 8 bytes: some 2,600 vectors of 3,072 dimensions


class VectorCache:
    """Vectors by model and text, at most `max_floats` numbers in total."""

    def __init__(self, max_floats: int = MAX_FLOATS) -> None:
        self._max_floats = max_floats
        self._vectors: OrderedDict[tuple[ServedModel, str], array[float]] = OrderedDict()
        self._floats = 0
        self._lock = threading.Lock()

    def find(self, model: ServedModel, texts: Iterable[str]) -> dict[str, Sequence[float]]:
        """The cached vectors among these texts."""
        cached: dict[str, Sequence[float]] = {}
        with self._lock:
            for text in texts:
                vector = self._vectors.get((model, text))
                if vector is not None:
                    self._vectors.move_to_end((model, text))
                    cached[text] = vector
        return cached

    def add(self, model: ServedModel, vectors: Mapping[str, Sequence[float]]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._drop((model, text))
                self._vectors[model, text] = array("d", vector)
                self._floats += len(vector)
            while self._floats > self._max_floats:
                self._drop(next(iter(self._vectors)))

    def forget(self, model: ServedModel | None = None) -> None:
        """Drop the vectors of one model, or all."""
        with self._lock:
            for key in [key for key in self._vectors if model is None or key[0] == model]:
                self._drop(key)

    def _drop(self, key: tuple[ServedModel, str]) -> None:
        self._floats -= len(self._vectors.pop(key, ()))


VECTORS = VectorCache()
