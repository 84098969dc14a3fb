"""What a program asked a model and what it was told, one call after the other, whatever protocol it spoke.

Not here: how a request is taken apart (`readers/cli/watch`), and where its characters come from (`sources.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Said:
    """One message of a prompt. What tools were asked and what they replied are texts, too."""

    role: Role
    text: str


@dataclass(frozen=True)
class ObservedCall:
    """A call, with the seconds on one clock at which it was asked and answered. `reply` is empty if it failed; `error` then says
    why. `room` is how many tokens the program allowed the reply; `before` has sentences on what it did before besides calling a
    model of words, such as comparing texts."""

    asked: float
    answered: float
    messages: tuple[Said, ...]
    reply: str
    model: str = ""
    error: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    thoughts: str = ""
    room: int | None = None
    before: tuple[str, ...] = ()
