"""ReadAgent against METHODS section 2: its pages, gists, look-ups and answer, and what happens where the paper is silent."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from readers.engine import split, words
from readers.engine.calls import Call
from readers.engine.errors import BadOptions, PromptTooLong
from readers.engine.events import Answered, Looked
from readers.engine.export import run_file
from readers.engine.journal import MemoryTape
from readers.engine.measures import measures
from readers.engine.models import LiteLLM, Refusing, Scripted
from readers.engine.narrate import narrate
from readers.engine.offline import Offline
from readers.engine.options import read_options
from readers.engine.runs import Execution, RunSpec, begin, execute, rehearse
from readers.engine.store import Store
from readers.engine.text import Document
from readers.engine.trace import Trace
from readers.readagent import PRESETS, ReadAgent, ReadAgentOptions
from readers.readagent.pages import offered
from tests.server import ModelServer, readagent_reply, replying

READER = ReadAgent()
STOP = -1
QUESTION = "Where is it?"
SMALL = {"min_words": 20, "max_words": 50}


def paragraphs(*sizes: int) -> Document:
    """Paragraphs of so many words; the first word of each is `Part` and its number."""
    return Document.of(
        "\n\n".join(" ".join([f"Part{n}", *(f"w{n}x{w}" for w in range(size - 1))]) for n, size in enumerate(sizes))
    )


def model(
    *,
    labels: Callable[[Call], str | int] = lambda call: 1,
    gist: Callable[[Call], str] = lambda call: "Gist of " + (call.part("page")[0].split() or ["nothing"])[0] + ".",
    asks: Sequence[str | int | list[int]] = (),
    section: str = "no",
    answer: str = "forty-two",
) -> Scripted:
    """A model that pauses at these labels, asks for these pages and gives this answer. Strings are sent as they are."""
    left = list(asks)

    def reply(call: Call) -> str:
        prompt = call.prompt.id.removeprefix("readagent.")
        if prompt == "pause":
            label = labels(call)
            return label if isinstance(label, str) else call.prompt.reply.render({"label": label})
        if prompt in ("gist", "gist_for"):
            return gist(call)
        if prompt == "new_section":
            return section
        if prompt in ("look_up", "look_up_next"):
            asked = left.pop(0) if left else ([] if prompt == "look_up" else STOP)
            if isinstance(asked, str):
                return asked
            named: dict[str, Any] = {"pages": ", ".join(map(str, asked))} if isinstance(asked, list) else {"action": asked}
            return call.prompt.reply.render({**named, "reasoning": f"because of {asked}"})
        return answer

    return Scripted(reply)


def read(document: Document, scripted: Any, *, choices: tuple[str, ...] = (), window: int | None = None, **options: Any) -> Trace:
    spec = RunSpec("readagent", READER.version, QUESTION, choices=choices, options={**SMALL, **options}, window=window)
    return rehearse(document, READER, spec, scripted)


def pages(trace: Trace) -> list[dict[str, Any]]:
    return list(READER.view(trace)["pages"])


def lookups(trace: Trace) -> list[tuple[list[int], list[int], list[tuple[int, str]]]]:
    rows = READER.view(trace)["lookups"]
    return [(row["requested"], row["accepted"], [(one["page"], one["reason"]) for one in row["dropped"]]) for row in rows]


def asked(scripted: Scripted, name: str) -> list[Call]:
    return [call for call in scripted.calls if call.prompt.id == f"readagent.{name}"]


def shown(call: Call) -> str:
    return call.messages[0]["content"]


EVEN = paragraphs(*[10] * 12)


# Pages


def test_labels_stand_between_paragraphs_from_min_words_on_up_to_max_words() -> None:
    scripted = model()
    read(EVEN, scripted)
    first = asked(scripted, "pause")[0]
    assert first.part("opening")[0].count("Part") == 2
    assert [part.split()[0] for part in first.part("offered")] == ["Part2", "Part3", "Part4", "Part5"]
    assert "<1>\nPart2" in shown(first)
    assert "<4>\nPart5" in shown(first)


def test_the_page_ends_at_the_label_the_model_picks() -> None:
    trace = read(EVEN, model(labels=lambda call: 3))
    assert [(page["words"], page["break"]) for page in pages(trace)] == [(40, "chosen"), (40, "chosen"), (40, "chosen")]


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Break point: <2>", 2),
        ("**Break point: <2>**", 2),
        ("break point: 2", 2),
        ("I would pause at <2>, where the scene ends.", 2),
        ("Between <1> and <3> it turns.\nBreak point: <2>", 2),
        ("<2>", 2),
        ("2", 2),
    ],
)
def test_words_around_a_label_do_no_harm(reply: str, label: int) -> None:
    scripted = model(labels=lambda call: reply)
    trace = read(EVEN, scripted)
    assert pages(trace)[0]["words"] == 10 + 10 * label
    assert not trace.misreads


@pytest.mark.parametrize(
    "reply", ["", "<0>", "Break point: <0>", "<57>", "<-1>", "at the end", "<1> or <2>", "<99999999999>", "[1]"]
)
def test_a_label_that_was_not_offered_is_asked_again_and_then_the_last_one_is_taken(reply: str) -> None:
    scripted = model(labels=lambda call: reply)
    trace = read(EVEN, scripted)
    first = asked(scripted, "pause")[:2]
    assert [call.attempt for call in first] == [0, 1]
    assert "could not be used" in shown(first[1])
    assert pages(trace)[0]["break"] == "fallback"
    assert pages(trace)[0]["words"] == 50
    assert {event.picked for event in trace.chose("fallback")} == {"the last label"}
    assert "".join(trace.document.text[page["start"] : page["end"]] for page in pages(trace)) == EVEN.text


def test_a_short_rest_becomes_a_page_without_a_call() -> None:
    scripted = model(labels=lambda call: len(call.part("offered")))
    trace = read(paragraphs(*[10] * 7), scripted)
    assert [(page["words"], page["break"]) for page in pages(trace)] == [(50, "chosen"), (20, "tail")]
    assert len(asked(scripted, "pause")) == 1


def test_a_text_under_the_least_size_is_one_page_and_still_answered() -> None:
    trace = read(paragraphs(5), model(asks=[[0]]))
    assert [page["break"] for page in pages(trace)] == ["only"]
    assert trace.outcome == "answered"


def test_where_one_label_is_left_nothing_is_asked() -> None:
    scripted = model()
    trace = read(paragraphs(30, 40, 40, 40), scripted)
    assert [page["break"] for page in pages(trace)] == ["only"] * 4
    assert not asked(scripted, "pause")


def test_no_label_is_offered_after_the_paragraph_that_would_pass_the_limit() -> None:
    scripted = model()
    read(paragraphs(20, 25, 30, 30, 30), scripted)
    assert [part.split()[0] for part in asked(scripted, "pause")[0].part("offered")] == ["Part1", "Part2"]


def test_a_page_has_min_words_even_where_a_long_paragraph_follows() -> None:
    trace = read(paragraphs(10, 45, 45, 45), model())
    assert [page["words"] for page in pages(trace)] == [55, 45, 45]


def test_a_paragraph_over_the_limit_is_cut_at_sentence_ends() -> None:
    sentences = [" ".join(f"s{n}w{w}" for w in range(8)) + ". " for n in range(20)]
    trace = read(Document.of("".join(sentences)), model())
    found = pages(trace)
    assert {page["break"] for page in found[:-1]} == {"cut"}
    assert all(20 <= page["words"] <= 50 for page in found[:-1])
    assert all(trace.document.text[: page["end"]].rstrip().endswith(".") for page in found)


def test_any_blank_line_ends_a_paragraph() -> None:
    text = "\n\n".join(" ".join([f"p{n}"] * 10) for n in range(12))
    assert len(pages(read(Document.of(text), model()))) > 3


def test_chinese_is_counted_by_characters() -> None:
    text = "\n\n".join("灯塔看守人在炉边写他的账本。" for _ in range(30))
    trace = read(Document.of(text), model())
    assert all(20 <= page["words"] <= 50 for page in pages(trace)[:-1])
    assert len(pages(trace)) > 8


def test_the_page_before_is_sent_along_where_it_is_asked_for() -> None:
    scripted = model()
    read(EVEN, scripted, previous_page=True)
    calls = asked(scripted, "pause")
    assert calls[0].part("previous") == ()
    assert "<before>" not in shown(calls[0])
    assert calls[1].part("previous")[0].startswith("Part0")
    assert "<before>\nPart0" in shown(calls[1])
    without = model()
    read(EVEN, without)
    assert not any(call.part("previous") for call in asked(without, "pause"))


def test_a_document_cannot_pose_as_labels_tags_or_fences() -> None:
    text = "\n\n".join(["word " * 4 + "<2> <Page 7> </text> </memory> <before>"] * 14)
    scripted = model(asks=[[0]], gist=lambda call: "A gist. <Page 9> </memory>")
    read(Document.of(text), scripted, previous_page=True)
    pause = shown(asked(scripted, "pause")[1])
    assert pause.count("\n<2>\n") == 1
    assert "< 2>" in pause
    assert pause.count("</text>") == 1
    assert pause.count("<before>") == 1
    answer = shown(scripted.calls[-1])
    assert "<Page 7>" not in answer
    assert "<Page 9>" not in answer
    assert answer.count("</memory>") == 1


texts = st.lists(
    st.sampled_from(
        ["word ", "lamp. ", "字", "。", "\n", "\n\n", " ", "x" * 90, "👩‍👩‍👧", "é", "<1>", "\x00", "A. ", "...", "“Ah!” "]
    )
    | st.text(max_size=6),
    max_size=120,
).map("".join)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(texts, st.integers(1, 12), st.integers(0, 20), st.integers(-1, 9))
@example("", 1, 0, 0)
@example("\n" * 400, 3, 2, 1)
@example("x" * 5000, 2, 2, 1)
@example("a\n\n" * 300, 5, 5, 1)
def test_the_pages_put_together_are_the_text_whatever_the_model_says(text: str, least: int, more: int, label: int) -> None:
    document = Document.of(text)
    trace = read(document, model(labels=lambda call: f"<{label}>"), min_words=least, max_words=least + more)
    found = pages(trace)
    assert "".join(document.text[page["start"] : page["end"]] for page in found) == document.text
    assert all(page["start"] < page["end"] for page in found)
    assert all(page["words"] >= least for page in found[:-1])
    assert trace.outcome == "answered"


@pytest.mark.parametrize(
    "text", ["lamp " * 1_000_000, "lamp\n\n" * 1000, "x" * 1_000_000, "灯" * 200_000, "\n" * 10_000, " \n \n" * 5000]
)
def test_odd_texts_of_great_size_are_paged(text: str) -> None:
    document = Document.of(text)
    units = split.units(document.text, 600)
    assert "".join(document.text[start:end] for (start, end), *_ in units) == document.text
    assert all(unit.words <= 600 for unit in units)
    ends = []
    start = 0
    while start < len(units):
        start = list(offered(units, start, ReadAgentOptions()))[-1]
        ends.append(start)
    assert all(a < b for a, b in pairwise(ends))
    assert ends[-1] == len(units)


# Gists


def test_each_page_is_shortened_alone_and_keeps_its_tag() -> None:
    scripted = model()
    trace = read(EVEN, scripted)
    assert [page["gist"] for page in pages(trace)] == [f"Gist of Part{n}." for n in (0, 2, 4, 6, 8, 10)][: len(pages(trace))]
    assert all(len(call.part("page")) == 1 for call in asked(scripted, "gist"))
    answer = shown(scripted.calls[-1])
    assert "<Page 0>\nGist of Part0.\n\n<Page 1>\nGist of Part2." in answer


def test_gists_are_asked_for_while_pages_are_still_being_cut() -> None:
    scripted = model()
    read(EVEN, scripted)
    order = [call.prompt.id for call in scripted.calls if call.prompt.task in ("pause", "shorten")]
    assert order[:4] == ["readagent.pause", "readagent.gist", "readagent.pause", "readagent.gist"]


def test_a_gist_that_cannot_be_read_is_asked_again_and_then_the_first_sentences_stand_there() -> None:
    def empty(call: Call) -> str:
        return "" if call.part("page")[0].startswith("Part2") else "Short."

    trace = read(EVEN, model(gist=empty))
    assert pages(trace)[1]["gist"].startswith("Part2")
    assert len(trace.misreads) == 2
    assert [event.picked for event in trace.chose("fallback")] == ["first sentences"]


def test_pages_and_gists_are_shared_and_the_rest_is_not() -> None:
    scripted = model(asks=[[1]])
    read(EVEN, scripted)
    assert {call.prompt.task for call in scripted.calls if call.prompt.shared} == {"pause", "shorten"}
    assert {call.prompt.task for call in scripted.calls if not call.prompt.shared} == {"choose_many", "answer"}


def test_conditional_gists_know_the_question_and_are_not_shared() -> None:
    scripted = model()
    read(EVEN, scripted, choices=("in the sea", "on the sand"), conditional=True)
    calls = asked(scripted, "gist_for")
    assert calls
    assert not asked(scripted, "gist")
    assert all(QUESTION in shown(call) and "(B) on the sand" in shown(call) and not call.prompt.shared for call in calls)


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
    assert [event.action for event in trace.chose() if event.action != "pause"] == ["stop"]
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
    "reply", ["", "Page 2", "I want to look up Page [N, N] to ...", "[1-3]", "[1.5]", "[12345678901]", "[all]"]
)
def test_a_request_that_cannot_be_read_is_asked_again_and_then_gists_must_do(reply: str) -> None:
    scripted = model(asks=[reply, reply])
    trace = read(EVEN, scripted)
    assert [call.attempt for call in asked(scripted, "look_up")] == [0, 1]
    assert lookups(trace) == [([], [], [])]
    assert [event.picked for event in trace.chose("fallback")] == ["no page"]
    assert trace.outcome == "answered"


def test_one_page_after_the_other_is_opened_and_each_request_sees_the_earlier_ones() -> None:
    scripted = model(asks=[3, 1, STOP])
    trace = read(EVEN, scripted, mode="sequential")
    assert lookups(trace) == [([3], [3], []), ([1], [1], []), ([], [], [])]
    calls = asked(scripted, "look_up_next")
    assert [call.part("opened") for call in calls] == [(), ("3",), ("3", "1")]
    assert calls[1].part("memory")[3].startswith("Part6")
    assert [call.part("limit") for call in calls] == [("5",), ("4",), ("3",)]
    stop = trace.chose("stop")[0]
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
    assert [event.picked for event in trace.chose("fallback")] == ["STOP"]
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
        ("The end is told on page 2, I think.", [2]),
        ("STOP", []),
        ("STOP: Page 2 says it all", []),
        ("I know enough. STOP.", []),
    ],
)
def test_one_page_or_a_stop_is_read_as_models_write_it(reply: str, opened: list[int]) -> None:
    trace = read(EVEN, model(asks=[reply]), mode="sequential")
    assert lookups(trace)[0][1] == opened
    assert not trace.misreads


@pytest.mark.parametrize("reply", ["", "Page one", "Page N (or STOP), and why", "Page 1\nPage 2", "stop", "Pages"])
def test_what_is_neither_a_page_nor_a_stop_is_asked_again_and_then_ends_the_look_up(reply: str) -> None:
    trace = read(EVEN, model(asks=[reply, reply]), mode="sequential")
    assert len(trace.misreads) == 2
    assert [event.picked for event in trace.chose("fallback")] == ["STOP"]
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
        ("Answer: B", "B"),
        ("The answer is (B).", "(B)."),
        ("(B) on the sand", "(B) on the sand"),
        ("b", None),
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
    assert trace.chose("merge")
    assert scripted.calls[-1].part("memory")[0].startswith("Part0")
    names = READER.names(trace)
    assert "It merged" in " ".join(narrate(trace, names))


@pytest.mark.parametrize("section", ["yes", "not sure", "", "perhaps"])
def test_pages_that_the_model_would_keep_apart_are_merged_all_the_same_where_they_must(section: str) -> None:
    scripted = model(section=section, gist=lambda call: "lamp " * (20 if call.part("page")[0].count("Part") < 2 else 12))
    trace = read(paragraphs(*[30] * 120), scripted, window=2048)
    assert trace.outcome == "answered"
    assert "merging all pages by pairs" in {event.picked for event in trace.chose("fallback")}


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
    found = measures(trace, [])
    assert found["lookups"] == len(accepted)


def test_sequential_look_up_ends_where_the_next_page_does_not_fit() -> None:
    scripted = model(asks=[0, 1, 2, 3])
    trace = read(paragraphs(*[200] * 4), scripted, mode="sequential", min_words=150, max_words=220, window=1900)
    rows = lookups(trace)
    assert rows[0][1] == [0]
    assert (rows[-1][2] or rows[-2][2])[0][1] == "over the window"
    assert trace.outcome == "answered"


def test_what_fits_by_no_means_is_told() -> None:
    with pytest.raises(PromptTooLong):
        read(paragraphs(*[30] * 8), model(gist=long_gist), window=700)


def test_a_reading_that_had_to_merge_and_put_back_is_the_same_when_it_is_executed_again(store: Store) -> None:
    scripted = model(asks=[[0, 1, 2, 3, 4]], gist=lambda call: "lamp " * (20 if call.part("page")[0].count("Part") < 2 else 12))
    spec = RunSpec("readagent", 1, QUESTION, options=SMALL, window=2048)
    run = begin(store, paragraphs(*[30] * 120), READER, spec)
    assert execute(store, run.id, READER, Execution(scripted, width=4)).outcome == "answered"
    before = store.tape(run.id).events()
    assert execute(store, run.id, READER, Execution(Refusing(), width=4)).outcome == "answered"
    assert store.tape(run.id).events() == before


# What is shown of it


def test_the_run_file_says_pages_and_look_ups(store: Store) -> None:
    run = begin(store, EVEN, READER, RunSpec("readagent", 1, QUESTION, options=SMALL))
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
        "page 0", "page 1", "page 2", "page 2", "page 0",
    ]  # fmt: skip
    assert [row["step"] for row in READER.view(trace)["lookups"]] == [4, 6, 8]


def test_a_reading_under_way_can_be_shown_at_any_event() -> None:
    whole = read(EVEN, model(asks=[1, 99, 2, STOP]), mode="sequential")
    for until in range(len(whole.events)):
        trace = Trace(whole.document, whole.events[:until])
        READER.view(trace)
        narrate(trace, READER.names(trace))
        measures(trace, [])


def test_the_story_of_a_reading() -> None:
    trace = read(EVEN, model(labels=lambda call: 3, asks=[[2, 9, 0]]))
    assert narrate(trace, READER.names(trace)) == (
        "It was offered 4 places to pause and took <3>, where page 0 ends.",
        "It was offered 4 places to pause and took <3>, where page 1 ends.",
        "It was offered 3 places to pause and took <3>, where page 2 ends.",
        "It wrote 3 gists, one for each page.",
        "It asked for page 2. Page 9 was asked for and dropped: out of range. It asked for page 0.",
        "It opened page 2 and read it in full.",
        "It opened page 0 and read it in full.",
        "It gave its answer.",
    )


def test_the_story_of_a_reading_in_which_little_went_well() -> None:
    document = paragraphs(10, 10, 10, 10, 10, 10)
    told = narrate(trace := read(document, model(labels=lambda call: "", asks=["", ""])), READER.names(trace))
    assert "It fell back on the last label, for no label could be read: it names no label, such as <1>." in told[0]
    assert told[1] == "Page 1 ended without a question to the model: the rest of the text is short."
    assert "It fell back on no page, for no request could be read" in told[3]


def test_measures_tell_how_much_was_condensed_and_read_again() -> None:
    tape = MemoryTape()
    spec = RunSpec("readagent", 1, QUESTION, options={**SMALL, "max_lookups": 3})
    trace = rehearse(EVEN, READER, spec, model(labels=lambda call: 3, asks=[[1]]), tape=tape)
    found = measures(trace, list(tape.records.values()))
    assert (found["lookups"], found["lookups_allowed"], found["words_reread"]) == (1, 3, 40)
    assert found["compression_rate"] == {"before": pytest.approx(1 - 9 / 120), "after": pytest.approx(1 - 46 / 120)}
    assert found["read_fraction"] == pytest.approx(1 / 3, abs=0.02)
    assert found["coverage_fraction"] == 1.0
    assert found["reverts"] is None


def test_a_second_question_costs_only_its_look_up_and_answer(store: Store) -> None:
    scripted = model(asks=[[1], [2]])
    for question in ("Where is it?", "Who lit it?"):
        run = begin(store, EVEN, READER, RunSpec("readagent", 1, question, options=SMALL))
        before = len(scripted.calls)
        assert execute(store, run.id, READER, Execution(scripted, width=4)).outcome == "answered"
    assert [call.prompt.task for call in scripted.calls[before:]] == ["choose_many", "answer"]


# Options


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_set_of_options(name: str) -> None:
    options = read_options(ReadAgentOptions, PRESETS[name])
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
    spec = RunSpec("readagent", 1, "How many notes of the chapel harmonium are dead?", options={"mode": mode})
    trace = rehearse(lamp, READER, spec, Offline())
    assert isinstance(trace.end, Answered)
    assert mode == "none" or "eleven notes dead" in trace.end.text
    assert not trace.misreads
    assert not trace.chose("fallback")


def test_a_second_question_costs_only_look_up_and_answer_counted_at_the_server(store: Store, lamp: Document) -> None:
    counts = []
    with ModelServer(replying(readagent_reply)) as server:
        for question in ("Who lit the lamp?", "Who kept the ledger?"):
            spec = RunSpec(READER.id, READER.version, question, model="openai/test", api_base=server.base_url, window=32_768)
            run = execute(store, begin(store, lamp, READER, spec).id, READER, Execution(LiteLLM()))
            assert run.outcome == "answered"
            counts.append(len(server.requests) - sum(counts))
    assert counts[0] > 20
    assert counts[1] == 2
