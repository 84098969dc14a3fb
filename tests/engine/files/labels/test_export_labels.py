"""Labels as files: whole and harmless, blind as the page is, and taken back in without writing over anything."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from readers.engine.errors import BadFile, BadOptions, NotFound, ReadingError
from readers.engine.files.labels import read_labels
from readers.engine.files.labels.export_labels import SCHEMA, Export, as_csv, as_jsonl, gathered
from readers.engine.files.labels.import_labels import LabelImport, import_labels
from readers.engine.files.labels.label_studio import as_label_studio, setup
from readers.engine.files.labels.read_labels import LabelFile, read_label_file
from readers.engine.labels.codebook import Change, Codebook, to_json
from readers.engine.labels.label import Decision, Label
from readers.engine.labels.project import HOST, Project, Settings, Viewer
from readers.engine.record import edits
from readers.engine.store import Store
from tests.support.labels import BOOK, HOSTILE, about, coded, opened, project

REPLY = edits.to_json(edits.ReplyEdit(3, 0, '=cmd|"/c calc"!A1 <b>left</b>'))
WRITTEN = edits.to_json(edits.WrittenEdit(2, "summary", "It slept.", "It woke.\r\n'Twas day."))
FORMATS: dict[str, Callable[[Export], str]] = {"jsonl": as_jsonl, "csv": as_csv}


def rich(store: Store) -> tuple[Project, str]:
    """Two annotators, labels of every kind, all hostile words, one turn done and one open, and a decision."""
    where = project(store, 2, lead="Lea")
    run = opened(store, where, "=Ada", "Ben")
    for number, words in enumerate(HOSTILE):
        store.labels.put(coded(where, run, "=Ada", number, note=words), 0)
        store.labels.put(
            Label(f"{1000 + number:032x}", where.id, run, "Ben", "note", {"step": None}, {"words": words, "group": ""}), 0
        )
    more = [
        about(where, run, "Ben", "outcome", "partly"),
        about(where, run, "Ben", "decisive", {"step": 3, "confidence": 2, "words": "=1+1"}),
        about(where, run, "Ben", "note", "<img src=x onerror=alert(1)>"),
        Label("a" * 32, where.id, run, "Ben", "span", {"on": "text", "start": 4, "end": 8}, {"code": "=B2", "note": "x"}, 1),
        Label("b" * 32, where.id, run, "Ben", "span", {"on": "prompt", "number": 2, "start": 0, "end": 3}, {"code": None}, 1),
        Label("c" * 32, where.id, run, "Ben", "correction", {"step": 2}, {"edit": None, "words": "-left"}, 1),
        Label("d" * 32, where.id, run, "Ben", "correction", {"step": 3}, {"edit": REPLY, "words": "=right"}, 1),
        Label("e" * 32, where.id, run, "Ben", "correction", {"step": 4}, {"edit": WRITTEN, "words": ""}, 1),
    ]
    for label in more:
        store.labels.put(label, 0)
    store.turns.add_time(where.id, run, "Ben", ms=61_000)
    store.turns.finish(where.id, run, "Ben")
    store.decisions.decide(Decision(where.id, run, {"field": "outcome"}, {"value": "wrong"}, "because", "Ben"), 0)
    store.decisions.decide(Decision(where.id, run, {"field": "fate"}, {"value": "used"}, "", "Ben"), 0)
    store.decisions.decide(Decision(where.id, run, {"field": "reason"}, {}, "the reading's", "Ben"), 0)
    return where, run


def bare(labels: list[Label]) -> list[Label]:
    return sorted((replace(label, revision=0) for label in labels), key=lambda label: label.id)


# Out


@pytest.mark.parametrize("ending", FORMATS)
def test_a_file_read_back_holds_what_was_in_the_store(store: Store, ending: str) -> None:
    where, _ = rich(store)
    offered = read_label_file(f"x.{ending}", FORMATS[ending](gathered(store, where.id, HOST)).encode())
    assert bare(list(offered.labels)) == bare(store.labels.in_project(where.id, HOST))
    if ending == "jsonl":
        assert sorted(offered.turns) == sorted(store.turns.in_project(where.id, HOST))


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        ({"kind": "reply", "seq": 3}, "incomplete or invalid"),
        ({"kind": "magic"}, "'magic'"),
        (edits.to_json(edits.ModelEdit(0, "openai/any", "http://elsewhere.example/v1")), "neither"),
        (["left"], "is an edit"),
    ],
)
def test_a_file_with_a_broken_edit_is_refused_by_line(store: Store, edit: Any, named: str) -> None:
    found = lines(store)
    number = next(n for n, line in enumerate(found) if line.get("kind") == "correction")
    found[number]["value"] = {"edit": edit, "words": ""}
    with pytest.raises(BadFile, match=rf"line {number + 1}: .*{named}"):
        read_label_file("x.jsonl", "\n".join(map(json.dumps, found)).encode())


def test_json_lines_say_the_protocol_and_every_version_of_the_codebook(store: Store) -> None:
    where, run = rich(store)
    store.codebooks.add(where.id, Codebook((), 2, Change("retired")), HOST)
    lines = [json.loads(line) for line in as_jsonl(gathered(store, where.id, HOST)).split("\n") if line]
    head = lines[0]
    assert (head["schema"], head["project"]["name"], head["settings"]["seed"]) == (SCHEMA, "Lamps", 7)
    assert "the codebook from the start" in head["protocol"]
    assert (head["codebook"]["version"], [book["codes"] for book in head["codebook"]["versions"]]) == (2, [to_json(BOOK)[0], []])
    assert [one["name"] for one in head["annotators"]] == ["=Ada", "Ben"]
    readings = [one for one in lines if one.get("what") == "reading"]
    assert readings[0] == {
        "what": "reading", "id": run, "document": store.runs.get(run).document, "title": "A lamp", "question": "Question 0?",
        "reader": "memwalker", "model": "offline/extractive", "answer": "", "content_id": store.runs.get(run).content,
    }  # fmt: skip
    assert [one["reason"] for one in lines if one.get("what") == "decision"] == ["because", "the reading's", "the reading's"]


def test_no_cell_of_a_table_is_a_formula(store: Store) -> None:
    where, _ = rich(store)
    table = list(csv.DictReader(io.StringIO(as_csv(gathered(store, where.id, HOST)), newline="")))
    assert len(table) == 2 * len(HOSTILE) + 8
    for row in table:
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())
        assert (row["schema"], row["codebook_now"], row["project_name"]) == (SCHEMA, "1", "Lamps")
        assert "seed 7" in row["protocol"]
    by_id = {row["label"]: row for row in table}
    assert (by_id["a" * 32]["code"], by_id["a" * 32]["code_name"], by_id["a" * 32]["turn"]) == ("'=B2", "<b>Lossy</b>", "done")
    assert {row["words"] for row in table if row["field"] == "decisive"} == {"'=1+1"}
    assert {row["code"] for row in table if row["field"] == "outcome"} == {"partly"}


def test_a_table_names_the_broader_code_of_labels_whose_code_had_one(store: Store) -> None:
    where, _ = rich(store)
    store.codebooks.add(where.id, BOOK.redefine("N1", {"parent": "=B2"}), HOST)
    export = gathered(store, where.id, HOST)
    assert "code_parent" not in as_csv(export).splitlines()[0], "no label was made under version 2"
    later = replace(export, labels=tuple(replace(label, codebook=2) for label in export.labels))
    rows = csv.DictReader(io.StringIO(as_csv(later), newline=""))
    assert {(row["code"], row["code_parent"]) for row in rows if row["kind"] == "step"} == {("N1", "'=B2")}


def test_label_studio_gets_a_task_a_reading_with_everything_in_it(store: Store) -> None:
    where, run = rich(store)
    export = gathered(store, where.id, HOST)
    tasks = json.loads(as_label_studio(export, store))
    assert [task["data"]["reading"] for task in tasks] == list(store.projects.readings(where.id))
    assert [bool(task["data"]["text"]) for task in tasks] == [True, False]
    assert (tasks[0]["meta"]["codebook"]["version"], tasks[0]["meta"]["codebook"]["now"][0]["codes"]) == (1, to_json(BOOK)[0])
    assert "seed 7" in tasks[0]["meta"]["protocol"]
    by_whom = {one["meta"]["annotator"]: one for one in tasks[0]["annotations"]}
    assert by_whom["Ben"]["lead_time"] == 61.0
    assert all("completed_by" not in one for one in tasks[0]["annotations"])
    said = [label for one in by_whom.values() for result in one["result"] for label in result["meta"]["labels"]]
    kept = {label.id: (label.kind, label.target, label.value) for label in store.labels.in_project(where.id, HOST, run=run)}
    assert {one["id"]: (one["kind"], one["target"], one["value"]) for one in said} == kept
    results = {result["from_name"]: result for result in by_whom["Ben"]["result"]}
    text = store.documents.get(store.runs.get(run).document).text
    assert results["spans"]["value"] == {"start": 4, "end": 8, "text": text[4:8], "labels": ["=B2"]}
    assert results["outcome"]["value"] == {"choices": ["partly"]}
    assert results["decisive"]["value"] == {"text": ["3"]}
    assert results["elsewhere"]["value"] == {"text": ["prompt 2, characters 0 to 3: no code"]}
    assert set(HOSTILE) <= set(results["words"]["value"]["text"])
    assert {result["value"]["choices"][0] for result in by_whom["=Ada"]["result"]} == {"N1"}


def test_the_setup_for_label_studio_has_a_place_for_every_result(store: Store) -> None:
    where, _ = rich(store)
    export = gathered(store, where.id, HOST)
    tree = ElementTree.fromstring(setup(export))
    places = {(one.get("name"), one.get("toName")) for one in tree.iter() if one.get("toName")}
    results = [
        result for task in json.loads(as_label_studio(export, store)) for one in task["annotations"] for result in one["result"]
    ]
    assert {(result["from_name"], result["to_name"]) for result in results} <= places
    assert {one.get("value") for one in tree.iter("Label")} == {"N1", "=B2", "no code"}
    hidden = replace(export, codebooks=(), labels=())
    assert [one.get("value") for one in ElementTree.fromstring(setup(hidden)).iter("Label")] == ["no code"]


# Blind


@pytest.mark.parametrize("make", [as_jsonl, as_csv, None], ids=["jsonl", "csv", "label studio"])
def test_an_annotators_file_holds_what_they_may_see_and_no_more(store: Store, make: Callable[[Export], str] | None) -> None:
    where, run = rich(store)

    def file(name: str) -> str:
        export = gathered(store, where.id, store.projects.viewer(where.id, name))
        return make(export) if make else as_label_studio(export, store)

    hers = file("=Ada")
    assert "Ben" not in hers
    assert all(words not in hers for words in ("because", "-left", "partly", "onerror"))
    for name in ("a stranger", ""):
        assert not any(words in file(name) for words in ("Ben", "Ada", "because", "-left", "Wrong turn", "N1"))
    assert "-left" in file("Lea")
    store.turns.finish(where.id, run, "=Ada")
    assert all(words in file("=Ada") for words in ("Ben", "-left", "partly"))


def test_who_has_not_come_to_the_codes_exports_none(store: Store) -> None:
    where = project(store, start_stage=1)
    run = opened(store, where, "Ada")
    store.labels.put(Label("d" * 32, where.id, run, "Ada", "note", {"step": 1}, {"words": "It slept."}), 0)
    export = gathered(store, where.id, store.projects.viewer(where.id, "Ada"))
    for text in (as_jsonl(export), as_csv(export), as_label_studio(export, store), setup(export)):
        assert not any(words in text for words in ("N1", "Wrong turn", "Lossy"))
    assert "It slept." in as_jsonl(export)


# Back


def copied(store: Store, where: Project, **settings: Any) -> Project:
    """Another project of the same readings, without labels."""
    chosen = replace(where.settings, **settings)
    return store.projects.create("Again", chosen, runs=store.projects.readings(where.id), book=BOOK)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_file_fills_another_project_once(store: Store, ending: str) -> None:
    where, run = rich(store)
    target = copied(store, where)
    offered = read_label_file(f"x.{ending}", FORMATS[ending](gathered(store, where.id, HOST)).encode())
    count = len(offered.labels)
    assert import_labels(store, target.id, offered, viewer=HOST, dry=True).added == count
    assert store.labels.in_project(target.id, HOST) == []
    assert store.projects.annotators(target.id) == []
    assert import_labels(store, target.id, offered, viewer=HOST)[:3] == (count, 0, ())
    assert import_labels(store, target.id, offered, viewer=HOST)[:4] == (0, count, (), 0)
    said = [
        sorted(str((one.annotator, one.kind, one.target, one.value, one.codebook, one.at)) for one in labels)
        for labels in (store.labels.in_project(target.id, HOST), store.labels.in_project(where.id, HOST))
    ]
    assert said[0] == said[1]
    assert len(store.labels.in_project(where.id, HOST)) == count
    assert {one.name for one in store.projects.annotators(target.id)} == {"=Ada", "Ben"}
    standing = {turn.annotator: (turn.standing, turn.ms) for turn in store.turns.in_project(target.id, HOST, run=run)}
    assert standing == {"=Ada": ("open", 0), "Ben": ("done", 61_000 if ending == "jsonl" else 0)}


def test_the_same_file_into_its_own_project_changes_nothing(store: Store) -> None:
    where, _ = rich(store)
    before = store.labels.in_project(where.id, HOST)
    taken = import_labels(
        store, where.id, read_label_file("x.csv", as_csv(gathered(store, where.id, HOST)).encode()), viewer=HOST
    )
    assert taken == LabelImport(0, len(before), ())
    assert store.labels.in_project(where.id, HOST) == before


def test_what_says_otherwise_is_shown_and_nothing_is_written_over(store: Store) -> None:
    where, run = rich(store)
    offered = read_label_file("x.jsonl", as_jsonl(gathered(store, where.id, HOST)).encode())
    store.turns.reopen(where.id, run, "Ben")
    now = store.labels.get("a" * 32, HOST)
    store.labels.put(replace(now, value={"code": "N1", "note": "newer"}), 1)
    store.labels.remove("b" * 32, "Ben", expected=1)
    before = store.labels.in_project(where.id, HOST, removed=True)
    taken = import_labels(store, where.id, offered, viewer=HOST)
    assert (taken.added, taken.same) == (0, len(offered.labels) - 2)
    assert {
        (clash.imported.id, clash.imported.value["note"], clash.stored and clash.stored.removed) for clash in taken.clashes
    } == {
        ("a" * 32, "x", False),
        ("b" * 32, "", True),
    }
    assert store.labels.in_project(where.id, HOST, removed=True) == before


def test_an_annotator_takes_in_their_own_labels_of_readings_they_have_not_done(store: Store) -> None:
    where, _ = rich(store)
    whole = read_label_file("x.jsonl", as_jsonl(gathered(store, where.id, HOST)).encode())
    hers = LabelFile(tuple(one for one in whole.labels if one.annotator == "=Ada"), whole.turns)
    ada, ben = store.projects.viewer(where.id, "=Ada"), store.projects.viewer(where.id, "Ben")
    with pytest.raises(BadOptions, match="is not yours"):
        import_labels(store, where.id, whole, viewer=ada)
    assert import_labels(store, where.id, hers, viewer=ada).same == len(HOSTILE)
    with pytest.raises(BadOptions, match="is not yours"):
        import_labels(store, where.id, hers, viewer=Viewer("a stranger"))
    his = [one for one in whole.labels if one.annotator == "Ben"]
    changed = tuple(replace(one, codebook=0) for one in his)
    assert import_labels(store, where.id, LabelFile(tuple(his)), viewer=ben).same == len(his)
    with pytest.raises(BadOptions, match="are done"):
        import_labels(store, where.id, LabelFile(changed), viewer=ben)
    done = hers.turns[0]._replace(run=store.projects.readings(where.id)[1], annotator="=Ada", standing="done")
    assert import_labels(store, where.id, LabelFile((), (done,)), viewer=ada).turns == 0
    assert store.projects.viewer(where.id, "=Ada").done == frozenset()


def test_a_clash_shows_no_label_that_must_not_be_seen(store: Store) -> None:
    """A file cannot ask for another's label by its id, nor learn that there is one."""
    where, run = rich(store)
    ada = store.projects.viewer(where.id, "=Ada")
    asked = Label("a" * 32, where.id, run, "=Ada", "step", {"step": 1}, {"code": "N1", "severity": 1, "note": ""}, 1)
    theirs = store.labels.get("a" * 32, HOST)
    assert import_labels(store, where.id, LabelFile((asked,)), viewer=ada)[:3] == (1, 0, ())
    assert theirs.annotator != "=Ada"
    assert store.labels.get("a" * 32, HOST) == theirs


