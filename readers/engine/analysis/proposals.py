"""Codes and marked words that a model proposes for the steps of a project's readings, where its settings allow it.

A model is an annotator whose name says so (`labels/label.py`). What it proposes are its labels: stored, exported and merged as
anybody's, seen where one may see others' labels, and so never by who has yet to label a reading blind. One call a reading, two
tries, not on record as a call. A code that the codebook does not have, a step that the reading does not have, and words that the
step does not show are left out and counted. Not here: what the model is shown and how its reply is read (`proposal_call.py`); how
far a model agrees with people (`labels/calibration.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from readers.engine.analysis.proposal_call import asked, place_of, steps_shown
from readers.engine.canonical import canonical, digest
from readers.engine.errors import BadOptions
from readers.engine.labels.check_label import checked
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.label import CODES, MODEL_NAME, Label, Turn, annotator_name
from readers.engine.labels.project import HOST, Annotator, Project
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.model import Model
from readers.engine.prompts.proposing import CODE, PROPOSE, STEP, WHY, WORDS
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Store, open_reading
from readers.engine.store.database import now
from readers.engine.text.document import Text
from readers.engine.text.phrases import counted
from readers.engine.text.shorten import shorten

LONGEST_WHY = 400
SEVERITY = 2  # as a code has it that an annotator gives


class Proposals(NamedTuple):
    """What a model proposed for a reading; `left_out` counts the items of its reply that name nothing there is."""

    run: str
    labels: tuple[Label, ...]
    left_out: int = 0

    @property
    def codes(self) -> int:
        return sum(label.kind == "step" for label in self.labels)

    @property
    def sentence(self) -> str:
        spans = len(self.labels) - self.codes
        left_out = f"; {self.left_out:,} left out that name nothing there is" if self.left_out else ""
        return f"{self.run}: {counted(self.codes, 'code')} and {counted(spans, 'span')} proposed{left_out}."


@dataclass(frozen=True)
class Proposing:
    """A model that proposes for a project: the `annotator` that it is there, and the finished `runs` for which it has not."""

    project: Project
    annotator: str
    settings: ModelSettings
    book: Codebook
    runs: tuple[str, ...]

    def ask(self, store: Store, run: str, readers: Callable[[str], Reader], model: Model) -> Proposals:
        """Ask the model about a reading, and store what it proposes. Raises ModelFailed if no reply comes that can be read."""
        reading = open_reading(store, run)
        of_set = store.question_sets.question_of(reading.run)
        found = self._found(reading, readers(reading.run.reader), model, KnownAnswer.of(of_set) if of_set else None)
        self._save(store, found)
        return found

    def _save(self, store: Store, found: Proposals) -> None:
        """In one transaction; nothing if it has proposed for the reading meanwhile."""
        at, project = now("microseconds"), self.project.id
        with store.connection.writing():
            if store.turns.in_project(project, HOST, run=found.run, annotator=self.annotator):
                return
            there = store.projects.annotators(project)
            if self.annotator not in {one.name for one in there}:
                store.projects.add_annotator(project, Annotator(self.annotator, at, CODES), there=len(there))
            store.turns.add(Turn(project, found.run, self.annotator, CODES, "done", opened=at, closed=at))
            for label in found.labels:
                store.labels.insert(replace(label, revision=1, at=at))

    def _found(self, reading: Reading, reader: Reader, model: Model, known: KnownAnswer | None) -> Proposals:
        codes = self.book.in_use
        parts = PROPOSE.parts({
            "codes": [Text(f"{code.called}: {code.definition}") for code in codes],
            "question": Text(reading.run.question),
            "known": Text("; ".join(known.answers) if known and known.answers else "nothing"),
            "steps": [Text(step) for step in steps_shown(reading, reader, self.settings.window)],
            "answer": Text(reading.run.answer or "none"),
        })  # fmt: skip
        made: dict[str, Label] = {}
        left_out = 0
        for item in asked(model, Call(0, 0, PROPOSE, parts, self.settings)):
            step = int(item[STEP]) if item[STEP].isdecimal() and len(item[STEP]) < 9 else 0
            code = next((one.id for one in codes if one.id.casefold() == item[CODE].partition(" ")[0].casefold()), None)
            if code is None or not 1 <= step <= len(reading.trace.steps):
                left_out += 1
                continue
            value = {"code": code, "severity": SEVERITY, "note": shorten(item[WHY], LONGEST_WHY)}
            labels = [self._label(reading.run.id, "step", {"step": step}, value)]
            if words := item[WORDS].strip():
                place = place_of(reading, step, words)
                left_out += place is None
                labels += [self._label(reading.run.id, "span", place, {"code": code, "note": ""})] if place else []
            made |= {label.id: label for label in labels if label.id not in made}
        return Proposals(reading.run.id, tuple(made.values()), left_out)

    def _label(self, run: str, kind: str, target: dict[str, Any], value: dict[str, Any]) -> Label:
        label_id = digest(canonical([self.project.id, run, self.annotator, kind, target, value["code"]]))[:32]
        return checked(Label(label_id, self.project.id, run, self.annotator, kind, target, value, self.book.version))


def begin(store: Store, project: Project, settings: ModelSettings) -> Proposing:
    """Raises BadOptions if nothing may be proposed in this project, or not by this model."""
    if not project.settings.proposals:
        raise BadOptions(f"the project {project.name!r} does not let a model propose codes; that is allowed when it is made")
    if settings.model in (catalogue.OFFLINE, catalogue.HUMAN):
        raise BadOptions("codes are proposed by a language model: the offline model only compares words")
    name = annotator_name(f"{MODEL_NAME}{settings.model}")
    latest = store.codebooks.latest(project.id, HOST)
    if latest is None or not latest.book.in_use:
        raise BadOptions(f"the codebook of {project.name!r} has no codes yet, so there is nothing to propose")
    done = {turn.run for turn in store.turns.in_project(project.id, HOST, annotator=name)}
    runs = store.run_list.runs([run for run in store.projects.readings(project.id) if run not in done])
    return Proposing(project, name, settings, latest.book, tuple(run.id for run in runs if run.status == "finished"))
