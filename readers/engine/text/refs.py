"""Refs: the short names of where text comes from, and the only place that writes them or takes them apart.

A ref names the document (`document`), a span of it (`document:120-560`), the question (`question`), a choice (`choice:2`), a text
that a reader wrote (`wrote:3`), or a model's reply (`reply:7`). Decisions and provenance are stored with refs, so these strings
never change. A text made of several pieces has their refs joined with `+`; the functions here do not read such refs.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["document", "question", "choice", "wrote", "reply"]
KINDS: tuple[Kind, ...] = ("document", "question", "choice", "wrote", "reply")
DOCUMENT: Kind = "document"
QUESTION: Kind = "question"


def place(start: int, end: int) -> str:
    """The ref of a span of the document."""
    return f"{DOCUMENT}:{start}-{end}"


def wrote(number: int | str) -> str:
    """The ref of a reader's text, by its number from 0."""
    return f"wrote:{number}"


def reply(seq: int) -> str:
    """The ref of the reply to call `seq`."""
    return f"reply:{seq}"


def choice(number: int) -> str:
    """The ref of one of the question's choices, by its number from 0."""
    return f"choice:{number}"


def kind(ref: str) -> Kind | None:
    """What a ref names; None for words that are not a ref."""
    found = ref.partition(":")[0]
    return next((known for known in KINDS if known == found), None)


def written(ref: str) -> int | None:
    """The number of the text that a ref names; None if it names anything else."""
    return _number(ref, "wrote")


def node_id(ref: str) -> str:
    """The number of a reader's text as the run file and the pictures have it, in digits; anything else unchanged."""
    return ref.removeprefix("wrote:")


def replied(ref: str) -> int | None:
    """The call, if a ref names the reply to one; otherwise None."""
    return _number(ref, "reply")


def span(ref: str) -> tuple[int, int] | None:
    """The span of the document that a ref names; None if it names anything else."""
    name, _, found = ref.partition(":")
    start, dash, end = found.partition("-")
    return (int(start), int(end)) if name == DOCUMENT and dash and start.isdecimal() and end.isdecimal() else None


def _number(ref: str, kind: Kind) -> int | None:
    name, _, number = ref.partition(":")
    return int(number) if name == kind and number.isdecimal() else None
