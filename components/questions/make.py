"""Making questions on the Questions page: length sweeps and needles, priced in tokens of text before anything is made.

Work that is too much for a page is left to the shell, with the command. Not here: how questions are made
(`readers/engine/questions/made/`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.session import access, demos, flash, state
from readers.engine.errors import BadFile, ReadingError
from readers.engine.questions.benchmarks.recognise import QuestionFile
from readers.engine.questions.import_questions import complete_set, read_questions
from readers.engine.questions.made import Made
from readers.engine.questions.made.needles import DEPTHS, NeedleKind, texts_made, with_needles
from readers.engine.questions.made.planted import shortened
from readers.engine.questions.made.sweep import (
    LENGTHS,
    ParagraphQuestion,
    fitting,
    lengthened,
    paragraph_questions,
    pool_of,
    text_paragraphs,
)
from readers.engine.questions.question_importer import TextSources
from readers.engine.store.question_sets import ListedSet

SWEEP, NEEDLES = "sweep", "needles"
WHAT = {SWEEP: "A length sweep", NEEDLES: "Needles in a text"}
MOST_TOKENS, MOST_IN_A_DEMO = 20_000_000, 1_000_000
MOST_UPLOADED = 50  # MB
CHARS_A_TOKEN = 4.5  # of English, about
ABOUT: Mapping[str, str] = {
    "sweep": "Puts each question into longer and longer texts, with its own paragraphs among others. The evidence is recorded, "
    "so scores can be drawn by length and by depth.",
    "needles": "Puts sentences about a number into a text at chosen depths, and asks about them.",
}
KINDS: Mapping[NeedleKind, str] = {
    "one": "One in a text",
    "several": "Several in a text, all needed for the answer",
    "scattered": "A chain of facts, scattered over the text",
    "contradicted": "One that is contradicted later",
}
NOTHING = "No questions possible: the texts are too short."
Saved = Callable[[ListedSet], None]


class Making(NamedTuple):
    """What would be made: the set's name, how many questions with how many tokens of text, the same in the shell, and how."""

    name: str
    questions: int
    tokens: int
    command: str
    make: Callable[[], Iterable[Made]]


def show(saved: Saved) -> None:
    """Draw the forms. `saved` is called with the set once it is saved."""
    with st.expander("Make questions: length sweeps and needles", key="make", on_change="rerun") as box:
        if not box.open:
            return
        what = st.segmented_control("Make", [*WHAT], format_func=WHAT.__getitem__, default=SWEEP, required=True, key="make_what")
        st.caption(ABOUT[what or SWEEP])
        try:
            making = _sweep() if what == SWEEP else _needles()
            if making:
                _offer(making, saved)
        except ReadingError as error:
            flash.error(error)


def _offer(making: Making, saved: Saved) -> None:
    """The resulting numbers, and the button that makes the set; or the command, if that is too much for a page."""
    st.html(markup.facts(price(making)))
    most = MOST_IN_A_DEMO if access.demo() else MOST_TOKENS
    if not making.questions:
        st.caption(NOTHING)
    elif making.tokens > most:
        st.caption(f"A page makes up to {most:,} tokens of text at once. In the shell there is no such limit:")
        st.code(making.command, language="text")
    else:
        label = f"Make and save {wording.count(making.questions, 'question')}"
        st.button(label, type="primary", key=state.key("make_now", making.command), on_click=_make, args=(making, saved))


def price(making: Making) -> list[str]:
    """What the texts amount to, and so what reading them all once takes at least."""
    characters = making.tokens * CHARS_A_TOKEN
    size = f"some {characters / 1_000_000:,.0f} MB" if characters >= 1_000_000 else "under 1 MB"
    return [wording.count(making.questions, "question"), f"about {making.tokens:,} tokens of text in all", size]


def _make(making: Making, saved: Saved) -> None:
    def save() -> None:
        rows = "".join(json.dumps(one.row, ensure_ascii=False) + "\n" for one in making.make())
        imported = read_questions([(f"{making.name}.jsonl", rows.encode())], TextSources(), name=making.name)
        saved(access.add_questions(complete_set(imported)))

    flash.act(save)


# A length sweep


