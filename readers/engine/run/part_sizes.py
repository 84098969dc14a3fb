"""Sizes of parts with which a reading can be watched: for any text `auto` chooses those that give some 8 to 20 parts.

Each reader declares what sets the size of its parts (`Reader.part_size`); for a reader that does not cut, nothing is chosen. If a
part of that size would not fit into the model's window, parts are smaller and more, and `limited` says so. Arithmetic on the
length of the text: nothing is cut and no model is asked. Not here: how sizes are shown and picked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from math import ceil
from typing import Any, NamedTuple

from readers.engine.prompts.options import options_of
from readers.engine.run.reader import Reader
from readers.engine.text import words
from readers.engine.text.document import Document
from readers.engine.text.phrases import plural

AUTO = "auto"  # the name under which these sizes are offered with a reader's presets
FEWEST, MOST = 8, 20
AIM = 12  # parts, if all were full; paragraphs and sentences stay whole, so there are some more
AIM_BETWEEN = 14  # parts that end where the model chooses, between these shares of the size aimed at
SHORTEST, LONGEST = 0.75, 1.4
FILLED = 0.93  # how full a part is on average
ROOM = 0.6  # the share of a window that the parts of a prompt may take
MEMORIES = 8  # a memory takes at most this part of the window, because a prompt may hold two in addition to the reply
MANY = 40  # parts from which larger ones are offered
MUCH_LARGER = 2  # times: what is offered is at least so much larger
CHARACTERS_A_TOKEN, CHARACTERS_A_WORD = 4, 6


class TextLength(NamedTuple):
    """The length of a text in tokens and words."""

    tokens: int
    words: int

    @classmethod
    def of(cls, document: Document) -> TextLength:
        return cls(document.tokens, words.count(document.text))

    @classmethod
    def about(cls, chars: int) -> TextLength:
        """The length of an English text of this many characters."""
        return cls(chars // CHARACTERS_A_TOKEN, chars // CHARACTERS_A_WORD)


@dataclass(frozen=True)
class Suited:
    """The options chosen for a text; `limited`: parts are smaller than would be good to watch, for the model's window."""

    options: Mapping[str, Any]
    limited: bool = False


def suited(reader: Reader, length: TextLength, *, window: int | None = None) -> Suited:
    """The options with which a reading of a text of this length can be watched. `window` is the model's context in tokens; None
    for no limit."""
    size = reader.part_size
    if size is None:
        return Suited({})
    defaults, least = _defaults(reader.Options), _lowest(reader.Options, size.option)
    whole, unit = (length.words, length.words / max(1, length.tokens)) if size.in_words else (length.tokens, 1.0)
    best = max(least, ceil(whole / (AIM_BETWEEN if size.least else AIM)))
    most = max(least, int(unit * ROOM * window / size.at_once)) if window else best
    held = min(best, most)
    if size.least:
        chosen = {size.option: _rounded(LONGEST * held), size.least: _rounded(SHORTEST * held)}
    else:
        chosen = {size.option: max(least, _rounded(held))}
    if size.room:
        chosen[size.room] = max(defaults[size.room], size.at_once * chosen[size.option])
    if window and size.memory:
        chosen[size.memory] = min(defaults[size.memory], max(_lowest(reader.Options, size.memory), window // MEMORIES))
    return Suited(chosen, limited=most < best)


def parts(reader: Reader, options: Mapping[str, Any], length: TextLength) -> int | None:
    """About how many parts a reader with these options makes of a text of this length; None if it does not cut, or no size is
    given."""
    size = reader.part_size
    if size is None:
        return None
    values = {**_defaults(reader.Options), **options}
    longest, shortest = values[size.option], values[size.least or size.option]
    if not longest or not shortest:
        return None
    if size.in_words:
        return max(1, round(length.words / ((int(longest) + int(shortest)) / 2)))
    return max(1, ceil(length.tokens / int(longest) / FILLED))


def in_words(reader: Reader, options: Mapping[str, Any], length: TextLength) -> str:
    """The size of a part and how many there will be: `800 tokens: about 12 segments`; empty for a reader that does not cut."""
    size, count = reader.part_size, parts(reader, options, length)
    if size is None or count is None:
        return ""
    values = {**_defaults(reader.Options), **options}
    least = f"{values[size.least]:,} to " if size.least else ""
    much = f"{least}{values[size.option]:,} {'words' if size.in_words else 'tokens'}"
    return f"{much}: about {count:,} {plural(size.name) if count != 1 else size.name}"


def larger(
    reader: Reader, options: Mapping[str, Any], measure: Callable[[], TextLength], *, calls: float, window: int | None = None
) -> str:
    """What parts of the usual size would save where many small ones are asked about one by one; empty where they would not, or
    would not fit into the model's window. `calls`: how many calls a reading takes at least. The text's words are counted, which
    takes a second for ten million characters, only where its parts are small."""
    size = reader.part_size
    if size is None:
        return ""
    now, usual = (int({**_defaults(reader.Options), **each}[size.option] or 0) for each in (options, {}))
    if usual < MUCH_LARGER * now or (window and usual * size.at_once > ROOM * window):
        return ""
    length = measure()
    many = parts(reader, options, length)
    if many is None or many < MANY or calls < many:
        return ""
    fewer = parts(reader, {**options, size.option: usual, **({size.least: usual} if size.least else {})}, length) or many
    unit = "words" if size.in_words else "tokens"
    return (
        f"{reader.title} asks about each of some {many:,} {plural(size.name)} of {now:,} {unit}. With {usual:,} for "
        f"“{options_of(reader.Options)[size.option].title}” ({size.option}) there are some {fewer:,}, and about "
        f"{round(many / fewer)} times fewer calls"
    )


def why_limited(window: int) -> str:
    """Why parts are smaller, and more, than would be good to watch."""
    return f"The model’s window of {window:,} tokens is too small for larger ones, so there are more than {MOST}"


def _rounded(size: float) -> int:
    """A size in round figures, at most a quarter larger: two digits, the second one 0 or 5 unless the first is 1."""
    digits = str(ceil(size))
    step: int = 10 ** max(0, len(digits) - 2) * (1 if digits[0] == "1" or len(digits) < 2 else 5)
    return max(1, ceil(size / step) * step)


def _defaults(options: type) -> dict[str, Any]:
    return {field.name: field.default for field in fields(options) if field.default is not MISSING}


def _lowest(options: type, name: str) -> int:
    return int(options_of(options)[name].lowest or 1)
