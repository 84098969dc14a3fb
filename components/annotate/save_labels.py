"""Save what the label panel sends: checked like any upload, saved in one transaction, answered change by change. No Streamlit.

A message holds all changes that have not been answered yet, so a lost message is repeated by the next one; each change is saved
once however often it arrives. Every change has an answer: the saved revision, the revision that stands in its way (the label was
changed elsewhere), or why it was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from components.annotate.panel_data import in_characters
from components.html.words.wording import sentence
from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, Conflict, ReadingError
from readers.engine.labels.label import Decision, Label, under_its_codebook
from readers.engine.store.labels.label_session import LabelSession

MOST_CHANGES = 200


def number(message: object) -> int:
    """The number of a message; 0 if there is none."""
    found = message.get("n") if isinstance(message, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def action(message: object) -> tuple[str, str]:
    """What to do besides saving: `go`, `finish`, `skip`, `reopen`, `hints`, or nothing; with a run's id or a reason."""
    found = message.get("act") if isinstance(message, Mapping) else None
    if not isinstance(found, Mapping) or found.get("do") not in ("go", "finish", "skip", "reopen", "hints"):
        return "", ""
    words = found.get("with")
    return str(found["do"]), words[:2000] if isinstance(words, str) else ""


def label_ids(message: object) -> set[str]:
    """The ids of the labels that a message changes."""
    labels = (change.get("label") for change in changes(message))
    return {encodable(str(label.get("id", ""))) for label in labels if isinstance(label, Mapping)}


def save(session: LabelSession, text: str, message: object) -> list[dict[str, Any]]:
    """Save the changes of a message about a run of this `text`, and the time it reports. One answer per change, with its number,
    in order."""
    answers = [answer(change, partial(_change, session, text)) for change in changes(message)]
    spent = message.get("ms") if isinstance(message, Mapping) else None
    if isinstance(spent, int) and not isinstance(spent, bool) and spent > 0:
        session.add_time(spent)
    return answers


def changes(message: object) -> Iterator[Mapping[str, Any]]:
    """The changes in a message that have a number, as many as one may hold."""
    found = message.get("ops") if isinstance(message, Mapping) else None
    for change in (found if isinstance(found, list) else [])[:MOST_CHANGES]:
        if isinstance(change, Mapping) and isinstance(change.get("n"), int):
            yield change


def answer(change: Mapping[str, Any], save: Callable[[Mapping[str, Any]], Label | Decision]) -> dict[str, Any]:
    """Save a change, and say what became of it: its revision, the one that stands in its way, or why it was refused."""
    n = change["n"]
    try:
        return {"n": n, "revision": save(change).revision}
    except Conflict as late:
        if isinstance(late.current, Label | Decision):
            return {"n": n, "stands": late.current.revision}
        return {"n": n, "refused": sentence(str(late))}
    except ReadingError as refused:
        return {"n": n, "refused": sentence(str(refused))}


def _change(session: LabelSession, text: str, change: Mapping[str, Any]) -> Label:
    expected, revision = count(change, "expected"), count(change, "revision")
    label, do = _label(session, text, change), change.get("do")
    if do == "put" and label.kind == "correction":
        return session.put_words(label, expected)
    if do == "put":
        confirmed = change.get("confirmed") is True
        return session.put(label if confirmed else under_its_codebook(label, session.find(label.id)), expected)
    if do == "remove":
        return session.remove(label.id, expected)
    if do == "restore":
        return session.restore(label.id, expected, revision=revision)
    raise BadOptions("a change of a label is put, remove or restore; reload the page")


def _label(session: LabelSession, text: str, change: Mapping[str, Any]) -> Label:
    data = change.get("label")
    if not isinstance(data, Mapping):
        raise BadOptions("a change names its label; reload the page")
    target, value = data.get("target", {}), data.get("value", {})
    if not isinstance(target, Mapping) or not isinstance(value, Mapping):
        raise BadOptions("a label has a target and a value; reload the page")
    where = (session.project.id, session.run, session.annotator.name)
    book = min(count(change, "book"), session.codebook)  # the version that was shown when the label was made
    return Label(
        str(data.get("id", "")), *where, str(data.get("kind", "")), in_characters(text, target), dict(value), codebook=book
    )


def count(change: Mapping[str, Any], name: str) -> int:
    """A whole number in a change, such as the revision it was made from. Raises BadOptions."""
    found = change.get(name, 0)
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise BadOptions(f"{name!r} of a change is a whole number; reload the page")
    return found
