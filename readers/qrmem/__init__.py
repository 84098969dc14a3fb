"""QRMeM (Wang et al., 2024): follow a graph of entities, made for the question, to the segments that answer it."""

from readers.qrmem.options import QRMeMOptions
from readers.qrmem.reader import QRMeM

__all__ = ["QRMeM", "QRMeMOptions"]
