"""A grade by rule, with the only wording in which it is shown; the case that a rule decides: one answer, one known answer; and
where an answer mentions a value, and how: said, denied, one of several alternatives, only as part of a longer name, or as the
owner of something else.

Words are compared without capitals, accents, the "s" of plurals and possessives, and English articles. Pure. Not here: the rules
(`by_rule.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from readers.engine.questions.grading.word_lists import ARTICLES, AUXILIARY, DENYING, GENERIC, OF_PLACES, OPENERS, TITLES
from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.text.shorten import shorten
from readers.engine.text.words import WORD

_BRACKETS = re.compile(r"(?<!\s)\s*+\([^()]*\)\s*$")  # "The Ferry (1950)"
_CLAUSE = re.compile(r"(?<=\w), (?:who|which|whose|where|when|the|an?|in|as|at|to)\b[^,]*$")  # "Ada Orr, the botanist"
_LONGEST_START, _LONGEST_END = 3_000, 1_000  # characters of an answer that rules look at

Outcome = Literal["correct", "partly", "wrong", "abstained_right", "abstained_wrong", "not_judgeable"]
Certainty = Literal["certain", "likely"]

CANNOT_TELL = "cannot be told by rule"
WORDS: dict[Outcome, str] = {
    "correct": "right",
    "partly": "partly right",
    "wrong": "wrong",
    "abstained_right": "right: no answer given",
    "abstained_wrong": "wrong: no answer given",
    "not_judgeable": CANNOT_TELL,
}
How = Literal["said", "denied", "hedged", "longer", "owner"]

# A full stop after one letter or a title ends no sentence.
_SENTENCE_END = re.compile(r"(?<=[\w\])\"”'’%][.!?])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St)\.)(?<!\bMrs\.)[\"”’)]?\s+|\n+")
_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,}(?!\w)")
_DENIED_WITHIN = 2  # words: "not in Paris"
_HEDGES = re.compile(
    r"(?i)\b(?:might|may have|may be|maybe|perhaps|possibl[ey]|not (?:sure|certain|clear)|unclear|unsure|could (?:be|have been)|"
    r"either|i guess|presumably)\b"
)
_OR_WITHIN = 4
_SHORT = 4  # letters; the "s" of a shorter word belongs to it
_POSSESSIVE = re.compile(r"['’]s$")
_ARTICLE_BEFORE = re.compile(r"(?i)\b(?:the|an?) $")
_SLASH = re.compile(r"(?<=[^\W\d]{2}) ?/ ?(?=[^\W\d]{2})")
_NAMING = re.compile(
    r"(?:^|\s)([A-Z]\w+) (?:of|for) (?:the )?$|\b(?:Return|Back|Road|Farewell|Journey|Escape|Letters?) to (?:the )?$"
)
_NUMERAL = re.compile(r"[IVX]+|\d+")


class Grade(NamedTuple):
    """The grade of an answer by rule: a suggestion. `certainty` is *likely* where the rule reads sentences or holds unlike words
    together. `f1`, from 0 to 1, is the best over the known answers; None if words are not compared."""

    outcome: Outcome
    reason: str
    exact: bool = False
    f1: float | None = None
    certainty: Certainty = "certain"

    @property
    def suggested(self) -> Outcome | None:
        """The outcome; None if the rule cannot decide."""
        return None if self.outcome == "not_judgeable" else self.outcome

    @property
    def sure(self) -> Literal["certain", "likely", "open"]:
        """How sure the rule is; *open* if it cannot decide."""
        return self.certainty if self.suggested else "open"

    @property
    def words(self) -> str:
        """The suggestion as it is shown everywhere, such as *right* or *likely wrong*."""
        likely = self.certainty == "likely" and self.outcome != "not_judgeable"
        return f"likely {WORDS[self.outcome]}" if likely else WORDS[self.outcome]


def finding(outcome: Outcome, reason: str, *, certainty: Certainty = "likely") -> Grade:
    """What a rule says of an answer, and how sure it is."""
    return Grade(outcome, reason, certainty=certainty)


@dataclass(frozen=True)
class Case:
    """An answer, the question, and one of its known answers."""

    answer: str
    question: str
    known: str

    @cached_property
    def text(self) -> str:
        """The answer without accents; of a very long one its beginning and end."""
        answer = self.answer
        if len(answer) > _LONGEST_START + _LONGEST_END:
            answer = f"{answer[:_LONGEST_START]}\n{answer[-_LONGEST_END:]}"
        return plain(answer)

    @cached_property
    def words(self) -> list[str]:
        return comparable_words(self.text)

    @cached_property
    def known_words(self) -> list[str]:
        return comparable_words(plain(self.known))

    @cached_property
    def value(self) -> tuple[str, ...]:
        """The known answer as the words that mentions are looked for by."""
        return folded(self.bare)

    @property
    def bare(self) -> str:
        """The known answer without brackets or a clause at its end."""
        return _CLAUSE.sub("", _BRACKETS.sub("", self.known)).strip() or self.known

    @cached_property
    def question_words(self) -> frozenset[str]:
        return frozenset(token.folded for token in tokens(plain(self.question)))

    @property
    def shown(self) -> str:
        """The known answer as it is quoted in a reason."""
        return f"“{shorten(self.known, 80)}”"

    @property
    def short(self) -> bool:
        """Whether the answer is hardly more than a value."""
        return len(self.words) <= max(4, len(self.known_words) + 3)


# Mentions


class Token(NamedTuple):
    """A word of an answer in comparable form, and where it is. `sentence` counts from 0."""

    folded: str
    raw: str
    start: int
    end: int
    sentence: int

    @property
    def capital(self) -> bool:
        return self.raw[:1].isupper()


class Mention(NamedTuple):
    """Tokens `first` to `last` (exclusive) of an answer that are a value, and how it is mentioned."""

    first: int
    last: int
    how: How


@lru_cache(maxsize=1 << 12)
def plain(text: str) -> str:
    """The text without accents, with one kind of apostrophe, and abbreviations without their full stops."""
    decomposed = unicodedata.normalize("NFKD", text) if not text.isascii() else text
    text = unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")).replace("’", "'")
    return _DOTTED.sub(lambda found: found[0].replace(".", ""), text)


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [one.strip() for one in _SENTENCE_END.split(text) if one and one.strip()]


@lru_cache(maxsize=1 << 12)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a plain text in comparable form, articles left out."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    found, sentence = [], 0
    for match in WORD.finditer(text):
        while sentence < len(ends) and match.start() >= ends[sentence]:
            sentence += 1
        folded = folded_word(match[0])
        if folded not in ARTICLES:
            found.append(Token(folded, match[0], match.start(), match.end(), sentence))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def folded_word(word: str) -> str:
    """A word without capitals and apostrophes, and a longer one without the "s" at its end: `Clockmaker's`, `clockmakers`."""
    bare = word.casefold().replace("’", "'")
    bare = bare.removesuffix("'s").replace("'", "") if len(bare) <= _SHORT + 2 else bare.replace("'", "")
    return bare[:-1] if len(bare) > _SHORT and bare.endswith("s") and not bare.endswith("ss") else bare


def folded(text: str) -> tuple[str, ...]:
    """The comparable words of a known answer."""
    return tuple(token.folded for token in tokens(plain(text)))


def mentions(text: str, value: Sequence[str]) -> Iterator[Mention]:
    """Every mention of these comparable words in a plain text, in order."""
    there = tokens(text)
    size = len(value)
    wanted = tuple(value)
    first_word = wanted[0] if wanted else ""
    for at in range(len(there) - size + 1 if size else 0):
        if there[at].folded == first_word and tuple(token.folded for token in there[at : at + size]) == wanted:
            yield Mention(at, at + size, how(text, at, at + size))


def how(text: str, first: int, last: int) -> How:
    """How the words from `first` to `last` are mentioned."""
    there = tokens(text)
    if _longer(text, there, first, last):
        return "longer"
    if _POSSESSIVE.search(there[last - 1].raw) and last < len(there) and _joined(text, there[last - 1].end, there[last].start):
        return "owner"
    if denied(there, first, last):
        return "denied"
    return "hedged" if _hedged(text, there, first, last) else "said"


def denied(there: Sequence[Token], first: int, last: int) -> bool:
    """Whether a denial comes directly before or after, in the same sentence."""
    sentence = there[first].sentence
    before = [token for token in there[max(0, first - _DENIED_WITHIN) : first] if token.sentence == sentence]
    if any(denies(token.folded) for token in before) and not _only(before):
        return True
    after = [token for token in there[last : last + 2] if token.sentence == sentence]
    if after and after[0].folded in AUXILIARY:
        return len(after) > 1 and after[1].folded in ("not", "never") and after[1].start - after[0].end == 1
    return bool(after) and denies(after[0].folded) and after[0].folded.endswith("nt")


def _only(before: Sequence[Token]) -> bool:
    """Whether the denial is itself taken back: "none other than", "no less than"."""
    return [token.folded for token in before][-2:] in (["other", "than"], ["no", "other"])


def denies(word: str) -> bool:
    """Whether a word denies what follows it, as typed or in comparable form."""
    return word.casefold().replace("’", "").replace("'", "") in DENYING


def _hedged(text: str, there: Sequence[Token], first: int, last: int) -> bool:
    sentence = there[first].sentence
    near = [token for token in there[max(0, first - _OR_WITHIN) : last + _OR_WITHIN] if token.sentence == sentence]
    value = {token.folded for token in there[first:last]}
    if any(token.folded == "or" for token in near) and "or" not in value:
        return True
    start, end = near[0].start, near[-1].end
    if _SLASH.search(text, max(0, start - 2), end + 2) and not _SLASH.search(text, there[first].start, there[last - 1].end):
        return True
    return bool(_HEDGES.search(text, _sentence_start(there, first), there[first].start))


def _sentence_start(there: Sequence[Token], at: int) -> int:
    while at and there[at - 1].sentence == there[at].sentence:
        at -= 1
    return there[at].start


def _longer(text: str, there: Sequence[Token], first: int, last: int) -> bool:
    """Whether these words are only part of a longer name."""
    if not any(token.capital for token in there[first:last]):
        return False
    begin, end = there[first].start, there[last - 1].end
    if last < len(there) and _joined(text, end, there[last].start) and _extends(there[last]):
        return True
    if first and _joined(text, there[first - 1].end, begin) and extends_left(text, first, last):
        return True
    naming = _NAMING.search(text, max(0, begin - 40), begin)
    return bool(naming and not (naming[1] and naming[1].casefold() in GENERIC | OPENERS | TITLES))


def _joined(text: str, end: int, start: int) -> bool:
    """Whether there is only a blank or a hyphen between two words (an article is allowed)."""
    return re.sub(r"\b(?:the|a|an)\b ?", "", text[end:start]) in (" ", "-")


def _extends(token: Token) -> bool:
    """Whether a word after a name belongs to it: a capital word, or a number in Roman figures."""
    if _NUMERAL.fullmatch(token.raw):
        return not (token.raw == "I" or (token.raw.isdigit() and len(token.raw) == 4))
    return token.capital and token.folded not in GENERIC | OPENERS | TITLES


def extends_left(text: str, first: int, last: int) -> bool:
    """Whether the word before a name belongs to it. Before a name of several words, one that opens the sentence does not."""
    there = tokens(text)
    token = there[first - 1]
    opens = first == 1 or there[first - 2].sentence != token.sentence
    if not token.capital or token.folded in GENERIC | TITLES:
        return False
    described = (
        first + 1 < last
        and token.folded not in OF_PLACES
        and text[token.end : there[first].start] == " "
        and not _ARTICLE_BEFORE.search(text, 0, token.start)
    )
    return not (opens and (token.folded in OPENERS or described))
