"""Terms are explained where they stand: on every page, each of them somewhere, and nowhere in words that are not ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.html import terms
from components.html.scripts import ROOT as SCRIPTS
from components.html.words import wording
from components.player import frames
from components.player.pictures import kind, picture
from components.widgets.start import options_form
from readers import READERS, get
from readers.engine.models.offline import Offline
from readers.engine.prompts.options import options_of
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support import labelled_projects
from tests.support.app_pages import html, named, opened, run
from tests.support.readings.every_reading import WAYS, reading

OTHERS = "A raw gist of the chunk’s memory, segment, fork and trial"  # a title, a question and an answer that hold terms
PAGES = (
    "",
    "1_Library",
    "2_Read",
    "3_Readings",
    "3_Trace",
    "4_Compare",
    "5_Annotate",
    "5_Questions",
    "6_Evaluate",
    "7_Learn",
    "8_Models",
)


@pytest.fixture
def asks(store: Store) -> dict[str, dict[str, str]]:
    """Two readings of a text whose title and question hold terms, a project and a batch; what each page is asked for."""
    reader = get("memwalker")
    text = "\n\n".join(f"{OTHERS}, said number {n}. The lamp was lit at dusk, and nobody saw it go out." for n in range(40))
    document = Document.of(text, title=OTHERS)
    store.documents.add(document)
    ids = []
    for most in (2, 3):
        spec = RunSpec(reader.id, reader.version, f"{OTHERS}?", options={"segment_tokens": 100, "max_children": most})
        made = create_run(store, document, reader, spec)
        ids.append(execute(store, made.id, reader, Execution(Offline())).id)
    asked = QuestionSet(OTHERS, (SetQuestion("q1", document.id, f"{OTHERS}?"),), (document,))
    batches.add(store, store.question_sets.add(asked).id, BatchPlan((RunSpec("whole", get("whole").version, ""),)), readers=get)
    project = labelled_projects.labelled(store, 2)
    return {
        "3_Trace": {"run": ids[0], "depth": "full"},
        "4_Compare": {"runs": ",".join(ids)},
        "5_Annotate": {"project": project.id, "view": "codebook"},
    }


def in_html(shown: str) -> set[str]:
    return set(re.findall(r'popovertarget="term-([\w-]+)"', shown))


def in_help(shown: str) -> set[str]:
    return {term.id for term in terms.TERMS if f"**{term.name}**: {term.meaning}" in shown or term.meaning == shown}


def helps(app: AppTest) -> Iterator[str]:
    for element in [*app.number_input, *app.selectbox, *app.checkbox, *app.text_input]:
        yield element.help


@pytest.mark.slow
def test_every_page_explains_terms_and_marks_none_in_the_words_of_others(asks: dict[str, dict[str, str]]) -> None:
    found = of_the_player()
    for name in PAGES:
        with opened(name) as app:
            run(named(app, "Ada"), **asks.get(name, {}))
            shown = html(app)
            here = in_html(shown).union(*map(in_help, helps(app)))
            assert here, name
            assert shown.count(terms.cards()) == 1
            assert re.sub(r"<[^>]*>", "", shown).count(OTHERS) == re.sub(r"</?(?!button)[^>]*>", "", shown).count(OTHERS)
            found |= here
    with opened("5_Annotate") as app:
        run(named(app, "Ada"), **{**asks["5_Annotate"], "view": "agreement"})
        found |= in_html(html(app))
    assert {term.id for term in terms.TERMS} - found == set()


def of_the_player() -> set[str]:
    """The terms in what the player says of readings in every way, in its fixed words, and in the help on the readers' options."""
    found: set[str] = set()
    for script in SCRIPTS.rglob("*.js"):
        found |= set(re.findall(r'(?:\bterm\(|<\$\{Term\} id=)"([\w-]+)"', script.read_text(encoding="utf-8")))
    assert found <= terms.BY_ID.keys()
    for way in WAYS:
        reader, trace = get(way.reader), reading(way.name)
        made = picture(way.reader, trace, options=way.options, question="?")
        told = wording.lines(trace, reader)
        drawn = frames.moving(
            frames.ShownReading("r", trace, reader.narrative, reader.names(trace), told, made, kind(way.reader))
        )
        found |= {mark[2] for marks in drawn["terms"].values() for mark in marks}
        found |= {mark[2] for step in drawn["steps"] for mark in step.get("terms", ())}
    return found.union(
        *(in_help(options_form.in_form(reader.Options, name)) for reader in READERS for name in options_of(reader.Options))
    )
