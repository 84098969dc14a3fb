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
from readers.engine.run.execute import Execution, RunSpec, begin, execute
from readers.engine.store import Run, Store
from readers.engine.store.reading import open_reading
from readers.engine.store.run_list import LONGEST_NAME, LONGEST_NOTE, LONGEST_TAG, MOST_TAGS, SORTS, Deleted, Figures, Wanted
from readers.engine.text.document import Document
from readers.memwalker import MemWalker
from tests.support.scripted_models import parts_of

LAMP = Document.of("The lamp was lit at dusk.", title="Das Straßenlicht")
OWL = Document.of("The owl sat on the 100% capstan.", title="an owl")


def put(store: Store, question: str, document: Document = LAMP, **columns: Any) -> str:
    """A reading that has ended, without any call."""
    store.add_document(document)
    spec = {"model": columns.pop("model", "offline/extractive"), "version": 1}
    ended = {name: columns.pop(name) for name in ("outcome", "answer", "seconds") if name in columns}
    status = columns.pop("status", "finished")
    run = store.add_run(Run("", document.id, columns.pop("reader", "memwalker"), question, spec, "queued", **columns))
    if status != "queued":
        seconds = ended.pop("seconds", 0.0)
        store.settle(run.id, status, seconds=seconds, **({"outcome": "answered"} if status == "finished" else {}) | ended)
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


def named(ids: dict[str, str], store: Store, wanted: Wanted) -> set[str]:
    found = store.shelf.ids(wanted)
    assert len(found) == store.shelf.count(wanted) == len(store.shelf.find(wanted, limit=100))
    return {name for name, id in ids.items() if id in found}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), {"lamp", "owl", "none", "failed", "queued", "fork"}),
        (Wanted(samples=True), {"lamp", "owl", "none", "failed", "queued", "fork", "sample"}),
        (Wanted(words="lamp  LIT"), {"lamp"}),
        (Wanted(words="ÄRGER"), {"lamp"}),
        (Wanted(words="STRASSENLICHT who"), {"lamp"}),
        (Wanted(words="50_000"), {"none"}),
        (Wanted(words="%"), set()),
        (Wanted(words="capstan"), {"owl"}),
        (Wanted(words="'; DROP TABLE runs; --"), set()),
        (Wanted(words="\ud800"), {"lamp", "owl", "none", "failed", "queued", "fork"}),
        (Wanted(reader="readagent"), {"owl"}),
        (Wanted(model="gpt-4o"), {"owl"}),
        (Wanted(document=OWL.id), {"owl", "none"}),
        (Wanted(standing="no_answer"), {"none"}),
        (Wanted(standing="answered"), {"lamp", "owl", "fork"}),
        (Wanted(standing="failed"), {"failed"}),
        (Wanted(standing="under_way"), {"queued"}),
        (Wanted(standing="exploded"), set()),
        (Wanted(forks=True), {"fork"}),
        (Wanted(forks=False), {"lamp", "owl", "none", "failed", "queued"}),
        (Wanted(words="who", model="gpt-4o"), set()),
    ],
)
def test_readings_are_found_by_all_that_is_asked_together(
    store: Store, ids: dict[str, str], wanted: Wanted, found: set[str]
) -> None:
    assert named(ids, store, wanted) == found


def test_words_are_found_in_name_and_note_and_tags_by_the_filter(store: Store, ids: dict[str, str]) -> None:
    store.shelf.rename(ids["owl"], "  My   FIRST one ")
    store.shelf.annotate(ids["none"], "To show in class.\nTwice.\n")
    assert named(ids, store, Wanted(words="first")) == {"owl"}
    assert named(ids, store, Wanted(words="class twice")) == {"none"}
    assert store.run(ids["owl"]).name == "My FIRST one"
    assert store.run(ids["none"]).note == "To show in class.\nTwice."
    store.shelf.tag([ids["owl"], ids["lamp"]], "Class A")
    assert named(ids, store, Wanted(tag="Class A")) == {"owl", "lamp"}
    assert named(ids, store, Wanted(tag="class a")) == set()


def test_a_reading_whose_worker_died_is_interrupted_and_not_under_way(store: Store, ids: dict[str, str]) -> None:
    store._db.conn.execute("UPDATE runs SET worker = '999999999:1.00' WHERE id = ?", (ids["queued"],))
    assert named(ids, store, Wanted(standing="interrupted")) == {"queued"}
    assert named(ids, store, Wanted(standing="under_way")) == set()


def test_they_are_sorted_and_come_a_page_at_a_time(store: Store, ids: dict[str, str]) -> None:
    by = {sort: store.shelf.ids(Wanted(sort=sort)) for sort in SORTS}
    assert by["newest"] == by["oldest"][::-1]
    assert by["newest"][0] == ids["fork"]
    assert by["time"][:3] == [ids["owl"], ids["lamp"], ids["failed"]]
    assert set(by["title"][:2]) == {ids["owl"], ids["none"]}  # "an owl" before "Das ...", whatever the capitals
    questions = [store.run(id).question.casefold() for id in by["question"]]
    assert questions == sorted(questions)
    assert all(set(found) == set(by["newest"]) for found in by.values())
    pages = [store.shelf.find(Wanted(), limit=4, offset=at) for at in (0, 4, 8)]
    assert [listed.run.id for page in pages for listed in page] == by["newest"]
    with pytest.raises(BadOptions, match="sorted by"):
        store.shelf.ids(Wanted(sort="id; DROP TABLE runs"))


