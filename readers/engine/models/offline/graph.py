"""Entities, which entities are the same, and their relations; and the questions that a segment raises, made from its sentences.

In addition to names, dates and quantities these are quoted words, things identified by a number (`a gate of three bars`), and the
question's own words where many of them occur together. It does not know whether a name matters, so it leaves none out. Two
entities are related if they are neighbours in a sentence, or if one leads a sentence and the next continues about it (`He ...`,
`In it ...`). Descriptions are copied, not worded. Not every pair is reported: about a dozen for each segment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import query_terms, sentences
from readers.engine.text.entities import find_entities, may_be_same_name, name_words
from readers.engine.text.phrases import listed
from readers.engine.text.words import rarity, term, terms, words

# The share of a question's rarity that three sentences need for their question words to be entities, and the minimum rarity of
# such a word.
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


# The most relations of a segment; the most words of a sentence that is quoted whole; the most words of any description; the most
# questions; and the fewest words of a question.
MAX_RELATIONS, MAX_WHOLE_WORDS, MAX_WORDS, MAX_QUESTIONS = 16, 24, 45, 3
MIN_QUESTION_WORDS = 2
_CONTINUES = regex.compile(
    r"\W{0,2}(?:(?:In|On|Of|At|By|From|To|With|Under|Beside|Near)\s(?:it|this|that|him|her|them)|He|She|It|They|His|Her|Its|Their|"
    r"This|That|These|Those|So\s(?:was|is|were|are|did|had)|Both|The\s(?:former|latter))\b"
)
_CLAUSE = regex.compile(r"[,;:—–()]\s?")


def relate(call: Call) -> Mapping[str, str | int]:
    """Descriptions of pairs of `entities` in the `segment`: the closest pairs, in text order."""
    candidates = _pairs(sentences("\n\n".join(call.part("segment"))), lines(call, "entities"))
    known = "\n".join(lines(call, "relations")).casefold()
    about = query_terms(" ".join(call.part("questions")))
    distinct: dict[tuple[str, str], tuple[int, str, str, str]] = {}
    for _, at, a, b, description in sorted(candidates, key=lambda pair: (-pair[0], pair[1])):
        key = (min(a, b), max(a, b))
        is_known = description.casefold() in known
        if key not in distinct and not is_known and (not about or about.keys() & set(terms(description))):
            distinct[key] = (at, a, b, description)
    best = sorted(list(distinct.values())[:MAX_RELATIONS], key=lambda pair: pair[0])
    return {"relations": json_list({"a": a, "b": b, "relation": description} for _, a, b, description in best)}


def _pairs(units: Sequence[str], entities: Sequence[str]) -> Iterator[tuple[float, int, str, str, str]]:
    """Two entities of a sentence or of two: the value of the relation by how close they are, the sentence, both, and what is said
    about them."""
    stand = [_entities_in(unit, entities) for unit in units]
    for at, (unit, here) in enumerate(zip(units, stand, strict=True)):
        for number, (start, a) in enumerate(here):
            for distance, (_, b) in enumerate(here[number + 1 : number + 4], 1):
                # Neighbours, and the first entity with each that follows.
                if distance == 1 or number == 0:
                    yield _worth(a, b) / distance, at, a, b, _description(unit, start, b)
        if at and here and stand[at - 1] and _CONTINUES.match(unit):
            a = stand[at - 1][0][1]
            for _, b in here[:2]:
                if a.casefold() != b.casefold():
                    yield _worth(a, b) / 2, at, a, b, _shorten(units[at - 1]) + " " + _shorten(unit)


def _entities_in(unit: str, entities: Sequence[str]) -> list[tuple[int, str]]:
    """The entities in a sentence by their first occurrence as whole words; one inside a longer entity does not count."""
    folded = unit.casefold() if len(unit.casefold()) == len(unit) else unit
    placed: list[tuple[int, int, str]] = []
    for name in sorted(dict.fromkeys(entities), key=lambda name: (-len(name), name)):
        start = _find_whole(folded, name.casefold(), placed)
        if start >= 0:
            placed.append((start, start + len(name), name))
    return [(start, name) for start, _, name in sorted(placed)]


def _find_whole(text: str, name: str, placed: Sequence[tuple[int, int, str]]) -> int:
    """Where a name first occurs as a whole word outside these stretches; -1 if it does not."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        whole = not (start and text[start - 1].isalnum() and name[0].isascii()) and not (
            text[end : end + 1].isalnum() and name[-1].isascii()
        )
        if whole and all(end <= low or start >= high for low, high, _ in placed):
            return start
        start = text.find(name, start + 1)
    return -1


def _worth(a: str, b: str) -> float:
    """The rarity of both names; figures count half."""
    return sum(max((rarity(word) for word in words(name)), default=0.0) * (0.5 if name[:1].isdigit() else 1.0) for name in (a, b))


def _description(unit: str, start: int, b: str) -> str:
    """The sentence; if it is long, the clauses from the first entity to the second."""
    if len(unit.split()) <= MAX_WHOLE_WORDS:
        return unit
    end = unit.casefold().find(b.casefold(), start) + len(b)
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(unit)), len(unit)]
    low = max(cut for cut in cuts if cut <= start)
    high = min((cut for cut in cuts if cut >= end), default=len(unit))
    return _shorten(unit[low:high].strip(" ,;:—–()"))


def _shorten(unit: str) -> str:
    """The first words of a sentence."""
    words_of_unit = unit.split()
    return unit if len(words_of_unit) <= MAX_WORDS else f"{' '.join(words_of_unit[:MAX_WORDS])} …"


def question(call: Call) -> Mapping[str, str | int]:
    """Questions from the sentences of the `segment` that no relation uses; or, for a pair of entities, how they are related."""
    if call.part("one"):
        a, b = (" ".join(call.part(name)) for name in ("a", "b"))
        return {call.prompt.reply.main: f"What do both parts together say of {a} and {b}?"}
    known = "\n".join(lines(call, "relations")).casefold()
    candidates: list[tuple[float, int, str]] = []
    for at, unit in enumerate(sentences("\n\n".join(call.part("segment")))):
        asked = _as_question(unit) if unit.casefold() not in known else ""
        if asked:
            candidates.append((-sum(rarity(word) for word in query_terms(asked).values()), at, asked))
    best = sorted(sorted(candidates)[:MAX_QUESTIONS], key=lambda one: one[1])
    return {"questions": json_list(asked for _, _, asked in best)}


def _as_question(unit: str) -> str:
    """A sentence that begins with a name, with `Who or what` in its place; empty for any other sentence."""
    head = next(iter(find_entities(unit)), None)
    if head is None or head.kind != "name" or len(unit[: head.start].split()) > 1:
        return ""
    rest = unit[head.end :].strip().rstrip(".!?…’”\"'").split()
    if not MIN_QUESTION_WORDS < len(rest) <= MAX_WORDS or rest[0].startswith(("’", "'", ",")):
        return ""
    return f"Who or what {' '.join(rest)}?"


def elaborate(call: Call) -> Mapping[str, str | int]:
    """The question, the entities around it, and the two descriptions that share most with it."""
    asked = " ".join(call.part("question"))
    sought = query_terms(asked)
    descriptions = sorted(
        lines(call, "relations"),
        key=lambda line: -sum(rarity(word) for t, word in sought.items() if t in set(terms(line))),
    )
    around = [name for name in lines(call, "entities") if name.casefold() not in asked.casefold()][:6]
    about = f" It has to do with {listed(around)}." if around else ""
    return {call.prompt.reply.main: " ".join([asked + about, *map(_shorten, descriptions[:2])])}
