"""Run files taken in: a true one comes out as it went in, and of hundreds of broken ones each is refused with its reason,
quickly, while the store stays as it was."""

from __future__ import annotations

import copy
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components import access
from readers import READERS, get, offered, samples
from readers.__main__ import main
from readers.engine import estimate as estimating
from readers.engine import run_files
from readers.engine.calls import Call, Reply
from readers.engine.canonical import canonical
from readers.engine.costs import costs
from readers.engine.edits import Again, LeftOut, ModelEdit, PromptEdit, ReplyEdit, WrittenEdit
from readers.engine.errors import BadRunFile, ModelFailed
from readers.engine.estimate import estimate
from readers.engine.events import Wrote
from readers.engine.experiments import Trials
from readers.engine.export import open_reading, run_file
from readers.engine.fork import fork
from readers.engine.models import Refusing
from readers.engine.offline import Offline
from readers.engine.runs import Execution, Reader, RunSpec, begin, execute
from readers.engine.store import Run, Store
from readers.engine.taken_in import checked, take_in
from readers.engine.text import Document
from tests.script import BACK, COMMIT, parts_of, walker
from tests.test_readers import QUESTION, SMALL

SAMPLE = Path(__file__).parents[2] / "assets" / "samples" / "the_lamp_at_carrow_point.txt"
LONGEST_SECONDS = 5.0  # for a file of any kind; most take hundredths
every_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)


@pytest.fixture(scope="module")
def text() -> Document:
    return Document.of(SAMPLE.read_text(encoding="utf-8")[12_000:19_000], title="Some of the lamp")


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Store]:
    """Another store, with nothing in it."""
    with Store(tmp_path / "there.db") as opened:
        yield opened


class Late:
    """The offline model, a little late and out of order; `until` so many replies it goes on."""

    def __init__(self, until: int = 10**9, *, fails: Callable[[Call], bool] = lambda call: False) -> None:
        self.made = 0
        self.until = until
        self.fails = fails

    def complete(self, call: Call) -> Reply:
        time.sleep(0.001 * (call.seq % 3))
        if self.fails(call):
            raise ModelFailed(f"the server is down for call {call.seq}")
        self.made += 1
        return Offline().complete(call)

    def enough(self) -> bool:
        return self.made >= self.until


def spec_of(reader: Reader, **more: Any) -> RunSpec:
    return RunSpec(reader.id, reader.version, QUESTION, options=SMALL.get(reader.id, {}), **more)


def exported(store: Store, run: Run) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(run_file(store, run.id, get(run.reader))))
    return data


def written(data: Any) -> bytes:
    return json.dumps(data).encode()


def unnamed(data: dict[str, Any], *also: str) -> dict[str, Any]:
    """A run file without what another store names anew."""
    run = {key: value for key, value in data["run"].items() if key not in ("id", "created", "parent", *also)}
    return {**data, "run": run}


def taken(store: Store, data: Any) -> Run:
    return take_in(store, data if isinstance(data, bytes) else written(data), "some.json", readers=get)


# --- a true one ------------------------------------------------------------------------------------------------------------


@every_reader
def test_a_reading_comes_out_as_it_went_in_and_is_one_like_any_other(
    reader: Reader, store: Store, there: Store, text: Document
) -> None:
    run = execute(store, begin(store, text, reader, spec_of(reader)).id, reader, Execution(Late(), width=8))
    data = exported(store, run)
    new = taken(there, data)
    assert new.id != run.id
    assert unnamed(exported(there, new)) == unnamed(data)
    assert (new.status, new.outcome, new.answer, new.evidence) == (run.status, run.outcome, run.answer, run.evidence)
    assert there.run(new.id) == new
    again = execute(there, new.id, reader, Execution(Refusing()))
    assert (again.answer, unnamed(exported(there, again))["events"]) == (run.answer, data["events"])


@every_reader
@pytest.mark.parametrize("after", [1, 4, 9, 14])
def test_one_that_was_stopped_anywhere_is_taken_in_and_gone_on_with(
    reader: Reader, store: Store, there: Store, text: Document, after: int
) -> None:
    first = Late(until=after)
    stopped = Execution(first, width=5, stopped=first.enough, linger=5.0)
    run = execute(store, begin(store, text, reader, spec_of(reader)).id, reader, stopped)
    data = exported(store, run)
    new = taken(there, data)
    assert unnamed(exported(there, new)) == unnamed(data)
    second = Late()
    done = execute(there, new.id, reader, Execution(second, width=3))
    whole = execute(store, run.id, reader, Execution(Late(), width=3))
    assert done.status == whole.status == "finished"
    assert exported(there, done)["events"] == exported(store, whole)["events"]
    had = sum(call["reply"] is not None and call["task"] != "score" for call in data["calls"])
    assert second.made + had == sum(call["task"] != "score" for call in exported(there, done)["calls"])


