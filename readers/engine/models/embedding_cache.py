"""Vectors of texts that an embedding model has given in this process, so that no text is sent to it twice.

Looking back compares a new query with the same memories at every step: without this, what is sent would grow with the square of
the steps. Known by the model, its server and the text, never by a key. Bounded, what was used longest ago goes first; safe for
many threads. It takes a model under one name at one address for the same model as long as the process lives.
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

MOST_NUMBERS = 8_000_000  # of 8 bytes: some 2,600 vectors of 3,072 dimensions
Place = tuple[str, str | None]  # a model's id, and the base URL of its server


class Vectors:
    """Vectors by place and text, `most` numbers of them in all."""

    def __init__(self, most: int = MOST_NUMBERS) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[Place, str], array[float]] = OrderedDict()
        self._numbers = 0
        self._lock = threading.Lock()

    def known(self, place: Place, texts: Iterable[str]) -> dict[str, Sequence[float]]:
        """The vectors there are of these texts."""
        found: dict[str, Sequence[float]] = {}
        with self._lock:
            for text in texts:
                vector = self._kept.get((place, text))
                if vector is not None:
                    self._kept.move_to_end((place, text))
                    found[text] = vector
        return found

    def keep(self, place: Place, vectors: Mapping[str, Sequence[float]]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._drop((place, text))
                self._kept[place, text] = array("d", vector)
                self._numbers += len(vector)
            while self._numbers > self._most:
                self._drop(next(iter(self._kept)))

    def forget(self, place: Place | None = None) -> None:
        """What came from one place, or everything."""
        with self._lock:
            for key in [key for key in self._kept if place is None or key[0] == place]:
                self._drop(key)

    def _drop(self, key: tuple[Place, str]) -> None:
        self._numbers -= len(self._kept.pop(key, ()))


VECTORS = Vectors()
