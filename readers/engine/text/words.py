"""Words as the lexical scorers and the offline model compare them: case-folded, with English stems, and by single characters for
Chinese and Japanese; and how rare a word is.

The rank of a word in the tokeniser's vocabulary measures how common it is (vocabularies are built from the most common strings
up), so no word list is needed. This is coarse, and independent of the text.

Not a tokeniser for models (`tokens.py`), and not a lemmatiser: for `term`, "went" and "go" are two words; `stem` knows the past
forms of frequent verbs.
"""

from __future__ import annotations

import math
from functools import lru_cache

import regex
import snowballstemmer

from readers.engine.text import tokens

# A run of letters and digits with apostrophes inside, or one character of a script without spaces.
WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+(?:['’]\p{L}+)*",
    regex.V1,
)

# A word for counting: up to 40 characters between spaces, or one character of a script without spaces. The punctuation of such
# scripts counts only as a run of 40, so that every long stretch of text counts as something. The look-ahead skips white space ten
# times as fast as the sets would.
_ALONE, _MARKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}", r"\u3001-\u303f\uff01-\uff0f\uff1a-\uff20"
COUNTED = regex.compile(rf"(?=\S)(?:[{_ALONE}]|[^\s{_ALONE}{_MARKS}]{{1,40}}+|[{_MARKS}]{{40}})", regex.V1)

_LETTERS, _BEGINNING = regex.compile(r"\p{L}"), 4_000
_FROM_THE_RIGHT = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]")
_WITHOUT_SPACES = regex.compile(r"[\p{L}&&[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]", regex.V1)

# The natural logarithms of the ranks between which rarity rises: about 650 ("and", "his") and 163,000.
_COMMON, _RAREST = 6.5, 12.0
_LONGEST_WORD = 40
# A word is a name's if its rank with a capital is below this share of its rank without one.
_FAR_EARLIER = 0.3


def words(text: str) -> list[str]:
    """The words of a text, unchanged and in order."""
    return [match[0] for match in WORD.finditer(text)]


def count(text: str) -> int:
    """The number of words in a text, or of characters in scripts without spaces; every 40 letters without a space are a word."""
    return len(COUNTED.findall(text))


def has_no_spaces(text: str) -> bool:
    """Whether a text is written without spaces between words, as Chinese, Japanese, Thai, Lao, Khmer and Burmese are, by its
    beginning: people count its characters."""
    return _has_no_spaces(text[:_BEGINNING])


@lru_cache(maxsize=64)  # asked for every step of a reading
def _has_no_spaces(beginning: str) -> bool:
    return 2 * len(_WITHOUT_SPACES.findall(beginning)) > len(_LETTERS.findall(beginning))


def has_right_to_left(text: str) -> bool:
    """Whether any letter of a text is of a script that is written from right to left, as Arabic and Hebrew are."""
    return _FROM_THE_RIGHT.search(text) is not None


def terms(text: str) -> list[str]:
    """The words of a text in comparable form, in order, with repetitions."""
    return [term(word) for word in WORD.findall(text)]


@lru_cache(maxsize=1 << 16)
def term(word: str) -> str:
    """A word in comparable form: `Lamps`, `lamp's` and `lamp` are the same."""
    folded = word.casefold().replace("’", "'").removesuffix("'s").replace("'", "")
    if not (folded.isascii() and folded.isalpha()):
        return folded
    return str(
        snowballstemmer.stemmer("english").stemWord(folded)
    )  # a new stemmer each time: it has state, and readings run in parallel


# Past forms that no stemmer knows, by their terms.
_PRESENT = {
    past: present
    for present, past in (
        ("win", "won"), ("write", "wrote"), ("write", "written"), ("go", "went"), ("come", "came"), ("becom", "becam"),
        ("begin", "began"), ("build", "built"), ("make", "made"), ("meet", "met"), ("lead", "led"), ("leav", "left"),
        ("lose", "lost"), ("grow", "grew"), ("take", "took"), ("take", "taken"), ("give", "gave"), ("give", "given"),
        ("fall", "fell"), ("fall", "fallen"), ("break", "broke"), ("break", "broken"), ("hold", "held"), ("find", "found"),
        ("see", "saw"), ("see", "seen"), ("know", "knew"), ("know", "known"), ("swim", "swam"), ("say", "said"), ("pay", "paid"),
        ("buy", "bought"), ("bring", "brought"), ("keep", "kept"), ("sell", "sold"), ("tell", "told"), ("die", "dead"),
        ("catch", "caught"), ("choos", "chose"), ("choos", "chosen"), ("draw", "drew"), ("draw", "drawn"), ("drink", "drank"),
        ("drive", "drove"), ("drive", "driven"), ("eat", "ate"), ("eat", "eaten"), ("hide", "hid"), ("hide", "hidden"),
        ("ride", "rode"), ("send", "sent"), ("shoot", "shot"), ("sing", "sang"), ("sink", "sank"), ("sleep", "slept"),
        ("speak", "spoke"), ("speak", "spoken"), ("spend", "spent"), ("stand", "stood"), ("steal", "stole"), ("steal", "stolen"),
        ("teach", "taught"), ("throw", "threw"), ("throw", "thrown"), ("wear", "wore"), ("wear", "worn"),
    )
}  # fmt: skip


def stem(word: str) -> str:
    """A word in comparable form, with past forms like the others: `wrote`, `written` and `writes` are the same."""
    known = term(word)
    return _PRESENT.get(known, known)


def rarity(word: str) -> float:
    """How rare a word is: 0 for the most common words, 1 for a word that is not a single token."""
    return _rarity(word[:_LONGEST_WORD].casefold())


@lru_cache(maxsize=1 << 16)
def _rarity(word: str) -> float:
    whole = [rank for rank in (_rank(" " + word), _rank(word)) if rank is not None]
    return min(1.0, max(0.0, (math.log(min(whole) + 1) - _COMMON) / (_RAREST - _COMMON))) if whole else 1.0


def _rank(word: str) -> int | None:
    """The rank of a word in the vocabulary; None if it is not a single token."""
    found = tokens.encoding().encode_ordinary(word)
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=1 << 16)
def is_usually_capitalised(word: str) -> bool:
    """Whether a vocabulary has a word with a capital, and without one far later or not at all: `Doris`, but not `However`."""
    capital, small = (_rank(" " + form) for form in (word.capitalize(), word.casefold()))
    return capital is not None and (small is None or capital < _FAR_EARLIER * small)
