"""The import of question files with their texts: an upload, a preview of what the files hold, their faults by line, and Save; and
the button that adds the questions about the sample texts.

Nothing is saved while a file has a fault. Not here: reading the files (`readers/engine/questions/import_questions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from components.html import markup
from components.html.words import wording, work_words
from components.session import access, demos, flash, state
from components.session.samples import FOLDER, samples
from components.widgets import report
from readers.engine.canonical import digest
from readers.engine.errors import BadFile, ReadingError
from readers.engine.ingest import Ingested, from_path
from readers.engine.questions.files import ENDINGS
from readers.engine.questions.import_questions import (
    ALL,
    MOST_FILES,
    Imported,
    Selection,
    complete_set,
    holds_questions,
    read_questions,
)
from readers.engine.questions.question_importer import TextSources
from readers.engine.questions.question_set import LONGEST_NAME, QuestionSet
from readers.engine.store.question_sets import ListedSet
from readers.engine.text.document import Document

PREVIEWED = 5
SAMPLES = "Samples"
MOST_UPLOADED = 50  # MB
Files = tuple[tuple[str, bytes], ...]  # names and contents
Saved = Callable[[ListedSet], None]
FORMAT = """One question a line, as JSON, in a file that ends in `.jsonl`:

```text
{"text": "The ferry leaves at noon. ...", "title": "The ferry", "question": "When does it leave?", "answer": "at noon"}
{"file": "lamp.txt", "question": "Who lit it?", "choices": ["Ann", "Ben"], "answer": "Ben", "evidence": ["Ben struck a match"]}
{"title": "The ferry", "question": "What does it cost?", "answerable": false}
```

or the same names as the first line of a `.csv` file, with `|` between several choices or answers in a cell. The text is in the
line (`text`), in a file uploaded with it (`file`), or in the library (`title`, `document`). docs/questions.md lists all fields.

The files of published benchmarks go in as they are downloaded, and are recognised by their shape: QuALITY, NarrativeQA, QMSum,
SQuALITY, SummScreen, GovReport, HotpotQA, 2WikiMultiHopQA, MuSiQue, RULER-HQA, LongBench and LongBench v2, RULER, BABILong,
InfiniteBench and LongMemEval."""


def ask(saved: Saved) -> None:
    """Draw the import. `saved` is called with the set once it is saved, before the page is drawn again."""
    most = demos.MOST_BYTES // 1_000_000 if access.demo() else MOST_UPLOADED
    uploads = st.file_uploader(
        f"Question files ({', '.join(ENDINGS)}) or a benchmark’s own, together with the texts they name; up to {most} MB",
        accept_multiple_files=True,
        max_upload_size=most,
        key="ask_files",
    )
    if uploads:
        _preview([(upload.name, upload.getvalue()) for upload in uploads], saved)
    with st.expander("File format", expanded=not uploads):
        st.markdown(FORMAT)


def _preview(files: Sequence[tuple[str, bytes]], saved: Saved) -> None:
    head = st.container()
    try:
        imported = read_files(files)
        if imported.recognised:
            label = "How many questions to import, from the first"
            first = st.number_input(label, min_value=1, value=None, step=50, placeholder="all", key="first_imported")
            imported = read_files(files, Selection(first)) if first else imported
    except ReadingError as error:
        flash.error(error)
        return
    if imported.recognised and imported.set.questions:
        head.html(markup.section("", "; ".join(work_words.recognised(one) for one in imported.recognised)))
    made = imported.set
    if imported.problems:
        faults = wording.count(len(imported.problems), "problem")
        st.error(f"{faults} to fix before this set can be imported. Nothing has been saved.")
        report.draw(work_words.problem_table(imported.problems), kind="problems")
    if not made.questions:
        return
    for note in imported.notes:
        st.caption(markup.plain(note))
    texts = len({one.document for one in made.questions})
    if not imported.recognised:
        st.html(markup.facts([wording.count(len(made.questions), "question"), wording.count(texts, "text")]))
    about = state.short_hash(made.id)
    name = st.text_input("Name", value=made.name, max_chars=LONGEST_NAME, key=state.key("set_name", about))
    if not imported.problems:
        named = QuestionSet(name, made.questions, made.documents)
        st.button("Save this set", type="primary", key=state.key("set_keep", about), on_click=_save, args=(named, saved))
    titles = {document.id: document.title for document in made.documents}
    with st.container(key="asked", gap=None):
        for one in made.questions[:PREVIEWED]:
            st.html(
                markup.asked(
                    one.question,
                    titles.get(one.document, "a text in the library"),
                    work_words.known_answer(one),
                    work_words.marked_choices(one),
                )
            )
    if len(made.questions) > PREVIEWED:
        st.caption(f"And {len(made.questions) - PREVIEWED:,} more.")


def read_files(files: Sequence[tuple[str, bytes]], selection: Selection = ALL) -> Imported:
    """The questions in the files, within what this visitor may import. Raises BadFile."""
    if len(files) > MOST_FILES:
        raise BadFile(f"at most {MOST_FILES} files can be imported at once; remove some")
    if access.demo():
        demos.check_upload(sum(len(data) for _, data in files))
    asked = [(name, data) for name, data in files if holds_questions(name, data)]
    if not asked:
        endings = ", ".join("." + one for one in ENDINGS)
        raise BadFile(f"none of these is a question file: their names end in {endings}, or they are a benchmark's own files")
    given = {name: data for name, data in files if (name, data) not in asked}
    with access.opened() as store:
        documents = store.documents.listed()

        def beside(name: str) -> Ingested | None:
            return access.uploaded(given[name], name) if name in given else None

        def library(named: str) -> list[Document]:
            return [store.documents.get(listed.id) for listed in documents if named in (listed.id, listed.title)]

        library_key = digest(" ".join(f"{listed.id} {listed.title}" for listed in documents))
        return _read(tuple(asked), tuple(given.items()), library_key, TextSources(beside, library, _check), selection)


@st.cache_resource(max_entries=4, show_spinner="Reading the questions …")
def _read(
    asked: tuple[tuple[str, bytes], ...],
    given: tuple[tuple[str, bytes], ...],
    library_key: str,
    _sources: TextSources,
    selection: Selection,
) -> Imported:
    """Cached by the files, and by the library because the files may name its texts."""
    return read_questions(asked, _sources, selection=selection)


def _check(document: Document) -> None:
    if access.demo():
        demos.check_tokens(document.tokens)


def _save(made: QuestionSet, saved: Saved) -> None:
    try:
        saved(access.add_questions(made))
    except ReadingError as error:
        flash.leave_error(error)


def offer_samples(sets: Sequence[ListedSet], saved: Saved) -> None:
    """Draw the button for the samples' questions, unless they are among these sets. `saved` is called as by `ask`."""
    if any(one.id == _samples().id for one in sets):
        return
    st.button(
        "Add the samples’ questions", key="set_samples", on_click=lambda: _save(_samples(), saved),
        type="secondary" if sets else "primary",
        help="45 questions about the three sample texts, with their answers and the places that give them.",
    )  # fmt: skip


@st.cache_resource(show_spinner=False)
def _samples() -> QuestionSet:
    """The questions of the samples, from their files."""
    files = [(path.name, path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
    assert samples()
    return complete_set(read_questions(files, TextSources(lambda name: from_path(FOLDER / name)), name=SAMPLES))
