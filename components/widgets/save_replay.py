"""Saving readings as a replay: what the file will hold, with or without the known answer, and the file itself.

Loaded when somebody first asks for one (`reading_links.offer_replay`). Not here: what a replay is (`components/replay`).
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.html import markup
from components.replay.file import MOST_READINGS, holds, replay_file
from components.replay.reading import replayed
from components.session import access, hidden_answers, state
from readers.engine.store import Reading

WHAT = "One page that opens with a double click, offline, also on a phone. Anyone who gets the file gets all of this:"
TOO_MANY = f"A replay holds up to {MOST_READINGS} readings; choose fewer."


def show(readings: Sequence[Reading]) -> None:
    """Draw what a file of these readings holds, which must have ended, and its download; the first is shown first."""
    if len(readings) > MOST_READINGS:
        st.write(TOO_MANY)
        return
    ids = [one.run.id for one in readings]
    known = _is_known(readings) and st.checkbox(
        "With the known answer", value=True, key=state.key("replay_known", *ids), help="Behind a switch, as on this page."
    )
    st.write(WHAT)
    st.markdown("\n".join(f"- {markup.plain(line)}" for line in holds(readings, known=known)))
    made = hidden_answers.making(lambda store, run, answer: replayed(store, run.id, known=answer if known else None))
    st.download_button(
        "Save the file", lambda: replay_file(made(ids)).encode(), file_name=_file_name(ids), mime="text/html",
        key=state.key("replay_save", *ids), on_click="ignore", type="primary",
    )  # fmt: skip


def _is_known(readings: Sequence[Reading]) -> bool:
    """Whether this visitor may know the answer to any of these readings' questions."""
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)
        return any(hidden_answers.known_answer(store, one.run, hidden) for one in readings)


def _file_name(ids: Sequence[str]) -> str:
    return f"palimpsest-replay-{ids[0]}{f'-and-{len(ids) - 1}-more' if len(ids) > 1 else ''}.html"
