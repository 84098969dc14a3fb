"""The home over HTTP: who is let in, what is bounded, and a worker that reads with its record in memory and its calls at home."""

from __future__ import annotations

import http.client
import socket
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from readers import get
from readers.engine.errors import BadOptions, Busy, StoreError
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.record.journal import Wait
from readers.engine.run.cluster import home_service
from readers.engine.run.cluster.home_answers import Home, Pace, TokenBucket
from readers.engine.run.cluster.home_client import HomeClient
from readers.engine.run.cluster.home_service import LOOPBACK, HomeService
from readers.engine.run.cluster.posted import MOST_BYTES
from readers.engine.run.cluster.worker import RecentDocuments, RemoteTape, Task, work
from readers.engine.run.execute import Execution, RunSpec, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.models.noting_models import NotingModels
from tests.support.processes.cluster_work import at_home, new_run, some_text


def task(service: HomeService, run: str, models: object, *, turn: int = 0) -> Task:
    return Task(service.address, run, turn, get, models, 3)  # type: ignore[arg-type]


def status(service: HomeService, token: str, *, length: str | None = None, body: bytes = b"{}") -> int:
    connection = http.client.HTTPConnection(LOOPBACK, service.address.port, timeout=10)
    try:
        connection.putrequest("POST", "/run/open")
        connection.putheader("Authorization", f"Bearer {token}")
        if length != "none":
            connection.putheader("Content-Length", length or str(len(body)))
        connection.endheaders(body)
        return connection.getresponse().status
    finally:
        connection.close()


def test_it_listens_on_loopback_and_refuses_a_wrong_token_and_what_is_too_long(store: Store) -> None:
    with at_home(store) as service:
        assert service.address.host == LOOPBACK
        assert status(service, service.token) == 400
        assert [status(service, wrong) for wrong in ("", "x", service.token[:-1], f"{service.token}é")] == [401] * 4
        assert status(service, "x", length=str(10**12)) == 401
        assert status(service, service.token, length=str(MOST_BYTES + 1)) == 413
        assert [status(service, service.token, length=wrong) for wrong in ("none", "-1", "x")] == [411, 400, 400]
        assert service.token not in f"{service.address}"
        with pytest.raises(BadOptions, match="cannot listen"):
            HomeService(Home(), path=store.path, port=service.address.port)


