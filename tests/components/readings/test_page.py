"""The Readings page: list, filter, select, tag, rename, export, delete and import readings; and its words."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.html.words import reading_words
from components.readings import found, page, wording
from components.session import access, address, demos, state
from readers import get
from readers.engine.analysis import passages as passages_module
from readers.engine.errors import BadFile, LimitReached, NotFound
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.store.run import Deleted
from readers.engine.store.run_list import Figures, ListedRun, RunFilter
from readers.engine.text.document import Document
from tests.support.app_pages import html, links, opened, run, words
from tests.support.models.scripted_models import parts_of
from tests.support.specs import current_spec

SMALL_PARTS = {"segment_tokens": 64, "max_children": 3}
HOSTILE = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) $y^2$ :red[z] <script>"
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def put(store: Store, question: str, **columns: Any) -> str:
    """A finished reading without calls."""
    document = Document.of("The lamp was lit at dusk.", title=columns.pop("title", "Lamp"))
    store.documents.add(document)
    spec = {**asdict(current_spec("memwalker", question)), "model": columns.pop("model", "offline/extractive")}
    answer, status = columns.pop("answer", "At dusk."), columns.pop("status", "finished")
    run = store.runs.add(Run("", document.id, columns.pop("reader", "memwalker"), question, spec, "queued", **columns))
    if status != "queued":
        ended = {"outcome": "answered", "answer": answer, "evidence": ()} if status == "finished" else {}
        store.runs.settle(run.id, status, seconds=1.0, **ended)
    return run.id


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("3_Readings") as app:
        yield app


def listed(app: AppTest) -> list[str]:
    return [label for label, query in links(app) if query.startswith("run=")]


def field(app: AppTest, label: str) -> Any:
    return next(box for box in [*app.selectbox, *app.text_input, *app.text_area] if box.label.startswith(label))


def told(app: AppTest) -> str:
    """What is said at the top, too."""
    return words(app) + " ".join(element.value for element in app.success).replace("\\", "")


def tick(app: AppTest, *ids: str) -> None:
    for run_id in ids:
        app.checkbox(key=state.key("tick", run_id)).check().run()
    assert not app.exception


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


# --- the page -------------------------------------------------------------------------------------------------------------


def test_an_empty_list_says_what_will_be_here(app: AppTest) -> None:
    run(app)
    assert "No readings yet" in html(app)
    assert ("Read a text", "") in links(app)


def test_readings_lead_to_their_traces_and_tell_what_they_took(app: AppTest, store: Store) -> None:
    run_id = put(store, "When was the lamp lit?")
    run(app)
    assert ("When was the lamp lit?", f"run={run_id}") in links(app)
    assert "<span>MemWalker</span> · <span>offline model (no neural network)</span> · <span>Lamp</span>" in html(app)
    assert "At dusk." in html(app)
    assert "1 reading" in html(app)


def test_the_address_narrows_the_list_and_fields_change_the_address(app: AppTest, store: Store) -> None:
    for question, reader in (("Who lit the lamp?", "memwalker"), ("Who sold the oil?", "readagent"), ("Why?", "memwalker")):
        put(store, question, reader=reader)
    run(app, words="who", sort="question")
    assert listed(app) == ["Who lit the lamp?", "Who sold the oil?"]
    assert field(app, "Search").value == "who"
    field(app, "Reader").set_value("readagent").run()
    assert listed(app) == ["Who sold the oil?"]
    assert dict(app.query_params) == {"words": "who", "sort": "question", "reader": "readagent"}
    field(app, "Search").set_value("zeppelin").run()
    assert listed(app) == []
    assert "No reading matches" in html(app)
    press(app, "Show all readings")
    assert len(listed(app)) == 3
    assert dict(app.query_params) == {}


def test_an_address_that_asks_for_nonsense_lists_everything_or_nothing_and_never_fails(app: AppTest, store: Store) -> None:
    put(store, "Who?")
    run(app, sort="'; DROP", ended="<b>", forks="maybe", samples="x", page="-4", at="1")
    assert listed(app) == ["Who?"]
    with opened("3_Readings") as again:
        run(again, page="999999", reader="none-such", tag=HOSTILE, model="\x00", text="../etc", words="x" * 9_000)
        assert listed(again) == []


def test_pages_of_twenty_in_the_address(app: AppTest, store: Store) -> None:
    for number in range(45):
        put(store, f"Question {number:02}?")
    run(app, page="3", sort="oldest")
    assert listed(app) == [f"Question {number}?" for number in range(40, 45)]
    assert len(app.checkbox) == 1 + 5  # and whether to search in all that was said
    with opened("3_Readings") as again:
        run(again)
        assert len(listed(again)) == len(again.checkbox) - 1 == page.A_PAGE


def test_samples_are_shown_when_asked_for(app: AppTest, store: Store) -> None:
    put(store, "Who?")
    put(store, "Who else?", experiment="x")
    run(app)
    assert listed(app) == ["Who?"]
    app.checkbox(key="readings.samples").check().run()
    assert set(listed(app)) == {"Who?", "Who else?"}
    assert dict(app.query_params) == {"samples": "yes"}


def test_selected_readings_are_tagged_and_untagged(app: AppTest, store: Store) -> None:
    ids = [put(store, f"Question {number}?") for number in range(3)]
    run(app)
    tick(app, *ids[:2])
    field(app, "Tag for 2 readings").set_value(HOSTILE[:38])
    press(app, "Add tag")
    assert store.run_list.tags(ids) == {ids[0]: (HOSTILE[:38],), ids[1]: (HOSTILE[:38],)}
    assert "Tagged 2 readings" in told(app)
    assert html(app).count('<span class="tag">&lt;img src=x onerror=alert(1)&gt;') == 2
    press(app, "Remove tag")
    assert store.run_list.tags(ids) == {}


def test_one_is_named_and_noted_and_hostile_words_show_as_themselves(app: AppTest, store: Store) -> None:
    run_id = put(store, HOSTILE, answer=HOSTILE, title=HOSTILE, model="<b>model</b>")
    store.run_list.tag([run_id], "<i>tag</i>")
    run(app)
    tick(app, run_id)
    field(app, "Name").set_value(f"Named {HOSTILE}")
    field(app, "Note").set_value("A note.")
    press(app, "Save")
    assert (store.runs.get(run_id).name, store.runs.get(run_id).note) == (f"Named {HOSTILE}", "A note.")
    assert (f"Named {HOSTILE}", f"run={run_id}") in links(app)
    shown = html(app)
    assert "<img" not in shown
    assert "<script" not in shown
    assert "<i>tag" not in shown
    assert "<b>model" not in shown
    assert shown.count("&lt;img src=x onerror=alert(1)&gt;") >= 3
    field(app, "Name").set_value("a\x07b")
    press(app, "Save")
    assert "name has up to" in words(app)


def test_many_are_deleted_at_once_and_what_stays_is_told(app: AppTest, store: Store) -> None:
    ids = [put(store, f"Question {number}?") for number in range(30)]
    going = put(store, "Not yet?", status="queued")  # waits for this process, which lives
    run(app)
    press(app, "Select all 31")
    assert "Delete these 31 readings?" in words(app)
    assert "1 of them cannot be deleted yet: the reading itself" in words(app)
    press(app, "Delete 31")
    assert app.session_state["readings.box.delete"] is False
    assert "30 readings were deleted." in told(app)
    assert "1 reading was not deleted: the reading itself, a sample of it, or a fork" in words(app)
    assert [run.id for run in store.runs.listed()] == [going]
    assert not set(ids) & set(state_of(app))


def test_samples_go_with_their_reading_and_both_are_told_before_and_after(app: AppTest, store: Store) -> None:
    parent = put(store, "Who?")
    samples = [put(store, "Who else?", parent=parent, experiment="x") for _ in range(3)]
    run(app, samples="yes")
    tick(app, parent, samples[0])
    assert "and so are 2 samples of experiments with them" in words(app)
    press(app, "Delete 2")
    assert "2 readings were deleted, and 2 samples of experiments with them." in told(app)
    assert "not there any more" not in told(app)
    assert store.runs.listed(samples=True) == []


def test_a_fork_that_was_switched_is_listed_with_all_its_models_and_found_by_each(app: AppTest, store: Store) -> None:
    put(store, "Who?")
    edit = {"kind": "model", "seq": 3, "model": "human/you", "api_base": None}
    first = store.runs.listed()[0]
    store.runs.add(replace(first, spec=first.spec | {"edits": [edit]}, edit=edit, question="Who, then?", parent=first.id))
    run(app)
    assert "<span>offline model (no neural network), then you</span>" in html(app)
    field(app, "Model").set_value("human/you").run()
    assert listed(app) == ["Who, then?"]


def state_of(app: AppTest) -> list[str]:
    return list(app.session_state["_ticked"])


def test_what_was_deleted_elsewhere_is_ticked_no_more(app: AppTest, store: Store) -> None:
    ids = [put(store, f"Question {number}?") for number in range(3)]
    run(app)
    tick(app, *ids)
    store.runs.delete(ids[1])
    app.run()
    assert "2 selected" in html(app)
    assert state_of(app) == [ids[0], ids[2]]
    press(app, "Clear selection")
    assert "None selected" in html(app)


def test_two_to_so_many_as_there_is_room_for_are_compared(app: AppTest, store: Store) -> None:
    ids = [put(store, f"Question {number}?") for number in range(address.MOST_COMPARED + 1)]
    run(app)
    tick(app, ids[0])
    assert button(app, "Compare").disabled
    tick(app, ids[1])
    assert not button(app, "Compare").disabled
    tick(app, *ids[2:])
    assert button(app, "Compare").disabled


def button(app: AppTest, label: str) -> Any:
    return next(button for button in app.button if button.label == label)


def test_home_leads_to_all_readings(store: Store) -> None:
    put(store, "Who?")
    with opened() as home:
        home.run()
        assert ("All readings", "") in links(home)


# --- in all that was read and said ---------------------------------------------------------------------------------------


@pytest.fixture
def two_read(store: Store) -> list[str]:
    ids = []
    for question in ("Where is part 3?", "Where is part 7?"):
        made = create_run(store, parts_of(9), get("memwalker"), current_spec("memwalker", question, options=SMALL_PARTS))
        execute(store, made.id, get("memwalker"), Execution(Offline()))
        ids.append(made.id)
    return ids


def passages(app: AppTest) -> list[tuple[str, str]]:
    return [(label, query) for label, query in links(app) if "find=" in query]


def test_words_are_found_in_all_that_was_read_and_said_and_lead_to_their_step(app: AppTest, two_read: list[str]) -> None:
    run(app, words="part 7 summary", sort="question")
    assert "No reading matches" in html(app)
    app.checkbox(key="readings.said").check().run()
    assert dict(app.query_params) == {"words": "part 7 summary", "said": "yes", "sort": "question"}
    assert found.NONE in html(app)
    field(app, found.LABEL).set_value('"part 7"').run()
    assert {query.partition("&")[0] for _, query in passages(app)} == {f"run={run_id}" for run_id in two_read}
    label, query = next(one for one in passages(app) if f"run={two_read[1]}" in one[1])
    assert label.startswith("step 1, question: Where is **part 7**")
    assert f"run={two_read[1]}&at=1&find=%22part+7%22" in query
    press(app, "Select all")
    assert set(app.session_state["_ticked"]) == set(two_read)
    app.selectbox(key="readings.reader").set_value("memwalker").run()
    assert len(passages(app)) > 2


def test_a_search_stops_in_time_and_goes_on_where_it_stopped(
    app: AppTest, two_read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "SECONDS", -1.0)
    for module in (found, passages_module):
        monkeypatch.setattr(module, "PORTION", 1)
    run(app, words="part", said="yes")
    assert "Searched 1 of 2 readings." in words(app)
    assert len(app.checkbox) == 2  # whether to search so, and one reading
    press(app, "Search 1 more")
    assert "Searched" not in words(app)
    assert len(app.checkbox) == 3


def test_what_is_covered_from_who_is_the_model_is_not_found(app: AppTest, store: Store) -> None:
    put(store, "Which zeppelin?", model="human/you", status="cancelled")
    put(store, "What zeppelin?", status="cancelled")
    run(app, words="zeppelin", said="yes")
    assert listed(app)[:1] == ["What zeppelin?"]
    assert "1 reading" in html(app)


# --- a public demo --------------------------------------------------------------------------------------------------------


@pytest.fixture
def a_file(tmp_path: Any) -> bytes:
    with Store(tmp_path / "elsewhere.db") as elsewhere:
        spec = current_spec("memwalker", "Where is it?", options={"segment_tokens": 64, "max_children": 3})
        made = create_run(elsewhere, parts_of(9), get("memwalker"), spec)
        execute(elsewhere, made.id, get("memwalker"), Execution(Offline()))
        return json.dumps(run_file(elsewhere, made.id, get("memwalker"))).encode()


def test_in_a_demo_a_visitor_takes_in_and_changes_only_their_own(
    store: Store, a_file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = put(store, "The host's?")
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    visitors = {"now": "ann"}
    monkeypatch.setattr(access, "visitor", lambda: visitors["now"])
    mine = access.import_run(a_file, "a.json")
    assert mine.spec["caps"] == {"max_calls": demos.MOST_CALLS}
    assert access.may_change(mine.id)
    access.set_name_and_note(mine.id, "Mine", "")
    visitors["now"] = "ben"
    assert not access.may_see(mine.id)
    for act in (lambda: access.set_name_and_note(mine.id, "x", ""), lambda: access.tag_runs([hosts], "x")):
        with pytest.raises(NotFound):
            act()
    with pytest.raises(NotFound):
        access.untag_runs([mine.id], "x")
    assert access.delete_runs([mine.id, hosts]) == Deleted((), (), (mine.id, hosts))
    assert store.runs.get(mine.id).name == "Mine"


def test_an_empty_demo_does_not_promise_that_readings_stay(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    app.run()
    assert "stays until you leave" in html(app)


def test_in_a_demo_sizes_are_kept(store: Store, a_file: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setattr(access, "visitor", lambda: "ann")
    for limit, error in (
        ("MOST_FILE_BYTES", BadFile),
        ("MOST_BYTES", BadFile),
        ("MOST_TOKENS", BadFile),
    ):
        with monkeypatch.context() as small:
            small.setattr(demos, limit, 0)
            with pytest.raises(error, match="public demo"):
                access.import_run(a_file, "a.json")
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "0")
    with pytest.raises(LimitReached, match="public demo"):
        access.import_run(a_file, "a.json")
    assert (store.runs.listed(), store.documents.listed()) == ([], [])


# --- pure parts -----------------------------------------------------------------------------------------------------------


def a_listed(**columns: Any) -> ListedRun:
    given = {"spec": {"model": "gpt-4o"}, "status": "finished", "created": "2026-03-04T09:00:00+00:00", **columns}
    return ListedRun(Run("r", "d", "memwalker", "Who?", **given), "Lamp", (), Figures(14, 3, 900, 0.2))


def test_an_address_is_read_as_far_as_it_makes_sense() -> None:
    asks = {"words": "a b", "ended": "failed", "forks": "no", "samples": "yes", "sort": "cost", "text": "d1"}
    assert reading_words.wanted(asks) == RunFilter("a b", "", "", "d1", "failed", "", False, True, "cost")
    assert reading_words.wanted({"ended": "x", "forks": "x", "samples": "1", "sort": "x"}) == RunFilter()
    assert [wording.page_number({"page": word}, 7) for word in ("", "3", "0", "99", "-1", "²", "9" * 50)] == [
        1,
        3,
        1,
        7,
        1,
        1,
        1,
    ]


def test_the_facts_listed_for_a_reading() -> None:
    told = wording.facts(a_listed(seconds=12.34), "MemWalker", NOW)
    assert told == ["MemWalker", "gpt-4o", "Lamp", "3 hours ago", "14 calls, 3 reused", "$0.20", "12 seconds"]
    assert wording.facts(a_listed(parent="p"), "M", NOW)[0] == "fork"
    assert wording.facts(a_listed(experiment="x", parent="p"), "M", NOW)[:2] == ["of an experiment", "fork"]
    edit = {"kind": "leave_out", "seq": 4, "said": "“the dead notes”"}
    assert wording.facts(a_listed(parent="p", edit=edit), "M", NOW)[0] == ("fork: from call 5 on “the dead notes” is left out")
    assert wording.facts(a_listed(), "M", NOW, recorded="2026-11-22")[1:3] == ["Lamp", "recorded 2026-11-22 by gpt-4o"]
    from_a_file = wording.facts(a_listed(taken_in=True, note="Look\nat #3 here."), "M", NOW)
    assert from_a_file[3:5] == ["imported from a file 3 hours ago", "note: Look at #3 here."]
    assert wording.costs(Figures(1, 0, 5, None), 0.01) == ["1 call", "cost unknown"]
    assert wording.costs(Figures(2, 0, 5, 0.004), None) == ["2 calls", "under 1 cent"]
    assert wording.costs(Figures(), 0.0) == []
    long = wording.answer(a_listed(answer="word " * 400))
    assert len(long) <= wording.ANSWER_CHARS + 2
    assert long.endswith("word …")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ("at calls: the reply of seq 1, attempt 0 is not what the reading has", "changed or damaged after it was exported"),
        ("it is not complete JSON: x at character 2", "the file is incomplete"),
        ("it is empty", "not a file that Palimpsest exported"),
        ("at run.spec.reader: there is no reader 'x'", "its reader is not installed here"),
    ],
)
def test_a_refusal_starts_in_plain_words(found: str, says: str) -> None:
    told = wording.refusal(f"'a.json' is not imported: {found}")
    assert told.startswith("'a.json' was not imported: ")
    assert says in told
    assert told.index(says) < told.index(f"In detail: {found}.")
    assert wording.refusal("this is a public demo: no") == "This is a public demo: no."
    version = "it was made by version 1 of X, and here is version 2"
    assert wording.refusal(f"'a' is not imported: {version}") == f"'a' was not imported: {version}."


def test_the_label_of_a_checkbox_holds_no_markdown() -> None:
    assert wording.spoken_title(" Who’s  there, then? ") == "Who’s there, then?"
    assert wording.spoken_title(HOSTILE) == "img src x onerror alert 1 x http example org x png y 2 red z script"
    assert wording.spoken_title("*_`$") == "a reading"
    assert len(wording.spoken_title("一二" * 400)) == wording.SPOKEN_CHARS


def test_messages_before_and_after_deleting() -> None:
    assert reading_words.before_deleting(1) == (
        "Delete this reading? Its steps and replies are deleted. The text stays, and so do forks made of it."
    )
    assert "and so is 1 sample of experiments with it. The text stays" in reading_words.before_deleting(1, samples=1)
    assert "It cannot be deleted yet" in reading_words.before_deleting(1, held=1)
    assert reading_words.before_deleting(12, held=2, samples=1_200) == (
        "Delete these 12 readings? Their steps and replies are deleted, and so are 1,200 samples of experiments with "
        "them. The texts stay, and so do forks made of them. 2 of them cannot be deleted yet: the reading itself, a sample of "
        "it, or a fork that takes replies over from it is still running. Cancel that first."
    )
    told = wording.deletion_messages(Deleted(("a",), ("b", "c"), ("d",), along=("e", "f")))
    assert [tone for tone, _ in told] == ["success", "warning", "warning"]
    assert told[0][1] == "1 reading was deleted, and 2 samples of experiments with it."
    assert told[1][1].startswith("2 readings were not deleted: ")
    assert told[2][1].startswith("1 reading is already deleted")
    assert wording.deletion_messages(Deleted((), (), ())) == []
    ((tone, words),) = wording.deletion_messages(Deleted((), (), (), kept=("a", "b")))
    assert (tone, "2 belong to a project" in words or "2 readings belong to a project" in words) == ("warning", True)


def test_a_zip_holds_run_files_and_names_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wording, "MOST_ZIPPED", 60)

    def make(run_id: str) -> dict[str, Any]:
        if run_id == "gone":
            raise NotFound("there is no reading 'gone'")
        return {"id": run_id, "text": "ü" * (40 if run_id == "big" else 2)}

    with zipfile.ZipFile(io.BytesIO(wording.zipped(["a", "gone", "big", "b"], make))) as archive:
        assert archive.namelist() == ["palimpsest-a.json", "palimpsest-b.json", wording.LEFT_OUT]
        assert json.loads(archive.read("palimpsest-b.json")) == {"id": "b", "text": "üü"}
        missing = archive.read(wording.LEFT_OUT).decode()
    assert "gone: there is no reading" in missing
    assert "big: the zip would be over" in missing
