"""Words as the lexical scorers and the offline model compare them: folded case, English stems, single characters for Chinese and
Japanese.

Not a tokeniser for models (that is `tokens.py`), and no lemmatiser: "went" and "go" stay two words.
"""

from __future__ import annotations

from functools import lru_cache

import regex
import snowballstemmer

# A run of letters and digits with apostrophes inside; or one character of a script that is written without spaces.
_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+(?:['’]\p{L}+)*",
    regex.V1,
)

# A word as its number is counted: what stands between spaces, of 40 characters at most; one character of a script without spaces.
# The marks of such scripts count only in a run as long as a word may be, so that no stretch of text counts nothing.
_ALONE, _MARKS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}", r"\u3001-\u303f\uff01-\uff0f\uff1a-\uff20"
COUNTED = regex.compile(rf"[{_ALONE}]|[^\s{_ALONE}{_MARKS}]{{1,40}}+|[{_MARKS}]{{40}}", regex.V1)

_stemmer = snowballstemmer.stemmer("english")


def words(text: str) -> list[str]:
    """The words of a text as they stand, in order."""
    return [match[0] for match in _WORD.finditer(text)]


def count(text: str) -> int:
    """How many words a text has, by spaces, and by characters where a script has none; an endless run of letters is many."""
    return len(COUNTED.findall(text))


def terms(text: str) -> list[str]:
    """The words of a text as they are compared, in order, with repetitions."""
    return [term(word) for word in _WORD.findall(text)]


@lru_cache(maxsize=1 << 16)
def term(word: str) -> str:
    """One word as it is compared: `Lamps`, `lamp's` and `lamp` are the same."""
    folded = word.casefold().replace("’", "'").removesuffix("'s").replace("'", "")
    return str(_stemmer.stemWord(folded)) if folded.isascii() and folded.isalpha() else folded
