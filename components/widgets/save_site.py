"""Publishing readings from a page: what the site will have, its making with progress, what looks private in it, and its download.

Loaded when somebody first asks for one (`reading_links.offer_site`). Not here: what a site is (`components/publish`), and larger
sites, which `python -m readers publish` writes to a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from components.html import markup
from components.publish import gather, gather_batch
from components.publish.contents import SiteContents
from components.publish.private import Inspection
from components.publish.site import files
from components.session import access, database, hidden_answers, state
from readers.engine.errors import ReadingError
from readers.engine.files.packing import zipped
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run, Store
from readers.engine.text.phrases import counted

MOST, MOST_IN_DEMO = 300, 20  # readings that a page makes a site of
WHAT = (
    "A folder of static files, zipped: every reading in the player, under addresses that last. Unpack it and open index.html, or "
    "put it on any web server. Anyone who gets it gets every prompt and reply, and what is known of the answers."
)
NAMES = "Without them people are letters, also where they name each other. With them, the project can be imported again."
TEXTS = "Without them only cited passages are published, dots stand for the rest, and the readings cannot be imported again."


def show(name: str, *, batch: str, project: str, runs: Sequence[str]) -> None:
    """Draw the making of a site of a batch, a project, or these readings; `name` is a part of keys and of the file's name."""
    st.write(WHAT)
    texts = st.checkbox("With the texts", value=True, key=state.key("site_texts", name), help=TEXTS)
    names = bool(project) and st.checkbox("With the names of people", key=state.key("site_names", name), help=NAMES)
    of = state.short_hash(",".join([batch, project, *runs]))  # another selection has another site
    kept = state.key("site_made", name, of, texts, names)

    def contents(store: Store) -> SiteContents:
        return replace(_contents(store, batch, project, runs, names=names), texts=texts)

    if st.button("Make the site", key=state.key("site_make", name), type="primary"):
        try:
            state.set_value(kept, _make(name, contents))
        except ReadingError as error:
            st.error(markup.plain(str(error)))
            return
    made = state.value(kept)
    if made:
        _download(*made, name=name, of=of)


def _make(name: str, of: Callable[[Store], SiteContents]) -> tuple[bytes, list[str]]:
    """The site as a zip, and a line for each thing in it that looks private. Raises ReadingError if there is nothing to publish,
    or too much for a page."""
    most = MOST_IN_DEMO if access.demo() else MOST
    inspection = Inspection()
    bar = st.progress(0.0, "Reading what is stored …")
    with database.opened(access.visitor()) as store:
        contents = of(store)
        if len(contents.readings) > most:
            raise ReadingError(
                f"A page makes a site of up to {most:,} readings, and these are {len(contents.readings):,}: choose fewer, or "
                "write it with: python -m readers publish"
            )

        def progress(done: int, of: int) -> None:
            bar.progress(done / max(1, of), f"{done:,} of {counted(of, 'reading')}")

        packed = zipped(files(contents, progress, look=inspection.look), f"palimpsest-{name}")
    bar.empty()
    return packed, inspection.lines


def _contents(store: Store, batch: str, project: str, runs: Sequence[str], *, names: bool) -> SiteContents:
    """What the site has, with what this visitor may know of the answers."""
    hidden = hidden_answers.hidden_questions(store)

    def known(run: Run) -> KnownAnswer | None:
        return hidden_answers.known_answer(store, run, hidden)

    if batch:
        return gather_batch.of_batch(store, store.batches.get(batch), known)
    if project:
        viewer = store.projects.viewer(project, hidden_answers.current_name())
        return gather.of_project(store, store.projects.get(project), known, viewer=viewer, names=names)
    return gather.of_runs(store, [store.runs.get(run) for run in runs], known, title=gather.TITLE)


def _download(packed: bytes, lines: Sequence[str], *, name: str, of: str) -> None:
    looked = not lines
    if lines:
        st.warning(markup.plain(f"{counted(len(lines), 'thing')} in it looks private:"))
        st.markdown("\n".join(f"- {markup.plain(line)}" for line in lines))
        looked = st.checkbox("I looked at these; they may be published", key=state.key("site_looked", name, of))
    st.download_button(
        f"Download the site ({max(0.1, len(packed) / 1_000_000):.1f} MB)", packed,
        file_name=f"palimpsest-{name}.zip", mime="application/zip", key=state.key("site_save", name), on_click="ignore",
        disabled=not looked,
    )  # fmt: skip
