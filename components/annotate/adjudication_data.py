"""Disagreements and the decisions on them, in words; and the data for the panel about one reading, as JSON data: each question
with everybody's answer, what each key decides, the decisions so far, and the places of annotators on the stepper. Pure.

The disputes, decisions and remaining questions are computed in `readers/engine/labels/adjudication.py`. The data holds only what
`VisibleLabels` holds, so it is as blind as the viewer. Nothing here is markup: the panel puts every string on the page as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from components.annotate import panel_data
from components.annotate.contract import JsonData, TableData
from components.html.words.label_words import decided, label_in_words, title, value_text
from components.player import browser_text
from readers.engine.analysis.visible_labels import VisibleLabels, changed_since_decision, labels_of
from readers.engine.canonical import digest
from readers.engine.labels import adjudication
from readers.engine.labels.adjudication import REASON, WITHDRAWN, Compared
from readers.engine.labels.label import BUILDING, DECISIVE, LONGEST_NOTE, NO_STEP, STEP, VALUES, Decision, Label

REASON_NAME = str(REASON["field"])


@dataclass(frozen=True)
class AdjudicatedReading:
    """One reading to decide. `visible` holds only the labels of this reading, `decisions` all decisions on it, including
    superseded ones. `queue` are the project's readings with a disagreement, `open_runs` those with something undecided."""

    visible: VisibleLabels
    run: str
    text: str
    steps: int
    decisions: Sequence[Decision] = ()
    queue: Sequence[str] = ()
    open_runs: Sequence[str] = ()

    @property
    def questions(self) -> list[Compared]:
        """Everything that annotators answered about the reading, agreed or not."""
        return adjudication.compared(self.visible.labels, done=self.visible.done, decisions=self.decisions)

    def known_codes(self) -> frozenset[str]:
        """The codes that a decision can hold: those in use, and those that somebody gave."""
        book = self.visible.book
        given = {label.code for label in self.visible.labels if label.code}
        return frozenset({code.id for code in book.in_use} if book else ()) | given


def table_data(table: AdjudicatedReading, *, n: int = 0, answers: Sequence[JsonData] = ()) -> TableData:
    """The data for the panel, with the answers to its last message, `n`."""
    visible, questions = table.visible, table.questions
    disputed = adjudication.disputed(questions)
    names = adjudication.annotators(questions)
    book = visible.book
    return {
        "project": visible.project.id,
        "run": table.run,
        "annotator": visible.viewer.name,
        "seed": digest(f"{visible.project.id}|{table.run}|{visible.viewer.name}|decisions")[:32],
        "steps": table.steps,
        "longest": LONGEST_NOTE,
        "book": book.version if book else 0,
        "codes": panel_data.codes(book, visible.runs[table.run].reader) if book else [],
        "annotators": list(names),
        "takes": takes(disputed, names),
        "items": [_item(one, table) for one in disputed],
        "agreed": [_agreed(one, visible) for one in questions if one not in disputed],
        "notes": [{"name": name, "labels": _notes(table, name)} for name in names],
        "lanes": [{"name": name, "marks": _marks(visible, table.run, name)} for name in names],
        "labels": [*(stored(one.name, one.decisions[-1]) for one in disputed if one.decisions), *_reason(table)],
        "left": [one.name for one in adjudication.undecided(questions)],
        "progress": progress(table),
        "n": n,
        "answers": list(answers),
        "note": "",
        "made": None,
    }


