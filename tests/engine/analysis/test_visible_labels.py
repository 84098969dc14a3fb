"""The labels a viewer may see, their cache key, the kinds of steps, and the disagreements found in them."""

from __future__ import annotations

from readers.engine.analysis import visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels import counts
from readers.engine.labels.project import Project
from readers.engine.record.events import from_json
from readers.engine.record.trace import Trace
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support import labelled_projects
from tests.support.labelled_projects import code, done, keep


def seen_by(store: Store, project: Project, name: str) -> VisibleLabels:
    return load(store, project, store.projects.viewer(project.id, name))


def test_equal_labels_have_an_equal_cache_key_and_every_disagreement_is_found(store: Store) -> None:
    where = labelled_projects.labelled(store, 30)
    visible = seen_by(store, where, "Lea")
    assert (len(visible.labels), len(visible.done)) == (600, 60)
    assert len(visible_labels.find_disagreements(visible)) > 30
    assert visible.cache_key() == seen_by(store, where, "Lea").cache_key()


def test_no_code_on_a_step_disagrees_with_a_code(store: Store) -> None:
    where = labelled_projects.project(store, 1)
    (run,) = store.projects.readings(where.id)
    keep(store, where, [code(where, run, "Ada", 2)], [done(where, run, "Ada"), done(where, run, "Ben")])
    (one,) = visible_labels.find_disagreements(seen_by(store, where, "Lea"))
    assert one.values == {"Ada": frozenset({"N1"}), "Ben": frozenset()}


def test_the_kinds_of_steps_are_those_of_the_whole_trace(store: Store) -> None:
    (run,) = labelled_projects.read(store, 1, steps=9)
    bodies = store.runs.tape(run).events()
    whole = Trace(Document.of("-"), tuple(map(from_json, bodies)))
    assert visible_labels.step_kinds(bodies) == tuple(map(counts.step_kind, whole.steps))
    assert len(whole.steps) == 9
    assert visible_labels.step_kinds([]) == ()
    assert visible_labels.step_kinds(bodies[:3]) == ("build",)
