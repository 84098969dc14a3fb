"""The simple readers: what they keep, take and carry; that their limits hold whatever text and model bring; how they end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from components.player.decision_card import decision
from components.widgets.start.estimate import left_out as told_of
from readers import get
from readers.engine.analysis.measures import measures
from readers.engine.analysis.narrate import narrate
from readers.engine.errors import BadOptions, PromptTooLong
from readers.engine.models.offline import Offline
from readers.engine.models.similarity import bm25
from readers.engine.record.events import Answered, Looked
from readers.engine.record.narrative import StepRecord
from readers.engine.record.trace import Trace
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Span
from tests.support.models.scripted_models import Scripted
from tests.support.paths import SAMPLES
from tests.support.specs import current_spec

QUESTION = "Where is the ledger?"
FACT = "The harbour ledger is under the third step. "
PLAIN = "It rained on the quay, and nobody came by. "
LONG = "This sentence is one of very many that say the same thing over again. " * 90
# Texts that are over a limit of 64 tokens, and hard to cut.
HARD = {
    "prose": PLAIN * 60,
    "one line without a space": "abcdefghij" * 400,
    "one letter": "x" * 3_000,
    "Chinese": "风从海上来，灯塔的灯灭了。" * 120,
    "Chinese without an end": "风从海上来灯塔的灯灭了" * 120,
    "flags and families": "🇩🇰👩‍👩‍👧‍👦" * 120,
    "marks": "e" + "\u0301" * 900 + "o" * 900,
    "lines": "a\n\n" * 900,
    "odd blanks": "word\u3000\u00a0 \t" * 400,
}
hard = pytest.mark.parametrize("words", HARD.values(), ids=HARD.keys())


def answering(reply: str = "under the step") -> Scripted:
    return Scripted(lambda call: "A summary." if call.prompt.task == "update_memory" else reply)


def read(reader: str, words: str, model: Any = None, *, window: int | None = None, **options: Any) -> Trace:
    question, choices = options.pop("question", QUESTION), options.pop("choices", ())
    spec = RunSpec(reader, 1, question, choices, options, window=window)
    return rehearse(Document.of(words), get(reader), spec, model or answering())


def shown(model: Scripted, part: str = "segments") -> tuple[str, ...]:
    return model.calls[-1].part(part)


def kept(trace: Trace) -> list[str]:
    return [trace.document.text[row["start"] : row["end"]] for row in get("whole").view(trace)["kept"]]


def told(trace: Trace, reader: str) -> Sequence[str]:
    return narrate(trace, get(reader))


def ranking_card(trace: Trace, reader: str) -> dict[str, Any]:
    """The decision card of the step at which places were ranked."""
    names, narrative = get(reader).names(trace), get(reader).narrative
    records = [StepRecord(trace, step, names) for step in trace.steps]
    (card,) = [decision(record, narrative, before={}, replies={}) for record in records if narrative.ranking(record)]
    assert card
    return card


# The ends of a text


@hard
@pytest.mark.parametrize("limit", [16, 17, 64, 500])
def test_an_end_holds_to_the_limit_and_is_nearly_as_long_as_it_allows(words: str, limit: int) -> None:
    words = Document.of(words).text
    end, start = split.beginning(words, limit), split.ending(words, limit)
    for piece, more in ((words[:end], words[: end + 90]), (words[start:], words[max(0, start - 90) :])):
        assert 0 < tokens.count(piece) <= limit
        assert piece == words or tokens.count(more) > limit


def test_no_word_and_no_grapheme_is_broken() -> None:
    for words, whole in ((PLAIN * 60, PLAIN.split()), (HARD["flags and families"], None)):
        for limit in range(20, 60):
            left, right = words[: split.beginning(words, limit)], words[split.ending(words, limit) :]
            if whole:
                assert {*left.split(), *right.split()} <= set(whole)
            else:
                assert left.replace("🇩🇰", "").replace("👩‍👩‍👧‍👦", "") == right.replace("🇩🇰", "").replace("👩‍👩‍👧‍👦", "") == ""


# The whole text


def test_a_text_that_fits_is_shown_whole_in_one_call() -> None:
    model = answering()
    trace = read("whole", PLAIN * 5, model)
    assert shown(model) == (trace.document.text,)
    assert len(model.calls) == 1
    assert isinstance(trace.end, Answered)
    assert trace.end.evidence == (Span(0, len(trace.document.text)),)
    assert (measures(get("whole"), trace, [])["read_fraction"], trace.decisions("leave_out")) == (1.0, [])
    assert told(trace, "whole") == (
        "All of the text fits, so nothing was left out: there is room for 4,096 tokens.",
        "It was asked for an answer with the whole text in view. It answered “under the step”, from the whole, shown raw.",
    )


@hard
@pytest.mark.parametrize("keep", ["left", "right", "both"])
def test_what_is_kept_is_what_is_asked_for_and_never_over_the_window(words: str, keep: str) -> None:
    model = answering()
    trace = read("whole", words, model, window_tokens=64, keep=keep)
    text, pieces = trace.document.text, kept(trace)
    assert shown(model) == tuple(pieces)
    assert sum(tokens.count(piece) for piece in pieces) <= 64
    assert len(pieces) == (2 if keep == "both" else 1)
    assert text.startswith(pieces[0]) == (keep != "right") or keep == "right"
    assert text.endswith(pieces[-1]) or keep == "left"
    expected = {
        "left": [text[: split.beginning(text, 64)]],
        "right": [text[split.ending(text, 64) :]],
        "both": [text[: split.beginning(text, 32)], text[split.ending(text, 32) :]],
    }
    assert pieces == expected[keep]


def test_what_was_left_out_is_on_record_and_not_covered() -> None:
    trace = read("whole", PLAIN * 100, window_tokens=100, keep="both")
    names = get("whole").names(trace)
    (left_out,) = trace.decisions("leave_out")
    assert [names[ref] for ref in (left_out.picked, *left_out.among)] == ["the middle", "the beginning", "the end"]
    found = measures(get("whole"), trace, [])
    share = sum(map(len, kept(trace))) / len(trace.document.text)
    assert found["read_fraction"] == found["coverage_fraction"] == pytest.approx(share)
    assert 0.05 < share < 0.15
    first, last = told(trace, "whole")
    assert first.startswith("It kept the beginning and the end (")
    assert first.endswith("% of the text) and left out the middle: there is room for 100 tokens.")
    assert last == (
        "It was asked for an answer with the beginning and the end in view. It answered “under the step”, from the beginning and "
        "the end, shown raw."
    )
    card = ranking_card(trace, "whole")
    assert [(row["name"], row["note"], row["picked"]) for row in card["options"]] == [
        ("the beginning", "kept", True), ("the middle", "left out", False), ("the end", "kept", True),
    ]  # fmt: skip


@pytest.mark.parametrize(("keep", "called"), [("left", ["the beginning", "the rest"]), ("right", ["the rest", "the end"])])
def test_the_two_parts_have_their_names(keep: str, called: list[str]) -> None:
    trace = read("whole", PLAIN * 100, window_tokens=100, keep=keep)
    assert list(get("whole").names(trace).values()) == called
    both, pieces = (
        read("whole", PLAIN * 100, window_tokens=100, keep="both"),
        read("retrieval", TEXT, segment_tokens=100, top_k=4),
    )
    assert list(get("whole").names(both).values())[-1] == "the beginning and the end"
    assert list(get("retrieval").names(pieces).values())[-1] == "4 pieces"


@pytest.mark.parametrize("keep", ["left", "both"])
def test_a_prompt_over_the_models_window_makes_it_show_less(keep: str) -> None:
    model = answering()
    trace = read("whole", PLAIN * 400, model, window=1_200, keep=keep)
    assert tokens.count("".join(message["content"] for message in model.calls[-1].messages)) <= 1_200 - 512
    assert 300 < sum(tokens.count(piece) for piece in kept(trace)) < 688
    assert len(model.calls) == 1
    assert "did not fit into the model's window, so there is room for" in told(trace, "whole")[-1]
    with pytest.raises(PromptTooLong):
        read("whole", PLAIN * 400, answering(), window=540)


# Retrieval

TEXT = "\n\n".join([PLAIN * 8, PLAIN * 7 + FACT, PLAIN * 8, FACT * 3 + PLAIN * 5, PLAIN * 8, "The ledger. " + PLAIN * 7])


def pieces_of(trace: Trace) -> list[dict[str, Any]]:
    return list(get("retrieval").view(trace)["pieces"])


@pytest.mark.parametrize("order", ["document", "rank"])
def test_the_best_pieces_stand_in_document_or_rank_order(order: str) -> None:
    model = answering()
    trace = read("retrieval", TEXT, model, segment_tokens=100, top_k=3, order=order)
    rows = pieces_of(trace)
    best = sorted((row for row in rows if row["taken"]), key=lambda row: row["rank"] if order == "rank" else row["start"])
    assert [row["rank"] for row in sorted(best, key=lambda row: row["rank"])] == [1, 2, 3]
    assert [row["id"] for row in sorted(best, key=lambda row: row["rank"])] == [4, 2, 6]
    assert shown(model) == tuple(trace.document.text[row["start"] : row["end"]] for row in best)
    assert len(model.calls) == 1
    numbers = "4, 2 and 6" if order == "rank" else "2, 4 and 6"
    assert told(trace, "retrieval")[-1].startswith(f"It was asked for an answer with pieces {numbers} in view. It answered ")


def test_every_score_is_on_record_with_what_was_taken() -> None:
    trace = read("retrieval", TEXT, segment_tokens=100, top_k=2)
    rows = pieces_of(trace)
    words = [trace.document.text[row["start"] : row["end"]] for row in rows]
    assert "".join(words) == trace.document.text
    assert [row["score"] for row in rows] == bm25(QUESTION, words)
    assert sorted(row["rank"] for row in rows) == list(range(1, len(rows) + 1))
    looked = [event.why for event in trace.events if isinstance(event, Looked)][:-1]
    assert [why.partition(",")[0] for why in looked] == ["rank 1 of 6", "rank 2 of 6"]
    said = told(trace, "retrieval")
    assert said[0] == "It cut the text into 6 parts. It scored 6 pieces against the question by BM25 and took the best 2."
    assert said[1].startswith("It took piece 4: rank 1 of 6, with a score of ")
    card = ranking_card(trace, "retrieval")
    assert [(row["mark"], row["name"], row["picked"]) for row in card["options"]][:3] == [
        ("1", "piece 4", True), ("2", "piece 2", True), ("3", "piece 6", False),
    ]  # fmt: skip
    assert (card["by_model"], card["options"][0]["note"]) == (False, f"{rows[3]['score']:.2f}, clear · taken")


def test_only_what_is_taken_stands_raw() -> None:
    trace = read("retrieval", TEXT, segment_tokens=100, top_k=2)
    share = sum(row["end"] - row["start"] for row in pieces_of(trace) if row["taken"]) / len(trace.document.text)
    assert measures(get("retrieval"), trace, [])["read_fraction"] == pytest.approx(share)
    assert isinstance(trace.end, Answered)
    assert sum(end - start for start, end in trace.end.evidence) == round(share * len(trace.document.text))


@hard
def test_a_window_is_filled_with_the_best_and_never_over(words: str) -> None:
    model = answering()
    trace = read("retrieval", words, model, fill=True, window_tokens=200, segment_tokens=64)
    rows = sorted(pieces_of(trace), key=lambda row: row["rank"])
    sizes = [tokens.count(trace.document.text[row["start"] : row["end"]]) for row in rows]
    count = sum(row["taken"] for row in rows)
    assert [row["taken"] for row in rows] == [n < count for n in range(len(rows))]
    assert 0 < sum(sizes[:count]) <= 200 < sum(sizes[: count + 1])
    assert sum(map(tokens.count, shown(model))) == sum(sizes[:count])


def test_a_window_smaller_than_a_piece_makes_the_pieces_smaller() -> None:
    trace = read("retrieval", PLAIN * 100, fill=True, window_tokens=40, segment_tokens=500)
    assert all(tokens.count(trace.document.text[row["start"] : row["end"]]) <= 40 for row in pieces_of(trace))
    assert any(row["taken"] for row in pieces_of(trace))


def test_of_equal_scores_the_first_in_the_text_are_taken_and_it_is_said() -> None:
    trace = read("retrieval", PLAIN * 100, segment_tokens=50, top_k=2, question="Zyx?")
    assert [row["taken"] for row in pieces_of(trace)][:3] == [True, True, False]
    assert "Others scored 0.00 as well; of equals the first in the text were taken." in told(trace, "retrieval")[0]


def test_what_the_models_window_does_not_hold_is_put_back_from_the_last_in_rank() -> None:
    model = answering()
    trace = read("retrieval", TEXT, model, window=512 + 280, segment_tokens=100, top_k=6)
    assert sorted(row["rank"] for row in pieces_of(trace) if row["taken"]) == [1, 2]
    assert len(shown(model)) == 2
    assert told(trace, "retrieval")[-1].count("back: with it, the prompt does not fit") == 4
    with pytest.raises(PromptTooLong):
        read("retrieval", TEXT, answering(), window=560, segment_tokens=100)


def test_other_similarities_and_an_embedding_model_that_is_not_named() -> None:
    for similarity in ("tfidf", "word_recall", "jaccard"):
        rows = pieces_of(read("retrieval", TEXT, segment_tokens=100, top_k=3, similarity=similarity))
        assert [row["id"] for row in rows if row["taken"]] == [2, 4, 6]
    with pytest.raises(BadOptions, match="embedding_model"):
        read("retrieval", TEXT, similarity="embedding")


def test_bm25_puts_the_known_places_of_the_samples_before_the_offline_model() -> None:
    """Five pieces hold the evidence of every question with one known place; that the answer is right is checked for two."""
    answers = {}
    for path in sorted(SAMPLES.glob("*.json")):
        words = path.with_suffix(".txt").read_text(encoding="utf-8")
        for known in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            if not known["answerable"] or known["places"] != 1:
                continue
            end = read("retrieval", words, Offline(), question=known["question"]).end
            assert isinstance(end, Answered)
            place = known["evidence"][0]
            assert any(start <= place["start"] and place["end"] <= stop for start, stop in end.evidence), known["question"]
            answers[known["question"]] = end.text
    assert len(answers) == 15
    assert "eleven notes dead" in answers["How many notes of the chapel harmonium are dead?"]
    assert "nineteen stone" in answers["How heavy was the sturgeon that was landed at Hallin?"]


# Recurrence


def chunks(count: int) -> str:
    return "\n\n".join(f"Part {n} begins. " + "It goes on and on, as such parts do. " * 5 for n in range(1, count + 1))


# All three


@pytest.mark.parametrize("reader", ["whole", "retrieval", "recurrence"])
def test_choices_are_answered_by_their_letter_and_two_unread_replies_end_it(reader: str) -> None:
    choices = ("On the quay", "Under the step")
    model = answering("Answer: (B) Under the step")
    trace = read(reader, TEXT, model, choices=choices)
    assert isinstance(trace.end, Answered)
    assert trace.end.text == "(B) Under the step"
    assert shown(model, "choices") == ("(A) On the quay", "(B) Under the step")
    trace = read(reader, TEXT, answering("I would rather not say."), choices=choices)
    assert (trace.outcome, len(trace.misreads)) == ("no_answer", 2)
    assert "2 replies in a row could not be read" in told(trace, reader)[-1]


@pytest.mark.parametrize("reader", ["whole", "retrieval", "recurrence"])
def test_an_empty_answer_is_asked_for_again_and_then_there_is_none(reader: str) -> None:
    replies = iter(["  ", "under the step"])
    trace = read(reader, "Short.", Scripted(lambda call: "A summary." if call.part("section") else next(replies)))
    assert (trace.outcome, len(trace.misreads)) == ("answered", 1)
    assert read(reader, "Short.", answering(" \n ")).outcome == "no_answer"


@pytest.mark.parametrize("reader", ["whole", "retrieval"])
@pytest.mark.parametrize("words", ["x", "。", "a\n\nb"])
def test_the_smallest_texts(reader: str, words: str) -> None:
    model = answering()
    trace = read(reader, words, model)
    assert "".join(shown(model)) == words
    assert measures(get(reader), trace, [])["read_fraction"] == 1.0
    assert read(reader, "").outcome == "no_answer"


@pytest.mark.slow  # loads litellm
def test_an_estimate_knows_the_number_of_their_calls_with_any_model() -> None:
    for reader, options, calls in (("whole", {}, 1), ("retrieval", {}, 1), ("recurrence", {"chunk_tokens": 64}, 5)):
        spec = RunSpec(reader, 1, QUESTION, options=options, model="openai/some")
        found = estimate(Document.of(chunks(4)), get(reader), spec)
        assert (found.calls.low, found.open_end, found.problems) == (calls, False, ())
        assert found.calls.high <= calls * 1.2


def test_an_estimate_sends_nothing_to_an_embedding_model() -> None:
    options = {"similarity": "embedding", "embedding_model": "openai/nobody"}
    found = estimate(Document.of(TEXT), get("retrieval"), current_spec("retrieval", QUESTION, options=options))
    assert (found.calls.low, found.problems) == (1, ())


@pytest.mark.slow  # loads litellm
def test_an_estimate_of_a_long_text_shows_where_it_is_cut() -> None:
    document = Document.of(PLAIN * 8_000)
    whole = estimate(Document.of("Short."), get("whole"), current_spec("whole", QUESTION))
    assert (whole.left_out, told_of(whole)) == ((), "")
    for keep in ("left", "right", "both"):
        spec = current_spec("whole", QUESTION, options={"keep": keep}, model="openai/some")
        found = estimate(document, get("whole"), spec)
        assert "".join(document.text[start:end] for start, end in found.cuts) == document.text
        dropped = {"left": found.cuts[1:], "right": found.cuts[:1], "both": found.cuts[1:2]}[keep]
        assert found.left_out == tuple(dropped)
        number = 1 if keep == "right" else 2
        assert told_of(found) == f"Part {number} is left out for lack of room: the model does not see it."
        assert 4_000 < found.tokens_in.high / 1.25 < 4_300
