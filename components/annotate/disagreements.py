"""Where annotators who are done with a reading say different things of it: the queue of adjudication, in order. Pure.

A disagreement is about one field of a reading's record, or about the codes of one step. Made of what a viewer may see
(`annotate_seen.py`), so it is blind wherever that is. Spans are no items of the queue: that two people mark a little more or less
is not a question to decide; they are shown beside what is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from components.annotate.agreement_html import Label as Told
from components.annotate.agreement_html import Side
from components.annotate.bench import panel_data
from components.annotate.visible_labels import Seen
from readers.engine.canonical import canonical
from readers.engine.forks import describe_edit
from readers.engine.labels.agreement import Item, of_field, of_steps
from readers.engine.labels.label import BUILDING, NO_STEP, Decision, Label

STEP = "step"
CHOICES = {field: dict(values) for field, _, _, values, _ in panel_data.CHOICES}
TITLES = {
    **{field: title for field, title, *_ in panel_data.CHOICES if field != "fate"}, "decisive": "Decisive step",
    "fate": "Fate of the fact", STEP: "Codes of a step",
}  # fmt: skip
NO_CODES = "No code"


@dataclass(frozen=True)
class Dispute:
    """What annotators disagree on: a field of reading `run`, or (`about` is `STEP`) the codes of its `step`, from 1.

    `said` is by annotator what the engine compares: the value of the field, the step (or words) of a decisive step, a set of
    codes. `number` is the reading's place in the project, from 1. `decisions` are all that were taken on it, the last one stands.
    """

    run: str
    number: int
    about: str
    step: int | None
    said: Mapping[str, Any]
    decisions: tuple[Decision, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.run}.{self.about}" + ("" if self.step is None else f".{self.step}")

    @property
    def target(self) -> dict[str, Any]:
        """What a decision on it is filed under."""
        return {"step": self.step} if self.about == STEP else {"field": self.about}

    @property
    def title(self) -> str:
        return TITLES[self.about] if self.step is None else f"Codes of step {self.step:,}"

    @property
    def stands(self) -> Decision | None:
        return self.decisions[-1] if self.decisions else None

    @property
    def agreed(self) -> bool:
        """Whether everybody says the same by now: then it is here because it was decided once."""
        return len(set(self.said.values())) == 1


def queue(seen: Seen, history: Iterable[Decision] = ()) -> list[Dispute]:
    """All disagreements, and what was decided on though all say the same by now: reading by reading in the project's order, in it
    the record's fields, then the steps.

    `history` are all decisions taken, earlier ones before later ones; without it those that stand.
    """
    decisions: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    for decision in sorted(history or seen.decisions, key=lambda one: one.revision):
        decisions[decision.run, canonical(decision.target)].append(decision)
    number = {run: n for n, run in enumerate(seen.runs, 1)}
    found: list[Dispute] = []
    for about, step, items in _compared(seen):
        run = items[0].reading
        one = Dispute(run, number[run], about, step, dict(sorted((item.annotator, item.value) for item in items)))
        taken = tuple(decisions.get((run, canonical(one.target)), ()))
        if taken or not one.agreed:
            found.append(replace(one, decisions=taken))
    places = {about: n for n, about in enumerate(TITLES)}
    return sorted(found, key=lambda one: (one.number, places[one.about], one.step or 0))


def _compared(seen: Seen) -> Iterable[tuple[str, int | None, list[Item]]]:
    """What two annotators or more said of the same thing, as the figures of agreement compare it."""
    done = seen.done
    counted = [label for label in seen.labels if (label.run, label.annotator) in done]
    for field in TITLES:
        items = of_steps(counted, done) if field == STEP else of_field(counted, field)
        if field == "decisive":
            items = [item._replace(value=item.value["step"]) for item in items]
        units: dict[tuple[str, str], list[Item]] = defaultdict(list)
        for item in items:
            units[item.reading, item.unit].append(item)
        for (_, unit), given in units.items():
            yield field, int(unit) if unit else None, given


def narrowed(disputes: Sequence[Dispute], *, about: str = "", run: str = "", open_only: bool = False) -> list[Dispute]:
    return [
        one
        for one in disputes
        if (not about or one.about == about) and (not run or one.run == run) and not (open_only and one.stands)
    ]


def around(disputes: Sequence[Dispute], id: str) -> tuple[Dispute | None, Dispute | None]:
    """The ones before and after; of one that is not among them, none before and the first after."""
    at = next((n for n, one in enumerate(disputes) if one.id == id), None)
    if at is None:
        return None, disputes[0] if disputes else None
    return disputes[at - 1] if at else None, disputes[at + 1] if at + 1 < len(disputes) else None


# Values


def choices(dispute: Dispute, steps: int) -> list[Any]:
    """What can be decided on a field: first what annotators said, then everything else it can be. `steps` is how many the reading
    has."""
    given = list(dict.fromkeys(dispute.said.values()))
    if dispute.about == "decisive":
        every: list[Any] = [NO_STEP, BUILDING, *range(1, steps + 1)]
    else:
        every = list(CHOICES[dispute.about])
    return [*given, *(value for value in every if value not in given)]


def as_value(about: str, chosen: Any) -> dict[str, Any]:
    """What is decided, as it is kept."""
    if about == STEP:
        return {"codes": sorted(str(code) for code in chosen)}
    return {"value": {"step": chosen}} if about == "decisive" else {"value": chosen}


def value_of(about: str, kept: Mapping[str, Any]) -> Any:
    """What `as_value` was given; None for anything of another shape."""
    if about == STEP:
        codes = kept.get("codes")
        return tuple(codes) if isinstance(codes, list) and all(isinstance(code, str) for code in codes) else None
    value = kept.get("value")
    if about == "decisive":
        value = value.get("step") if isinstance(value, Mapping) else None
        return value if isinstance(value, int | str) and not isinstance(value, bool) else None
    return value if value in CHOICES[about] else None


def worded(about: str, value: Any, seen: Seen) -> str:
    """A value in words."""
    if about == STEP:
        return ", ".join(seen.called(code) for code in sorted(value)) or NO_CODES
    if about == "decisive":
        return {NO_STEP: "No step", BUILDING: "While the text was prepared"}.get(value, f"Step {value}")
    return CHOICES[about].get(str(value), str(value))


def who_said(dispute: Dispute, value: Any) -> list[str]:
    return [name for name, said in dispute.said.items() if said == value]


# What each said, side by side


def labels_of(dispute: Dispute, seen: Seen, annotator: str) -> list[Label]:
    """The labels of an annotator that a disagreement is about."""
    own = [label for label in seen.labels if (label.run, label.annotator) == (dispute.run, annotator)]
    if dispute.about == STEP:
        return [label for label in own if label.kind == "step" and label.target.get("step") == dispute.step]
    return [label for label in own if label.kind == "reading" and label.target.get("field") == dispute.about]


def beside(dispute: Dispute, seen: Seen, annotator: str) -> list[Label]:
    """What else they said that bears on it: their note on the reading, corrections of the step, and the spans they marked."""
    own = [label for label in seen.labels if (label.run, label.annotator) == (dispute.run, annotator)]
    notes = [label for label in own if label.kind == "reading" and label.target.get("field") == "note"]
    fixes = [label for label in own if label.kind == "correction" and dispute.step in (None, label.target.get("step"))]
    return [*notes, *fixes, *(label for label in own if label.kind == "span")]


def changed_since(dispute: Dispute, seen: Seen) -> list[str]:
    """Who changed what they said after it was decided."""
    stands = dispute.stands
    if stands is None:
        return []
    return [name for name in dispute.said if any(label.at > stands.at for label in labels_of(dispute, seen, name))]


def sides(dispute: Dispute, seen: Seen, text: str) -> list[Side]:
    """Each annotator's side of a disagreement. `text` is the source text, for the words that spans mark; empty if none do."""
    flags = {label.id: why for label, why in seen.flagged}

    def told(label: Label) -> Told:
        return _told(label, seen, text)._replace(warning=flags.get(label.id, ""))

    return [
        Side(
            name,
            "" if dispute.about == STEP and value else worded(dispute.about, value, seen),
            tuple(told(label) for label in labels_of(dispute, seen, name)),
            tuple(told(label) for label in beside(dispute, seen, name)),
        )
        for name, value in dispute.said.items()
    ]


