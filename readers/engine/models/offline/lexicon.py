"""The offline model's knowledge of language: which words of a question to look for, what kind of thing it asks for (a person, a
year, a sum, a number of things) and whether a passage has one, and where sentences end.

Word rarity (`text/words.py`) is independent of the text; each task adds what the call shows. A passage that has the question's
words and not the kind of thing it asks for does not answer it. These are rules over words: a passage that has one may still not
answer. A question that asks for no kind named here (`why`, `what`) is met by any passage. A person is a name that is not in the
question, or the subject of the verb asked about: `The miller kept` for `Who kept`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

import regex

from readers.engine.models.call import Call
from readers.engine.on_first_use import unicode_pattern
from readers.engine.text import split
from readers.engine.text.entities import NamedEntity, find_entities, name_words
from readers.engine.text.words import rarity, stem, term, terms, words

# Words with which a question refers to the text or to itself. The passage that holds the answer seldom contains them.
QUESTION_WORDS = frozenset(
    terms(
        "who whom whose what which when where why how does do did was were is are been according author passage text story "
        "article narrator character following describe best likely probably option true false mean suggest refer tell happen "
        "about reason because would could should main think reader paragraph section document mention statement word answer "
        "question"
    )
)

_SHORTEST_WRAPPED_LINE = 40
_REFERS_BACK = regex.compile(r"\A(?:he|she|it|they|his|her|its|their)\b|\b(?:him|it|them)\b", regex.IGNORECASE)
_UNFINISHED = regex.compile(r"[^.!?…:;。！？\"”’\s][^\S\n]*\n$")


def query_terms(question: str) -> dict[str, str]:
    """The terms of a question worth looking for, in order, each with the word as written."""
    by_term: dict[str, str] = {}
    for word in words(question):
        if rarity(word) > 0 and term(word) not in QUESTION_WORDS:
            by_term.setdefault(term(word), word)
    return by_term


def said(text: str) -> frozenset[str]:
    """The terms of a text and, of past forms that no stemmer knows, those of the present: who `found` a rib did `find` it."""
    return frozenset(form for word in words(text) for form in (term(word), stem(word)))


def question_and_choices(call: Call) -> tuple[str, tuple[str, ...]]:
    """The question and any choices of a call; its prompt has them in one part or in two."""
    if problem := call.part("problem"):
        return problem[0], problem[1:]
    return " ".join(call.part("question")), call.part("choices")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line. A hard line break inside a sentence does not end it."""
    pieces: list[str] = []
    unfinished = False
    for start, end in split.sentences(text):
        piece = text[start:end]
        if unfinished:
            pieces[-1] += piece
        else:
            pieces.append(piece)
        unfinished = len(piece) > _SHORTEST_WRAPPED_LINE and bool(_UNFINISHED.search(piece))
    return [line for line in (" ".join(piece.split()) for piece in pieces) if line]


def with_those_before(bags: Sequence[frozenset[str]], units: Sequence[str]) -> list[frozenset[str]]:
    """The terms of each sentence, and where a pronoun opens it or is its object, those of the sentence before it, which it
    refers to."""
    before = [frozenset[str](), *bags]
    return [bag | before[n] if _REFERS_BACK.search(units[n]) else bag for n, bag in enumerate(bags)]


ASKS_PERSON = unicode_pattern(r"\b(?:who|whom|whose)\b", regex.IGNORECASE)
ASKS_NUMBER = unicode_pattern(
    r"\bhow (?:many|much|long|old|far|high|tall|deep|wide|often|big|large|heavy)\b|\bwhat time\b", regex.IGNORECASE
)
ASKS_DATE = unicode_pattern(r"(?:^|\band )when\b|\b(?:what|which) (?:year|day|date|month)\b", regex.IGNORECASE)
_NUMBER = (
    r"(?:\d[\d,.]{0,30}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{3,6}teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand|dozen|once|twice|half)"
)
FIGURE = unicode_pattern(rf"\d|\b{_NUMBER}\b", regex.IGNORECASE)

_TIMES = (
    "when|whenever|while|as|after|afterwards|before|until|till|since|during|then|later|earlier|early|late|ago|once|now|soon|already|"
    "today|tonight|yesterday|tomorrow|dawn|dusk|sunrise|sunset|noon|midday|midnight|mornings?|afternoons?|evenings?|nights?|days?|"
    "weeks?|months?|years?|spring|summer|autumn|winter|christmas|easter|"
    "january|february|march|april|may|june|july|august|september|october|november|december|time"
)
# A place is said with a preposition or by an adverb.
_PLACES = (
    "in|into|inside|at|on|onto|under|underneath|beneath|below|over|above|near|beside|by|behind|before|between|among|against|"
    "through|across|along|around|round|outside|off|from|to|towards?|beyond|opposite|up|down|where|here|there|home|abroad|ashore|"
    "upstairs|downstairs|indoors|outdoors|away|north|south|east|west"
)

