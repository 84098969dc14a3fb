"""What the labels of a project say, as tables for page, terminal and files: codes by reader, model and kind of step, where
readings went wrong, which codes go together, the time per reading; findings on whole readings, next to what the rules say.

Only labels that the viewer may see are counted (`visible_labels.py`). Pure; counting is in `labels/counts.py` and
`labels/settled.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.fates import FATES
from readers.engine.analysis.visible_labels import VisibleLabels, decided_codes, find_disagreements
from readers.engine.labels import counts, settled
from readers.engine.labels.counts import BOTH, NONE, UNKNOWN, CodePair, CodesByStep, LabelledRun
from readers.engine.labels.label import SEVERITY, STEP
from readers.engine.labels.saturation import Saturation, codes_by_reading, saturation
from readers.engine.labels.settled import SUBJECTS, BesideRule, Settled
from readers.engine.models import catalogue
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField
from readers.engine.record.narrative import Narrative
from readers.engine.report.slices import MOST_PARTS, Slice, by_length
from readers.engine.report.values import Table
from readers.engine.store import Run, Store
from readers.engine.text.phrases import capitalised

Rule = Literal["any", "most", "all", "decided"]
RULES: dict[Rule, str] = {
    "any": "given by any annotator",
    "most": "given by more than half of the annotators",
    "all": "given by all annotators",
    "decided": "decided, otherwise given by all",
}
BY = {
    "reader": "Reader",
    "model": "Model",
    BOTH: "Reader and model",
    "kind": "Kind of step",
}  # the tables of codes, as addresses call them
TURNING, TOGETHER, ANNOTATORS, READERS = "turning", "together", "annotators", "readers"  # the other tables
NOT_GIVEN = "not given"
INTERVALS = (
    "In brackets: Wilson’s 95% interval of the share. It treats readings as independent, which readings of one text are not "
    "quite, so it is somewhat too narrow."
)
CERTAINTIES = {"certain": "Certain", "likely": "Likely", "open": "Cannot tell"}
Title = Callable[[str], str]


def rule_of(asked: object, *, any_decided: bool) -> Rule:
    """The rule asked for; by default "decided" if there are decisions, otherwise "any"."""
    return next((rule for rule in get_args(Rule) if rule == asked), "decided" if any_decided else "any")


def model_title(model: str) -> str:
    return catalogue.title(model) if model else "no model"


def kind_title(kind: str, narratives: Iterable[Narrative]) -> str:
    """A kind of step in words. The narratives are those of all readers, because a kind is counted over readings by several of
    them."""
    if kind == UNKNOWN:
        return "Unknown step"
    every = list(narratives)
    phase, _, rest = kind.partition(": ")
    words = next((own.headings[phase] for own in every if phase in own.headings), phase.replace("_", " "))
    more = next((own.steps[rest] for own in every if rest in own.steps), rest)
    return f"{capitalised(words)}{f': {more}' if more else ''}"


# Codes of steps


@dataclass(frozen=True)
class Results:
    """All counts under one rule: the tables by their keys, how many `readings` somebody finished, how many of them have a code,
    and how many disagreements on codes have no decision."""

    rule: Rule
    readings: int
    coded: int
    undecided: int
    tables: Mapping[str, Table]
    saturation: Saturation
    pairs: Sequence[CodePair] = ()


def results(
    visible: VisibleLabels, about: Sequence[LabelledRun], rule: Rule, *, reader_title: Title, kind_title: Title
) -> Results:
    """Everything that is counted of codes and times, under a rule."""
    decided = decided_codes(visible.decisions) if rule == "decided" else NONE
    found = CodesByStep(visible.labels, about, done=visible.done, rule="all" if rule == "decided" else rule, decided=decided)
    by_run, pairs = found.by_run(), counts.together(found)
    reader_of = {one.run: reader_title(one.reader) for one in about}
    wider, code = counts.with_broader(found, parents(visible)), row_title(visible)
    tables = [
        counts.by_group(wider, lambda one: one.reader, (code, reader_title), key="reader", title="Codes by reader"),
        counts.by_group(wider, lambda one: one.model, (code, model_title), key="model", title="Codes by model"),
        *(
            [counts.by_group(wider, _both, (code, _both_title(reader_title)), key=BOTH, title="Codes by reader and model")]
            * _crossed(about)
        ),
        counts.by_kind(wider, (code, kind_title), key="kind", title="Codes by kind of step"),
        counts.turning_points(found, key=TURNING, kind_title=kind_title),
        counts.pairs_table(pairs, key=TOGETHER, code_title=visible.code_title),
        counts.times(visible.times, lambda turn: turn.annotator, key=ANNOTATORS, head="Annotator", unit="Readings"),
        counts.times(visible.times, lambda turn: reader_of[turn.run], key=READERS, head="Reader", unit="Assignments"),
    ]
    undecided = sum(one.about == STEP and not one.decision for one in find_disagreements(visible))
    new = saturation(codes_by_reading(visible.labels, visible.turns))
    by_key = {table.key: table for table in tables}
    return Results(rule, len(by_run), sum(map(bool, by_run.values())), undecided, by_key, new, pairs)


def _crossed(about: Sequence[LabelledRun]) -> bool:
    """Whether there are several readers and several models."""
    return len({one.reader for one in about}) > 1 and len({one.model for one in about}) > 1


def _both(one: LabelledRun) -> str:
    return f"{one.reader} {one.model}"


def _both_title(reader_title: Title) -> Title:
    def title(both: str) -> str:
        reader, model = both.split(" ", 1)
        return f"{reader_title(reader)} · {model_title(model)}"

    return title


def parents(visible: VisibleLabels) -> dict[str, str]:
    """The broader code of each code that has one."""
    return {code.id: code.parent for code in visible.book.codes if code.parent} if visible.book else {}


def row_title(visible: VisibleLabels) -> Title:
    """The title of a code in a table of counts; a broader code says that the codes under it are included."""
    below, title = Counter(parents(visible).values()), visible.code_title
    return lambda code: f"{title(code)}, with {below[code]:,} under it" if code in below else title(code)


def first_steps(visible: VisibleLabels, asked: Sequence[str]) -> dict[str, int]:
    """Where to look in the readings behind a cell, [table, row, column]: for each, the first step with the row's code (or, if the
    row is not a code, with any) from an annotator who has finished it."""
    codes = {asked[1], *(code for code, parent in parents(visible).items() if parent == asked[1])} if asked[0] in BY else None
    found: dict[str, int] = {}
    done = visible.done
    for label in visible.labels if asked[0] in (*BY, TURNING) else ():
        if label.kind == "step" and (codes is None or label.code in codes) and (label.run, label.annotator) in done:
            step = int(label.target["step"])
            found[label.run] = min(step, found.get(label.run, step))
    return found


# Whole readings


class QuestionFacts(NamedTuple):
    """What is known about a reading's question and text: the fields of its question file, the text's tokens (0 if it was
    deleted), the known answer (None if it is unknown, or hidden from the viewer), and the rule's grade (None without a known
    answer)."""

    fields: tuple[QuestionField, ...]
    tokens: int
    known: KnownAnswer | None = None
    graded: Grade | None = None


def question_facts(
    store: Store, visible: VisibleLabels, known_of: Callable[[Run], KnownAnswer | None]
) -> dict[str, QuestionFacts]:
    """What is known about each reading's question; `known_of` gives the known answer of a run, if the viewer may see it."""
    tokens = {one.id: one.tokens for one in store.documents.listed()}
    facts = {}
    for run in visible.runs.values():
        known, question = known_of(run), store.question_sets.question_of(run)
        graded = run.graded(known) if known else None
        facts[run.id] = QuestionFacts(question.fields if question else (), tokens.get(run.document) or 0, known, graded)
    return facts