def refusals(store: Store) -> list[tuple[str, Label, type[ReadingError], str]]:
    where, run = rich(store)
    label = coded(where, run, "Cy", 5_000)
    return [
        ("a reading of no project", replace(label, run="elsewhere"), NotFound, "does not belong"),
        ("a later codebook", replace(label, codebook=9), BadOptions, "version 9 .* is at 1. Make the same changes"),
        ("no name", replace(label, annotator="C\u202ey"), BadOptions, "all of them printable"),
        ("a name with blanks", replace(label, annotator=" Cy"), BadOptions, "is not a valid name of an annotator"),
        ("no label", replace(label, value={"code": "N1", "severity": 9}), BadOptions, "severity"),
    ]


def test_what_cannot_be_imported_is_refused_with_the_reason_and_changes_nothing(store: Store) -> None:
    cases = refusals(store)
    (where,) = store.projects.listed()
    before = store.labels.in_project(where.id, HOST, removed=True)
    good = coded(where, store.projects.readings(where.id)[0], "Di", 6_000)
    for name, label, error, named in cases:
        with pytest.raises(error, match=named):
            import_labels(store, where.id, LabelFile((good, label)), viewer=HOST)
        assert store.labels.in_project(where.id, HOST, removed=True) == before, name
        assert [one.name for one in store.projects.annotators(where.id)] == ["=Ada", "Ben"]
    with pytest.raises(NotFound, match="no project"):
        import_labels(store, "nowhere", LabelFile((good,)), viewer=HOST)


