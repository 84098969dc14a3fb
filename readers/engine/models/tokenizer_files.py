"""A checkpoint's own tokenizer, read from its `tokenizer.json`: texts cut into slices of its tokens, and TF-IDF over them.

Both answer calls as scorers do (`similarity.py`), so their results are recorded, and a reading is replayed without the file. The
package `tokenizers` comes with litellm and is imported when first needed.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SLICES = "slices/"  # before the path of a tokenizer.json: what a model is called that cuts a text
TOKEN_TFIDF = "token_tfidf/"  # the same for a scorer
# No view shows calls that no model reads, and they are recognised by this id, as scores are.
SLICE = Prompt(id="score", task="score", template="$size\n\n$text", tries=1, max_tokens=0)
LARGEST_FILE = 100_000_000  # bytes; current tokenizers have 2 to 35 million
_LOST = "\ufffd"  # the replacement for a part of a character
_MOST_LOST = 3  # of one character on either side of a cut
_SPACE = "Ġ"  # how byte-level tokenizers write a blank before a word


class PublishedOptions:
    """The fields of a reader's options for the published checkpoints of its paper. The reader's options declare the fields.

    Raises BadOptions for `as_published` without a tokenizer.
    """

    chunk_tokens: int
    as_published: bool
    tokenizer: str

    def __post_init__(self) -> None:
        if self.as_published and not self.tokenizer:
            raise BadOptions(
                "as_published needs the checkpoint's own tokenizer: set tokenizer to the path of the tokenizer.json that came "
                "with it"
            )


def tokenizer_option() -> Any:
    """The option of such a reader that names the tokenizer's file."""
    said = "The path of a checkpoint's tokenizer.json: chunks are then slices of its tokens."
    return option("", said, title="Tokenizer file")


def wording_note(options: Mapping[str, Any], prompts: Iterable[Prompt], templates: Mapping[str, str]) -> str:
    """A clause on prompts that an `as_published` reading sends in the reader's own wording; empty if there are none.

    `options` are those in effect, `templates` the edited ones by prompt id.
    """
    own = [prompt.id for prompt in prompts if prompt.id not in templates] if options.get("as_published") is True else []
    if not own:
        return ""
    return (
        f"the checkpoint was trained on the wording of its published code, and {' and '.join(own)} would be sent in Palimpsest's "
        f"own wording: make a prompt set with `python -m readers prompts {own[0].partition('.')[0]} --from-code FILE`, and read "
        "with that"
    )


class TokenizerSlice(NamedTuple):
    """A slice of a text: its characters `start` to `end`, with the replacements `before` and `after` them for parts of a
    character that was cut through."""

    start: int
    end: int
    before: str = ""
    after: str = ""

    def moved(self, by: int) -> TokenizerSlice:
        return self._replace(start=self.start + by, end=self.end + by)


class TokenSlices(NamedTuple):
    """How to cut a text: into slices of `size` tokens of the tokenizer in this file."""

    size: int
    tokenizer: str

    @property
    def cutter(self) -> str:
        """The stand-in for a model in the call that cuts."""
        return f"{SLICES}{self.tokenizer}"


def slices(text: str, size: int, path: str) -> list[TokenizerSlice]:
    """Cut a text into slices of `size` tokens, as the checkpoint's own loop does. Raises BadOptions for an unusable file."""
    tokenizer = _load(path)
    encoded = tokenizer.encode(text)
    found: list[TokenizerSlice] = []
    at, broken = 0, False  # whether the last slice ended inside the character at `at`
    for first in range(0, len(encoded.ids), size):
        at += broken
        words = tokenizer.decode(encoded.ids[first : first + size], skip_special_tokens=False)
        ends_broken = _cuts_through(encoded.offsets, first + size)
        found += _placed(text, at, words, begins_broken=broken, ends_broken=ends_broken)
        if not found or found[-1].start != at:
            raise _gives_another_text(path)
        at, broken = found[-1].end, ends_broken
    if at != len(text):
        raise _gives_another_text(path)
    return found


def slices_from_json(reply: str) -> list[TokenizerSlice]:
    """The slices in a recorded reply."""
    return [TokenizerSlice(*one) for one in json.loads(reply)]


def _cuts_through(offsets: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a character belongs to the token at this place and to the one before it as well."""
    return at < len(offsets) and offsets[at][0] < offsets[at - 1][1]


def _placed(text: str, at: int, words: str, *, begins_broken: bool, ends_broken: bool) -> list[TokenizerSlice]:
    """The slice that begins at a place and is shown by these words; none if the words are not those of the text."""
    for lost_before in range(1, _MOST_LOST + 1) if begins_broken else (0,):
        for lost_after in range(1, _MOST_LOST + 1) if ends_broken else (0,):
            end = len(words) - lost_after
            before, core, after = words[:lost_before], words[lost_before:end], words[end:]
            if lost_before <= end and not (before + after).strip(_LOST) and text.startswith(core, at):
                return [TokenizerSlice(at, at + len(core), before, after)]
    return []


def token_tfidf(query: str, texts: Sequence[str], path: str) -> list[float]:
    """Cosine of TF-IDF vectors over the tokens of the lower-cased texts, 0 to 1; none at all if no text has a token.

    As scikit-learn's vectorizer weights them: counts, times ln((1 + n) / (1 + df)) + 1. Tokens that are in no text do not count.
    """
    bags = [_token_counts(text, path) for text in texts]
    holding = Counter(token for bag in bags for token in bag)
    if not holding:
        return []
    rarity = {token: math.log((1 + len(bags)) / (1 + n)) + 1 for token, n in holding.items()}
    wanted = {token: n * rarity[token] for token, n in _token_counts(query, path).items() if token in rarity}

    def cosine(bag: Counter[str]) -> float:
        shared = sum(weight * bag[token] * rarity[token] for token, weight in wanted.items())
        lengths = math.hypot(*wanted.values()) * math.hypot(*(n * rarity[token] for token, n in bag.items()))
        return shared / lengths if lengths else 0.0

    return [cosine(bag) for bag in bags]


@lru_cache(maxsize=1024)
def _token_counts(text: str, path: str) -> Counter[str]:
    """The tokens of a text with their counts; treat as read-only. Cached because each look-back goes over the same texts."""
    tokens = _load(path).encode(text.lower(), add_special_tokens=False).tokens
    return Counter(token.replace(_SPACE, "") for token in tokens)


@lru_cache(maxsize=4)
def _load(path: str) -> Tokenizer:
    """The tokenizer in a file. Raises BadOptions, without repeating anything of the file."""
    from tokenizers import Tokenizer

    file = Path(path).expanduser()
    try:
        if not file.is_file() or file.stat().st_size > LARGEST_FILE:
            raise BadOptions(f"there is no tokenizer.json at {path!r}; give the path of the checkpoint's own")
        return Tokenizer.from_str(file.read_text(encoding="utf-8"))
    except BadOptions:
        raise
    except Exception:  # the package raises bare Exceptions
        raise BadOptions(f"{path!r} cannot be read as a tokenizer.json; give the path of the checkpoint's own") from None


def _gives_another_text(path: str) -> BadOptions:
    return BadOptions(
        f"the tokenizer {path!r} does not give back the text that it was given, so its slices cannot be located in the text; use "
        "the tokenizer.json of a checkpoint whose tokens are bytes, such as Qwen's"
    )
