"""The Questions page: the question sets and batches there are, and taking in a set. What is done with one is
`questions_set.py` and `questions_batch.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup, wording
from components.questions import batch as questions_batch
from components.questions import keys, question_set
from components.questions import wording as told
from components.session import access, address, flash, start_runs, state
from components.session import demo_limits as demos
from components.session.samples import FOLDER, samples
from readers.engine.canonical import digest
from readers.engine.errors import BadFile, NotFound, ReadingError
from readers.engine.ingest import Ingested, from_path
from readers.engine.questions.files import ENDINGS, is_questions
from readers.engine.questions.import_questions import MOST_FILES, Imported, TextSources, complete_set, read_questions
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

or the same names as the first line of a `.csv` file, with `|` between several choices or answers in a cell. The text stands in
the line (`text`), in a file given along (`file`), or in the library (`title`, `document`). All fields are in the README."""


def show_questions(make_project: Callable[[str], None] | None = None) -> None:
    """The page; `make_project` takes the id of a batch whose readings are to be labelled, and without it nothing offers that."""
    address.restore()
    set, batch = address.question_set_id(), address.batch_id()
    with access.opened() as store:
        sets, made = store.question_sets.listed(), store.batches.listed()
    st.html(markup.page_title("Questions", hint=wording.count(len(sets), "question set") if sets else ""))
    flash.show()
    with st.container(key="two-questions-open" if set or batch else "two-questions"):
        left, right = st.columns([0.75, 1.25], gap="large")
    with left:
        _lists(set, batch)
    with right:
        try:
            if batch:
                questions_batch.show(batch, make_project)
            elif set:
                question_set.show(set, [one for one in made if one.question_set == set])
            else:
                _take_in()
        except NotFound as error:
            flash.error(error)
            _take_in()


def _lists(set: str, batch: str) -> None:
    """What there is, each a link."""
    now = datetime.now(UTC)
    with access.opened() as store:
        sets, made = store.question_sets.listed(), store.batches.listed()
        stands = [(one, batches.progress(store, one.id)) for one in made[:LISTED]]
    if set or batch:
        st.page_link(PAGE, label="Take in questions", icon=":material/add:")
    st.html(markup.section("", "Question sets"))
    if not sets:
        st.html(markup.empty("Nothing here yet. Questions with known answers, on one or many texts, will be listed here."))
    with st.container(key="sets", gap=None):
        for kept in sets[:LISTED]:
            _row(kept.name, told.set_facts(kept, now), address.to_question_set(kept.id), here=kept.id == set)
    if len(sets) > LISTED:
        st.caption(f"The newest {LISTED} of {len(sets):,} are shown.")
    if not any(one.id == _samples().id for one in sets):
        st.button(
            "Add the samples’ questions", key=state.key(keys.SET_KEEP, "samples"), on_click=_keep_samples,
            type="secondary" if sets else "primary",
            help="45 questions on the three sample texts, with their answers and where the texts give them.",
        )  # fmt: skip
    if not stands:
        return
    st.html(markup.section("", "Batches"))
    with st.container(key="batches", gap=None):
        for one, progress in stands:
            facts = told.batch_facts(one, progress, going=start_runs.batch_going(one.id, progress), now=now)
            _row(one.name, facts, address.to_batch(one.id), here=one.id == batch)
    if len(made) > LISTED:
        st.caption(f"The newest {LISTED} of {len(made):,} are shown.")


def _row(title: str, facts: Sequence[str], asks: dict[str, str], *, here: bool) -> None:
    (id,) = asks.values()
    with st.container(key=f"text-{'here' if here else 'at'}-{id}", gap=None):
        st.page_link(PAGE, label=markup.plain(title), query_params=asks)
        st.html(markup.facts(facts))


# Taking in


