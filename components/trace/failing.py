"""A notice on the form of reply that a reading's model fails at, with what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from components.html import markup
from components.session import address
from readers.engine.analysis.failing_forms import failing_forms, in_words, remedies
from readers.engine.record.events import Event, Misread
from readers.engine.record.trace import Trace


def show(spec: Mapping[str, Any], events: Iterable[Event], *, ended: tuple[str, Trace] | None = None) -> None:
    """Draw the notice, if a form fails; with the id and trace of a reading that has `ended`, also the way to its first misread
    call, where another model or a person can go on."""
    worst = next(iter(failing_forms(events).items()), None)
    if worst is None:
        return
    prompt_id, misread = worst
    held = str(spec.get("reply_form", "words"))
    st.html(markup.notice("warn", [f"{in_words(prompt_id, misread)} {remedies(held)}"]))
    with st.container(horizontal=True, gap="small", key="failing-form"):
        label = "Choose another model" if held == "schema" else "Choose another model, or its reply form"
        st.page_link("pages/8_Models.py", label=label)
        if ended:
            run_id, trace = ended
            step = _step_of(trace, misread[0])
            st.page_link(
                "pages/3_Trace.py",
                label=f"Go on from step {step} with another model, or yourself",
                query_params=address.to_step(run_id, step),
            )


def _step_of(trace: Trace, misread: Misread) -> int:
    return next((step.number + 1 for step, event in trace.by_step() if event == misread), 1)
