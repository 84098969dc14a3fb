"""The code of a class and the marks of its browsers, and how many there may be. Pure but for chance.

A code is six capital letters that are not mistaken for each other or for figures, and spell no word. A browser has a random
token, which only it knows; the database holds a mark made of the token and the class, so that nobody is followed from class to
class.
"""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from readers.engine.canonical import digest

LETTERS, LENGTH = "BCDFGHJKMNPRSTVWXZ", 6  # 34 million codes, of which few are open at once
_TOKEN = re.compile(r"[0-9a-f]{32}")


class ClassLimits(NamedTuple):
    """How many classes may be open at once, in all and by one browser, how many learners one takes, and for how many hours."""

    classes: int
    own: int
    learners: int
    hours: float


OWN_MACHINE = ClassLimits(classes=100, own=20, learners=300, hours=12)
DEMO = ClassLimits(classes=20, own=3, learners=60, hours=3)


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """A code as it is stored, however it was typed; empty if it is none."""
    letters = re.sub(r"[\s\-–.]", "", typed[:40]).upper()
    return letters if len(letters) == LENGTH and set(letters) <= set(LETTERS) else ""


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
    """What stands for a browser in one class."""
    return digest(f"{class_id} {token}")[:32]
