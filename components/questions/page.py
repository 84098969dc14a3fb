"""The Questions page: the lists of question sets and batches, and the import of a set.

One set is `question_set.py`, one batch `batch.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup, wording
from components.questions import batch as questions_batch
from components.questions import html, keys, question_set
from components.questions import wording as words
from components.session import access, address, flash, start_runs, state
from components.session import demo_limits as demos
from components.session.samples import FOLDER, samples
from readers.engine.canonical import digest
from readers.engine.errors import BadFile, NotFound, ReadingError
from readers.engine.ingest import Ingested, from_path
from readers.engine.questions.files import ENDINGS
from readers.engine.questions.import_benchmarks import Selection
from readers.engine.questions.import_questions import (
    ALL,
    MOST_FILES,
    Imported,
    complete_set,
    holds_questions,
    read_questions,
)
from readers.engine.questions.question_importer import TextSources
from readers.engine.questions.question_set import LONGEST_NAME, QuestionSet
from readers.engine.run import batches
from readers.engine.text.document import Document

PAGE = "pages/5_Questions.py"
LISTED = 40
PREVIEWED = 5
MOST_UPLOADED = 50  # MB
SAMPLES = "Samples"
Files = tuple[tuple[str, bytes], ...]  # names and contents
FORMAT = """One question a line, as JSON, in a file that ends in `.jsonl`:

```text
{"text": "The ferry leaves at noon. ...", "title": "The ferry", "question": "When does it leave?", "answer": "at noon"}
{"file": "lamp.txt", "question": "Who lit it?", "choices": ["Ann", "Ben"], "answer": "Ben", "evidence": ["Ben struck a match"]}
{"title": "The ferry", "question": "What does it cost?", "answerable": false}
```

or the same names as the first line of a `.csv` file, with `|` between several choices or answers in a cell. The text is in the
line (`text`), in a file uploaded with it (`file`), or in the library (`title`, `document`). The README lists all fields.

