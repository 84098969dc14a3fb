"""Save what the label panel sends: checked like any upload, saved in one transaction, answered change by change. No Streamlit.

A message holds all changes that have not been answered yet, so a lost message is repeated by the next one; each change is saved
once however often it arrives. Every change has an answer: the saved revision, the conflicting revision (the label was changed
elsewhere), or why it was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from components.annotate.contract import DeskMessage, LabelChange
from components.annotate.panel_data import in_characters
from components.html.words.wording import sentence
from components.session.islands import checked
from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, Conflict, ReadingError
from readers.engine.labels.label import Decision, Label, under_its_codebook
from readers.engine.store.labels.label_session import LabelSession

MOST_CHANGES = 200


def action(message: DeskMessage) -> tuple[str, str]:
    """What to do in addition to saving: `go`, `finish`, `skip`, `reopen`, `hints`, or nothing; with a run's id or a reason."""
    asked = message.act or {}
    do = asked.get("do", "")
    return (do, asked.get("with", "")[:2000]) if do in ("go", "finish", "skip", "reopen", "hints") else ("", "")


def label_ids(message: DeskMessage) -> set[str]:
    """The ids of the labels that a message changes."""
    return {encodable(str(change.label.get("id", ""))) for _, change in changes(message) if change}


def save(session: LabelSession, text: str, message: DeskMessage) -> list[dict[str, Any]]:
    """Save the changes of a message about a run of this `text`, and the time it reports. One answer per change, with its number,
    in order."""
    answers = [answer(number, change, partial(_change, session, text)) for number, change in changes(message)]
    if message.ms:
        session.add_time(message.ms)
    return answers


def changes(message: DeskMessage) -> Iterator[tuple[int, LabelChange | None]]:
    """The changes in a message that have a number, up to the limit for a message; None for a change of invalid form."""
    for change in message.ops[:MOST_CHANGES]:
        if isinstance(change, dict) and isinstance(change.get("n"), int):
            yield change["n"], checked(LabelChange, change)


def answer(number: int, change: LabelChange | None, save: Callable[[LabelChange], Label | Decision]) -> dict[str, Any]:
    """Save a change, and return its result: its revision, the conflicting one, or why it was refused."""
    try:
        if change is None:
            raise BadOptions("a change puts, removes or restores a label; reload the page")
        return {"n": number, "revision": save(change).revision}
    except Conflict as late:
        if isinstance(late.current, Label | Decision):
            return {"n": number, "stands": late.current.revision}
        return {"n": number, "refused": sentence(str(late))}
    except ReadingError as refused:
        return {"n": number, "refused": sentence(str(refused))}


def _change(session: LabelSession, text: str, change: LabelChange) -> Label:
    label = _label(session, text, change)
    if change.do == "remove":
        return session.remove(label.id, change.expected)
    if change.do == "restore":
        return session.restore(label.id, change.expected, revision=change.revision)
    if label.kind == "correction":
        return session.put_words(label, change.expected)
    return session.put(label if change.confirmed else under_its_codebook(label, session.find(label.id)), change.expected)


def _label(session: LabelSession, text: str, change: LabelChange) -> Label:
    data = change.label
    target, value = data.get("target", {}), data.get("value", {})
    if not isinstance(target, dict) or not isinstance(value, dict):
        raise BadOptions("a label has a target and a value; reload the page")
    where = (session.project.id, session.run, session.annotator.name)
    book = min(change.book, session.codebook)  # the version that was shown when the label was made
    return Label(
        str(data.get("id", "")), *where, str(data.get("kind", "")), in_characters(text, target), dict(value), codebook=book
    )
