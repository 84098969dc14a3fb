"""One disagreement: what each annotator said, side by side, what was decided so far, and deciding it with a reason.

A decision is never written over: a later one stands before it, and the earlier ones stay to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.annotate import agreement_html, cache, disagreements, keys
from components.annotate.disagreements import STEP, Dispute
from components.annotate.results.tables import reader_name
from components.annotate.visible_labels import Seen, model_name
from components.html import markup, wording
from components.session import access, address, flash, state
from readers.engine.errors import Conflict, ReadingError
from readers.engine.labels.label import LONGEST_NOTE, Decision
from readers.engine.store import Store

ANNOTATE, TRACE = "pages/5_Annotate.py", "pages/3_Trace.py"
KEYS = "Keys: N next, P previous, L back to the list. None of them while you type."


def show(store: Store, seen: Seen, dispute: Dispute, *, listed: Sequence[Dispute]) -> None:
    """The disagreement with the ones before and after it in `listed`."""
    _bar(dispute, listed)
    run = seen.runs[dispute.run]
    meta = [reader_name(run.reader), model_name(str(run.spec.get("model", ""))), seen.titles.get(run.document, "text deleted")]
    st.html(markup.heading(run.question, meta, [wording.state(run)]))
    if run.answer:
        st.html(markup.compared_answer(run.answer, wording.author(str(run.spec.get("model", ""))), ""))
    st.html(markup.section("", dispute.title))
    _links(seen, dispute)
    text = _text(store, seen, dispute)
    st.html(agreement_html.sides(disagreements.sides(dispute, seen, text)))
    if dispute.agreed:
        st.html(markup.aside("By now everybody says the same; it is still listed because it was decided."))
    if dispute.decisions:
        st.html(markup.section("", "What was decided"))
        st.html(agreement_html.decisions(disagreements.decisions_told(dispute, seen)))
        if changed := disagreements.changed_since(dispute, seen):
            st.html(markup.notice("warn", [f"After this was decided, {' and '.join(changed)} changed what they said."]))
    _decide(seen, dispute, cache.steps(store, run), listed=listed)


def _bar(dispute: Dispute, listed: Sequence[Dispute]) -> None:
    """Where it stands in the list, and the way on, by keyboard too."""
    before, after = disagreements.around(listed, dispute.id)
    with st.container(key="dispute-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All disagreements", key=state.key(keys.QUEUE, "back"), on_click=address.set_disagreement, args=("",), shortcut="L"
        )
        for name, other, key in (("Previous", before, "P"), ("Next", after, "N")):
            st.button(
                name, key=state.key(keys.QUEUE, name), on_click=address.set_disagreement, args=(other.id if other else "",),
                disabled=other is None, shortcut=key,
            )  # fmt: skip
        at = next((n for n, one in enumerate(listed, 1) if one.id == dispute.id), 0)
        st.html(markup.facts([f"{at:,} of {len(listed):,}", KEYS]), width="content")


def _links(seen: Seen, dispute: Dispute) -> None:
    """To the step, or to each step that somebody called decisive, and to the bench."""
    steps = (
        [dispute.step] if dispute.step else [value for value in dict.fromkeys(dispute.said.values()) if isinstance(value, int)]
    )
    with st.container(key="dispute-links", horizontal=True, gap="small"):
        for step in sorted(step for step in steps if step):
            st.page_link(TRACE, label=f"Look at step {step:,}", query_params=address.to_step(dispute.run, step))
        if not steps:
            st.page_link(TRACE, label="Look at the reading", query_params=address.to_trace(dispute.run))
        if seen.viewer.stage:
            st.page_link(
                ANNOTATE, label="Your own labels of it", query_params=address.to_project(seen.project.id, run=dispute.run)
            )


def _text(store: Store, seen: Seen, dispute: Dispute) -> str:
    """The text, where somebody marked a span of it."""
    marked = any(label.run == dispute.run and label.target.get("on") == "text" for label in seen.labels)
    return store.document(seen.runs[dispute.run].document).text if marked else ""


def _decide(seen: Seen, dispute: Dispute, steps: int, *, listed: Sequence[Dispute]) -> None:
    if not seen.viewer.name:
        return
    st.html(markup.section("", "Decide again" if dispute.stands else "Decide"))
    key = state.key(keys.DECIDE, dispute.id, len(dispute.decisions))
    drafts = state.drafts(keys.DECIDE, dispute.id)
    if dispute.about == STEP:
        _codes(seen, dispute, key)
    else:
        choices = disagreements.choices(dispute, steps)
        stands = disagreements.value_of(dispute.about, dispute.stands.value) if dispute.stands else None
        index = choices.index(stands) if stands in choices else None

        def named(value: Any) -> str:
            who = disagreements.who_said(dispute, value)
            words = disagreements.worded(dispute.about, value, seen)
            return f"{words} ({', '.join(who)})" if who else words

        label = "What holds"
        st.selectbox(label, choices, index=index, format_func=named, key=key, width=420, placeholder="Choose what holds")
    reason = state.key(keys.REASON, dispute.id)

    def keep() -> None:
        drafts["reason"] = str(state.value(reason) or "")

    if state.value(reason) is None:
        state.set_value(reason, drafts.get("reason", ""))
    st.text_area("Why", key=reason, max_chars=LONGEST_NOTE, on_change=keep, height=100)
    later = [one for one in listed if one.id != dispute.id and not one.stands]
    at = next((n for n, one in enumerate(listed) if one.id == dispute.id), 0)
    following = next((one.id for one in listed[at + 1 :] if one in later), later[0].id if later else "")
    st.button(
        "Decide, and go on to the next" if following else "Decide", type="primary", key=state.key(keys.DECIDE, "now"),
        on_click=_decide_now, args=(seen, dispute, following),
    )  # fmt: skip


def _codes(seen: Seen, dispute: Dispute, key: str) -> None:
    given = {code: None for said in dispute.said.values() for code in sorted(said)}
    known = dict.fromkeys([*given, *(code.id for code in (seen.book.in_use if seen.book else ()))])
    stands = disagreements.value_of(STEP, dispute.stands.value) if dispute.stands else None
    first = stands if stands is not None else sorted(set.intersection(*(set(said) for said in dispute.said.values())))
    options = list(dict.fromkeys([*known, *first]))
    label = "Which codes hold, or none"
    st.multiselect(label, options, default=list(first), format_func=seen.called, key=key, placeholder="No code")


def _decide_now(seen: Seen, dispute: Dispute, following: str) -> None:
    """Keep it; where it cannot be kept, all that was typed stays and the reason is told."""
    chosen = state.value(state.key(keys.DECIDE, dispute.id, len(dispute.decisions)))
    reason = str(state.value(state.key(keys.REASON, dispute.id)) or "")
    state.drafts(keys.DECIDE, dispute.id)["reason"] = reason
    if chosen is None:
        flash.leave("error", "Nothing was chosen: choose what holds, then decide.")
        return
    value = disagreements.as_value(dispute.about, chosen)
    decision = Decision(seen.project.id, dispute.run, dispute.target, value, reason, seen.viewer.name)
    try:
        with access.opened() as store:
            store.decisions.decide(decision, len(dispute.decisions))
    except Conflict as error:
        flash.leave("error", f"{wording.sentence(str(error))} Your reason is still here.")
        return
    except ReadingError as error:
        flash.leave_error(error)
        return
    state.drafts(keys.DECIDE, dispute.id).clear()
    state.set_value(state.key(keys.REASON, dispute.id), "")
    flash.leave("success", f"Decided: {disagreements.worded(dispute.about, chosen, seen)}.")
    address.set_disagreement(following)
