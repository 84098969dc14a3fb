"""What changed between two versions of a sentence, word by word; by characters in a script without spaces. Pure.

The difference is a compact list in reading order: a positive number is a count of unchanged units, a negative one a count of
added units, and a string is what was removed at this place. Units are those of a browser (UTF-16). Not here: which version
became which (`engine/analysis/sentence_history.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

import regex

Op = int | str

# A word, one character of a script without spaces, white space, or one mark.
_TOKEN = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}\p{N}'’--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+|\s+|.",
    regex.V1 | regex.DOTALL,
)
# Longer sequences, or with more pairs of equal words, are not aligned: the time grows with the pairs times the runs found.
_LONGEST, _MOST_PAIRS = 2_000, 60_000


def changes(before: str, after: str, *, taken_out: bool = True) -> list[Op]:
    """How `before` became `after`; without `taken_out`, removals are not listed."""
    return _joined(_steps(_TOKEN.findall(before), _TOKEN.findall(after)), taken_out=taken_out)


def units(text: str) -> int:
    """The length of a string in a browser's units."""
    return len(text) + sum(character > "\uffff" for character in text)


def can_align(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether two sequences of words are short and varied enough to be aligned in well under a second. Blanks do not count as
    words."""
    times = Counter(token for token in new if not token.isspace())
    return max(len(old), len(new)) <= _LONGEST and sum(times[token] for token in old) <= _MOST_PAIRS


def _steps(old: list[str], new: list[str]) -> Iterator[tuple[str, str, str]]:
    """The steps from the old to the new text: the kind of each ("equal", "replace" ...), and what was and is there. Two changes
    with only blanks in between are joined."""
    first = _same(old, new)
    last = _same(old[: first - 1 if first else None : -1], new[: first - 1 if first else None : -1])
    ends = len(old) - last, len(new) - last
    blocks = [("equal", old[:first], new[:first])] if first else []
    blocks += _middle(old[first : ends[0]], new[first : ends[1]])
    blocks += [("equal", old[ends[0] :], new[ends[1] :])] if last else []
    for number, (tag, was, now) in enumerate(blocks):
        between = 0 < number < len(blocks) - 1 and all(token.isspace() for token in now)
        yield "replace" if tag == "equal" and between else tag, "".join(was), "".join(now)


def _same(old: Sequence[str], new: Sequence[str]) -> int:
    """The number of equal tokens at the start of both."""
    return next((n for n, (was, now) in enumerate(zip(old, new, strict=False)) if was != now), min(len(old), len(new)))


def _middle(old: list[str], new: list[str]) -> list[tuple[str, list[str], list[str]]]:
    if not old and not new:
        return []
    if not can_align(old, new):
        return [("replace", old, new)]  # between equal ends, all of it counts as changed
    found = SequenceMatcher(str.isspace, old, new, autojunk=False)  # match blanks only beside words, which are fewer
    return [(tag, old[a:b], new[c:d]) for tag, a, b, c, d in found.get_opcodes()]


def _joined(steps: Iterable[tuple[str, str, str]], *, taken_out: bool) -> list[Op]:
    found: list[Op] = []
    out, added = "", 0
    for tag, was, now in [*steps, ("equal", "", "")]:
        if tag != "equal":
            out, added = out + was, added + units(now)
            continue
        found += ([out] if taken_out and out else []) + ([-added] if added else []) + ([units(now)] if now else [])
        out, added = "", 0
    return found
