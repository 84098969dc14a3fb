"""A model's speed is learnt from its calls: delay, tokens a second, what is cached, what calls at once share, and loading."""

from __future__ import annotations

import random
from statistics import median

import pytest

from readers.engine.models.learnt_speed import TimedCall, learn_speed
from readers.engine.models.speed import Speed

HOSTED = Speed(read=2000, written=80, delay=0.4, shared=0.0)
ON_A_PROCESSOR = Speed(read=60, written=8, delay=0.05, load=90.0, shared=1.0, cached=0.3)
BATCHING = Speed(read=5000, written=35, delay=0.15, shared=0.5)
DELAY_ALONE = Speed(read=1e6, written=1e5, delay=3.0, shared=0.0)


def calls_of(server: Speed, count: int = 120) -> list[TimedCall]:
    """Calls as a server of this speed answers them, with noise, and some that hang."""
    rng, calls = random.Random(7), []
    for number in range(count):
        sent, received = rng.choice([300, 600, 1200]) + rng.randrange(200), rng.choice([20, 150, 400]) + rng.randrange(30)
        cached, at_once = round(sent * 2 * server.cached) * (number % 2), rng.choice([1, 1, 4, 8])
        seconds = server.delay + (sent - cached) / server.read + received / server.written
        seconds *= at_once**server.shared * rng.lognormvariate(0, 0.2) * (10 if number % 40 == 5 else 1)
        first = number % 20 == 0
        calls.append(TimedCall("p", sent, received, seconds + server.load * first, at_once, cached, first))
    return calls


@pytest.mark.parametrize("server", [HOSTED, ON_A_PROCESSOR, BATCHING, DELAY_ALONE])
@pytest.mark.parametrize("usual", [0.0, 1.0])
def test_what_a_call_takes_is_learnt_with_noise_and_outliers(server: Speed, usual: float) -> None:
    found = learn_speed(calls_of(server), shares=usual)
    assert found is not None
    assert found.shared == server.shared
    assert found.cached == pytest.approx(server.cached, abs=0.05)
    for calls, sent, received, at_once in ((10, 3_000, 200, 1), (10, 3_000, 4_000, 1), (40, 50_000, 2_000, 8)):
        took = [one.seconds(calls, sent, received, at_once=at_once) for one in (server, found)]
        assert took[1] == pytest.approx(took[0], rel=0.25)
    assert found.load == pytest.approx(server.load, rel=0.2)


def test_of_few_calls_the_next_takes_what_they_took() -> None:
    few = [TimedCall("p", 100, 10, seconds) for seconds in (1.0, 3.0, 2.0)]
    found = learn_speed(few, shares=0.0)
    assert found is not None
    assert found.seconds(4, 10_000, 10_000) == 4 * median(call.seconds for call in few)
    assert found.seconds(4, 10_000, 10_000, at_once=4) == 2.0
    assert learn_speed([], shares=1.0) is None


def test_calls_that_are_all_alike_teach_what_such_a_call_takes() -> None:
    alike = [TimedCall("p", 100, 10, 2.0) for _ in range(20)]
    found = learn_speed(alike, shares=1.0)
    assert found is not None
    assert found.seconds(5, 500, 50) == pytest.approx(10, rel=0.01)
    assert min(found.delay, 1 / found.read, 1 / found.written) >= 0
