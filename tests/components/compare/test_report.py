"""Compare: what the page says, worked out by hand; and that nothing hostile becomes markup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from components.compare import answers, choose, costs, maps, pair, report
from components.html import cost_lines, markup, pictures
from components.html.words import parting_words
from components.html.words.wording import Chip
from components.player import ending
from readers.engine.analysis.differences import Difference, Divergence, OpenedPlace, Setting
from readers.engine.analysis.measures import NAMES
from readers.engine.analysis.same_question import groups, of_same_question
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.costs import Costs, Tally, cheapest, compare_costs
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.report.html import table as versus
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.store import Reading, Run
from readers.engine.text.document import Document, Span
from tests.components.html.test_markup import ATTRIBUTES, HOSTILE, TAGS, Seen

CHIP = Chip(HOSTILE, HOSTILE, "good", HOSTILE)


def run(run_id: str, question: str = "Where?", document: str = "d", **columns: Any) -> Run:
    return Run(
        run_id,
        document,
        columns.pop("reader", "memwalker"),
        question,
        columns.pop("spec", {"model": "a/b"}),
        "finished",
        **columns,
    )


def test_readings_of_one_question_stand_together_and_those_read_more_than_once_first() -> None:
    runs = [run("1", "Who?"), run("2"), run("3", "Who?", "e"), run("4", experiment="x"), run("5", " Where? ")]
    found = groups(runs)
    assert [[one.id for one in group] for group in found] == [["2", "5"], ["1"], ["3"]]
    near = groups(runs, near=runs[2])
    assert near[0] == [runs[2]]
    assert [one.id for one in of_same_question(runs[1], runs)] == ["5"]


def test_a_question_in_the_same_words_is_one_question_and_its_choices_are_told() -> None:
    plain, spaced = run("1", "Where is it?"), run("2", " Where\nis  it? ")
    offered = replace(plain, id="3", spec={"model": "a/b", "choices": ["here", "there"]})
    assert groups([plain, spaced, offered]) == [[plain, spaced, offered]]
    assert of_same_question(offered, [plain, spaced, offered]) == [plain, spaced]
    assert report.choices_told([plain, spaced]) == {}
    told = {"1": "without choices", "2": "without choices", "3": "with choices"}
    assert report.choices_told([plain, spaced, offered]) == told
    other = replace(offered, id="4", spec={"model": "a/b", "choices": ["near", "far"]})
    assert report.choices_told([offered, other]) == {"3": "with choices: here …", "4": "with choices: near …"}


def test_the_model_is_named_where_the_models_differ() -> None:
    one, other = run("1"), run("2", reader="readagent", spec={"model": "c/d"})
    assert report.numbered([one, replace(one, id="3")]) == ["1 · MemWalker", "2 · MemWalker"]
    assert report.numbered([one, other]) == ["1 · MemWalker · a/b", "2 · ReadAgent · c/d"]
    assert report.called(replace(one, name="mine")) == "mine · MemWalker · a/b"
    assert report.by(run("4", reader="gone")) == "gone · a/b"
    switched = run("5", spec={"model": "a/b", "edits": [{"kind": "model", "seq": 4, "model": "human/you"}]}, parent="1")
    both = [one, switched]
    assert report.numbered(both) == ["1 · MemWalker · a/b, the parent", "2 · MemWalker · a/b, then you, a fork of 1"]


def test_the_strategies_of_one_reader_are_told_apart_in_lists() -> None:
    spec = {"model": "a/b", "options": {"strategy": "expansion"}}
    both = [run("1", reader="qrmem", spec=spec), run("2", reader="qrmem", spec={"model": "a/b"})]  # not given: the default
    assert report.numbered(both) == ["1 · QRMeM, hop by hop", "2 · QRMeM, one by one"]
    assert report.called(both[0]) == "QRMeM, hop by hop · a/b"


def test_a_fork_is_told_from_its_parent_by_name_everywhere() -> None:
    parent, child = run("1"), run("2", parent="1", name="other child", edit={"kind": "again", "seq": 3})
    assert report.numbered([parent, child]) == ["1 · MemWalker, the parent", "2 · other child, a fork of 1"]
    assert report.titles([parent, child]) == ["MemWalker, the parent · a/b", "other child, a fork of 1 · MemWalker · a/b"]
    assert report.numbered([child, run("3")]) == ["1 · other child, a fork", "2 · MemWalker"]
    assert report.numbered([run("4", edit={"kind": "again", "seq": 3})]) == ["1 · MemWalker, a fork"]  # its parent is deleted


def test_forks_stand_beside_their_parents() -> None:
    fork, other, parent, late = run("2", parent="1"), run("3", parent="gone"), run("1"), run("4", parent="2")
    assert [one.id for one in report.beside_parents([fork, other, late, parent, run("5")])] == ["3", "1", "2", "4", "5"]


def test_that_there_is_no_answer_is_said_once() -> None:
    known = {"1": KnownAnswer("Where?", answers=("Here",))}
    assert [chip.word for chip in answers.chips(run("1", outcome="no_answer"), known)] == ["wrong: no answer given"]
    assert [chip.word for chip in answers.chips(run("1", outcome="gave_up"), known)] == ["wrong: no answer given", "gave up"]


def test_a_map_has_some_720_stretches_at_most_and_the_most_of_each_is_shown() -> None:
    cells = [(0, 500, ((0, 1),)), (500, 600, ((0, 1), (4, 2))), (900, 1000, ((2, 1),))]
    found = maps.condensed(cells, 1000)
    assert [state for *_, state in found] == [1, 2, 1]
    assert [round(start, 2) for start, *_ in found] == [0, 0.5, 0.9]
    assert [round(end, 2) for _, end, _ in found] == [0.5, 0.6, 1]
    assert maps.condensed([], 1000) == []
    assert maps.condensed([], 0) == []
    many = [(n, n + 1, ((0, 1 + n % 2),)) for n in range(100_000)]
    assert maps.condensed(many, 100_000) == [(0, 1, 2)]
    assert maps.condensed([(99, 100, ((0, 2),))], 10_000_000) == [(0, 1 / 720, 2)]  # however small, it is there


def told(answered: Run, names: dict[str, str], text: str) -> str:
    return maps.where(ending.basis(answered, Document.of(text), names), names, Document.of(text))


def test_places_are_told_in_shares_of_the_text() -> None:
    assert parting_words.place(Span(100, 200), LONG) == "10% to 20% of the text"
    assert parting_words.place(Span(100, 101), LONG) == "10.0% to 10.1% of the text"
    answered = run("1", outcome="answered", answer="x", evidence=(Span(0, 500), Span(600, 700)))
    text = "x" * 1000
    assert told(answered, {"document:0-500": "part 1"}, text) == (
        "in view, with no word of the answer: part 1 (0% to 50% of the text); 60% to 70% of the text"
    )
    many = replace(answered, evidence=tuple(Span(n * 100, n * 100 + 50) for n in range(6)))
    assert told(many, {}, text).endswith("; 2 more places")
    assert told(replace(answered, evidence=()), {}, text) == told(run("2", outcome="no_answer"), {}, text) == ""


WORDS = "It rained on the quay. The ledger lay under the third step. Nobody came by at all. "
LONG = Document("Long", "x" * 1000)
PIECES = {"document:0-23": "piece 1", "document:23-60": "piece 2", "document:60-83": "piece 3", "document:0-23,60-83": "2 pieces"}


def test_of_several_places_in_view_those_that_hold_the_answers_words_are_the_evidence() -> None:
    """Pieces that touch are one span of the record, and keep their names; an answer in other words rests on all of them."""
    asked = run(
        "1",
        "Where was the ledger?",
        outcome="answered",
        answer="The ledger lay under the third step.",
        evidence=(Span(0, 60), Span(60, 83)),
    )
    assert told(asked, PIECES, WORDS) == "piece 2 (28% to 72% of the text); 2 others were in view too"
    three = ending.places_named((Span(0, 83),), PIECES)
    assert three == [Span(0, 23), Span(23, 60), Span(60, 83)]
    held = ending.holding(WORDS, asked.answer, three)
    assert ending.where_found(three, held, PIECES, LONG) == "its words occur in piece 2; 2 other places were also in view"
    for other in ("Below a step.", "the third", "", None):
        assert ending.holding(WORDS, other, three) == []
    across = "the third step. Nobody came by"
    assert ending.holding(WORDS, across, three) == three[1:]
    assert ending.where_found(three, three, PIECES, LONG) == "found in piece 1 and piece 2 and piece 3 of the text"
    assert ending.where_found([], [], PIECES, LONG).startswith("The model saw no part of the text itself")
    assert ending.places_named((Span(5, 60),), PIECES) == [Span(5, 60)]  # no pieces make it up


def test_a_map_is_told_to_those_who_do_not_see_it() -> None:
    told = maps.map_told({"read_fraction": 0.05, "coverage_fraction": 1.0}, "page 6", [Span(450, 500)], LONG)
    assert told == (
        "5% of the text was read raw on the way to the answer, 100% raw or through a summary or memory. Evidence: page 6. "
        "Known place: 45% to 50% of the text."
    )


def rows(table: Table) -> list[tuple[str, list[str], bool]]:
    return [(row.name, [str(cell.content) for cell in row.cells], row.differs) for row in table.rows]


def test_a_measure_that_does_not_apply_is_no_difference_and_a_memory_has_the_common_name() -> None:
    one, other = dict.fromkeys(NAMES), dict.fromkeys(NAMES)
    found = report.measures_table([{**one, "reverts": 2, "calls_live": 1200}, {**other, "calls_live": 3}], ["1", "2"])
    assert rows(found) == [("Calls made", ["1,200", "3"], True), ("Turned back", ["2", "–"], False)]
    kept = [{"memory_tokens": [3]}, {"memory_tokens": [5]}]
    tables = [report.measures_table(kept, ["1", "2"], memories=words) for words in (["message"] * 2, ["message", "memory"])]
    assert [table.rows[0].name for table in tables] == ["Message, in tokens", "Memory, in tokens"]


def tally(calls: int, tokens: int | None, usd: str | None) -> Tally:
    return Tally(calls, tokens, 0, None if usd is None else Fraction(usd))


def spent(building: str | None, asking: str) -> Costs:
    return Costs(
        tally(1, int(Fraction(building) * 100) if building else 1, building), tally(2, int(Fraction(asking) * 100), asking)
    )


def test_costs_say_what_is_unknown_and_what_is_nothing() -> None:
    both = [Costs(tally(25, 10_098, "0"), tally(3, None, None)), Costs(tally(0, 0, "0"), tally(1, 7, "0.0123"))]
    found = rows(report.costs_table(both, ["1", "2"]))
    assert found[0] == ("Building (once a text): calls", ["25", "0"], True)
    assert found[3] == ("Building (once a text): price", ["free", "free"], False)
    assert found[5] == ("Asking (each question): tokens sent", ["unknown", "7"], True)
    assert found[7] == ("Asking (each question): price", ["unknown", "$0.0123"], True)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (
            spent("1", "0.1"),
            spent("0", "0.3"),
            "Counted in dollars, reading 4 is cheaper for up to 5 questions (at 5 they cost the same). From 6 questions on, "
            "reading 2 is cheaper.",
        ),
        (
            spent("1", "0.1"),
            spent("0", "0.31"),
            "Counted in dollars, reading 4 is cheaper for up to 4 questions. From 5 questions on, reading 2 is cheaper.",
        ),
        (
            spent("0.3", "0.1"),
            spent("0", "0.3"),
            "Counted in dollars, reading 4 is cheaper for the first question. From 2 questions on, reading 2 is cheaper.",
        ),
        (
            spent("0.2", "0.1"),
            spent("0", "0.3"),
            "Counted in dollars, both cost the same for the first question. From 2 questions on, reading 2 is cheaper.",
        ),
        (
            spent("1", "0.1"),
            spent("1", "0.2"),
            "Counted in dollars, reading 2 is cheaper from the first question on; reading 4 never becomes cheaper.",
        ),
        (spent("1", "0.1"), spent("1", "0.1"), "Counted in dollars, both cost the same, however many questions are asked."),
        (
            spent(None, "0.1"),
            spent("1", "0.2"),
            "Counted in tokens sent and received (a price is not known), reading 2 is cheaper from the first question on; "
            "reading 4 never becomes cheaper.",
        ),
        (
            Costs(tally(1, None, None), tally(1, 1, None)),
            spent("1", "1"),
            "Which is cheaper is unknown: some calls have no price and no token count.",
        ),
    ],
)
def test_from_how_many_questions_on_one_is_cheaper_is_a_sentence(one: Costs, other: Costs, told: str) -> None:
    assert costs.balance_told(compare_costs(one, other), (one, other), (2, 4)) == told


def test_the_figure_of_costs_has_a_line_a_reading_and_where_they_cross() -> None:
    both = spent("1", "0.1"), spent("0", "0.3")
    stages = cheapest(both)
    figure = cost_lines.by_questions({"reading 2": both[0], "reading 4": both[1]}, "dark")
    one, other = figure["data"]
    assert (one["name"], other["name"]) == ("reading 2", "reading 4")
    assert one["x"] == list(range(1, 13))
    assert one["y"][4] == pytest.approx(other["y"][4])
    assert one["y"][5] < other["y"][5]
    assert one["line"]["dash"] != other["line"]["dash"]
    assert figure["layout"]["shapes"][0]["x0"] == 6
    late = [stages[0], stages[1]._replace(questions=10_000)]
    assert len(cost_lines.questions(late)) <= 62
    assert cost_lines.questions(late)[-1] == 20_000
    lines = cost_lines.by_questions({str(n): spent("1", f"0.{n}") for n in range(1, 9)}, "light")["data"]
    assert len({(line["line"]["color"], line["line"]["dash"], line["marker"]["symbol"]) for line in lines}) == 8


def test_of_three_readings_the_cheapest_is_named_with_its_reader() -> None:
    names = ["reading 1 (MemWalker)", "reading 2 (ReadAgent)", "reading 3 (Retrieval)"]
    found = [spent("1", "0.1"), spent("0.6", "0.15"), spent("0", "0.3")]
    assert cost_lines.cheapest_told(cheapest(found), found, names) == (
        "Counted in dollars, reading 3 (Retrieval) is the cheapest for up to 4 questions; reading 2 (ReadAgent) is the cheapest "
        "for up to 8 questions; reading 1 (MemWalker) is the cheapest from 9 questions on."
    )
    free = [one._replace(building=one.building._replace(dollars=Fraction(0)), asking=one.asking._replace(dollars=Fraction(0)))
            for one in (spent("1", "0.4"), spent("0", "0.3"), spent("0", "0.3"))]  # fmt: skip
    assert cost_lines.cheapest_told(cheapest(free), free, names) == (
        "Counted in tokens sent and received (none of this is paid for), reading 2 (ReadAgent) and reading 3 (Retrieval) are the "
        "cheapest, however many questions are asked."
    )
    unknown = [*found, Costs(tally(1, None, None), tally(1, 1, None))]
    assert cost_lines.cheapest_told(cheapest(unknown), unknown, names).startswith("Which is the cheapest is unknown")


def test_replies_of_a_person_are_not_counted_and_that_is_said() -> None:
    def edited(count: int) -> Reading:
        called = Record(0, 0, "", "", "p", "choose", False, "[]", "", 0, "edited", "m", reply="x")
        return reading()._replace(records=[called] * count)

    one = "One reply, of reading 2, was written by a person, so its tokens are not counted."
    assert costs.by_hand([reading(), edited(1)]) == one
    assert costs.by_hand([edited(2), edited(1)]) == (
        "Replies that were written by a person, 2 of reading 1 and 1 of reading 2, are not counted with their tokens."
    )
    assert costs.by_hand([reading()]) == ""


def reading(question: str = "Where?") -> Reading:
    return Reading(run("1", question), Document("t", "text"), Trace(Document("t", "text"), ()), [])


def test_where_two_part_is_told_with_the_sentence_of_each_step() -> None:
    both, told = (reading(), reading()), (["It cut.", "It opened part 1."], ["It cut.", "It went back up."])
    found = parting_words.parting(Difference("chose", (1, 1), ("wrote:1", "back up")), both, told, ({}, {}))
    assert found.lead == "Another choice was made."
    assert [side[:2] for side in found.sides] == [(1, "It opened part 1."), (1, "It went back up.")]
    wrote = Difference("wrote", (0, 0), ("wrote:3", "wrote:3"), ("… at noon", "… at night"))
    found = parting_words.parting(wrote, both, told, ({"wrote:3": "part 1.3"}, {}))
    assert found.lead == "Another text was written, for part 1.3."
    assert [words for *_, words in found.sides] == ["… at noon", "… at night"]
    other = parting_words.parting(Difference("asked", (1, 1)), (reading(), reading("Who?")), told, ({}, {}))
    assert other.lead == "The model was asked something else: the questions are not the same."
    over = parting_words.parting(Difference("over", (0, None)), both, told, ({}, {}))
    assert over.sides[1][1] == "It has no steps."
    assert parting_words.parting(None, both, told, ({}, {})) == parting_words.ALIKE


def test_where_two_ways_part_is_told_in_places_of_the_text() -> None:
    found = parting_words.ways_told(Divergence((1, 1), (OpenedPlace(7, Span(450, 500)), None)), LONG)
    assert found.lead == "After places that overlap, in the same order, they went to different ones."
    assert [said for _, said, _ in found.sides] == ["It opened 45% to 50% of the text.", "It opened nothing more word for word."]
    assert [step for step, *_ in found.sides] == [7, None]
    assert parting_words.ways_told(None, LONG).sides == ()
    beside = parting_words.ways_told(
        Divergence((0, 0), (OpenedPlace(6, Span(270, 320)), OpenedPlace(15, Span(290, 370))), overlap=True), LONG
    )
    assert beside.lead == "Their places overlap, but they are not the same, from the first one on."
    assert [said for _, said, _ in beside.sides] == ["It opened 27% to 32% of the text.", "It opened 29% to 37% of the text."]


def test_a_setting_that_differs_is_marked_by_a_sign_and_a_word() -> None:
    found = [Setting("Compared by", ("Shared words (BM25)", "–"), False), Setting("Temperature", ("0.0", "0.5"))]
    table = report.settings_table(found, ["1", "2"], title="Setting", marked=True)
    assert rows(table) == [("Compared by", ["Shared words (BM25)", "–"], True), ("Temperature", ["0.0", "0.5"], True)]
    seen = Seen(versus(table, kind="versus"))
    assert seen.words.count("≠") == seen.words.count("differs") == 2
    assert not any(row.differs for row in report.settings_table(found, ["1", "2"], title="Setting", marked=False).rows)


def test_what_it_means_to_be_locked_together_is_said() -> None:
    assert "equally far through their own steps" in parting_words.stepping(False, 3)
    assert "alike before step 4, where they part" in parting_words.stepping(True, 3)
    assert parting_words.stepping(True, None) == "Locked together, both show the step with the same number."
    stopped = replace(run("1"), status="cancelled")
    assert costs.unfinished([stopped, run("2")], (1, 3)) == "Reading 1 stopped before the end: this is what it cost until then."
    assert costs.unfinished([run("1"), run("2")], (1, 3)) == ""


BUILT: dict[str, Callable[[], str]] = {
    "group_head": lambda: choose._group_head(HOSTILE, [HOSTILE]),
    "map_head": lambda: maps._head(1, HOSTILE, CHIP, [HOSTILE]),
    "compared_answer": lambda: markup.compared_answer(HOSTILE, HOSTILE, HOSTILE),
    "versus": lambda: versus(Table(HOSTILE, columns(HOSTILE), [Row(HOSTILE, [Cell(HOSTILE)])], head=HOSTILE), kind="versus"),
    "parting": lambda: pair._parting_html(HOSTILE, [(HOSTILE, HOSTILE, HOSTILE)], HOSTILE),
    "reading_line": lambda: answers._reading_line(1, HOSTILE, [CHIP], "", facts=[HOSTILE]),
    "answered": lambda: answers._answered(HOSTILE, HOSTILE),
    "unanswered": lambda: answers._unanswered(HOSTILE),
    "balance": lambda: costs._balance(HOSTILE, HOSTILE),
    "axis": lambda: pictures.axis([(0.5, HOSTILE)]),
    "small_map": lambda: pictures.small_map([(0, 0.5, 1)], [(0.1, 0.2)], [(0.3, 0.4)], stated=True, told=HOSTILE),
}


@pytest.mark.parametrize("name", BUILT)
def test_hostile_words_show_as_themselves(name: str) -> None:
    seen = Seen(BUILT[name]())
    assert seen.tags <= TAGS | {"thead"}
    assert set(seen.attributes) <= ATTRIBUTES | {"style"}
    assert HOSTILE in seen.words or HOSTILE in seen.attributes.get("title", []) + seen.attributes.get("aria-label", [])