def _sweep() -> Making | None:
    uploads = st.file_uploader(
        "Questions with marked paragraphs, such as HotpotQA’s", accept_multiple_files=True, key="make_files",
        max_upload_size=demos.MOST_BYTES // 1_000_000 if access.demo() else MOST_UPLOADED,
    )  # fmt: skip
    if not uploads:
        return None
    asked = _asked(tuple((upload.name, upload.getvalue()) for upload in uploads))
    lengths = st.multiselect("Lengths in tokens", LENGTHS, default=LENGTHS[:3], format_func=_length, key="make_lengths")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        count = len(asked)
        first = int(st.number_input(f"How many of {count:,} questions", 1, count, min(count, 20), 1, key="make_first", width=210))
        seed = int(st.number_input("Seed", 0, None, 0, 1, key="make_seed", width=120))
    texts = _texts("Texts to take further distractors from")
    repeat = st.checkbox("Reuse distractors if they run out", key="make_repeat")
    chosen = asked[:first]
    sizes = [length for one in chosen for length in fitting(one, lengths)]
    shell = " ".join(f"--length {one}" for one in lengths)
    command = f"python -m readers questions make-sweep FILES {shell} --questions {first} --seed {seed} -o sweep.jsonl"

    def make() -> Iterator[Made]:
        """The chosen questions in texts of each length, among the paragraphs of all of them and of the texts."""
        others = text_paragraphs(access.document(one) for one in texts)
        pool = pool_of([*(paragraph for one in asked for paragraph in one.paragraphs), *others])
        for one in chosen:
            yield from lengthened(one, pool, lengths, seed=seed, repeat=repeat)

    return Making("Length sweep", len(sizes), sum(sizes), command, make)


@st.cache_resource(max_entries=2, show_spinner="Reading the questions …")
def _asked(files: tuple[tuple[str, bytes], ...]) -> Sequence[ParagraphQuestion]:
    """Raises BadFile."""
    found = list(paragraph_questions([QuestionFile(name, data) for name, data in files]))
    if not found:
        raise BadFile("none of these files has questions with paragraphs, one of them marked as supporting, and an answer")
    return found


def _length(tokens: int) -> str:
    """A length in a list: `7K`, `3.58M`."""
    return f"{tokens / 1_000_000:.3g}M" if tokens >= 1_000_000 else f"{tokens // 1_000}K"


# Needles


def _needles() -> Making | None:
    texts = _texts("Texts to put needles into")
    kind: NeedleKind = st.selectbox("Needles", [*KINDS], format_func=KINDS.__getitem__, key="make_kind")
    depths = st.multiselect("Depths in percent", DEPTHS, default=DEPTHS[::2], key="make_depths")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        samples = int(st.number_input("Different needles for each depth", 1, 50, 1, 1, key="make_samples", width=210))
        length = st.number_input(
            "Only the first tokens", 100, None, None, 1000, placeholder="whole text", key="make_length", width=210
        )
        seed = int(st.number_input("Seed", 0, None, 0, 1, key="make_seed", width=120))
    if not texts or not depths:
        return None
    sizes = {one.id: one.tokens for one in access.visible_documents()}
    each = texts_made(kind, depths, samples)
    tokens = each * sum(int(length or sizes[one]) for one in texts)
    shell = " ".join([f"--kind {kind}", *(f"--depth {one}" for one in depths), *([f"--length {int(length)}"] if length else [])])
    command = f"python -m readers questions make-needles TEXTS {shell} --samples {samples} --seed {seed} -o needles.jsonl"

    def make() -> Iterator[Made]:
        for one in texts:
            document = access.document(one)
            document = shortened(document, int(length)) if length else document
            yield from with_needles(document, kind, depths=depths, samples=samples, seed=seed)

    return Making("Needles", each * len(texts), tokens, command, make)


def _texts(label: str) -> Sequence[str]:
    """The ids of texts of the library."""
    listed = {one.id: f"{one.title} ({one.tokens:,} tokens)" for one in access.visible_documents()}
    if not listed:
        st.page_link("pages/1_Library.py", label="There is no text yet: add one to the library", icon=":material/add:")
    return st.multiselect(label, [*listed], format_func=listed.__getitem__, key=state.key("make_texts", label))