def test_codes_do_not_come_in_before_their_annotator_has_come_to_them(store: Store) -> None:
    where = project(store, start_stage=1)
    run = opened(store, where, "Ada")
    for label in (coded(where, run, "Ada", 1), about(where, run, "Ada", "outcome", "wrong")):
        with pytest.raises(BadOptions, match="has not reached the codes"):
            import_labels(store, where.id, LabelFile((label,)), viewer=HOST)
    note = Label("e" * 32, where.id, run, "Ada", "note", {"step": 1}, {"words": "It slept."})
    assert import_labels(store, where.id, LabelFile((note,)), viewer=HOST).added == 1
    assert import_labels(store, where.id, LabelFile((coded(where, run, "Ben", 2),)), viewer=HOST).added == 1
    assert {one.name: one.stage for one in store.projects.annotators(where.id)} == {"Ada": 1, "Ben": 3}


def lines(store: Store) -> list[dict[str, Any]]:
    where, _ = rich(store)
    return [json.loads(line) for line in as_jsonl(gathered(store, where.id, HOST)).split("\n") if line]


def changed(found: list[dict[str, Any]], what: str, others: dict[str, Any]) -> bytes:
    number = next(n for n, line in enumerate(found) if line.get("what") == what)
    return "\n".join(json.dumps({**line, **others} if n == number else line) for n, line in enumerate(found)).encode()


