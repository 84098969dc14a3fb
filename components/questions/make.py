"""Making questions on the Questions page: length sweeps and needles, priced in tokens of text before anything is made.

What is too much for a page is left to the shell, with the command. Not here: how questions are made
(`readers/engine/questions/made/`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.questions import keys
from components.questions import make_words as words
from components.questions.make_words import Making
from components.session.demo import demo_limits as demos
from components.session.page import flash, state
from components.session.visitor import access
from readers.engine.errors import BadFile, ReadingError
from readers.engine.questions.benchmarks.recognise import QuestionFile
from readers.engine.questions.import_questions import complete_set, read_questions
from readers.engine.questions.made.needles import DEPTHS, KINDS, NeedleKind, Needles, shortened, texts_made, with_needles
from readers.engine.questions.made.paragraphs import ParagraphQuestion, paragraph_questions, text_paragraphs
from readers.engine.questions.made.row import Made
from readers.engine.questions.made.sweep import LENGTHS, Sweep, fitting, lengthened, pool_of
from readers.engine.questions.question_importer import TextSources
from readers.engine.store.question_sets import ListedSet
from readers.engine.text.document import Document

SWEEP, NEEDLES = "sweep", "needles"
WHAT = {SWEEP: "A length sweep", NEEDLES: "Needles in a text"}
MOST_TOKENS, MOST_IN_A_DEMO = 20_000_000, 1_000_000
MOST_UPLOADED = 50  # MB
Saved = Callable[[ListedSet], None]


def show(saved: Saved) -> None:
    """Draw the forms. `saved` is called with the set once it is saved."""
    with st.expander("Make questions: length sweeps and needles", key=keys.MAKE, on_change="rerun") as box:
        if not box.open:
            return
        what = st.segmented_control(
            "Make", [*WHAT], format_func=WHAT.__getitem__, default=SWEEP, required=True, key=keys.MAKE_WHAT
        )
        st.caption(words.ABOUT[what or SWEEP])
        try:
            making = _sweep() if what == SWEEP else _needles()
            if making:
                _offer(making, saved)
        except ReadingError as error:
            flash.error(error)


def _offer(making: Making, saved: Saved) -> None:
    """What it amounts to, and the button that makes it; or the command, where it is too much for a page."""
    st.html(markup.facts(words.price(making)))
    most = MOST_IN_A_DEMO if access.demo() else MOST_TOKENS
    if not making.questions:
        st.caption(words.NOTHING)
    elif making.tokens > most:
        st.caption(words.too_much(most))
        st.code(making.command, language="text")
    else:
        label = f"Make and save {wording.count(making.questions, 'question')}"
        st.button(label, type="primary", key=state.key(keys.MAKE_NOW, making.command), on_click=_make, args=(making, saved))


def _make(making: Making, saved: Saved) -> None:
    def save() -> None:
        rows = "".join(json.dumps(one.row, ensure_ascii=False) + "\n" for one in making.make())
        imported = read_questions([(f"{making.name}.jsonl", rows.encode())], TextSources(), name=making.name)
        saved(access.add_questions(complete_set(imported)))

    flash.act(save)


# A length sweep


def _sweep() -> Making | None:
    uploads = st.file_uploader(
        "Questions with marked paragraphs, such as HotpotQA’s", accept_multiple_files=True, key=keys.MAKE_FILES,
        max_upload_size=demos.MOST_BYTES // 1_000_000 if access.demo() else MOST_UPLOADED,
    )  # fmt: skip
    if not uploads:
        return None
    asked = _asked(tuple((upload.name, upload.getvalue()) for upload in uploads))
    lengths = st.multiselect("Lengths in tokens", LENGTHS, default=LENGTHS[:3], format_func=words.length, key=keys.MAKE_LENGTHS)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        count = len(asked)
        first = int(
            st.number_input(f"How many of {count:,} questions", 1, count, min(count, 20), 1, key=keys.MAKE_FIRST, width=210)
        )
        seed = int(st.number_input("Seed", 0, None, 0, 1, key=keys.MAKE_SEED, width=120))
    texts = _texts("Texts to take further distractors from")
    repeat = st.checkbox("Use distractors again where they run out", key=keys.MAKE_REPEAT)
    sweep, chosen = Sweep(tuple(lengths), seed, repeat), asked[:first]
    sizes = [length for one in chosen for length in fitting(one, sweep)]
    shell = " ".join(f"--length {one}" for one in lengths)
    command = f"python -m readers questions make-sweep FILES {shell} --questions {first} --seed {seed} -o sweep.jsonl"
    return Making("Length sweep", len(sizes), sum(sizes), command, partial(_lengthened, asked, chosen, sweep, texts))


@st.cache_resource(max_entries=2, show_spinner="Reading the questions …")
def _asked(files: tuple[tuple[str, bytes], ...]) -> Sequence[ParagraphQuestion]:
    """Raises BadFile."""
    found = list(paragraph_questions([QuestionFile(name, data) for name, data in files]))
    if not found:
        raise BadFile("none of these files has questions with paragraphs, one of them marked as supporting, and an answer")
    return found


def _lengthened(
    asked: Iterable[ParagraphQuestion], chosen: Sequence[ParagraphQuestion], sweep: Sweep, texts: Sequence[str]
) -> Iterator[Made]:
    """The chosen questions in texts of each length, among the paragraphs of all of them and of the texts."""
    others = text_paragraphs(access.document(one) for one in texts)
    pool = pool_of([*(paragraph for one in asked for paragraph in one.paragraphs), *others])
    for one in chosen:
        yield from lengthened(one, pool, sweep)


# Needles


def _needles() -> Making | None:
    texts = _texts("Texts to put needles into")
    kind: NeedleKind = st.selectbox("Needles", KINDS, format_func=words.KINDS.__getitem__, key=keys.MAKE_KIND)
    depths = st.multiselect("Depths in percent", DEPTHS, default=DEPTHS[::2], key=keys.MAKE_DEPTHS)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        samples = int(st.number_input("Different needles for each depth", 1, 50, 1, 1, key=keys.MAKE_SAMPLES, width=210))
        length = st.number_input(
            "Only the first tokens", 100, None, None, 1000, placeholder="whole text", key=keys.MAKE_LENGTH, width=210
        )
        seed = int(st.number_input("Seed", 0, None, 0, 1, key=keys.MAKE_SEED, width=120))
    if not texts or not depths:
        return None
    needles = Needles(kind, tuple(float(one) for one in depths), samples, seed)
    sizes = {one.id: one.tokens for one in access.visible_documents()}
    each = texts_made(needles)
    tokens = each * sum(int(length or sizes[one]) for one in texts)
    shell = " ".join([f"--kind {kind}", *(f"--depth {one}" for one in depths), *([f"--length {int(length)}"] if length else [])])
    command = f"python -m readers questions make-needles TEXTS {shell} --samples {samples} --seed {seed} -o needles.jsonl"
    return Making("Needles", each * len(texts), tokens, command, partial(_with_needles, texts, needles, int(length or 0)))


def _with_needles(texts: Sequence[str], needles: Needles, length: int) -> Iterator[Made]:
    for one in texts:
        document: Document = access.document(one)
        yield from with_needles(shortened(document, length) if length else document, needles)


def _texts(label: str) -> Sequence[str]:
    """The ids of texts of the library."""
    listed = {one.id: f"{one.title} ({one.tokens:,} tokens)" for one in access.visible_documents()}
    if not listed:
        st.page_link("pages/1_Library.py", label="There is no text yet: add one to the library", icon=":material/add:")
    return st.multiselect(label, [*listed], format_func=listed.__getitem__, key=state.key(keys.MAKE_TEXTS, label))
