"""Small phrases for building sentences: lists, counts, and times. English, pure."""

from __future__ import annotations

from collections.abc import Iterable

_HISSING = ("s", "x", "ch", "sh")  # endings after which the plural is in "es"


def listed(names: Iterable[str], *, most: int | None = None) -> str:
    """`a`, `a and b`, `a, b and c`; beyond `most`, `a, b and 7 others`."""
    found = list(names)
    if most is not None and len(found) > most + 1:
        found = [*found[:most], f"{len(found) - most} others"]
    *first, last = found or [""]
    return f"{', '.join(first)} and {last}" if first else last


def listed_by_number(names: Iterable[str], word: str) -> str:
    """`page 3`; `pages 1, 5 and 8` where all are so called; otherwise the names as they are."""
    found = list(names)
    if len(found) < 2 or not all(name.startswith(f"{word} ") for name in found):
        return listed(found)
    return f"{plural(word)} {listed(name.removeprefix(f'{word} ') for name in found)}"


def some(count: int, what: str) -> str:
    """`one page`, `3 pages`, `no pages`."""
    return f"one {singular(what)}" if count == 1 else f"{count or 'no'} {plural(what)}"


def counted(count: int, what: str) -> str:
    """`1 page`, `3,000 pages`, `0 pages`."""
    return f"{count:,} {what if count == 1 else plural(what)}"


def with_article(what: str) -> str:
    """`a page`, `an entity`."""
    name = singular(what)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def plural(what: str) -> str:
    """The plural of a name, which may be in the plural: a reader may say that it writes *fact* or *facts*."""
    name = singular(what)
    if name.endswith("sis"):
        return name[:-2] + "es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(_HISSING) else "s")


def singular(what: str) -> str:
    if not what.endswith("s") or what.endswith(("ss", "us", "is")):
        return what
    if what.endswith("ies"):
        return what[:-3] + "y"
    hissing = what.endswith("es") and what[:-2].endswith(("ss", *_HISSING[1:]))
    return what[:-2] if hissing else what[:-1]


def were(count: int) -> str:
    return "was" if count == 1 else "were"


def times(count: int) -> str:
    """`once`, `twice`, `3 times`."""
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"


def capitalised(words: str) -> str:
    """With a capital at the start; the rest unchanged."""
    return words[:1].upper() + words[1:]


def call_number(seq: object) -> str:
    """`call 4` for the call with number 3: people count from 1; records, run files and the command line's `--at` count from 0. A
    value that is not a number, as in a damaged file, is unchanged."""
    return f"call {seq + 1:,}" if isinstance(seq, int) and not isinstance(seq, bool) else f"call {seq}"


def percent(part: float) -> str:
    """A part of a whole within a sentence: `27%`; a little is not nothing."""
    return "under 1%" if 0 < part < 0.01 else f"{part:.0%}"
