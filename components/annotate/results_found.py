"""The beginning of a project's results: findings on whole readings, compared with what the rules say.

The fates of the rules are followed in the background and saved (`widgets/progress/evidence_fates.py`); only for readings whose
evidence is known and whose known answer the viewer may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import cycle

import streamlit as st

from components.annotate import cache, figures
from components.annotate.result_tables import draw
from components.html import markup, plot
from components.html.words import wording
from components.html.words.reading_words import title_of
from components.session import address, hidden_answers, state
from components.session.drawing import current_theme
from components.widgets import evidence_fates, report
from readers.engine.analysis import label_report, label_results
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.analysis.facts.fates import FATES
from readers.engine.analysis.label_results import LabelResults, QuestionFacts, Results
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.canonical import canonical, digest
from readers.engine.labels import label, settled
from readers.engine.labels.counts import ALL, CodePair, part
from readers.engine.labels.label import DECISIVE, OUTCOMES, TITLES
from readers.engine.labels.label import FATES as CODES
from readers.engine.labels.settled import SUBJECTS, BesideRule
from readers.engine.report.values import Figure, Table, percents
from readers.engine.store import Store
from readers.engine.text.phrases import percent

ABOUT = (
    "A decided value counts first, otherwise the one that all annotators of a reading gave; where they differ and nobody "
    "decided, the reading is left out. In brackets: Wilson’s 95% interval of the share."
)
NO_VALUES = "No reading has a value for this yet that is decided, or that all of its annotators gave."
ABOUT_RULE = "The outcome as the rule suggests it, for readings with a known answer, and as people found it."
ABOUT_FATES = (
    "The fate of the fact as the rules find it by following the evidence through the reading, and as people found it. A reading "
    "opens at the step that decided its fate by the rules."
)
NO_FATES = "The rules could not trace the evidence in any of these readings."
MOST_CODES = 12
WAIT = 0.3  # seconds for the rules to follow the evidence: the rest of the results is drawn meanwhile


def show(store: Store, visible: VisibleLabels, codes: Results) -> None:
    """Draw the findings, and offer all results as files; `codes` are the counts of codes, drawn elsewhere."""
    hidden = hidden_answers.hidden_questions(store)
    sets = [one.id for one in store.question_sets.listed()]
    known = digest(canonical([cache.runs_key(visible), sorted(hidden), sets]))
    key = digest(canonical([visible.cache_key(), known]))

    def facts() -> Mapping[str, QuestionFacts]:
        return label_results.question_facts(store, visible, lambda run: hidden_answers.known_answer(store, run, hidden))

    found = cache.found(key, store, visible, lambda: cache.question_facts(known, facts))
    st.html(markup.section("", "What was found"))
    st.html(markup.aside(ABOUT))
    files = st.container(key="results-out", horizontal=True, gap="small")
    fates = None
    _pictures(visible, found, current_theme())
    by = _table(visible, found)
    pairs = label_report.in_pairs(visible, found.values["outcome"], title_of)
    if pairs.rows:
        with st.expander("Readers in pairs, by how often people found their answers right"):
            report.draw(pairs, caption=label_report.ABOUT_RIGHT)
    if found.beside_rule.pairs:
        st.html(markup.section("", "What the rule says, compared with people"))
        same = _same(found.certain)
        sure = f" Where it is certain: {_with_share(same)}." if same.of else ""
        st.html(markup.aside(f"{ABOUT_RULE} {_agreement(found.beside_rule)}{sure}"))
        draw(visible, settled.rule_table("outcome", found.beside_rule), notes=_notes("outcome", found.beside_rule))
    if found.followed:
        st.html(markup.section("", "What became of the evidence: rules compared with people"))
        fates = _fates_beside_rule(key, visible, found)
    make = partial(label_report.results_report, visible, codes, found, by=by, titles=(title_of, cache.kind_title), fates=fates)
    with files:
        report.downloads(make, f"results-{visible.project.id}", "results_out", visible.project.id)


# Pictures


def _pictures(visible: VisibleLabels, found: LabelResults, theme: plot.Theme) -> None:
    """Outcome by fate, and the decisive step by phase, where there is something to see."""
    pairs = settled.across(found.values["fate"], found.values["outcome"])
    drawn = []
    if len(pairs) > 1:
        fates = [value for value in CODES if any(pair[0] == value for pair in pairs)]
        outcomes = [value for value in OUTCOMES if any(pair[1] == value for pair in pairs)]
        segments = [
            (OUTCOMES[one], figures.OUTCOME_COLOURS[one], [len(pairs.get((at, one), ())) for at in fates]) for one in outcomes
        ]
        drawn.append(("Outcome by fate of the fact", figures.stacked([CODES[at] for at in fates], segments, theme)))
    phases = found.table(DECISIVE, "reader", kind_title=cache.kind_title)
    if len(phases.rows) > 1:
        groups = [(place, column.name) for place, column in enumerate(phases.columns) if column.key != ALL]
        segments = [
            (name, colour, [len(row.cells[place].runs) for row in phases.rows])
            for (place, name), colour in zip(groups, cycle(figures.COLOURS), strict=False)
        ]
        drawn.append(("Decisive step by phase and reader", figures.stacked([row.name for row in phases.rows], segments, theme)))
    if drawn:
        for column, (title, figure) in zip(st.columns(len(drawn)), drawn, strict=True):
            with column:
                st.html(markup.section("", title))
                _plot(visible, title, figure)


def draw_codes(visible: VisibleLabels, table: Table) -> None:
    """How often each reader's or model's readings have each of the most frequent codes; nothing for a single one of either."""
    columns = [(place, column.name) for place, column in enumerate(table.columns) if column.key != ALL]
    rows = table.rows[:MOST_CODES]
    if len(columns) < 2 or len(rows) < 2:
        return
    shares = {
        (at, number): figure.value
        for at, row in enumerate(rows)
        for number, (place, _) in enumerate(columns)
        if isinstance(figure := row.cells[place].content, Figure) and figure.value is not None
    }
    names = [row.name for row in rows], [name for _, name in columns]
    _plot(visible, table.key, figures.shares(*names, shares, current_theme()))


def draw_pairs(visible: VisibleLabels, pairs: Sequence[CodePair]) -> None:
    """Which codes go together, as a square of the most frequent ones; nothing for fewer than three codes."""
    codes = list(dict.fromkeys(code for pair in pairs for code in (pair.one, pair.other)))[:MOST_CODES]
    if len(codes) < 3:
        return
    at = {code: place for place, code in enumerate(codes)}
    counts = {(at[pair.one], at[pair.other]): len(pair.runs) for pair in pairs if pair.one in at and pair.other in at}
    squares = {(min(pair), max(pair)): both for pair, both in counts.items()}
    _plot(visible, "pairs", figures.together([visible.code_title(code) for code in codes], squares, current_theme()))


def _plot(visible: VisibleLabels, name: str, figure: dict[str, object]) -> None:
    st.plotly_chart(figure, key=state.key("figure", visible.project.id, name), theme=None, config=plot.CONFIG)


# Tables


def _table(visible: VisibleLabels, found: LabelResults) -> str:
    """Draw the table of a subject by a grouping; both are chosen here. Returns the grouping."""
    subject, by = _chosen(found)
    with st.container(key="asked-head", horizontal=True, vertical_alignment="bottom", gap="small"):
        groupings = list(found.groupings)
        subject = st.selectbox(
            "What was found", SUBJECTS, index=SUBJECTS.index(subject), format_func=lambda one: TITLES[one], width=240,
            key=state.key("asked", visible.project.id),
        )  # fmt: skip
        by = st.selectbox(
            "By", groupings, index=groupings.index(by), format_func=lambda one: found.groupings[one].title, width=300,
            key=state.key("asked_by", visible.project.id),
        )  # fmt: skip
        if still := found.values[subject].open:
            st.html(markup.aside(f"{wording.count(len(still), 'reading')} left out: annotators differ, and nobody decided."))
    if found.values[subject].values:
        draw(visible, found.table(subject, by, kind_title=cache.kind_title))
    else:
        st.html(markup.empty(NO_VALUES))
    return by


def _chosen(found: LabelResults) -> Sequence[str]:
    """The first subject and grouping: those of the open cell, if there is one."""
    subject, _, by = next(iter(address.open_cell()[:1]), "").partition("-")
    return (subject, by) if subject in SUBJECTS and by in found.groupings else (SUBJECTS[0], "reader")


def _fates_beside_rule(key: str, visible: VisibleLabels, found: LabelResults) -> BesideRule | None:
    """The fates that people and the rules found, once the rules have followed the evidence; None before that, or after it was
    cancelled."""
    every = [Wanted(visible.runs[run], known) for run, known in found.followed.items()]
    followed = evidence_fates.of(visible.project.id, every, wait=WAIT)
    if followed is None:
        return None
    kinds = {run: one.kind if one else "" for run, one in followed.items()}
    beside = cache.beside_fates(digest(canonical([key, kinds])), found, followed)
    if not beside.pairs:
        st.html(markup.empty(NO_FATES))
        return None
    st.html(markup.aside(which_codes()))
    st.html(markup.aside(f"{ABOUT_FATES} {_agreement(beside)}"))
    steps = {run: one.step + 1 for run, one in followed.items() if one}
    draw(visible, settled.rule_table("fate", beside), steps=steps, notes=_notes("fate", beside))
    return beside


def which_codes() -> str:
    """Which fates of the rules have which code of the annotators."""
    codes = CODES | {"": "No code"}
    by_code = {code: " or ".join(f"“{one.id}”" for one in FATES.values() if one.code == code) for code in codes}
    return f"The rules’ fates by code. {'; '.join(f'{codes[code]}: {fates}' for code, fates in by_code.items())}."


def _notes(subject: str, beside: BesideRule) -> dict[str, str]:
    """What people and the rule say of each reading."""
    titles = label.VALUES[subject]
    return {
        run: f"people: {titles[people]} · rule: {titles[rule]}" for (people, rule), runs in beside.pairs.items() for run in runs
    }


def _agreement(beside: BesideRule) -> str:
    """How often people and the rule agree, in a sentence."""
    kappa, silent = beside.kappa.value, len(beside.silent)
    beyond = "" if kappa is None else f" Beyond chance: Cohen’s kappa {kappa:.2f}."
    left = f" Of {wording.count(silent, 'reading')} the rule says nothing." if silent else ""
    return f"They agree on {_with_share(_same(beside.pairs))}.{beyond}{left}"


def _same(pairs: Mapping[tuple[str, str], tuple[str, ...]]) -> Figure:
    """On how many of these readings people and the rule agree."""
    same = [run for (people, rule), runs in pairs.items() if people == rule for run in runs]
    figure = part(same, sum(map(len, pairs.values()))).content
    assert isinstance(figure, Figure)
    return figure


def _with_share(figure: Figure) -> str:
    """`3 of 10 (30%, 11% to 60%)`"""
    return f"{figure} ({percent(figure.value or 0)}, {percents(figure.low or 0, figure.high or 0)})"
