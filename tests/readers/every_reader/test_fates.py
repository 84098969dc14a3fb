"""Every reader, with models that play a part: a fact dies in each way it can, and its fate and the deciding step are right.

The text has nine paragraphs, each a part of its own; the fact stands in the fifth. What is written of that part is what the case
says; what is written of the others says nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from readers import get
from readers.engine.analysis.facts.fate import fate, of_all
from readers.engine.analysis.facts.fates import FactFate, called, sentence
from readers.engine.analysis.facts.life import Life, life
from readers.engine.analysis.facts.matcher import Verdict
from readers.engine.analysis.facts.stages import course
from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import refs
from readers.engine.text.document import Document, Span
from tests.support.models.scripted_models import Scripted
from tests.support.readings.every_reading import MEMORIES as MEMORY_READERS
from tests.support.readings.every_reading import small_parts
from tests.support.readings.qrmem_readings import LONG, Plan
from tests.support.readings.qrmem_readings import QUESTION as NET_QUESTION
from tests.support.readings.qrmem_readings import read as read_net
from tests.support.readings.rememr1_readings import blocks

FACT = "The harbour bell was sold to a dealer in Whitby for forty pounds."
PLACES = ("mill", "chapel", "school", "quarry", "harbour", "tannery", "forge", "brewery", "orchard")
DOCUMENT = Document.of(
    "\n\n".join(
        f"Part {n} is about the {place}. "
        + (f"{FACT} " if n == 4 else "")
        + f"In the {place} they worked, as {place} people do. " * 3
        for n, place in enumerate(PLACES)
    ),
    title="Nine parts",
)
QUESTION = "What did the dealer pay?"
LESS = "In those years they worked there from morning to night, summer and winter, and nobody complained."
CHANGED = FACT.replace("forty", "fifty")
HALF = "The harbour bell and a dealer are spoken of."
GIST = "They paid forty pounds."  # too few words of the fact, but those of the answer
COMMIT, BACK = -2, -1


def part_of(call: Call) -> int:
    """The number of the part that a memory is written at."""
    return next(number for number, place in enumerate(PLACES) if f"about the {place}" in call.part("section")[0])


@dataclass
class Part:
    """What the model writes from the fact (`of_fact`), of summaries that say it (`above`), in later memories (`later`); where
    it goes, and what it answers."""

    of_fact: str = FACT
    above: str = ""
    later: Callable[[Call], str] = lambda call: LESS
    moves: Sequence[Any] = ()
    answer: str = "Forty pounds."
    recall_at: int = -1

    def model(self) -> Scripted:
        left = list(self.moves)
        return Scripted(lambda call: self._reply(call, left))

    def _reply(self, call: Call, left: list[Any]) -> str:
        name = call.prompt.id.rpartition(".")[2]
        if call.prompt.task in ("summarise", "shorten"):
            shown = " ".join(text.text for part in call.parts for text in part.texts)
            above = name == "parent_summary" and self.above
            return (above or self.of_fact) if FACT in shown else LESS
        if name == "pause":
            return call.prompt.reply.render({"label": 1})
        if call.prompt.task == "update_memory":
            return self._memory(call)
        if call.prompt.task in ("choose", "choose_many", "answer_or_decline"):
            return self._moved(call, left.pop(0))
        return (
            call.prompt.reply.render({"answer": self.answer})
            if "rememr1" in call.prompt.id or "memagent" in call.prompt.id
            else self.answer
        )

    def _memory(self, call: Call) -> str:
        number = part_of(call)
        words = self.of_fact if number == 4 else self.later(call)
        return (
            blocks(words, "harbour bell dealer" if number == self.recall_at else "")
            if call.prompt.id.startswith("rememr1")
            else words
        )

    def _moved(self, call: Call, move: Any) -> str:
        if isinstance(move, list):
            return call.prompt.reply.render({"pages": ", ".join(map(str, move)), "reasoning": "so"})
        values: Mapping[str, Any] = {"reasoning": "so", "action": move}
        return call.prompt.reply.render({**values, "answer": self.answer} if move == COMMIT else values)


@dataclass
class Case:
    """A reader, the part its model plays, and what shall become of the fact: the fate, and the step's innermost name."""

    reader: str
    part: Part
    fate: str
    step: str
    options: Mapping[str, Any] = field(default_factory=dict)
    question: str = QUESTION

    def __str__(self) -> str:
        return f"{self.reader}: {self.fate}, {self.step}"


OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "memwalker": {"segment_tokens": 80, "max_children": 3, "summary_limit_tokens": 32},
    "readagent": {"min_words": 30, "max_words": 60},
    **{reader: small_parts(get(reader), 80) for reader in MEMORY_READERS},
    "retrieval": {"segment_tokens": 80, "top_k": 2},
    "whole": {},
}


def still(until: int, words: str = FACT) -> Callable[[Call], str]:
    """A memory that has these words from the fifth part to this one."""
    return lambda call: words if 4 < part_of(call) <= until else LESS


WALKS = [
    Case("memwalker", Part(moves=[1, 1, COMMIT]), "used", "2.2"),
    Case("memwalker", Part(LESS, moves=[1, 1, COMMIT], answer="A lamp."), "in view, not used", "2.2"),
    Case("memwalker", Part(LESS, moves=[1, 1, BACK, 0, COMMIT]), "opened, then left", "2.2"),
    Case("memwalker", Part(above=LESS, moves=[1, 0, COMMIT]), "passed over", "2"),
    Case("memwalker", Part(LESS, moves=[0, 0, COMMIT]), "lost in a text", "level 1"),
    Case("memwalker", Part(above=LESS, moves=[0, 0, COMMIT]), "lost in a text", "level 2"),
    Case("memwalker", Part(HALF, moves=[1, 0, COMMIT]), "cannot be told", "2"),
    Case("memwalker", Part(CHANGED, moves=[1, 0, COMMIT]), "passed over", "2"),
]
PAGES = [
    Case("readagent", Part(moves=[[4]]), "used", "answer"),
    Case("readagent", Part(moves=[[]]), "used", "answer"),
    Case("readagent", Part(LESS, moves=[[4]], answer="A lamp."), "in view, not used", "answer"),
    Case("readagent", Part(LESS, moves=[[2, 3]]), "lost in a text", "pages and gists"),
    Case("readagent", Part(LESS, moves=[[]]), "lost in a text", "pages and gists"),
    Case("readagent", Part(HALF, moves=[[2]]), "cannot be told", "answer"),
    Case("readagent", Part(CHANGED, moves=[[2]]), "altered", "pages and gists"),
    Case("readagent", Part(LESS, moves=[[2, 4]]), "left out", "request", {"max_lookups": 1}),
]
MEMORIES = [
    Case(reader, part, kind, step, options)
    for reader in MEMORY_READERS
    for part, kind, step, options in (
        (Part(later=still(9)), "used", "answer", {}),
        (Part(later=still(9), answer="A lamp."), "in view, not used", "answer", {}),
        (Part(LESS), "not written down", "chunk 5", {}),
        (Part(later=still(6)), "overwritten", "chunk 8", {}),
        (Part(CHANGED, later=still(9, CHANGED)), "altered", "chunk 5", {}),
        (Part(HALF, later=still(9, HALF)), "cannot be told", "answer", {}),
        (Part(HALF, later=still(6, HALF)), "overwritten", "chunk 8", {}),
        (Part(GIST, later=still(9, GIST)), "used", "answer", {}),
    )
]
DECLINED = [
    Case("memwalker", Part(LESS, moves=[1, 1, BACK]), "in view, declined", "2.2", {"max_steps": 3}),
    Case("readagent", Part(LESS, moves=[[4]], answer="The text does not say."), "in view, declined", "answer"),
    Case("memagent", Part(later=still(9), answer="The text does not say."), "in view, declined", "answer"),
    Case("memagent", Part(LESS, answer="The text does not say."), "not written down", "chunk 5"),
]
OTHERS = [
    Case("rememr1", Part(later=still(6), recall_at=7), "overwritten", "chunk 8"),
    Case("rememr1", Part(later=still(6), recall_at=8), "used", "answer"),
    Case("whole", Part(), "used", "answer"),
    Case("whole", Part(answer="A lamp."), "in view, not used", "answer"),
    Case("whole", Part(), "cut off", "fit", {"window_tokens": 128}),
    Case("retrieval", Part(), "used", "answer"),
    Case("retrieval", Part(), "passed over", "scores", {"top_k": 1}, "Who worked in the orchard?"),
    Case("memagent", Part(LESS, later=still(9, HALF)), "not written down", "chunk 5"),
    Case("rememr1", Part(HALF, later=lambda call: HALF), "not written down", "chunk 5"),
]


def read(case: Case) -> Trace:
    reader = get(case.reader)
    options = {**OPTIONS[case.reader], **case.options}
    return rehearse(DOCUMENT, reader, RunSpec(reader.id, reader.version, case.question, options=options), case.part.model())


