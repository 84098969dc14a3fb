"""The label of a field, as models write it, and the value under it.

A label is a word of one table (`label_words.json`: eleven languages), with words before and after it that say which one
("Final", "to look up"), and a colon, an equals sign, an arrow or a new line behind it. It begins a line, or follows the end of
another field's sentence. The labels of other fields and of notes end a value. Not here: what a value means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from readers.engine.on_first_use import pattern

_TABLE: Mapping[str, Mapping[str, list[str]]] = json.loads(
    Path(__file__).with_name("label_words.json").read_text(encoding="utf-8")
)
_FIELDS = ("answer", "reasoning", "action", "argument", "break_point", "page", "thinking", "update", "recall")
_LONGEST_FIGURE = 9
_LONGEST_START = 60  # characters of a mark that are looked at for its decoration


@cache
def words(*names: str) -> tuple[str, ...]:
    """The words for these names in all languages, in lower case, each once; a name that is not in the table is its own word."""
    known = [word for name in names for language in _TABLE.values() for word in language.get(name, ())]
    return tuple(dict.fromkeys([*(name for name in names if name not in _TABLE["en"]), *known]))


def either(*names: str) -> str:
    """A pattern for one of the words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", "[ \t_-]+") for word in sorted(words(*names), key=len, reverse=True))


def label(*names: str) -> str:
    """A pattern for a label: its word, with words around it that say which one is meant."""
    which, of = either("which"), either("of", "which")
    word = rf"(?<![a-z])(?:(?:{which})[ \t]*){{0,4}}(?<![a-z])(?:{either(*names)})(?:[ \t]+(?:{of})){{0,3}}{ENDS}"
    return rf"{word}(?:[ \t]*\([^()\n]{{0,40}}\))?"


ENDS = "(?![a-zß-ÿа-яё_0-9])"  # words of Chinese and Japanese are not apart
JOIN = rf"(?:[,/&+]|(?:{either('join')})(?![^\W\d_]))"  # between two of what is offered: no choice was made
_NUMBER_WORDS = {word: number for language in _TABLE.values() for number, word in enumerate(language["numbers"])}
_MINUS = rf"(?:{either('minus')})[ \t]+"
_NUMBER_WORD = rf"(?:(?:{_MINUS})?(?:{'|'.join(sorted(map(re.escape, _NUMBER_WORDS), key=len, reverse=True))})|{_MINUS}\d{{1,4}})"
# A number in words is a number where one is expected: after a label or what is counted, or as all there is on a line.
_NUMBERED = pattern(
    rf"((?:^|:|\b(?:{either('page')}|summary|part|label|number|slice)\b)[ \t\"'(<\[]*+)"
    rf"({_NUMBER_WORD}(?:[ \t]*(?:{either('join')}|[,/&+-])[ \t]*{_NUMBER_WORD}){{0,20}})"
    r"(?=[ \t]*(?:$|[^\w \t]|(?:because|since|as|for|to|weil|denn|car|parce|pour|porque|para)\b))",
    re.IGNORECASE | re.MULTILINE,
)
_WORD_FOR_NUMBER = pattern(rf"({_MINUS})?\b({'|'.join(_NUMBER_WORDS)}|\d+)\b|[零一二三四五六七八九十]+", re.IGNORECASE)
_ORDINAL = pattern(r"第[ \t]*(\d{1,6})[ \t]*([页頁])")
_SEPARATED = pattern(
    rf"^([ \t]*(?:\d{{1,2}}[.)][ \t]+)?{label(*_FIELDS)}[ \t]*)(=>|=|→|->|[–—-](?=[ \t]))", re.IGNORECASE | re.MULTILINE
)


def said(*names: str) -> str:
    """A pattern for one of the words where it stands by itself; `n't` is at the end of one."""
    ending = r"|n['’]t\b" if "n't" in words(*names) else ""
    return rf"(?:(?<![a-zß-ÿа-яё])(?:{either(*names)}){ENDS}{ending})"


