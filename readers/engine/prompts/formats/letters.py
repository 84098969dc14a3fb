"""Replies that answer with a letter or in a box: `Answer: (C) ...` and `\\boxed{...}`.

A letter that is taken back ("(A) is wrong"), joined to another ("A or C") or contradicted later does not count; two boxes must
agree. Not here: labels and single words (`choices.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

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
    unthought,
)
from readers.engine.prompts.formats.labels import JOIN, either, in_figures, label, labelled, said
from readers.engine.prompts.formats.phrases import is_echo, is_placeholder, is_refusal, without_opening
from readers.engine.prompts.formats.plain import Plain, Stated, closing_braces, peeled, settled

_ANSWER = label("answer")
_WORDS_BETWEEN = r"(?:[ \t]+[^\W\d_]{2,15}){0,4}?"
_NOT = pattern(said("wrong"), re.IGNORECASE)
_IS = r"\b(?:is|are|was|seems|looks|would be|can be|could be|ist|est|es|è)\b"
_WRONG_AFTER = pattern(
    r"[ \t)]*(?:\?|(?:(?!\b(?:because|since|as|while|whereas|but|weil|car|porque)\b|[.,;(\n—–]).){0,60}?"
    rf"(?:{_IS}[ \t]*(?:\w+[ \t]+)?{said('wrong')}|n['’]t\b|\b(?:cannot|(?:can|could|does|kann|est|is) not|не|non è|no es)\b"
    r"|是?错误|不(?:是|对|正确)|ليس|خاط))",
    re.IGNORECASE,
)
_OR_ELSE = "(?:alternatively|possibly|perhaps|maybe)"
_JOINED = pattern(
    rf"[ \t)]*(?i:{JOIN})[ \t]*(?:option |choice )?([A-Z])(?![\w'])"
    rf"|[^\n.]{{0,60}}?(?:\.[ \t]+(?=(?i:or|{_OR_ELSE})\b))?(?<!\w)(?i:{JOIN}|{_OR_ELSE})[ \t]*(?:(?:{_OR_ELSE}),?[ \t]+)?"
    r"(?:option |choice )?\(([A-Za-z])\)"
)
_LETTER = (
    r"(?:\([ \t]*([A-Za-z])[ \t]*\)|\[([A-Za-z])\]|([A-Za-z])\)|(?-i:([A-Z]))(?![A-Za-z0-9_'-])(?=[ \t\"'»”’]*(?:$"
    r"|[^\x00-\x7f]|[.:;,)<\]}—–-]"
    r"|because\b|since\b|as\b|for\b|\()))"
)
_ALONE = pattern(r"\W*([A-Za-z])\W*\Z")
_CHOICE_LINE = pattern(
    rf"^[ \t]*(?:\d[.)][ \t]+)?[\"'“]?(?:(?:{either('answer')})[ \t]*)?{_LETTER}",
    re.IGNORECASE | re.MULTILINE,
)
# What says that the answer follows: its label, "it is", or what somebody chooses.
_ANSWERED = pattern(
    rf"(?:{_ANSWER}[ \t]*{_WORDS_BETWEEN}[ \t]*(?::|\b(?:is|are|would be|must be|ist|lautet|wäre|est"
    rf"|es|é|è|это)\b|是|为|為|は|هي|هو|—|–|[ \t]*\n)|\bit(?:[ \t]+(?:is|was|must[ \t]+be)\b|['’]s\b)"
    rf"|\bi(?:'d| would| will|'ll)?[ \t]+(?:choose|pick|select|go with|opt for|say)\b)[\s:\"'“‘]{{0,40}}"
    rf"(?:(?:the|la|l'|die|der)[ \t]+)?(?:{_ANSWER}[ \t]*[:]?[ \t]*){{0,3}}(?:{_LETTER}|([a-z])(?=[ \t.]*$))",
    re.IGNORECASE | re.MULTILINE,
)
_CALLED_RIGHT = pattern(
    rf"(?:\b(?:option|choice|answer|statement)[ \t]+)?{_LETTER.split('(?=')[0]})[^.\n]{{0,80}}?\b(?:is|must be"
    rf"|are|ist|est|es|è)[ \t]+(?:the |thus |therefore |clearly )?(?:correct|right|best|richtig|correcte?"
    rf"|correcta|the answer)\b",
    re.IGNORECASE,
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
        named = chosen(Plain(reply), _choices(sizes, self.part), sizes.get(self.part, 0))
        return Parsed({"answer": named}) if isinstance(named, Field) else Unreadable(named or "it names no choice by its letter")

    def render(self, values: Mapping[str, str | int]) -> str:
        return f"Answer: {values['answer']}"

    def filled(self, values: Mapping[str, Any]) -> str:
        """The words of a choice may themselves read as an answer: then only its letter is given."""
        answer = str(values["answer"])
        reply = self.render({"answer": " ".join(answer.split())})
        read = self.parse(reply, {self.part: 26})
        as_meant = isinstance(read, Parsed) and letter(read.fields["answer"].value) == letter(answer)
        return reply if as_meant else self.render({"answer": answer[:3]})


def chosen(plain: Plain, choices: tuple[str, ...], most: int) -> Field | str:
    """The choice that a reply names by its letter or its own words; a problem if it names several or one that is not there; no
    words if it names none."""
    places = _letters(plain, choices)
    found = settled(plain.text, places)
    if found is None or found.value == _SEVERAL:
        return "it names several choices" if places else ""
    if ord(str(found.value)) - ord("A") >= most:
        return f"its answer ({found.value}) is not one of the {most} choices"
    return _as_it_stands(plain, str(found.value), choices, found.start, found.end)


def is_one(words: str, sizes: Mapping[str, int]) -> bool:
    """Whether the words of an answer do not name several of the choices that are shown, by letters or words."""
    choices = _choices(sizes, "choices")
    text = Relettered.by_letters(words, choices)
    marked = _CHOICE_LINE.match(text.text) or _BARE_LETTER.match(text.text)
    name, end = (_name(marked), marked.end()) if marked else text.at.get(_BETWEEN.match(words).end(), ("", 0))  # type: ignore[union-attr]
    return not choices or not (_EITHER.match(words) or (name and _alone(text, name, end) == _SEVERAL))


_BARE_LETTER = pattern(r"\W*([A-Z])(?![\w'])")
_EITHER = pattern(r"\W*(?:either|both|between)\b", re.IGNORECASE)


def _choices(sizes: Mapping[str, int], part: str) -> tuple[str, ...]:
    return sizes.texts.get(part, ()) if isinstance(sizes, Sizes) else ()


def _letters(plain: Plain, choices: tuple[str, ...]) -> list[Stated]:
    """The letters that a reply gives as its answer: under a heading or in a sentence that says so, else at the beginning of
    its only line with a letter."""
    text = Relettered.by_letters(plain.text, choices)
    if _ALONE.match(text.text):
        return list(_places(text, _ALONE))
    stated = [place for pattern in (_ANSWERED, _CALLED_RIGHT) for place in _places(text, pattern)]
    if stated or _ANSWERED.search(text.text):
        return stated
    lines = list(_CHOICE_LINE.finditer(text.text))
    if len({_name(mark) for mark in lines}) != 1:
        return []
    first, alone = not text.text[: lines[0].start()].strip(), not text.text[lines[-1].end() :].strip(" \t\n.)\"'")
    return list(_places(text, _CHOICE_LINE))[:1] if first or (alone and len(lines) == 1) else []


class Relettered(NamedTuple):
    """A text with the letter of a choice in place of its own words, filled up to their length; `at` has the letters put so, and
    where each ends."""

    text: str
    at: Mapping[int, tuple[str, int]]

    @classmethod
    def by_letters(cls, text: str, choices: tuple[str, ...]) -> Relettered:
        by_words: dict[str, str] = {}
        for choice in lettered(choices):
            own = " ".join(_WORD.findall(str(choice.value)[3:].casefold()))
            for form in {own, in_figures(own)}:
                by_words[form] = "" if form in by_words else str(choice.value)[1]
        own_words = sorted(filter(None, by_words), key=len, reverse=True)
        if not own_words:
            return cls(text, {})
        at: dict[int, tuple[str, int]] = {}

        def put(found: re.Match[str]) -> str:
            named = by_words[" ".join(_WORD.findall(found[0].casefold()))]
            at.update({found.start(): (named, found.end())} if named else {})
            return named.ljust(len(found[0])) if named else found[0]

        either_words = "|".join(r"[\W_]{1,4}".join(map(re.escape, own.split())) for own in own_words)
        return cls(re.sub(rf"(?<!\w)(?:{either_words})(?!\w)", put, text, flags=re.IGNORECASE), at)


_WORD = pattern(r"[^\W_]+")
_BETWEEN = pattern(r"[\s).:,\"'\]—–-]{0,20}")


def _places(named: Relettered, pattern: re.Pattern[str]) -> Iterator[Stated]:
    text = named.text
    for mark in pattern.finditer(text):
        name = _name(mark)
        start = min(mark.start(group) for group in range(1, len(mark.groups()) + 1) if mark[group])
        opened = text[start - 1 : start] in ("(", "[") and start > mark.start()
        start, end = (start - 1, start + 2) if opened else (start, start + 1)
        before = re.split(r"[,;.:\n]", text[max(0, mark.start() - 25) : mark.start()])[-1] + text[mark.start() : start]
        if not _NOT.search(before) and (pattern is _CALLED_RIGHT or not _WRONG_AFTER.match(text, end)):
            yield Stated(_alone(named, name, end), start, end)


def _alone(named: Relettered, name: str, end: int) -> str:
    """The letter that ends there, unless another one or the words of another choice follow."""
    again, end = named.at.get(_BETWEEN.match(named.text, end).end(), ("", end))  # type: ignore[union-attr]
    joined = _JOINED.match(named.text, end)
    other = (joined[1] or joined[2]).upper() if joined else ""
    reason = joined and re.search(r"\b(?:because|since|as)\b", named.text[end : joined.start(1 if joined[1] else 2)])
    return _SEVERAL if again not in ("", name) or (other not in ("", name) and not reason) else name


def _name(mark: re.Match[str]) -> str:
    return next(str(group) for group in mark.groups() if group).upper()


def _as_it_stands(plain: Plain, name: str, choices: tuple[str, ...], start: int, end: int) -> Field:
    """The choice with this letter as the prompt has it, where a reply names it; the letter alone if its words are not known."""
    number = ord(name) - ord("A")
    whole = str(lettered(choices)[number].value) if number < len(choices) else f"({name})"
    said = plain.reply[start : start + len(whole)]
    return Field(whole, start, start + len(whole) if said.casefold() == whole.casefold() else end)


_FINAL = pattern(rf"^[ \t]*(?=final){_ANSWER}[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
_BOX = pattern(r"(?<![a-z])\\?(?:boxed|fbox)\s*\{")
_IN_BOX = pattern(
    r"[\s(\[（【\"'*$]*(?:(?:option|choice|answer|antwort|réponse|答案"
    r"|选项)\s*+(?:[:：]\s*+)?)*[(\[（【]?([A-Za-z])(?:[).:\]）】,，]|\s*[-–—]\s|\s*\Z)",
    re.IGNORECASE,
)
_CONCLUDED = pattern(r"\banswer(?: [^\W\d_]+){0,4} is:?[ \t]+(\S[^\n]{0,300}?)[. \t]*\Z", re.IGNORECASE)
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
        choices, most = _choices(sizes, self.among)[1:], sizes.get(self.among, 0) - 1
        if not boxes:
            return self._without_box(plain, choices, most)
        picked = [_in_box(box, choices) if most > 1 else "" for box in boxes]
        values = [
            name or " ".join(str(box.value).casefold().split()).rstrip(".") for box, name in zip(boxes, picked, strict=True)
        ]
        found = settled(plain.text, [Stated(value, box.start, box.end) for value, box in zip(values, boxes, strict=True)])
        if found is None:
            return Unreadable("it has several boxes with different answers")
        box, name = next((box, name) for box, name in zip(boxes, picked, strict=True) if box.start == found.start)
        if most <= 1:
            return Parsed({"answer": box})
        if name in ("", _SEVERAL) or ord(name) - ord("A") >= most:
            problem = f"its box names none of the {most} choices by its letter"
            return Unreadable(problem, _malformed(box, problem))
        return Parsed({"answer": _as_it_stands(plain, name, choices, box.start, box.end)})

    def _without_box(self, plain: Plain, choices: tuple[str, ...], most: int) -> Parsed | Unreadable:
        """The answer of a reply that says which it is; usable as a whole if not. A box that is not closed
        says nothing."""
        problem = "it has no \\boxed{...} with the answer in it"
        whole = answer_words(plain)
        opened = list(_BOX.finditer(plain.reply))
        if opened and opened[-1].end() > whole.start:
            whole = Field.between(plain.reply, opened[-1].end(), whole.end)
        stated = None if opened else chosen(plain, choices, most) if most > 1 else self._stated(plain)
        if isinstance(stated, Field):
            return Parsed({"answer": stated})
        if not str(whole.value).strip("{} ") or not self._is_real(whole):
            return Unreadable(problem)
        return Unreadable(problem, _malformed(whole, problem))

    def _stated(self, plain: Plain) -> Field | None:
        """The words that a reply calls its answer."""
        spans = [(mark.value, mark.end) for mark in labelled(plain.text, plain.reply, ["answer"])]
        spans = spans or [mark.span(1) for mark in _CONCLUDED.finditer(plain.text)]
        real = [field for span in spans if self._is_real(field := plain.paragraph(*span))]
        place = settled(plain.reply, [Stated(str(field.value).casefold(), field.start, field.end) for field in real])
        return next(field for field in real if field.start == place.start) if place else None

    def _is_real(self, field: Field) -> bool:
        words = str(field.value)
        return bool(words) and not self._is_form(words) and not is_refusal(words)

    def _is_form(self, words: str) -> bool:
        shown = [Boxed(among, form).describe()[7:-1] for among in ("", "problem") for form in (1, 2)]
        return is_placeholder(words) or is_echo(words, [*shown, "the answer", "your answer", "answer", "final answer", "letter"])

    def render(self, values: Mapping[str, str | int]) -> str:
        words = unthought(values["answer"])
        words = f"{words} " if words.endswith("\\") else words
        return f"\\boxed{{{words if _balanced(words) else words.replace('{', '(').replace('}', ')')}}}"


def answer_words(plain: Plain) -> Field:
    """A reply without a courtesy before and after it, and without what leads to its "Final answer:"."""
    text = plain.text
    start = final_answer(plain) or without_opening(text)
    return plain.field(start, len(text))


def final_answer(plain: Plain) -> int | None:
    """The start of the words after "Final answer:"; None without such a heading."""
    marks = list(_FINAL.finditer(plain.text))
    return marks[-1].end() if marks else None


def _in_box(box: Field, choices: tuple[str, ...]) -> str:
    """The letter of the choice in a box; no words if there is none."""
    text = Relettered.by_letters(str(box.value), choices)
    found = _IN_BOX.match(text.text)
    return _alone(text, found[1].upper(), found.end(1)) if found else ""


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
        words = " ".join(_TEX.sub(_plainly, reply[start:stop]).split())
        if words:
            yield Field(words if _TEX.search(reply, start, stop) else reply[start:stop], start, stop)


# Words and signs as LaTeX has them.
_TEX = pattern(r"\\(?:text|math|mbox|under)\w*[ \t]*\{([^{}]*)\}|\\([%$&#_])|\\[,;:! ]|\\q?quad\b|~|\{(,)\}")


def _plainly(found: re.Match[str]) -> str:
    return next((group for group in found.groups() if group is not None), " ")


def _balanced(words: str) -> bool:
    return closing_braces(f"{{{words}}}").get(0) == len(words) + 1
