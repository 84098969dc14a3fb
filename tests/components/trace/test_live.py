"""A running reading says how long it has waited for a reply, and whether the server it waits for is there."""

from __future__ import annotations

import socket
from dataclasses import asdict, dataclass

import pytest

from components.trace import live
from readers.engine.record.edits import ModelEdit, to_json
from readers.engine.record.journal import Wait
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run


def running(**spec: object) -> Run:
    given = {"model": "openai/x", **spec}
    return Run("r", "d", "memagent", "Who?", asdict(RunSpec("memagent", 2, "Who?", **given)), "running")


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def test_data_that_is_slow_to_make_is_made_less_often() -> None:
    clock = Clock()
    pace, made = live.Paced(clock), []

    def get(about: str, size: int, seconds: float) -> object:
        def make() -> dict[str, object]:
            clock.now += seconds
            made.append(size)
            return {"size": size}

        return pace.get(about, size, make)["size"]

    assert [get("r", 1, 0.02), get("r", 1, 0.02)] == [1, 1]
    clock.now += live.POLL
    assert get("r", 2, 1.0) == 2
    clock.now += live.POLL
    assert get("r", 3, 1.0) == 2  # making it took a second: the next may begin three seconds later
    assert get("another", 1, 1.0) == 1  # about something else, at once
    clock.now += 3 * live.POLL
    assert get("another", 4, 1.0) == 4
    assert made == [1, 2, 1, 4]


def test_a_server_of_ones_own_is_slow_or_gone() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        base = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        slow = live.waited_facts(running(api_base=base), Wait(7, 75.0))
    gone = live.waited_facts(running(api_base=base), Wait(7, 75.0))
    assert slow == ["call 8 has waited 75 seconds for its reply", "its server accepts connections, so it may only be slow"]
    assert gone == ["call 8 has waited 75 seconds for its reply", "its server accepts no connections: it may have stopped"]


def test_the_server_is_that_of_the_model_that_answers_this_call() -> None:
    switched = to_json(ModelEdit(5, "openai/y", "http://127.0.0.1:9/v1"))
    run = running(edits=(switched,))
    assert len(live.waited_facts(run, Wait(4, 60.0))) == 1  # a provider's: nothing is asked of it
    assert live.waited_facts(run, Wait(5, 60.0))[1:] == ["its server accepts no connections: it may have stopped"]


@pytest.mark.parametrize("status", ["waiting", "queued"])
def test_a_person_or_a_queue_is_not_waited_for_in_this_way(status: str) -> None:
    run = Run("r", "d", "memagent", "Who?", asdict(RunSpec("memagent", 2, "Who?")), status)  # type: ignore[arg-type]
    assert live.waited_facts(run, Wait(0, 60.0)) == []
