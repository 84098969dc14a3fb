"""What is published of a store: single readings, or those of a project, with their forks. No Streamlit.

`Known` says what is known of the answer to a reading's question, as far as whoever publishes may see it. Not here: the readings
of a batch (`gather_batch.py`), the pages made of them (`site.py`), and the recordings that come with Palimpsest (`shipped.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from components.html.words import wording
from components.html.words.reading_words import title_in_list
from components.publish import labels_section
from components.publish.contents import SiteContents, SiteReading
from components.publish.reading_labels import said_of
from components.replay.reading import Replayed, replayed
from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.analysis.facts.follow import evidence_of, follow
from readers.engine.analysis.measures import measures_of
from readers.engine.errors import BadOptions
from readers.engine.files.runs.content import content_of
from readers.engine.files.runs.run_file import run_file_of
from readers.engine.labels.project import HOST, Project, Viewer
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.text.phrases import counted

Known = Callable[[Run], KnownAnswer | None]
TITLE = "Readings to watch"


def of_runs(store: Store, runs: Sequence[Run], known: Known, *, title: str) -> SiteContents:
    """These readings and their forks. Raises BadOptions if one has not ended."""
    if going := next((run for run in runs if run.status in AT_WORK), None):
        raise BadOptions(f"reading {going.id!r} has not ended; wait for it, or cancel it first")
    readings = gathered(store, runs, known)
    return SiteContents(title, facts_of(readings), readings)


def of_project(store: Store, project: Project, known: Known, *, viewer: Viewer = HOST, names: bool = False) -> SiteContents:
    """The readings of a project that have ended, with what people said about them; people are letters unless their `names` are
    to be published. Raises BadOptions for a viewer who may not see everything in it, and NotFound if nobody has finished one."""
    if not viewer.whole:
        raise BadOptions(f"only who may see everything in the project {project.name!r} may publish it")
    runs = {run.id: run for run in store.run_list.runs(store.projects.readings(project.id))}
    ended = [run for one in store.projects.readings(project.id) if (run := runs.get(one)) and run.status not in AT_WORK]
    seen, section = labels_section.section(store, project, known, names=names)
    readings = [replace(one, said=partial(said_of, seen=seen)) for one in gathered(store, ended, known)]
    return SiteContents(seen.project.name, facts_of(readings), readings, [section])


def way_of(run: Run) -> str:
    """The reader and the model of a reading that no batch has a name for."""
    return f"{title_in_list(run)} · {wording.models(run.spec)}"


def gathered(
    store: Store,
    runs: Sequence[Run],
    known: Known,
    *,
    ways: Mapping[str, str] = {},
    scores: Mapping[str, float] = {},
    measured: dict[str, Mapping[str, Any]] | None = None,
) -> list[SiteReading]:
    """The readings, each once, then the forks of each that are not among them. Once one is opened, `measured` has its measures,
    by run."""
    listed = {run.id: run for run in runs}
    forks = {one.id: one for run in runs for one in _forks(store, run) if one.id not in listed}
    every = [*listed.values(), *forks.values()]
    answers = {run.id: known(run) for run in every}
    fates = _fates(store, [Wanted(run, answer) for run in every if (answer := answers[run.id])])
    return [
        replace(
            _reading(store, run, answers[run.id], {} if measured is None else measured),
            way=ways.get(run.id) or way_of(run), fate=fates.get(run.id), score=scores.get(run.id), fork=run.id in forks,
        )
        for run in every
    ]  # fmt: skip


def _forks(store: Store, run: Run) -> Iterable[Run]:
    """The forks of a reading, and theirs, that have ended and are no samples of an experiment."""
    family = store.runs.family(run.id)
    below = {run.id}
    for one in sorted(family, key=lambda each: each.created):
        if one.parent in below and not one.experiment and one.status not in AT_WORK:
            below.add(one.id)
            yield one


def _fates(store: Store, every: Sequence[Wanted]) -> dict[str, EvidenceFate | None]:
    followed = [one for one in every if one.known.evidence]
    found = evidence.saved_fates(store, followed)
    made = evidence.make_fates(store, [one for one in followed if one.run.id not in found], get)
    return found | {one.run.id: fate for one, fate in made}


def _reading(store: Store, run: Run, known: KnownAnswer | None, measured: dict[str, Mapping[str, Any]]) -> SiteReading:
    reader = get(run.reader)

    def opened() -> Replayed:
        found = replayed(store, run.id, known=known)
        facts = evidence_of(known, found.reading.document) if known else []
        measured[run.id] = measures_of(found.reading, reader, known=known)
        return replace(found, followed=follow(found.reading, reader, facts, known=known), measured=measured[run.id])

    def file(found: Replayed) -> dict[str, Any]:
        return run_file_of(
            store, found.reading, reader, known=known, followed=found.followed or (), measured=found.measured or {}
        )

    return SiteReading(run, content_of(store, run), way_of(run), opened, file, known)


def facts_of(readings: Sequence[SiteReading]) -> list[str]:
    """How many readings, questions and texts there are."""
    shown = [one for one in readings if not one.fork]
    forks = len(readings) - len(shown)
    return [
        counted(len(shown), "reading"),
        counted(len({one.asked for one in shown}), "question"),
        counted(len({one.run.document for one in shown}), "text"),
        *([counted(forks, "fork")] if forks else []),
    ]
