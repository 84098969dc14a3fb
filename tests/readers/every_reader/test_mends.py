"""Every reader: where a fact died, the change that is offered brings it into the answering call, or the fate is another one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from readers import get
from readers.engine.analysis.facts.follow import Followed, follow
from readers.engine.analysis.facts.mending import Mending, Offer, mend
from readers.engine.forks import fork
from readers.engine.forks.removable import leaves_out
from readers.engine.models.call import Call
from readers.engine.record.edits import ReplyEdit, WrittenEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document, Span
from tests.readers.every_reader.test_fates import (
    BACK,
    COMMIT,
    DECLINED,
    DOCUMENT,
    FACT,
    LESS,
    MEMORIES,
    NET_QUESTION,
    OPTIONS,
    OTHERS,
    PAGES,
    WALKS,
    Case,
    Part,
    part_of,
)
from tests.support.models.scripted_models import Scripted
from tests.support.readings.every_reading import MEMORIES as MEMORY_READERS
from tests.support.readings.qrmem_readings import LONG, Plan
from tests.support.readings.rememr1_readings import blocks

NET_FACT = "ned farrow had come from port ellary as a boy"


def faithful(*, stays: bool = True) -> Scripted:
    """Says what it is shown, chooses what has the fact, and answers where it stands; without `stays`, only if it is told to."""
    return Scripted(lambda call: _faithfully(call, stays=stays))


def _faithfully(call: Call, *, stays: bool) -> str:
    shown = " ".join(text.text for part in call.parts for text in part.texts)
    says = FACT if FACT in shown else LESS
    match call.prompt.task:
        case "summarise" | "shorten":
            return says
        case "update_memory":
            return blocks(says, "") if call.prompt.id.startswith("rememr1") else says
        case "choose" | "choose_many":
            counted = call.prompt.counted_from_0
            assert counted
            number = next((n for n, words in enumerate(call.part(counted.part)) if FACT in words), 0)
            return call.prompt.reply.render({"reasoning": "so", "action": number, "pages": str(number)})
        case "answer_or_decline":
            told = call.edited and "reply with the action -2" in call.edited[-1]["content"].rpartition("\n\n")[2]
            there = {"reasoning": "so", "action": COMMIT, "answer": "Forty pounds."}
            return call.prompt.reply.render(there if stays or told else {"reasoning": "so", "action": BACK})
    return "Forty pounds." if call.prompt.reply.main == "text" else call.prompt.reply.render({"answer": "Forty pounds."})


def read(store: Store, spec: RunSpec, model: Scripted, document: Document = DOCUMENT) -> Reading:
    reader = get(spec.reader)
    return open_reading(store, execute(store, create_run(store, document, reader, spec).id, reader, Execution(model)).id)


def played(store: Store, case: Case) -> Reading:
    reader, options = get(case.reader), {**OPTIONS[case.reader], **case.options}
    return read(store, RunSpec(reader.id, reader.version, case.question, options=options, reuse=False), case.part.model())


def offered(store: Store, reading: Reading, words: str = FACT) -> tuple[Followed, Mending]:
    reader = get(reading.run.reader)
    start = reading.document.text.index(words)
    [one] = follow(reading, reader, [Span(start, start + len(words))])
    return one, mend(reading, reader, one, prompts=store.runs.tape(reading.run.id).prompts())


def mended(store: Store, reading: Reading, offer: Offer, model: Scripted) -> Reading:
    assert offer.edit is not None
    reader = get(reading.run.reader)
    forked = fork.fork(store, reading, reader, offer.edit)
    execute(store, forked.id, reader, Execution(model))
    return open_reading(store, forked.id)


def fates_of(cases: list[Case], *kinds: str) -> list[Case]:
    return [case for case in cases if case.fate in kinds]


LOST = ("lost in a text", "not written down", "overwritten", "altered")
MENDED = [
    *((case, "write") for case in fates_of([*WALKS, *PAGES, *MEMORIES, *OTHERS], *LOST)),
    *((Case(reader, Part(""), "not written down", "chunk 5"), "write") for reader in MEMORY_READERS),
    *((case, "choose") for case in fates_of([*WALKS, *PAGES], "passed over", "left out")),
    *((case, "stay") for case in fates_of([*WALKS, DECLINED[0]], "opened, then left", "in view, declined")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "kind"), MENDED, ids=str)
def test_the_first_offer_brings_the_fact_into_the_answering_call(case: Case, kind: str, store: Store) -> None:
    reading = played(store, case)
    before, found = offered(store, reading)
    assert before.fate
    offer = found.offers[0]
    assert (offer.kind, offer.step) == (kind, before.fate.step)
    assert offer.edit
    assert not leaves_out(offer.edit)
    after, _ = offered(store, mended(store, reading, offer, faithful(stays=kind != "stay")))
    assert after.fate
    assert after.fate.kind == "used", (offer, after.sentence)
    assert after.life.of("answering")


def _replies(case: Case, store: Store) -> Mending:
    return offered(store, played(store, case))[1]


def test_the_offers_are_in_words_and_name_texts_and_steps(store: Store) -> None:
    said = {
        (case.reader, case.fate): [offer.words for offer in _replies(case, store).offers]
        for case in (WALKS[2], WALKS[3], PAGES[3], PAGES[6], PAGES[7], MEMORIES[3])
    }
    assert said == {
        ("memwalker", "opened, then left"): ["Tell the model at step 7 to answer from what it is shown"],
        ("memwalker", "passed over"): ["Choose part 2.2 at step 6"],
        ("readagent", "lost in a text"): ["Put the sentence into the gist of page 5", "Choose page 5 at step 11"],
        ("readagent", "altered"): ["Correct the sentence in the gist of page 5"],
        ("readagent", "left out"): ["Choose page 5 at step 11"],
        ("memagent", "overwritten"): ["Put the sentence into the memory after chunk 8"],
    }


@pytest.mark.slow
def test_an_offer_claims_nothing_of_what_the_answer_stands_on(store: Store) -> None:
    """That a fact changed the answer, only an experiment shows; what is nearest to an answer or supports it, its words."""
    for case in [*WALKS, *PAGES, *MEMORIES[:8], *OTHERS]:
        found = _replies(case, store)
        for words in (found.reason, *(f"{offer.words} {offer.note}" for offer in found.offers)):
            assert not re.search(r"\b(saw|nearest|supports?|changed|because of|carried)\b", words), words


def test_pages_are_asked_for_within_their_limit_the_one_with_the_fact_first(store: Store) -> None:
    (offer,) = _replies(PAGES[7], store).offers
    assert isinstance(offer.edit, ReplyEdit)
    assert re.findall(r"\[.*\]", offer.edit.text) == ["[4]"]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (OTHERS[4], "The option window_tokens does it, which was 128: read again with a larger one."),
        (OTHERS[6], "The option top_k does it, which was 1: read again with a larger one."),
        (WALKS[6], ""),
    ],
    ids=str,
)
def test_where_no_decision_can_mend_it_the_reason_is_given(case: Case, words: str, store: Store) -> None:
    found = _replies(case, store)
    assert found.offers == ()
    assert found.reason.startswith(
        "A rule, not a reply of the model, decided" if words else "The words do not settle whether it was lost"
    )
    assert " ".join(found.why()[1:]) == words


def test_a_model_that_declined_can_be_asked_again(store: Store) -> None:
    assert [offer.kind for offer in _replies(DECLINED[1], store).offers] == ["ask again"]


def test_what_was_in_view_can_only_be_asked_again(store: Store) -> None:
    found = _replies(WALKS[1], store)
    assert [(offer.kind, offer.edit, offer.seq is not None) for offer in found.offers] == [("ask again", None, True)]
    assert found.reason.startswith("Nothing was lost before the answer")
    assert _replies(WALKS[0], store).offers == ()


@pytest.mark.parametrize(
    ("verdicts", "options", "kinds", "reason"),
    [
        (["yes: a spring"], {}, [], "Nothing derived from it was offered"),
        (["no: a"] * 9, {}, ["stay"], ""),
        (["no: a"] * 9, {"window_tokens": 64}, [], "A rule, not a reply of the model, decided this at step 12"),
    ],
)
def test_in_a_net(store: Store, verdicts: list[str], options: Mapping[str, Any], kinds: list[str], reason: str) -> None:
    spec = RunSpec("qrmem", get("qrmem").version, NET_QUESTION, options={"segment_tokens": 32, "graph_update": False, **options})
    reading = read(store, spec, Plan(verdicts=list(verdicts)).model(), LONG)
    before, found = offered(store, reading, NET_FACT)
    assert [offer.kind for offer in found.offers] == kinds
    assert found.reason.startswith(reason)
    if found.offers:
        after, _ = offered(store, mended(store, reading, found.offers[0], faithful(stays=False)), NET_FACT)
        assert before.fate
        assert after.fate
        assert (before.fate.kind, bool(after.life.of("answering"))) == ("in view, declined", True)


def test_a_writing_that_gets_longer_than_it_was_to_be_says_so(store: Store) -> None:
    full = "They spoke of the weather. " * 9
    case = Case("memagent", Part(full, later=lambda call: full if part_of(call) > 4 else LESS), "", "")
    (offer,) = _replies(case, store).offers
    assert isinstance(offer.edit, WrittenEdit)
    assert offer.edit.text.endswith(FACT)
    assert re.fullmatch(r"it has \d+ tokens then, and was to have 64 at most", offer.note)


def test_of_marked_words_the_whole_sentence_is_written(store: Store) -> None:
    case = Case("memagent", Part("They spoke of the weather."), "", "")
    followed, found = offered(store, played(store, case), FACT.split(maxsplit=3)[3].rstrip("."))
    assert followed.fate
    assert isinstance(edit := found.offers[0].edit, WrittenEdit)
    assert FACT in edit.text


def test_a_reading_without_an_end_gets_no_offer(store: Store) -> None:
    reading = played(store, MEMORIES[2])
    for status, words in (("running", "has not ended"), ("failed", "The reading failed before its end: resume it first")):
        one, _ = offered(store, reading)
        run = reading.run.__class__(**{**reading.run.__dict__, "status": status, "outcome": None})
        found = mend(reading._replace(run=run), get("memagent"), one, prompts={})
        assert found.offers == ()
        assert words in found.reason
