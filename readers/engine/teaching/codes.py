"""The code and the word of a class and the marks of its browsers, and how many there may be. Pure except for random numbers.

A code is six capital letters that are not mistaken for each other or for digits, and do not spell a word. A browser has a random
token, which only it knows; the database holds a mark made from the token and the class, so that a learner cannot be followed from
class to class. The code word is announced in the room to those who will join: a thing and a number, easy to hear and to type.
"""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from readers.engine.canonical import digest

LETTERS, LENGTH = "BCDFGHJKMNPRSTVWXZ", 6  # 34 million codes, of which few are open at once
_THINGS = (
    "anchor apple basket bridge button candle carpet castle cherry circle copper corner cotton desert dinner doctor "
    "engine feather flower forest garden guitar hammer harbour island jacket kettle ladder lantern lemon letter market "
    "mirror monkey morning mountain needle number orange paper parrot pencil pepper pillow planet pocket potato rabbit "
    "ribbon river rocket saddle salmon shadow silver spider spring summer table ticket timber tomato tunnel turtle valley "
    "velvet village violin wagon walnut water weather whistle window winter yellow zebra"
)
_TOKEN = re.compile(r"[0-9a-f]{32}")


class ClassLimits(NamedTuple):
    """How many classes may be open at once, in total and by one browser, how many learners one takes, and for how many hours."""

    classes: int
    own: int
    learners: int
    hours: float


OWN_MACHINE = ClassLimits(classes=100, own=20, learners=300, hours=12)
DEMO = ClassLimits(classes=20, own=3, learners=60, hours=3)


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """A code in its stored form, however it was typed; empty if it is not a code."""
    letters = re.sub(r"[\s\-–.]", "", typed[:40]).upper()
    return letters if len(letters) == LENGTH and set(letters) <= set(LETTERS) else ""


def new_word() -> str:
    return f"{secrets.choice(_THINGS.split())} {1000 + secrets.randbelow(9000)}"


def same_word(typed: str, word: str) -> bool:
    """Whether this is the word, however it was typed. It takes equally long no matter what is wrong in it."""
    given, wanted = (digest("".join(filter(str.isalnum, one[:40].casefold()))) for one in (typed, word))
    return secrets.compare_digest(given, wanted)


def spaced(code: str) -> str:
    """A code as people read it out: in two groups."""
    return f"{code[: LENGTH // 2]} {code[LENGTH // 2 :]}"


def new_token() -> str:
    """A token for a browser."""
    return secrets.token_hex(16)


def is_token(words: str) -> bool:
    """Whether this can be a token. Anybody can write a cookie."""
    return _TOKEN.fullmatch(words) is not None


def mark(class_id: str, token: str) -> str:
    """The mark of a browser in one class."""
    return digest(f"{class_id} {token}")[:32]
