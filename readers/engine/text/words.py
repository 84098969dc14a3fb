"""Words as the lexical scorers and the offline model compare them: folded case, English stems, single characters for Chinese and
Japanese; and how rare a word is.

The rank of a word in the tokeniser's vocabulary stands for how common it is (a vocabulary is built from the commonest strings
upwards), so no word list is needed. This is coarse, and says nothing of the text at hand.

Not a tokeniser for models (that is `tokens.py`), and no lemmatiser: "went" and "go" stay two words.
"""

from __future__ import annotations

import math
from functools import lru_cache

import regex
import snowballstemmer

from readers.engine.text import tokens

# A run of letters and digits with apostrophes inside; or one character of a script that is written without spaces.
WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+(?:['’]\p{L}+)*",
    regex.V1,
)

# A word as its number is counted: what stands between spaces, of 40 characters at most; one character of a script without spaces.
# The marks of such scripts count only in a run as long as a word may be, so that no stretch of text counts nothing.
_ALONE, _MARKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}", r"\u3001-\u303f\uff01-\uff0f\uff1a-\uff20"
COUNTED = regex.compile(rf"[{_ALONE}]|[^\s{_ALONE}{_MARKS}]{{1,40}}+|[{_MARKS}]{{40}}", regex.V1)

# The natural logarithms of the ranks between which rarity rises: about 650 ("and", "his") and 163,000.
_COMMON, _RAREST = 6.5, 12.0
_LONGEST_WORD = 40


def words(text: str) -> list[str]:
    """The words of a text as they stand, in order."""
    return [match[0] for match in WORD.finditer(text)]


def count(text: str) -> int:
    """How many words a text has, by spaces, and by characters where a script has none; an endless run of letters is many."""
    return len(COUNTED.findall(text))


def terms(text: str) -> list[str]:
    """The words of a text as they are compared, in order, with repetitions."""
    return [term(word) for word in WORD.findall(text)]


@lru_cache(maxsize=1 << 16)
def term(word: str) -> str:
    """One word as it is compared: `Lamps`, `lamp's` and `lamp` are the same."""
    folded = word.casefold().replace("’", "'").removesuffix("'s").replace("'", "")
    if not (folded.isascii() and folded.isalpha()):
        return folded
    return str(snowballstemmer.stemmer("english").stemWord(folded))  # a new one: it holds its word, and readings run side by side


def rarity(word: str) -> float:
    """0 for the commonest words, 1 for a word that the vocabulary does not hold whole."""
    return _rarity(word[:_LONGEST_WORD].casefold())


@lru_cache(maxsize=1 << 16)
def _rarity(word: str) -> float:
    encode = tokens.encoding().encode_ordinary
    whole = [found[0] for found in (encode(" " + word), encode(word)) if len(found) == 1]
    return min(1.0, max(0.0, (math.log(min(whole) + 1) - _COMMON) / (_RAREST - _COMMON))) if whole else 1.0
