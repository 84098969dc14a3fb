"""What annotators were asked about whole readings, as tables and figures: outcome, support, path, fate, decisive step, severity.

By reader, model, length of the text, and every field that came with the questions; and what the rule says beside what people say.
Pure. Counting is in `engine/labels/settled.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from components.annotate.agreement.wording import CHOICES, TITLES
from components.annotate.results.tables import ALL, Grid, GridCell, share_cell
from components.annotate.wording import model_title, step_kind_title
from components.html.words import wording
from components.html.words.reader_words import title_of
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels import settled
from readers.engine.labels.counts import LabelledRun, phase_of
from readers.engine.labels.label import NO_STEP
from readers.engine.labels.settled import DECISIVE, SEVERITY, BesideRule, Settled, values_of
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField
from readers.engine.report.slices import MOST_PARTS, Slice, by_length

SUBJECTS = {**{field: TITLES[field] for field in ("outcome", "support", "path", "fate", DECISIVE)}, SEVERITY: "Severity"}
# The ids of the tables in which people and the rule stand beside each other, and of their column of disagreements.
RULES_OF, DIFFER = {"outcome": "rule", "fate": "rule-fate"}, "differ"
NOT_GIVEN = "not given"
CERTAINTIES = {"certain": "Certain", "likely": "Likely", "open": "Cannot tell"}
_SEVERITIES = {"1": "Slight (1)", "2": "Clear (2)", "3": "Grave (3)"}


class QuestionFacts(NamedTuple):
    """What is known of a reading's question and text: the fields of its question file, the text's tokens (0 if it was deleted),
    the known answer (None if nobody knows it, or the viewer may not), and the rule's grade (None without a known answer)."""

    fields: tuple[QuestionField, ...]
    tokens: int
    known: KnownAnswer | None = None
    graded: Grade | None = None


@dataclass(frozen=True)
class Found:
    """What was found: the values by subject, the ways to group the readings, and the rule beside people. `certain` are the pairs
    of `beside_rule` of which the rule is certain. `followed` are the readings in which people found a fate and whose evidence is
    known, with what is known; those in which they accepted the rule's say nothing of it, and are left out."""

    values: Mapping[str, Settled]
    groupings: Mapping[str, Slice[str]]
    beside_rule: BesideRule
    certain: Mapping[tuple[str, str], tuple[str, ...]]
    followed: Mapping[str, KnownAnswer]

    def grid(self, subject: str, by: str) -> Grid:
        """The table of one subject by one grouping, with a column for all readings first."""
        values, grouping = self.values[subject], self.groupings[by]
        table = settled.table(values, values_of(subject), grouping.key_of)
        every = settled.table(values, values_of(subject), lambda _: ALL)
        cells = {key: share_cell(cell) for found in (every, table) for key, cell in found.cells.items()}
        columns = [(key, grouping.name(key), wording.count(table.totals[key], "reading")) for key in sorted(table.columns)]
        whole = (ALL, "All", wording.count(len(values.values), "reading"))
        rows = [(row, value_title(subject, row)) for row in every.rows]
        return Grid(f"{subject}-{by}", SUBJECTS[subject], SUBJECTS[subject], [whole, *columns], rows, cells)


def found(visible: VisibleLabels, about: Sequence[LabelledRun], facts: Mapping[str, QuestionFacts]) -> Found:
    """What annotators found in the readings that the viewer may see."""
    phases = phase_of(about)
    values = {
        field: settled.settled(field, visible.labels, visible.decisions, done=visible.done, phase_of=phases)
        for field in SUBJECTS
        if field != SEVERITY
    }
    values[SEVERITY] = settled.severities(visible.labels, done=visible.done)
    values = {subject: replace(one, values=_in_order(one.values, visible.runs)) for subject, one in values.items()}
    by_rule = {run: one.graded.suggested if one.graded else None for run, one in facts.items()}
    accepted = {label.run for label in visible.labels if label.suggested and label.target.get("field") == "fate"}
    accepted -= values["fate"].decided
    followed = {
        run: known
        for run in values["fate"].values
        if run not in accepted
        and visible.runs[run].status == "finished"
        and run in facts
        and (known := facts[run].known)
        and known.evidence
    }
    beside = settled.beside_rule(values["outcome"], by_rule)
    sure = {run for run, one in facts.items() if one.graded and one.graded.sure == "certain"}
    certain = {pair: tuple(run for run in runs if run in sure) for pair, runs in beside.pairs.items()}
    return Found(values, _groupings(about, facts), beside, certain, followed)