@pytest.mark.parametrize("reader", [get("memwalker"), get("readagent"), get("qrmem")], ids=lambda reader: reader.id)
@pytest.mark.parametrize("down_from", [0, 3, 12])
def test_one_that_failed_with_many_calls_in_flight(
    reader: Reader, store: Store, there: Store, text: Document, down_from: int
) -> None:
    model = Late(fails=lambda call: call.seq >= down_from)
    run = execute(store, begin(store, text, reader, spec_of(reader)).id, reader, Execution(model, width=8, linger=5.0))
    assert run.status == "failed"
    new = taken(there, exported(store, run))
    assert (new.status, new.error) == ("failed", run.error)
    assert unnamed(exported(there, new)) == unnamed(exported(store, run))


@pytest.mark.parametrize("caps", [{"max_calls": 7}, {"max_tokens": 900}])
@every_reader
def test_one_whose_budget_was_used_up(reader: Reader, store: Store, there: Store, text: Document, caps: dict[str, Any]) -> None:
    run = execute(store, begin(store, text, reader, spec_of(reader, caps=caps)).id, reader, Execution(Late(), width=8))
    new = taken(there, exported(store, run))
    assert new.outcome == run.outcome
    assert unnamed(exported(there, new)) == unnamed(exported(store, run))
    if run.outcome == "over_budget":
        data = exported(store, run)
        data["run"]["spec"]["caps"] = {}
        with pytest.raises(BadRunFile, match="budget"):
            taken(there, data)


def test_one_with_a_window_that_is_too_small_for_some_prompts(store: Store, there: Store, text: Document) -> None:
    for reader in (get("readagent"), get("memagent")):
        run = execute(store, begin(store, text, reader, spec_of(reader, window=700)).id, reader, Execution(Late()))
        assert unnamed(exported(there, taken(there, exported(store, run)))) == unnamed(exported(store, run))


def test_one_that_was_under_way_is_interrupted(store: Store, there: Store, text: Document) -> None:
    run = execute(store, begin(store, text, READERS[0], spec_of(READERS[0])).id, READERS[0], Execution(Late()))
    data = exported(store, run)
    data["run"] |= {"status": "running", "outcome": None, "answer": None, "answer_evidence": [], "error": None}
    data["events"], data["calls"] = data["events"][:4], data["calls"][:6]
    assert taken(there, data).status == "interrupted"
    assert there.runs()[0].ended is None


def test_forks_of_every_kind_keep_their_edits_and_name_a_parent_only_where_it_is(
    store: Store, there: Store, text: Document
) -> None:
    reader = get("memwalker")
    parent = execute(store, begin(store, text, reader, spec_of(reader)).id, reader, Execution(Late()))
    reading = open_reading(store, parent.id)
    summary = next(event for event in reading.trace.events if isinstance(event, Wrote))
    changes = [
        ReplyEdit(0, 0, "A summary of another thing."),
        PromptEdit(1, ({"role": "user", "content": "Say something short."},)),
        WrittenEdit(summary.n, summary.role, summary.text, "Nobody lit the lamp."),
        ModelEdit(3, "offline/extractive", temperature=0.5),
        LeftOut(0, 10, 60),
    ]
    for edit in changes:
        made = execute(store, fork(store, reading, reader, edit).id, reader, Execution(Late()))
        data = exported(store, made)
        alone, here = taken(there, data), taken(store, data)
        assert (alone.parent, here.parent) == (None, parent.id)
        assert unnamed(exported(there, alone)) == unnamed(data) == unnamed(exported(store, here))
        again = fork(there, open_reading(there, alone.id), reader, ReplyEdit(0, 0, "Yet another."))
        assert execute(there, again.id, reader, Execution(Offline())).status == "finished"


