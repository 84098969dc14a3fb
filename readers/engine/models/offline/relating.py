"""Relations: the sentence, or the part of one, that has two entities; and questions a part raises, made of its own sentences.

Two entities are related where they stand next to each other in one sentence, or where one leads a sentence and the next goes on
about it (`He ...`, `In it ...`). A description is copied, not worded. Not every pair is given: a dozen or so for a segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import listed, rarity, sentences, wanted
from readers.engine.models.offline.naming import as_list, lines
from readers.engine.text.entities import named_by_rules
from readers.engine.text.words import terms, words

# The most relations of one segment, the words up to which a sentence is described whole, those it may have at all, the most
# questions, and the fewest words of one.
MOST, WHOLE, LONGEST, QUESTIONS = 16, 24, 45, 3
LEAST = 2
_GOES_ON = regex.compile(
    r"\W{0,2}(?:(?:In|On|Of|At|By|From|To|With|Under|Beside|Near)\s(?:it|this|that|him|her|them)|He|She|It|They|His|Her|Its|Their|"
    r"This|That|These|Those|So\s(?:was|is|were|are|did|had)|Both|The\s(?:former|latter))\b"
)
_CLAUSE = regex.compile(r"[,;:—–()]\s?")


class Pair(NamedTuple):
    """Two entities in sentence `at`, what the relation is worth by how near they stand, and its description."""

    worth: float
    at: int
    a: str
    b: str
    description: str


def relate(call: Call) -> Mapping[str, str | int]:
    """Descriptions of pairs of `entities` in the `segment`, the nearest pairs first to be kept, in the order of the text."""
    found = _pairs(sentences("\n\n".join(call.part("segment"))), lines(call, "entities"))
    known = "\n".join(lines(call, "relations")).casefold()
    about = wanted(" ".join(call.part("questions")))
    kept: dict[tuple[str, str], Pair] = {}
    for pair in sorted(found, key=lambda pair: (-pair.worth, pair.at)):
        key = (min(pair.a, pair.b), max(pair.a, pair.b))
        said = pair.description.casefold() in known
        if key not in kept and not said and (not about or about.keys() & set(terms(pair.description))):
            kept[key] = pair
    best = sorted(list(kept.values())[:MOST], key=lambda pair: pair.at)
    return {"relations": as_list({"a": pair.a, "b": pair.b, "relation": pair.description} for pair in best)}


def _pairs(units: Sequence[str], entities: Sequence[str]) -> Iterator[Pair]:
    stand = [_standing(unit, entities) for unit in units]
    for at, (unit, here) in enumerate(zip(units, stand, strict=True)):
        for number, (start, a) in enumerate(here):
            for distance, (_, b) in enumerate(here[number + 1 : number + 4], 1):
                # Neighbours, and what leads the sentence with what follows.
                if distance == 1 or number == 0:
                    yield Pair(_worth(a, b) / distance, at, a, b, _stretch(unit, start, b))
        if at and here and stand[at - 1] and _GOES_ON.match(unit):
            a = stand[at - 1][0][1]
            for _, b in here[:2]:
                if a.casefold() != b.casefold():
                    yield Pair(_worth(a, b) / 2, at, a, b, _short(units[at - 1]) + " " + _short(unit))


def _standing(unit: str, entities: Sequence[str]) -> list[tuple[int, str]]:
    """The entities in a sentence by where they first stand as whole words; none inside a longer one that stands there too."""
    folded = unit.casefold() if len(unit.casefold()) == len(unit) else unit
    taken: list[tuple[int, int, str]] = []
    for name in sorted(dict.fromkeys(entities), key=lambda name: (-len(name), name)):
        start = _place(folded, name.casefold(), taken)
        if start >= 0:
            taken.append((start, start + len(name), name))
    return [(start, name) for start, _, name in sorted(taken)]


def _place(text: str, name: str, taken: Sequence[tuple[int, int, str]]) -> int:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        whole = not (start and text[start - 1].isalnum() and name[0].isascii()) and not (
            text[end : end + 1].isalnum() and name[-1].isascii()
        )
        if whole and all(end <= low or start >= high for low, high, _ in taken):
            return start
        start = text.find(name, start + 1)
    return -1


def _worth(a: str, b: str) -> float:
    """How rare both are; figures are worth less than names."""
    return sum(max((rarity(word) for word in words(name)), default=0.0) * (0.5 if name[:1].isdigit() else 1.0) for name in (a, b))


def _stretch(unit: str, start: int, b: str) -> str:
    """The sentence; of a long one the clauses from the first entity to the second."""
    if len(unit.split()) <= WHOLE:
        return unit
    end = unit.casefold().find(b.casefold(), start) + len(b)
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(unit)), len(unit)]
    low = max(cut for cut in cuts if cut <= start)
    high = min((cut for cut in cuts if cut >= end), default=len(unit))
    return _short(unit[low:high].strip(" ,;:—–()"))


def _short(unit: str) -> str:
    """The first words of it."""
    found = unit.split()
    return unit if len(found) <= LONGEST else f"{' '.join(found[:LONGEST])} …"


def question(call: Call) -> Mapping[str, str | int]:
    """Questions made of the sentences of the `segment` that no relation has; of a pair of entities, how they are related."""
    if call.part("one"):
        a, b = (" ".join(call.part(name)) for name in ("a", "b"))
        return {call.prompt.reply.main: f"What do both parts together say of {a} and {b}?"}
    known = "\n".join(lines(call, "relations")).casefold()
    found: list[tuple[float, int, str]] = []
    for at, unit in enumerate(sentences("\n\n".join(call.part("segment")))):
        asked = _asked(unit) if unit.casefold() not in known else ""
        if asked:
            found.append((-sum(rarity(word) for word in wanted(asked).values()), at, asked))
    best = sorted(sorted(found)[:QUESTIONS], key=lambda one: one[1])
    return {"questions": as_list(asked for _, _, asked in best)}


def _asked(unit: str) -> str:
    """A sentence that begins with a name, with `who or what` for it; empty for another sentence."""
    head = next(iter(named_by_rules(unit)), None)
    if head is None or head.kind != "name" or len(unit[: head.start].split()) > 1:
        return ""
    rest = unit[head.end :].strip().rstrip(".!?…’”\"'").split()
    if not LEAST < len(rest) <= LONGEST or rest[0].startswith(("’", "'", ",")):
        return ""
    return f"Who or what {' '.join(rest)}?"


def elaborate(call: Call) -> Mapping[str, str | int]:
    """The question, the entities around it, and the two descriptions that share most with it."""
    asked = " ".join(call.part("question"))
    sought = wanted(asked)
    said = sorted(
        lines(call, "relations"),
        key=lambda line: -sum(rarity(word) for t, word in sought.items() if t in set(terms(line))),
    )
    around = [name for name in lines(call, "entities") if name.casefold() not in asked.casefold()][:6]
    about = f" It has to do with {listed(around)}." if around else ""
    return {call.prompt.reply.main: " ".join([asked + about, *map(_short, said[:2])])}