def _in_order(values: Mapping[str, str], runs: Iterable[str]) -> dict[str, str]:
    """The values in the order of the project's readings."""
    return {run: values[run] for run in runs if run in values}


def rule_grid(subject: str, beside: BesideRule, *, steps: Mapping[str, int] | None = None) -> Grid:
    """People's values (rows) beside the rule's (columns), with all on which they differ; `steps` (from 1) are those at which the
    readings open."""
    pairs = beside.pairs
    people, rule = ([value for value in values_of(subject) if any(pair[at] == value for pair in pairs)] for at in (0, 1))
    cells = {pair: GridCell(f"{len(runs):,}", "agree" if pair[0] == pair[1] else "", runs) for pair, runs in pairs.items()}
    for row in people:
        cells[row, DIFFER] = _counted(run for pair, runs in pairs.items() if pair[0] == row != pair[1] for run in runs)
    for column in rule:
        cells[ALL, column] = _counted(run for pair, runs in pairs.items() if pair[1] == column for run in runs)
    cells[ALL, DIFFER] = _counted(beside.disagreements)
    name = SUBJECTS[subject]
    columns = [(DIFFER, "They differ", ""), *((value, value_title(subject, value), "") for value in rule)]
    rows = [*((value, value_title(subject, value)) for value in people), (ALL, "All")]
    notes = {
        run: f"people: {value_title(subject, pair[0])} · rule: {value_title(subject, pair[1])}"
        for pair, runs in pairs.items()
        for run in runs
    }
    about = f"{name}: people’s (rows) beside the rule’s (columns)"
    return Grid(RULES_OF[subject], about, "People ↓ rule →", columns, rows, cells, steps or {}, notes)


def _counted(runs: Iterable[str]) -> GridCell:
    found = tuple(runs)
    return GridCell(f"{len(found):,}", runs=found)


def value_title(subject: str, value: str) -> str:
    """A value in words."""
    if subject == SEVERITY:
        return _SEVERITIES.get(value, value)
    if subject == DECISIVE:
        return "No step" if value == NO_STEP else step_kind_title(value)
    return CHOICES[subject].get(value, value)


def _groupings(about: Sequence[LabelledRun], facts: Mapping[str, QuestionFacts]) -> dict[str, Slice[str]]:
    """The ways to group readings, by their ids."""
    groupings: dict[str, Slice[str]] = {
        "reader": Slice("Reader", {one.run: one.reader for one in about}.get, title_of),
        "model": Slice("Model", {one.run: one.model for one in about}.get, model_title),
        "length": by_length(lambda run: facts[run].tokens if run in facts else 0),
    }
    names = dict.fromkeys(field.name for one in facts.values() for field in one.fields)
    for name in names:
        groups = {run: dict(one.fields).get(name, NOT_GIVEN) for run, one in facts.items()}
        if 1 < len(set(groups.values())) <= MOST_PARTS:
            groupings[f"field {name}"] = Slice(f"Question: {name}", groups.get)
    sure = {run: one.graded.sure for run, one in facts.items() if one.graded}
    if len(set(sure.values())) > 1:
        groupings["certainty"] = Slice("How sure the rule is", sure.get, lambda one: CERTAINTIES[one])
    distractors = {run: "yes" if one.known.distractors else "no" for run, one in facts.items() if one.known}
    if len(set(distractors.values())) > 1:
        groupings["distractors"] = Slice("Text has distractors", distractors.get)
    return groupings