# Kinds that are asked for by a word at the head of the question, and what a sentence must have to hold one.
_MONEY = (
    "a sum of money",
    unicode_pattern(r"\bwhat (?:fee|sum|price|wage|salary|fare)\b|\bhow much money\b", regex.IGNORECASE),
    unicode_pattern(
        r"[£$€]\s?\d|\b\d+\s?[sd]\.|\b\d+\s?p\b|\b(?:guinea|pound|shilling|penny|pence|sixpence|dollar|cent|euro|franc|credit)s?\b",
        regex.IGNORECASE,
    ),
)
_SCORE = (
    "a score",
    unicode_pattern(r"\bwhat (?:was|were|is) the (?:final )?score\b", regex.IGNORECASE),
    unicode_pattern(
        rf"\b\d{{1,2}}\s?[-–—:]\s?\d{{1,2}}\b|\b{_NUMBER}(?: \p{{L}}+)? to (?:{_NUMBER}|one|nil|nothing)\b", regex.IGNORECASE
    ),
)
_YEAR = (
    "a year",
    unicode_pattern(r"\b(?:what|which) year\b", regex.IGNORECASE),
    unicode_pattern(r"\b1\d{3}\b|\b20\d\d\b"),
)
_COST = (
    "a price",
    unicode_pattern(r"\bhow much\b.{0,300}\b(?:cost|pa(?:y|id)|spen[dt]|earn|charge|worth|owe|sell|sold)", regex.IGNORECASE),
    unicode_pattern(rf"{FIGURE.pattern}|{_MONEY[2].pattern}|\b(?:nothing|free)\b", regex.IGNORECASE),
)
_WHEN = (
    "a time",
    unicode_pattern(r"^when\b", regex.IGNORECASE),
    unicode_pattern(
        rf"{_YEAR[2].pattern}|\b\d{{1,2}}(?:[.:]\d\d|st|nd|rd|th)\b|\b(?:at|by|about|past|to) {_NUMBER}\b|\b(?:{_TIMES})\b|"
        r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
        regex.IGNORECASE,
    ),
)
_WHERE = (
    "a place",
    unicode_pattern(r"^where\b", regex.IGNORECASE),
    unicode_pattern(rf"\b(?:{_PLACES})\b", regex.IGNORECASE),
)
# A sentence in which somebody asks why, or gets no answer, gives no reason.
_WHY = (
    "a reason",
    unicode_pattern(r"^why\b", regex.IGNORECASE),
    unicode_pattern(
        r"\A(?:(?!\b(?:ask|wonder|know|knew|tell|told)\p{L}*(?: \p{L}+)? why\b).)*+\Z", regex.IGNORECASE | regex.DOTALL
    ),
)
_BY_PATTERN = (_MONEY, _SCORE, _YEAR, _COST, _WHEN, _WHERE, _WHY)
_HOW_MANY = unicode_pattern(r"\bhow many (?P<what>\p{L}+)", regex.IGNORECASE)
_MEASURE = unicode_pattern(r"^how (?:old|far|high|tall|deep|wide|heavy)\b", regex.IGNORECASE)
# A number that counts or measures: not `No. 2`, and no year or day of a month.
_COUNT = unicode_pattern(rf"(?<!\bNo\. ?)(?<!\bMinute )(?<!\bForm )\b(?!1\d{{3}}\b){_NUMBER}\b", regex.IGNORECASE)
# `Who was the girl` is answered by a description as well, so it is not among them.
_TO_WHOM = unicode_pattern(
    r"^(?:(?:to|by|from|for|with) whom\b|who (?!is\b|are\b|was\b|were\b)(?P<did>\p{L}+)?)", regex.IGNORECASE
)
# Who somebody is to others: `from her uncle` for `from whom`.
_TO_SOMEBODY = unicode_pattern(
    r"\b(?:to|by|from|for|with) (?:an?|the|my|our|his|her|its|their) (?P<who>\p{L}+)", regex.IGNORECASE
)
_OBJECTS = frozenset(terms("it them him her"))
_ALL_OR_NONE = [terms(words) for words in ("everyone", "everybody", "nobody", "no one", "somebody", "someone")]
_IN_WHICH = unicode_pattern(
    r"^(?:on|in|at|aboard|from|to) (?:what|which) (?:ship|boat|vessel|town|city|village|country|county|island|street|school)\b",
    regex.IGNORECASE,
)
# A question that asks for two things at once may find either.
_TWO_THINGS = unicode_pattern(r"\b(?:and|or),? (?:who|whom|what|which|how|when|where|why)\b", regex.IGNORECASE)
# Words that mark a name as that of a thing.
_THING_WORDS = frozenset(
    terms(
        "school college university company society club office hill head house street road square park market bank bridge river "
        "sea strait island isle north south east west church court council committee board cup railway hotel museum garden "
        "survey harbour port pier bay point lane row station hospital union institute form section chapter gazette times"
    )
)