def _told(label: Label, seen: Seen, text: str) -> Told:
    """A label in words, with its note."""
    value, at = label.value, label.target
    if label.kind == "step":
        return Told(seen.called(str(label.code)), (f"severity {value['severity']} of 3",), value.get("note", ""))
    if label.kind == "span":
        where = f"characters {at['start']:,} to {at['end']:,} of {_SURFACES[at['on']]}"
        marked = quoted(text[at["start"] : at["end"]]) if at["on"] == "text" else ""
        return Told(marked or "A span", (where, seen.called(label.code) if label.code else NO_CODES), value.get("note", ""))
    if label.kind == "correction":
        changed = [describe_edit.describe(value["edit"])] if value.get("edit") else []
        return Told("Correction", (f"step {at['step']:,}", *changed), value.get("words", ""))
    if at["field"] == "decisive":
        return Told("", (f"certainty {value['value']['confidence']} of 3",), value["value"].get("words", ""))
    return Told("Note", (), str(value["value"])) if at["field"] == "note" else Told("")


_SURFACES = {"text": "the text", "prompt": "a prompt", "reply": "a reply", "wrote": "what was written"}


def decision_told(dispute: Dispute, seen: Seen) -> str:
    """What stands, in words; empty for what is open."""
    return _decided(dispute, dispute.stands, seen) if dispute.stands else ""


def decisions_told(dispute: Dispute, seen: Seen) -> list[tuple[str, str, str, str]]:
    """All decisions, the last first: what, by whom, when (UTC), why."""
    rows = [
        (_decided(dispute, one, seen), one.by, one.at[:16].replace("T", " ") + " UTC", one.reason) for one in dispute.decisions
    ]
    return rows[::-1]


def _decided(dispute: Dispute, one: Decision, seen: Seen) -> str:
    value = value_of(dispute.about, one.value)
    return "Something that cannot be read" if value is None else worded(dispute.about, value, seen)


# Labels under an older definition


def flagged(seen: Seen) -> list[tuple[str, int, int]]:
    """Why labels should be looked at again, how many of them, in how many readings; the commonest reason first."""
    why: dict[str, list[str]] = defaultdict(list)
    for label, reason in seen.flagged:
        why[reason.partition(", and the label is of version")[0]].append(label.run)
    rows = [(reason, len(runs), len(set(runs))) for reason, runs in why.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def flagged_told(labels: int) -> str:
    are = "1 label was made" if labels == 1 else f"{labels:,} labels were made"
    return (
        f"{are} under an older definition, and should be looked at again. They count as they stand; nothing was changed in them."
    )


def quoted(words: str) -> str:
    return f"“{short(words, most=120)}”" if words.strip() else ""


def short(words: str, *, most: int = 70) -> str:
    line = " ".join(words.split())
    return line if len(line) <= most else f"{line[: most - 2].rsplit(' ', 1)[0]} …"
