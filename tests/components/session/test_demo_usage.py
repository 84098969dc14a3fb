"""What visitors of a public demo may begin and spend: deleting, another browser, forks, experiments, batches and asking again
are all counted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from components.session import access, demos, process_cache, start_runs, state
from components.session.demos import Guest, PaidModel, address_of
from components.session.model_choice import ModelChoice, try_out
from readers import get
from readers.engine.errors import BadOptions, LimitReached, NotFound
from readers.engine.forks.experiments import Sampling
from readers.engine.forks.fork import ForkTerms
from readers.engine.forks.resample import sample_call
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import RunSpec, create_run
from readers.engine.store import Reading, Store, open_reading
from readers.engine.store import visits as table
from readers.engine.store.visits import Usage
from readers.engine.text.document import Document

PAID = "gpt-4o-mini"
TEXT = Document.of("The keeper lit the lamp. Everybody saw it from the harbour.", title="Lamp")


@dataclass
class Now:
    """Who looks at the page, and from where."""

    visitor: str = "ann"
    address: str = "192.0.2.1"


@pytest.fixture
def now(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Now]:
    here = Now()
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setattr(access, "visitor", lambda: here.visitor)
    monkeypatch.setattr(demos, "address", lambda: here.address)
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice(catalogue.default_model()))
    yield here
    assert process_cache.jobs().wait(20)


def begin(question: str = "Who lit it?") -> str:
    reader = get("whole")
    spec = RunSpec(reader.id, reader.version, question, model=catalogue.default_model())
    (run_id,) = start_runs.start(TEXT, spec)
    assert process_cache.jobs().wait(20)
    return run_id


def a_reading(store: Store) -> Reading:
    return open_reading(store, begin())


def fork_of(reading: Reading) -> str:
    return start_runs.start_fork(reading, ReplyEdit(0, 0, "Somebody else."), ForkTerms())


def asked_again(store: Store, reading: Reading) -> None:
    with access.opened() as mine:
        start_runs.start_samples([sample_call(mine, reading, get(reading.run.reader), 0, Sampling(2))])


# Readings


def test_what_was_deleted_still_counts(now: Now, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "2")
    for _ in range(2):
        access.delete_run(begin())
    with pytest.raises(LimitReached, match="a visit may begin 2 readings, including deleted ones"):
        begin()
    now.visitor = "ben"
    begin()


def test_another_browser_is_another_visit_from_the_same_address(now: Now, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS_ADDRESS", "2")
    for now.visitor in ("first", "second"):
        begin()
    now.visitor = "third"
    with pytest.raises(LimitReached, match="2 readings a day may begin from one network address"):
        begin()
    now.address = "192.0.2.2"
    begin()


def test_all_visitors_together_have_a_limit(now: Now, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS_DAY", "2")
    for n in range(2):
        now.visitor, now.address = f"visitor{n}", f"192.0.2.{n}"
        begin()
    now.visitor, now.address = "another", "198.51.100.1"
    with pytest.raises(LimitReached, match="2 readings a day in all"):
        begin()


def test_forks_and_asking_again_count(now: Now, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "3")
    reading = a_reading(store)
    fork_of(reading)
    asked_again(store, reading)
    there = {run.id for run in store.runs.listed(samples=True)}
    for act in (lambda: fork_of(reading), lambda: asked_again(store, reading), begin):
        with pytest.raises(LimitReached):
            act()
    assert {run.id for run in store.runs.listed(samples=True)} == there  # no sample is left behind that cannot begin


def test_what_cannot_begin_is_not_counted(now: Now, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "1")
    with pytest.raises(BadOptions, match="there is no question"):
        begin(" ")
    begin()


def test_two_at_once_do_not_both_begin_the_last_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "5")
    refused = []

    def try_to_begin() -> None:
        with Store() as own:
            for _ in range(5):
                try:
                    demos.count(own, Guest("ann"))
                except LimitReached as error:
                    refused.append(error)

    threads = [threading.Thread(target=try_to_begin) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (demos.begun(store, Guest("ann"))[0], len(refused)) == (5, 10)


def test_a_day_is_forgotten_after_a_week(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    today = table._today()
    demos.count(store, Guest("ann", "192.0.2.1"), readings=3)
    monkeypatch.setattr(table, "_today", lambda: today + table.timedelta(days=1))
    later = demos.begun(store, Guest("ann", "192.0.2.1"))
    assert later == (3, 0, 0)
    monkeypatch.setattr(table, "_today", lambda: today + table.timedelta(days=table.DAYS_REMEMBERED + 1))
    demos.count(store, Guest("ben"))
    assert store.demo_usage.in_all(demos.ALL) == Usage(1)
    assert b"192.0.2.1" not in store.path.read_bytes()


# Addresses


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("192.0.2.1", "203.0.113.9", "", "192.0.2.1"),  # anybody can write the header
        ("203.0.113.9", "203.0.113.9", "", ""),  # uvicorn took it from the header, because the connection is from this machine
        ("2001:db8::1", "198.51.100.7, [2001:db8::1]:4711", "", ""),
        ("203.0.113.9", "203.0.113.9", "1", "203.0.113.9"),
        ("192.0.2.1", "198.51.100.7\n203.0.113.9", "1", "203.0.113.9"),  # a proxy may add a header of its own
        ("192.0.2.1", "198.51.100.7, 203.0.113.9", "1", "203.0.113.9"),  # the last entry is the proxy's
        ("192.0.2.1", "203.0.113.9:4711", "1", "203.0.113.9"),
        ("192.0.2.1", "[2001:db8:1:2:3::4]:4711", "1", "2001:db8:1:2::"),
        ("192.0.2.1", "", "1", "192.0.2.1"),
        ("192.0.2.1", "<script>", "1", ""),
        ("2001:db8:1:2:aaaa::1", "", "", "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", "", "", "192.0.2.1"),
        (None, "", "", ""),
    ],
)
def test_an_address(peer: str | None, forwarded: str, trusted: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_PROXY", trusted)
    assert address_of(peer, forwarded.splitlines()) == address


@pytest.mark.parametrize("trusted", ["127.0.0.1,::1", "*"])  # uvicorn's default, and what hosts set in FORWARDED_ALLOW_IPS
@pytest.mark.parametrize("peer", ["127.0.0.1", "192.0.2.1"])
def test_nobody_dodges_the_limit_by_a_header(peer: str, trusted: str) -> None:
    """As many addresses as one likes count as one: behind a proxy on this machine, and without one."""

    def counted(header: bytes | None) -> str:
        scope: dict[str, Any] = {"type": "websocket", "client": (peer, 4711), "scheme": "ws"}
        scope["headers"] = [] if header is None else [(b"x-forwarded-for", header)]

        async def app(scope: Any, *_: Any) -> None:
            client.append(scope["client"][0])

        client: list[str] = []
        asyncio.run(ProxyHeadersMiddleware(app, trusted)(scope, None, None))  # type: ignore[arg-type]
        seen = None if client[0] in ("127.0.0.1", "::1") else client[0]  # as Streamlit reports it
        return address_of(seen, [] if header is None else [header.decode()])

    headers = [f"203.0.113.{n}" for n in range(30)] + [f"[2001:db8:{n}::1]:80, 127.0.0.1" for n in range(30)]
    assert {counted(header.encode()) for header in headers} <= {"", peer}
    assert counted(None) == ("" if peer == "127.0.0.1" else peer)


@pytest.mark.parametrize("value", ["many", "-1", "nan", "1e400"])
def test_a_limit_that_is_no_number_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_DOLLARS_DAY", value)
    with pytest.raises(BadOptions, match="PALIMPSEST_DEMO_DOLLARS_DAY is"):
        demos.limits()


# Calls and money


@dataclass
class Priced:
    """A model that answers, for so much a call."""

    usd: float | None = 0.5
    calls: int = 0

    def complete(self, call: Call) -> Reply:
        self.calls += 1
        return Reply("The keeper.", tokens_in=1, tokens_out=1, cost_usd=self.usd)


@pytest.fixture
def priced(now: Now, monkeypatch: pytest.MonkeyPatch) -> Priced:
    """The host's model in a demo, which costs half a dollar a call."""
    monkeypatch.setenv("PALIMPSEST_MODEL", PAID)
    monkeypatch.setattr(catalogue, "litellm_window", lambda _: 128_000)
    monkeypatch.setattr(catalogue, "thinks_first", lambda _: False)
    model, usual = Priced(), catalogue.open_model

    def opened(model_id: str, **how: object) -> Model:
        return model if model_id == PAID else usual(model_id)

    monkeypatch.setattr(catalogue, "open_model", opened)
    return model