@pytest.mark.parametrize("sent", [b"", b"POST /run/op", b"POST /run/open HTTP/1.1\r\nHost: x\r\n%sContent-Length: 20\r\n\r\n{"])
def test_a_connection_that_is_silent_is_closed(store: Store, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(home_service, "SILENT_SECONDS", 0.1)
    with at_home(store) as service, socket.create_connection((LOOPBACK, service.address.port), timeout=10) as connection:
        token = f"Authorization: Bearer {service.token}\r\n".encode()
        connection.sendall(sent % token if b"%s" in sent else sent)
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 408") if b"%s" in sent else not answer


def test_a_worker_with_a_wrong_token_can_do_nothing(store: Store, tmp_path: Path) -> None:
    run = new_run(store)
    with at_home(store) as service:
        service.home.visits.expect(run.id, len(some_text().text))
        stranger = replace(service.address, token="x")
        with pytest.raises(StoreError, match="token is missing or wrong"):
            work(replace(task(service, run.id, NotingModels(tmp_path / "asked")), home=stranger))
    assert store.runs.get(run.id).status == "queued"
    assert not NotingModels(tmp_path / "asked").lines()


@pytest.mark.slow
def test_a_reading_on_a_worker_has_the_record_of_one_at_home(store: Store, tmp_path: Path) -> None:
    models = NotingModels(tmp_path / "asked")
    for reader in ("memwalker", "rememr1"):
        there, here = new_run(store, reader), new_run(store, reader)
        with at_home(store) as service:
            visit = service.home.visits.expect(there.id, len(some_text().text))
            work(task(service, there.id, models))
        execute(store, here.id, get(reader), Execution(models(RunSpec.from_json(here.spec)), concurrency=3))
        assert visit.end is not None
        assert (visit.end.status, visit.end.error) == ("finished", None)
        rows = [[replace(row, ms=0) for row in store.runs.tape(run.id).records()] for run in (there, here)]
        assert rows[0] == rows[1]
        assert store.runs.tape(there.id).events() == store.runs.tape(here.id).events()


class Broken(BaseException):
    """What ends a worker's thread as abruptly as a kill ends its process."""


class Breaking:
    """Opens a model that answers a few calls, and then breaks down without a word to anybody."""

    def __init__(self, models: NotingModels, after: int) -> None:
        self._models, self._left, self._lock = models, after, threading.Lock()

    def __call__(self, spec: RunSpec) -> Model:
        model = self._models(spec)
        outer = self

        class Model:
            def complete(self, call: Call) -> Reply:
                with outer._lock:
                    outer._left -= 1
                    if outer._left < 0:
                        raise Broken
                return model.complete(call)

        return Model()


@pytest.mark.slow
def test_a_worker_that_breaks_down_at_any_call_loses_nothing_that_is_home(store: Store, tmp_path: Path) -> None:
    models = NotingModels(tmp_path / "asked")
    run = new_run(store)
    with at_home(store) as service:
        visit = service.home.visits.expect(run.id, len(some_text().text))
        while not models.lines("=") or visit.end is None or visit.end.status != "finished":
            visit.end = None
            visit.ended.clear()
            turn = service.home.visits.next_turn(visit)
            try:
                work(task(service, run.id, Breaking(models, 4), turn=turn))
            except Broken:
                continue
    asked = Counter(line.key for line in models.lines("?"))
    answered = Counter(line.key for line in models.lines("="))
    assert turn > 3
    assert answered.total() == len(store.runs.tape(run.id).records())
    assert set(answered.values()) == {1}
    assert asked == answered


def test_a_tape_in_memory_posts_before_it_keeps(store: Store, tmp_path: Path) -> None:
    run = new_run(store)
    with at_home(store) as service:
        service.home.visits.expect(run.id, len(some_text().text))
        with HomeClient(service.address, run.id, patience=0.0) as client:
            opened = client.open(0)
            tape = RemoteTape(client, opened.records, opened.events)
            tape.save(None, None, 0, ['{"kind":"step_ended"}'])
            tape.note_wait(Wait(3, 60.0))
            assert (tape.events(), tape.keys(), tape.spent().calls) == (['{"kind":"step_ended"}'], set(), 0)
            assert store.runs.tape(run.id).events() == tape.events()
            assert [wait.seq for wait in [store.runs.tape(run.id).wait()] if wait] == [3]
            with HomeClient(service.address, run.id) as other:
                other.open(0)
                with pytest.raises(Busy):
                    tape.save(None, None, 1, ['{"kind":"step_ended"}'])
            assert len(tape.events()) == 1


def test_a_worker_waits_for_a_home_that_is_away_for_a_moment_and_then_gives_up(store: Store) -> None:
    run = new_run(store)
    with at_home(store) as service:
        address = service.address
    slept: list[float] = []
    with HomeClient(address, run.id, patience=0.05, sleep=slept.append) as client:
        with pytest.raises(StoreError, match="cannot be reached"):
            client.open(0)
    assert slept == []
    with HomeClient(address, run.id, patience=5.0, sleep=lambda seconds: returning.append(serve())) as client:
        returning: list[HomeService] = []

        def serve() -> HomeService:
            back = HomeService(Home(), path=store.path, port=address.port)
            back.home.visits.expect(run.id, len(some_text().text))
            back.__enter__()
            client.address = back.address
            return back

        assert client.open(0).records == []
        returning[0].__exit__(None, None, None)


@pytest.mark.slow
def test_all_workers_share_one_pace(store: Store, tmp_path: Path) -> None:
    now = 0.0
    requests, counted = TokenBucket(1e9, lambda: now), TokenBucket(1e9, lambda: now)
    models = NotingModels(tmp_path / "asked")
    with at_home(store, Home(Pace(requests, counted))) as service:
        for run in (new_run(store, "memagent"), new_run(store, "memagent")):
            service.home.visits.expect(run.id, len(some_text().text))
            work(task(service, run.id, models))
    records = [row for run in store.runs.listed() for row in store.runs.tape(run.id).records()]
    assert 1e8 - requests._level == len(models.lines("?")) == len(records)
    replies = sum(row.tokens_out or 0 for row in records)
    prompts = 1e8 - counted._level - replies
    assert prompts > 100 * len(records) > replies > 0


def test_a_worker_pulls_a_text_once_and_keeps_the_last_ones() -> None:
    pulled: list[str] = []

    def pull(name: str) -> Document:
        pulled.append(name)
        return Document("A text", name * 10)

    kept = RecentDocuments(most=25)
    for name in "aabba":
        assert kept.get(name, lambda name=name: pull(name)).text == name * 10  # type: ignore[misc]
    kept.get("c", lambda: pull("c"))
    kept.get("a", lambda: pull("a"))
    assert pulled == ["a", "b", "c"]
    kept.get("b", lambda: pull("b"))
    assert pulled == ["a", "b", "c", "b"]


def test_the_next_reading_of_a_home_has_the_connection_of_the_last_and_another_home_has_its_own(store: Store) -> None:
    def port(service: HomeService) -> int:
        run = new_run(store, "memagent")
        service.home.visits.expect(run.id, len(some_text().text))
        with HomeClient(service.address, run.id) as client:
            client.open(0)
            assert client._connection
            return int(client._connection.sock.getsockname()[1])

    with at_home(store) as service, at_home(store) as another:
        first = port(service)
        assert port(service) == first
        assert port(another) != first
        assert port(service) != first


def test_only_posts_are_answered(store: Store) -> None:
    with at_home(store) as service:
        connection = http.client.HTTPConnection(LOOPBACK, service.address.port, timeout=10)
        connection.request("GET", "/run/open", headers={"Authorization": f"Bearer {service.token}"})
        assert connection.getresponse().status == 405
        connection.close()
