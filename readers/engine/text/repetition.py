"""Where a text begins to repeat itself without end, as a model does that has lost its way.

Exact repetitions only: a text whose end is the same stretch over and over. Linear in the text, whatever it contains. Not here:
whether a model stopped by itself, which is no endless repetition however often it says the same (`models/cut_replies.py`).
"""

from __future__ import annotations

LEAST_TIMES = 4  # the stretch itself included
LEAST_LENGTH = 200  # characters of all its repetitions together
_PUNCTUATION = ".,;:!?…\"'”’)]}»。，！？、"
_LONGEST_REST = 4  # of punctuation that belongs to the first occurrence
_TAIL = 40  # characters of the end that must have occurred before


def repeats_after(text: str) -> int | None:
    """How many characters a text has up to and with the first occurrence of what it then repeats to its end; None if it does not
    repeat itself.

    White space at the end does not count. The last repetition may be cut off anywhere.
    """
    text = text.rstrip()
    tail = text[-_TAIL:]
    earlier = text.rfind(tail, 0, len(text) - 1)
    if len(tail) < _TAIL or earlier < 0:
        return None
    period = len(text) - _TAIL - earlier
    start = _start_of(text, period)
    if len(text) - start < max(LEAST_LENGTH, LEAST_TIMES * period):
        return None
    end = start + period
    rest = text[end : end + min(period, _LONGEST_REST)]
    return end + len(rest) - len(rest.lstrip(_PUNCTUATION))


def _start_of(text: str, period: int) -> int:
    """The first position from which on every character equals the one `period` later."""
    start = len(text) - period
    while start >= period and text[start - period : start] == text[start : start + period]:
        start -= period
    while start and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return start
