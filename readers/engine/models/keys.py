"""Which API key goes to which server, and words without keys.

A key of the environment belongs to the provider it is named after. It goes to that provider, and to another server only if the
environment also names that server: anybody who can open the page may type a base URL. Not here: where a typed key is kept
(`components/session/model_choice.py`).
"""

from __future__ import annotations

import html
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import SplitResult, quote, quote_plus, urlsplit

from readers.engine.errors import BadOptions

MIN_KEY_LENGTH = 8
NO_KEY = "no-key"
_OWN_SPELLING = {"together_ai": "togetherai", "watsonx_text": "watsonx"}
# What litellm sends to any server of a provider, regardless of the key.
_SENT_ANYWHERE = {"WATSONX": ("WATSONX_TOKEN", "WATSONX_ZENAPIKEY"), "GIGACHAT": ("GIGACHAT_ACCESS_TOKEN",)}
_OF_PROVIDERS = ("_API_KEY", "_TOKEN")
_SECRET = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_KEY = "[key]"  # the replacement for a secret
_MASK = re.compile(r"[*•●·…]{2,}|\.{3,}|…")
_SHOWN = 40  # letters of either end that a mask leaves
_LETTERS = re.compile("[A-Za-z0-9]+")
_LONG, _LEAST = 20, 12  # letters of a secret that is found in other forms, and of a part of it that is
_PORTS = {"http": 80, "https": 443}


def check_model_id(model: str) -> str:
    """Return a model id that names a model and no server. Raises BadOptions otherwise: litellm takes an address in a name for the
    server of some providers, and would send it the key of the environment."""
    if "://" in model or "\\" in model or any(char.isspace() or not char.isprintable() for char in model):
        raise BadOptions(
            f"{model[:100]!a} is not a model id: give only the name, such as 'openai/my-model', and your own server's "
            "address as the base URL"
        )
    return model


def check_server(model: str, api_base: str | None) -> None:
    """Raise BadOptions if litellm would send a secret of the environment to a server that the environment does not name."""
    if api_base is None or _named_in_environment(model, api_base):
        return
    for name in _SENT_ANYWHERE.get(_variable(model), ()):
        if os.environ.get(name):
            raise BadOptions(
                f"{name} from the environment would be sent to the server of this base URL: unset it, or set "
                f"{_variable(model)}_API_BASE in the environment to that address as well"
            )


def key_for(model: str, api_base: str | None, key: str | None) -> str | None:
    """The key to send; None leaves the choice to litellm, which reads the environment.

    A self-hosted server often needs no key, but the client library for OpenAI's protocol insists on one; and without one, litellm
    would send the environment's to any server.
    """
    if key and key.strip():
        return key.strip()
    if api_base is None:
        return None
    if not _named_in_environment(model, api_base):
        held = any(name.upper().endswith(_OF_PROVIDERS) and value for name, value in os.environ.items())
        return NO_KEY if held or provider(model) == "openai" else None
    return NO_KEY if provider(model) == "openai" and not os.environ.get("OPENAI_API_KEY") else None


def key_hint(model: str, api_base: str | None) -> str:
    """What to do where a key is missing or refused."""
    name = _variable(model)
    if api_base is None or _named_in_environment(model, api_base):
        return f"Set {name}_API_KEY in the environment or give the key on the app's Models page, and check that it is valid"
    return (
        f"Give the key on the app's Models page, and check that it is valid. {name}_API_KEY from the environment is sent to this "
        f"server only if {name}_API_BASE in the environment is its address, too"
    )


def provider(model: str) -> str:
    return model.partition("/")[0] if "/" in model else "openai"


def _variable(model: str) -> str:
    """What the environment variables of a model's provider begin with."""
    return _OWN_SPELLING.get(provider(model), provider(model)).upper()


def _named_in_environment(model: str, api_base: str) -> bool:
    """Whether the environment sends the calls of this provider to the server of a base URL."""
    named = (os.environ.get(f"{_variable(model)}_{ending}", "").strip() for ending in ("API_BASE", "BASE_URL"))
    return any(one and _server(one) == _server(api_base) for one in named)