@st.cache_resource(show_spinner=False)
def _samples() -> QuestionSet:
    """The samples' own files, which are question files like any other."""
    files = [(path.name, path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
    assert samples()
    return complete_set(read_questions(files, TextSources(lambda name: from_path(FOLDER / name)), name=SAMPLES))


def _keep_samples() -> None:
    _keep(_samples())


def _take_in() -> None:
    """Files of questions with their texts, what was understood of them, and what is wrong."""
    st.html(markup.section("", "Take in questions"))
    most = demos.MOST_BYTES // 1_000_000 if access.demo() else MOST_UPLOADED
    uploads = st.file_uploader(
        f"Questions ({', '.join(ENDINGS)}), and the texts they name, together; up to {most} MB",
        accept_multiple_files=True,
        max_upload_size=most,
        key=keys.ASK_FILES,
    )
    if uploads:
        _preview([(upload.name, upload.getvalue()) for upload in uploads])
    with st.expander("What such a file looks like", expanded=not uploads):
        st.markdown(FORMAT)


def _preview(files: Sequence[tuple[str, bytes]]) -> None:
    try:
        found = _found(files)
    except ReadingError as error:
        flash.error(error)
        return
    made = found.set
    rows, more = told.problems(found.problems)
    if rows:
        wrong = wording.count(len(found.problems), "thing")
        st.error(f"{wrong} to be put right before this set can be kept. Nothing was kept so far.")
        st.html(markup.problems(rows, more))
    if not made.questions:
        return
    for note in found.notes:
        st.caption(markup.plain(note))
    texts = len({one.document for one in made.questions})
    st.html(markup.facts([wording.count(len(made.questions), "question"), wording.count(texts, "text")]))
    about = state.short_hash(made.id)
    name = st.text_input("Name", value=made.name, max_chars=LONGEST_NAME, key=state.key(keys.SET_NAME, about))
    if not found.problems:
        kept = QuestionSet(name, made.questions, made.documents)
        st.button("Keep this set", type="primary", key=state.key(keys.SET_KEEP, about), on_click=_keep, args=(kept,))
    titles = {document.id: document.title for document in made.documents}
    with st.container(key="asked", gap=None):
        for one in made.questions[:PREVIEWED]:
            st.html(
                markup.asked(one.question, titles.get(one.document, "a text of the library"), told.known(one), told.choices(one))
            )
    if len(made.questions) > PREVIEWED:
        st.caption(f"And {len(made.questions) - PREVIEWED:,} more.")


def _found(files: Sequence[tuple[str, bytes]]) -> Imported:
    """What the files hold, as far as this visitor may take it in. Raises BadFile."""
    if len(files) > MOST_FILES:
        raise BadFile(f"{MOST_FILES} files are taken at once; take some away")
    if access.demo():
        demos.check_upload(sum(len(data) for _, data in files))
    asked = [(name, data) for name, data in files if is_questions(name)]
    if not asked:
        raise BadFile(f"none of these is a file of questions: their names end in {', '.join('.' + one for one in ENDINGS)}")
    given = {name: data for name, data in files if not is_questions(name)}
    with access.opened() as store:
        shelf = store.documents()

        def beside(name: str) -> Ingested | None:
            return access.uploaded(given[name], name) if name in given else None

        def library(named: str) -> list[Document]:
            return [store.document(shelved.id) for shelved in shelf if named in (shelved.id, shelved.title)]

        stamp = digest(" ".join(f"{shelved.id} {shelved.title}" for shelved in shelf))
        return _read(tuple(asked), tuple(given.items()), stamp, TextSources(beside, library, _check))


@st.cache_resource(max_entries=4, show_spinner="Reading the questions …")
def _read(
    asked: tuple[tuple[str, bytes], ...], given: tuple[tuple[str, bytes], ...], stamp: str, _sources: TextSources
) -> Imported:
    """By the files and by what is in the library, which they may name."""
    return read_questions(asked, _sources)


def _check(document: Document) -> None:
    if access.demo():
        demos.check_tokens(document.tokens)


def _keep(made: QuestionSet) -> None:
    try:
        kept = access.add_questions(made)
    except ReadingError as error:
        flash.leave_error(error)
        return
    flash.leave(
        "success", f"“{kept.name}” is kept: {wording.count(kept.questions, 'question')}. Open it to let readers read them."
    )
