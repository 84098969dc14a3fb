"""Entities: the names of a text by rules, and what else a question makes worth looking for; which names are the same.

Beside names, dates and quantities these are words in quotation marks, things told apart by a number (`a gate of three bars`), and
the question's own words in a place that has many of them. Whether a name matters it cannot tell, so it leaves none out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import rarity, sentences, wanted
from readers.engine.text.entities import bare, named_by_rules, same_name
from readers.engine.text.words import term, terms, words

# The share of a question's rarity that three sentences must have for its words there to be entities, and how rare such a word is.
DENSE, RARE_ENOUGH = 0.4, 0.3
WINDOW = 3
MOST = 60
_LONGEST_CALLED = 40

_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})"
# `a gate of three bars`, `a gate with three bars`: the last word a plural.
_TOLD_APART = regex.compile(rf"\b(?:an?|one|the)\s(?P<what>\p{{Ll}}{{3,20}}\s(?:of|with|in)\s{_NUMBER}\s\p{{Ll}}{{2,20}}s)\b")
_COUNTED = regex.compile(_NUMBER)
_QUOTED = regex.compile(r"(?<![\p{L}\p{N}])[‘“\"](?P<what>\p{Ll}[\p{Ll}-]{2,20})[’”\"](?![\p{L}\p{N}])")


def entities(call: Call) -> Mapping[str, str | int]:
    """What the `segment` names; with `segments` (the last ones did not answer) what may lead on; else what the question names."""
    question = " ".join([*call.part("question"), *call.part("questions")])
    if call.part("segments"):
        found = _leading_on(call.part("segments"), question, lines(call, "entities"))
    elif call.part("segment"):
        segment = "\n\n".join(call.part("segment"))
        found = [*names(segment), *_asked_for(segment, [*call.part("question"), *lines(call, "questions")])]
    else:
        found = names(question) or phrases(question, question)
    known = {name.casefold() for name in lines(call, "entities")} if call.part("questions") else set[str]()
    return {"entities": as_list(name for name in found if name.casefold() not in known)}


def lines(call: Call, part: str) -> list[str]:
    """The texts of a part, each of its lines by itself."""
    return [line.strip() for text in call.part(part) for line in text.splitlines() if line.strip()]


def as_list(found: Iterable[object]) -> str:
    """A JSON list, without repetitions, of `MOST` items at most."""
    kept = {json.dumps(item, ensure_ascii=False): None for item in found}
    return f"[{', '.join(list(kept)[:MOST])}]"


def names(text: str) -> list[str]:
    """Names, dates, quantities, words in quotation marks, and things told apart by a number, in the order of the text."""
    found = [(start, text[start:end]) for start, end, _ in named_by_rules(text)]
    for pattern in (_TOLD_APART, _QUOTED):
        found += [(match.start("what"), match["what"]) for match in pattern.finditer(text)]
    return list(dict.fromkeys(name for _, name in sorted(found) if "\n" not in name and len(name) <= 4 * _LONGEST_CALLED))


def _asked_for(segment: str, questions: Sequence[str]) -> Iterator[str]:
    """The words of each question that stand in the places that have most of it."""
    units = sentences(segment)
    bags = [frozenset(terms(unit)) for unit in units]
    for question in questions:
        sought = {t: rarity(word) for t, word in wanted(question).items()}
        whole = sum(sought.values())
        for start in range(max(1, len(units) - WINDOW + 1)):
            near = frozenset[str]().union(*bags[start : start + WINDOW])
            if sum(weight for t, weight in sought.items() if t in near) >= DENSE * whole > 0:
                yield from phrases(" ".join(units[start : start + WINDOW]), question)


def phrases(text: str, question: str) -> list[str]:
    """The question's rarer words in the text, as the text has them, those that are no part of a name."""
    sought = {t for t, word in wanted(question).items() if rarity(word) >= RARE_ENOUGH}
    found = (word for word in words(text) if term(word) in sought and word.islower() and not _COUNTED.fullmatch(word))
    return list(dict.fromkeys(word.removesuffix("'s").removesuffix("’s") for word in found if len(word) > 2))


def _leading_on(segments: Sequence[str], question: str, tried: Sequence[str]) -> list[str]:
    """The names in the places nearest to the question: those that were not tried before them that were."""
    sought = {t: rarity(word) for t, word in wanted(question).items()}
    places = []
    for at, segment in enumerate(segments):
        units = sentences(segment)
        for start in range(max(1, len(units) - WINDOW + 1)):
            place = " ".join(units[start : start + WINDOW])
            met = frozenset(terms(place))
            places.append((-sum(weight for t, weight in sought.items() if t in met), at, start, place))
    best = [name for _, _, _, place in sorted(places)[:WINDOW] for name in names(place)]
    before = {name.casefold() for name in tried}
    new = [name for name in dict.fromkeys(best) if name.casefold() not in before]
    return [*new[: MOST // 10], *(name for name in tried if set(bare(name)) & sought.keys())]


def same(call: Call) -> Mapping[str, str | int]:
    """Pairs of `names` that mean the same; or, of two parts, what both say of a pair of entities."""
    if call.part("one"):
        return {call.prompt.reply.main: " ".join(dict.fromkeys([*call.part("one"), *call.part("other")]))}
    offered = [line.partition("\n")[0] for line in call.part("names")]
    return {"same": as_list({"a": a, "b": b} for a, b in pairs(offered))}


def pairs(offered: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Two names with the same words; or one and the only longer one that ends with it (`Brough` where no other Brough is)."""
    for number, name in enumerate(offered):
        mine = bare(name)
        others = [other for n, other in enumerate(offered) if n != number and same_name(name, other)]
        for other in offered[number + 1 :]:
            if other in others and sorted(bare(other)) == sorted(mine):
                yield name, other
        longer = {bare(other): other for other in reversed(others) if len(bare(other)) > len(mine)}
        if len(longer) == 1 and next(iter(longer))[-len(mine) :] == mine and not _is_common(mine):
            yield name, next(iter(longer.values()))


def _is_common(name: Sequence[str]) -> bool:
    """`School` may be any school."""
    return all(rarity(word) < 0.6 for word in name)
