"""The picture of a memory that is overwritten: every version of it, what was written over, looks back, and places in the text."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

import readers
from components.html.words import wording
from components.player import browser_text
from components.player.pictures import kind, memory, picture
from readers import get
from readers.baselines import Recurrence
from readers.engine.analysis import sentence_history
from readers.engine.analysis.measures import NAMES, chips
from readers.engine.analysis.narrate import narrate
from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import counted
from tests.support.models.scripted_models import Scripted
from tests.support.readings import memory_readings, rememr1_readings
from tests.support.readings.rememr1_readings import chunks_of
from tests.support.readings.shipped_readings import SHIPPED, shipped_reading


def traced(reader: str = "rememr1", document: Document | None = None) -> Trace:
    scripted = memory_readings.model(recalls=reader == "rememr1")
    return rememr1_readings.read(reader, document or memory_readings.document(), scripted, **memory_readings.OPTIONS)


def drawn(trace: Trace, reader: str = "rememr1") -> dict[str, Any]:
    found = json.loads(json.dumps(picture(reader, trace, options=memory_readings.OPTIONS)))
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def trace() -> Trace:
    return traced()


@pytest.fixture(scope="module")
def shown(trace: Trace) -> dict[str, Any]:
    return drawn(trace)


def words(shown: dict[str, Any], lane: int, version: int = -1) -> str:
    return str(shown["texts"][shown["lanes"][lane]["v"][version][1]])


def lane_of(shown: dict[str, Any], text: str) -> int:
    return next(n for n, lane in enumerate(shown["lanes"]) if any(shown["texts"][v[1]] == text for v in lane["v"]))


class OwnMemory(Recurrence):
    """A reader of one's own that carries a memory along, without an entry in the table of pictures."""

    id = "own_memory"


def test_a_reader_that_carries_a_memory_has_its_picture_without_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.registry.READERS", (*readers.READERS, OwnMemory()))
    spec = RunSpec("own_memory", OwnMemory.version, "Where?", options={"chunk_tokens": 64, "summary_tokens": 48})
    trace = rehearse(chunks_of(3), OwnMemory(), spec, Scripted(lambda call: "It is dark."))
    drawn = picture("own_memory", trace, options=spec.options)
    assert drawn
    assert (kind("own_memory"), drawn["kind"], drawn["limit"], len(drawn["snapshots"])) == ("memory", "memory", 48, 3)
    assert kind("samples") is None


def test_every_memory_can_be_put_together_from_it(shown: dict[str, Any]) -> None:
    for row, expected in zip(shown["memories"], memory_readings.MEMORIES, strict=True):
        breaks = {0: " ", 1: "\n", 2: "\n\n"}
        assert "".join(f"{breaks[b]}{words(shown, lane, version)}" for lane, version, _, b in row).strip() == expected


def test_each_sentence_is_told_how_it_went_on(shown: dict[str, Any]) -> None:
    assert memory_readings.places(shown) == [
        ["new"],
        ["verbatim", "new"],
        ["verbatim", "verbatim", "new"],
        ["reworded", "verbatim", "new"],
        ["verbatim", "verbatim", "new"],
        ["verbatim", "merged"],
        ["verbatim", "restored", "new", "verbatim"],
        ["verbatim", "verbatim", "moved"],
    ]


def test_what_was_written_over_is_there_with_its_neighbour(shown: dict[str, Any]) -> None:
    survey_lane, chest = lane_of(shown, memory_readings.SURVEY), lane_of(shown, memory_readings.CHEST)
    assert shown["over"][3] == [[survey_lane, 0, survey_lane], [chest, 0, survey_lane]]
    assert shown["lanes"][chest]["gone"] == [[3, -1]]
    assert shown["lanes"][lane_of(shown, memory_readings.CHART)]["gone"] == [[5, lane_of(shown, memory_readings.BOTH)]]


def test_a_reworded_and_a_merged_sentence_know_what_changed(shown: dict[str, Any]) -> None:
    _, _, _, changes = shown["lanes"][lane_of(shown, memory_readings.LODGED)]["v"][1]
    added = memory_readings.LODGED[len(memory_readings.SURVEY) - 1 : -1]
    assert changes == [len(memory_readings.SURVEY) - 1, -len(added), 1]
    _, _, _, merged = shown["lanes"][lane_of(shown, memory_readings.BOTH)]["v"][1]
    assert "".join(op for op in merged if isinstance(op, str)) == ". The"
    assert -sum(op for op in merged if isinstance(op, int) and op < 0) == len(" and the")


def test_what_is_kept_word_for_word_has_no_changes(shown: dict[str, Any]) -> None:
    assert all(len(v) == 3 for lane in shown["lanes"] for v in lane["v"] if shown["hows"][v[2]] in ("restored", "moved"))


