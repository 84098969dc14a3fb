"""What a step made stands in its frame, beside what it was made of, for every reader."""

from __future__ import annotations

from typing import Any

import pytest

from components.player.step_texts import MOST, rules_on_texts, step_texts
from readers import get
from readers.engine.record.events import Chose, Cut, Wrote
from readers.engine.record.narrative import StepRecord
from readers.engine.record.trace import SCORE_PROMPT, Trace
from readers.engine.text import refs
from tests.support.models.scripted_models import BACK, COMMIT
from tests.support.readings import readagent_readings
from tests.support.readings.every_reading import Way, every_way, reading
from tests.support.readings.memwalker_walks import walked
from tests.support.readings.shipped_readings import shipped_reading


def made(trace: Trace, reader_id: str) -> list[dict[str, Any]]:
    reader = get(reader_id)
    names = reader.names(trace)
    return [step_texts(StepRecord(trace, step, names), reader.narrative, {}) for step in trace.steps]


@every_way
def test_every_text_is_there_at_the_step_that_wrote_it_or_counted(way: Way) -> None:
    trace = reading(way.name)
    for step, found in zip(trace.steps, made(trace, way.reader), strict=True):
        wrote = [event for event in trace.of(step) if isinstance(event, Wrote) and not copied(event, way.reader)]
        shown = found.get("wrote", {"items": [], "more": 0})
        assert [item["ref"] for item in shown["items"]] == [refs.wrote(event.n) for event in wrote[:MOST]]
        assert shown["more"] == max(0, len(wrote) - MOST)
        for item, event in zip(shown["items"], wrote, strict=False):
            assert event.text.startswith(item["text"].removesuffix(" …"))
            parents = trace.parent_texts(event.pieces)
            assert len(item["of"]) + item["of_more"] <= len(parents)
            assert bool(item["of"]) == (bool(parents) and event.role not in get(way.reader).narrative.roles_in_decisions)
            assert item["spans"] or parents or not trace.sources(event.pieces)


def from_reply(event: Wrote) -> bool:
    return any(refs.kind(piece.origin) == "reply" for piece in event.pieces)


def copied(event: Wrote, reader: str) -> bool:
    """Names that a rule found in the text: the picture has them."""
    return event.role in get(reader).narrative.roles_in_decisions and not from_reply(event)


def test_a_reply_that_was_refused_or_cut_the_text_stands_at_its_step_and_no_other_reply_does() -> None:
    shipped = shipped_reading("recursive-lamp-cold-part-4.json")
    narrative, replies = get("recursive").narrative, {(one.seq, one.attempt): one.reply or "" for one in shipped.records}
    found = [step_texts(StepRecord(shipped.trace, step, {}), narrative, replies) for step in shipped.trace.steps]
    refused = {
        n: item["text"]
        for n, texts in enumerate(found, 1)
        for item in texts.get("wrote", {"items": ()})["items"]
        if not item["ref"]
    }
    assert list(refused) == [1, 4, 6, 7, 10, 11, 14]
    assert refused[1].endswith("Action: split\nArgument: 100")  # it got the most parts that there may be, 8
    assert refused[4].endswith("Action: search\nArgument: Edmund Raw")


@every_way
def test_what_a_rule_computed_stands_nowhere_as_a_reply(way: Way) -> None:
    trace, reader = reading(way.name), get(way.reader)
    computed = {
        (one.seq, one.attempt): "[3.3259]"
        for one in trace.asked.values()
        if one.prompt == SCORE_PROMPT and one.attempt is not None
    }
    found = [step_texts(StepRecord(trace, step, {}), reader.narrative, computed) for step in trace.steps]
    assert not [one for one in found for item in one.get("wrote", {"items": ()})["items"] if item["text"] == "[3.3259]"]


@every_way
def test_the_first_cut_of_a_text_stands_at_its_step(way: Way) -> None:
    trace = reading(way.name)
    for step, found in zip(trace.steps, made(trace, way.reader), strict=True):
        cuts = [event.spans for event in trace.of(step) if isinstance(event, Cut) and len(event.spans) > 1]
        assert found.get("cuts", []) == ([start for start, _ in cuts[0]] if cuts else [])


@pytest.mark.parametrize("readable", [True, False])
def test_the_places_to_pause_stand_with_the_one_that_was_taken(readable: bool) -> None:
    scripted = readagent_readings.model(labels=lambda call: 3 if readable else "")
    trace = readagent_readings.read(readagent_readings.EVEN, scripted)
    first = made(trace, "readagent")[0]["pauses"]
    page = next(event.spans[0] for event in trace.events if isinstance(event, Cut))
    (offered,) = [event for event in trace.of(trace.steps[0]) if isinstance(event, Chose)]
    assert len(first) == len(offered.among) > 1
    assert [place for place, taken in first if taken] == [page.end] if readable else first[-1][1]
    assert sum(taken for _, taken in first) == 1


def test_a_label_after_the_last_words_stands_at_the_end() -> None:
    trace = shipped_reading("readagent-bridge-boiler.json").trace
    assert made(trace, "readagent")[14]["pauses"][-1] == (len(trace.document.text), False)


def test_a_query_is_headed_by_what_it_is_and_not_said_to_be_made_of_earlier_queries() -> None:
    written = made(shipped_reading("recursive-lamp-cold.json").trace, "recursive")
    items = [item for found in written for item in found.get("wrote", {"items": []})["items"]]
    assert [(item["name"], item["of"]) for item in items] == [
        ("Query", []),
        ("Query", []),
        ("Question", []),
        ("Answer about part 4", []),
    ]


def test_a_choice_among_parts_is_no_place_to_pause() -> None:
    assert not any("pauses" in found for found in made(walked([0, 1, BACK, 2, COMMIT]), "memwalker"))


def test_what_a_rule_did_to_a_text_stands_at_that_text_also_in_older_readings() -> None:
    shipped = rules_on_texts(shipped_reading("memwalker-bridge-boiler.json").trace)
    assert shipped == {
        "wrote:0": "cut to 949 of 2136 characters, because the summary was over 250 tokens",
        "wrote:11": "the summaries of its parts, each cut to its share, because the summary of 3 parts had 462 tokens, "
        "and there is room for 250",
    }
    unread = rules_on_texts(readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(gist=lambda call: "")))
    assert unread["wrote:0"].startswith("first sentences, because no gist could be read")


def test_several_texts_of_a_step_are_counted_above_them() -> None:
    summaries, joined, root = made(shipped_reading("memwalker-bridge-boiler.json").trace, "memwalker")[1:4]
    heads = [found["wrote"]["head"] for found in (summaries, joined, root)]
    assert heads == ["11 summaries written here", "3 summaries written here", ""]
