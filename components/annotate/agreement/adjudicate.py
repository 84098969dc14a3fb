"""One disagreement: the annotators' labels side by side, the decisions so far, and deciding it with a reason.

A decision is never overwritten: a later one supersedes it, and the earlier ones stay readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.annotate import cache, keys
from components.annotate.agreement import html
from components.annotate.agreement.wording import (
    decision_history,
    decision_options,
    sides,
    title,
    value_text,
)
from components.annotate.wording import model_title
from components.html import markup, wording
from components.html.reader_words import title_in_list
from components.session import access, address, flash, state
from readers.engine.analysis.disagreements import changed_since_decision, neighbours
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.errors import Conflict, ReadingError
from readers.engine.labels.adjudication import STEP, Compared, from_stored, to_stored
from readers.engine.labels.label import LONGEST_NOTE, Decision
from readers.engine.store import Store

ANNOTATE, TRACE = "pages/5_Annotate.py", "pages/3_Trace.py"
KEYS = "Keys: N next, P previous, L back to the list. They do not work while you type."


def show(store: Store, visible: VisibleLabels, disagreement: Compared, *, listed: Sequence[Compared]) -> None:
    """Draw the disagreement; `listed` are those that the viewer can move through."""
    _bar(disagreement, listed)
    run = visible.runs[disagreement.run]
    meta = [
        title_in_list(run),
        model_title(str(run.spec.get("model", ""))),
        visible.titles.get(run.document, "text deleted"),
    ]
    st.html(markup.heading(run.question, meta, [wording.state(run)]))
    if run.answer:
        st.html(markup.compared_answer(run.answer, wording.author(str(run.spec.get("model", ""))), ""))
    st.html(markup.section("", title(disagreement)))
    _links(visible, disagreement)
    text = _text(store, visible, disagreement)
    st.html(html.sides(sides(disagreement, visible, text)))
    if disagreement.all_agree:
        st.html(markup.aside("All annotators agree by now. It is still listed because it was decided before."))
    if disagreement.decisions:
        st.html(markup.section("", "Decisions"))
        st.html(html.decisions(decision_history(disagreement, visible)))
        if changed := changed_since_decision(disagreement, visible):
            st.html(markup.notice("warn", [f"After this decision, {' and '.join(changed)} changed their labels."]))
    _decide(visible, disagreement, cache.step_count(store, run), listed=listed)


def _bar(disagreement: Compared, listed: Sequence[Compared]) -> None:
    """Its place in the list, and buttons with keys to move through it."""
    before, after = neighbours(listed, disagreement.id)
    with st.container(key="disagreement-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All disagreements", key=state.key(keys.QUEUE, "back"), on_click=address.set_disagreement, args=("",), shortcut="L"
        )
        for name, other, key in (("Previous", before, "P"), ("Next", after, "N")):
            st.button(
                name, key=state.key(keys.QUEUE, name), on_click=address.set_disagreement, args=(other.id if other else "",),
                disabled=other is None, shortcut=key,
            )  # fmt: skip
        at = next((n for n, one in enumerate(listed, 1) if one.id == disagreement.id), 0)
        st.html(markup.facts([f"{at:,} of {len(listed):,}", KEYS]), width="content")


def _links(visible: VisibleLabels, disagreement: Compared) -> None:
    """Links to the step, or to each step that an annotator called decisive, and to the bench."""
    steps = (
        [disagreement.step]
        if disagreement.step
        else [value for value in dict.fromkeys(disagreement.values.values()) if isinstance(value, int)]
    )
    with st.container(key="disagreement-links", horizontal=True, gap="small"):
        for step in sorted(step for step in steps if step):
            st.page_link(TRACE, label=f"Show step {step:,}", query_params=address.to_step(disagreement.run, step))
        if not steps:
            st.page_link(TRACE, label="Show the reading", query_params=address.to_trace(disagreement.run))
        if visible.viewer.stage:
            st.page_link(
                ANNOTATE, label="Your own labels", query_params=address.to_project(visible.project.id, run=disagreement.run)
            )


def _text(store: Store, visible: VisibleLabels, disagreement: Compared) -> str:
    """The source text, if an annotator marked a span of it."""
    marked = any(label.run == disagreement.run and label.target.get("on") == "text" for label in visible.labels)
    return store.document(visible.runs[disagreement.run].document).text if marked else ""


def _decide(visible: VisibleLabels, disagreement: Compared, steps: int, *, listed: Sequence[Compared]) -> None:
    if not visible.viewer.name:
        return
    st.html(markup.section("", "Decide again" if disagreement.decision else "Decide"))
    key = state.key(keys.DECIDE, disagreement.id, len(disagreement.decisions))
    drafts = state.drafts(keys.DECIDE, disagreement.id)
    if disagreement.about == STEP:
        _codes(visible, disagreement, key)
    else:
        options = decision_options(disagreement, steps)
        current = from_stored(disagreement.about, disagreement.decision.value) if disagreement.decision else None
        index = options.index(current) if current in options else None

        def option_text(value: Any) -> str:
            annotators = disagreement.annotators_with(value)
            words = value_text(disagreement.about, value, visible)
            return f"{words} ({', '.join(annotators)})" if annotators else words

        st.selectbox(
            "Correct value", options, index=index, format_func=option_text, key=key, width=420, placeholder="Choose a value"
        )
    reason = state.key(keys.REASON, disagreement.id)

    def save_draft() -> None:
        drafts["reason"] = str(state.value(reason) or "")

    if state.value(reason) is None:
        state.set_value(reason, drafts.get("reason", ""))
    st.text_area("Why", key=reason, max_chars=LONGEST_NOTE, on_change=save_draft, height=100)
    later = [one for one in listed if one.id != disagreement.id and not one.decision]
    at = next((n for n, one in enumerate(listed) if one.id == disagreement.id), 0)
    following = next((one.id for one in listed[at + 1 :] if one in later), later[0].id if later else "")
    st.button(
        "Decide, then next" if following else "Decide", type="primary", key=state.key(keys.DECIDE, "now"),
        on_click=_decide_now, args=(visible, disagreement, following),
    )  # fmt: skip


def _codes(visible: VisibleLabels, disagreement: Compared, key: str) -> None:
    given = {code: None for codes in disagreement.values.values() for code in sorted(codes)}
    known = dict.fromkeys([*given, *(code.id for code in (visible.book.in_use if visible.book else ()))])
    current = from_stored(STEP, disagreement.decision.value) if disagreement.decision else None
    first = current if current is not None else sorted(set.intersection(*(set(codes) for codes in disagreement.values.values())))
    options = list(dict.fromkeys([*known, *first]))
    label = "Correct codes, or none"
    st.multiselect(
        label, options, default=list(first), format_func=visible.code_title, key=key, placeholder="No code", select_all=False
    )


def _decide_now(visible: VisibleLabels, disagreement: Compared, following: str) -> None:
    """Save the decision. If that fails, the typed values stay and the reason is shown."""
    chosen = state.value(state.key(keys.DECIDE, disagreement.id, len(disagreement.decisions)))
    reason = str(state.value(state.key(keys.REASON, disagreement.id)) or "")
    state.drafts(keys.DECIDE, disagreement.id)["reason"] = reason
    if chosen is None:
        flash.leave("error", "Nothing was chosen: choose a value, then decide.")
        return
    value = to_stored(disagreement.about, chosen)
    decision = Decision(visible.project.id, disagreement.run, disagreement.target, value, reason, visible.viewer.name)
    try:
        with access.opened() as store:
            store.decisions.decide(decision, len(disagreement.decisions))
    except Conflict as error:
        flash.leave("error", f"{wording.sentence(str(error))} Your reason is still here.")
        return
    except ReadingError as error:
        flash.leave_error(error)
        return
    state.drafts(keys.DECIDE, disagreement.id).clear()
    state.set_value(state.key(keys.REASON, disagreement.id), "")
    flash.leave("success", f"Decided: {value_text(disagreement.about, chosen, visible)}.")
    address.set_disagreement(following)
