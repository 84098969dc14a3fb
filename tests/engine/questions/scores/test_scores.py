"""Every score is what an independent implementation of the published rule gives, on a hundred cases and more written by hand
(the `.tsv` files beside this one), and every trap of a published rule is reproduced and named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from readers.engine.questions.benchmarks.long_contexts import INFINITEBENCH_SCORES, LONGBENCH_SCORES
from readers.engine.questions.benchmarks.recognise import BENCHMARKS
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.questions.scores import (
    GROUPS,
    NOT_APPLICABLE,
    NOT_HERE,
    OF_BENCHMARK,
    RATED,
    SCORES,
    Scored,
    score,
    scores_named,
    scores_of,
    spelled,
)
from tests.engine.questions.scores import published
from tests.engine.questions.scores.published import Pair

HERE = Path(__file__).parent
CHOICES = {
    "inns": ("The Ram", "The Gull", "The Anchor", "The Old Ram"),
    "days": ("Monday", "Tuesday", "Wednesday", "Thursday"),
    "nested": ("other", "number:other", "location, number:other", "person"),
    "yes": ("Yes", "No"),
}
BY_CHOICE = ("accuracy", "longbench_v2", "infinitebench_choice", "longbench_class")
ENOUGH = 100


def cases(name: str) -> Iterator[list[str]]:
    for line in (HERE / f"{name}.tsv").read_text(encoding="utf-8").split("\n")[1:-1]:
        yield line.replace("\\n", "\n").split("\t")


def known(words: str) -> KnownAnswer:
    """The known answers of a case: `|` between those of which one is enough, `&` between those that are all required."""
    required = "&" in words and words != "Zoë & Cie"
    return KnownAnswer("Who?", answers=tuple(words.split("&" if required else "|")), all_required=required)


def held(name: str, got: Scored, expected: Pair, case: object) -> str:
    """The case, if the score is not what is expected of it; else nothing."""
    value, told = expected
    right = got.value == pytest.approx(value, abs=1e-9)
    right &= got.published == (None if told is None else pytest.approx(told, abs=1e-9))
    differ = got.value is not None and (got.published is None or abs(got.value - got.published) > 1e-12)
    named = bool(got.traps) == differ
    return "" if right and named else f"{name} of {case}: {got}, expected {expected}"


@pytest.mark.parametrize("name", published.SHORT)
def test_short_answers(name: str) -> None:
    given = [(answer, known(words)) for answer, words in cases("short_answers")]
    wrong = [held(name, SCORES[name].of(*one), published.SHORT[name](*one), one) for one in given]
    assert len(given) >= ENOUGH
    assert not [one for one in wrong if one]


@pytest.mark.parametrize("name", published.NUMBERS)
def test_numbers(name: str) -> None:
    before = "Paragraph " if name == "longbench_paragraph" else ""
    given = [(answer, known(before + words)) for answer, words in cases("numbers") if words.isdecimal()]
    wrong = [held(name, SCORES[name].of(*one), published.NUMBERS[name](*one), one) for one in given]
    assert len(given) >= ENOUGH
    assert not [one for one in wrong if one]


def test_babilong() -> None:
    given = [
        (answer, KnownAnswer(asked, answers=(wanted,), fields=(QuestionField("task", task),)))
        for task, asked, wanted, answer in cases("babilong")
    ]
    wrong = [held("babilong", SCORES["babilong"].of(*one), published.babilong(*one), one) for one in given]
    assert len(given) >= ENOUGH
    assert not [one for one in wrong if one]


@pytest.mark.parametrize("name", BY_CHOICE)
def test_choices(name: str) -> None:
    """The letter that an answer means is written beside it by hand: the value over everything asked is held against that."""
    given, found = list(cases("choices")), []
    for choices, letter, answer, meant in given:
        offered = CHOICES[choices]
        right = offered[ord(letter) - 65]
        value = float(meant == letter)
        told: dict[str, Pair] = {
            "accuracy": (value, value),
            "longbench_v2": (value, float(published.longbench_v2_letter(answer) == letter)),
            "infinitebench_choice": (value, float(published.infinitebench_right(answer, right, letter))),
            "longbench_class": published.class_score(answer, KnownAnswer("Which?", offered, (right,))),
        }
        found.append(held(name, SCORES[name].of(answer, KnownAnswer("Which?", offered, (right,))), told[name], (answer, letter)))
    assert len(given) >= ENOUGH
    assert not [one for one in found if one]


def test_each_score_is_held_against_another_implementation() -> None:
    assert set(SCORES) == {*published.SHORT, *published.NUMBERS, *BY_CHOICE, "babilong"}


TEN = known("ten")
ROOM = KnownAnswer("How many?", answers=("none",), fields=(QuestionField("task", "qa7"),))
NESTED = KnownAnswer("Which?", CHOICES["nested"], ("location, number:other",))
INN = KnownAnswer("Where?", CHOICES["inns"], ("The Gull",))


@pytest.mark.parametrize(
    ("name", "answer", "asked", "value", "told", "trap"),
    [
        ("sub_em", "", TEN, 0, None, score.EMPTY_DROPPED),
        ("sub_em", "So the answer is Marsh", known("Marsh House"), 0, 1, score.PART_OF_KNOWN),
        ("sub_em_boxed", "\\boxed{.}", TEN, 0, 1, score.NO_WORDS_RIGHT),
        ("sub_em", "the answer is B", known("A"), 0, 1, score.KNOWN_NO_WORDS),
        ("sub_em", "the answer is noon", known("twelve|noon"), 1, 0, score.FIRST_ONLY),
        ("sub_em", "the answer is often", TEN, 0, 1, score.INSIDE_A_WORD),
        ("sub_em_boxed", "\\boxed{1}", known("1&2&3"), 1 / 3, 0.33, score.ROUNDED),
        ("sub_em", "It is ten. Therefore, the answer is **nine**.", TEN, 1, 0, score.ONLY_AFTER_ITS_WORDS),
        ("sub_em", "Ten, so \\boxed{ten}", TEN, 1, 0, score.ONLY_AFTER_ITS_WORDS),
        ("sub_em_boxed", "\\boxed{ten", TEN, 1, 0, score.ONLY_BOXED),
        ("sub_em_boxed", "Therefore, the answer is ten.", TEN, 1, 0, score.ONLY_BOXED),
        ("substring", "It was B", known("A"), 0, 1, score.KNOWN_NO_WORDS),
        ("substring", "often", TEN, 0, 1, score.INSIDE_A_WORD),
        ("ruler", "often", TEN, 0, 1, score.INSIDE_A_WORD),
        ("longbench_v2", "(B) The Gull", INN, 1, 0, score.ONLY_ITS_WORDS),
        ("longbench_v2", "The correct answer is Because of the sign.", INN, 0, 1, score.LETTER_OF_A_WORD),
        ("infinitebench_choice", "At The Gull", INN, 1, 0, score.FIRST_LETTER),
        ("longbench_class", "location, number:other", NESTED, 1, 0.5, score.SKIPPED_CLASS),
        ("babilong", "none", ROOM, 1, 0, score.LABEL_IN_A_WORD),
        ("rouge_1", "café", known("cafe"), 0, 0, ""),
        ("rouge_l", "café", known("caf"), 0, 1, score.ASCII_ONLY),
        ("longbench_rouge", "sold", known("Sold"), 1, 0, score.AS_TYPED),
        ("infinitebench_number", "7 or 8", known("8"), 1, 0, score.FIRST_NUMBER),
        ("infinitebench_name", "Mary Ann", known("MARY ANN"), 1, 0, score.ONE_WORD_ONLY),
        ("infinitebench_name", "Ann", known("MARY|ANN"), 1, 0, score.FIRST_ONLY),
        ("infinitebench_key", "F3A9", known("f3a9"), 1, 0, score.CAPITALS),
    ],
)  # fmt: skip
def test_traps(name: str, answer: str, asked: KnownAnswer, value: float, told: float | None, trap: str) -> None:
    got = SCORES[name].of(answer, asked)
    assert got.value == pytest.approx(value)
    assert got.published == (None if told is None else pytest.approx(told))
    assert got.traps[:1] == ((trap,) if trap else ())


def test_the_published_sub_em_takes_the_answer_from_the_reply_and_not_what_the_reader_took_from_it() -> None:
    reply = "<think>the answer is nine</think>\nIt has \\boxed{nine} or \\boxed{ten}<｜end▁of▁sentence｜>"
    assert SCORES["sub_em_boxed"].of("ten", TEN, reply=reply) == Scored(1, 1)
    assert SCORES["sub_em"].of("ten", TEN, reply=reply) == Scored(1, 0, (score.ONLY_AFTER_ITS_WORDS,))
    said = "Not \\fbox{nine}: therefore, the answer is (ten).<｜end▁of▁sentence｜>"
    assert SCORES["sub_em"].of("ten", TEN, reply=said) == Scored(1, 1)
    assert SCORES["sub_em_boxed"].of("ten", TEN, reply=said) == Scored(1, 0, (score.ONLY_BOXED,))


def test_what_nobody_knows_has_no_score_and_no_answer_is_0_where_one_is_known() -> None:
    for one in SCORES.values():
        assert one.of("x", None) == one.of("x", KnownAnswer()) == NOT_APPLICABLE
        assert one.source
        assert one.title
    assert SCORES["f1"].of(None, TEN) == Scored(0, 0)
    assert SCORES["accuracy"].of(None, INN) == Scored(0, 0)
    assert SCORES["accuracy"].of("ten", TEN) == NOT_APPLICABLE


def test_where_the_text_gives_no_answer_none_is_right_as_in_squad() -> None:
    nothing = KnownAnswer("Who?", answerable=False)
    assert [SCORES[name].of(None, nothing).value for name in ("exact_match", "f1", "substring", "rouge_l")] == [1, 1, None, None]
    assert SCORES["f1"].of("Sarn", nothing) == Scored(0, 0)


def test_the_fields_of_a_question_reach_its_score() -> None:
    asked = SetQuestion("q", "d", "Where?", answers=("Sarn",), answerable=True, fields=(QuestionField("dataset", "triviaqa"),))
    assert SCORES["longbench_qa_f1"].of("Sarn\nQuestion: more", KnownAnswer.of(asked)) == Scored(1, 1)


def test_a_task_of_infinitebench_has_its_own_score() -> None:
    for task, name in (("passkey", "number"), ("kv_retrieval", "key"), ("longdialogue_qa_eng", "name")):
        asked = KnownAnswer(
            "?", answers=("71432",), fields=(QuestionField("task", task), QuestionField("scores", "infinitebench"))
        )
        given = {one.name: one.of("It is 71432.", asked) for one in scores_of(asked)}
        assert {one for one, got in given.items() if got != NOT_APPLICABLE} == {f"infinitebench_{name}"}


def test_scores_are_found_by_the_names_that_benchmarks_give_them() -> None:
    assert [one.name for one in scores_named(["f1", "rouge", "rouge_l", "lr"])] == ["f1", *GROUPS["rouge"]]
    given = {name for one in BENCHMARKS for name in one.scores} | {*LONGBENCH_SCORES.values(), *INFINITEBENCH_SCORES.values()}
    for name in given | {"string_match_part", "string_match_all"}:
        assert all(one in SCORES or one in RATED for one in spelled([name])) or name in NOT_HERE, name
    assert all(one in SCORES for names in OF_BENCHMARK.values() for one in names)
    assert {name for name, _ in OF_BENCHMARK} <= {one.name for one in BENCHMARKS}


@pytest.mark.parametrize(
    ("fields", "choices", "names"),
    [
        ({}, (), ["exact_match", "f1", "substring"]),
        ({}, ("a", "b"), ["accuracy"]),
        ({"benchmark": "HotpotQA", "scores": "exact_match, f1"}, (), ["exact_match", "hotpotqa_f1"]),
        ({"benchmark": "RULER-HQA", "scores": "substring_match"}, (), ["sub_em", "sub_em_boxed"]),
        ({"benchmark": "QMSum", "scores": "rouge_1, rouge_2, rouge_l"}, (), ["rouge_1", "rouge_2", "rouge_l"]),
        ({"benchmark": "NarrativeQA", "scores": "bleu_1, rouge_l"}, (), ["rouge_l"]),
    ],
)
def test_a_question_has_the_scores_it_is_published_with(
    fields: dict[str, str], choices: tuple[str, ...], names: list[str]
) -> None:
    asked = KnownAnswer("?", choices, ("a",), fields=tuple(QuestionField(*one) for one in fields.items()))
    assert [one.name for one in scores_of(asked)] == names
