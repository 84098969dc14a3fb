"""ReadAgent (Lee et al., 2024): keep a gist of each page, and open pages again for a question."""

from readers.readagent.options import PRESETS, ReadAgentOptions
from readers.readagent.reader import ReadAgent

__all__ = ["PRESETS", "ReadAgent", "ReadAgentOptions"]
