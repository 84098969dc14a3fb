"""One numbering for people, from 1: narration, picture, steps, decision card, What if and hints call a part by one number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from components.html.words import wording
from components.player import frames
from components.player.pictures import picture
from readers import READERS, get
from readers.engine.forks import removable
from readers.engine.forks.describe_edit import option_names
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.events import Asked
from readers.engine.record.hint import HintSource
from readers.engine.record.trace import Trace
from readers.engine.run.reader import Reader
from readers.engine.text import refs
from readers.engine.text.document import Text
from readers.memwalker.prompts import TRIAGE
from readers.readagent.prompts import LOOK_UP_NEXT
from tests.support.readings.every_reading import Way, every_text, every_way, reading

# Words before a number by which people name a part of the text, and the number.
NUMBERED = re.compile(r"\b(page|part|chunk|segment|piece)s? (\d+(?:\.\d+)*)((?:, \d+)*(?: and \d+)?)", re.IGNORECASE)


def named(words: str) -> set[str]:
    """The numbered parts that words name: `page 2`, also each of `pages 2 and 5`."""
    found = set()
    for word, first, more in NUMBERED.findall(words):
        found |= {f"{word.lower()} {number}" for number in (first, *re.findall(r"\d+", more))}
    return found


def prompt_of(reader: Reader, event: Asked) -> Prompt | None:
    return next((prompt for prompt in reader.prompts if prompt.id == event.prompt), None)


def options(trace: Trace, reader: Reader, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What the What if form calls each numbered option, with the name of its text."""
    for event in trace.asked.values():
        prompt = prompt_of(reader, event)
        if prompt is None or prompt.counted_from_0 is None:
            continue
        called = option_names(prompt, dict(event.parts), names)
        parts = [Part(name, tuple(Text("", pieces) for pieces in texts)) for name, texts in event.parts]
        for choice in prompt.options(parts):
            if choice.sent:
                texts = dict(event.parts)[prompt.counted_from_0.part]
                yield called.get(choice.value, choice.label), names.get(Text("", texts[int(choice.value)]).ref, "")


def shown(trace: Trace, reader: Reader, names: dict[str, str]) -> dict[str, str]:
    """All words that people see of a reading, without the model's own: by where they stand."""
    told = wording.lines(trace, reader)
    drawn = picture(reader.id, trace)
    made = frames.moving(frames.ShownReading("r", trace, reader.narrative, names, told, drawn))
    steps: list[dict[str, Any]] = made["steps"]
    cards = [step["decision"] for step in steps if "decision" in step]
    hints = reader.hints(HintSource(trace, [], {}, names))
    return {
        "narration": re.sub(r"“[^”]*”", "", " ".join(step["say"] for step in steps)),
        "steps": "; ".join(step["where"] for step in steps),
        "decisions": json.dumps([[card.get("at"), [option["name"] for option in card["options"]]] for card in cards]),
        "picture": json.dumps(list(_names(drawn))),
        "hints": " ".join(hint.sentence for hint in hints),
        "leave out": json.dumps([item.label for seq in trace.asked for item in removable.removable_at(trace, seq, names)[0]]),
    }


def _names(drawn: Any) -> Iterator[str]:
    """The names in a picture, at any depth."""
    if isinstance(drawn, dict):
        for key, value in drawn.items():
            if key in ("name", "names"):
                yield from value.values() if isinstance(value, dict) else [str(value)]
            else:
                yield from _names(value)
    elif isinstance(drawn, (list, tuple)):
        for one in drawn:
            yield from _names(one)


@every_text
@every_way
def test_a_part_has_the_same_number_wherever_it_is_shown_and_the_first_is_1(way: Way, text: str) -> None:
    trace, reader = reading(way.name, text), get(way.reader)
    names = reader.names(trace)
    known = set().union(*map(named, names.values()))
    for where, words in shown(trace, reader, names).items():
        assert named(words) <= known, where
    for option, name in options(trace, reader, names):
        assert option == name
    by_kind: dict[str, list[tuple[int, str]]] = {}
    for ref, name in names.items():
        word, _, number = name.partition(" ")
        if (place := refs.span(ref)) and number.isdecimal():
            by_kind.setdefault(word, []).append((place[0], number))
    for word, places in by_kind.items():
        assert [number for _, number in sorted(places)] == [str(n) for n in range(1, len(places) + 1)], word


@every_way
def test_a_card_numbers_its_options_from_1_and_says_how_the_model_counts_them(way: Way) -> None:
    trace, reader = reading(way.name), get(way.reader)
    names = reader.names(trace)
    steps = frames.moving(frames.ShownReading("r", trace, reader.narrative, names, wording.lines(trace, reader)))["steps"]
    for step, own in zip(steps, trace.steps, strict=True):
        card = step.get("decision")
        if not card or card.get("action") == "ranked":
            continue
        marks = [option["mark"] for option in card["options"] if option["mark"].isdecimal()]
        assert marks == [str(number) for number in range(1, len(marks) + 1)]
        for event in trace.of(own):
            prompt = prompt_of(reader, event) if isinstance(event, Asked) else None
            if card.get("counting") and prompt and prompt.counted_from_0 and isinstance(event, Asked):
                name, sent = re.fullmatch(r"The model counts from 0: it calls (.*) “(.*)”\.", card["counting"]).groups()  # type: ignore[union-attr]
                texts = dict(event.parts)[prompt.counted_from_0.part]
                called = {prompt.counted_from_0.sent(n): names.get(Text("", pieces).ref) for n, pieces in enumerate(texts)}
                assert called[sent] == name


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_a_reader_says_with_which_word_its_prompts_count_from_0(reader: Reader) -> None:
    words = {prompt.counted_from_0.word for prompt in reader.prompts if prompt.counted_from_0}
    assert reader.narrative.own_numbers in {"", *words}


def test_readers_whose_model_chooses_by_number_say_so() -> None:
    assert {reader.id: reader.narrative.own_numbers for reader in READERS}.items() >= {
        ("memwalker", "Summary"),
        ("readagent", "Page"),
    }


def test_an_option_is_named_from_1_and_says_what_the_prompt_calls_it() -> None:
    parts = [Part("summaries", (Text("a"), Text("b"))), Part("back", (Text("-1"),))]
    assert [(c.value, c.label, c.sent) for c in TRIAGE.options(parts)] == [
        (0, "summary 1", "Summary 0"), (1, "summary 2", "Summary 1"), (-1, "-1", ""),
    ]  # fmt: skip
    assert LOOK_UP_NEXT.options([Part("memory", (Text("a"),))])[0][:2] == (0, "page 1")
