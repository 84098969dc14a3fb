"""A running reading sends its player new data, but not so often that the server does little else."""

from __future__ import annotations

from dataclasses import dataclass

from components.trace import live
from components.widgets import progress


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def test_data_that_is_slow_to_make_is_made_less_often() -> None:
    clock = Clock()
    pace, made = live.PacedPlayer(clock), []

    def get(about: str, size: int, seconds: float) -> object:
        def make() -> dict[str, object]:
            clock.now += seconds
            made.append(size)
            return {"size": size}

        return pace.get(about, size, make)["size"]

    assert [get("r", 1, 0.02), get("r", 1, 0.02)] == [1, 1]
    clock.now += progress.POLL
    assert get("r", 2, 1.0) == 2
    clock.now += progress.POLL
    assert get("r", 3, 1.0) == 2  # making it took a second: the next may begin three seconds later
    assert get("another", 1, 1.0) == 1  # about something else, at once
    clock.now += 3 * progress.POLL
    assert get("another", 4, 1.0) == 4
    assert made == [1, 2, 1, 4]


def test_lives_are_computed_at_most_every_two_seconds_however_fast() -> None:
    clock = Clock()
    pace = live.PacedPlayer(clock, least=live.LIVES)
    shown = []
    for size in range(6):
        shown.append(pace.get("r", size, lambda size=size: {"size": size})["size"])
        clock.now += progress.POLL
    assert shown == [0, 0, 2, 2, 4, 4]