def test_steps_before_the_first_memory_have_none_and_the_answer_has_the_last(trace: Trace, shown: dict[str, Any]) -> None:
    assert shown["here"] == [0, 1, 2, 3, 4, 5, 6, 7, 7]
    assert len(trace.steps) == 9


def test_a_look_back_has_its_query_all_scores_and_what_was_recalled(shown: dict[str, Any]) -> None:
    found = [(n + 1, snapshot["callback"]) for n, snapshot in enumerate(shown["snapshots"]) if snapshot["callback"]]
    [(asked, callback)] = found
    assert asked == memory_readings.ASKED_AT
    assert callback["query"] == memory_readings.QUERY
    assert callback["steps"] == [0, 1, 2, 3, 4]
    assert callback["recalled"] == memory_readings.RECALLED - 1
    assert callback["distance"] == memory_readings.ASKED_AT - memory_readings.RECALLED
    assert max(callback["scores"]) == callback["scores"][3] > 0


def test_what_stands_in_a_prompt_before_there_is_a_memory_is_no_sentence_of_it() -> None:
    replies = iter(["<update>No previous memory</update>", "<update>The lamp was lit.</update>"])
    scripted = Scripted(lambda call: next(replies, "\\boxed{The lamp}"))
    trace = rememr1_readings.read("rememr1", chunks_of(2), scripted, **memory_readings.OPTIONS, recall_query="question")
    shown = drawn(trace)
    assert shown["texts"] == ["The lamp was lit."]
    assert shown["snapshots"][0]["tokens"] == 0
    assert not [lane for lane in shown["lanes"] if lane["gone"]]
    assert [snapshot["callback"]["by_model"] for snapshot in shown["snapshots"]] == [False, False]
    found = [(snapshot["callback"]["recalled"], snapshot["callback"]["began"]) for snapshot in shown["snapshots"]]
    assert found == [(None, False), (None, True)]  # nothing earlier, and the memory with which it began: no memory of a step


@pytest.mark.parametrize(("asked_with", "unused"), [("question", True), ("learned", False)])
def test_a_memory_knows_that_what_the_model_asks_for_is_not_used(asked_with: str, unused: bool) -> None:
    shown = picture("rememr1", traced("rememr1"), options={"recall_query": asked_with})
    assert shown is not None
    assert shown.get("unused_queries", False) == unused


def test_memagent_has_no_look_back() -> None:
    found = drawn(traced("memagent"), "memagent")
    assert all(snapshot["callback"] is None for snapshot in found["snapshots"])
    assert (kind("memagent"), kind("rememr1")) == ("memory", "memory")


def test_sizes_stand_beside_the_limit(shown: dict[str, Any]) -> None:
    assert shown["limit"] == 96
    assert 0 < shown["snapshots"][0]["tokens"] < shown["snapshots"][3]["tokens"] <= 96


def test_a_new_sentence_knows_what_in_its_chunk_is_most_like_it(trace: Trace, shown: dict[str, Any]) -> None:
    *_, (start, end) = shown["lanes"][lane_of(shown, memory_readings.DEBT)]["v"][0]
    assert trace.document.text[start:end] == memory_readings.PARAGRAPHS[2]
    chart = shown["lanes"][lane_of(shown, memory_readings.CHART)]["v"][0][4]
    assert trace.document.text[slice(*chart)].startswith("The chart was printed in London")


def test_a_sentence_that_no_sentence_is_like_has_no_source() -> None:
    document = Document.of("The kettle boiled over. Nobody minded it at all.")
    assert memory.most_like(document, Span(0, len(document.text)), "Admiral Horatio surveyed Gibraltar.") is None
    assert memory.most_like(document, Span(0, len(document.text)), "A kettle boiled over.") == Span(0, 23)


def test_a_letter_that_has_two_small_ones_does_not_switch_off_ignoring_case_for_its_chunk() -> None:
    document = Document.of("A ship from İZMİR came in. THE KETTLE BOILED over.")
    chunk = Span(0, len(document.text))
    assert memory.most_like(document, chunk, "A kettle boiled over.") == Span(27, 50)
    assert memory.most_like(document, chunk, "İzmir’s ship came.") == Span(0, 26)
    longer = [letter for letter in map(chr, range(0x110000)) if len(letter.lower()) > 1]
    assert longer == ["İ"]  # the others keep their number