def kind_missing(asked: str, passage: str) -> str:
    """The kind of thing that the question asks for and the passage does not have, in words; empty if nothing is missing."""
    if _TWO_THINGS.search(asked):
        return ""
    for kind, asks, gives in _BY_PATTERN:
        if asks.search(asked):
            return "" if gives.search(passage) else kind
    if many := _HOW_MANY.search(asked):
        return "" if _COUNT.search(passage) else f"a number of {many['what']}"
    if _MEASURE.search(asked):
        return "" if FIGURE.search(passage) else "a number"
    if _TO_WHOM.search(asked):
        told = _new_names(asked, passage, persons=True) or says_who(asked, passage) or _says_to_whom(asked, passage)
        return "" if told else "a person"
    if _IN_WHICH.search(asked):
        return "" if _new_names(asked, passage, persons=False) else "a name"
    return ""


def asks_a_kind(asked: str) -> bool:
    """Whether a passage can lack what the question asks for."""
    return bool(kind_missing(asked, ""))


def counted(asked: str, number: str, passage: str) -> bool:
    """Whether a passage counts what the question counts by this number: `eighteen weeks` for `how many weeks`."""
    many = _HOW_MANY.search(asked)
    if not many:
        return False
    found = rf"\b{regex.escape(number.strip())}\s(?:\p{{L}}+\s)?{regex.escape(many['what'])}\b"
    return bool(regex.search(found, passage, regex.IGNORECASE))


def says_half(asked: str, passage: str) -> bool:
    """Whether a passage says what somebody did, and not to what (`plays` of `Who plays the trumpet`), or where one thing more is
    asked about, this and not the deed: `the trunk` of `Who stole the trunk`. A passage that begins with `Ben sold it` does not
    show what was sold, so it may be the thing asked about."""
    who, sought, there = _TO_WHOM.search(asked), query_terms(asked).keys(), said(passage)
    if not who or not who["did"] or len(sought) == 1 or (did := term(who["did"])) not in sought:
        return False
    done = did in there or stem(who["did"]) in there
    if not done:
        return len(sought) == 2
    opens = said(next(iter(sentences(passage)), ""))
    return not (sought - {did}) & there and not (opens & _OBJECTS and opens & {did, stem(who["did"])})


@lru_cache(maxsize=512)
def says_who(asked: str, passage: str) -> bool:
    """Whether a sentence opens with somebody who did what the question asks about. A pronoun, or `was`, names nobody."""
    who = _TO_WHOM.search(asked)
    if not who or not who["did"]:
        return False
    own, did = frozenset(terms(asked)), stem(who["did"])
    for unit in map(words, sentences(passage)):
        subject = list(takewhile(lambda word: stem(word) != did, unit))
        everybody = [term(word) for word in subject] in _ALL_OR_NONE
        says = everybody or (QUESTION_WORDS.isdisjoint(map(term, subject)) and query_terms(" ".join(subject)).keys() - own)
        if says and len(subject) < len(unit):
            return True
    return False


def _says_to_whom(asked: str, passage: str) -> bool:
    """Whether a passage says to, by, from, for or with whom, where that is asked, by what the person is: `from her uncle`. It has
    more of the question than names."""
    preposition, whom = ([*asked.split(), "", ""])[:2]
    more = {t for t, word in query_terms(asked).items() if word.islower()} & said(passage)
    found = _TO_SOMEBODY.finditer(passage) if whom.casefold() == "whom" and more else ()
    own = frozenset(terms(asked))
    return any(m[0].casefold().startswith(preposition.casefold()) and term(m["who"]) not in own for m in found)


@lru_cache(maxsize=512)
def _new_names(asked: str, passage: str, *, persons: bool) -> list[str]:
    """The names in a passage that the question does not have."""
    own = frozenset(terms(asked))
    named: Sequence[NamedEntity] = [entity for entity in find_entities(passage) if entity.kind == "name"]
    names = [passage[entity.start : entity.end] for entity in named]
    return [name for name in names if not set(name_words(name)) <= own and (not persons or is_person(name, least=1))]


def is_person(name: str, *, least: int = 2) -> bool:
    """Whether a name is a person's: `least` to four words, none typical of a thing, no digits and no `of` in between."""
    words_of_name = terms(name)
    if " of " in name or _THING_WORDS & set(words_of_name) or any(word.isdigit() for word in words_of_name):
        return False
    return least <= len(words_of_name) <= 4