def test_json_lines_that_do_not_hold_are_refused_by_line(store: Store) -> None:
    found = lines(store)
    for what, others, named in (
        ("label", {"kind": "praise"}, "line 4: there is no kind of label 'praise'"),
        ("label", {"run": 3}, "'run' of a label"),
        ("label", {"at": "yesterday"}, "'yesterday' is not a time"),
        ("label", {"at": "2025-01-01T00:00:00"}, "not a time with its time zone"),
        ("label", {"removed": True}, "removed label"),
        ("label", {"target": []}, "mapping"),
        ("label", {"codebook": "1"}, "'codebook'"),
        ("label", {"what": "magic"}, "there is no 'magic'"),
        ("turn", {"stage": 4}, "stage of a turn"),
        ("turn", {"ms": -1}, "ms are a whole number"),
        ("turn", {"standing": "won"}, "not 'won'"),
        ("turn", {"reason": None}, "short texts"),
        ("turn", {"again": 1}, "true or false, not '1'"),
        ("turn", {"opened": ""}, "is not a time"),
    ):
        with pytest.raises(BadFile, match=named):
            read_label_file("x.jsonl", changed(found, what, others))
    twice = "\n".join(map(json.dumps, [*found, next(line for line in found if line.get("what") == "label")]))
    with pytest.raises(BadFile, match="is in line 4"):
        read_label_file("x.jsonl", twice.encode())