The files of published benchmarks go in as they are downloaded, and are recognised by their shape: QuALITY, NarrativeQA, QMSum,
SQuALITY, SummScreen, GovReport, HotpotQA, 2WikiMultiHopQA, MuSiQue, RULER-HQA, LongBench and LongBench v2, RULER, BABILong,
InfiniteBench and LongMemEval."""


def show_questions(make_project: Callable[[str], None] | None = None) -> None:
    """Draw the page. `make_project` opens a new labelling project on the readings of a batch, by its id; None: not offered."""
    address.restore()
    set_id, batch_id = address.question_set_id(), address.batch_id()
    with access.opened() as store:
        sets, made = store.question_sets.listed(), store.batches.listed()
    st.html(markup.page_title("Questions", hint=wording.count(len(sets), "question set") if sets else ""))
    flash.show()
    with st.container(key="two-questions-open" if set_id or batch_id else "two-questions"):
        left, right = st.columns([0.75, 1.25], gap="large")
    with left:
        _lists(set_id, batch_id)
    with right:
        try:
            if batch_id:
                questions_batch.show(batch_id, make_project)
            elif set_id:
                question_set.show(set_id, [one for one in made if one.question_set == set_id])
            else:
                _import()
        except NotFound as error:
            flash.error(error)
            _import()


def _lists(set_id: str, batch_id: str) -> None:
    """The question sets and batches, each a link."""
    now = datetime.now(UTC)
    with access.opened() as store:
        sets, made = store.question_sets.listed(), store.batches.listed()
        stands = [(one, batches.progress(store, one.id)) for one in made[:LISTED]]
    if set_id or batch_id:
        st.page_link(PAGE, label="Import questions", icon=":material/add:")
    st.html(markup.section("", "Question sets"))
    if not sets:
        st.html(markup.empty("No question sets yet. Import questions with known answers, about one or many texts."))
    with st.container(key="sets", gap=None):
        for listed in sets[:LISTED]:
            facts = words.set_facts(listed, now)
            _row(listed.name, facts, address.to_question_set(listed.id), here=listed.id == set_id)
    if len(sets) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(sets):,}.")
    if not any(one.id == _samples().id for one in sets):
        st.button(
            "Add the samples’ questions", key=state.key(keys.SET_KEEP, "samples"), on_click=_save_samples,
            type="secondary" if sets else "primary",
            help="45 questions about the three sample texts, with their answers and the places that give them.",
        )  # fmt: skip
    if not stands:
        return
    st.html(markup.section("", "Batches", explains=True))
    with st.container(key="batches", gap=None):
        for one, progress in stands:
            facts = words.batch_facts(one, progress, going=start_runs.is_batch_running(one.id, progress), now=now)
            _row(one.name, facts, address.to_batch(one.id), here=one.id == batch_id)
    if len(made) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(made):,}.")


def _row(title: str, facts: Sequence[str], asks: dict[str, str], *, here: bool) -> None:
    (shown_id,) = asks.values()
    with st.container(key=f"text-{'here' if here else 'at'}-{shown_id}", gap=None):
        st.page_link(PAGE, label=markup.plain(title), query_params=asks)
        st.html(markup.facts(facts))


# Importing


@st.cache_resource(show_spinner=False)
def _samples() -> QuestionSet:
    """The questions of the samples, from their files."""
    files = [(path.name, path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
    assert samples()
    return complete_set(read_questions(files, TextSources(lambda name: from_path(FOLDER / name)), name=SAMPLES))


def _save_samples() -> None:
    _save(_samples())


def _import() -> None:
    """The upload of question files with their texts, a preview of what they hold, and their faults."""
    st.html(markup.section("", "Import questions"))
    most = demos.MOST_BYTES // 1_000_000 if access.demo() else MOST_UPLOADED
    uploads = st.file_uploader(
        f"Question files ({', '.join(ENDINGS)}) or a benchmark’s own, together with the texts they name; up to {most} MB",
        accept_multiple_files=True,
        max_upload_size=most,
        key=keys.ASK_FILES,
    )
    if uploads:
        _preview([(upload.name, upload.getvalue()) for upload in uploads])
    with st.expander("File format", expanded=not uploads):
        st.markdown(FORMAT)


def _preview(files: Sequence[tuple[str, bytes]]) -> None:
    head = st.container()
    try:
        imported = _read_files(files)
        if imported.recognised:
            label = "How many questions to import, from the first"
            first = st.number_input(label, min_value=1, value=None, step=50, placeholder="all", key=keys.FIRST_IMPORTED)
            imported = _read_files(files, Selection(first)) if first else imported
    except ReadingError as error:
        flash.error(error)
        return
    if imported.recognised and imported.set.questions:
        head.html(markup.section("", "; ".join(words.recognised(one) for one in imported.recognised)))
    made = imported.set
    rows, more = words.problem_rows(imported.problems)
    if rows:
        faults = wording.count(len(imported.problems), "problem")
        st.error(f"{faults} to fix before this set can be imported. Nothing has been saved.")
        st.html(html.problems(rows, more))
    if not made.questions:
        return
    for note in imported.notes:
        st.caption(markup.plain(note))
    texts = len({one.document for one in made.questions})
    if not imported.recognised:
        st.html(markup.facts([wording.count(len(made.questions), "question"), wording.count(texts, "text")]))
    about = state.short_hash(made.id)
    name = st.text_input("Name", value=made.name, max_chars=LONGEST_NAME, key=state.key(keys.SET_NAME, about))
    if not imported.problems:
        named = QuestionSet(name, made.questions, made.documents)
        st.button("Save this set", type="primary", key=state.key(keys.SET_KEEP, about), on_click=_save, args=(named,))
    titles = {document.id: document.title for document in made.documents}
    with st.container(key="asked", gap=None):
        for one in made.questions[:PREVIEWED]:
            st.html(
                html.asked(
                    one.question,
                    titles.get(one.document, "a text in the library"),
                    words.known_answer(one),
                    words.marked_choices(one),
                )
            )
    if len(made.questions) > PREVIEWED:
        st.caption(f"And {len(made.questions) - PREVIEWED:,} more.")


def _read_files(files: Sequence[tuple[str, bytes]], selection: Selection = ALL) -> Imported:
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
        documents = store.documents()

        def beside(name: str) -> Ingested | None:
            return access.uploaded(given[name], name) if name in given else None

        def library(named: str) -> list[Document]:
            return [store.document(listed.id) for listed in documents if named in (listed.id, listed.title)]

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


def _save(made: QuestionSet) -> None:
    try:
        saved = access.add_questions(made)
    except ReadingError as error:
        flash.leave_error(error)
        return
    flash.leave(
        "success", f"Saved “{saved.name}” with {wording.count(saved.questions, 'question')}. Open it to have readers answer them."
    )