def followed(trace: Trace, reader: str, words: str = FACT, question: str = QUESTION) -> tuple[Life, FactFate, str]:
    start = trace.document.text.index(words)
    lived = life(trace, Span(start, start + len(words)), get(reader).narrative)
    came = fate(trace, lived, question)
    assert came is not None
    return lived, came, sentence(came, trace, get(reader).names(trace))


EVERY = [*WALKS, *PAGES, *MEMORIES, *DECLINED, *OTHERS]


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_the_fate_and_the_step(case: Case) -> None:
    trace = read(case)
    lived, came, said = followed(trace, case.reader)
    assert (came.kind, trace.steps[came.step].names[-1]) == (case.fate, case.step), (said, lived.moments)


@pytest.mark.parametrize("answer", ["Yes.", "Based on the information provided, it is mentioned in the text."])
def test_words_that_no_fact_has_do_not_tell_that_it_was_not_used(answer: str) -> None:
    _, came, _ = followed(read(Case("whole", Part(answer=answer), "", "")), "whole")
    assert came.kind == "in view"


@pytest.mark.parametrize(
    ("verdicts", "options", "kind", "step"),
    [
        (["yes: a spring"], {}, "never offered", "trial 1"),
        (["no: a", "no: b", "yes: port ellary"], {}, "used", "trial 3"),
        (["no: a", "no: b", "yes: a spring"], {}, "in view, not used", "trial 3"),
        (["no: a"] * 9, {}, "in view, declined", "trial 4"),
        (["no: a"] * 9, {"window_tokens": 64}, "taken out of view", "trial 3"),
    ],
)
def test_in_a_net_of_four_segments(verdicts: list[str], options: Mapping[str, Any], kind: str, step: str) -> None:
    trace = read_net(LONG, Plan(verdicts=list(verdicts)).model(), **options)
    _, came, _ = followed(trace, "qrmem", "ned farrow had come from port ellary as a boy", NET_QUESTION)
    assert (came.kind, trace.steps[came.step].names[-1]) == (kind, step)


def test_a_right_answer_of_the_questions_own_words_does_not_tell_that_the_fact_was_used() -> None:
    question, trace = "What was sold first, the bell or the lamp?", read(Case("whole", Part(answer="The bell."), "", ""))
    start = trace.document.text.index(FACT)
    lived = life(trace, Span(start, start + len(FACT)), get("whole").narrative)
    for right in (True, False, None):
        came = fate(trace, lived, question, right=right)
        assert came is not None
        assert came.kind == "in view"


def test_a_text_that_says_it_is_left_where_no_answer_comes() -> None:
    _, came, said = followed(read(Case("memwalker", Part(moves=[1, *["?"] * 9]), "", "")), "memwalker")
    assert came.kind == "opened, then left"
    assert said == "The summary of part 2.2 says it at step 6, and the reading ended without an answer."


def test_a_model_that_had_the_fact_in_its_last_prompt_declined() -> None:
    _, _, said = followed(read(DECLINED[0]), "memwalker")
    assert said == "The last prompt contained it, raw, but the model declined to answer."
    _, _, said = followed(read(DECLINED[2]), "memagent")
    assert said == "The last prompt contained it, in the memory after chunk 9, but the model declined to answer."


def test_a_page_that_was_asked_for_and_dropped_is_left_out_at_that_step() -> None:
    lived, came, said = followed(read(PAGES[7]), "readagent")
    assert lived.by_step[came.step].state == "left out"
    assert said == "It was found, but left out at step 11; the model was not shown it after that."


def test_a_text_that_may_say_it_is_unclear_in_the_answering_call_too() -> None:
    lived, *_ = followed(read(PAGES[5]), "readagent")
    last = list(lived.by_step.values())[-1]
    assert (last.state, last.answering) == ("unclear", True)


def test_what_a_text_lost_the_next_has_not_unless_some_of_the_fact_stood_there_raw_again() -> None:
    trace = read(Case("memagent", Part("Nobody came.", later=lambda call: "There was a tannery."), "", ""))
    across = "In the harbour they worked, as harbour people do. \n\nPart 5 is about the tannery."
    inside = across[: across.index("\n")]
    lives = {words: followed(trace, "memagent", words)[0] for words in (across, inside)}
    verdicts = {words: [text.verdict for text in lived.texts.values()] for words, lived in lives.items()}
    assert verdicts == {across: ["lost", "unclear", "unclear", "unclear", "unclear"], inside: ["lost"] * 5}