def test_figures_are_those_that_the_measures_give(store: Store) -> None:
    spec = RunSpec("memwalker", 1, "Where is it?", options={"segment_tokens": 64, "max_children": 3})
    first = execute(store, begin(store, parts_of(9), MemWalker(), spec).id, MemWalker(), Execution(Offline()))
    second = execute(store, begin(store, parts_of(9), MemWalker(), spec).id, MemWalker(), Execution(Offline()))
    store._db.conn.execute("UPDATE calls SET cost_usd = 0.25 WHERE run = ? AND seq < 3", (first.id,))
    store._db.conn.execute("UPDATE calls SET cost_usd = NULL WHERE run = ? AND origin = 'live'", (second.id,))
    figures = store.shelf.figures([first.id, second.id, "gone"])
    for run in (first, second):
        reading = open_reading(store, run.id)
        told = measures(reading.trace, reading.records)
        tokens = told["tokens_in"] + told["tokens_out"]
        assert figures[run.id] == Figures(told["calls_live"], told["calls_reused"], tokens, told["cost_usd"])
    assert figures[first.id].cost == 0.75
    assert figures[second.id].cost is None
    assert figures[second.id].reused > 0
    assert "gone" not in figures
    assert store.shelf.ids(Wanted(sort="calls")) == store.shelf.ids(Wanted(sort="cost")) == [first.id, second.id]


def test_many_ids_are_looked_up_in_portions(store: Store) -> None:
    ids = [put(store, f"Question {n}?") for n in range(1_100)]
    store.shelf.tag(ids, "all")
    assert len(store.shelf.runs(ids)) == len(store.shelf.tags(ids)) == store.shelf.count(Wanted(tag="all")) == 1_100
    done = store.shelf.delete(ids)
    assert (len(done.gone), done.busy, done.missing, store.runs()) == (1_100, (), (), [])


def test_what_there_is_to_filter_by(store: Store, ids: dict[str, str]) -> None:
    store.shelf.tag([ids["owl"]], "b")
    store.shelf.tag([ids["lamp"]], "A")
    facets = store.shelf.facets()
    assert (facets.readers, facets.models, facets.tags) == (
        ("memwalker", "readagent"),
        ("gpt-4o", "offline/extractive"),
        ("A", "b"),
    )
    assert (facets.documents, facets.samples) == ({OWL.id: "an owl", LAMP.id: "Das Straßenlicht"}, 1)


def test_a_reading_that_was_switched_is_found_by_each_of_its_models(store: Store, ids: dict[str, str]) -> None:
    edit = {"kind": "model", "seq": 3, "model": "human/you", "api_base": None}
    spec = store.run(ids["lamp"]).spec | {"edits": [edit]}
    ids["switched"] = store.add_run(replace(store.run(ids["lamp"]), spec=spec, edit=edit)).id
    assert named(ids, store, Wanted(model="human/you")) == {"switched"}
    assert "switched" in named(ids, store, Wanted(model="offline/extractive"))
    assert store.shelf.facets().models == ("gpt-4o", "human/you", "offline/extractive")


def test_tags_are_put_on_once_and_taken_off(store: Store, ids: dict[str, str]) -> None:
    some = [ids["owl"], ids["lamp"], "gone"]
    assert store.shelf.tag(some, "  to   check ") == 2
    assert store.shelf.tag([ids["owl"], ids["none"]], "to check") == 1
    assert store.shelf.tags(some) == {ids["owl"]: ("to check",), ids["lamp"]: ("to check",)}
    assert store.shelf.untag([*some, ids["none"]], "to check") == 3
    assert store.shelf.tags(some) == {}


@pytest.mark.parametrize("tag", ["", "  ", "x" * (LONGEST_TAG + 1), "a\0b", "a\u202eb"])
def test_what_is_no_tag_is_refused(store: Store, ids: dict[str, str], tag: str) -> None:
    with pytest.raises(BadOptions, match="a tag has"):
        store.shelf.tag([ids["owl"]], tag)
    assert store.shelf.tags([ids["owl"]]) == {}


def test_a_tag_too_many_is_refused_for_all(store: Store, ids: dict[str, str]) -> None:
    for number in range(MOST_TAGS):
        store.shelf.tag([ids["owl"]], f"tag {number}")
    store.shelf.tag([ids["owl"]], "tag 3")
    with pytest.raises(BadOptions, match=f"up to {MOST_TAGS} tags"):
        store.shelf.tag([ids["lamp"], ids["owl"]], "one more")
    assert store.shelf.tags([ids["lamp"]]) == {}


