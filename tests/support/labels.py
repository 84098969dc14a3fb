"""A project of readings to label, created without any reading being made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label, reading_id
from readers.engine.labels.project import Project, Settings
from readers.engine.store import Run, Store
from readers.engine.text.document import Document

# Words that have broken something before: markup, formulas, quotes, line ends, right-to-left, emoji, control characters.
HOSTILE = (
    "<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "+1", "-1", "@SUM(A1)", "'quoted", "a\r\nb\rc\nd", "\t", " ", "",
    'a "b", c; d', "\u2028\u2029\x85", "\u202eabc", "👩‍👩‍👧 ê", "NUL \0 and \x1b[31m", "{{7*7}} ${x} %s \\n", "null",
    "ф" * 300, "\ufeff",
)  # fmt: skip
SPECS: dict[str, Any] = {"model": "offline/extractive"}
BOOK = Codebook((Code("N1", "Wrong turn"), Code("=B2", "<b>Lossy</b>")))


def readings(store: Store, count: int) -> list[str]:
    """Store finished readings of one text; their ids."""
    text = "The lamp was lit at dusk. <i>Nobody</i> saw it go out, and the keeper slept."
    document = store.documents.add(Document.of(text, title="A lamp"))
    runs = [Run("", document.id, "memwalker", f"Question {n}?", dict(SPECS), "finished", "answered") for n in range(count)]
    return [store.runs.add(run).id for run in runs]


def project(store: Store, count: int = 3, **settings: Any) -> Project:
    """A project with a codebook; it starts with stage 3 unless `settings` say otherwise."""
    chosen = Settings(**{"start_stage": 3, "share": 1.0, "annotators": 10, "seed": 7} | settings)
    return store.projects.create("Lamps", chosen, runs=readings(store, count), book=BOOK, by="Lea")


def opened(store: Store, project: Project, *names: str) -> str:
    """Open the first reading of a project for these annotators; its id."""
    run = store.projects.readings(project.id)[0]
    for name in names:
        store.projects.join(project.id, name)
        store.turns.open(project.id, run, name)
    return run


def about(project: Project, run: str, annotator: str, field: str, value: Any) -> Label:
    """A label on a reading as a whole."""
    label_id = reading_id(project.id, run, annotator, field)
    return Label(label_id, project.id, run, annotator, "reading", {"field": field}, {"value": value}, 1)


def coded(project: Project, run: str, annotator: str, number: int, **value: Any) -> Label:
    """A label on a step; its number makes its id and step."""
    given: Mapping[str, Any] = {"code": "N1", "severity": 2, "note": "", **value}
    return Label(f"{number:032x}", project.id, run, annotator, "step", {"step": number % 50 + 1}, dict(given), 1)


def at_once(do: Callable[[Any], object], among: Iterable[Any]) -> None:
    """Do the same for each of these, each in a thread of its own."""
    threads = [threading.Thread(target=do, args=(one,)) for one in among]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