@pytest.mark.parametrize(
    ("name", "data", "named"),
    [
        ("x.xlsx", b"", "not from 'x.xlsx'"),
        ("x.jsonl", b"", "line 1: this is not JSON"),
        ("x.jsonl", b"[1]", "in braces"),
        ("x.jsonl", b'{"schema": "palimpsest.run/1"}', "not a label file"),
        ("x.jsonl", b"\xff\xfe{", "not UTF-8 from byte 0"),
        ("x.jsonl", f'{{"schema": "{SCHEMA}"}}\n{{"what": "label"}}'.encode(), "line 2: the label lacks"),
        ("x.jsonl", f'{{"schema": "{SCHEMA}"}}\n{{"what": "turn"}}'.encode(), "line 2: the turn lacks"),
        ("x.csv", b"a,b\n1,2", "lacks the column 'schema'"),
        ("x.csv", b'"a', "not CSV"),
    ],
)
def test_what_is_no_file_of_labels_is_refused(name: str, data: bytes, named: str) -> None:
    with pytest.raises(BadFile, match=named):
        read_label_file(name, data)


def test_a_table_that_does_not_hold_is_refused_by_line(store: Store) -> None:
    where, _ = rich(store)
    table = list(csv.reader(io.StringIO(as_csv(gathered(store, where.id, HOST)), newline="")))
    at = {name: number for number, name in enumerate(table[0])}

    def with_cell(column: str, cell: str) -> bytes:
        out = io.StringIO(newline="")
        rows = [list(row) for row in table]
        rows[1][at[column]] = cell
        csv.writer(out).writerows(rows)
        return out.getvalue().encode()

    for column, cell, named in (
        ("target", "{", "not JSON"), ("value", "[]", "in braces"), ("schema", "x", "the schema is 'x'"),
        ("codebook", "1.0", "number of a version"), ("kind", "praise", "praise"), ("at", "", "is not a time"),
        ("turn", "won", "not 'won'"), ("stage", "", "1 to 3, not ''"), ("again", "no", "'yes' or nothing"),
    ):  # fmt: skip
        with pytest.raises(BadFile, match=f"line 2: .*{named}"):
            read_label_file("x.csv", with_cell(column, cell))
    with pytest.raises(BadFile, match="there are 2 cells"):
        read_label_file("x.csv", (",".join(table[0]) + "\n1,2\n").encode())
    spoilt = "\ufeff" + as_csv(gathered(store, where.id, HOST))  # as a spreadsheet saves it
    assert len(read_label_file("X.CSV", spoilt.encode()).labels) == 2 * len(HOSTILE) + 8


def test_a_file_of_labels_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_labels, "MAX_BYTES", 10)
    with pytest.raises(BadFile, match="up to 0 MB"):
        read_label_file("x.jsonl", b"x" * 11)


def test_an_empty_project_exports(store: Store) -> None:
    where = store.projects.create("Empty", Settings(), runs=store.projects.readings(project(store, 1).id))
    export = gathered(store, where.id, HOST)
    contents = {reading.id: reading.more["content_id"] for reading in export.readings}
    assert read_label_file("x.jsonl", as_jsonl(export).encode()) == LabelFile(contents=contents)
    assert read_label_file("x.csv", as_csv(export).encode()) == LabelFile()
    assert json.loads(as_label_studio(export, store))[0]["annotations"] == []
