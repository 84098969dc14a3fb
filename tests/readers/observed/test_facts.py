"""A fact of the text is followed through a watched program: where it stood raw, which replies said it, where it was lost."""

from __future__ import annotations

from components.player.pictures import picture
from readers.engine.analysis.facts.fate import fate
from readers.engine.analysis.facts.fates import sentence
from readers.engine.analysis.facts.life import Life, has, life
from readers.engine.text.document import Span
from readers.observed import Observed
from readers.observed.calls import Said
from tests.support.readings.watched_readings import DOCUMENT, PARTS, QUESTION, TASK, Watched, call, watched, with_a_tool

OTHER = "Hester and the harbour are spoken of at length."
SAID = "The ledger was hidden behind the boards of the lamp room, it says."


def fact(part: int) -> Span:
    start = DOCUMENT.text.index(PARTS[part])
    return Span(start, DOCUMENT.text.index(".", start) + 1)


def followed(reading: Watched, part: int) -> tuple[Life, list[tuple[int, str, str]], str, str]:
    """The life of a part's fact, what happened to it by step (from 0), and its fate."""
    lived = life(reading.trace, fact(part), Observed.narrative)
    came = fate(reading.trace, lived, QUESTION)
    assert came is not None
    moments = [(one.step, one.state, one.ref) for one in lived.moments]
    return lived, moments, came.kind, sentence(came, reading.trace, Observed().names(reading.trace))


def test_a_memory_says_a_fact_until_it_is_replaced_and_the_picture_has_it_where_it_stood_raw() -> None:
    calls, before = [], "nothing yet"
    for n, memory in enumerate((PARTS[0].partition(".")[0] + ", it says.", PARTS[0].partition(".")[0] + ". The end.", OTHER)):
        calls.append(call(n, Said("user", f"{TASK}\n\nMemory so far:\n{before}\n\nNext part:\n{PARTS[n]}"), reply=memory))
        before = memory
    calls.append(call(3, Said("user", f"Answer from this memory:\n{before}\n\n{QUESTION}"), reply="Nobody says so."))
    reading = watched(tuple(calls), "Nobody says so.")
    lived, moments, kind, told = followed(reading, 0)
    assert moments[:5] == [
        (0, "raw", ""), (0, "carried", "wrote:0"), (1, "carried", "wrote:0"),
        (1, "carried", "wrote:1"), (2, "carried", "wrote:1"),
    ]  # fmt: skip
    assert {state for _, state, _ in moments[5:]} == {"lost"}
    assert kind == "overwritten"
    assert (
        told == "The memory after call 2 says it; the memory after call 3, written at step 3, does not, nor does any later one."
    )
    drawn = picture("observed", reading.trace, options=reading.options)
    assert drawn is not None
    raw = [row["step"] for row in drawn["rows"] if has([Span(*one) for one in row["spans"]], fact(0))]
    assert raw == [one.step for one in lived.of("raw")] == [0]
    assert {ref for _, _, ref in moments if ref} <= {row["ref"] for row in drawn["rows"]}


def test_of_summaries_the_one_that_lost_a_fact_is_named_and_one_that_says_it_brought_it_to_the_answer() -> None:
    summaries = ("Garbutt kept the light at Carrow Point.", OTHER, OTHER.replace("Hester", "A ship"), SAID)
    calls = [call(n, Said("user", f"Sum up in brief:\n{PARTS[n]}"), reply=said) for n, said in enumerate(summaries)]
    answer = "Behind the boards of the lamp room."
    last = call(4, Said("user", "\n".join(["Answer from these:", *summaries, QUESTION])), reply=answer)
    reading = watched((*calls, last), answer)
    assert followed(reading, 2)[2:] == (
        "lost in a text", "The model was shown it raw; the reply to call 3, written at step 3, does not say it.",
    )  # fmt: skip
    _, _, kind, told = followed(reading, 3)
    assert (kind, told.partition(",")[0]) == ("used", "The answering call contained it")
    assert ", in the reply to call 4, and " in told


def test_a_tools_result_shows_a_fact_raw_and_a_call_that_failed_showed_nothing() -> None:
    _, moments, kind, _ = followed(with_a_tool(), 3)
    assert [(step, state) for step, state, ref in moments if not ref] == [(1, "raw"), (3, "answering")]
    assert kind == "used"
    assert followed(with_a_tool(), 0)[1:3] == ([], "never read")
