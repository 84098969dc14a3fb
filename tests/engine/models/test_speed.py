"""How fast a model is: found from two calls, whatever shares of them reading and writing take, and stored for estimates."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from readers.engine.errors import ModelFailed
from readers.engine.home import home
from readers.engine.models import speed
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.speed import Speed, find_speed, measure, store_speed
from readers.engine.text import tokens

SETTINGS = ModelSettings("local/some")


@dataclass
class Paced:
    """A model that takes as long as its speeds say, and writes all it has room for."""

    read: float = 60.0
    written: float = 20.0
    counts: bool = True
    most: int = 1_000
    prompts: list[str] = field(default_factory=list)

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        words = call.messages[0]["content"]
        self.prompts.append(words)
        sent, received = tokens.count(words), min(self.most, call.prompt.max_tokens)
        ms = round(1000 * (sent / self.read + received / self.written))
        return Reply("one two", *((sent, received) if self.counts else (None, None)), ms=ms)


@pytest.mark.parametrize(("read", "written"), [(60, 20), (2, 0.5), (5_000, 90), (30, 200)])
def test_both_speeds_are_found(read: float, written: float) -> None:
    found = measure(Paced(read, written), SETTINGS)
    assert found.read == pytest.approx(read, rel=0.05)
    assert found.written == pytest.approx(written, rel=0.05)
    assert found.seconds(1, 100, 10) == pytest.approx(100 / read + 10 / written, rel=0.05)


def test_a_short_reply_is_enough() -> None:
    assert measure(Paced(most=5), SETTINGS).written == pytest.approx(20, rel=0.05)


def test_no_measurement_sends_a_prompt_that_begins_like_an_earlier_one() -> None:
    model = Paced()
    for _ in range(2):
        measure(model, SETTINGS)
    assert len({prompt[:16] for prompt in model.prompts}) == 4


def test_without_token_counts_there_is_no_speed() -> None:
    with pytest.raises(ModelFailed, match="reported no tokens"):
        measure(Paced(counts=False), SETTINGS)


def test_a_disturbed_measurement_still_gives_two_speeds() -> None:
    found = speed._solve(Reply("x", 500, 1, ms=10), Reply("x", 20, 40, ms=9_000))
    assert found is not None
    assert (found.read, found.written) == pytest.approx((50_000, 40 / 9))


def test_speeds_are_stored_by_model_and_server() -> None:
    assert find_speed("local/some", None) is None
    store_speed("local/some", None, Speed(60, 20))
    store_speed("openai/x", "http://127.0.0.1:1/v1", Speed(5, 1))
    store_speed("local/some", None, Speed(61, 21))
    assert find_speed("local/some", None) == Speed(61, 21)
    assert find_speed("openai/x", "http://127.0.0.1:1/v1") == Speed(5, 1)
    assert find_speed("openai/x", None) is None


@pytest.mark.parametrize(
    "data", ["", "[]", "{", '{"local/some": {"read": 0, "written": 2}}', '{"local/some": {"read": NaN, "written": 1}}']
)
def test_a_damaged_file_of_speeds_means_that_none_was_measured(data: str) -> None:
    home().mkdir()
    (home() / "speeds.json").write_text(data, encoding="utf-8")
    assert find_speed("local/some", None) is None
    store_speed("local/some", None, Speed(1, 1))
    assert find_speed("local/some", None) == Speed(1, 1)