def test_names_and_notes_are_bounded_and_can_be_taken_back(store: Store, ids: dict[str, str]) -> None:
    with pytest.raises(BadOptions, match="name has up to"):
        store.shelf.rename(ids["owl"], "x" * (LONGEST_NAME + 1))
    with pytest.raises(BadOptions, match="note has up to"):
        store.shelf.annotate(ids["owl"], "x" * (LONGEST_NOTE + 1))
    with pytest.raises(BadOptions):
        store.shelf.rename(ids["owl"], "a\x07b")
    store.shelf.rename(ids["owl"], "half \ud83d")
    assert store.run(ids["owl"]).name == "half ?"
    for act in (store.shelf.rename, store.shelf.annotate):
        act(ids["owl"], "  ")
        with pytest.raises(NotFound):
            act("gone", "x")
    assert (store.run(ids["owl"]).name, store.run(ids["owl"]).note) == (None, None)


def test_deleting_many_says_what_came_of_each(store: Store, ids: dict[str, str]) -> None:
    store.shelf.tag([ids["owl"]], "t")
    fork = put(store, "A fork of the owl's", parent=ids["owl"])
    some = [ids["owl"], ids["queued"], "gone", ids["owl"]]  # the queued one waits for this very process, which lives
    done = store.shelf.delete(some)
    assert (done.gone, done.busy, done.missing) == ((ids["owl"],), (ids["queued"],), ("gone",))
    assert store.run(fork).parent == ids["owl"]
    assert {shelved.id for shelved in store.documents()} == {LAMP.id, OWL.id}
    assert store._db.conn.execute("SELECT count(*) FROM tags").fetchone() == (0,)


def test_nothing_of_a_reading_goes_while_any_sample_of_it_is_under_way(store: Store, ids: dict[str, str]) -> None:
    samples = [put(store, "How often?", parent=ids["owl"], experiment="x") for _ in range(3)]
    of_a_sample = put(store, "And of those?", parent=samples[2], experiment="y", status="queued")
    assert store.shelf.delete([ids["owl"], ids["lamp"]]) == Deleted((ids["lamp"],), (ids["owl"],), ())
    assert {run.id for run in store.shelf.runs([ids["owl"], *samples, of_a_sample])} == {ids["owl"], *samples, of_a_sample}
    assert store.shelf.held([ids["owl"], *samples, ids["none"]]) == [ids["owl"], samples[2]]
    with pytest.raises(Busy, match="a sample of an experiment with reading"):
        store.delete_run(ids["owl"])
    with pytest.raises(Busy):
        store.delete_document(OWL.id)
    assert len(store.shelf.runs([ids["owl"], ids["none"], *samples])) == 5
    store.settle(of_a_sample, "cancelled")
    assert store.shelf.delete([ids["owl"]]) == Deleted((ids["owl"],), (), (), along=(*samples, of_a_sample))


def test_samples_that_were_chosen_beside_their_reading_are_gone_and_not_missing(store: Store, ids: dict[str, str]) -> None:
    samples = [put(store, "How often?", parent=ids["owl"], experiment="x") for _ in range(4)]
    assert set(store.shelf.along([ids["owl"], *samples[:2]])) == set(samples[2:])
    done = store.shelf.delete([ids["owl"], samples[0], "gone", samples[1]])
    assert (done.gone, done.busy, done.missing) == ((ids["owl"], samples[0], samples[1]), (), ("gone",))
    assert set(done.along) == set(samples[2:])


def test_a_reading_stays_while_a_fork_takes_over_from_it(store: Store, ids: dict[str, str]) -> None:
    fork = put(store, "What if?", parent=ids["owl"], edit={"kind": "again", "seq": 0}, status="queued")
    with pytest.raises(Busy, match=f"fork {fork!r} of it is under way and takes replies over from it"):
        store.delete_run(ids["owl"])
    assert store.shelf.delete([ids["owl"], fork]).busy == (ids["owl"], fork)
    with pytest.raises(Busy):
        store.delete_document(OWL.id)
    store.claim(fork)
    assert store.shelf.held([ids["owl"]]) == [ids["owl"]]
    store._db.conn.execute("UPDATE runs SET worker = '999999999:1.00' WHERE id = ?", (fork,))  # nobody reads on
    assert store.shelf.held([ids["owl"]]) == []
    store.delete_run(ids["owl"])
    assert store.run(fork).parent == ids["owl"]


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
    ann.shelf.tag([of_ann], "ann's tag")
    assert set(ann.shelf.ids(Wanted())) == {hosts, of_ann}
    assert ben.shelf.ids(Wanted()) == [hosts]
    assert [listed.run.id for listed in ben.shelf.find(Wanted(words="s"))] == [hosts]
    facets = ben.shelf.facets()
    assert (facets.readers, facets.models, facets.tags) == (("memwalker",), ("offline/extractive",), ())
    assert "Ann's title" not in facets.documents.values()
