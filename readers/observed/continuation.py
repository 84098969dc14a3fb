"""On from both ends of a match, over what a program put into a text or took out of it: page marks, brackets, numbers. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from readers.observed.wordings import SameWords, alike_after, alike_before

PUT_IN, TAKEN_OUT = 11, 3  # characters that are stepped over, at most
LONGEST = 40  # of a continuation; a longer one is found by itself, with the other places that it may be from
MARKS = 4  # of these, if they are no letters or digits
_STEPS = sorted(((x, y) for x in range(PUT_IN + 1) for y in range(TAKEN_OUT + 1)), key=lambda step: (step[0] + step[1], step[1]))


def continued(text: str, match: SameWords, source: str, low: int) -> list[tuple[int, int, int]]:
    """The match with what continues it before and after, from `low` on: where each stretch begins and ends in the text, and where
    it begins in the source."""
    before = list(_before(text, match.start, source, match.begin, low))
    after = list(_after(text, match.end, source, match.stop))
    merged = _merged([*reversed(before), (match.start, match.end, match.begin), *after])
    return [_stripped(text, *one) for one in merged if not text[one[0] : one[1]].isspace()]


def _after(text: str, at: int, source: str, begin: int) -> Iterator[tuple[int, int, int]]:
    while at < len(text) and begin < len(source):
        for x, y in _STEPS:
            if text[at + x : at + x + 2] == source[begin + y : begin + y + 2] != "":
                length = alike_after(text, at + x, source, begin + y)
                if length >= _least(text[at : at + x], source[begin : begin + y], text[at + x : at + x + length]):
                    break
        else:
            return
        if length > LONGEST:
            return
        yield at + x, at + x + length, begin + y
        at, begin = at + x + length, begin + y + length


def _before(text: str, at: int, source: str, begin: int, low: int) -> Iterator[tuple[int, int, int]]:
    while at > low and begin > 0:
        for x, y in _STEPS:
            end, stop = at - x, begin - y
            if end > low and stop > 0 and text[end - 1] == source[stop - 1]:
                length = alike_before(text, end, source, stop, most=end - low)
                if length >= _least(text[end:at], source[stop:begin], text[end - length : end]):
                    break
        else:
            return
        if length > LONGEST:
            return
        yield end - length, end, stop - length
        at, begin = end - length, stop - length


def _least(put_in: str, taken_out: str, goes_on: str) -> int:
    """The characters that must be the same after a step, so that it is no chance."""
    x, y = len(put_in), len(taken_out)
    if x <= 1 and y == 0 and not put_in.strip("[]*_\"'") and any(map(str.isalpha, goes_on)):
        return 2
    if x <= MARKS and not any(map(str.isalnum, put_in + taken_out)):
        return 3
    return 4 if x + y <= 3 else 7 + x + y


def _merged(stretches: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    out: list[tuple[int, int, int]] = []
    for start, end, begin in stretches:
        if out and out[-1][1] == start and out[-1][2] + start - out[-1][0] == begin:
            out[-1] = (out[-1][0], end, out[-1][2])
        else:
            out.append((start, end, begin))
    return out


def _stripped(text: str, start: int, end: int, begin: int) -> tuple[int, int, int]:
    """A stretch without blanks at its ends, which any source has."""
    blank = text[start] == " "
    return start + blank, end - (text[end - 1] == " "), begin + blank
