"""How many values and names a JSON text has at most, counted in its bytes before any of them is built.

Each costs some hundred bytes of memory once it is built, though three bytes in a file (`[],`) and almost none in a zip are enough
to write it. Counting takes linear time and the memory of one piece. Not here: whether the text is JSON.
"""

from __future__ import annotations

_PIECE = 1 << 20
_STRUCTURE = (b",", b":", b"[", b"{")


def has_over(data: bytes, most: int) -> bool:
    """Whether a JSON text has more than `most` values and names; strings count as one, whatever is in them."""
    if sum(map(data.count, _STRUCTURE)) < most:  # marks in strings are counted, too, so that it cannot be more
        return False
    found, start, outside = 1, 0, True
    while start < len(data):
        end = _end_of_piece(data, start)
        # Pairs of backslashes stand for one, and a quotation mark after a single one belongs to its string.
        parts = data[start:end].replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
        marks = b"".join(parts[not outside :: 2])
        found += sum(map(marks.count, _STRUCTURE))
        if found > most:
            return True
        outside ^= len(parts) % 2 == 0
        start = end
    return False


def _end_of_piece(data: bytes, start: int) -> int:
    """Where the piece ends that begins here: not between a backslash and what it stands before."""
    end = min(start + _PIECE, len(data))
    while end < len(data) and data[end - 1] == 0x5C:
        end += 1
    return end
