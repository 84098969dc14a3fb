"""A part of the page Read: how a program of one's own is watched while it reads, and what is being watched now.

The program and the server between it and its model run in a terminal (`python -m readers watch`). Its calls are on Trace as they
come, and its reading can be ended there.
"""

from __future__ import annotations

import shlex

import streamlit as st

from components.html import markup
from components.session import access, address, start_runs, state
from components.session.drawing import fragment
from readers import get
from readers.engine.text.shorten import shorten_at_word

ABOUT = (
    "Any program that asks a model over HTTP can be watched. Copy this line into a terminal, with the file of the text, the "
    "server that the program asks after --to, and the program itself after the two dashes."
)
THEN = (
    "Each call is on Trace as it comes, and the reading can be ended there. Without a program the line goes on until Ctrl+C: "
    "lead any program to the address that it prints. docs/watch.md has an example."
)
TITLE, KEY = "Watch a program of your own read", "watch_program"
SECONDS = 2.0
LONGEST_TITLE = 60


@fragment()
def show_watch(question: str) -> None:
    """Draw the line to copy, for the question that is asked above. A public demo has no terminal.

    Nothing of it is drawn before it is opened: what the browser colours code with takes it a third of a second to load."""
    if access.demo():
        return
    box = st.expander(TITLE, key=state.key(KEY), on_change="rerun")
    if not box.open:
        return
    with box:
        st.html(markup.aside(ABOUT))
        st.code(command_line(question), language="sh", wrap_lines=True)
        st.html(markup.aside(THEN))
        _show_going()


def command_line(question: str) -> str:
    """The line that watches a program read a text. Where the file of the chosen one is, only the person knows."""
    asked, program = shlex.quote(question.strip() or "Your question?"), "python your_program.py story.txt"
    return f"python -m readers watch story.txt --question {asked} --to https://api.example.com/v1 -- {program}"


@fragment(run_every=SECONDS)
def _show_going() -> None:
    """Draw the readings of programs that go on, each a link to its calls."""
    going = [run for run in access.visible_runs() if start_runs.is_running(run) and not get(run.reader).starts]
    for run in going:
        label = markup.plain(f"Watched now: {shorten_at_word(run.question, LONGEST_TITLE)}")
        st.page_link("pages/3_Trace.py", label=label, query_params=address.to_trace(run.id), icon=":material/visibility:")