def _server(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of a base URL."""
    parts: SplitResult = urlsplit(url)
    try:
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        port = None
    return parts.scheme, parts.hostname or "", port


# Words without keys


def secret_values() -> list[str]:
    """The values of all keys in the environment, to be redacted from messages."""
    return [value for name, value in os.environ.items() if name.upper().endswith(_SECRET)]


def scrub(words: str, key: str | None = None) -> str:
    """Replace every known key in `words`, longest first, also where it was escaped, masked or written otherwise (`_most_of`). A
    value under eight characters is a placeholder, not a key. The time it takes grows with the words, not with their square."""
    known = {stripped for secret in [key or "", *secret_values()] if len(stripped := secret.strip()) >= MIN_KEY_LENGTH}
    forms = {form for secret in known for form in _escaped(secret)}
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        words = words.replace(form, _KEY)
    for secret in sorted(known, key=lambda secret: (-len(secret), secret)):
        words = _without(_most_of(words, secret), words)
        words = _without(_masked(words, secret), words)
    return words


def _without(places: Iterable[tuple[int, int]], words: str) -> str:
    """The words without the text at these places."""
    kept, end = [], 0
    for start, until in sorted(places):
        if start >= end:
            kept += [words[end:start], _KEY]
        end = max(end, until)
    return "".join([*kept, words[end:]])


def _masked(words: str, secret: str) -> Iterator[tuple[int, int]]:
    """Places where a server shows the beginning and the end of a secret, as in `sk-ab***wxyz`, or four letters of either."""
    for mask in _MASK.finditer(words):
        before = next((n for n in range(_SHOWN, 0, -1) if words.endswith(secret[:n], 0, mask.start())), 0)
        after = next((n for n in range(_SHOWN, 0, -1) if words.startswith(secret[-n:], mask.end())), 0)
        if min(before, after) > 1 or (max(before, after) > 3 and len(mask[0]) > 2):
            yield mask.start() - before, mask.end() + after


def _most_of(words: str, secret: str) -> Iterator[tuple[int, int]]:
    """Places that hold half of a secret or more, read forwards or backwards: in letters of any case, with any signs and blanks
    between them. Only a long secret is looked for so; a short one might be words of a text."""
    own = _bare(secret)
    if len(own) < _LONG:
        return
    bare, least = _bare(words), max(_LEAST, len(own) // 2)
    at: list[int] = []  # the positions of the letters of `bare` in the words
    for form in (own, own[::-1]):
        for start, end in _shared(bare, form, least):
            at = at or [place for found in _LETTERS.finditer(words) for place in range(*found.span())]
            yield at[start], at[end - 1] + 1


def _shared(words: str, secret: str, least: int) -> Iterator[tuple[int, int]]:
    """Places with at least this many letters of a secret in a row. Such a row has one whole block of half its length in it."""
    size = least // 2
    for block in range(0, len(secret) - size + 1, size):
        found = words.find(secret[block : block + size])
        while found >= 0:
            start = found - _in_common(words[max(0, found - block) : found][::-1], secret[:block][::-1])
            end = found + _in_common(words[found : found + len(secret) - block], secret[block:])
            if end - start >= least:
                yield start, end
            found = words.find(secret[block : block + size], found + 1)


def _in_common(one: str, other: str) -> int:
    """How many letters two begin with in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _bare(words: str) -> str:
    """The letters and figures of ASCII in them, in small letters."""
    return "".join(_LETTERS.findall(words)).lower()


def _escaped(secret: str) -> set[str]:
    """A secret as a server may send it back: as it is; in JSON, a Python string, an address or a web page; in two of these,
    nested; and in base64 or hexadecimal digits, with or without other words around it."""
    once = {escape(secret) for escape in _ESCAPES}
    figures = secret.encode("utf-8", "replace").hex()
    return {secret, *once, *(escape(form) for form in once for escape in _ESCAPES), *_in_base64(secret), figures, figures.upper()}


def _in_base64(secret: str) -> set[str]:
    """The base64 form of a secret inside longer words, without the digits that it shares with them."""
    data = secret.encode("utf-8", "replace")
    found = set()
    for before in range(3):
        whole = b64encode(bytes(before) + data + bytes(-(before + len(data)) % 3)).decode()
        own = whole[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        found |= {own, own.replace("+", "-").replace("/", "_")}
    return found


def _in_python(words: str) -> str:
    return repr("'\"" + words)[4:-1]  # both quotation marks in a string make Python escape the single one


_ESCAPES: tuple[Callable[[str], str], ...] = (
    lambda words: json.dumps(words)[1:-1],
    lambda words: json.dumps(words, ensure_ascii=False)[1:-1],
    lambda words: json.dumps(words)[1:-1].replace("/", r"\/"),
    lambda words: words.replace("\\", r"\\"),
    _in_python,
    lambda words: quote(words),
    lambda words: quote(words, safe=""),
    quote_plus,
    lambda words: re.sub("%..", lambda found: found[0].lower(), quote(words, safe="")),
    html.escape,
    lambda words: html.escape(words, quote=False),
)