# What a sentence says of a text, and what the text then says by its words.
CLAIMS: Mapping[str, Verdict] = {
    r"(?P<name>[Tt]he [\w .]+?) says it\b(?! with)": "carried",
    r"(?P<name>[Tt]he [\w .]+?)(?:, written at step (?P<step>\d+),| \(step (?P<by>\d+)\))? says it with another value": "altered",
    r"(?P<name>[Tt]he [\w .]+?)(?:, written at step (?P<step>\d+),)? does not(?: say it\b)?": "lost",
    r"The words of (?P<name>the [\w .]+?) do not settle": "unclear",
}


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_a_sentence_is_true_of_the_texts_it_names(case: Case) -> None:
    trace = read(case)
    lived, _, said = followed(trace, case.reader, question=case.question)
    names = get(case.reader).names(trace)
    texts = {called(refs.wrote(n), trace, names): n for n in trace.wrote}
    for claim, verdict in CLAIMS.items():
        for found in re.finditer(claim, said):
            number = texts[found["name"][0].lower() + found["name"][1:]]
            assert lived.texts[number].verdict == verdict, said
            if step := found.groupdict().get("step"):
                there = trace.steps[int(step) - 1]
                assert trace.wrote[number] in trace.of(there), said


def test_the_sentences_name_the_texts_and_steps() -> None:
    said = {
        (case.reader, case.fate): followed(read(case), case.reader)[2]
        for case in (WALKS[3], WALKS[5], PAGES[3], PAGES[6], MEMORIES[2], MEMORIES[9], OTHERS[0], OTHERS[4])
    }
    assert said == {
        ("memwalker", "passed over"): "The summary of part 2.2 says it. It was offered at step 6, and not opened.",
        ("memwalker", "lost in a text"): "The summary of part 2.2 says it; the summary of part 2, written at step 3, does not.",
        ("readagent", "lost in a text"): ("The model was shown it raw; the gist of page 5, written at step 10, does not say it."),
        ("readagent", "altered"): "The gist of page 5, written at step 10, says it with another value.",
        ("memagent", "not written down"): ("The model was shown it raw at step 5, and the memory after chunk 5 does not say it."),
        ("rememr1", "overwritten"): (
            "The memory after chunk 7 says it; the memory after chunk 8, written at step 8, does not, nor does any later one. "
            "A look back showed it to the model again at step 9, but not in the answering call."
        ),
        ("rememr1", "in view, not used"): (
            "The answering call contained it, in the memory after chunk 9. The words of the answer are not in it: lamp."
        ),
        ("whole", "cut off"): "It was cut off at step 1: the model was shown only other parts of the text.",
    }


def test_a_summary_that_the_program_cut_is_not_called_the_models() -> None:
    """Summaries of parts that are too long together are cut to shares of the room if the model's own is too long, too."""
    long = "They spoke of the weather, of the price of coal and of the road to the mill for a good while. "
    case = Case("memwalker", Part(long + FACT, above=long * 9, moves=[0, 0, COMMIT]), "", "", {"summary_limit_tokens": 64})
    _, came, said = followed(read(case), "memwalker")
    assert (came.kind, came.cut) == ("lost in a text", True)
    assert said == "The summary of part 2.2 says it; the summary of part 2, written at step 3, copies only another part of that."


def test_a_life_has_each_step_in_one_word() -> None:
    case = MEMORIES[3]
    lived, *_ = followed(read(case), case.reader)
    assert [(step + 1, moment.state) for step, moment in lived.by_step.items()] == [
        (5, "carried"), (6, "carried"), (7, "carried"), (8, "lost"), (9, "lost"), (10, "lost"),
    ]  # fmt: skip


def test_several_facts_have_the_fate_of_the_one_that_came_least_far() -> None:
    assert of_all([FactFate("used", 9), FactFate("lost in a text", 3), FactFate("overwritten", 5)]) == FactFate(
        "lost in a text", 3
    )
    assert of_all([]) is None


def test_a_reading_that_goes_on_has_no_fate() -> None:
    trace = read(MEMORIES[0])
    going = Trace(trace.document, trace.events[:-1])
    assert fate(going, life(going, Span(0, 20), get("memagent").narrative), QUESTION) is None


@pytest.mark.parametrize("case", [case for case in EVERY if case.fate not in ("used", "in view", "cannot be told")], ids=str)
def test_a_lost_fact_is_ringed_at_one_stage(case: Case) -> None:
    trace = read(case)
    lived, came, _ = followed(trace, case.reader)
    found = course(trace, lived, came)
    (at,) = (number for number, stage in enumerate(found.stages) if stage.decided)
    assert found.reached == at
    assert found.stages[at].step == came.step
