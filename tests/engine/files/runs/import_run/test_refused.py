"""Imported run files: each of hundreds of broken ones is refused with its reason, quickly, and the store is unchanged."""

from __future__ import annotations

import copy
import io
import json
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers import get
from readers.cli import main
from readers.engine.canonical import canonical
from readers.engine.errors import BadRunFile
from readers.engine.files.runs import run_file_schema
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.ingest import guard
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.engine.files.runs.import_run.conftest import LONGEST_SECONDS, exported, taken, written

WORDS = st.text(alphabet='a\\",[:{é\n', max_size=12)
JSON = st.recursive(WORDS | st.integers(), lambda inside: st.lists(inside) | st.dictionaries(WORDS, inside), max_leaves=12)


def dump(store: Store) -> list[Any]:
    tables = [name for (name,) in store.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return [(table, list(store.connection.execute(f"SELECT * FROM {table}"))) for table in tables]


def refused(store: Store, data: Any, *, before: list[Any] | None = None) -> str:
    """The reason why; empty for a file that was let in, which is then taken out again. `before` is what the store held, if that
    is known."""
    before, began, reason = before or dump(store), time.monotonic(), ""
    try:
        store.runs.delete(taken(store, data).id)
    except BadRunFile as error:
        reason = str(error)
    assert time.monotonic() - began < LONGEST_SECONDS
    if reason:
        assert dump(store) == before
        assert reason.startswith("'some.json' is not imported: ")
        assert len(reason) < 1_000
    return reason


def test_a_text_is_no_run_file_and_the_refusal_says_how_a_text_is_read(there: Store) -> None:
    for text in (b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello", b"\xef\xbb\xbfCall me Ishmael."):
        assert "not a run file, which is JSON; to read a text, use `read`" in refused(there, text)
    assert "not complete JSON" in refused(there, b'\xef\xbb\xbf {"schema": ')


def test_a_file_cut_off_anywhere_is_refused(there: Store, data: dict[str, Any]) -> None:
    whole = written(data)
    for at in [*range(60), *range(60, len(whole), len(whole) // 100), len(whole) - 1]:
        assert refused(there, whole[:at])


def test_a_byte_that_is_none_is_refused(there: Store, data: dict[str, Any]) -> None:
    whole = written(data)
    for at in range(0, len(whole), len(whole) // 40):
        for byte in (b"\xff", b"\x00"):
            assert refused(there, whole[:at] + byte + whole[at + 1 :])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON tree; of a long list the first, the middle and the last."""
    if path:
        yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list):
        for number in sorted({0, len(value) // 2, len(value) - 1} & set(range(len(value)))):
            yield from places(value[number], (*path, number))


def changed(data: dict[str, Any], path: tuple[Any, ...], change: Callable[[Any], Any]) -> dict[str, Any]:
    other, inside = _copied_along(data, path)
    inside[path[-1]] = change(inside[path[-1]])
    return other


def without(data: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    other, inside = _copied_along(data, path)
    del inside[path[-1]]
    return other


def _copied_along(data: dict[str, Any], path: tuple[Any, ...]) -> tuple[dict[str, Any], Any]:
    """A copy in which only what the path goes through is new, and the copy of what holds its last place."""
    other = copy.copy(data)
    inside: Any = other
    for part in path[:-1]:
        inside[part] = copy.copy(inside[part])
        inside = inside[part]
    return other, inside


def nudged(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, list):
        return [*value, *value[-1:]] if value else ["x"]
    return {**value, "kind": "x"} if isinstance(value, dict) else "x"


WRONG = (None, True, -1, 10**25, 1.5, "\ud800", [[]], {"x": {}}, float("nan"), float("inf"))
UNREAD = ("view", "measures", "app_version")
# What may differ in an imported file, by path: fields that cannot be computed again, or are computed again.
FREE = (
    "app_version", "run.id", "run.parent", "run.fork_at", "run.created", "document.title", "document.tokens", "measures", "view",
    "calls.ms", "calls.cost_usd", "calls.tokens_in", "calls.tokens_out", "calls.origin",
    # Terms on which a model was asked, and which decide about nothing once its replies are there:
    "run.spec.api_base", "run.spec.temperature", "run.spec.top_p", "run.spec.window", "run.spec.sample_base", "run.spec.caps",
    "run.spec.prompts", "run.spec.reuse", "run.spec.edits", "run.spec.choices", "run.spec.options", "run.spec.reply_tokens",
    "run.spec.room_factor", "run.spec.blank_end", "run.spec.reply_form", "run.spec.price", "run.spec.profile",
    "run.spec.reply_rules",
)  # fmt: skip


def free(path: tuple[Any, ...]) -> bool:
    named = ".".join(part for part in path if isinstance(part, str))
    return any(named == name or named.startswith(f"{name}.") for name in FREE)


# Very many cases: `make test` takes one of so many of them, and `make thorough` all.
ONE_OF = pytest.mark.parametrize("one_of", [pytest.param(4, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.scale)])


@ONE_OF
def test_every_field_changed_is_refused_unless_nothing_hangs_on_it(there: Store, data: dict[str, Any], one_of: int) -> None:
    tried, let_in, before = 0, [], dump(there)
    cases = [(path, how) for path in places(data) for how in (partial(changed, change=nudged), without)]
    for number, (path, how) in enumerate(cases):
        if (number + number // one_of) % one_of:  # of neighbours not always the same
            continue
        tried += 1
        if not refused(there, how(data, path), before=before):
            let_in.append(path)
            before = dump(there)
    assert tried > 300 / one_of
    # What is not looked at beyond its form: a name that is not there, or one that nobody knows.
    extra = {("run",), ("document",), ("calls", 0), ("calls", len(data["calls"]) // 2), ("calls", len(data["calls"]) - 1)}
    extra |= {(), ("run", "spec"), ("run", "edit"), ("run", "error"), ("run", "answer_evidence", 0)}
    extra |= {("run", "content_id")}  # older files have none; another one is refused: test_content.py
    assert [path for path in let_in if not free(path) and path not in extra] == []


@ONE_OF
def test_values_of_the_wrong_kind_are_refused_everywhere(there: Store, data: dict[str, Any], one_of: int) -> None:
    tried, let_in, before = 0, [], dump(there)
    looked_at = [path for path in places(data) if path[0] not in UNREAD or path == ("measures", "seconds")]
    for row, path in enumerate(looked_at):
        for column, wrong in enumerate(WRONG):
            if (row + column) % one_of:  # every place, and every wrong value at one of so many places
                continue
            tried += 1
            if not refused(there, changed(data, path, lambda _, wrong=wrong: wrong), before=before):
                let_in.append((path, wrong))
                before = dump(there)
    assert tried > 1_000 / one_of
    assert [found for found in let_in if not free(found[0]) and found[1] is not None] == []
    numbers = {"ms", "cost_usd", "tokens_in", "tokens_out", "seconds"}
    assert not [found for found in let_in if found[0][-1] in numbers and (found[1] == -1 or isinstance(found[1], (str, list)))]


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 30, "9" * 5_000, "-" + "9" * 20, "01", "0x1"])
def test_numbers_that_are_none_are_refused_where_nobody_looks(there: Store, data: dict[str, Any], word: str) -> None:
    assert refused(there, written({**data, "more": "HERE"}).replace(b'"HERE"', word.encode()))


def test_names_that_stand_twice_are_refused(there: Store, data: dict[str, Any]) -> None:
    for name in ("schema", "run", "seq", "reply", "kind", "text", "question"):
        whole = written(data)
        at = whole.index(f'"{name}":'.encode())
        assert "twice" in refused(there, whole[:at] + f'"{name}": 0, '.encode() + whole[at:])


def nested(depth: int, around: str = "[]") -> str:
    return around[0] * depth + around[1] * depth


@pytest.mark.parametrize("depth", [41, 900, 5_000, 200_000])
def test_deep_nesting_is_refused(there: Store, data: dict[str, Any], depth: int) -> None:
    for where in ("more", "view", "events"):
        assert "deep" in refused(there, written({**data, where: "HERE"}).replace(b'"HERE"', nested(depth).encode()))
    objects = '{"a":' * depth + "0" + "}" * depth
    assert refused(there, written({**data, "more": "HERE"}).replace(b'"HERE"', objects.encode()))


def zipped(data: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("reading.json", data)
    return made.getvalue()


JUNK = {
    "nothing": b"", "blanks": b" \n ", "null": b"null", "a number": b"7", "words": b'"palimpsest.run/1"', "a list": b"[]",
    "an object": b"{}", "bytes": bytes(range(256)) * 40, "zeros": bytes(5_000), "picture": b"\x89PNG\r\n\x1a\n" + bytes(99),
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "gzip": b"\x1f\x8b\x08\x00" + bytes(99), "utf-16": '{"schema": 1}'.encode("utf-16"),
    "zip": zipped(b"{}"), "html": b"<!doctype html><script>alert(1)</script>", "two": b"{} {}", "comment": b"{} // x",
}  # fmt: skip


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_what_is_no_run_file_is_refused(there: Store, junk: bytes) -> None:
    assert refused(there, junk)


def test_a_zip_and_another_schema_are_named(there: Store, data: dict[str, Any]) -> None:
    assert "unpack" in refused(there, zipped(written(data)))
    assert "palimpsest.run/2" in refused(there, {**data, "schema": "palimpsest.run/2"})


def test_a_huge_file_is_refused_before_it_is_read(there: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run_file_schema, "MAX_FILE_BYTES", 1_000)
    (tmp_path / "huge.json").write_bytes(b" " * 1_001)
    for huge in (b" " * 1_001, tmp_path / "huge.json"):
        with pytest.raises(BadRunFile, match="over"):
            check_run_file(huge, "huge.json", readers=get)


@pytest.mark.parametrize("field", ["[],", '{"a":1},', '"", ', "0,", '"\\\\", ', '"\\",[",'])
def test_a_file_of_very_many_values_is_refused_before_they_are_built(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown field of empty lists: three bytes of a file for each, almost none of a zip, and 64 of memory. The limit, and
    what is counted at a time, are thirty times smaller here."""
    most = 100_000
    monkeypatch.setattr(run_file_schema, "MOST_VALUES", most)
    monkeypatch.setattr(guard, "_PIECE", 1 << 15)
    hostile = b'{"schema": "palimpsest.run/1", "x": [' + field.encode() * (most + 1) + b"0]}"
    tracemalloc.start()
    with pytest.raises(BadRunFile, match=f"it has over {most:,} values and names"):
        check_run_file(hostile, "some.json", readers=get)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


@given(JSON)
def test_values_are_counted_exactly_wherever_a_piece_ends(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    marks = 1 + _marks(value)
    with pytest.MonkeyPatch.context() as patch:
        for piece in (1, 2, 7, 1 << 20):
            patch.setattr(guard, "_PIECE", piece)
            assert not guard.has_over(data, marks)
            assert guard.has_over(data, marks - 1)


def _marks(value: Any) -> int:
    """The commas, colons and brackets with which a value is written."""
    if not isinstance(value, (list, dict)):
        return 0
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max(0, len(value) - 1) + len(value) * isinstance(value, dict) + sum(map(_marks, inside))


def text_of(data: dict[str, Any], words: str) -> dict[str, Any]:
    """With another text that its id fits."""
    document = Document("t", words)
    return {**data, "document": {"id": document.id, "title": "t", "chars": len(words), "tokens": 1, "text": words}}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("a\r\nb", "form of an upload"), ("cafe\u0301", "form of an upload"), ("\ufeffa", "form of an upload"),
        ("a\0b", "form of an upload"), ("a\u202eb\x07", "form of an upload"), ("", "at document.text"), (" \n\t ", "white space"),
        ("a" + "\u0301" * 200_000, "form of an upload"), ("x" * 50_000_001, "over 50 million"),
        ("一二三四五六七八九十" * 50_000, "more text than"), ("Another text than that of the calls.", "at "),
    ],
)  # fmt: skip
def test_texts_that_no_upload_brings_are_refused(
    there: Store, data: dict[str, Any], words: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readers.engine.ingest.clean.MAX_TOKENS", 450_000)
    began = time.process_time()
    with pytest.raises(BadRunFile, match=says):
        taken(there, text_of(data, words))
    assert time.process_time() - began < 4 * LONGEST_SECONDS
    assert there.documents.listed() == []


def spec(data: dict[str, Any], **change: Any) -> dict[str, Any]:
    return {**data, "run": {**data["run"], "spec": {**data["run"]["spec"], **change}}}


HOSTILE_SPECS: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown reader": ({"reader": "../../etc/passwd"}, "there is no reader"),
    "a later version": ({"version": 9}, r"made by version 9 .* this is version \d"),
    "an unknown option": ({"options": {"x": 1}}, "there is no option"),
    "an option out of range": ({"options": {"segment_tokens": 1}}, "segment_tokens"),
    "an option that is a list": ({"options": {"segment_tokens": [64]}}, "run.spec.options"),
    "an endless option": ({"options": {"segment_tokens": "9" * 5_000}}, "segment_tokens"),
    "an unknown setting": ({"speed": 9}, "run.spec.speed"),
    "an unknown cap": ({"caps": {"max_pages": 1}}, "run.spec.caps.max_pages"),
    "a negative cap": ({"caps": {"max_calls": -1}}, "run.spec.caps.max_calls"),
    "no question": ({"question": "  "}, "question"),
    "an endless question": ({"question": "why? " * 30_000}, "run.spec.question"),
    "a question with NUL": ({"question": "a\0b"}, "NUL"),
    "a question with half a character": ({"question": "\ud83d"}, "half of a character"),
    "one choice": ({"choices": ["a"]}, "choices"),
    "a thousand choices": ({"choices": ["a"] * 1_000}, "run.spec.choices"),
    "another question": ({"question": "Where was it?"}, "messages of seq"),
    "another model": ({"model": "gpt-4o"}, "model of seq 0"),
    "a secret in the base URL": ({"api_base": "http://user:secret@host/v1"}, "base URL"),
    "a base URL that is none": ({"api_base": "file:///etc/passwd"}, "base URL"),
    "a hot temperature": ({"temperature": 9.0}, "temperature"),
    "prompts of another reader": ({"prompts": {"gist": "x"}}, "no prompt"),
    "a prompt without its parts": ({"prompts": {"answer": "x"}}, "prompt"),
    "an edit that is none": ({"edits": [{"kind": "explode"}]}, "no edit of the kind"),
    "an edit without its fields": ({"edits": [{"kind": "model"}]}, "incomplete or invalid"),
    "an edit that empties all": ({"edits": [{"kind": "leave_out", "seq": 0, "start": 0, "end": 10**9}]}, "is not what"),
    "an edited prompt": ({"edits": [{"kind": "prompt", "seq": 0, "messages": [{"role": "user", "content": "x"}]}]}, "messages"),
}


@pytest.mark.parametrize(("change", "says"), HOSTILE_SPECS.values(), ids=HOSTILE_SPECS)
def test_specs_that_do_not_hold_are_refused(there: Store, data: dict[str, Any], change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRunFile, match=says):
        taken(there, spec(data, **change))
    assert there.runs.listed() == []


@pytest.mark.slow
def test_every_call_left_out_put_twice_or_put_in_is_refused(there: Store, data: dict[str, Any]) -> None:
    for number, call in enumerate(data["calls"]):
        assert "missing" in refused(there, without(data, ("calls", number)))
        assert "times" in refused(there, {**data, "calls": [*data["calls"], call]})
        for key in ({"seq": call["seq"] + 1_000}, {"attempt": call["attempt"] + 7}):
            assert "not one that the reading makes" in refused(there, {**data, "calls": [*data["calls"], {**call, **key}]})


def other_kind(event: dict[str, Any]) -> dict[str, Any]:
    return {**event, "kind": "looked" if event["kind"] != "looked" else "noted"}


@pytest.mark.slow  # very many cases
def test_every_reply_and_every_event_changed_is_refused(there: Store, data: dict[str, Any]) -> None:
    for number, call in enumerate(data["calls"]):
        other = "Nobody knows." if call["parsed"] else data["calls"][number + 1]["reply"]
        assert refused(there, changed(data, ("calls", number, "reply"), lambda _, other=other: other)), call
    for number in range(len(data["events"])):
        assert "event" in refused(there, without(data, ("events", number)))
        assert "event" in refused(there, changed(data, ("events", number), other_kind))
    assert "events" in refused(there, {**data, "events": data["events"] + data["events"][-1:]})


def test_an_ending_that_its_events_do_not_come_to_is_refused(there: Store, data: dict[str, Any]) -> None:
    head = data["run"]
    endings: list[dict[str, Any]] = [
        {"answer": "seven"}, {"outcome": "no_answer"}, {"outcome": None}, {"answer_evidence": []}, {"error": "x"},
        {"answer_evidence": [{"start": 0, "end": 10**9}]}, {"answer_evidence": [{"start": -1, "end": 4}]},
        {"status": "failed"}, {"status": "cancelled"}, {"status": "done"},
    ]  # fmt: skip
    for ending in endings:
        assert "at run." in refused(there, {**data, "run": {**head, **ending}}), ending
    over = {"kind": "ended", "outcome": "over_budget", "reason": "the budget of 3 calls is used up"}
    short = {**data, "events": [*data["events"][:-1], over], "run": {**head, "outcome": "over_budget", "answer": None}}
    assert "budget" in refused(there, short)


def test_a_file_that_is_right_is_let_in_after_all_that(there: Store, data: dict[str, Any]) -> None:
    assert refused(there, data) == ""
    assert canonical(data["events"]) == canonical(exported(there, taken(there, data))["events"])


def test_import_on_the_command_line(data: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.json").write_bytes(written(data))
    (tmp_path / "bad.json").write_bytes(written({**data, "events": data["events"][:-1]}))
    assert main(["import", str(tmp_path / "good.json")]) == 0
    (run_id,) = capsys.readouterr().out.split()
    assert main(["import", str(tmp_path / "bad.json"), str(tmp_path / "none.json"), str(tmp_path / "good.json")]) == 2
    out, err = capsys.readouterr()
    assert "'bad.json' is not imported: at events" in err
    assert "'none.json' is not imported: there is no such file" in err
    assert len(out.split()) == 1  # a bad one keeps no other out
    with Store() as store:
        assert {run.id for run in store.runs.listed()} >= {run_id, out.strip()}
