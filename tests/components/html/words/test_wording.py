"""What is said of a reading: its state, its steps with the model's reasons apart from the rules', and how it compares."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from components.html.words import wording
from components.session.samples import sample_of, samples
from readers import get
from readers.engine.analysis import measures
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer, found_by
from readers.engine.questions.question_set import SetQuestion
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.store import Run
from readers.engine.text.document import Document, Span
from tests.support.readings import memory_readings, rememr1_readings

RUN = Run(
    "r", "d", "memwalker", "Why?", {"choices": []}, "finished", outcome="answered", answer="Because.", evidence=(Span(10, 90),)
)


@pytest.fixture(scope="module")
def trace() -> Trace:
    sample = samples()[0]
    reader = get("memwalker")
    spec = RunSpec("memwalker", reader.version, "What did the gulls of Arequipa sing?", options={"segment_tokens": 400})
    return rehearse(sample.document, reader, spec, Offline())


def test_every_state_and_outcome_has_a_word_of_its_own() -> None:
    states = [replace(RUN, status=status, outcome=None) for status in ("queued", "running", "failed", "cancelled", "interrupted")]
    outcomes = [replace(RUN, outcome=outcome) for outcome in ("answered", "no_answer", "exhausted", "over_budget")]
    words = [wording.state(run).word for run in states + outcomes]
    assert len(set(words)) == len(words)
    assert all(wording.state(run).mark for run in states + outcomes)


def test_only_a_verdict_is_green_for_an_answer_may_be_wrong() -> None:
    assert wording.state(RUN).tone == "quiet"
    for right, tone in (("Because.", "good"), ("No.", "lost")):
        chosen = replace(RUN, spec={"choices": ["Because.", "No."]}, answer="(A) Because.")
        verdict = wording.compared(chosen, KnownAnswer("Why?", ("Because.", "No."), (right,), ()))
        assert verdict.chip is not None
        assert verdict.chip.tone == tone


@pytest.mark.parametrize("status", ["failed", "cancelled", "interrupted"])
def test_a_reading_that_can_be_resumed_says_so_and_that_it_is_kept(status: str) -> None:
    told = " ".join(wording.ending(replace(RUN, status=status, outcome=None, error="the key was refused")))
    assert "kept" in told
    assert "Resume" in told
    assert (status != "failed") or "The key was refused." in told


def test_an_end_without_an_answer_offers_no_resume() -> None:
    told = " ".join(wording.ending(replace(RUN, outcome="exhausted", answer=None, error="every part was opened")))
    assert "Every part was opened." in told
    assert "Resume" not in told


def test_steps_are_numbered_and_only_the_models_reasons_are_its_own(trace: Trace) -> None:
    told = wording.lines(trace, get("memwalker"))
    assert [line.number for line in told] == list(range(1, len(told) + 1))
    assert all(not line.reasons for line in told if line.phase == "Preparing the text")
    reasons = [reason for line in told for reason in line.reasons]
    assert reasons
    assert "every part below was opened and left again" not in reasons
    assert {"↩"} & {line.chip.mark for line in told if line.chip}


def test_a_reading_under_way_says_where_it_is(trace: Trace) -> None:
    reader = get("memwalker")
    opened = next(n for n, event in enumerate(trace.events) if event.kind == "looked")
    so_far = Trace(trace.document, trace.events[: opened + 1])
    told = wording.lines_so_far(so_far, reader, names=reader.names(trace))
    assert told[-1].sentence == "It is looking at the whole text now."
    assert wording.stage(so_far, told, reader.narrative) == "Looking for the answer · the whole text"
    assert wording.stage(Trace(trace.document, ()), [], reader.narrative) == "Beginning to read"


def test_where_a_chunk_is_read_is_said_once() -> None:
    reader = get("memagent")
    trace = rememr1_readings.read(
        "memagent", memory_readings.document(), memory_readings.model(recalls=False), **memory_readings.OPTIONS
    )
    opened = [n for n, event in enumerate(trace.events) if event.kind == "looked"][2]
    so_far = Trace(trace.document, trace.events[: opened + 1])
    assert wording.stage(so_far, wording.lines_so_far(so_far, reader), reader.narrative) == "Reading · chunk 3"


@pytest.mark.parametrize(
    ("evidence", "met"), [((), 0), ((Span(0, 5),), 0), ((Span(4, 6),), 1), ((Span(0, 100),), 2), ((Span(9, 10), Span(20, 21)), 2)]
)
def test_evidence_meets_a_known_place_where_they_share_a_character(evidence: tuple[Span, ...], met: int) -> None:
    assert found_by(evidence, (Span(5, 10), Span(20, 30))) == met


def test_a_reading_is_compared_with_what_is_known_as_far_as_a_rule_can() -> None:
    known = KnownAnswer("Why?", ("Because.", "No."), ("Because.",), (Span(20, 30),))
    assert wording.compared(RUN, known).words == (
        "Right. It is the known answer, “Because.”. It saw the known place when it answered."
    )
    chosen = replace(RUN, spec={"choices": ["Because.", "No."]}, answer="(A) Because.", evidence=())
    assert wording.compared(chosen, known).words == (
        "Right. It chose (A), which is right. It saw none of the text itself when it answered."
    )
    elsewhere = replace(chosen, evidence=(Span(40, 50),))
    assert wording.compared(elsewhere, known).words == (
        "Right. It chose (A), which is right. It did not see the known place when it answered."
    )
    nothing = replace(known, answers=(), evidence=(), answerable=False)
    assert wording.compared(RUN, nothing).words == (
        "Wrong. The text does not answer this question, and the reading gave an answer."
    )
    unanswered = replace(RUN, outcome="no_answer", answer=None, evidence=())
    assert (
        wording.compared(unanswered, nothing).words
        == "Right: no answer given. The reading gave no answer, and the text gives none."
    )
    assert (
        wording.compared(unanswered, known).words == "Wrong: no answer given. The reading gave no answer, and the text gives one."
    )
    in_words = replace(RUN, answer="I don't know.")
    assert (
        wording.compared(in_words, nothing).words
        == "Right: no answer given. The answer says that there is none, and the text gives none."
    )
    misled = replace(known, distractors=(Span(20, 25), Span(90, 95)))
    assert wording.compared(RUN, misled).words.endswith(" It was also shown 1 of the 2 distractors.")
    assert "distractor" not in wording.compared(RUN, replace(known, distractors=(Span(90, 95),))).words
    unsure = replace(RUN, answer="The text does not say, but perhaps he forgot.")
    assert wording.compared(unsure, nothing).words == "Cannot be told by rule. It says that there is no answer, but continues."


@pytest.mark.parametrize(
    ("answer", "right", "said"),
    [
        ("(B) Barbecue", ("Silver", "Barbecue"), "Right. It chose (B), which is right."),
        ("Ten days", ("Ten",), "Wrong. It chose (D); right is (C)."),
        ("Ten", ("Ten",), "Right. It chose (C), which is right."),
        ("Who knows", ("Ten",), "Cannot be told by rule. The answer does not name one of the choices, or it names several."),
    ],
)
def test_a_choice_is_compared_by_rule_and_no_place_is_told_where_none_is_known(
    answer: str, right: tuple[str, ...], said: str
) -> None:
    choices = ("Silver", "Barbecue", "Ten", "Ten days")
    known = KnownAnswer("Who?", choices, right, ())
    assert wording.compared(replace(RUN, spec={"choices": list(choices)}, answer=answer), known).words == said


def test_known_answers_are_shown_together_and_compared_one_by_one() -> None:
    asked = SetQuestion("q", "d", "Who?", ("Silver", "Barbecue"), ("Silver", "Barbecue"), True, (Span(1, 2),))
    known = KnownAnswer.of(asked)
    assert known is not None
    assert (known.answers, known.answer, known.evidence) == (("Silver", "Barbecue"), "Silver / Barbecue", (Span(1, 2),))
    assert wording.compared(replace(RUN, answer="It was Silver."), replace(known, evidence=())).words == (
        "Right. It says the known answer, “Silver”."
    )
    assert KnownAnswer.of(SetQuestion("q", "d", "Who?")) is None
    none = KnownAnswer.of(SetQuestion("q", "d", "Who?", answerable=False))
    assert none is not None
    assert none.answer is None
    how = KnownAnswer.of(SetQuestion("q", "d", "Who?", answerable=True))
    assert how is not None
    assert how.answer == "The text answers this question; it is not known how."


def test_the_samples_know_their_texts_questions_and_places() -> None:
    assert samples()[0].document.title == "The Lamp at Carrow Point"
    for sample in samples():
        assert sample_of(sample.document.id) is sample
        for known in sample.questions:
            assert sample.known(f" {known.question} ") is known
            assert (known.answer is None) == (not known.evidence)
            assert all(0 <= start < end <= len(sample.document.text) for start, end in known.evidence)


@pytest.mark.parametrize(
    ("created", "said"),
    [
        ("2026-01-10T12:00:00+00:00", "just now"),
        ("2026-01-10T11:01:00+00:00", "59 minutes ago"),
        ("2026-01-09T11:00:00+00:00", "1 day ago"),
        ("1971-05-04T11:00:00+00:00", "on 1971-05-04"),
        ("2031-05-04T11:00:00+00:00", "on 2031-05-04"),
        ("", ""),
    ],
)
def test_times_are_told_roughly(created: str, said: str) -> None:
    assert wording.ago(created, datetime(2026, 1, 10, 12, 0, 30, tzinfo=UTC)) == said


def test_a_huge_text_is_counted_roughly_and_a_small_one_exactly() -> None:
    assert wording.size(Document("t", "one two")) == "2 words"
    assert wording.size(Document("t", "word " * 1_000_000)) == "about 1,000,000 words"


def test_an_answer_that_says_there_is_none_is_shown_as_no_answer_given() -> None:
    refused = replace(RUN, answer="The parts in view do not say.", evidence=(Span(20, 30),))
    assert (wording.state(refused).mark, wording.state(refused).word, wording.state(refused).tone) == (
        "∅",
        "no answer given",
        "lost",
    )
    assert wording.state(RUN).word == "answered"
    known = KnownAnswer("Why?", (), ("Because.",), (Span(20, 30),))
    assert (
        wording.compared(refused, known).words
        == "Wrong: no answer given. The answer says that there is none, and the text gives one."
    )


def test_the_measures_of_a_memory_use_the_readers_word_for_it() -> None:
    names = ("memory_tokens", "memory_kept", "truncations", "outcome")
    assert [measures.title(name, memory="memory") for name in names] == [measures.MEASURES[name].title for name in names]
    assert [measures.title(name, memory="message") for name in names] == [
        "Message, in tokens",
        "Kept of each message in the next",
        "Messages cut at the limit",
        "Outcome",
    ]


def test_what_a_rule_computed_is_no_models_reply() -> None:
    asked = Record(0, 0, "", "", "score", "score", shared=False, parts="", note="", sample=0, origin="live", model="bm25")
    said = [wording.reply_by(replace(asked, model=name)) for name in ("bm25", "embedding/small", "slices/a/tokenizer.json")]
    assert said == [f"result, computed by {name}" for name in ("BM25", "the embeddings of small", "the tokenizer")]
    assert wording.reply_by(replace(asked, task="answer", model="qwen")) == "reply, written by qwen"
