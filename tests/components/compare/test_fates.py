"""The table "Where did it die?" on Compare: what it says, whom it waits for, and where its marks lead."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.compare import fates
from components.compare.fates import place, problem
from components.session import address
from components.session.samples import samples
from readers import get
from readers.engine.analysis.facts.stages import Course, Stage
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Span
from tests.components.html.test_markup import ATTRIBUTES, HOSTILE, TAGS, Seen
from tests.support.app_pages import html, opened

SAMPLE = samples()[0]
KNOWN = SAMPLE.questions[7]
TABLE = 'class="fates"'


@pytest.fixture
def runs(store: Store) -> list[Run]:
    found = []
    for reader_id, options in (("memwalker", {"segment_tokens": 400}), ("whole", {})):
        reader = get(reader_id)
        made = create_run(store, SAMPLE.document, reader, RunSpec(reader.id, reader.version, KNOWN.question, options=options))
        found.append(execute(store, made.id, reader, Execution(Offline())))
    return found


def draw(app: AppTest, runs: list[Run], **more: Any) -> str:
    for name, value in {**address.to_compare([run.id for run in runs]), **more}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return html(app)


def test_the_evidence_is_followed_through_all_readings_once_the_known_answer_is_shown(runs: list[Run]) -> None:
    with opened("4_Compare") as app:
        page = draw(app, runs)
        assert TABLE not in page
        assert "Switch on “Known answer” to follow" in page
        app.toggle[0].set_value(True).run()
        page = html(app)
        assert page.count(TABLE) == len(KNOWN.evidence)
        table = page[page.index(TABLE) :].partition("</table>")[0]
        assert "Commander Vaile" in page
        assert table.count('scope="row"') == 2
        assert re.findall('class="stage-name">([^<]+)<', table)[0].startswith("summary of part")
        steps = re.findall(rf'href="Trace\?run={runs[0].id}&amp;at=(\d+)" target="_self" title="([^"]+)"', table)
        assert [said.rpartition(", step ")[0] for _, said in steps] == ["raw", "in words the model wrote", "raw", "raw", "used"]
        assert all(said.endswith(f"step {step}") for step, said in steps)


def test_a_place_of_the_address_is_followed_without_the_known_answer(runs: list[Run]) -> None:
    with opened("4_Compare") as app:
        page = draw(app, runs, fact="100-180")
        assert page.count(TABLE) == 1
        assert SAMPLE.document.text[110:150].split()[1] in page
        assert KNOWN.answers[0] not in page.split(TABLE)[0].rpartition("fact-words")[2]
        assert "are not a place in this text" in draw(app, runs, fact="5-99999999")
        for wrong in (
            "nonsense",
            "-5-9",
            "5--9",
            "9-5",
            "1-2,3-4",
            "1.0-2",
            "٣-٩",
            f"0-{10**400}",
            ",".join(["1-9"] * 5_000),
            "0x1-0x9",
        ):
            assert TABLE not in draw(app, runs, fact=wrong), wrong[:20]


def test_what_is_kept_from_an_annotator_is_not_followed(runs: list[Run], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = frozenset({(SAMPLE.document.id, KNOWN.question)})
    monkeypatch.setattr("components.session.hidden_answers.hidden_questions", lambda store: asked)
    with opened("4_Compare") as app:
        page = draw(app, runs)
        assert TABLE not in page
        assert "Switch on “Known answer” to follow" not in page


def test_hostile_words_show_as_themselves() -> None:
    lost = Stage("carried", "lost", "wrote:1", 3, decided=True)
    (cell,) = fates._cells(Course((lost,), 0), HOSTILE, lambda ref: HOSTILE, lambda step: HOSTILE)
    seen = Seen(fates.fact_table(HOSTILE, HOSTILE, [f"<tr>{cell}</tr>"]))
    assert seen.tags <= TAGS | {"thead", "a", "i"}
    assert set(seen.attributes) <= ATTRIBUTES | {"target", "href"}
    assert HOSTILE in seen.words


def test_where_a_fact_stands_is_counted_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for stretch in (1, 2, 3, 5, 100):  # of a long text they are counted in stretches
        monkeypatch.setattr(fates, "_STRETCH", stretch)
        assert place(Document.of(f"one two  three {stretch} four"), Span(4, 14)) == "words 2 to 3 of 5"
    assert place(Document.of("one two three four"), Span(4, 13)) == "words 2 to 3 of 4"
    assert problem(Span(0, 5), 10) == ""
    assert "At most 2,000 can be followed" in problem(Span(0, 2_001), 9_000)
