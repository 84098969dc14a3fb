"""The rows of the flow: the readings of a batch by reader and model, by reader, by model, or all of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from components.html.words.reader_words import title_of
from readers.engine.analysis.facts.many.flow import Band, Flow, Place, Way, flow
from readers.engine.models import catalogue
from readers.engine.run.execute import RunSpec

Grouping = Literal["variant", "reader", "model", "all"]
GROUPINGS: Mapping[Grouping, str] = {
    "variant": "Reader and model",
    "reader": "Reader",
    "model": "Model",
    "all": "All together",
}


class FlowRow(NamedTuple):
    """A row: its key, its name, its flow."""

    key: str
    name: str
    flow: Flow

    def key_of(self, at: Place | Band) -> str:
        """The name of a place or band of this row in the address."""
        return f"{self.key}:{at.source}>{at.target}" if isinstance(at, Band) else f"{self.key}:{at}"


def rows(ways: Sequence[Sequence[Way]], variants: Sequence[RunSpec], names: Sequence[str], by: Grouping) -> list[FlowRow]:
    """The rows of one grouping; groups without a followed reading have none."""
    groups: dict[str, list[Way]] = {}
    for number, (own, variant) in enumerate(zip(ways, variants, strict=True)):
        name = _name(by, names[number], variant)
        groups.setdefault(name, []).extend(own)
    return [FlowRow(f"{by}{number}", name, flow(own)) for number, (name, own) in enumerate(groups.items()) if own]


def _name(by: Grouping, name: str, variant: RunSpec) -> str:
    if by == "reader":
        return title_of(variant.reader)
    return catalogue.title(variant.model) if by == "model" else name if by == "variant" else "All readings"


def groupings(variants: Sequence[RunSpec]) -> list[Grouping]:
    """The groupings that differ, the finest first."""
    readers, models = {one.reader for one in variants}, {one.model for one in variants}
    found: list[Grouping] = ["variant"]
    if 1 < len(readers) < len(variants):
        found.append("reader")
    if 1 < len(models) < len(variants):
        found.append("model")
    return [*found, "all"] if len(variants) > 1 else found
