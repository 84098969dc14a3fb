"""All lessons, each read from its file in `assets/lessons`.

Pure; strict, so that a slip in a lesson is an error that names the line.

A heading, then `key: value` lines, then paragraphs, separated by blank lines.

    # Title                        about: goal: method: alone:
    ## Section                     minutes: drawing: recording: known: note: plan:
    ### A named part               step: recording: quote: proof: absent: unwritten: ask: votes: voted: write: keeps: repair:
    ### A question to answer       (no step)
    - [x] A choice that is right   (`- [ ]` for a wrong one; the indented lines below are its feedback)

A line of a plan is its minutes (`2?` if it may be left out), what is done, and after ` | ` what the screen shows. `voted: once`
is a prediction without a second vote. A `repair` is a recorded fork to choose from, in the place of a choice. `proof`, `absent`
and `unwritten` hold what a part says to its recording: `components/lessons/lesson.py` says how.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NoReturn

from components.lessons.lesson import ClassStage, Lesson, LessonChoice, LessonPart, LessonQuestion, LessonSection
from readers import READERS
from readers.engine.errors import BadFile, NotFound

_HEADING, _FIELD, _CHOICE = re.compile(r"(#{1,3}) (\S.*)"), re.compile(r"([a-z]+): (\S.*)"), re.compile(r"- \[([ x])\] (\S.*)")
MAY_REPEAT = ("goal", "note", "drawing", "quote", "proof", "absent", "unwritten", "plan", "repair")
LESSON_MAY = ("about", "method", "goal", "alone")
SECTION_MAY = ("minutes", "drawing", "recording", "known", "note", "plan")
PART_MAY = ("step", "recording", "quote", "proof", "absent", "unwritten", "ask", "votes", "voted", "write", "keeps", "repair")
FEWEST_CHOICES = 2


@dataclass
class _FileLine:
    """A line of a file, for errors that name it."""

    file: str
    number: int
    words: str

    def refuse(self, why: str) -> NoReturn:
        raise BadFile(f"The lesson {self.file!r} cannot be read: line {self.number}, {self.words[:60]!r}: {why}.")


@dataclass
class _HeadedPart:
    """A heading with the text below it, up to the next heading."""

    level: int
    title: str
    line: _FileLine
    fields: dict[str, list[tuple[str, _FileLine]]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    choices: list[tuple[LessonChoice, _FileLine]] = field(default_factory=list)

    def one(self, name: str, otherwise: str | None = None) -> str:
        """The value of a field; refused if there is none and no default."""
        found = self.fields.get(name)
        if found:
            return found[0][0]
        if otherwise is None:
            self.line.refuse(f"it needs a line '{name}: ...'")
        return otherwise

    def whole(self, name: str) -> int:
        """The value of a field that is a whole number from 1."""
        value = self.one(name)
        if not (value.isascii() and value.isdecimal() and int(value) > 0):
            self.fields[name][0][1].refuse("a whole number from 1 is expected")
        return int(value)

    def says(self, name: str, word: str, otherwise: str) -> bool:
        """Whether a field says `word`; without it, it says `otherwise`, and no other value is allowed."""
        value = self.one(name, otherwise)
        if value not in (word, otherwise):
            self.fields[name][0][1].refuse(f"{word!r} or {otherwise!r} is expected")
        return value == word

    def every(self, name: str) -> tuple[str, ...]:
        return tuple(value for value, _ in self.fields.get(name, ()))

    def allow(self, names: Sequence[str]) -> None:
        """Refuse a field that is not one of these, or occurs twice."""
        for name, found in self.fields.items():
            if name not in names:
                found[0][1].refuse(f"no {name!r} is expected here, but one of {', '.join(names)}")
            if len(found) > 1 and name not in MAY_REPEAT:
                found[1][1].refuse(f"{name!r} is there twice")


def parse(text: str, file: str) -> Lesson:
    """The lesson in a file's text; its id is the file's name without the ending. Raises BadFile, which names the line."""
    lines = [_FileLine(file, number, words.rstrip()) for number, words in enumerate(text.splitlines(), 1)]
    blocks = list(_blocks(lines))
    if not blocks or blocks[0].level != 1:
        _FileLine(file, 1, lines[0].words if lines else "").refuse("a lesson begins with '# ' and its title")
    head, *rest = blocks
    head.allow(LESSON_MAY)
    for block in rest:
        if block.level == 1:
            block.line.refuse("a lesson has one title")
    if not rest:
        head.line.refuse("a lesson needs a section, '## ' and its title")
    sections = tuple(_section(of_section) for of_section in _by_section(rest))
    alone = head.whole("alone") if "alone" in head.fields else 0
    lesson_id, method = file.rpartition(".")[0], head.one("method", "")
    return Lesson(lesson_id, head.title, head.one("about"), sections, method, head.every("goal"), alone)


def _by_section(blocks: Sequence[_HeadedPart]) -> list[list[_HeadedPart]]:
    """The blocks of each section, its own first."""
    found: list[list[_HeadedPart]] = []
    for block in blocks:
        if block.level == 2:
            found.append([block])
        elif found:
            found[-1].append(block)
        else:
            block.line.refuse("a section, '## ' and its title, is expected first")
    return found


def _section(blocks: Sequence[_HeadedPart]) -> LessonSection:
    head, *below = blocks
    head.allow(SECTION_MAY)
    if head.choices:
        head.choices[0][1].refuse("choices stand below a question, '### '")
    recording = head.one("recording", "")
    parts = tuple(_part(block, recording) for block in below if "step" in block.fields)
    checks = tuple(_check(block) for block in below if "step" not in block.fields)
    minutes, plan = head.whole("minutes"), _plan(head)
    if plan and sum(stage.minutes for stage in plan) != minutes:
        head.fields["plan"][0][1].refuse(f"the minutes of a section's plan are together those of the section, {minutes}")
    return LessonSection(
        head.title,
        minutes,
        tuple(head.words),
        parts,
        checks,
        drawings=head.every("drawing"),
        known=head.says("known", "yes", "no"),
        notes=head.every("note"),
        plan=plan,
    )


def _plan(block: _HeadedPart) -> tuple[ClassStage, ...]:
    found = []
    for value, line in block.fields.get("plan", ()):
        told, _, rest = value.partition(" ")
        minutes = told.removesuffix("?")
        what, _, screen = rest.partition(" | ")
        if not (minutes.isascii() and minutes.isdecimal() and what.strip()):
            line.refuse("minutes and what is done in them are expected, 'plan: 2 Vote alone.'")
        found.append(ClassStage(int(minutes), what.strip(), screen.strip(), spare=minutes != told))
    return tuple(found)


def _part(block: _HeadedPart, recording: str) -> LessonPart:
    block.allow(PART_MAY)
    if not block.words:
        block.line.refuse("a named part needs a sentence")
    of_reading, prediction = block.one("recording", recording or None), _prediction(block)
    step = block.whole("step")
    if (prediction or "write" in block.fields) and step == 1:
        block.line.refuse("what is predicted or written is of step 2 or later, so that there is a step to show before it")
    if ("write" in block.fields) != ("keeps" in block.fields) or (prediction and "write" in block.fields):
        block.line.refuse("'write: ...' needs 'keeps: ...', and stands without a prediction")
    if "repair" in block.fields and (prediction is None or prediction.choices or len(block.fields["repair"]) < FEWEST_CHOICES):
        block.line.refuse(f"{FEWEST_CHOICES} lines 'repair: ...' or more need 'ask: ...', and stand without choices")
    return LessonPart(
        block.title,
        of_reading,
        step,
        tuple(block.words),
        prediction,
        quotes=block.every("quote"),
        proof=block.every("proof"),
        absent=block.every("absent"),
        unwritten=block.every("unwritten"),
        write=block.one("write", ""),
        keeps=block.one("keeps", ""),
        repairs=block.every("repair"),
    )


def _prediction(block: _HeadedPart) -> LessonQuestion | None:
    if "ask" not in block.fields:
        for name in ("votes", "voted"):
            if name in block.fields:
                block.fields[name][0][1].refuse("it belongs to a prediction, which needs a line 'ask: ...'")
        if block.choices:
            block.choices[0][1].refuse("choices belong to a prediction, which needs a line 'ask: ...'")
        return None
    choices = _choices(block) if block.choices else ()
    if choices:
        block.one("proof")
    return LessonQuestion(block.one("ask"), choices, block.one("votes", ""), once=block.says("voted", "once", "twice"))


def _check(block: _HeadedPart) -> LessonQuestion:
    block.allow(())
    return LessonQuestion(block.title, _choices(block))


def _choices(block: _HeadedPart) -> tuple[LessonChoice, ...]:
    """The choices of a question: two or more, exactly one right, each with feedback."""
    found = [choice for choice, _ in block.choices]
    if len(found) < FEWEST_CHOICES or sum(choice.right for choice in found) != 1:
        block.line.refuse(f"{FEWEST_CHOICES} choices or more are expected, one of them right, '- [x] '")
    for choice, line in block.choices:
        if not choice.feedback:
            line.refuse("its feedback is expected below it, indented")
    return tuple(found)


def _blocks(lines: Sequence[_FileLine]) -> Iterator[_HeadedPart]:
    block: _HeadedPart | None = None
    begins = True  # whether the next line begins a paragraph
    for line in lines:
        heading = _HEADING.fullmatch(line.words)
        if heading:
            if block:
                yield block
            block, begins = _HeadedPart(len(heading[1]), heading[2], line), True
        elif not line.words:
            begins = True
        elif block is None:
            line.refuse("a lesson begins with '# ' and its title")
        else:
            _add(block, line, begins=begins)
            begins = False
    if block:
        yield block


def _add(block: _HeadedPart, line: _FileLine, *, begins: bool) -> None:
    """Put a line into its block: a field, a choice, feedback, or words of a paragraph."""
    choice = _CHOICE.fullmatch(line.words)
    if choice:
        block.choices.append((LessonChoice(choice[2], "", choice[1] == "x"), line))
    elif line.words.startswith("  ") and block.choices:
        before, at = block.choices[-1]
        said = f"{before.feedback} {line.words.strip()}".strip()
        block.choices[-1] = (LessonChoice(before.words, said, before.right), at)
    elif (found := _FIELD.fullmatch(line.words)) and not block.words:
        block.fields.setdefault(found[1], []).append((found[2], line))
    elif line.words.startswith((" ", "-", "#")):
        line.refuse("a heading, 'key: value', a choice '- [ ] ', feedback below a choice, or a paragraph is expected")
    elif begins or not block.words:
        block.words.append(line.words)
    else:
        block.words[-1] += f" {line.words}"


FOLDER = Path(__file__).parents[2] / "assets" / "lessons"


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons. Raises BadFile for one that cannot be read."""
    order = [reader.id for reader in READERS]
    found = [parse(path.read_text(encoding="utf-8"), path.name) for path in sorted(FOLDER.glob("*.md"))]
    return tuple(sorted(found, key=lambda lesson: order.index(lesson.method) if lesson.method else len(order)))


def lesson_of(lesson_id: str) -> Lesson:
    """The lesson with this id. Raises NotFound."""
    found = next((lesson for lesson in lessons() if lesson.id == lesson_id), None)
    if found is None:
        raise NotFound(f"There is no lesson {lesson_id[:40]!r}. The lessons are {', '.join(each.id for each in lessons())}.")
    return found
