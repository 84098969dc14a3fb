"""Replies that answer with a letter or in a box: `Answer: (C) ...` and `\\boxed{...}`.

A letter that is taken back ("(A) is wrong"), joined to another ("A or C") or contradicted later does not count; two boxes must
agree. Not here: labels and single words (`choices.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import (
    NOTHING_SHOWN,
    Field,
    Form,
    FormField,
    Parsed,
    Shown,
    Sizes,
    Unreadable,
    letter,
    lettered,
    named_by_words,
    unthought,
)
from readers.engine.prompts.formats.json_text import Value, fields_named
from readers.engine.prompts.formats.labels import JOIN, label, labelled, said, words
from readers.engine.prompts.formats.phrases import is_echo, is_placeholder, is_refusal, without_closing, without_opening
from readers.engine.prompts.formats.plain import Plain, Stated, closing_braces, peeled, settled

_ANSWER = label("answer")
_WORDS_BETWEEN = r"(?:[ \t]+[^\W\d_]{2,15}){0,4}?"
_NOT = pattern(said("wrong"), re.IGNORECASE)
_WRONG_AFTER = pattern(
    r"[ \t)]*(?:\?|(?:(?!\b(?:because|since|as|while|whereas|but|weil|car|porque)\b"
    r"|[.,;(\n—–]).){0,60}?(?:\b(?:is|are|was|seems|looks|would be|can be|could be|ist|est|es"
    r"|è)\b[ \t]*(?:\w+[ \t]+)?(?:wrong|incorrect|not\b|n't|false|ruled out|out\b|impossible|unlikely"
    r"|unsupported|contradicted|eliminated|excluded|falsch|nicht|fausse?|incorrect\w*|falsa)"
    r"|\b(?:isn't|cannot|can't|can not|could not|does not|doesn't|kann nicht|n'est pas|no es|non è|не)\b|是?错误"
    r"|不(?:是|对|正确)|ليس|خاط))",
    re.IGNORECASE,
)
_JOINED = pattern(
    rf"[ \t)]*{JOIN}[ \t]*(?:option |choice )?([A-Z])(?![\w'])"
    rf"|[^\n.]{{0,60}}?(?<!\w){JOIN}[ \t]*(?:option |choice )?\(([A-Za-z])\)"
)
_LETTER = (
    r"(?:\([ \t]*([A-Za-z])[ \t]*\)|\[([A-Za-z])\]|([A-Za-z])\)|(?-i:([A-Z]))(?![A-Za-z0-9_'-])(?=[ \t\"'»”’]*(?:$"
    r"|[^\x00-\x7f]|[.:;,)<\]—–-]"
    r"|because\b|since\b|as\b|for\b|\()))"
)
_ALONE = pattern(r"\W*([A-Za-z])\W*\Z")
_CHOICE_LINE = pattern(
    rf"^[ \t]*(?:\d[.)][ \t]+)?[\"'“]?(?:(?:option|choice|answer|opción|antwort|选项)[ \t]*)?{_LETTER}",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWERED = pattern(
    rf"{_ANSWER}[ \t]*{_WORDS_BETWEEN}[ \t]*(?::|\b(?:is|are|would be|must be|ist|lautet|wäre|est"
    rf"|es|é|è|это)\b|是|为|為|は|هي|هو|—|–|[ \t]*\n)[\s:\"'“‘]{{0,40}}(?:(?:the|la|l'|die"
    rf"|der)[ \t]+)?(?:{_ANSWER}[ \t]*[:]?[ \t]*){{0,3}}(?:{_LETTER}|([a-z])(?=[ \t.]*$))",
    re.IGNORECASE | re.MULTILINE,
)
_CALLED_RIGHT = pattern(
    rf"(?:\b(?:option|choice|answer|statement)[ \t]+)?{_LETTER.split('(?=')[0]})[^.\n]{{0,80}}?\b(?:is|must be"
    rf"|are|ist|est|es|è)[ \t]+(?:the |thus |therefore |clearly )?(?:correct|right|best|richtig|correcte?"
    rf"|correcta|the answer)\b",
    re.IGNORECASE,
)
_CHOSEN = pattern(
    rf"\bi(?:'d| would| will|'ll)? (?:choose|pick|select|go with|opt for|say)[ \t]+(?:option |choice |answer )?{_LETTER}",
    re.IGNORECASE | re.MULTILINE,
)


_SEVERAL = "several"  # replaced by letters joined by "or"


@dataclass(frozen=True)
class Lettered(Form):
    """`Answer: (C) ...`: one of the choices of a part, by its letter, in the form or in a sentence that says that it is the
    answer."""

    part: str
    kind = "lettered"
    main = "answer"

    def describe(self) -> str:
        return "Answer: (the letter) the choice as it stands"

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return (FormField("answer", "one", "Answer", lettered(shown.texts(self.part))),)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain, most = Plain(reply), sizes.get(self.part, 0)
        places = letters(plain)
        if not places:
            named = _by_its_words(plain, sizes, self.part)
            return Parsed({"answer": named}) if named else Unreadable("it names no choice by its letter")
        found = settled(plain.text, places)
        if found is None or found.value == _SEVERAL:
            return Unreadable("it names several choices")
        if ord(str(found.value)) - ord("A") >= most:
            return Unreadable(f"its answer ({found.value}) is not one of the {most} choices")
        return Parsed({"answer": _with_words(plain, found)})

    def render(self, values: Mapping[str, str | int]) -> str:
        return f"Answer: {values['answer']}"

    def filled(self, values: Mapping[str, Any]) -> str:
        """The words of a choice may themselves read as an answer: then only its letter is given."""
        answer = str(values["answer"])
        reply = self.render({"answer": " ".join(answer.split())})
        read = self.parse(reply, {self.part: 26})
        as_meant = isinstance(read, Parsed) and letter(read.fields["answer"].value) == letter(answer)
        return reply if as_meant else self.render({"answer": answer[:3]})


def _by_its_words(plain: Plain, sizes: Mapping[str, int], part: str, *, first: int = 0) -> Field | None:
    """The choice that a reply names by its words and nothing else, as it stands: after "Answer:", or as the whole reply."""
    marks = labelled(plain.text, plain.reply, ["answer"])
    fields = [_paragraph(plain, mark.value, mark.end) for mark in marks] or [plain.field(0, without_closing(plain.text))]
    choices = {named_by_words(str(field.value), _choices(sizes, part)[first:]) for field in fields}
    only = choices.pop() if len(choices) == 1 else None
    return Field(only, fields[-1].start, fields[-1].end) if only else None


def _choices(sizes: Mapping[str, int], part: str) -> tuple[str, ...]:
    return sizes.texts.get(part, ()) if isinstance(sizes, Sizes) else ()


def letters(plain: Plain) -> list[Stated]:
    """The letters that a reply gives as its answer: under a heading or in a sentence that says so, else at the beginning of
    its only line with a letter."""
    given = fields_named(
        plain.reply,
        {"answer": (*words("answer"), "letter", "selected")},
    )
    if given:
        return [place for fields in given if (place := _json_letter(fields["answer"]))]
    text = plain.text
    alone = _ALONE.match(text)
    if alone:
        return list(_places(text, _ALONE))
    stated = [place for pattern in (_ANSWERED, _CALLED_RIGHT, _CHOSEN) for place in _places(text, pattern)]
    if stated or (re.search(rf"^[ \t]*{_ANSWER}[ \t]*:", text, re.IGNORECASE | re.MULTILINE) and _ANSWERED.search(text)):
        return stated
    lines = list(_CHOICE_LINE.finditer(text))
    if len({_name(mark) for mark in lines}) == 1 and not text[: lines[0].start()].strip():
        return list(_places(text, _CHOICE_LINE))[:1]
    last = text[text.rstrip().rfind("\n") + 1 :]
    if lines and len(lines) == 1 and not text[lines[0].end() :].strip(" \t\n.)\"'") and last.strip():
        return list(_places(text, _CHOICE_LINE))
    return []


def _places(text: str, pattern: re.Pattern[str]) -> Iterator[Stated]:
    for mark in pattern.finditer(text):
        name = _name(mark)
        start = min(mark.start(group) for group in range(1, len(mark.groups()) + 1) if mark[group])
        opened = text[start - 1 : start] in ("(", "[") and start > mark.start()
        start, end = (start - 1, start + 2) if opened else (start, start + 1)
        before = re.split(r"[,;.:\n]", text[max(0, mark.start() - 25) : mark.start()])[-1] + text[mark.start() : start]
        after = text[end : end + 200]
        if _NOT.search(before) or (pattern is not _CALLED_RIGHT and _WRONG_AFTER.match(after)):
            continue
        joined = _JOINED.match(after)
        if (
            joined
            and (joined[1] or joined[2]).upper() != name
            and not re.search(r"\b(?:because|since|as)\b", after[: joined.start(1 if joined[1] else 2)])
        ):
            yield Stated(_SEVERAL, start, end)
            continue
        yield Stated(name, start, end)


def _name(mark: re.Match[str]) -> str:
    return next(str(group) for group in mark.groups() if group).upper()


_JSON_LETTER = pattern(r"\s*(?:(?:option|choice|answer)\s*:?\s*)?\(?([A-Za-z])(?:[).:]|\s*\Z|\s*[-–—])", re.IGNORECASE)


def _json_letter(value: Value) -> Stated | None:
    found = _JSON_LETTER.match(value.text or "")
    return Stated(found[1].upper(), value.start + found.start(1), value.start + found.end(1)) if found else None


def _with_words(plain: Plain, found: Stated) -> Field:
    """The letter with the words of its choice, if they follow on its line."""
    reply, text = plain.reply, plain.text
    end = reply.find("\n", found.start)
    end = len(reply) if end < 0 else end
    words = text[found.end : end]
    bracketed = reply[found.start] in "(（[" or words.startswith(")")
    if not bracketed or not words.strip(" )."):
        return Field(reply[found.start : found.end], found.start, found.end)
    end = found.start + without_closing(text[found.start : end])
    start, end = peeled(reply, found.start, found.start + len(text[found.start : end].rstrip()))
    rest = reply[start:end]
    if any(mark in rest for mark in ("**", "\\", "$", "`", '"', "</")):
        start, end = found.start, found.end
    return Field(reply[start:end], start, end)


_FINAL = pattern(rf"^[ \t]*(?=final){_ANSWER}[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
_BOX = pattern(r"\\boxed\s*\{")
_IN_BOX = pattern(
    r"[\s(\[（【\"'*$]*(?:(?:option|choice|answer|antwort|réponse|答案"
    r"|选项)\s*+(?:[:：]\s*+)?)*[(\[（【]?([A-Za-z])(?:[).:\]）】,，]|\s*[-–—]\s|\s*\Z)",
    re.IGNORECASE,
)
_CONCLUDED = pattern(r"\banswer(?: [^\W\d_]+){0,4} is:?[ \t]+(\S[^\n]{0,300}?)[. \t]*\Z", re.IGNORECASE)
_BEFORE_LETTER = pattern(r"[\s\"'*$]*(?:(?:option|choice|answer|antwort|réponse|答案|选项)\s*+(?:[:：]\s*+)?)+", re.IGNORECASE)
_ANSWER_HEADING = pattern(rf"[\s*_]*{_ANSWER}(?:[ \t]+is)?[ \t]*[:：][\s*_]*", re.IGNORECASE)


@dataclass(frozen=True)
class Boxed(Form):
    """`\\boxed{the answer}`: the only box of a reply, with balanced braces. A reply without a box is usable as a whole.

    If the part `among` has choices after its first text, the box names a choice by its letter; other words are usable. `form` is
    the wording in prompts: 1 as in readings of version 1, which stay as they were.
    """

    among: str = ""
    form: int = 2
    kind = "boxed"
    earlier: ClassVar[Mapping[str, Any]] = {"form": 1}
    main = "answer"
    markers = (r"\\boxed(?=\s*\{)",)

    def describe(self) -> str:
        if self.form == 1:
            choice = "; one of the choices with its letter, as it stands, if there are any" if self.among else ""
            return f"\\boxed{{the answer{choice}}}"
        return "\\boxed{(LETTER) CHOICE}" if self.among else "\\boxed{YOUR ANSWER}"

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        choices = shown.texts(self.among)[1:]
        offered = lettered(choices) if len(choices) > 1 else ()
        return (FormField("answer", "one" if offered else "line", "Answer", offered),)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        boxes = [box for box in _boxes(plain) if not self._is_form(str(box.value))]
        choices = sizes.get(self.among, 0) - 1
        if not boxes:
            stated = self._labelled(plain, choices) or _by_its_words(plain, sizes, self.among, first=1)
            return Parsed({"answer": stated}) if stated else self._without_box(plain)
        values = [Stated(self._pick(box, choices) or " ".join(str(box.value).split()), box.start, box.end) for box in boxes]
        found = settled(plain.text, values)
        if found is None:
            return Unreadable("it has several boxes with different answers")
        box = next(box for box in boxes if box.start == found.start)
        if choices <= 1:
            return Parsed({"answer": box})
        if worded := named_by_words(str(box.value), _choices(sizes, self.among)[1:]):
            return Parsed({"answer": Field(worded, box.start, box.end)})
        named = self._pick(box, choices)
        if not (named and ord(named) - ord("A") < choices):
            problem = f"its box names none of the {choices} choices by its letter"
            return Unreadable(problem, _malformed(box, problem))
        lead = _BEFORE_LETTER.match(reply, box.start, box.end)
        start, end = peeled(reply, lead.end() if lead else box.start, box.end)
        return Parsed({"answer": Field(reply[start:end], start, end)})

    def _labelled(self, plain: Plain, choices: int) -> Field | None:
        """The answer of a reply that says which it is, without a box; None if it does not, or of a box that is not closed."""
        if _BOX.search(plain.reply):
            return None
        if choices > 1:
            place = settled(plain.reply, letters(plain))
            in_range = place and place.value != _SEVERAL and ord(str(place.value)) - ord("A") < choices
            return _with_words(plain, place) if place and in_range else None
        spans = [(mark.value, mark.end) for mark in labelled(plain.text, plain.reply, ["answer"])]
        spans = spans or [mark.span(1) for mark in _CONCLUDED.finditer(plain.text)]
        fields = [_paragraph(plain, *span) for span in spans]
        real = [
            field for field in fields if field.value and not self._is_form(str(field.value)) and not is_refusal(str(field.value))
        ]
        place = settled(plain.reply, [Stated(str(field.value).casefold(), field.start, field.end) for field in real])
        return next(field for field in real if field.start == place.start) if place else None

    def _without_box(self, plain: Plain) -> Unreadable:
        problem = "it has no \\boxed{...} with the answer in it"
        whole = answer_words(plain)
        opened = list(_BOX.finditer(plain.reply, whole.start, whole.end))
        if opened:  # the last box is not closed
            whole = Field.between(plain.reply, opened[-1].end(), whole.end)
        words = str(whole.value)
        if not words.strip("{} ") or self._is_form(words) or is_refusal(words):
            return Unreadable(problem)
        return Unreadable(problem, _malformed(whole, problem))

    def _is_form(self, words: str) -> bool:
        shown = [Boxed(among, form).describe()[7:-1] for among in ("", "problem") for form in (1, 2)]
        return is_placeholder(words) or is_echo(words, [*shown, "the answer", "your answer", "answer", "final answer", "letter"])

    def _pick(self, box: Field, choices: int) -> str | None:
        """The letter in a box, where there are choices; None if there is none or several."""
        found = _IN_BOX.match(str(box.value)) if choices > 1 else None
        if not found or _JOINED.match(str(box.value)[found.end(1) :]):
            return None
        return found[1].upper()

    def render(self, values: Mapping[str, str | int]) -> str:
        words = unthought(values["answer"])
        words = f"{words} " if words.endswith("\\") else words
        return f"\\boxed{{{words if _balanced(words) else words.replace('{', '(').replace('}', ')')}}}"


def answer_words(plain: Plain) -> Field:
    """A reply without a courtesy before and after it, and without what leads to its "Final answer:"."""
    text = plain.text
    start = final_answer(plain) or without_opening(text)
    return plain.field(start, start + without_closing(text[start:]))


def final_answer(plain: Plain) -> int | None:
    """The start of the words after "Final answer:"; None without such a heading."""
    marks = list(_FINAL.finditer(plain.text))
    return marks[-1].end() if marks else None


def _paragraph(plain: Plain, start: int, end: int) -> Field:
    """The first paragraph between two positions, without a courtesy at its end."""
    start += len(plain.text[start:end]) - len(plain.text[start:end].lstrip())
    blank = re.compile(r"\n[ \t]*\n").search(plain.text, start, end)
    return plain.field(start, start + without_closing(plain.text[start : blank.start() if blank else end]))


def _malformed(answer: Field, problem: str) -> Parsed:
    return Parsed({"answer": answer, "format_error": Field(problem, answer.start, answer.end)})


def _boxes(plain: Plain) -> Iterator[Field]:
    """The contents of every box that is closed and not empty, without a wrapper and a heading inside."""
    reply, at = plain.reply, 0
    closed = closing_braces(reply)
    for box in _BOX.finditer(reply):
        end = closed.get(box.end() - 1, -1)
        if box.start() < at or end < 0:
            continue
        at = end
        start, stop = peeled(reply, box.end(), end)
        heading = _ANSWER_HEADING.match(reply, start, stop)
        start, stop = peeled(reply, heading.end(), stop) if heading else (start, stop)
        if reply[start:stop].strip() and not re.fullmatch(r"\\\w+\s*\{\s*\}", reply[start:stop]):
            yield Field(reply[start:stop], start, stop)


def _balanced(words: str) -> bool:
    return closing_braces(f"{{{words}}}").get(0) == len(words) + 1
