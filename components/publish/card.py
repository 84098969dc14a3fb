"""The card of a reading: a picture that is shown where somebody shares a link to it. Its question, its answer, how that was
graded, and where in the text it looked. Pure.

Letters that the font lacks are drawn as boxes, so a question in another script has a card of boxes; its title is in words anyway.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from components.html.styles import PALETTE
from components.publish.contents import PublishedReading
from components.publish.drawings import seen
from readers.engine.record.trace import Trace

CARD = "card.png"
SIZE = (1200, 630)
EDGE, STRIP = 64, 44
_TONES = {"good": "evidence", "lost": "lost", "warn": "warn"}


def draw_card(one: PublishedReading, trace: Trace) -> bytes:
    """The card as PNG, the same each time."""
    picture = Image.new("RGB", SIZE, _colour("ground"))
    pen = ImageDraw.Draw(picture)
    at = EDGE - 8
    for line in _lines(one.reading.run.question, 50, most=3):
        pen.text((EDGE, at), line, _colour("ink"), _font(50))
        at += 62
    at += 22
    top = at
    for line in _lines(one.answer, 34, most=4, left=EDGE + 28):
        pen.text((EDGE + 28, at), line, _colour("ink"), _font(34))
        at += 44
    pen.rectangle((EDGE, top + 4, EDGE + 5, at), _colour("model"))
    chip = one.chip
    pen.text((EDGE + 28, at + 12), chip.word, _colour(_TONES.get(chip.tone, "soft")), _font(30))
    _strip(pen, trace, SIZE[1] - EDGE - STRIP - 46)
    about = f"{one.reading.way} · {one.text} · step {one.at + 1} of {one.steps}"
    pen.text((EDGE, SIZE[1] - EDGE - 26), next(_lines(about, 26, most=1)), _colour("soft"), _font(26))
    packed = io.BytesIO()
    picture.quantize(32).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def _strip(pen: ImageDraw.ImageDraw, trace: Trace, top: int) -> None:
    wide, length = SIZE[0] - 2 * EDGE, max(1, len(trace.document.text))
    for raw, start, end in seen(trace):
        left = EDGE + wide * start / length
        pen.rectangle((left, top, max(left + 2, EDGE + wide * end / length), top + STRIP), _colour("raw" if raw else "raw-tint"))
    pen.rectangle((EDGE, top, EDGE + wide, top + STRIP), outline=_colour("not-covered"), width=2)


def _lines(words: str, size: int, *, most: int, left: int = EDGE) -> Iterator[str]:
    """The words in lines that fit, at most so many; the last one says with dots that there are more."""
    room, font = SIZE[0] - EDGE - left, _font(size)
    line, made = "", 0
    for word in words.split():
        longer = f"{line} {word}".strip()
        if font.getlength(longer) <= room:
            line = longer
        elif made + 1 == most:
            yield _cut(f"{longer} …", size, room)
            return
        else:
            yield _cut(line, size, room)
            line, made = word, made + 1
    yield _cut(line, size, room)


def _cut(line: str, size: int, room: int) -> str:
    """A line that fits, its end cut off with dots if it must be."""
    font = _font(size)
    if font.getlength(line) <= room:
        return line
    fits = bisect_right(range(len(line)), float(room), key=lambda end: float(font.getlength(f"{line[:end]} …"))) - 1
    return f"{line[: max(0, fits)].rstrip(' …')} …"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _colour(name: str) -> str:
    return PALETTE[name][0]
