"""The beginning of a project's results: what was found in whole readings, and what the rule says beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle

import streamlit as st

from components.annotate import cache, keys
from components.annotate.results import asked, fates_by_rule, figures
from components.annotate.results.asked import SUBJECTS, Found, QuestionFacts
from components.annotate.results.tables import ALL, Grid, interval
from components.html import markup
from components.html.figures import plot
from components.html.words import wording
from components.session.page import address, state
from components.session.page.drawing import current_theme
from components.session.visitor import hidden_answers
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.canonical import canonical, digest
from readers.engine.labels import settled
from readers.engine.labels.counts import CodePair, CountCell, cell
from readers.engine.labels.settled import DECISIVE
from readers.engine.statistics.agreement import Coefficient
from readers.engine.store import Store

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
Draw = Callable[[VisibleLabels, Grid], None]


def show(store: Store, visible: VisibleLabels, draw: Draw) -> None:
    """Draw it; `draw` draws a table with the readings behind its open cell."""
    hidden = hidden_answers.hidden_questions(store)
    sets = [one.id for one in store.question_sets.listed()]
    known = digest(canonical([cache.runs_key(visible), sorted(hidden), sets]))
    key = digest(canonical([visible.cache_key(), known]))
    found = cache.found(key, store, visible, lambda: cache.question_facts(known, lambda: _facts(store, visible, hidden)))
    st.html(markup.section("", "What was found"))
    st.html(markup.aside(ABOUT))
    _pictures(visible, found, current_theme())
    _table(visible, found, draw)
    _beside_rule(visible, found, draw)
    _fates_beside_rule(key, visible, found, draw)


def _facts(store: Store, visible: VisibleLabels, hidden: frozenset[tuple[str, str]]) -> dict[str, QuestionFacts]:
    tokens = {one.id: one.tokens for one in store.documents.listed()}
    facts = {}
    for run in visible.runs.values():
        known = hidden_answers.known_answer(store, run, hidden)
        graded = run.graded(known) if known else None
        question = store.question_sets.question_of(run)
        fields = question.fields if question else ()
        facts[run.id] = QuestionFacts(fields, tokens.get(run.document) or 0, known, graded)
    return facts


def _pictures(visible: VisibleLabels, found: Found, theme: plot.Theme) -> None:
    """Outcome by fate, and the decisive step by phase, where there is something to see."""
    outcome, fate, decisive = (found.values[name] for name in ("outcome", "fate", DECISIVE))
    pairs = settled.across(fate, outcome)
    drawn = []
    if len(pairs) > 1:
        fates = [value for value in settled.values_of("fate") if any(pair[0] == value for pair in pairs)]
        outcomes = [value for value in settled.values_of("outcome") if any(pair[1] == value for pair in pairs)]
        segments = [
            figures.Segments(
                asked.value_title("outcome", one), figures.OUTCOME_COLOURS[one], [len(pairs.get((at, one), ())) for at in fates]
            )
            for one in outcomes
        ]
        bars = [asked.value_title("fate", at) for at in fates]
        drawn.append(("Outcome by fate of the fact", figures.stacked(bars, segments, theme)))
    phases = settled.table(decisive, settled.values_of(DECISIVE), found.groupings["reader"].key_of)
    if len(phases.rows) > 1:
        name = found.groupings["reader"].name
        segments = [
            figures.Segments(name(reader), colour, [phases.at(row, reader).count for row in phases.rows])
            for reader, colour in zip(sorted(phases.columns), cycle(figures.COLOURS), strict=False)
        ]
        bars = [asked.value_title(DECISIVE, row) for row in phases.rows]
        drawn.append(("Decisive step by phase and reader", figures.stacked(bars, segments, theme)))
    if drawn:
        for column, (title, figure) in zip(st.columns(len(drawn)), drawn, strict=True):
            with column:
                st.html(markup.section("", title))
                key = state.key(keys.FIGURE, visible.project.id, title)
                st.plotly_chart(figure, key=key, theme=None, config=plot.CONFIG)


def draw_codes(visible: VisibleLabels, grid: Grid) -> None:
    """How often each reader's or model's readings have each of the most frequent codes; nothing for a single one of either."""
    columns = [column for column in grid.columns if column[0] != ALL]
    rows = grid.rows[:MOST_CODES]
    if len(columns) < 2 or len(rows) < 2:
        return
    found = {
        (at, column): bar[0]
        for at, (row, _) in enumerate(rows)
        for column, (key, *_) in enumerate(columns)
        if (cell := grid.cells.get((row, key))) and (bar := cell.bar)
    }
    figure = figures.shares([name for _, name in rows], [name for _, name, _ in columns], found, current_theme())
    st.plotly_chart(figure, key=state.key(keys.FIGURE, visible.project.id, grid.id), theme=None, config=plot.CONFIG)


def draw_pairs(visible: VisibleLabels, pairs: Sequence[CodePair]) -> None:
    """Which codes go together, as a square of the most frequent ones; nothing for fewer than three codes."""
    codes = list(dict.fromkeys(code for pair in pairs for code in (pair.one, pair.other)))[:MOST_CODES]
    if len(codes) < 3:
        return
    at = {code: place for place, code in enumerate(codes)}
    counts = {(at[one], at[other]): both for one, other, both, *_ in pairs if one in at and other in at}
    squares = {(min(pair), max(pair)): both for pair, both in counts.items()}
    figure = figures.together([visible.code_title(code) for code in codes], squares, current_theme())
    st.plotly_chart(figure, key=state.key(keys.FIGURE, visible.project.id, "pairs"), theme=None, config=plot.CONFIG)


def _table(visible: VisibleLabels, found: Found, draw: Draw) -> None:
    subject, by = _chosen(visible, found)
    with st.container(key="asked-head", horizontal=True, vertical_alignment="bottom", gap="small"):
        subjects, groupings = list(SUBJECTS), list(found.groupings)
        subject = st.selectbox(
            "What was found", subjects, index=subjects.index(subject), format_func=lambda one: SUBJECTS[one], width=240,
            key=state.key(keys.ASKED, visible.project.id),
        )  # fmt: skip
        by = st.selectbox(
            "By", groupings, index=groupings.index(by), format_func=lambda one: found.groupings[one].title, width=300,
            key=state.key(keys.ASKED_BY, visible.project.id),
        )  # fmt: skip
        if still := found.values[subject].open:
            st.html(markup.aside(f"{wording.count(len(still), 'reading')} left out: annotators differ, and nobody decided."))
    if found.values[subject].values:
        draw(visible, found.grid(subject, by))
    else:
        st.html(markup.empty(NO_VALUES))


def _chosen(visible: VisibleLabels, found: Found) -> Sequence[str]:
    """The subject and the grouping to begin with: those of the open cell, if one is open."""
    subject, _, by = next(iter(address.open_cell()[:1]), "").partition("-")
    return (subject, by) if subject in SUBJECTS and by in found.groupings else (next(iter(SUBJECTS)), "reader")


def _beside_rule(visible: VisibleLabels, found: Found, draw: Draw) -> None:
    beside = found.beside_rule
    if not beside.pairs:
        return
    st.html(markup.section("", "What the rule says beside what people say"))
    same = _same(found.certain)
    sure = f" Where it is certain: {same.count:,} of {same.of:,} ({wording.share(same.share or 0)}, {interval(same)})."
    st.html(markup.aside(f"{ABOUT_RULE} {_agreement(beside.pairs, len(beside.silent), beside.kappa)}{sure if same.of else ''}"))
    draw(visible, asked.rule_grid("outcome", beside))


def _fates_beside_rule(key: str, visible: VisibleLabels, found: Found, draw: Draw) -> None:
    """The fates that people and the rules found, once the rules have followed the evidence."""
    if not found.followed:
        return
    st.html(markup.section("", "What became of the evidence: the rules beside people"))
    fates = fates_by_rule.of(visible, found)
    if fates is None:
        return
    by_rule = {run: one.value for run, one in fates.items()}
    beside = cache.beside_rule(digest(canonical([key, by_rule])), found.values["fate"], by_rule)
    if not beside.pairs:
        st.html(markup.empty(NO_FATES))
        return
    st.html(markup.aside(fates_by_rule.which_codes()))
    st.html(markup.aside(f"{ABOUT_FATES} {_agreement(beside.pairs, len(beside.silent), beside.kappa)}"))
    draw(visible, asked.rule_grid("fate", beside, steps={run: one.step for run, one in fates.items()}))


def _agreement(pairs: Mapping[tuple[str, str], tuple[str, ...]], silent: int, kappa: Coefficient) -> str:
    """How often they agree, in a sentence."""
    same = _same(pairs)
    share = f"They agree on {same.count:,} of {same.of:,} ({wording.share(same.share or 0)}, {interval(same)})."
    beyond = "" if kappa.value is None else f" Beyond chance: Cohen’s kappa {kappa.value:.2f}."
    left = f" Of {wording.count(silent, 'reading')} the rule says nothing." if silent else ""
    return share + beyond + left


def _same(pairs: Mapping[tuple[str, str], tuple[str, ...]]) -> CountCell:
    """On how many of these readings people and the rule agree."""
    return cell([run for (people, rule), runs in pairs.items() if people == rule for run in runs], sum(map(len, pairs.values())))
