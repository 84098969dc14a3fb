"""What a home puts on record of what workers post: each row once, from the worker that does the reading, in the engine's form.
And the pace of a whole cluster: the mean rate is kept, nothing is too large, and a reply's tokens make the next one wait."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from readers import READERS, get
from readers.engine.canonical import canonical
from readers.engine.errors import BadInput, Busy, Diverged, NotFound
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Record
from readers.engine.run.cluster.home_answers import Home, Pace, TokenBucket
from readers.engine.run.cluster.posted import MOST_EVENTS, SavePost, checked_calls, read, save_post
from readers.engine.run.execute import Execution, execute
from readers.engine.store import Store
from tests.support.processes.cluster_work import new_run, some_text

Whole = tuple[list[Record], dict[str, Prompt], list[str]]


class Visitor:
    """A worker's posts to a home, without a network."""

    def __init__(self, store: Store, home: Home, run: str, *, turn: int = 0) -> None:
        self._store, self._home, self._run = store, home, run
        self.lease = ""
        self.opened = self.post("open", {"turn": turn})
        self.lease = self.opened["lease"]

    def post(self, verb: str, data: Any) -> dict[str, Any]:
        return self._home.answer(self._store, self._run, verb=verb, lease=self.lease, body=canonical(data).encode())

    def save(self, record: Record | None, prompt: Prompt | None, start: int, lines: list[str]) -> None:
        self.post("save", save_post([(record, prompt)] if record and prompt else [], start, lines))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The record of a whole reading."""
    with Store(tmp_path_factory.mktemp("whole") / "a.db") as store:
        run = new_run(store, "memagent")
        assert execute(store, run.id, get("memagent"), Execution(Offline())).status == "finished"
        tape = store.runs.tape(run.id)
        return tape.records(), tape.prompts(), tape.events()


@pytest.fixture
def run(store: Store) -> str:
    return new_run(store, "memagent").id


@pytest.fixture
def home(run: str) -> Home:
    home = Home()
    home.visits.expect(run, len(some_text().text))
    return home


def test_a_reading_that_is_opened_runs_and_gives_what_is_on_record(store: Store, home: Home, run: str, whole: Whole) -> None:
    records, prompts, lines = whole
    first = Visitor(store, home, run)
    assert store.runs.get(run).status == "running"
    assert (first.opened["records"], first.opened["events"]) == ([], [])
    first.save(records[0], prompts[records[0].prompt], 0, lines[:3])
    again = Visitor(store, home, run)
    assert [Record(**row) for row in again.opened["records"]] == records[:1]
    assert again.opened["events"] == lines[:3]
    assert again.post("document", {})["text"] == some_text().text


def test_repeated_posts_change_nothing(store: Store, home: Home, run: str, whole: Whole) -> None:
    records, prompts, lines = whole
    worker = Visitor(store, home, run)
    for _ in range(2):
        worker.save(records[0], prompts[records[0].prompt], 0, lines[:3])
    other = replace(records[0], reply="another reply to the same call")
    worker.save(other, prompts[other.prompt], 1, lines[1:5])
    assert store.runs.tape(run).records() == records[:1]
    assert store.runs.tape(run).events() == lines[:5]


def test_only_the_worker_that_opened_last_may_post(store: Store, home: Home, run: str, whole: Whole) -> None:
    records, prompts, lines = whole
    first = Visitor(store, home, run)
    second = Visitor(store, home, run)
    with pytest.raises(Busy, match="another worker has opened"):
        first.save(records[0], prompts[records[0].prompt], 0, lines[:3])
    with pytest.raises(Busy, match="another worker has opened"):
        first.post("end", {"status": "finished", "seconds": 1.0, "error": None})
    assert home.visits.next_turn(home.visits.of(run, second.lease)) == 1
    with pytest.raises(Busy, match="given to another worker"):
        Visitor(store, home, run, turn=0)
    second.save(records[0], prompts[records[0].prompt], 0, [])
    home.visits.dismiss(run)
    with pytest.raises(NotFound, match="not given to workers"):
        second.save(None, None, 0, lines[:1])
    assert store.runs.tape(run).events() == []


def test_a_reading_that_was_cancelled_meanwhile_is_not_opened(store: Store, home: Home, run: str) -> None:
    store.runs.cancel(run)
    with pytest.raises(Busy, match="is cancelled"):
        Visitor(store, home, run)


def test_a_cancel_of_any_process_reaches_the_worker(store: Store, home: Home, run: str) -> None:
    worker = Visitor(store, home, run)
    assert worker.post("stop", {}) == {"stop": False}
    with Store(store.path) as other:
        other.runs.cancel(run)
    assert worker.post("stop", {}) == {"stop": True}


def test_events_must_follow_those_on_record(store: Store, home: Home, run: str, whole: Whole) -> None:
    worker, lines = Visitor(store, home, run), whole[2]
    worker.save(None, None, 0, lines[:2])
    for start, some in ((3, lines[3:4]), (1, lines[2:4]), (0, [lines[0], lines[2]]), (0, lines[:1])):
        with pytest.raises(Diverged, match="do not follow"):
            worker.save(None, None, start, some)
    assert store.runs.tape(run).events() == lines[:2]


FORGED: dict[str, Any] = {
    "reply": None,  # neither reply nor error
    "origin": "edited",
    "seq": -1,
    "attempt": 10**6,
    "identity": "../../etc/passwd",
    "prompt": "0" * 16,
    "task": "answer_or_decline",
    "tokens_in": 1.5,
    "ms": -5,
    "parts": '[["text",[[0,999999]]]]',
    "parsed": "{broken",
    "sampled": '{"token_ids":["x"],"logprobs":null}',
    "messages": "[]",
    "unknown": 1,
}


@pytest.mark.parametrize("name", FORGED)
def test_a_call_that_is_not_in_order_is_refused(store: Store, home: Home, run: str, whole: Whole, name: str) -> None:
    records, prompts, _ = whole
    post = save_post([(records[0], prompts[records[0].prompt])], 0, [])
    post["calls"][0]["record"][name] = FORGED[name]
    worker = Visitor(store, home, run)
    with pytest.raises(BadInput, match="a worker posted"):
        worker.post("save", post)
    assert store.runs.tape(run).records() == []


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"calls":[],"start":0,"events":[""]}',
        b'{"calls":[],"start":0,"events":["{\\"kind\\":\\"cut\\"}"]}',
        b'{"calls":[],"start":0,"events":["\\ud800"]}',
        b'{"calls":[],"start":%d,"events":[]}' % MOST_EVENTS,
        b'{"calls":[{"record":null,"prompt":{"task":"answer","wording":"{}"}}],"start":0,"events":[]}',
    ],
)  # fmt: skip
def test_what_is_no_post_is_refused_with_a_sentence(body: bytes) -> None:
    with pytest.raises(BadInput, match="a worker posted"):
        checked_calls(read(body, SavePost), chars=10)


def test_the_prompts_of_every_reader_arrive_as_they_were(whole: Whole) -> None:
    record = whole[0][0]
    for prompt in [prompt for reader in READERS for prompt in reader.prompts]:
        row = replace(record, prompt=prompt.hash, task=prompt.task, parts="[]")
        post = read(canonical(save_post([(row, prompt)], 0, [])).encode(), SavePost)
        [(record, found)] = checked_calls(post, chars=0)
        assert record == row
        assert (found.hash, found.wording) == (prompt.hash, prompt.wording)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def sent_in(seconds: float, bucket: TokenBucket, clock: Clock, *, amount: float) -> float:
    """How much goes out in so many seconds, if each taker waits as it is told before the next takes."""
    until, sent = clock.now + seconds, 0.0
    while True:
        clock.now += bucket.take(amount)
        if clock.now >= until:
            return sent
        sent += amount


@pytest.mark.parametrize(("per_minute", "amount"), [(600, 1), (90_000, 700), (60, 45), (30, 1)])
def test_in_ten_minutes_ten_minutes_worth_goes_out_and_at_most_a_burst_more(per_minute: float, amount: float) -> None:
    clock = Clock()
    sent = sent_in(600, TokenBucket(per_minute, clock), clock, amount=amount)
    assert 10 * per_minute - amount <= sent <= 10.1 * per_minute + amount


def test_after_a_silence_no_more_than_a_tenth_of_a_minute_goes_out_at_once() -> None:
    clock = Clock()
    bucket = TokenBucket(600, clock)
    clock.now += 3600
    waits = [bucket.take(1) for _ in range(62)]
    assert waits[:60] == [0.0] * 60
    assert waits[60:] == pytest.approx([0.1, 0.2])


def test_more_than_the_bucket_holds_is_let_out_once_and_paid_by_those_after_it() -> None:
    bucket = TokenBucket(600, Clock())  # 10 a second, 60 at once
    assert bucket.take(660) == pytest.approx(60)
    assert bucket.take(10) == pytest.approx(61)


def test_prompts_wait_for_both_buckets_and_for_the_tokens_of_replies() -> None:
    clock = Clock()
    pace = Pace(TokenBucket(60, clock), TokenBucket(6_000, clock))
    assert pace.reserve(600) == 0.0
    pace.charge(200)
    assert pace.reserve(0) == pytest.approx(2.0)
    assert not Pace.of(None, None).is_limited
    assert Pace.of(None, None).reserve(10**9) == 0.0