def takes(disputed: Sequence[Compared], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What each key decides: a number takes the side of that annotator, `b` all sides. By question."""
    found = {str(n): adjudication.one_side(disputed, name) for n, name in enumerate(names[:9], 1)}
    return found | {"b": adjudication.all_sides(disputed)}


def stored(name: str, decision: Decision) -> dict[str, Any]:
    """A decision as the panel's outbox takes it; one that was withdrawn is removed."""
    is_reason = name == REASON_NAME
    value = {"words": decision.reason} if is_reason else dict(decision.value)
    gone = not decision.reason.strip() if is_reason else decision.value == WITHDRAWN
    return {
        "id": name, "kind": "decision", "target": dict(decision.target), "value": value, "revision": decision.revision,
        "removed": gone, "by": decision.by,
    }  # fmt: skip


def progress(table: AdjudicatedReading) -> dict[str, Any]:
    """The reading's place among those with a disagreement, how many others have something to decide, and where keys lead."""
    runs = list(table.queue)
    at = runs.index(table.run) if table.run in runs else -1
    others = [run for run in table.open_runs if run != table.run]
    later = [run for run in others if at >= 0 and run in runs[at + 1 :]]
    return {
        "at": at + 1, "of": len(runs), "others": len(others), "next": next(iter([*later, *others]), None),
        "previous": runs[at - 1] if at > 0 else None, "following": runs[at + 1] if 0 <= at < len(runs) - 1 else None,
    }  # fmt: skip


# One question


def _item(one: Compared, table: AdjudicatedReading) -> dict[str, Any]:
    visible = table.visible
    changed = changed_since_decision(one, visible)
    history = [
        [decided(one, made, visible), made.by, made.at[:16].replace("T", " ") + " UTC", made.reason] for made in one.decisions
    ]
    return {
        "name": one.name, "title": title(one), "about": one.about, "step": one.step, "target": one.target,
        "differs": not one.all_agree,
        "sides": [_side(one, name, table) for name in one.values],
        "options": _options(one, table.steps),
        "history": history[::-1],
        "warning": f"After this decision, {' and '.join(changed)} changed their labels." if changed else "",
    }  # fmt: skip


def _side(one: Compared, name: str, table: AdjudicatedReading) -> dict[str, Any]:
    """An annotator's answer, with the step that it names. For codes, each label names its own; the answer names them all."""
    value = one.values[name]
    step = one.step or (value if isinstance(value, int) else None)
    said = {} if one.about == STEP else {"value": ""}  # the answer says it
    labels = [{**_in_words(label, table), **said} for label in labels_of(one, table.visible, name)]
    return {"name": name, "words": value_text(one.about, value, table.visible), "step": step, "labels": labels}


def _options(one: Compared, steps: int) -> list[list[Any]]:
    """The values of a field, each as stored and in words; none for codes, which are chosen from the codebook."""
    if one.about == STEP:
        return []
    if one.about == DECISIVE:
        fixed = [[{"value": {"step": NO_STEP}}, "No step"], [{"value": {"step": BUILDING}}, "While the text was prepared"]]
        return [*fixed, *([{"value": {"step": step}}, f"Step {step}"] for step in range(1, steps + 1))]
    return [[{"value": value}, words] for value, words in VALUES[one.about].items()]


def _agreed(one: Compared, visible: VisibleLabels) -> dict[str, Any]:
    value = next(iter(one.values.values()))
    alone = next(iter(one.values)) if len(one.values) == 1 else ""
    return {"title": title(one), "words": value_text(one.about, value, visible), "by": alone, "step": one.step}


def _reason(table: AdjudicatedReading) -> list[dict[str, Any]]:
    made = [one for one in table.decisions if one.target == REASON]
    return [stored(REASON_NAME, max(made, key=lambda one: one.revision))] if made else []


# The annotators


def _notes(table: AdjudicatedReading, name: str) -> list[dict[str, Any]]:
    """What an annotator wrote in addition to the answers: notes, corrections and marked words, each with its step or its place in
    the text, in the browser's units."""
    unit = browser_text.counter(table.text)
    found = []
    for label in table.visible.labels:
        beside = label.kind in ("note", "correction", "span") or label.target.get("field") == "note"
        if label.annotator == name and beside:
            place = [unit(label.target[end]) for end in ("start", "end")] if label.target.get("on") == "text" else None
            found.append({**_in_words(label, table), "warning": "", "step": label.step, "place": place})
    return found


def _in_words(label: Label, table: AdjudicatedReading) -> dict[str, Any]:
    """A label in words, and why it needs a review, if it does."""
    marked = table.text[label.target["start"] : label.target["end"]] if label.target.get("on") == "text" else ""
    said, facts, words = label_in_words(label, table.visible, marked=marked)
    warning = next((why for flagged, why in table.visible.to_review if flagged.id == label.id), "")
    return {"value": said, "facts": " · ".join(facts), "words": words, "warning": warning}


def _marks(visible: VisibleLabels, run: str, name: str) -> list[dict[str, Any]]:
    """An annotator's codes at their steps (from 0), and the decisive step, in order."""
    own = [label for label in visible.labels if (label.run, label.annotator) == (run, name)]
    found: dict[int, dict[str, Any]] = {}
    for label in own:
        if (step := label.step) is None or not _on_the_stepper(label):
            continue
        mark = found.setdefault(step - 1, {"step": step - 1, "codes": [], "words": [], "decisive": False})
        if label.code:
            mark["codes"].append(label.code)
            mark["words"].append(visible.code_title(label.code))
        else:
            mark["decisive"] = True
            mark["words"].append("decisive step")
    return [found[step] for step in sorted(found)]


def _on_the_stepper(label: Label) -> bool:
    return not label.removed and (label.kind == "step" or label.target.get("field") == DECISIVE)
