"""A prompt may raise the temperature at each retry; its first call, and all other prompts, keep the run's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from readers.engine.models.call import Call
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Unread
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document, Question, Text
from tests.support.models.scripted_models import Scripted


@dataclass(frozen=True)
class NoOptions:
    pass


@dataclass(frozen=True)
class Asks:
    """Asks one prompt once."""

    prompt: Prompt
    id = "asks"
    title = "Asks"
    version = 1
    Options = NoOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {}

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self.prompt,)

    def read(self, document: Document, question: Question, desk: Desk, options: Any) -> Text:
        got = desk.ask(self.prompt, question=question.asked)
        return Text("unread") if isinstance(got, Unread) else got

    def view(self, trace: Trace) -> dict[str, Any]:
        return {}

    def names(self, trace: Trace) -> dict[str, str]:
        return {}


def temperatures(prompt: Prompt, *, temperature: float = 0.0) -> list[float]:
    """The temperatures of all attempts at a prompt whose replies are always empty."""
    model = Scripted(lambda call: "")
    rehearse(Document.of("x"), Asks(prompt), RunSpec("asks", 1, "Who?", temperature=temperature), model)
    return [call.settings.temperature for call in model.calls]


def prompt(**more: Any) -> Prompt:
    return Prompt("test.ask", "answer", "$question", **{"tries": 5, **more})


def test_each_retry_is_warmer_than_the_one_before() -> None:
    assert temperatures(prompt(warmer=0.2)) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8])
    assert temperatures(prompt(warmer=0.2), temperature=0.3) == pytest.approx([0.3, 0.5, 0.7, 0.9, 1.0])


def test_the_temperature_is_raised_to_one_at_most_and_never_lowered() -> None:
    assert temperatures(prompt(warmer=0.5)) == pytest.approx([0.0, 0.5, 1.0, 1.0, 1.0])
    assert temperatures(prompt(warmer=0.5), temperature=1.4) == pytest.approx([1.4] * 5)


def test_other_prompts_keep_the_runs_own_temperature() -> None:
    assert temperatures(prompt(tries=3), temperature=0.7) == [0.7] * 3


def test_attempts_at_other_temperatures_are_other_requests() -> None:
    calls: list[Call] = []
    for warmer in (0.0, 0.2):
        model = Scripted(lambda call: "")
        rehearse(Document.of("x"), Asks(prompt(warmer=warmer, tries=2)), RunSpec("asks", 1, "Who?"), model)
        calls += model.calls
    assert calls[0].identity == calls[2].identity
    assert calls[1].identity != calls[3].identity
    assert calls[1].asked == calls[3].asked
