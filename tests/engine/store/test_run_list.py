"""The readings as a list: found, sorted, counted, named, tagged and deleted, with a visitor's eyes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from readers.engine.analysis.measures import measures
from readers.engine.errors import BadOptions, Busy, NotFound
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.run import Deleted
from readers.engine.store.run_list import LONGEST_NAME, LONGEST_NOTE, LONGEST_TAG, MOST_TAGS, SORTS, Figures, RunFilter
from readers.engine.text.document import Document
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import parts_of
from tests.support.specs import current_spec

LAMP = Document.of("The lamp was lit at dusk.", title="Das Straßenlicht")
OWL = Document.of("The owl sat on the 100% capstan.", title="an owl")


def put(store: Store, question: str, document: Document = LAMP, **columns: Any) -> str:
    """A reading that has ended, without any call."""
    store.documents.add(document)
    spec = {"model": columns.pop("model", "offline/extractive"), "version": 1, **columns.pop("spec", {})}
    ended = {name: columns.pop(name) for name in ("outcome", "answer", "seconds") if name in columns}
    status = columns.pop("status", "finished")
    run = store.runs.add(Run("", document.id, columns.pop("reader", "memwalker"), question, spec, "queued", **columns))
    if status != "queued":
        seconds = ended.pop("seconds", 0.0)
        store.runs.settle(run.id, status, seconds=seconds, **({"outcome": "answered"} if status == "finished" else {}) | ended)
    return run.id


@pytest.fixture
def ids(store: Store) -> dict[str, str]:
    return {
        "lamp": put(store, "Who lit the LAMP?", answer="Ärger mit dem Wärter", seconds=3.0),
        "owl": put(store, "Where was it?", OWL, reader="readagent", model="gpt-4o", answer="On the capstan", seconds=9.0),
        "none": put(store, "Why 50_000?", OWL, outcome="no_answer"),
        "failed": put(store, "What failed?", status="failed", seconds=1.0),
        "queued": put(store, "What waits?", status="queued"),
        "fork": put(store, "And then?", parent="gone", edit={"kind": "again", "seq": 0}),
        "sample": put(store, "How often?", experiment="x1"),
    }


def named(ids: dict[str, str], store: Store, wanted: RunFilter) -> set[str]:
    found = store.run_list.ids(wanted)
    assert len(found) == store.run_list.count(wanted) == len(store.run_list.find(wanted, limit=100))
    return {name for name, run_id in ids.items() if run_id in found}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (RunFilter(), {"lamp", "owl", "none", "failed", "queued", "fork"}),
        (RunFilter(samples=True), {"lamp", "owl", "none", "failed", "queued", "fork", "sample"}),
        (RunFilter(words="lamp  LIT"), {"lamp"}),
        (RunFilter(words="ÄRGER"), {"lamp"}),
        (RunFilter(words="STRASSENLICHT who"), {"lamp"}),
        (RunFilter(words="50_000"), {"none"}),
        (RunFilter(words="%"), set()),
        (RunFilter(words="capstan"), {"owl"}),
        (RunFilter(words="'; DROP TABLE runs; --"), set()),
        (RunFilter(words="\ud800"), {"lamp", "owl", "none", "failed", "queued", "fork"}),
        (RunFilter(reader="readagent"), {"owl"}),
        (RunFilter(model="gpt-4o"), {"owl"}),
        (RunFilter(document=OWL.id), {"owl", "none"}),
        (RunFilter(state="no_answer"), {"none"}),
        (RunFilter(state="answered"), {"lamp", "owl", "fork"}),
        (RunFilter(state="failed"), {"failed"}),
        (RunFilter(state="under_way"), {"queued"}),
        (RunFilter(state="exploded"), set()),
        (RunFilter(forks=True), {"fork"}),
        (RunFilter(forks=False), {"lamp", "owl", "none", "failed", "queued"}),
        (RunFilter(words="who", model="gpt-4o"), set()),
    ],
)
def test_readings_are_found_by_all_that_is_asked_together(
    store: Store, ids: dict[str, str], wanted: RunFilter, found: set[str]
) -> None:
    assert named(ids, store, wanted) == found


def test_words_are_found_in_name_and_note_and_tags_by_the_filter(store: Store, ids: dict[str, str]) -> None:
    store.run_list.rename(ids["owl"], "  My   FIRST one ")
    store.run_list.set_note(ids["none"], "To show in class.\nTwice.\n")
    assert named(ids, store, RunFilter(words="first")) == {"owl"}
    assert named(ids, store, RunFilter(words="class twice")) == {"none"}
    assert store.runs.get(ids["owl"]).name == "My FIRST one"
    assert store.runs.get(ids["none"]).note == "To show in class.\nTwice."
    store.run_list.tag([ids["owl"], ids["lamp"]], "Class A")
    assert named(ids, store, RunFilter(tag="Class A")) == {"owl", "lamp"}
    assert named(ids, store, RunFilter(tag="class a")) == set()


def test_a_reading_whose_worker_died_is_interrupted_and_not_under_way(store: Store, ids: dict[str, str]) -> None:
    store.connection.execute("UPDATE runs SET worker = '999999999:1.00' WHERE id = ?", (ids["queued"],))
    assert named(ids, store, RunFilter(state="interrupted")) == {"queued"}
    assert named(ids, store, RunFilter(state="under_way")) == set()


def test_they_are_sorted_and_come_a_page_at_a_time(store: Store, ids: dict[str, str]) -> None:
    by = {sort: store.run_list.ids(RunFilter(sort=sort)) for sort in SORTS}
    assert by["newest"] == by["oldest"][::-1]
    assert by["newest"][0] == ids["fork"]
    assert by["time"][:3] == [ids["owl"], ids["lamp"], ids["failed"]]
    assert set(by["title"][:2]) == {ids["owl"], ids["none"]}  # "an owl" before "Das ...", whatever the capitals
    questions = [store.runs.get(run_id).question.casefold() for run_id in by["question"]]
    assert questions == sorted(questions)
    assert all(set(found) == set(by["newest"]) for found in by.values())
    pages = [store.run_list.find(RunFilter(), limit=4, offset=at) for at in (0, 4, 8)]
    assert [listed.run.id for page in pages for listed in page] == by["newest"]
    with pytest.raises(BadOptions, match="sorted by"):
        store.run_list.ids(RunFilter(sort="id; DROP TABLE runs"))


def test_figures_are_those_that_the_measures_give(store: Store) -> None:
    spec = current_spec("memwalker", "Where is it?", options={"segment_tokens": 64, "max_children": 3})
    first = execute(store, create_run(store, parts_of(9), MemWalker(), spec).id, MemWalker(), Execution(Offline()))
    second = execute(store, create_run(store, parts_of(9), MemWalker(), spec).id, MemWalker(), Execution(Offline()))
    store.connection.execute("UPDATE calls SET cost_usd = 0.25 WHERE run = ? AND seq < 3", (first.id,))
    store.connection.execute("UPDATE calls SET cost_usd = NULL WHERE run = ? AND origin = 'live'", (second.id,))
    figures = store.run_list.figures([first.id, second.id, "gone"])
    for run in (first, second):
        reading = open_reading(store, run.id)
        told = measures(MemWalker(), reading.trace, reading.records)
        tokens = told["tokens_in"] + told["tokens_out"]
        assert figures[run.id] == Figures(told["calls_live"], told["calls_reused"], tokens, told["cost_usd"])
    assert figures[first.id].cost == 0.75
    assert figures[second.id].cost is None
    assert figures[second.id].reused > 0
    assert "gone" not in figures
    assert store.run_list.ids(RunFilter(sort="calls")) == store.run_list.ids(RunFilter(sort="cost")) == [first.id, second.id]


def test_many_ids_are_looked_up_in_portions(store: Store) -> None:
    ids = [put(store, f"Question {n}?") for n in range(1_100)]
    store.run_list.tag(ids, "all")
    assert len(store.run_list.runs(ids)) == len(store.run_list.tags(ids)) == store.run_list.count(RunFilter(tag="all")) == 1_100
    done = store.run_list.delete(ids)
    assert (len(done.gone), done.busy, done.missing, store.runs.listed()) == (1_100, (), (), [])


def test_what_there_is_to_filter_by(store: Store, ids: dict[str, str]) -> None:
    store.run_list.tag([ids["owl"]], "b")
    store.run_list.tag([ids["lamp"]], "A")
    facets = store.run_list.facets()
    assert (facets.readers, facets.models, facets.tags) == (
        ("memwalker", "readagent"),
        ("gpt-4o", "offline/extractive"),
        ("A", "b"),
    )
    assert (facets.documents, facets.samples) == ({OWL.id: "an owl", LAMP.id: "Das Straßenlicht"}, 1)


def test_a_reading_that_was_switched_is_found_by_each_of_its_models(store: Store, ids: dict[str, str]) -> None:
    edit = {"kind": "model", "seq": 3, "model": "human/you", "api_base": None}
    spec = store.runs.get(ids["lamp"]).spec | {"edits": [edit]}
    ids["switched"] = store.runs.add(replace(store.runs.get(ids["lamp"]), spec=spec, edit=edit)).id
    assert named(ids, store, RunFilter(model="human/you")) == {"switched"}
    assert "switched" in named(ids, store, RunFilter(model="offline/extractive"))
    assert store.run_list.facets().models == ("gpt-4o", "human/you", "offline/extractive")


def test_tags_are_put_on_once_and_taken_off(store: Store, ids: dict[str, str]) -> None:
    some = [ids["owl"], ids["lamp"], "gone"]
    assert store.run_list.tag(some, "  to   check ") == 2
    assert store.run_list.tag([ids["owl"], ids["none"]], "to check") == 1
    assert store.run_list.tags(some) == {ids["owl"]: ("to check",), ids["lamp"]: ("to check",)}
    assert store.run_list.untag([*some, ids["none"]], "to check") == 3
    assert store.run_list.tags(some) == {}


@pytest.mark.parametrize("tag", ["", "  ", "x" * (LONGEST_TAG + 1), "a\0b", "a\u202eb"])
def test_what_is_no_tag_is_refused(store: Store, ids: dict[str, str], tag: str) -> None:
    with pytest.raises(BadOptions, match="a tag has"):
        store.run_list.tag([ids["owl"]], tag)
    assert store.run_list.tags([ids["owl"]]) == {}


def test_a_tag_too_many_is_refused_for_all(store: Store, ids: dict[str, str]) -> None:
    for number in range(MOST_TAGS):
        store.run_list.tag([ids["owl"]], f"tag {number}")
    store.run_list.tag([ids["owl"]], "tag 3")
    with pytest.raises(BadOptions, match=f"up to {MOST_TAGS} tags"):
        store.run_list.tag([ids["lamp"], ids["owl"]], "one more")
    assert store.run_list.tags([ids["lamp"]]) == {}


def test_names_and_notes_are_bounded_and_can_be_taken_back(store: Store, ids: dict[str, str]) -> None:
    with pytest.raises(BadOptions, match="name has up to"):
        store.run_list.rename(ids["owl"], "x" * (LONGEST_NAME + 1))
    with pytest.raises(BadOptions, match="note has up to"):
        store.run_list.set_note(ids["owl"], "x" * (LONGEST_NOTE + 1))
    with pytest.raises(BadOptions):
        store.run_list.rename(ids["owl"], "a\x07b")
    store.run_list.rename(ids["owl"], "half \ud83d")
    assert store.runs.get(ids["owl"]).name == "half ?"
    for act in (store.run_list.rename, store.run_list.set_note):
        act(ids["owl"], "  ")
        with pytest.raises(NotFound):
            act("gone", "x")
    assert (store.runs.get(ids["owl"]).name, store.runs.get(ids["owl"]).note) == (None, None)


def test_deleting_many_says_what_came_of_each(store: Store, ids: dict[str, str]) -> None:
    store.run_list.tag([ids["owl"]], "t")
    fork = put(store, "A fork of the owl's", parent=ids["owl"])
    some = [ids["owl"], ids["queued"], "gone", ids["owl"]]  # the queued one waits for this very process, which lives
    done = store.run_list.delete(some)
    assert (done.gone, done.busy, done.missing) == ((ids["owl"],), (ids["queued"],), ("gone",))
    assert store.runs.get(fork).parent == ids["owl"]
    assert {shelved.id for shelved in store.documents.listed()} == {LAMP.id, OWL.id}
    assert store.connection.execute("SELECT count(*) FROM tags").fetchone() == (0,)


def test_nothing_of_a_reading_goes_while_any_sample_of_it_is_under_way(store: Store, ids: dict[str, str]) -> None:
    samples = [put(store, "How often?", parent=ids["owl"], experiment="x") for _ in range(3)]
    of_a_sample = put(store, "And of those?", parent=samples[2], experiment="y", status="queued")
    assert store.run_list.delete([ids["owl"], ids["lamp"]]) == Deleted((ids["lamp"],), (ids["owl"],), ())
    assert {run.id for run in store.run_list.runs([ids["owl"], *samples, of_a_sample])} == {ids["owl"], *samples, of_a_sample}
    assert store.run_list.undeletable([ids["owl"], *samples, ids["none"]]) == [ids["owl"], samples[2]]
    with pytest.raises(Busy, match="a sample of an experiment with reading"):
        store.runs.delete(ids["owl"])
    with pytest.raises(Busy):
        store.documents.delete(OWL.id)
    assert len(store.run_list.runs([ids["owl"], ids["none"], *samples])) == 5
    store.runs.settle(of_a_sample, "cancelled")
    assert store.run_list.delete([ids["owl"]]) == Deleted((ids["owl"],), (), (), along=(*samples, of_a_sample))


def test_samples_that_were_chosen_beside_their_reading_are_gone_and_not_missing(store: Store, ids: dict[str, str]) -> None:
    samples = [put(store, "How often?", parent=ids["owl"], experiment="x") for _ in range(4)]
    assert set(store.run_list.samples_of([ids["owl"], *samples[:2]])) == set(samples[2:])
    done = store.run_list.delete([ids["owl"], samples[0], "gone", samples[1]])
    assert (done.gone, done.busy, done.missing) == ((ids["owl"], samples[0], samples[1]), (), ("gone",))
    assert set(done.along) == set(samples[2:])


def test_a_reading_stays_while_a_fork_takes_over_from_it(store: Store, ids: dict[str, str]) -> None:
    fork = put(store, "What if?", parent=ids["owl"], edit={"kind": "again", "seq": 0}, status="queued")
    with pytest.raises(Busy, match=f"fork {fork!r} of it is under way and copies replies from it"):
        store.runs.delete(ids["owl"])
    assert store.run_list.delete([ids["owl"], fork]).busy == (ids["owl"], fork)
    with pytest.raises(Busy):
        store.documents.delete(OWL.id)
    store.runs.claim(fork)
    assert store.run_list.undeletable([ids["owl"]]) == [ids["owl"]]
    store.connection.execute("UPDATE runs SET worker = '999999999:1.00' WHERE id = ?", (fork,))  # nobody reads on
    assert store.run_list.undeletable([ids["owl"]]) == []
    store.runs.delete(ids["owl"])
    assert store.runs.get(fork).parent == ids["owl"]


# --- a public demo --------------------------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    with Store(tmp_path / "demo.db", visitor="ann") as ann, Store(tmp_path / "demo.db", visitor="ben") as ben:
        yield ann, ben


def test_a_visitor_finds_their_own_and_the_hosts(two: tuple[Store, Store], tmp_path: Path) -> None:
    ann, ben = two
    with Store(tmp_path / "demo.db") as host:
        hosts = put(host, "The host's?")
    of_ann = put(ann, "Ann's secret?", replace(OWL, title="Ann's title"), model="ann/model", reader="readagent")
    ann.run_list.tag([of_ann], "ann's tag")
    assert set(ann.run_list.ids(RunFilter())) == {hosts, of_ann}
    assert ben.run_list.ids(RunFilter()) == [hosts]
    assert [listed.run.id for listed in ben.run_list.find(RunFilter(words="s"))] == [hosts]
    facets = ben.run_list.facets()
    assert (facets.readers, facets.models, facets.tags) == (("memwalker",), ("offline/extractive",), ())
    assert "Ann's title" not in facets.documents.values()


def test_an_answer_that_says_there_is_none_is_found_as_no_answer_given(store: Store) -> None:
    refused, choices = "The text does not say.", {"choices": ["The text does not say", "Ann"]}
    none = put(store, "Who?", outcome="answered", answer=refused)
    some = put(store, "Who else?", outcome="answered", answer="Ann.")
    chosen = put(store, "Which?", outcome="answered", answer=refused, spec=choices)
    assert store.run_list.ids(RunFilter(state="none_given"), limit=9) == [none]
    assert set(store.run_list.ids(RunFilter(state="answered"), limit=9)) == {some, chosen}
