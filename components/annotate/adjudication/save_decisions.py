"""Save what the table's panel sends: decisions on one reading, and its reason. Each is checked like any upload. No Streamlit.

The messages are those of the label panel (`bench/save_labels.py`): all changes that have not been answered yet, each with its
number. A change that arrives twice is saved once. Every change has an answer: the saved revision, the revision that is in its way
(somebody decided meanwhile), or why it was refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from components.annotate.adjudication.table_data import REASON_NAME, Table
from components.annotate.bench import save_labels
from components.html.words.wording import sentence
from readers.engine.errors import BadOptions, Conflict, ReadingError
from readers.engine.labels import adjudication
from readers.engine.labels.adjudication import REASON, WITHDRAWN, Compared
from readers.engine.labels.label import Decision
from readers.engine.store import Store


def save(store: Store, table: Table, message: object) -> list[dict[str, Any]]:
    """Save the changes of a message. One answer per change, with its number, in order."""
    saving = _Saving(store, table, {one.name: one for one in adjudication.disputed(table.questions)})
    return [saving.answer(change) for change in save_labels.changes(message)]


def go_to(message: object) -> str | None:
    """The reading that a message asks to open, empty for the list; None if it asks for none."""
    do, run = save_labels.action(message)
    return run if do == "go" else None


@dataclass(frozen=True)
class _Saving:
    store: Store
    table: Table
    questions: Mapping[str, Compared]

    def answer(self, change: Mapping[str, Any]) -> dict[str, Any]:
        n = change["n"]
        try:
            saved = self.store.decisions.decide(self._decision(change), save_labels.count(change, "expected"))
        except Conflict as late:
            current = late.current
            return (
                {"n": n, "stands": current.revision}
                if isinstance(current, Decision)
                else {"n": n, "refused": sentence(str(late))}
            )
        except ReadingError as refused:
            return {"n": n, "refused": sentence(str(refused))}
        return {"n": n, "revision": saved.revision}

    def _decision(self, change: Mapping[str, Any]) -> Decision:
        label, do = change.get("label"), change.get("do")
        if not isinstance(label, Mapping) or do not in ("put", "remove", "restore"):
            raise BadOptions("a change puts, removes or restores a decision; reload the page")
        name, value = label.get("id"), label.get("value")
        if name == REASON_NAME:
            return self._reason(change, value)
        asked = self.questions.get(str(name))
        if asked is None:
            raise BadOptions("the annotators do not differ on this any more; reload the page")
        stored = _former(asked.decisions, change).value if do == "restore" else value if do == "put" else WITHDRAWN
        steps, codes = self.table.steps, self.table.known_codes()
        if not isinstance(stored, Mapping) or not adjudication.is_value(asked.about, stored, steps=steps, codes=codes):
            raise BadOptions("a decision is one of the values offered; reload the page")
        return self._made(asked.target, dict(stored))

    def _reason(self, change: Mapping[str, Any], value: object) -> Decision:
        do = change["do"]
        words = value.get("words") if isinstance(value, Mapping) else None
        if do == "restore":
            made = [one for one in self.table.decisions if one.target == REASON]
            words = _former(made, change).reason
        elif do == "remove":
            words = ""
        if not isinstance(words, str):
            raise BadOptions("a reason is text; reload the page")
        return self._made(dict(REASON), {})._replace(reason=words)

    def _made(self, target: dict[str, Any], value: dict[str, Any]) -> Decision:
        visible = self.table.visible
        return Decision(visible.project.id, self.table.run, target, value, "", visible.viewer.name)


def _former(decisions: Sequence[Decision], change: Mapping[str, Any]) -> Decision:
    """The revision that a change restores; before the first one nothing was decided."""
    revision = save_labels.count(change, "revision")
    nothing = Decision("", "", {}, dict(WITHDRAWN), "", "")
    if revision == 0:
        return nothing
    found = next((one for one in decisions if one.revision == revision), None)
    if found is None:
        raise BadOptions("there is no such earlier decision; reload the page")
    return found
