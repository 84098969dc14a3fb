"""The pace of a whole cluster: the mean rate is kept, nothing is too large, and a reply's tokens make the next one wait."""

from __future__ import annotations

import pytest

from readers.engine.run.cluster.home_answers import Pace, TokenBucket


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
