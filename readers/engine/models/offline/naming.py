"""Entities: the names in a text, found by rules, whatever else a question makes relevant, and which names mean the same.

Beside names, dates and quantities these are quoted words, things identified by a number (`a gate of three bars`), and the
question's own words where many of them occur together. It cannot tell whether a name matters, so it leaves none out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import query_terms, sentences
from readers.engine.text.entities import find_entities, may_be_same_name, name_words
from readers.engine.text.words import rarity, term, terms, words

# The share of a question's rarity that three sentences need for its words there to be entities, and the minimum rarity of such a
# word.
MIN_DENSITY, MIN_RARITY = 0.4, 0.3
WINDOW = 3
MAX_ITEMS = 60
_MAX_NAME_LENGTH = 40

_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})"
# `a gate of three bars`, `a gate with three bars`: the last word a plural.
_NUMBERED_THING = regex.compile(rf"\b(?:an?|one|the)\s(?P<what>\p{{Ll}}{{3,20}}\s(?:of|with|in)\s{_NUMBER}\s\p{{Ll}}{{2,20}}s)\b")
_COUNTED = regex.compile(_NUMBER)
_QUOTED = regex.compile(r"(?<![\p{L}\p{N}])[‘“\"](?P<what>\p{Ll}[\p{Ll}-]{2,20})[’”\"](?![\p{L}\p{N}])")


def entities(call: Call) -> Mapping[str, str | int]:
    """The entities of `segment`; with `segments` (which did not answer), entities that may lead on; otherwise those of the
    question."""
    question = " ".join([*call.part("question"), *call.part("questions")])
    if call.part("segments"):
        candidates = _leads(call.part("segments"), question, lines(call, "entities"))
    elif call.part("segment"):
        segment = "\n\n".join(call.part("segment"))
        candidates = [*names_in(segment), *_asked_about(segment, [*call.part("question"), *lines(call, "questions")])]
    else:
        candidates = names_in(question) or question_words_in(question, question)
    known = {name.casefold() for name in lines(call, "entities")} if call.part("questions") else set[str]()
    return {"entities": json_list(name for name in candidates if name.casefold() not in known)}


def lines(call: Call, part: str) -> list[str]:
    """The texts of a part, split into lines."""
    return [line.strip() for text in call.part(part) for line in text.splitlines() if line.strip()]


def json_list(items: Iterable[object]) -> str:
    """A JSON list without duplicates, of at most `MAX_ITEMS` items."""
    distinct = {json.dumps(item, ensure_ascii=False): None for item in items}
    return f"[{', '.join(list(distinct)[:MAX_ITEMS])}]"


def names_in(text: str) -> list[str]:
    """Names, dates, quantities, quoted words and things identified by a number, in text order."""
    positions = [(start, text[start:end]) for start, end, _ in find_entities(text)]
    for pattern in (_NUMBERED_THING, _QUOTED):
        positions += [(match.start("what"), match["what"]) for match in pattern.finditer(text)]
    return list(dict.fromkeys(name for _, name in sorted(positions) if "\n" not in name and len(name) <= 4 * _MAX_NAME_LENGTH))


def _asked_about(segment: str, questions: Sequence[str]) -> Iterator[str]:
    """The words of each question, where they occur close together."""
    units = sentences(segment)
    bags = [frozenset(terms(unit)) for unit in units]
    for question in questions:
        sought = {t: rarity(word) for t, word in query_terms(question).items()}
        whole = sum(sought.values())
        for start in range(max(1, len(units) - WINDOW + 1)):
            near = frozenset[str]().union(*bags[start : start + WINDOW])
            if sum(weight for t, weight in sought.items() if t in near) >= MIN_DENSITY * whole > 0:
                yield from question_words_in(" ".join(units[start : start + WINDOW]), question)


def question_words_in(text: str, question: str) -> list[str]:
    """The question's rarer words in the text, as the text spells them, except those that are part of a name."""
    sought = {t for t, word in query_terms(question).items() if rarity(word) >= MIN_RARITY}
    matching = (word for word in words(text) if term(word) in sought and word.islower() and not _COUNTED.fullmatch(word))
    return list(dict.fromkeys(word.removesuffix("'s").removesuffix("’s") for word in matching if len(word) > 2))


def _leads(segments: Sequence[str], question: str, tried: Sequence[str]) -> list[str]:
    """The names in the sentences nearest to the question, untried ones first."""
    sought = {t: rarity(word) for t, word in query_terms(question).items()}
    windows = []
    for at, segment in enumerate(segments):
        units = sentences(segment)
        for start in range(max(1, len(units) - WINDOW + 1)):
            window = " ".join(units[start : start + WINDOW])
            met = frozenset(terms(window))
            windows.append((-sum(weight for t, weight in sought.items() if t in met), at, start, window))
    best = [name for _, _, _, window in sorted(windows)[:WINDOW] for name in names_in(window)]
    before = {name.casefold() for name in tried}
    new = [name for name in dict.fromkeys(best) if name.casefold() not in before]
    return [*new[: MAX_ITEMS // 10], *(name for name in tried if set(name_words(name)) & sought.keys())]


def merge(call: Call) -> Mapping[str, str | int]:
    """Pairs of `names` that mean the same; or, given two parts, their text on a pair of entities, joined."""
    if call.part("one"):
        return {call.prompt.reply.main: " ".join(dict.fromkeys([*call.part("one"), *call.part("other")]))}
    offered = [line.partition("\n")[0] for line in call.part("names")]
    return {"same": json_list({"a": a, "b": b} for a, b in same_name_pairs(offered))}


def same_name_pairs(offered: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Two names with the same words; or a name and the only longer one that ends with it (`Brough`, if there is no other
    Brough)."""
    for number, name in enumerate(offered):
        words_of_name = name_words(name)
        others = [other for n, other in enumerate(offered) if n != number and may_be_same_name(name, other)]
        for other in offered[number + 1 :]:
            if other in others and sorted(name_words(other)) == sorted(words_of_name):
                yield name, other
        longer = {name_words(other): other for other in reversed(others) if len(name_words(other)) > len(words_of_name)}
        ends_with_it = len(longer) == 1 and next(iter(longer))[-len(words_of_name) :] == words_of_name
        if ends_with_it and not _is_common(words_of_name):
            yield name, next(iter(longer.values()))


def _is_common(name: Sequence[str]) -> bool:
    """Whether all the words are common: `School` may be any school."""
    return all(rarity(word) < 0.6 for word in name)
