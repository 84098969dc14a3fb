"""A lesson's file is read strictly, and an error names the line."""

from __future__ import annotations

import pytest

from components.lessons.lesson import ClassStage, LessonChoice, LessonQuestion
from components.lessons.lesson_file import parse
from readers.engine.errors import BadFile

GOOD = """# A title
method: skim
about: What it is about.
goal: Say this.
goal: Say that.

## Watch
minutes: 4
recording: one
known: yes
note: Take your time.
plan: 1 Vote. | Open a part
plan: 3? Talk.

Words before,
on two lines.

More words.

### Open a part
step: 3
ask: Which one?

It opened one.

### Count
step: 4
recording: two
ask: How many?
- [ ] One
  No.
- [x] Two
  Yes,
  two.
proof: two of them
absent: three of them
unwritten: four of them
voted: once

Two: because it said so.

## Ask
minutes: 1

### Why?
- [x] Because
  Indeed.
- [ ] For nothing
  No.
"""


def test_a_lesson_is_read_with_all_that_it_has() -> None:
    lesson = parse(GOOD, "skim.md")
    assert (lesson.id, lesson.title, lesson.method, lesson.minutes) == ("skim", "A title", "skim", 5)
    assert lesson.goals == ("Say this.", "Say that.")
    watch, ask = lesson.sections
    assert watch.words == ("Words before, on two lines.", "More words.")
    assert (watch.known, watch.notes) == (True, ("Take your time.",))
    assert watch.plan == (ClassStage(1, "Vote.", "Open a part"), ClassStage(3, "Talk.", spare=True))
    first, second = watch.parts
    assert (first.recording, first.step, first.prediction) == ("one", 3, LessonQuestion("Which one?"))
    assert (second.recording, second.step, second.words) == ("two", 4, ("Two: because it said so.",))
    choices = (LessonChoice("One", "No.", right=False), LessonChoice("Two", "Yes, two.", right=True))
    assert second.prediction == LessonQuestion("How many?", choices, once=True)
    assert (second.proof, second.absent, second.unwritten) == (("two of them",), ("three of them",), ("four of them",))
    assert [check.ask for check in ask.checks] == ["Why?"]


def test_repairs_of_a_recording_are_chosen_among_in_the_place_of_choices() -> None:
    lesson = parse(GOOD.replace("ask: Which one?", "ask: Which one?\nrepair: three\nrepair: four", 1), "skim.md")
    part = lesson.sections[0].parts[0]
    assert (part.repairs, part.recordings) == (("three", "four"), ("one", "three", "four"))
    assert part.prediction == LessonQuestion("Which one?")


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("# A title", "A title", 1, "begins with '# '"),
        ("about: What it is about.\n", "", 1, "about"),
        ("goal: Say this.", "aim: Say this.", 4, "no 'aim' is expected"),
        ("minutes: 4", "minutes: few", 8, "whole number"),
        ("plan: 1 Vote.", "plan: Vote.", 12, "minutes and what is done"),
        ("plan: 1 Vote.", "plan: 2 Vote.", 12, "together those of the section, 4"),
        ("known: yes", "known: maybe", 10, "'yes' or 'no'"),
        ("recording: one\n", "", 19, "recording"),
        ("step: 3", "step: 0", 21, "whole number"),
        ("step: 3", "step: 1", 20, "step 2 or later"),
        ("\nIt opened one.\n", "", 20, "needs a sentence"),
        ("- [ ] One", "- [x] One", 26, "one of them right"),
        ("  No.\n- [x] Two", "- [x] Two", 30, "feedback"),
        ("proof: two of them\n", "", 26, "proof"),
        ("- [x] Because", "* Because", 47, "a paragraph is expected"),
        ("voted: once", "voted: thrice", 38, "'once' or 'twice'"),
        ("step: 4\n", "step: 4\nstep: 5\n", 28, "twice"),
        ("step: 4\n", "step: 4\nwrite: Write it.\n", 26, "keeps"),
        ("step: 4\n", "step: 4\nrepair: three\nrepair: four\n", 26, "without choices"),
        ("ask: Which one?", "ask: Which one?\nrepair: three", 20, "2 lines 'repair: ...'"),
    ],
)
def test_a_slip_is_an_error_that_names_its_line(old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    with pytest.raises(BadFile) as error:
        parse(GOOD.replace(old, new, 1), "skim.md")
    assert "'skim.md'" in str(error.value)
    assert f"line {line}," in str(error.value)
    assert why in str(error.value)
