"""A project labelled by several annotators, created at once without a browser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from streamlit.testing.v1 import AppTest

from readers.engine.canonical import digest
from readers.engine.files.labels.import_labels import import_labels
from readers.engine.files.labels.read_labels import LabelFile
from readers.engine.labels.codebook import Codebook, preset
from readers.engine.labels.label import CODES, FATES, OUTCOMES, PATHS, SUPPORTS, Label, Turn
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.record.events import Ended, Event, Looked, StepBegan, StepEnded, to_json
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support import labels as annotating
from tests.support.app_pages import named, opened

DAY = "2026-01-01T"
READERS = ("memwalker", "readagent", "memagent")
PHASES = ("build", "walk", "walk", "answer")
CODES_USED = ("N1", "N2", "B2", "R1", "A2", "M1", "N4", "B3")


def at(minute: int) -> str:
    return f"{DAY}{minute // 60 % 24:02}:{minute % 60:02}:00.000+00:00"


def events(steps: int) -> list[str]:
    """A reading with so many steps, each with a few events between its start and end."""
    made: list[Event] = []
    for number in range(steps):
        made += [StepBegan(PHASES[number * len(PHASES) // steps]), Looked(()), Looked(()), StepEnded()]
    return [to_json(event) for event in [*made, Ended("no_answer", "It is not told.")]]


def read(store: Store, count: int, *, steps: int = 12) -> list[str]:
    """Store readings by several readers, with steps; their ids."""
    text = "The lamp was lit at dusk. <i>Nobody</i> saw it go out, and the keeper slept until the tide had turned."
    document = store.documents.add(Document.of(text, title="The lamp"))
    ids = []
    for number in range(count):
        spec: dict[str, Any] = {"model": ("offline/extractive", "gpt-4o-mini")[number % 2]}
        reader = READERS[number % len(READERS)]
        question = f"Who put the lamp out on night {number + 1}?"
        run = store.runs.add(Run("", document.id, reader, question, spec, "finished", "answered", "Nobody did.", ended=at(1)))
        store.runs.tape(run.id).save(None, None, 0, events(steps))
        ids.append(run.id)
    return ids


def project(
    store: Store, count: int, *, names: Sequence[str] = ("Ada", "Ben"), book: Codebook | None = None, **settings: Any
) -> Project:
    """A project with the preset codebook that these annotators have joined, without labels."""
    chosen = Settings(**{"lead": "Lea", "start_stage": 3, "share": 1.0, "annotators": 10, "seed": 7} | settings)
    made = store.projects.create("Lamps", chosen, runs=read(store, count), book=book or preset(), by="Lea")
    for name in names:
        store.projects.join(made.id, name)
    return made


def done(where: Project, run: str, name: str, *, minute: int = 5, ms: int = 90_000, **more: Any) -> Turn:
    return Turn(where.id, run, name, CODES, "done", opened=at(minute - 1), closed=at(minute), ms=ms)._replace(**more)


def field(where: Project, run: str, name: str, about: str, value: Any) -> Label:
    return replace(annotating.about(where, run, name, about, value), at=at(3))


def code(where: Project, run: str, name: str, step: int, **value: Any) -> Label:
    given = {"code": "N1", "severity": 2, "note": "", **value}
    label_id = digest(f"{where.id} {run} {name} {step} {given['code']}")[:32]
    return Label(label_id, where.id, run, name, "step", {"step": step}, given, 1, at=at(3))


def span(where: Project, run: str, name: str, start: int, end: int) -> Label:
    label_id = digest(f"span {run} {name} {start}")[:32]
    target = {"on": "text", "start": start, "end": end}
    return Label(label_id, where.id, run, name, "span", target, {"code": "R1", "note": ""}, 1, at=at(3))


def keep(store: Store, where: Project, labels: Iterable[Label], turns: Iterable[Turn]) -> None:
    """Store the labels and turns at once."""
    import_labels(store, where.id, LabelFile(tuple(labels), tuple(turns)), viewer=HOST)


def differing(store: Store) -> tuple[Project, tuple[str, ...]]:
    """Six readings by three readers; Ada finished all, Ben four. Ben gives N2 where Ada gives N1 on the first two."""
    where = project(store, 6, names=("Ada", "Ben", "Cai"))
    runs = store.projects.readings(where.id)
    labels, turns = [], []
    for number, run in enumerate(runs):
        for name in ("Ada", "Ben")[: 2 if number < 4 else 1]:
            given = "N2" if number < 2 and name == "Ben" else "N1"
            labels += [code(where, run, name, 4, code=given), code(where, run, name, 1 + number, code="B2")]
            turns.append(done(where, run, name, minute=5 + number, ms=60_000 * (1 + number)))
    keep(store, where, labels, turns)
    return where, runs


def labelled(store: Store, count: int, *, per_turn: int = 10, names: Sequence[str] = ("Ada", "Ben")) -> Project:
    """A fully labelled project: each annotator has `per_turn` labels on each reading, sometimes equal and sometimes not."""
    where = project(store, count, names=names)
    label_all(store, where, per_turn=per_turn, names=names)
    return where


def label_all(store: Store, where: Project, *, per_turn: int = 10, names: Sequence[str] = ("Ada", "Ben")) -> None:
    """Label and finish every reading of a project for these annotators, as `labelled` says."""
    labels: list[Label] = []
    turns: list[Turn] = []
    for number, run in enumerate(store.projects.readings(where.id)):
        for who, name in enumerate(names):
            turn = done(where, run, name, minute=10 + 2 * number, ms=60_000 + 7_000 * (number % 9) + 5_000 * who)
            labels += _labels(where, turn, number=number, differs=who * (number % 3 == 0), per_turn=per_turn)
            turns.append(turn)
    keep(store, where, labels, turns)


def _labels(where: Project, turn: Turn, *, number: int, differs: int, per_turn: int) -> list[Label]:
    """An annotator's labels on the reading of this number."""
    run, name = turn.run, turn.annotator
    labels = [
        field(where, run, name, "outcome", list(OUTCOMES)[(number + differs) % 3]),
        field(where, run, name, "support", list(SUPPORTS)[(number + differs) % 4]),
        field(where, run, name, "path", list(PATHS)[number % 5]),
        field(where, run, name, "fate", list(FATES)[(number // 2 + differs) % 7]),
        field(where, run, name, "decisive", {"step": 3 + (number + differs) % 4, "confidence": 2, "words": "It turned."}),
        span(where, run, name, 4 + 3 * differs, 24),
    ]
    for n in range(per_turn - 6):
        chosen = CODES_USED[(number + n + (differs and n == 1)) % len(CODES_USED)]
        labels.append(code(where, run, name, 3 + n, code=chosen, note="The second option named the lamp."))
    return labels


def page(where: Project, name: str, view: str, **asks: str) -> AppTest:
    """A view of a project as an annotator sees it."""
    with opened("5_Annotate") as app:
        for key, value in {"project": where.id, "view": view, **asks}.items():
            app.query_params[key] = value
        named(app, name).run()
    assert not app.exception
    return app
