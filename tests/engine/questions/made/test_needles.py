"""Needles of each kind stand at their depths, the text keeps its words, and the seed decides everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.errors import BadOptions
from readers.engine.questions.import_questions import read_questions
from readers.engine.questions.made import Made
from readers.engine.questions.made.needles import KINDS, NeedleKind, with_needles
from readers.engine.questions.made.planted import shortened
from readers.engine.questions.question_importer import TextSources
from readers.engine.text import tokens
from readers.engine.text.document import Document

TEXT = Document.of("\n\n".join(f"Part {n} begins. The grey granary stands there. It ends." for n in range(200)), title="Parts")


def quoted(made: Made) -> list[str]:
    return [made.text[span.start : span.end] for span in made.evidence]


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_keeps_its_words_and_the_spans_hold(kind: NeedleKind) -> None:
    for made in with_needles(TEXT, kind, depths=(0, 25, 60, 100), seed=5):
        rest = made.text
        for span in sorted((*made.evidence, *made.against), reverse=True):
            assert made.text[span.start : span.end].endswith(".")
            rest = rest[: span.start].rstrip(" ") + " " + rest[span.end :].lstrip(" ")
        assert rest.split() == TEXT.text.split()
        assert all(answer in " ".join(quoted(made)) for answer in made.answers)
        assert "grey granary" not in made.question


def test_one_needle_for_each_depth_where_it_belongs() -> None:
    made = list(with_needles(TEXT, depths=(100, 50, 0)))
    assert [one.fields["depth"] for one in made] == ["0", "50", "100"]
    starts = [one.evidence[0].start / len(TEXT.text) for one in made]
    assert starts[0] == 0
    assert 0.5 <= starts[1] < 0.52
    assert made[2].text.endswith(quoted(made[2])[0])
    before = made[1].text[: made[1].evidence[0].start]
    assert before.rstrip().endswith(".")  # after a whole sentence
    name = made[1].question.removeprefix("What is the number of the ").removesuffix("?")
    assert quoted(made[1]) == [f"The number of the {name} is {made[1].answers[0]}."]


def test_several_are_all_required_and_a_chain_leads_to_one_number() -> None:
    (several,) = with_needles(TEXT, "several", depths=(10, 50, 90))
    assert (len(several.answers), several.all_required, len(set(several.answers))) == (3, True, 3)
    (chain,) = with_needles(TEXT, "scattered", depths=(10, 50, 90))
    assert (len(chain.answers), chain.all_required, len(chain.evidence)) == (1, False, 3)
    name = chain.question.removeprefix("What is the number of the ").removesuffix("?")
    told = dict(one.removeprefix("The number of the ").removesuffix(".").split(" is ", 1) for one in quoted(chain))
    while (said := told.pop(name)).startswith("the same as"):
        name = said.removeprefix("the same as that of the ")
    assert (said, told) == (chain.answers[0], {})


def test_a_contradiction_comes_later_and_the_earlier_place_speaks_against() -> None:
    made = list(with_needles(TEXT, "contradicted", depths=(10, 50, 90)))
    assert [one.fields["depth"] for one in made] == ["10-50", "50-90"]
    for one in made:
        (older,), (newer,) = one.against, one.evidence
        assert older.end < newer.start
        assert one.answers[0] in quoted(one)[0]
        assert one.answers[0] not in one.text[older.start : older.end]


def test_the_seed_decides_everything_and_samples_differ() -> None:
    first, again, other = ([one.row for one in with_needles(TEXT, depths=(50,), samples=2, seed=s)] for s in (3, 3, 4))
    assert first == again
    assert len({row["answers"][0] for row in (*first, *other)}) == 4


def test_a_text_is_shortened_to_a_length_or_refused() -> None:
    short = shortened(TEXT, 1_000)
    assert 900 < tokens.count(short.text) <= 1_000
    assert TEXT.text.startswith(short.text)
    assert 90 < tokens.count(shortened(Document.of("word " * 5_000), 100).text) <= 100
    with pytest.raises(BadOptions, match="give a longer text"):
        shortened(TEXT, 1_000_000)


@pytest.mark.parametrize(
    ("kind", "depths", "says"),
    [("one", (101,), "from 0 to 100"), ("several", (5,), "at least two depths"), ("one", (), "1 to 100 depths")],
)
def test_impossible_needles_are_refused(kind: NeedleKind, depths: tuple[float, ...], says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        list(with_needles(TEXT, kind, depths=depths))


def test_the_command_writes_a_file_that_is_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = tmp_path / "parts.txt", tmp_path / "needles.jsonl"
    given.write_text(TEXT.text)
    command = ["questions", "make-needles", str(given), "--kind", "contradicted", "--depth", "20", "--depth", "80"]
    assert main([*command, "--length", "500", "--length", "900", "-o", str(out)]) == 0
    assert "2 questions" in capsys.readouterr().out
    found = read_questions([(out.name, out)], TextSources())
    assert found.recognised == (("Needles", ("substring_match",), 2, 2),)
    assert all(len(one.evidence) == len(one.distractors) == 1 for one in found.set.questions)
