"""HTML of projects: disagreements, choices, codes, notes, readings. Pure; what is not markup of this module is escaped by
markupsafe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def _facts(facts: Sequence[str]) -> str:
    return " · ".join(fact for fact in facts if fact)


# Agreement


def disagreement(about: str, values: Sequence[tuple[str, Sequence[str]]], decision: str) -> Markup:
    """A disagreement in the queue, below its link: what it is about, each value with its annotators, and the decision."""
    sides = _joined(Markup("<li><b>{}</b> <span>{}</span></li>").format(value, ", ".join(names)) for value, names in values)
    decided = Markup('<p class="decided"><span aria-hidden="true">◆</span> Decided: {}</p>').format(decision)
    return Markup('<div class="disagreement"><p class="about-what">{}</p><ul>{}</ul>{}</div>').format(
        about, sides, decided if decision else ""
    )