@dataclass(frozen=True)
class LabelResults:
    """The findings: the values by subject, the ways to group the readings, and the rule compared with people. `certain` are the
    pairs of `beside_rule` of which the rule is certain. `followed` are the readings in which people found a fate and whose
    evidence is known, with what is known; readings in which they accepted the rule's fate show nothing about the rule and are
    left out."""

    values: Mapping[str, Settled]
    groupings: Mapping[str, Slice[str]]
    beside_rule: BesideRule
    certain: Mapping[tuple[str, str], tuple[str, ...]]
    followed: Mapping[str, KnownAnswer]

    def table(self, subject: str, by: str, *, kind_title: Title) -> Table:
        """The table of one subject by one grouping, with a column for all readings first."""
        return settled.table(subject, self.values[subject], self.groupings[by], key=by, phase_title=kind_title)


def found(
    visible: VisibleLabels, about: Sequence[LabelledRun], facts: Mapping[str, QuestionFacts], *, reader_title: Title
) -> LabelResults:
    """What annotators found in the readings that the viewer may see."""
    phases = counts.phase_of(about)
    values = {
        field: settled.settled(field, visible.labels, visible.decisions, done=visible.done, phase_of=phases)
        for field in SUBJECTS
        if field != SEVERITY
    }
    values[SEVERITY] = settled.severities(visible.labels, done=visible.done)
    values = {  # in the order of the project's readings
        subject: replace(one, values={run: one.values[run] for run in visible.runs if run in one.values})
        for subject, one in values.items()
    }
    accepted = {label.run for label in visible.labels if label.suggested and label.target.get("field") == "fate"}
    accepted -= values["fate"].decided
    followed = {
        run: known
        for run in values["fate"].values
        if run not in accepted and visible.runs[run].status == "finished" and run in facts
        if (known := facts[run].known) and known.evidence
    }
    graded = {run: one.graded for run, one in facts.items()}
    beside = settled.beside_rule(values["outcome"], {run: one.suggested if one else None for run, one in graded.items()})
    sure = {run for run, one in graded.items() if one and one.sure == "certain"}
    certain = {pair: tuple(run for run in runs if run in sure) for pair, runs in beside.pairs.items()}
    return LabelResults(values, _groupings(about, facts, reader_title), beside, certain, followed)


def beside_fates(found: LabelResults, followed: Mapping[str, EvidenceFate | None]) -> BesideRule:
    """The fates that people found compared with those of the rules, in the readings whose evidence was followed."""
    by_rule = {run: FATES[one.kind].code or None if one else None for run, one in followed.items()}
    return settled.beside_rule(found.values["fate"], by_rule)


def _groupings(about: Sequence[LabelledRun], facts: Mapping[str, QuestionFacts], reader_title: Title) -> dict[str, Slice[str]]:
    """The ways to group readings, by their ids."""
    groupings: dict[str, Slice[str]] = {
        "reader": Slice("Reader", {one.run: one.reader for one in about}.get, reader_title),
        "model": Slice("Model", {one.run: one.model for one in about}.get, model_title),
    }
    if _crossed(about):
        groupings[BOTH] = Slice("Reader and model", {one.run: _both(one) for one in about}.get, _both_title(reader_title))
    groupings["length"] = by_length(lambda run: facts[run].tokens if run in facts else 0)
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
