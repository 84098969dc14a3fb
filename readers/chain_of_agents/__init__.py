"""Chain-of-Agents (Zhang et al., 2024): workers hand a message on from chunk to chunk, and a manager answers from it."""

from readers.chain_of_agents.reader import PRESETS, ChainOfAgents, ChainOfAgentsOptions

__all__ = ["PRESETS", "ChainOfAgents", "ChainOfAgentsOptions"]
