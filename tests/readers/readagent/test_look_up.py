"""ReadAgent against METHODS section 2, once the gists are there: look-ups, answer, what is shown and measured of them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from components.player.pictures.readagent import draw
from readers.engine.analysis.measures import measures
from readers.engine.analysis.narrate import narrate
from readers.engine.errors import BadOptions, PromptTooLong
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.call import Call
from readers.engine.models.offline import Offline
from readers.engine.prompts.options import read_options
from readers.engine.record.events import Answered, Looked
from readers.engine.record.journal import MemoryTape
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Execution, create_run, execute, rehearse
from readers.engine.store import Store
from readers.engine.text import tokens, words
from readers.engine.text.document import Document
from readers.readagent import PRESETS, ReadAgentOptions
from tests.support.readings.readagent_readings import (
    EVEN,
    QUESTION,
    READER,
    SMALL,
    STOP,
    asked,
    lookups,
    model,
    pages,
    paragraphs,
    read,
    share_of,
    shown,
)
from tests.support.readings.replays import replayed
from tests.support.specs import current_spec

# Look-up


def test_pages_asked_for_at_once_are_opened_in_the_places_of_their_gists() -> None:
    scripted = model(asks=[[3, 1]])
    trace = read(EVEN, scripted)
    assert lookups(trace) == [([3, 1], [3, 1], [])]
    memory = scripted.calls[-1].part("memory")
    assert [part.split()[0] for part in memory] == ["Gist", "Part2", "Gist", "Part6", "Gist", "Gist"][: len(memory)]
    assert "<Page 1>\nPart2" in shown(scripted.calls[-1])
    assert isinstance(trace.end, Answered)
    assert ["Part2" in EVEN.text[a:b] or "Part6" in EVEN.text[a:b] for a, b in trace.end.evidence] == [True, True]


def test_pages_that_are_not_there_or_named_twice_or_over_the_cap_are_dropped_with_the_reason() -> None:
    trace = read(EVEN, model(asks=[[1, 99, 1, 2, 3]]), max_lookups=2)
    assert lookups(trace) == [([1, 99, 1, 2, 3], [1, 2], [(99, "out of range"), (1, "repeated"), (3, "over the cap")])]


@pytest.mark.parametrize("reply", ["I want to look up Page [] to do nothing", "I need no page: []"])
def test_no_look_up_is_an_outcome_of_its_own(reply: str) -> None:
    trace = read(EVEN, model(asks=[reply]))
    assert lookups(trace) == [([], [], [])]
    assert [event.action for event in trace.decisions() if event.action != "pause"] == ["stop"]
    assert isinstance(trace.end, Answered)
    assert trace.end.evidence == ()


@pytest.mark.parametrize(
    ("reply", "requested"),
    [
        ("I want to look up Page [1, 2] to see", [1, 2]),
        ("I want to look up Page [1] to see", [1]),
        ("**I want to look up Page [ 2,1 ]**", [2, 1]),
        ("[Page 1, Page 2]", [1, 2]),
        ("I want to look up Page [1 and 2]", [1, 2]),
        ("As the text says [sic], I want Page [1]", [1]),
        ("I want to look up Page [N, N] to ...\nI want to look up Page [2] to see", [2]),
    ],
)
def test_requests_are_read_as_models_write_them(reply: str, requested: list[int]) -> None:
    assert lookups(read(EVEN, model(asks=[reply])))[0][0] == requested


@pytest.mark.parametrize(
    "reply", ["", "Page so", "I want to look up Page [N, N] to ...", "[1] or [3]", "[1.5]", "[12345678901]", "[all]"]
)
def test_a_request_that_cannot_be_read_is_asked_again_and_then_gists_must_do(reply: str) -> None:
    scripted = model(asks=[reply, reply])
    trace = read(EVEN, scripted)
    assert [call.attempt for call in asked(scripted, "look_up")] == [0, 1]
    assert lookups(trace) == [([], [], [])]
    assert [event.picked for event in trace.decisions("fallback")] == ["no page"]
    assert trace.outcome == "answered"


def test_one_page_after_the_other_is_opened_and_each_request_sees_the_earlier_ones() -> None:
    scripted = model(asks=[3, 1, STOP])
    trace = read(EVEN, scripted, mode="sequential")
    assert lookups(trace) == [([3], [3], []), ([1], [1], []), ([], [], [])]
    calls = asked(scripted, "look_up_next")
    assert [call.part("opened") for call in calls] == [(), ("3",), ("3", "1")]
    assert calls[1].part("memory")[3].startswith("Part6")
    assert [call.part("limit") for call in calls] == [("5",), ("4",), ("3",)]
    stop = trace.decisions("stop")[0]
    assert (stop.picked, stop.because, stop.among[-1]) == ("STOP", "because of -1", "STOP")


def test_sequential_look_up_ends_at_the_cap() -> None:
    scripted = model(asks=[0, 1, 2, 3])
    trace = read(EVEN, scripted, mode="sequential", max_lookups=2)
    assert [row[1] for row in lookups(trace)] == [[0], [1]]
    assert len(asked(scripted, "look_up_next")) == 2


def test_a_page_that_is_open_or_not_there_is_refused_and_the_second_refusal_in_a_row_ends_the_look_up() -> None:
    scripted = model(asks=[1, 1, 99, 2])
    trace = read(EVEN, scripted, mode="sequential")
    assert lookups(trace) == [([1], [1], []), ([1], [], [(1, "repeated")]), ([99], [], [(99, "out of range")])]
    assert "Page 1 cannot be opened" in shown(asked(scripted, "look_up_next")[2])
    assert [event.picked for event in trace.decisions("fallback")] == ["STOP"]
    assert trace.outcome == "answered"


def test_a_refusal_is_forgotten_once_another_page_is_opened() -> None:
    trace = read(EVEN, model(asks=[1, 1, 2, 1, 3, STOP]), mode="sequential")
    assert [row[1] for row in lookups(trace)] == [[1], [], [2], [], [3], []]


@pytest.mark.parametrize(
    ("reply", "opened"),
    [
        ("Page 2", [2]),
        ("page [2]", [2]),
        ("**Page 2**: for the end", [2]),
        ("I want to look up Page [2] to see", [2]),
        ("Page 2, because Page 1 is open already", [2]),
        ("I think I should read page 2 again.", [2]),
        ("STOP", []),
        ("STOP: Page 2 says it all", []),
        ("I know enough. STOP.", []),
    ],
)
def test_one_page_or_a_stop_is_read_as_models_write_it(reply: str, opened: list[int]) -> None:
    trace = read(EVEN, model(asks=[reply]), mode="sequential")
    assert lookups(trace)[0][1] == opened
    assert not trace.misreads


@pytest.mark.parametrize("reply", ["", "Page so", "Page N (or STOP), and why", "Page 1\nPage 2", "It did not stop.", "Pages"])
def test_what_is_neither_a_page_nor_a_stop_is_asked_again_and_then_ends_the_look_up(reply: str) -> None:
    trace = read(EVEN, model(asks=[reply, reply]), mode="sequential")
    assert len(trace.misreads) == 2
    assert [event.picked for event in trace.decisions("fallback")] == ["STOP"]
    assert trace.outcome == "answered"


def test_gists_only_asks_for_no_page() -> None:
    scripted = model()
    trace = read(EVEN, scripted, mode="none")
    assert lookups(trace) == []
    assert {step.phase for step in trace.steps} == {"build", "answer"}
    assert not any(call.prompt.task.startswith("choose") for call in scripted.calls)


# The answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Answer: (B) on the sand", "(B) on the sand"),
        ("**Answer:** (B) on the sand", "(B) on the sand"),
        ("Answer: B", "(B) on the sand"),
        ("The answer is (B).", "(B) on the sand"),
        ("(B) on the sand", "(B) on the sand"),
        ("b", "(B) on the sand"),
        ("(F) in the air", None),
        ("A boat that sank", None),
        ("Answer: the sea", None),
        ("", None),
    ],
)
def test_a_choice_is_read_by_its_letter(reply: str, answer: str | None) -> None:
    trace = read(EVEN, model(answer=reply), choices=("in the sea", "on the sand"))
    if answer is None:
        assert (trace.outcome, len(trace.misreads)) == ("no_answer", 2)
    else:
        assert isinstance(trace.end, Answered)
        assert trace.end.text == answer


def test_choices_stand_in_look_up_and_answer() -> None:
    scripted = model(asks=[[1]], answer="Answer: (A)")
    read(EVEN, scripted, choices=("in the sea", "on the sand"))
    for call in scripted.calls:
        assert ("(A) in the sea\n\n(B) on the sand" in shown(call)) == (not call.prompt.shared)


# Gists that do not fit


def long_gist(call: Call) -> str:
    return " ".join(["lamp"] * max(10, words.count(call.part("page")[0]) // 2))


def test_gists_over_the_window_are_merged_with_their_neighbours_and_shortened_again() -> None:
    document = paragraphs(*[30] * 120)
    scripted = model(asks=[[0]], gist=lambda call: "lamp " * (20 if call.part("page")[0].count("Part") < 2 else 12))
    trace = read(document, scripted, window=2048)
    found = pages(trace)
    assert "merged" in {page["break"] for page in found}
    assert "".join(document.text[page["start"] : page["end"]] for page in found) == document.text
    assert trace.outcome == "answered"
    assert trace.decisions("merge")
    assert scripted.calls[-1].part("memory")[0].startswith("Part0")
    assert "It merged" in " ".join(narrate(trace, READER))


@pytest.mark.slow
@pytest.mark.parametrize("section", ["yes", "not sure", "", "perhaps"])
def test_pages_that_the_model_would_keep_apart_are_merged_all_the_same_where_they_must(section: str) -> None:
    scripted = model(section=section, gist=lambda call: "lamp " * (20 if call.part("page")[0].count("Part") < 2 else 12))
    trace = read(paragraphs(*[30] * 120), scripted, window=2048)
    assert trace.outcome == "answered"
    assert "merging all pages by pairs" in {event.picked for event in trace.decisions("fallback")}


def test_pages_that_do_not_fit_beside_the_gists_are_put_back() -> None:
    document = paragraphs(*[200] * 4)
    scripted = model(asks=[[0, 1, 2]])
    trace = read(document, scripted, min_words=150, max_words=220, window=1900)
    ((requested, accepted, dropped),) = lookups(trace)
    assert requested == [0, 1, 2]
    assert accepted
    assert dropped
    assert {reason for _, reason in dropped} == {"over the window"}
    assert [page for page, _ in dropped] == [2, 1][: len(dropped)]
    assert trace.outcome == "answered"
    found = measures(READER, trace, [])
    assert found["lookups"] == len(accepted)


def test_sequential_look_up_ends_where_the_next_page_does_not_fit() -> None:
    scripted = model(asks=[0, 1, 2, 3])
    trace = read(paragraphs(*[200] * 4), scripted, mode="sequential", min_words=150, max_words=220, window=1900)
    rows = lookups(trace)
    assert rows[0][1] == [0]
    assert (rows[-1][2] or rows[-2][2])[0][1] == "over the window"
    assert trace.outcome == "answered"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "share", "room"), [("parallel", 0.1, "page"), ("parallel", 0.9, "page"), ("sequential", 0.9, "lookups")]
)
def test_of_a_long_text_at_a_small_window_a_page_is_opened_and_answers(mode: str, share: float, room: str) -> None:
    document = paragraphs(*[30] * 120)
    asks: list[Any] = [[3, 4]] if mode == "parallel" else [3, 4]
    scripted = model(asks=asks, gist=share_of(share), section="not sure")
    trace = read(document, scripted, mode=mode, window=2048, room=room)
    assert trace.outcome == "answered"
    assert {step.phase for step in trace.steps} == {"build", "look-up", "answer"}
    assert all(len(step.names) <= 3 for step in trace.steps)
    opened = [page for _, accepted, _ in lookups(trace) for page in accepted]
    assert opened[0] == 3
    assert ["Part" in part for part in scripted.calls[-1].part("memory")].count(True) == len(opened)
    assert "".join(document.text[page["start"] : page["end"]] for page in pages(trace)) == document.text
    assert measures(READER, trace, [])["lookups"] == len(opened)
    assert ("It held" in " ".join(narrate(trace, READER))) == (share == 0.9)


def test_pages_and_sections_are_bounded_where_a_text_has_no_blanks() -> None:
    document = Document.of("".join(f"{n * 7919:x}-" for n in range(4_000)))
    scripted = model(asks=[[1]], gist=share_of(0.9))
    trace = read(document, scripted, window=2048)
    assert max(tokens.count(call.part("page")[0]) for call in asked(scripted, "gist")) < 1024
    assert [accepted for _, accepted, _ in lookups(trace) if accepted] == [[1]]


@pytest.mark.parametrize(("room", "prompt"), [("lookups", "of_gists"), ("page", "new_section")])
def test_pages_are_merged_by_their_gists_and_only_where_no_page_has_room(room: str, prompt: str) -> None:
    document = paragraphs(*[30] * 120)
    gists_fit, too_long = model(gist=share_of(0.9)), model(gist=share_of(0.9), section="no")
    trace = read(document, gists_fit, window=3500, room=room)
    assert bool(trace.decisions("merge")) == (room == "page")
    assert trace.decisions("hold")
    trace = read(document, too_long, window=1500, room=room)
    sections = [call for call in too_long.calls if "new_section" in call.prompt.id]
    assert trace.decisions("merge")
    assert sections
    assert all(call.prompt.id.endswith(prompt) for call in sections)
    assert any("Part" in call.part("first")[0] for call in sections) == (room == "page")


def test_room_for_fewer_pages_is_on_record() -> None:
    trace = read(paragraphs(*[30] * 24), model(asks=[[1, 2]], gist=share_of(0.9)), window=1500)
    (fallback,) = trace.decisions("fallback")
    assert fallback.picked == "room for 3 pages"
    assert fallback.because.startswith("with room for 5, each of ")
    assert [accepted for _, accepted, _ in lookups(trace)] == [[1, 2]]


def test_a_reading_recorded_before_gists_had_a_share_reads_as_it_did() -> None:
    options = asdict(ReadAgentOptions())
    recorded = read_options(ReadAgentOptions, {name: options[name] for name in options if name not in ("gist_percent", "room")})
    assert (recorded.gist_percent, recorded.room) == (50, "page")
    assert read_options(ReadAgentOptions, {"max_words": 600}) == read_options(ReadAgentOptions, options) == ReadAgentOptions()


def test_where_gists_leave_no_room_for_a_page_they_answer_alone_on_record() -> None:
    document = paragraphs(*[30] * 120)
    trace = read(document, model(asks=[[1]], gist=share_of(0.9)), window=1500)
    assert trace.outcome == "answered"
    (fallback,) = [event for event in trace.decisions("fallback") if event.picked == "the gists without room for a page"]
    assert "beside a page each would have" in fallback.because


def test_what_fits_by_no_means_is_told() -> None:
    with pytest.raises(PromptTooLong):
        read(paragraphs(*[30] * 8), model(gist=long_gist), window=700)


@pytest.mark.slow
def test_a_reading_that_had_to_merge_and_put_back_is_the_same_when_it_is_executed_again(store: Store) -> None:
    scripted = model(asks=[[0, 1, 2, 3, 4]], gist=lambda call: "lamp " * (20 if call.part("page")[0].count("Part") < 2 else 12))
    spec = current_spec("readagent", QUESTION, options=SMALL, window=2048)
    run = create_run(store, paragraphs(*[30] * 120), READER, spec)
    assert execute(store, run.id, READER, Execution(scripted, concurrency=4)).outcome == "answered"
    assert replayed(store, run, READER).outcome == "answered"


# What is shown of it


def test_the_run_file_says_pages_and_look_ups(store: Store) -> None:
    run = create_run(store, EVEN, READER, current_spec("readagent", QUESTION, options=SMALL))
    execute(store, run.id, READER, Execution(model(asks=[[1, 99]])))
    view = json.loads(json.dumps(run_file(store, run.id, READER)))["view"]
    assert set(view) == {"pages", "lookups"}
    assert {tuple(page) for page in view["pages"]} == {("id", "start", "end", "gist", "words", "gist_words", "break")}
    assert [page["id"] for page in view["pages"]] == list(range(len(view["pages"])))
    (row,) = view["lookups"]
    assert {key: row[key] for key in ("requested", "accepted", "dropped")} == {
        "requested": [1, 99],
        "accepted": [1],
        "dropped": [{"page": 99, "reason": "out of range"}],
    }


def test_each_page_and_each_request_is_a_step_that_looks_where_it_is() -> None:
    trace = read(EVEN, model(labels=lambda call: 3, asks=[2, 0, STOP]), mode="sequential")
    assert [step.names for step in trace.steps] == [
        *(("build", "pages and gists", f"page {n}") for n in range(3)),
        ("build", "pages and gists"),
        ("look-up", "request 1"),
        ("look-up", "page 2"),
        ("look-up", "request 2"),
        ("look-up", "page 0"),
        ("look-up", "request 3"),
        ("answer",),
    ]
    names = READER.names(trace)
    looked = [event for event in trace.events if isinstance(event, Looked)]
    assert [names[f"document:{event.pieces[0].begin}-{event.pieces[0].stop}"] for event in looked] == [
        "page 1", "page 2", "page 3", "page 3", "page 1",
    ]  # fmt: skip
    assert [row["step"] for row in READER.view(trace)["lookups"]] == [4, 6, 8]


@pytest.mark.parametrize("merges", [False, True])
def test_a_reading_under_way_can_be_shown_at_any_event(merges: bool) -> None:
    if merges:
        whole = read(paragraphs(*[30] * 24), model(asks=[1], gist=share_of(0.9)), mode="sequential", window=1300)
    else:
        whole = read(EVEN, model(asks=[1, 99, 2, STOP]), mode="sequential")
    assert bool(whole.decisions("merge", "hold")) == merges
    for until in range(0, len(whole.events), 11 if merges else 1):
        trace = Trace(whole.document, whole.events[:until])
        draw(trace, set())
        READER.view(trace)
        narrate(trace, READER)
        measures(READER, trace, [])


def test_the_story_of_a_reading() -> None:
    trace = read(EVEN, model(labels=lambda call: 3, asks=[[2, 9, 0]]))
    assert isinstance(trace.end, Answered)
    assert narrate(trace, READER) == (
        "It was offered 4 places to pause and took place 3, where page 1 ends.",
        "It was offered 4 places to pause and took place 3, where page 2 ends.",
        "It was offered 3 places to pause and took place 3, where page 3 ends.",
        "It wrote 3 gists, one for each page.",
        "It asked for page 3. Page 10 was asked for and dropped: out of range. It asked for page 1.",
        "It opened page 3, for its next call to show in full.",
        "It opened page 1, for its next call to show in full.",
        f"It answered “{trace.end.text}”, from pages 1 and 3, shown raw, and a gist.",
    )


def test_the_story_of_a_reading_in_which_little_went_well() -> None:
    document = paragraphs(10, 10, 10, 10, 10, 10)
    told = narrate(read(document, model(labels=lambda call: "", asks=["", ""])), READER)
    assert "fell back on the last label, for no label could be read: it named none of the places that it was offered." in told[0]
    assert told[1] == "Page 2 ended without a question to the model: the rest of the text is short."
    assert "It fell back on no page, for no request could be read" in told[3]


def test_measures_tell_how_much_was_condensed_and_read_again() -> None:
    tape = MemoryTape()
    spec = current_spec("readagent", QUESTION, options={**SMALL, "max_lookups": 3})
    trace = rehearse(EVEN, READER, spec, model(labels=lambda call: 3, asks=[[1]]), tape=tape)
    found = measures(READER, trace, list(tape.records.values()))
    assert (found["lookups"], found["lookups_allowed"], found["words_reread"]) == (1, 3, 40)
    assert found["compression_rate"] == {"before": pytest.approx(1 - 9 / 120), "after": pytest.approx(1 - 46 / 120)}
    assert found["read_fraction"] == pytest.approx(1 / 3, abs=0.02)
    assert found["coverage_fraction"] == 1.0
    assert found["reverts"] is None


# Options


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_set_of_options(name: str) -> None:
    options = read_options(ReadAgentOptions, PRESETS[name].options)
    assert 1.5 < options.max_words / options.min_words <= 6


@pytest.mark.parametrize(
    "options",
    [{"min_words": 0}, {"max_words": 0}, {"max_lookups": 0}, {"mode": "both"}, {"min_words": 60}, {"pages": 3}],
)
def test_options_that_cannot_be_are_refused_before_the_first_call(options: dict[str, Any]) -> None:
    scripted = model()
    with pytest.raises(BadOptions):
        read(EVEN, scripted, **options)
    assert not scripted.calls


# The offline model


@pytest.mark.parametrize("mode", ["parallel", "sequential", "none"])
def test_the_sample_story_is_read_and_answered_offline(lamp: Document, mode: str) -> None:
    spec = current_spec("readagent", "How many notes of the chapel harmonium are dead?", options={"mode": mode})
    trace = rehearse(lamp, READER, spec, Offline())
    assert isinstance(trace.end, Answered)
    assert mode == "none" or "eleven notes dead" in trace.end.text
    assert not trace.misreads
    assert not trace.decisions("fallback")
