"""A reply without its decoration: what formats search, in the reply's own positions.

Chat markers, courtesies at the end, bold marks, headings, bullets, quote marks, fences, code marks, LaTeX wrappers and the quotes
of a JSON key become spaces; full-width marks become plain ones; a tag `<name>` becomes ` name:` and `\\boxed{` becomes
`answer:`; numbers in words become figures. Every replacement has the length of what it replaces, so a position in `Plain.text` is
the same position in the reply. Every search is linear in the reply. Not here: what words mean (`phrases.py`), `labels.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import Field
from readers.engine.prompts.formats.labels import in_figures, said
from readers.engine.prompts.formats.phrases import without_closing

# Full-width forms of ASCII, and marks of other scripts that mean the same as an ASCII mark.
_BLANK_MARKS = "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"
_ONE_FOR_ONE = (
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | str.maketrans("、،。؟；؛【〔［】〕］《〈》〉", ",,.?;;[[[]]]<<>>")
    | dict.fromkeys(map(ord, _BLANK_MARKS), " ")
)

_WRAPPERS = r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|mbox|underline)[ \t]*\{"
_WRAPPER = re.compile(_WRAPPERS)
_BOX = re.compile(r"\\(?:boxed|fbox)[ \t]*\{")
# What a chat template puts around a turn, and whose turn it is.
_CHAT_MARK = re.compile(
    r"<\|[\w/]{1,30}\|>|<(?:end|start)_of_turn>|<(?:eos|bos|pad)>|\[/?INST\]|\A\s*<s>|</s>(?=\s*\Z)", re.IGNORECASE
)
_WHOSE = re.compile(r"\s*(?:assistant[ \t]*(?::|\n|\Z)|model[ \t]*(?:\n|\Z))\s*", re.IGNORECASE)
_DECORATION = re.compile(
    r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$"  # a fence
    r"|^[ \t]*(?:>[ \t]?)+"  # a quotation
    r"|^[ \t]*#{1,6}(?=[ \t]+\S)"  # a heading
    r"|^[ \t]*[-•·●*+–][ \t]+(?=[^\W\d]|[*_`\"“(<\[$\\])"  # a bullet; before a number it may be a minus
    r"|^[ \t]*(?:-{3,}|_{3,}|\*{3,}|={3,})[ \t]*$"  # a rule
    r"|\*+|`+|\$+|#(?=\d)|\\[()\[\]]"
    r"|(?<![^\W_])_+|_+(?![^\W_])",
    re.MULTILINE,
)
# A long run of blanks is interrupted by what no pattern matches, so that no search follows it to its end again and again.
_LONG_GAP = re.compile(r"[ \t\n]{81,}")
_FILLER = "\0"
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_BLANKS = f" \t\n\r\f\v{_FILLER}"
_TAG = re.compile(r"<[ \t]*(/?)[ \t]*([A-Za-z_]{2,20})[ \t]*>")
_KEY = re.compile(r"\"([A-Za-z_ -]{2,30})\"(?=[ \t]*:)|(?<=:)[ \t]{0,4}null(?=\s{0,9}[,}])")  # of JSON: a label, and no value
_ESCAPED = re.compile(r"&([lg])t;|\\([<>_#&%])")


@dataclass(frozen=True)
class Plain:
    """A reply and its plain text, which has the same length."""

    reply: str

    @cached_property
    def text(self) -> str:
        text = _ESCAPED.sub(_unescaped, self.reply.translate(_ONE_FOR_ONE))
        text = _TAG.sub(lambda tag: " " * len(tag[0]) if tag[1] else f"{tag[2]}:".rjust(len(tag[0])), text)
        text = _KEY.sub(lambda key: (f" {key[1]} " if key[1] else "").ljust(len(key[0])), text.replace("\r", " "))
        start, end = turn(text)
        text = f"{_only_blanks(text[:start])}{text[start:end]}{_only_blanks(text[end:])}"
        if "\\" in text:
            text, wrapped = _WRAPPER.subn(_blank, text)
            text, boxed = _BOX.subn(lambda box: "answer:".rjust(len(box[0])), text)
            text = text.replace("}", " ") if wrapped or boxed else text
        text = _LONG_GAP.sub(_filled, in_figures(_DECORATION.sub(_blank, text)))
        end = without_closing(text)
        return text[:end] + _only_blanks(text[end:])

    def field(self, start: int, end: int) -> Field:
        """The reply between two positions, without white space and decoration at its ends."""
        plain = self.text[start:end]
        first, last = start + len(plain) - len(plain.lstrip(_BLANKS)), start + len(plain.rstrip(_BLANKS))
        if first < last and _is_balanced(self.reply[first:last]):
            start, end = first, last
        start, end = peeled(self.reply, start, end)
        return Field(self.reply[start:end], start, end)

    def paragraph(self, start: int, end: int) -> Field:
        """The first paragraph between two positions: what stands under a label, without a remark behind it."""
        start += len(self.text[start:end]) - len(self.text[start:end].lstrip(_BLANKS))
        blank = _BLANK_LINE.search(self.text, start, end)
        return self.field(start, blank.start() if blank else end)


def turn(reply: str, *, start: int = 0, end: int | None = None) -> tuple[int, int]:
    """The positions of the first turn that says something, without the marks of a chat template around it."""
    end = len(reply) if end is None else end
    marks = [mark.span() for mark in _CHAT_MARK.finditer(reply, start, end)]
    for begin, stop in zip([start, *(mark[1] for mark in marks)], [*(mark[0] for mark in marks), end], strict=True):
        whose = _WHOSE.match(reply, begin, stop)
        begin = whose.end() if whose else begin
        if reply[begin:stop].strip():
            return begin, stop
    return start, end


def _only_blanks(text: str) -> str:
    return "".join(mark if mark == "\n" else " " for mark in text)


def _is_balanced(text: str) -> bool:
    """Whether every mark in a text that comes in pairs has its partner."""
    pairs = text.count("**") % 2 == 0 and text.count("`") % 2 == 0 and text.count("$") % 2 == 0 and text.count("__") % 2 == 0
    return pairs and text.count("{") == text.count("}")


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _filled(found: re.Match[str]) -> str:
    gap = found[0]
    return gap[:40] + _FILLER * (len(gap) - 80) + gap[-40:]


def _unescaped(found: re.Match[str]) -> str:
    mark = {"l": "<", "g": ">"}[found[1]] if found[1] else found[2]
    return mark.ljust(len(found[0])) if found[1] else mark.rjust(len(found[0]))


# Marks around a whole value, as an opening and a closing one; the longest first.
_SAME_AT_BOTH_ENDS = ("```", "***", "$$", "**", "__", "*", "_", "`", "$")
_AROUND = (("\\[", "\\]"), ("\\(", "\\)"), *((mark, mark) for mark in _SAME_AT_BOTH_ENDS))
_FENCE = re.compile(r"(?:```|~~~)[\w+-]*[ \t]*\n")
_COMMAND = re.compile(rf"{_WRAPPERS}|\\boxed[ \t]*\{{")
_RULES = re.compile(r"(?:-{3,}|_{3,}|\*{3,}|={3,})[ \t]*(?=\n|\Z)")
_DEEPEST = 8
_BRACE = re.compile(r"\\?[{}]")


def peeled(reply: str, start: int, end: int) -> tuple[int, int]:
    """The positions without white space, bold marks, code marks, a fence, rules or a LaTeX wrapper that enclose the whole."""
    for _ in range(_DEEPEST):
        start, end = _stripped(reply, start, end)
        inner = _inside(reply, start, end)
        if inner is None:
            break
        blank = not reply[inner[0] : inner[1]].strip(" \t\n*_`$~")
        if blank and not reply[start:end].startswith(("```", "~~~", "\\")):
            break
        start, end = inner
    return start, end


def unquoted(reply: str, start: int, end: int) -> tuple[int, int]:
    """The text inside quotation marks, if they enclose everything and there are no others."""
    quoted = end - start > 2 and f"{reply[start]}{reply[end - 1]}" in ('""', "“”", "„“", "«»")
    return (start + 1, end - 1) if quoted and not set(reply[start + 1 : end - 1]) & set('"“”„«»') else (start, end)


def _stripped(reply: str, start: int, end: int) -> tuple[int, int]:
    section = reply[start:end]
    left = len(section) - len(section.lstrip())
    return start + left, max(start + left, start + len(section.rstrip()))


def _inside(reply: str, start: int, end: int) -> tuple[int, int] | None:
    """What one layer of decoration encloses; None if there is none."""
    section = reply[start:end]
    fence = _FENCE.match(section)
    if fence and section.endswith(section[:3]) and len(section) >= fence.end() + 3 and section.count(section[:3]) == 2:
        return start + fence.end(), end - 3
    rule = _RULES.match(section)
    if rule:
        closing = section.rstrip("-_*= \t")
        return start + rule.end(), start + (len(closing) if closing.endswith("\n") else len(section))
    command = _COMMAND.match(section)
    if command and section.endswith("}") and closing_braces(section).get(command.end() - 1) == len(section) - 1:
        return start + command.end(), end - 1
    for opening, closing in _AROUND:
        if section.startswith(opening) and section.endswith(closing) and len(section) > len(opening) + len(closing):
            inner = section[len(opening) : -len(closing)]
            if opening[-1] not in inner:
                return start + len(opening), end - len(closing)
    return None


def closing_braces(text: str) -> dict[int, int]:
    """The position of the closing brace for each opening one that is closed."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif brace[0] == "}" and opened:
            pairs[opened.pop()] = brace.start()
    return pairs


class Stated(NamedTuple):
    """A value at one place of a reply."""

    value: str | int | tuple[int, ...]
    start: int
    end: int


# The model takes back its earlier statement.
_CORRECTION = pattern(said("corrects"), re.IGNORECASE)


def corrects(text: str) -> bool:
    """Whether a text takes back what was stated before it."""
    return bool(_CORRECTION.search(text))


def settled(text: str, stated: Iterable[Stated]) -> Stated | None:
    """The one value that a reply states, at its last place: all places agree, or the last ones follow a correction. None if
    there is no value, or if several are left."""
    places = sorted(stated, key=lambda place: place.start)
    if not places:
        return None
    last = places[-1]
    before = next((place for place in reversed(places) if place.value != last.value), None)
    if before is None:
        return last
    return last if _CORRECTION.search(text, before.end, last.start) else None
