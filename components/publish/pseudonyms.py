"""Letters in the place of the people of a project. Pure.

Who is which letter is decided here alone: A, B, … in the order in which people joined, then the project's owner and whoever else
wrote in it. Ids of labels are made from names, so they are made anew. In what people wrote, names are replaced wherever they
stand as in the project, also a first or last name alone. Models that proposed codes keep their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.canonical import digest
from readers.engine.files.labels.export_labels import Export
from readers.engine.labels.label import Decision, Label, Turn, correction_id, is_model, label_seed, reading_id
from readers.engine.labels.project import Project

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHORTEST = 3  # letters of a part of a name that is replaced alone
_KEPT = ("code", "edit")  # what no person wrote in words


class Pseudonyms:
    """The letters of these people, in their order; names that differ at most in case are one person's."""

    def __init__(self, names: Iterable[str]) -> None:
        people = dict.fromkeys(name.casefold() for name in names if name and not is_model(name))
        self._letters = {name: _letter(number) for number, name in enumerate(people)}
        whole = [(name, letter) for name, letter in self._letters.items()]
        parts = [(part, letter) for name, letter in whole for part in name.split() if len(part) >= _SHORTEST]
        self._in_words = dict([*reversed(parts), *whole])
        longest_first = sorted(self._in_words, key=len, reverse=True)
        found = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<!\w)(?:{found})(?!\w)", re.IGNORECASE) if found else None

    @classmethod
    def of_export(cls, export: Export) -> Pseudonyms:
        """Those of everybody who is named in an export."""
        joined = [one.name for one in sorted(export.annotators, key=lambda one: (one.joined, one.name))]
        labelled = {label.annotator for label in export.labels} | {turn.annotator for turn in export.turns}
        wrote = sorted(labelled | {one.by for one in export.decisions})
        return cls([*joined, export.project.settings.lead, *wrote, *sorted({one.by for one in export.codebooks})])

    def of(self, name: str) -> str:
        """The letter of a person."""
        return self._letters.get(name.casefold(), name if not name or is_model(name) else "?")

    def words(self, words: str) -> str:
        """What somebody wrote, with the letters of those whom it names; a word in lower case is no name."""
        if self._pattern is None:
            return words
        return self._pattern.sub(lambda found: self._named(found[0]), words)

    def _named(self, found: str) -> str:
        return found if found.islower() else self._in_words.get(found.casefold(), found)

    def visible(self, visible: VisibleLabels) -> VisibleLabels:
        """The labels of a project that may be seen, with letters."""
        return replace(
            visible, project=self._project(visible.project), labels=tuple(map(self._label, visible.labels)),
            turns=tuple(map(self._turn, visible.turns)), decisions=tuple(map(self._decision, visible.decisions)),
        )  # fmt: skip

    def export(self, export: Export) -> Export:
        """All of a project as its files have it, with letters."""
        numbers: Counter[tuple[str, str]] = Counter()
        labels = []
        for label in sorted(map(self._label, export.labels), key=_in_order):
            numbers[label.run, label.annotator] += 1
            labels.append(replace(label, id=_label_id(label, numbers[label.run, label.annotator])))
        return replace(
            export, project=self._project(export.project), labels=tuple(labels),
            annotators=tuple(one._replace(name=self.of(one.name)) for one in export.annotators),
            codebooks=tuple(one._replace(by=self.of(one.by), change=self._value(one.change)) for one in export.codebooks),
            turns=tuple(map(self._turn, export.turns)), decisions=tuple(map(self._decision, export.decisions)),
        )  # fmt: skip

    def _project(self, project: Project) -> Project:
        settings = replace(project.settings, lead=self.of(project.settings.lead), sample=self.words(project.settings.sample))
        return replace(project, name=self.words(project.name), settings=settings)

    def _label(self, label: Label) -> Label:
        return replace(label, annotator=self.of(label.annotator), value=self._value(label.value))

    def _turn(self, turn: Turn) -> Turn:
        return turn._replace(annotator=self.of(turn.annotator), reason=self.words(turn.reason))

    def _decision(self, decision: Decision) -> Decision:
        return decision._replace(by=self.of(decision.by), reason=self.words(decision.reason))

    def _value(self, value: Any) -> Any:
        """JSON data with letters in all words of people in it."""
        if isinstance(value, str):
            return self.words(value)
        if isinstance(value, Mapping):
            return {name: one if name in _KEPT else self._value(one) for name, one in value.items()}
        return [self._value(one) for one in value] if isinstance(value, list | tuple) else value


def _in_order(label: Label) -> tuple[str, ...]:
    return label.run, label.annotator, label.at, label.kind, str(label.target), str(label.value)


def _letter(number: int) -> str:
    """A to Z, then AA, AB, …"""
    return (_letter(number // 26 - 1) if number >= 26 else "") + _LETTERS[number % 26]


def _label_id(label: Label, number: int) -> str:
    """The id that a label has under its letter: where an id is fixed, that of the letter; otherwise one by its number."""
    if label.kind == "reading":
        return reading_id(label.project, label.run, label.annotator, str(label.target.get("field", "")))
    seed = label_seed(label.project, label.run, label.annotator)
    if label.kind == "correction" and isinstance(label.target.get("step"), int):
        return correction_id(seed, label.target["step"])
    return digest(f"{seed} {number}")[:32]