def in_figures(text: str) -> str:
    """The text with a colon for any other sign behind a label, and figures for numbers in words, with zeros or blanks to their
    length."""
    text = _SEPARATED.sub(lambda found: found[1] + ":".ljust(len(found[2])), text)
    text = _ORDINAL.sub(lambda found: f"{found[2]}{found[1]}".ljust(len(found[0])), text)
    return _NUMBERED.sub(lambda found: found[1] + _WORD_FOR_NUMBER.sub(_figure, found[2]), text)


def _figure(word: re.Match[str]) -> str:
    said, size = (word[2] or word[0]).lower(), len(word[0])
    number = int(said) if said.isdecimal() else _NUMBER_WORDS.get(said)
    figure = word[0] if number is None else f"{-number if word[1] else number:0{min(size, _LONGEST_FIGURE)}}".rjust(size)
    return figure if len(figure) == size else word[0]


class Labelled(NamedTuple):
    """The label of a field, from `start`, and its value, up to `end`."""

    name: str
    start: int
    value: int
    end: int


def labelled(text: str, reply: str, names: Iterable[str], *, alone: bool = True) -> list[Labelled]:
    """The labels of these fields in a reply, whose plain text this is; with `alone`, other labels end a value. A label without a
    colon has to be marked as a heading. One inside a line counts only if none with its name begins a line."""
    names = tuple(names)
    marks = [mark for mark in _labels(names, alone).finditer(text) if _is_label(mark, reply)]
    leading = {_name(mark, names) for mark in marks if mark["line"] is not None}
    marks = [mark for mark in marks if mark["line"] is not None or (_name(mark, names) not in leading and _follows(mark, marks))]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        Labelled(name, mark.start(), mark.end(), end)
        for mark, end in zip(marks, ends, strict=False)
        if (name := _name(mark, names))
    ]


def _follows(mark: re.Match[str], marks: Iterable[re.Match[str]]) -> bool:
    """Whether a label inside a line is behind the end of a sentence, or behind a label that begins the line."""
    text, at = mark.string, mark.start()
    first = text.rfind("\n", 0, at) + 1
    after_sentence = text[at - 1] in ".;!?|"
    return after_sentence or any(one["line"] is not None and first <= one.start() < at for one in marks)


@cache
def _labels(names: tuple[str, ...], alone: bool) -> re.Pattern[str]:
    own = "|".join(f"(?P<n{number}>{label(name)})" for number, name in enumerate(names))
    others = rf"|{label(*_FIELDS, 'note')}[ \t]*:|[ \t]*#{{3,}}[ \t]*$" if alone else ""
    line = rf"(?P<line>^[ \t]*(?:[({{]?\d{{1,2}}[.):][ \t]+)?)(?:(?:{own})[ \t]*(?P<colon>:|(?<=[ \t])is\b:?|(?=\n|\Z)){others})"
    exact = "|".join(f"(?P<i{number}>{re.escape(name)})" for number, name in enumerate(names))
    return re.compile(rf"{line}|(?<=[.;!?|\d)])[ \t]+(?:{exact})[ \t]*:", re.IGNORECASE | re.MULTILINE)


def _name(mark: re.Match[str], names: tuple[str, ...]) -> str:
    return next((name for number, name in enumerate(names) if mark[f"n{number}"] or mark[f"i{number}"]), "")


def _is_label(mark: re.Match[str], reply: str) -> bool:
    """Whether a match is a label of the reply's own: in plain letters, marked as a heading if nothing is behind it, and no label
    of a document, which a prompt shows as `- Action :`."""
    wrote = reply[mark.start() : mark.end()][-_LONGEST_START:]
    if "ſ" in mark[0] or "ı" in mark[0] or re.search(r"</|<\s+/|\\", wrote):
        return False
    if wrote.lstrip().startswith("- ") and re.search(r"\s[*_]*:\s*\Z", wrote):
        return False
    return mark["colon"] != "" or any(sign in wrote for sign in "#*_")


def blocks(found: Iterable[Labelled], *, begins: str = "") -> Iterator[list[Labelled]]:
    """Labels in groups: a name that comes again begins another one, and so does `begins` after anything else."""
    block: list[Labelled] = []
    for one in found:
        if any(one.name == other.name for other in block) or (one.name == begins and block):
            yield block
            block = []
        block.append(one)
    if block:
        yield block
