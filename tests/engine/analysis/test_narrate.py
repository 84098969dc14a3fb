"""What is said of texts that a step wrote, and of a choice without the reason that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from readers import get
from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Answered, Misread
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Unread
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import BACK, COMMIT, parts_of, walker
from tests.support.readings import qrmem_readings, readagent_readings
from tests.support.readings.shipped_readings import shipped_reading

TEXT = Document.of("The keeper kept the lamp. The boats came home by it.", title="The lamp")
SHORTER = Prompt(id="rewriting.shorter", task="summarise", template="$summaries")


@dataclass(frozen=True)
class Options:
    """None."""


class Rewriting(Reader):
    """Writes notes, then something of each group of them."""

    id, title, version = "rewriting", "Rewriting", 1
    prompts = (SHORTER,)
    Options = Options
    groups: ClassVar[list[list[int]]] = []
    role: ClassVar[str] = "note"

    def read(self, document: Document, question: Question, desk: Desk[str], options: Options) -> Text:
        with desk.step("build"):
            notes = [desk.write("note", document.at(span)) for span in ((0, 25), (26, 52))]
        with desk.step("rewrite"):
            for group in self.groups:
                shorter = desk.ask(SHORTER, summaries=[notes[number] for number in group])
                assert not isinstance(shorter, Unread)
                desk.write(self.role, shorter)
        return notes[0]


@pytest.mark.parametrize(
    ("groups", "role", "told"),
    [
        ([[0]], "note", "It wrote a note that builds on an earlier note."),
        ([[0], [1]], "facts", "It wrote 2 facts, each of which builds on an earlier note."),
        ([[0], [1]], "draft", "It wrote 2 drafts, each of which builds on an earlier note."),
        ([[0, 1]], "note", "It put neighbouring notes together into one and shortened it."),
        (
            [[0], [0, 1]],
            "note",
            "It wrote a note that builds on an earlier note. It put neighbouring notes together into one and shortened it.",
        ),
    ],
)
def test_a_text_of_one_earlier_text_is_not_put_together(
    groups: list[list[int]], role: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rewriting, "groups", groups)
    monkeypatch.setattr(Rewriting, "role", role)
    reader = Rewriting()
    trace = rehearse(TEXT, reader, RunSpec(reader.id, 1, "Who kept the lamp?"), Offline())
    assert narrate(trace, reader)[1] == f"{told} It answered “The keeper kept the lamp.”."


NO_REASON = "The reply gave no reason for it."


def told(trace: Trace, reader: Reader) -> list[bool]:
    """Of each step, whether its sentence says that a reason is missing. The reading was answered, and nothing was misread."""
    assert isinstance(trace.end, Answered)
    assert not [event for event in trace.events if isinstance(event, Misread)]
    return [NO_REASON in sentence for sentence in narrate(trace, reader)]


@pytest.mark.parametrize(
    ("actions", "missing"),
    [
        ([0, 0, BACK, 1, COMMIT], [False] * 5),
        (["Action: 0", 0, "**Action:** -1", 1, "Action: -2\nAnswer: forty-two"], [True, False, True, False, True]),
        (["Action: -1", 0, 0, COMMIT], [False] * 3),  # what is refused has the rule's reason, and the next choice has one
    ],
)
def test_at_a_walk(actions: list[int | str], missing: list[bool]) -> None:
    assert told(walk(actions), MemWalker())[4:] == missing


def test_where_none_is_asked_for_none_is_missing() -> None:
    assert not any(told(walk([0, 0, COMMIT], reasoning=False), MemWalker()))


def walk(actions: list[int | str], **options: Any) -> Trace:
    options = {"segment_tokens": 64, "max_children": 3, **options}
    spec = RunSpec("memwalker", MemWalker.version, "Where is it?", options=options)
    return rehearse(parts_of(9), MemWalker(), spec, walker(actions))


@pytest.mark.parametrize(
    ("asks", "missing"),
    [([1, "Page 2", readagent_readings.STOP], 1), (["Page 1", "Page 2", "STOP"], 3), ([1, readagent_readings.STOP], 0)],
)
def test_at_a_look_up(asks: list[int | str], missing: int) -> None:
    trace = readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=asks), mode="sequential")
    assert sum(told(trace, readagent_readings.READER)) == missing


@pytest.mark.parametrize(
    ("verdicts", "missing"),
    [(["no: who made swallow?", "yes: Ned Farrow"], 0), (["Action: -1", "Action: -2\nAnswer: Ned Farrow"], 2)],
)
def test_at_a_verdict(verdicts: list[str], missing: int) -> None:
    trace = qrmem_readings.read(qrmem_readings.text(*qrmem_readings.CHAIN), qrmem_readings.Plan(verdicts=verdicts).model())
    sentences = narrate(trace, qrmem_readings.READER)
    assert sum(NO_REASON in sentence for sentence in sentences) == missing


def shipped_sentence(name: str, step: int) -> str:
    reading = shipped_reading(name)
    return narrate(reading.trace, get(reading.run.reader))[step - 1]


@pytest.mark.parametrize(
    ("name", "step", "reasons"),
    [
        (
            "memwalker-bridge-boiler.json",
            2,
            "twice, it was cut off for its length, with room for 312 tokens; "
            "once, it repeats itself without end after its first 294 characters",
        ),
        (
            "readagent-bridge-boiler.json",
            4,
            "once, it named place 23, which it was not offered; once, it named place 24, which it was not offered",
        ),
        (
            "readagent-bridge-boiler.json",
            17,
            "5 times, it was cut off for its length, with room for 366 to 679 tokens; "
            "once, it repeats itself without end after its first 890 characters",
        ),
        ("qrmem-sarn-three-bars.json", 1, "it was cut off for its length; there was room for 512 to 1,024 tokens"),
        ("readagent-bridge-boiler.json", 6, "it named place 28, which it was not offered"),
    ],
)
def test_every_reason_why_replies_could_not_be_used_is_told_with_how_often_it_came(name: str, step: int, reasons: str) -> None:
    assert f"could not be used ({reasons}), so it was asked again." in shipped_sentence(name, step)


def test_what_was_done_comes_before_what_went_wrong_on_the_way() -> None:
    sentence = shipped_sentence("memagent-bridge-boiler.json", 1)
    assert sentence.startswith("It cut the text into 9 parts. It read chunk 1 and wrote its first memory.")
    assert "On the way, a reply of the model could not be used (there is no text in it), so it was asked again." in sentence
