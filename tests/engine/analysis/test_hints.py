"""Hints are what the record shows: for every reader, with the steps they point at, and never anything of the answer unasked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from readers import READERS, get
from readers.engine.analysis.hints import hints as hints_of
from readers.engine.analysis.hints import kinds
from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.hint import Hint
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document, Span
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.models.scripted_models import BACK, COMMIT, Scripted, Thinking, parts_of, walker
from tests.support.paths import SAMPLES
from tests.support.readings import memory_readings, qrmem_readings, readagent_readings, rememr1_readings
from tests.support.readings.every_reading import SMALL
from tests.support.specs import current_spec

EMPTY = KnownAnswer()


def found(reader: str, trace: Trace, known: KnownAnswer | None = None, **options: Any) -> dict[str, Hint]:
    """The hints by their kind, of a trace; all of them where something is known."""
    run = Run("r", trace.document.id, reader, "", {"options": options}, "finished")
    reading = Reading(run, trace.document, trace, [])
    listed = hints_of(reading, get(reader), known=known, reveal=known is not None)
    assert len({hint.kind for hint in listed}) == len(listed)
    for hint in listed:
        assert all(1 <= step <= len(trace.steps) for step in hint.steps), hint
        assert not hint.sentence[0].islower(), hint
        assert hint.sentence[-1] == ".", hint
        assert "wrote:" not in hint.sentence
        assert "!" not in hint.sentence
    return {hint.kind: hint for hint in listed}


def step(trace: Trace, *names: str) -> int:
    """The number of the step of these innermost names, from 1; the first of several."""
    return next(one.number + 1 for one in trace.steps if one.names[-len(names) :] == names)


def span(document: Document, words: str) -> Span:
    start = document.text.index(words)
    return Span(start, start + len(words))


# Every reader


def cut_at_every_memory(*replies: str) -> Trace:
    """A memory that is written at two chunks and an answer, by a model that is cut off at every memory."""
    reader = get("memagent")
    spec = RunSpec(reader.id, reader.version, "Where?", options={"chunk_tokens": 64})
    model = Thinking(Scripted(replies), cut=lambda call: call.prompt.task == "update_memory")
    return rehearse(parts_of(2), reader, spec, model)


def test_replies_that_were_cut_off_and_used_are_pointed_out() -> None:
    endless = "It lies under the stairs. " + "Nobody looked there, and " * 30
    trace = cut_at_every_memory("It lies", "It lies under", endless, endless, "\\boxed{under the stairs}")
    hints = found("memagent", trace)
    assert hints["cut_off"].steps == (1,)
    assert "One reply of the model was cut off for its length and used as cut" in hints["cut_off"].sentence
    assert hints["endless"].steps == (2,)
    assert "One reply of the model went on repeating the same without end" in hints["endless"].sentence
    assert [wrote.text for wrote in trace.wrote.values()][1] == "It lies under the stairs. Nobody looked there, and"
    told = narrate(trace, get("memagent"))
    assert "A reply was not whole (it was cut off for its length; there was room for" in told[0]
    assert "repeats itself without end after its first" in told[1]


@pytest.fixture(scope="module")
def lamp_part() -> Document:
    text = (SAMPLES / "the_lamp_at_carrow_point.txt").read_text(encoding="utf-8")
    return Document.of(text[12_000:19_000], title="Some of the lamp")


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
@pytest.mark.parametrize("question", [QUESTION, "Who was Miss Garbutt, and what did she dry by the stove?"])
def test_nothing_known_shows_unless_it_is_asked_for(reader: Reader, question: str, store: Store, lamp_part: Document) -> None:
    options = SMALL.get(reader.id, {})
    run = create_run(store, lamp_part, reader, RunSpec(reader.id, reader.version, question, options=options))
    reading = open_reading(store, execute(store, run.id, reader, Execution(Offline())).id)
    known = KnownAnswer(
        evidence=(span(lamp_part, "bright new bolt holes"), Span(6_000, 6_100)),
        answers=("bright new bolt holes in the crane post",),
    )
    plain = hints_of(reading, reader)
    assert hints_of(reading, reader, known=known) == plain == hints_of(reading, reader, known=KnownAnswer(answers=("else",)))
    assert not any(hint.known for hint in plain)
    all_of_it = hints_of(reading, reader, known=known, reveal=True)
    assert [hint for hint in all_of_it if not hint.known] == plain
    assert {"evidence_seen", "evidence_unseen"} & set(kinds(all_of_it))  # where it stood can be said of every reader
    assert all_of_it == hints_of(reading, reader, known=known, reveal=True)
    first = [hint.steps[0] for hint in all_of_it if hint.steps]
    assert first == sorted(first)
    assert hints_of(reading, reader, known=EMPTY, reveal=True) == plain


def test_evidence_outside_the_text_is_not_looked_at() -> None:
    trace = walk([0, COMMIT], parts=3)
    assert set(found("memwalker", trace, KnownAnswer(evidence=(Span(10**6, 10**6 + 5), Span(7, 7), Span(-3, 2))))) == set()


def test_a_reading_that_has_hardly_begun_has_no_hints() -> None:
    nothing = Trace(parts_of(2), ())
    for reader in READERS:
        assert found(reader.id, nothing, KnownAnswer(answers=("x",))) == {}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_a_reading_under_way_has_the_hints_of_what_there_is(reader: Reader, lamp_part: Document) -> None:
    spec = RunSpec(reader.id, reader.version, QUESTION, options=SMALL.get(reader.id, {}))
    trace = rehearse(lamp_part, reader, spec, Offline())
    known = KnownAnswer(evidence=(span(lamp_part, "bright new bolt holes"),), answers=("bolt holes",))
    whole = {hint.kind for hint in found(reader.id, trace, known).values()}
    for end in range(0, len(trace.events), max(1, len(trace.events) // 40)):
        under_way = found(reader.id, Trace(lamp_part, trace.events[:end]), known)
        assert all(step <= len(trace.steps) for hint in under_way.values() for step in hint.steps)
    assert whole


def test_calls_that_failed_are_told() -> None:
    trace = walk([0, COMMIT], parts=3)
    run = Run("r", trace.document.id, "memwalker", "", {}, "failed")
    row = Record(2, 0, "", "", "", "summarise", False, "[]", "", 0, "live", "m", error="the provider is out of reach")
    reading = Reading(run, trace.document, trace, [replace(row, seq=99, reply="fine", error=None), row, replace(row, seq=99)])
    (hint,) = hints_of(reading, get("memwalker"))
    at = next(one.number + 1 for one in trace.steps for e in trace.of(one) if getattr(e, "seq", None) == 2)
    told = "2 calls to the model failed; the last one: the provider is out of reach."
    assert hint == ("failed_call", (at, len(trace.steps)), told, False)


# MemWalker


def walk(actions: list[int | str], *, parts: int = 9, temperature: float = 0.0, **more: Any) -> Trace:
    model = more.pop("model", None) or walker(actions)
    options = {"segment_tokens": 64, "max_children": 3, **more}
    spec = current_spec("memwalker", "Where is it?", options=options, temperature=temperature)
    return rehearse(parts_of(parts), get("memwalker"), spec, model)


def test_a_walk_that_went_back_and_in_again() -> None:
    trace = walk([0, 0, BACK, BACK, 0, 1, COMMIT], temperature=0.8)
    hints = found("memwalker", trace)
    assert set(hints) == {"went_back", "entered_again"}
    assert hints["went_back"].sentence == "It went back up twice, and answered all the same."
    assert hints["went_back"].steps == (step(trace, "1.1"), step(trace, "1.1") + 1)
    assert hints["entered_again"].sentence == "It opened a part that it had left before, once: part 1."
    assert found("memwalker", walk([0, 0, COMMIT])) == {}


def test_a_walk_that_got_nowhere() -> None:
    hints = found("memwalker", walk([0, 0, BACK, 0, 0, 0]))
    assert hints["refused"].sentence == "A choice of its own could not be followed 3 times: it was opened and left again."
    assert hints["no_answer"].sentence.startswith(
        "It ended without an answer: 3 replies in a row could not be followed; the last one chose a part, but it was opened"
    )
    assert hints["went_back"].sentence == "It went back up once, and gave no answer."
    unread = found("memwalker", walk(["so", "so", "so"]))
    assert unread["unreadable"].sentence.startswith(
        "3 replies of the model could not be read, and were asked for again; the last"
    )
    assert "temperature" not in unread["unreadable"].sentence


def test_what_of_the_evidence_a_walk_passed_by() -> None:
    trace = walk([0, 0, BACK, BACK, 1, 1, COMMIT])
    there = found("memwalker", trace, KnownAnswer(evidence=(span(trace.document, "word0x3"),)))
    assert there["left_evidence"].steps == (step(trace, "1.1"),)
    assert there["answered_elsewhere"].steps == (step(trace, "2.2"),)
    assert there["passed_over"].steps[0] == [n.number + 1 for n in trace.steps if n.names[-1] == "root"][1]
    assert there["evidence_seen"].steps == (step(trace, "1.1"),)
    assert there["evidence_lost"].sentence.startswith("3 summaries of a part with known evidence no longer say it: ")
    right = found("memwalker", trace, KnownAnswer(evidence=(span(trace.document, "word4x3"),)))
    assert not {"left_evidence", "answered_elsewhere"} & set(right)
    assert right["evidence_seen"].sentence == "The known evidence was in the prompt here."
    both = found("memwalker", trace, KnownAnswer(evidence=(span(trace.document, "word4x3"), span(trace.document, "word8x3"))))
    assert both["evidence_seen"].sentence == "1 of 2 passages of the known evidence was in the prompt here."
    assert (
        both["evidence_unseen"].sentence == "One passage of the known evidence was never in a prompt after the memory was built."
    )


def test_a_summary_with_a_word_of_the_evidence_is_not_told_of() -> None:
    whole = walker([0, 0, COMMIT], summaries=lambda call: " ".join(call.part("segment") or call.part("summaries")))
    trace = walk([], model=whole)
    assert "evidence_lost" not in found("memwalker", trace, KnownAnswer(evidence=(span(trace.document, "word0x3"),)))


# ReadAgent


def test_pages_asked_for_in_vain() -> None:
    trace = readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=[[1, 99, 1, 2, 3]]), max_lookups=2)
    hints = found("readagent", trace)
    request = (step(trace, "request"),)
    assert hints["asked_again"] == ("asked_again", request, "It asked once for a page that was open already.", False)
    assert hints["over_the_limit"] == ("over_the_limit", request, "It asked once for more pages than it was allowed.", False)
    assert hints["no_such_page"] == ("no_such_page", request, "It asked once for a page that there is not.", False)
    assert not {"asked_again", "over_the_limit"} & set(
        found("readagent", readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=[[1, 2]])))
    )


def test_how_much_the_gists_keep() -> None:
    gist = lambda call: "One." if "Part2 " in call.part("page")[0] else "Two words."  # noqa: E731
    trace = readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=[[1]], gist=gist))
    hint = found("readagent", trace)["compressed"]
    assert hint.sentence.startswith("Its gists keep ")
    assert "; the gist of page 2 keeps the least, 5% (1 of 20 words)." in hint.sentence


def test_a_page_whose_words_are_not_in_the_answer() -> None:
    trace = readagent_readings.read(
        readagent_readings.EVEN, readagent_readings.model(asks=[[1, 3]], answer="It is w2x5 of Part2.")
    )
    hint = found("readagent", trace)["opened_unused"]
    assert [trace.steps[number - 1].names for number in hint.steps] == [("look-up", "page 3")]
    assert hint.sentence == "Page 4 was opened, and the answer has none of the less common words there."
    neither = found(
        "readagent", readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=[[1, 3]], answer="forty-two"))
    )["opened_unused"]
    assert neither.sentence.startswith("Page 2 and page 4 were opened, ")
    both = readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=[[1, 3]], answer="w2x5 and w6x5"))
    assert "opened_unused" not in found("readagent", both)


def test_evidence_on_a_page_that_stayed_closed() -> None:
    trace = readagent_readings.read(readagent_readings.EVEN, readagent_readings.model(asks=[[1]]))
    hints = found("readagent", trace, KnownAnswer(evidence=(span(readagent_readings.EVEN, "w6x5"),)))
    assert hints["evidence_closed"].sentence == "Known evidence is in parts that were not opened: page 4."
    assert hints["evidence_lost"].sentence == "One gist of a part with known evidence no longer says it: page 4."
    assert hints["evidence_unseen"].sentence == "The known evidence was never in a prompt after the memory was built."
    opened = found("readagent", trace, KnownAnswer(evidence=(span(readagent_readings.EVEN, "w2x5"),)))
    assert "evidence_closed" not in opened
    assert opened["evidence_seen"].steps == (step(trace, "answer"),)


def test_gists_that_were_merged_or_shortened_again_are_not_told_of() -> None:
    document = readagent_readings.paragraphs(*[30] * 24)
    scripted = readagent_readings.model(asks=[[0]], gist=lambda call: "lamp " * (len(call.part("page")[0].split()) * 9 // 10))
    trace = readagent_readings.read(document, scripted, window=1300, room="page")
    assert trace.decisions("merge")
    hints = found("readagent", trace, KnownAnswer(evidence=(span(document, "w0x5"), span(document, "w23x5"))))
    last = len(readagent_readings.pages(trace))  # people count from 1
    assert hints["evidence_closed"].sentence == f"Known evidence is in parts that were not opened: page {last}."
    assert "before merging" not in hints["compressed"].sentence


# QRMeM


def test_a_close_choice_between_relations() -> None:
    said = {("ada quill", "thing1"): "she owns it", ("ada quill", "thing2"): "she owns it"}
    more = (f"of thing{n} there is more to say, a dozen words or so in all." for n in (1, 2))
    document = qrmem_readings.text("ada quill owns thing1, thing2.", *more)
    trace = qrmem_readings.read(document, qrmem_readings.Plan(said=said, verdicts=["no: it is missing", "yes: y"]).model())
    hint = found("qrmem", trace)["close_choice"]
    assert hint.steps == (step(trace, "trial 1"),)
    assert hint.sentence.startswith("The best relation was hardly ahead of the next once; at the closest they scored ")
    apart = qrmem_readings.read(qrmem_readings.LONG, qrmem_readings.Plan(verdicts=["no: who", "no: where", "yes: y"]).model())
    assert "close_choice" not in found("qrmem", apart)


def test_a_full_window_and_trials_without_news() -> None:
    verdicts = ["no: who made it", "no: where from", "no: more", "no: more", "no: more"]
    trace = qrmem_readings.read(qrmem_readings.LONG, qrmem_readings.Plan(verdicts=verdicts).model(), window_tokens=62)
    hints = found("qrmem", trace)
    assert hints["filtered"].sentence.endswith("taken out of view: the window was full.")
    assert len(hints["filtered"].steps) >= 1
    early = qrmem_readings.read(qrmem_readings.LONG, qrmem_readings.Plan(verdicts=["yes: y"]).model())
    assert not {"filtered", "nothing_new"} & set(found("qrmem", early))


def test_names_that_differ_in_form_alone() -> None:
    said = {("Lamp", "harbour"): "it stands there", ("the lamps", "keeper"): "he keeps them"}
    second = "of the lamps the keeper said little, that year or any other year."
    document = qrmem_readings.text("the Lamp stood at the harbour mouth.", second)
    names = {0: ["Lamp", "harbour"], 1: ["the lamps", "keeper"]}
    plan = qrmem_readings.Plan(
        said=said, verdicts=["yes: y"], entities=lambda call: names[int("keeper" in call.part("segment")[0])]
    )
    trace = qrmem_readings.read(document, plan.model(), question="What of the keeper?")
    assert (
        found("qrmem", trace)["names_alike"].sentence == "Entities have names that differ only in form: “Lamp” and “the lamps”."
    )
    assert "names_alike" not in found("qrmem", qrmem_readings.build(qrmem_readings.LONG))


def test_unread_replies_of_a_reader_that_asks_again_warmer() -> None:
    trace = qrmem_readings.read(qrmem_readings.LONG, qrmem_readings.Plan(verdicts=["so", "so", "yes: y"]).model())
    sentence = found("qrmem", trace)["unreadable"].sentence
    assert "2 replies of the model could not be read, and were asked for again, each time at a higher temperature;" in sentence


def test_said_to_be_answerable_without_the_evidence() -> None:
    trace = qrmem_readings.read(qrmem_readings.LONG, qrmem_readings.Plan(verdicts=["yes: y"]).model())
    early = found("qrmem", trace, KnownAnswer(evidence=(span(qrmem_readings.LONG, "a bag of tools"),)))
    told = "It said it could answer with no known evidence in view."
    assert early["answerable_early"] == ("answerable_early", (step(trace, "trial 1"),), told, True)
    assert "answerable_early" not in found("qrmem", trace, KnownAnswer(evidence=(span(qrmem_readings.LONG, "seen on it"),)))


# Memories


def memories(*texts: str, reader: str = "memagent", **options: Any) -> Trace:
    scripted = rememr1_readings.model(lambda call: texts[rememr1_readings.number(call) - 1])
    return rememr1_readings.read(reader, rememr1_readings.chunks_of(len(texts)), scripted, **options)


def test_a_memory_that_stays_changes_and_fills() -> None:
    same = "The ledger lies in the chapel under the floor."
    long = " ".join(f"word{n}" for n in range(14)) + "."
    trace = memories(same, same, "Ned has the boat.", long)
    hints = found("memagent", trace, memory_tokens=48)
    assert hints["unchanged"] == ("unchanged", (2,), "The memory stayed word for word the same at one chunk.", False)
    assert hints["changed_most"].steps == (4,)
    assert hints["changed_most"].sentence == "The memory changed most at chunk 4: 0% of the words before it stayed."
    assert "memory_full" not in found("memagent", trace, memory_tokens=400)
    assert "memory_full" not in found("memagent", trace)  # its limit is not on record
    assert found("memagent", trace, memory_tokens=30)["memory_full"].steps == (4,)


def test_a_memory_that_was_cut() -> None:
    trace = memories("One.", "This sentence says the same thing over again. " * 20)
    hints = found("memagent", trace)
    assert hints["truncate"].steps == (2,)
    assert hints["truncate"].sentence.startswith("A text of its own was cut for its length once; the last time: the memory had ")


def test_a_chunk_that_came_into_no_memory() -> None:
    hints = found("memagent", memories("One thing.", "", "Another."))
    told = "What was read at one chunk came into no memory: no reply could be read."
    assert hints["not_written"] == ("not_written", (2,), told, False)
    assert hints["fallback"].steps == (2,)
    assert hints["unreadable"].steps == (2,)


def test_when_the_known_answer_came_went_and_came_back() -> None:
    scripted = survey_model()
    trace = rehearse(
        survey_text(),
        get("rememr1"),
        current_spec("rememr1", memory_readings.QUESTION, options=memory_readings.OPTIONS),
        scripted,
    )
    hints = found("rememr1", trace, KnownAnswer(answers=("Forty pounds for lodging",)))
    assert (
        hints["remembered"].sentence
        == "A sentence with all the words of the known answer came into the memory at chunk 3 and chunk 7."
    )
    assert hints["remembered"].steps == (3, 7)
    assert hints["forgotten"].steps[0] == 5
    assert hints["forgotten"].sentence.startswith("The words of the known answer went out of the memory at chunk 5")
    never = found("rememr1", trace, KnownAnswer(answers=("a pair of spectacles",)))
    assert never["never_remembered"] == (
        "never_remembered",
        (),
        "No sentence of a memory has all the words of the known answer.",
        True,
    )
    either = found("rememr1", trace, KnownAnswer(answers=("a pair of spectacles", "Forty pounds for lodging")))
    assert either["remembered"].steps == (3, 7)
    assert "all the words of a known answer came" in either["remembered"].sentence
    assert "never_remembered" not in either
    neither = found("rememr1", trace, KnownAnswer(answers=("a pair of spectacles", "a harpoon", "")))
    assert neither["never_remembered"].sentence == "No sentence of a memory has all the words of any known answer."


@pytest.mark.parametrize(
    ("known", "memory", "expected"),
    [
        (KnownAnswer(answers=("red lamp",)), "The red lamp is lit.", {"remembered"}),
        (KnownAnswer(answers=("red lamp",)), "The lamp is lit. The boat is red.", {"never_remembered"}),  # not in one sentence
        (KnownAnswer(answers=("18 weeks",)), "It was shut for eighteen weeks.", {"remembered"}),
        (KnownAnswer(answers=("lamp " * 30,)), "The lamp is lit.", set()),  # a long answer
        (KnownAnswer(answers=("B",)), "A lamp and a boat.", set()),
        (KnownAnswer(choices=("A lamp", "A boat"), answers=("A lamp",)), "A lamp is lit.", set()),
        (KnownAnswer(answers=("lamp", "boat"), all_required=True), "A lamp.", {"never_remembered"}),
        (KnownAnswer(answers=("yes",)), "The lamp is lit.", set()),
        (KnownAnswer("Which is red, the lamp or the boat?", answers=("the lamp",)), "The lamp is lit.", set()),
    ],
)
def test_a_memory_has_the_known_answer_only_where_its_words_say_something(
    known: KnownAnswer, memory: str, expected: set[str]
) -> None:
    assert {"remembered", "never_remembered"} & set(found("memagent", memories(memory, memory), known)) == expected


def test_a_gist_that_has_some_other_word_of_the_evidence_has_lost_it_all_the_same() -> None:
    model = readagent_readings.model(asks=[[1]], gist=lambda call: "It says w6x3 here.")
    trace = readagent_readings.read(readagent_readings.EVEN, model)
    known = KnownAnswer(evidence=(span(readagent_readings.EVEN, "Part6 w6x0 w6x1 w6x2 w6x3 w6x4 w6x5 w6x6 w6x7 w6x8"),))
    assert found("readagent", trace, known)["evidence_lost"].sentence.endswith("no longer says it: page 4.")


def survey_text() -> Document:
    return Document.of("\n\n".join(memory_readings.PARAGRAPHS))


def survey_model() -> Any:
    heads = [paragraph[:30] for paragraph in memory_readings.PARAGRAPHS]

    def reply(call: Any) -> str:
        if call.prompt.task != "update_memory":
            return "\\boxed{forty pounds}"
        chunk = next(n for n, head in enumerate(heads) if call.part("section")[0].startswith(head))
        return rememr1_readings.blocks(memory_readings.MEMORIES[chunk])

    return Scripted(reply)


def test_looking_back_in_vain() -> None:
    texts = ["The lamp is red.", "The ledger is gone.", "The boat is in.", "The lamp and the ledger.", "Nothing else."]
    queries = {1: "ledger", 3: "ledger", 4: "ledger", 5: "zebra"}

    def memory(call: Any) -> str:
        number = rememr1_readings.number(call)
        return rememr1_readings.blocks(texts[number - 1], queries.get(number, ""))

    trace = rememr1_readings.read("rememr1", rememr1_readings.chunks_of(5), rememr1_readings.model(memory))
    hints = found("rememr1", trace)
    assert "recalled_nothing" not in hints  # at the first chunk, no memory can be earlier
    assert hints["recalled_same"].steps == (4,)
    assert hints["recalled_same"].sentence.endswith("once: memory after chunk 2.")
    assert hints["recalled_blindly"].steps == (5,)


def test_a_reply_without_its_tags() -> None:
    trace = rememr1_readings.read(
        "rememr1", rememr1_readings.chunks_of(2), rememr1_readings.model(lambda call: "No tags at all here.")
    )
    assert found("rememr1", trace)["format_error"].steps == (1, 2)


# Baselines


def test_a_window_that_held_a_part_and_pieces_that_were_nearly_taken() -> None:
    document = parts_of(8)
    spec = current_spec("whole", "Where is it?", options={"window_tokens": 100})
    assert found("whole", rehearse(document, get("whole"), spec, Offline()))["left_out"].steps == (1,)
    spec = current_spec("retrieval", "Where does Part begin here?", options={"segment_tokens": 64, "top_k": 2})
    trace = rehearse(document, get("retrieval"), spec, Offline())
    hint = found("retrieval", trace)["close_cut"]
    assert hint.steps == (1,)
    assert hint.sentence.startswith("The last piece that was taken scored ")
