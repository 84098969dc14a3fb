"""What the label panel sends: looked at like any upload, saved change by change, and answered. No Streamlit.

A message holds changes that have not been answered yet, so one that gets lost is in the next; each change is kept once however
often it comes. Every change has an answer: the label as it stands, the label that stands in its way (somebody changed it
meanwhile), or why it is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from components.annotate.bench.panel_data import correction, correction_id, in_characters, seed
from components.html.wording import sentence
from readers.engine.errors import BadOptions, Conflict, NotFound, ReadingError
from readers.engine.labels.label import Label
from readers.engine.store import Store

MOST_CHANGES = 200


@dataclass(frozen=True)
class Desk:
    """Whose labels of which reading are saved; `text` is the document, `book` the version of the codebook that stands."""

    project: str
    run: str
    annotator: str
    text: str
    book: int = 0


def number(said: object) -> int:
    """The number of a message; 0 where there is none."""
    found = said.get("n") if isinstance(said, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def act(said: object) -> tuple[str, str]:
    """What to do beside saving: `go`, `finish`, `skip`, `reopen`, `hints`, or nothing; with a reading's id or a reason."""
    found = said.get("act") if isinstance(said, Mapping) else None
    if not isinstance(found, Mapping) or found.get("do") not in ("go", "finish", "skip", "reopen", "hints"):
        return "", ""
    words = found.get("with")
    return str(found["do"]), words[:2000] if isinstance(words, str) else ""


def save(store: Store, desk: Desk, said: object) -> list[dict[str, Any]]:
    """Keep what a message holds, and the time it tells of. One answer a change, by its own number, in their order."""
    given = said if isinstance(said, Mapping) else {}
    changes = given.get("ops")
    answers = [_answer(store, desk, one) for one in (changes if isinstance(changes, list) else [])[:MOST_CHANGES]]
    spent = given.get("ms")
    if isinstance(spent, int) and not isinstance(spent, bool) and spent > 0:
        with suppress(ReadingError):  # who has left the project has no time to count
            store.turns.add_time(desk.project, desk.run, desk.annotator, ms=spent)
    return [answer for answer in answers if answer]


def _answer(store: Store, desk: Desk, change: Any) -> dict[str, Any]:
    if not isinstance(change, Mapping) or not isinstance(change.get("n"), int):
        return {}
    n = change["n"]
    try:
        now = _change(store, desk, change)
    except Conflict as late:
        stands = late.current
        return {"n": n, "stands": stands.revision} if isinstance(stands, Label) else {"n": n, "refused": sentence(str(late))}
    except ReadingError as refused:
        return {"n": n, "refused": sentence(str(refused))}
    return {"n": n, "revision": now.revision}


def _change(store: Store, desk: Desk, change: Mapping[str, Any]) -> Label:
    expected, revision = _count(change, "expected"), _count(change, "revision")
    label, do = _label(desk, change), change.get("do")
    if do == "put":
        if label.kind == "correction":
            return _put_words(store, label, expected)
        return store.labels.put(label if change.get("confirmed") is True else _as_meant(store, label), expected)
    if do == "remove":
        return store.labels.remove(label.id, desk.annotator, expected=expected)
    if do == "restore":
        return store.labels.restore(label.id, desk.annotator, expected=expected, revision=revision)
    raise BadOptions("a change of a label is put, remove or restore; load the page again")


def _as_meant(store: Store, label: Label) -> Label:
    """A label whose code stays while its severity or note changes keeps the codebook it was given under: who writes a note has
    not looked again at what the code means now."""
    stands = _stands(store, label)
    same = stands is not None and not stands.removed and stands.code and stands.code == label.code
    return replace(label, codebook=stands.codebook) if stands and same else label


# Corrections: the panel writes their words, the place below the player their edit, and neither loses what the other wrote


def _put_words(store: Store, label: Label, expected: int) -> Label:
    """The words of a correction, with the edit that stands: whatever edit the browser speaks of is not taken. That another edit
    was kept meanwhile does not stand in the way of words. Raises like `put`."""
    stands = _stands(store, label)
    if stands is None or stands.removed:
        return store.labels.put(replace(label, value={**label.value, "edit": None}), expected)
    former = _words_at(store, stands, expected)
    return store.labels.put(
        replace(label, value={**label.value, "edit": stands.value.get("edit")}),
        stands.revision if former == stands.value.get("words") else expected,
    )


def correct(store: Store, desk: Desk, step: int, edit: Mapping[str, Any] | None, *, seen: object) -> tuple[Label, int]:
    """Keep an edit as what would have been right at a step (from 1), with the words that stand, or take it away; an empty
    correction goes. `seen` is the edit that was shown when this was chosen. The label, and the revision it had before.

    Raises Conflict where another edit stands by now, and like `put`."""
    whose = (desk.project, desk.run, desk.annotator)
    own = store.labels.in_project(
        desk.project, store.projects.viewer(desk.project, desk.annotator), run=desk.run, annotator=desk.annotator, removed=True
    )
    id = correction_id(seed(*whose), step)
    there = correction(own, step)
    before = (there or next((one for one in own if one.id == id), None)) or Label(id, *whose, "correction")
    value = there.value if there else {}
    if value.get("edit") != seen:
        raise Conflict("your correction of this step was changed elsewhere meanwhile: look at it below, and choose again", there)
    words = str(value.get("words", ""))
    if edit is None and not words.strip():
        return store.labels.remove(before.id, desk.annotator, expected=before.revision), before.revision
    made = Label(before.id, *whose, "correction", {"step": step}, {"edit": edit and dict(edit), "words": words}, desk.book)
    return store.labels.put(made, before.revision), before.revision


def _stands(store: Store, label: Label) -> Label | None:
    try:
        return store.labels.get(label.id, store.projects.viewer(label.project, label.annotator))
    except NotFound:
        return None


def _words_at(store: Store, stands: Label, revision: int) -> str | None:
    """The words that a correction had at a revision: none before there was one; None where there is no such revision."""
    if revision == 0:
        return ""
    past = store.labels.history(stands.id, store.projects.viewer(stands.project, stands.annotator))
    former = next((one for one in past if one.revision == revision and not one.refused), None)
    return None if former is None else "" if former.removed else str(former.value.get("words", ""))


def _label(desk: Desk, change: Mapping[str, Any]) -> Label:
    data = change.get("label")
    if not isinstance(data, Mapping):
        raise BadOptions("a change names its label; load the page again")
    target, value = data.get("target", {}), data.get("value", {})
    if not isinstance(target, Mapping) or not isinstance(value, Mapping):
        raise BadOptions("a label has a target and a value; load the page again")
    whose = (desk.project, desk.run, desk.annotator)
    kind, id = str(data.get("kind", "")), str(data.get("id", ""))
    book = min(_count(change, "book"), desk.book)  # the version that was shown when the label was made
    return Label(id, *whose, kind, in_characters(desk.text, target), dict(value), book)


def _count(change: Mapping[str, Any], name: str) -> int:
    found = change.get(name, 0)
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise BadOptions(f"{name!r} of a change is a whole number; load the page again")
    return found