def test_the_days_money_is_spent_once_whoever_asks(
    now: Now, store: Store, priced: Priced, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_DOLLARS_DAY", "1")
    reading = a_reading(store)
    assert reading.run.status == "finished"
    now.visitor, now.address = "ben", "198.51.100.1"
    assert store.runs.get(begin("Who saw it?")).status == "finished"
    assert store.demo_usage.today(demos.PAID) == Usage(0, 2, 1.0)
    refused = store.runs.get(begin("From where?"))
    assert refused.status == "failed"
    assert "today's model budget is spent; come back tomorrow" in str(refused.error)
    start_runs.resume(refused)
    now.visitor = "ann"
    asked_again(store, reading)
    assert process_cache.jobs().wait(20)
    assert priced.calls == 2


def test_calls_are_counted_before_they_go_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_CALLS_DAY", "1")

    class Broken:
        def complete(self, call: Call) -> Reply:
            raise RuntimeError("it was asked")

    model = PaidModel(Broken())
    for error in (RuntimeError, LimitReached):
        with pytest.raises(error):
            try_out(ModelChoice(catalogue.OFFLINE), lambda model_id, _: model)


def test_what_costs_nothing_is_not_counted(now: Now, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_CALLS_DAY", "0")
    assert store.runs.get(begin()).status == "finished"
    assert store.demo_usage.today(demos.PAID) == Usage()


def test_outside_a_demo_nothing_is_counted(store: Store) -> None:
    model = Priced()
    assert demos.within_budget(PAID, model) is model
    access.check_readings(10_000)
    with access.counted(store, 10_000):
        pass
    assert store.demo_usage.in_all(demos.ALL) == Usage()


# What is whose


def test_a_reading_in_a_demo_is_capped_and_the_hosts_is_nobodys_to_change(now: Now, store: Store) -> None:
    reader = get("whole")
    host = create_run(store, Document.of("The host's own lamp."), reader, RunSpec(reader.id, reader.version, "Who?"))
    own = store.runs.get(begin())
    assert own.spec["caps"]["max_calls"] == demos.MOST_CALLS
    assert {run.id for run in access.visible_runs()} == {own.id, host.id}
    for act in (
        lambda: access.delete_run(host.id),
        lambda: access.delete_document(host.document),
        lambda: start_runs.resume(host),
    ):
        with pytest.raises(NotFound):
            act()
    assert {run.id for run in store.runs.listed()} == {own.id, host.id}


def test_a_visits_end_is_carried_out_after_the_grace_unless_the_visitor_is_back(now: Now, store: Store) -> None:
    document = store.runs.get(begin()).document
    assert process_cache.document(document).text == TEXT.text
    process_cache.jobs()._end_visit(now.visitor, lambda: True, process_cache.clear)
    assert len(store.runs.listed()) == 1
    process_cache.jobs()._end_visit(now.visitor, lambda: False, process_cache.clear)
    with pytest.raises(NotFound):
        process_cache.document(document)
    assert (store.runs.listed(), store.documents.listed()) == ([], [])


def test_outside_a_demo_everything_is_seen_and_can_be_deleted(store: Store) -> None:
    reader = get("whole")
    run = create_run(store, TEXT, reader, RunSpec(reader.id, reader.version, "Who?"))
    assert (access.may_see(run.id), access.may_change(run.id)) == (True, True)
    store.runs.settle(run.id, "cancelled")
    access.delete_document(run.document)
    assert (access.visible_runs(), access.visible_documents()) == ([], [])
    with pytest.raises(NotFound):
        access.delete_run(run.id)


def test_the_page_of_a_text_shows_its_own_title_to_each(now: Now, store: Store) -> None:
    texts = [Document("Anna's secret", TEXT.text), Document("Ben's", TEXT.text)]
    for now.visitor, text in zip(("ann", "ben"), texts, strict=True):
        access.add_document(text)
    for now.visitor, text in zip(("ann", "ben"), texts, strict=True):
        assert access.document(text.id).title == text.title
    now.visitor = "cleo"
    with pytest.raises(NotFound):
        access.document(TEXT.id)