def test_scores_are_taken_from_the_file_and_nothing_is_sent(store: Store, there: Store, text: Document) -> None:
    reader = get("rememr1")
    run = execute(store, begin(store, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
    data = exported(store, run)
    scored = [call for call in data["calls"] if call["task"] == "score"]
    assert scored
    data["run"]["spec"]["options"]["recall"] = "embedding"
    data["run"]["spec"]["api_base"] = "http://127.0.0.1:9/v1"
    for call in scored:
        call["model"] = "embedding/text-embedding-3-small"
    for event in data["events"]:
        if event.get("action") == "score":
            event["picked"] = "embedding/text-embedding-3-small"
    assert taken(there, data).status == "finished"
    data["calls"].remove(scored[0])
    with pytest.raises(BadRunFile, match="is missing"):
        taken(there, data)


def test_replies_of_a_file_are_lent_to_no_other_reading(there: Store, data: dict[str, Any]) -> None:
    new = taken(there, data)
    document = there.document(new.document)
    spec = RunSpec(
        "memwalker", 1, "Another question?", options=data["run"]["spec"]["options"], model=data["run"]["spec"]["model"]
    )
    other = begin(there, document, get("memwalker"), spec)
    before = estimate(document, get("memwalker"), spec, store=there)
    execute(there, other.id, get("memwalker"), Execution(Offline()))
    assert {record.origin for record in there.tape(other.id).records()} == {"live"}
    assert before.reused == 0
    assert estimate(document, get("memwalker"), replace(spec, question="A third?"), store=there).reused > 0  # those of the other


def test_an_estimate_of_a_long_text_does_not_count_on_the_replies_of_a_file(
    there: Store, data: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimating, "WHOLE", 50)  # so that this text is a long one, of which the beginning is tried out
    document = there.document(taken(there, data).document)
    options = data["run"]["spec"]["options"]
    spec = RunSpec("memwalker", 1, "Another question?", options=options, model=data["run"]["spec"]["model"])
    before = estimate(document, get("memwalker"), spec, store=there)
    assert before.reused == 0
    assert before.calls == estimate(document, get("memwalker"), spec).calls
    execute(there, begin(there, document, get("memwalker"), spec).id, get("memwalker"), Execution(Offline()))
    assert estimate(document, get("memwalker"), spec, store=there).reused > 0


@every_reader
def test_the_same_reading_costs_the_same_where_it_was_taken_in(
    reader: Reader, store: Store, there: Store, text: Document
) -> None:
    run = execute(store, begin(store, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
    new = taken(there, exported(store, run))
    assert (run.taken_in, new.taken_in) == (False, True)
    assert costs(there.tape(new.id).records()) == costs(store.tape(run.id).records())
    on_it = fork(there, open_reading(there, new.id), reader, Again(0))
    assert not there.run(on_it.id).taken_in


def test_samples_are_no_reading_to_be_taken_in(store: Store, there: Store, data: dict[str, Any], tmp_path: Path) -> None:
    parent = open_reading(store, data["run"]["id"])
    made = samples.sample(store, parent, get("memwalker"), 13, Trials(2))
    execute(store, made.id, get(samples.ID), Execution(walker([0, 0])))
    file = written(exported(store, made))
    with pytest.raises(BadRunFile, match="there is no reader 'samples'; there are memwalker"):
        take_in(there, file, "some.json", readers=offered)
    with pytest.raises(BadRunFile, match="no reader 'samples'"):
        access.take_in(file, "some.json")
    assert [offered(reader.id) for reader in READERS] == list(READERS)
    assert there.runs(samples=True) == []


def test_the_same_file_twice_is_two_readings_of_one_text(there: Store, data: dict[str, Any]) -> None:
    assert taken(there, data).id != taken(there, data).id
    assert (len(there.runs()), len(there.documents())) == (2, 1)


def test_a_file_of_a_path_is_taken_in_and_an_absent_one_named(there: Store, data: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(written(data))
    assert take_in(there, tmp_path / "good.json", "good.json", readers=get).status == "finished"
    for absent in ("absent.json", "a\0b.json"):
        with pytest.raises(BadRunFile, match=r"no such file|cannot be read|no file can have"):
            take_in(there, tmp_path / absent, absent, readers=get)


def test_a_visitor_owns_what_they_take_in(tmp_path: Path, data: dict[str, Any]) -> None:
    with Store(tmp_path / "demo.db", visitor="ann") as ann, Store(tmp_path / "demo.db", visitor="ben") as ben:
        new = taken(ann, data)
        assert {new.id, new.document} <= ann.owned()
        assert (len(ann.runs()), ben.runs(), ben.documents()) == (1, [], [])


# --- and hundreds that are not ---------------------------------------------------------------------------------------------


@pytest.fixture
def data(store: Store) -> dict[str, Any]:
    """A small walk with a misread reply and a way back."""
    spec = RunSpec("memwalker", 1, "Where is it?", options={"segment_tokens": 64, "max_children": 3}, choices=("here", "there"))
    run = begin(store, parts_of(9), get("memwalker"), spec)
    execute(store, run.id, get("memwalker"), Execution(walker([0, "what?", 0, BACK, 1, COMMIT])))
    return exported(store, run)


def dump(store: Store) -> list[Any]:
    tables = [name for (name,) in store._db.conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return [(table, list(store._db.conn.execute(f"SELECT * FROM {table}"))) for table in tables]


def refused(store: Store, data: Any) -> str:
    """The reason why; empty for a file that was let in, which is then taken out again."""
    before, began, reason = dump(store), time.monotonic(), ""
    try:
        store.delete_run(taken(store, data).id)
    except BadRunFile as error:
        reason = str(error)
    assert time.monotonic() - began < LONGEST_SECONDS
    if reason:
        assert dump(store) == before
        assert reason.startswith("'some.json' is not taken in: ")
        assert len(reason) < 1_000
    return reason


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
    other = copy.deepcopy(data)
    inside: Any = other
    for part in path[:-1]:
        inside = inside[part]
    inside[path[-1]] = change(inside[path[-1]])
    return other


def without(data: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    other = copy.deepcopy(data)
    inside: Any = other
    for part in path[:-1]:
        inside = inside[part]
    del inside[path[-1]]
    return other


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
# What a file may say otherwise and still be taken in: what cannot be told anew, or is made anew. By the names on the way.
FREE = (
    "app_version", "run.id", "run.parent", "run.fork_at", "run.created", "document.title", "document.tokens", "measures", "view",
    "calls.ms", "calls.cost_usd", "calls.tokens_in", "calls.tokens_out", "calls.origin",
    # Terms on which a model was asked, and which decide about nothing once its replies are there:
    "run.spec.api_base", "run.spec.temperature", "run.spec.top_p", "run.spec.window", "run.spec.sample_base", "run.spec.caps",
    "run.spec.prompts", "run.spec.reuse", "run.spec.edits", "run.spec.choices", "run.spec.options",
)  # fmt: skip


def free(path: tuple[Any, ...]) -> bool:
    named = ".".join(part for part in path if isinstance(part, str))
    return any(named == name or named.startswith(f"{name}.") for name in FREE)


def test_every_field_changed_is_refused_unless_nothing_hangs_on_it(there: Store, data: dict[str, Any]) -> None:
    tried, let_in = 0, []
    for path in places(data):
        for other in (changed(data, path, nudged), without(data, path)):
            tried += 1
            if not refused(there, other):
                let_in.append(path)
    assert tried > 300
    # What is not looked at beyond its form: a name that is not there, or one that nobody knows.
    extra = {("run",), ("document",), ("calls", 0), ("calls", len(data["calls"]) // 2), ("calls", len(data["calls"]) - 1)}
    extra |= {(), ("run", "spec"), ("run", "edit"), ("run", "error"), ("run", "answer_evidence", 0)}
    assert [path for path in let_in if not free(path) and path not in extra] == []


def test_values_of_the_wrong_kind_are_refused_everywhere(there: Store, data: dict[str, Any]) -> None:
    tried, let_in = 0, []
    for path in places(data):
        if path[0] in ("view", "measures", "app_version") and path != ("measures", "seconds"):
            continue
        for wrong in WRONG:
            tried += 1
            if not refused(there, changed(data, path, lambda _, wrong=wrong: wrong)):
                let_in.append((path, wrong))
    assert tried > 1_000
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


def test_a_zip_and_another_schema_are_told_what_they_are(there: Store, data: dict[str, Any]) -> None:
    assert "unpack" in refused(there, zipped(written(data)))
    assert "palimpsest.run/2" in refused(there, {**data, "schema": "palimpsest.run/2"})


def test_a_huge_file_is_refused_before_it_is_read(there: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run_files, "MAX_FILE_BYTES", 1_000)
    (tmp_path / "huge.json").write_bytes(b" " * 1_001)
    for huge in (b" " * 1_001, tmp_path / "huge.json"):
        with pytest.raises(BadRunFile, match="over"):
            checked(huge, "huge.json", readers=get)


def text_of(data: dict[str, Any], words: str) -> dict[str, Any]:
    """With another text that its id fits."""
    document = Document("t", words)
    return {**data, "document": {"id": document.id, "title": "t", "chars": len(words), "tokens": 1, "text": words}}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("a\r\nb", "not as an upload"), ("cafe\u0301", "not as an upload"), ("\ufeffa", "not as an upload"),
        ("a\0b", "not as an upload"), ("a\u202eb\x07", "not as an upload"), ("", "at document.text"), (" \n\t ", "white space"),
        ("a" + "\u0301" * 200_000, "not as an upload"), ("x" * 50_000_001, "over 50 million"),
        ("一二三四五六七八九十" * 50_000, "more text than"), ("Another text than that of the calls.", "at "),
    ],
)  # fmt: skip
def test_texts_that_no_upload_brings_are_refused(
    there: Store, data: dict[str, Any], words: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readers.engine.ingest.MAX_TOKENS", 450_000)
    began = time.process_time()
    with pytest.raises(BadRunFile, match=says):
        taken(there, text_of(data, words))
    assert time.process_time() - began < 4 * LONGEST_SECONDS
    assert there.documents() == []


def spec(data: dict[str, Any], **change: Any) -> dict[str, Any]:
    return {**data, "run": {**data["run"], "spec": {**data["run"]["spec"], **change}}}


HOSTILE_SPECS: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown reader": ({"reader": "../../etc/passwd"}, "there is no reader"),
    "another version": ({"version": 2}, "made by version 2 .* here is version 1"),
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
    "another question": ({"question": "Where was it?"}, "messages of call"),
    "another model": ({"model": "gpt-4o"}, "model of call 0"),
    "a secret in the base URL": ({"api_base": "http://user:secret@host/v1"}, "base URL"),
    "a base URL that is none": ({"api_base": "file:///etc/passwd"}, "base URL"),
    "a hot temperature": ({"temperature": 9.0}, "temperature"),
    "prompts of another reader": ({"prompts": {"gist": "x"}}, "no prompt"),
    "a prompt without its parts": ({"prompts": {"answer": "x"}}, "prompt"),
    "an edit that is none": ({"edits": [{"kind": "explode"}]}, "no edit of the kind"),
    "an edit without its fields": ({"edits": [{"kind": "model"}]}, "not whole"),
    "an edit that empties all": ({"edits": [{"kind": "leave_out", "seq": 0, "start": 0, "end": 10**9}]}, "is not what"),
    "an edited prompt": ({"edits": [{"kind": "prompt", "seq": 0, "messages": [{"role": "user", "content": "x"}]}]}, "messages"),
}


@pytest.mark.parametrize(("change", "says"), HOSTILE_SPECS.values(), ids=HOSTILE_SPECS)
def test_specs_that_do_not_hold_are_refused(there: Store, data: dict[str, Any], change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRunFile, match=says):
        taken(there, spec(data, **change))
    assert there.runs() == []


def test_every_call_left_out_put_twice_or_put_in_is_refused(there: Store, data: dict[str, Any]) -> None:
    for number, call in enumerate(data["calls"]):
        assert "missing" in refused(there, without(data, ("calls", number)))
        assert "times" in refused(there, {**data, "calls": [*data["calls"], call]})
        for key in ({"seq": call["seq"] + 1_000}, {"attempt": call["attempt"] + 7}):
            assert "none that the reading makes" in refused(there, {**data, "calls": [*data["calls"], {**call, **key}]})


def other_kind(event: dict[str, Any]) -> dict[str, Any]:
    return {**event, "kind": "looked" if event["kind"] != "looked" else "noted"}


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
    (id,) = capsys.readouterr().out.split()
    assert main(["import", str(tmp_path / "bad.json"), str(tmp_path / "none.json"), str(tmp_path / "good.json")]) == 2
    out, err = capsys.readouterr()
    assert "'bad.json' is not taken in: at events" in err
    assert "'none.json' is not taken in: there is no such file" in err
    assert len(out.split()) == 1  # a bad one keeps no other out
    with Store() as store:
        assert {run.id for run in store.runs()} >= {id, out.strip()}