def test_a_sentence_that_opens_by_a_split_comes_from_where_its_words_came_in() -> None:
    owed = "Rusk owed Hester Vane forty pounds."
    both = f"{memory_readings.SURVEY[:-1]}, and {owed}"
    memories = [memory_readings.SURVEY, memory_readings.SURVEY, both, both, both, *[f"{memory_readings.SURVEY} {owed}"] * 3]
    said = iter(memories)
    trace = rememr1_readings.read(
        "memagent", memory_readings.document(), rememr1_readings.model(lambda _: next(said)), **memory_readings.OPTIONS
    )
    found = drawn(trace, "memagent")
    split_off = next(lane for lane in found["lanes"] if lane["parent"] >= 0)
    *_, (start, end) = split_off["v"][0]
    assert len(split_off["v"][0]) == 5
    assert trace.document.text[start:end] == memory_readings.PARAGRAPHS[2]


def test_sums_do_not_hang_on_the_order_of_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a sentence is all of it, to the last digit, of whatever words: those of a set have no order of their own."""
    monkeypatch.setattr(memory, "LIKE", 1.0)
    monkeypatch.setattr(sentence_history, "WHOLE", 1.0)
    names = [f"{a}arn{b}wick" for a in "bcdfghjklm" for b in "bcdfghjklm"]
    for seed in range(60):
        some = [*random.Random(seed).sample(names, 30), *random.Random(seed).sample(memory_readings.PARAGRAPHS[2].split(), 30)]
        answer = " ".join(some).replace(".", "")
        shown = {
            "lanes": [{"v": [[0, 0, 7]]}], "memories": [[[0, 0, 7, 0]]], "texts": [answer], "snapshots": [{"step": 0}],
        }  # fmt: skip
        assert memory.rests(shown, answer) == [1]
        whole = {word: 0.1 * (n % 7 + 1) for n, word in enumerate(names[seed % 7 :: 2])}
        halves = [dict.fromkeys(list(whole)[::2], 1.0), dict.fromkeys(list(whole)[1::2], 1.0)]
        assert sentence_history._parts(whole, dict(enumerate(halves))) == [0, 1]


def test_places_are_counted_as_a_browser_counts_them() -> None:
    trace = traced(document=memory_readings.document("🚤🚤 "))
    before, after = drawn(trace), browser_text.picture(trace.document.text, drawn(trace))
    assert after is not None
    debt = lane_of(before, memory_readings.DEBT)
    assert after["lanes"][debt]["v"][0][4] == [place + 2 for place in before["lanes"][debt]["v"][0][4]]
    assert after["snapshots"][3]["span"] == [place + 2 for place in before["snapshots"][3]["span"]]
    assert after["memories"] == before["memories"]


def test_an_answer_from_memory_says_when_it_was_written(shown: dict[str, Any]) -> None:
    assert memory.rests(shown, memory_readings.ANSWER) == [7]
    assert memory.rests(shown, "Because of the elephants of Numidia.") == []
    assert wording.from_memory([3, 7]) == "from memory, most like what was written at steps 3 and 7"
    assert wording.from_memory([]) == "From memory alone; its words match no sentence that the memory held then."
    assert wording.from_memory([], own_words=False) == "From memory alone."
    assert wording.from_memory([2]) == "from memory, most like what was written at step 2"


def test_an_answer_may_rest_on_the_memory_that_was_recalled_for_it() -> None:
    pictured: dict[str, Any] = {
        "lanes": [{"v": [[0, 0, 7]]}, {"v": [[1, 1, 7]]}], "memories": [[[0, 0, 7, 0]], [[1, 0, 7, 0]]],
        "texts": ["The bridge of Quarnwick was built by Anna Reed.", "Nobody was seen there."],
        "snapshots": [{"step": 2, "callback": None}, {"step": 5, "callback": {"recalled": 2}}],
    }  # fmt: skip
    assert memory.rests(pictured, "Anna Reed of Quarnwick") == [3]
    pictured["snapshots"][-1]["callback"] = {"recalled": None}
    assert memory.rests(pictured, "Anna Reed of Quarnwick") == []


def test_nothing_written_is_no_picture() -> None:
    assert picture("memagent", Trace(memory_readings.document(), ())) is None


def test_sentences_that_no_later_memory_has_are_counted(shown: dict[str, Any]) -> None:
    last = {lane for lane, *_ in shown["memories"][-1]}
    assert lane_of(shown, memory_readings.CHEST) not in last
    assert lane_of(shown, memory_readings.DEBT) in last  # lost, and back again
    assert memory.lost(shown) == 2  # the chest, and the chart with the buoy
    assert [(chip.word, chip.tone) for chip in wording.lost(1)] == [("1 sentence lost", "quiet")]
    assert [chip.meaning for count in (1, 2) for chip in wording.lost(count)] == [
        "It was overwritten, and is not in the last memory; some of its words may be.",
        "They were overwritten, and are not in the last memory; some of their words may be.",
    ]
    assert not wording.lost(0)


def test_looks_back_have_a_chip(trace: Trace) -> None:
    found = {**dict.fromkeys(NAMES), "calls_live": 1, "calls_reused": 0, "seconds": 0.0, **get("rememr1").measures(trace, [])}
    assert "looked back once" in [words for _, words, _ in chips(found)]
    assert "looked back once" not in [words for _, words, _ in chips({**found, "recalls": None})]


@pytest.mark.parametrize("name", [name for name in SHIPPED if name.startswith(("memagent", "rememr1", "chain_of_agents"))])
def test_caption_memory_and_life_tell_the_same_of_every_sentence(name: str) -> None:
    """A row of the life begins, changes and ends exactly where the two memories differ; and the caption has the same counts."""
    shipped = shipped_reading(name)
    reader, shown = get(shipped.run.reader), drawn(shipped.trace, shipped.run.reader)
    captions, before = narrate(shipped.trace, reader), dict[int, str]()
    for number, (snapshot, row) in enumerate(zip(shown["snapshots"], shown["memories"], strict=True)):
        now = {lane: words(shown, lane, version) for lane, version, *_ in row}
        how = {lane: shown["hows"][code] for lane, _, code, _ in row}
        split_off = {lane for lane in now if how[lane] == "split" and lane not in before}
        merged = {n for n, lane in enumerate(shown["lanes"]) if any(at == number and into >= 0 for at, into in lane["gone"])}
        lost = {n for n, lane in enumerate(shown["lanes"]) if [number, -1] in lane["gone"]}
        came = now.keys() - before.keys() - split_off
        changed = split_off | {lane for lane in now.keys() & before.keys() if how[lane] not in ("verbatim", "moved")}
        assert lost == before.keys() - now.keys() - merged
        assert changed - split_off >= {lane for lane in now.keys() & before.keys() if now[lane] != before[lane]}
        assert all(how[lane] in ("new", "restored", "uncertain") for lane in came)
        if before and now != before:
            caption = captions[snapshot["step"]]
            over = "is written over" if len(lost) == 1 else "are written over"
            for count, verb in ((len(came), "came in"), (len(changed), "changed"), (len(lost), over)):
                assert (f"{counted(count, 'sentence')} {verb}" in caption) == bool(count), (caption, count, verb)
        before = now


# The picture of a chain of agents: whose message it is and for whom, and what every hop added and lost.


MESSAGES = (
    "The survey was made in May. A chest with two locks stood open.",
    "The survey was made in May. A debt of forty pounds is owed to Hale.",
    "The survey was made in May. A debt of forty pounds is owed to Hale. A chest with two locks stood open.",
    "Nobody knows anything of it.",
)


def chain_drawn(messages: Sequence[str], **options: Any) -> dict[str, Any]:
    """The picture of a reading whose workers write these messages, one after another."""
    left = list(messages)
    reader = get("chain_of_agents")
    given = {"chunk_tokens": 64, "message_tokens": 100, **options}

    def reply(call: Call) -> str:
        return left.pop(0) if call.prompt.task == "update_memory" else "so"

    spec = RunSpec(reader.id, reader.version, "Where?", options=given)
    trace = rehearse(chunks_of(len(messages)), reader, spec, Scripted(reply))
    found = picture(reader.id, trace, options=given)
    assert found is not None
    return found


def test_every_message_has_its_writer_and_the_one_it_is_for() -> None:
    found = chain_drawn(MESSAGES)
    assert (kind("chain_of_agents"), found["kind"], found["called"], found["limit"]) == ("memory", "memory", "message", 100)
    assert found["captions"] == [
        "The message of worker 1, for worker 2", "The message of worker 2, for worker 3", "The message of worker 3, for worker 4",
        "The message of worker 4, for the manager",
    ]  # fmt: skip


def test_a_hop_counts_the_sentences_that_came_and_those_that_are_gone() -> None:
    assert chain_drawn(MESSAGES)["hops"] == [(2, 0), (1, 1), (1, 0), (1, 3)]


def test_from_the_end_workers_are_counted_as_they_read() -> None:
    found = chain_drawn(MESSAGES, direction="backward")
    starts = [snapshot["span"][0] for snapshot in found["snapshots"]]
    assert starts == sorted(starts, reverse=True)
    assert found["captions"][0] == "The message of worker 1, for worker 2"


def test_an_answer_from_it_is_said_to_be_from_the_last_message() -> None:
    assert wording.from_memory([], own_words=False, called="message") == "From the last message alone."
    assert "not in the last message" in wording.lost(2, called="message")[0].meaning
