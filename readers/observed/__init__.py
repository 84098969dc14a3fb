"""Observed: readings by programs of others, recorded from their calls of a model."""

from readers.observed.reader import Observed, ObservedOptions

__all__ = ["Observed", "ObservedOptions"]
