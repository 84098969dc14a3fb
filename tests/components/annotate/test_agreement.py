"""Agreement on the Annotate page: the engine's figures with their n and reasons, blindness, the queue, and deciding."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from components.html import terms
from components.html.words.label_words import value_text
from readers.engine.analysis import label_report, visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels import adjudication, agreement_tables, codebook
from readers.engine.labels.label import Decision
from readers.engine.labels.project import HOST, Project, Viewer
from readers.engine.report import html as report_html
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.app_pages import html, press
from tests.support.labelled_projects import code, done, field, keep, span


def page(project: Project, name: str, **asks: str) -> AppTest:
    return labelled_projects.page(project, name, "agreement", **asks)


def listed(app: AppTest) -> list[str]:
    """The readings in the queue."""
    return [button.label.replace("\\", "") for button in app.button if re.match(r"\d", button.label)]


def seen_by(store: Store, project: Project, name: str) -> VisibleLabels:
    return load(store, project, store.projects.viewer(project.id, name))


@pytest.fixture
def lamps(store: Store) -> tuple[Store, Project, tuple[str, ...]]:
    """Six readings; Ada is done with all of them and Ben with the first four, and they differ on the first two."""
    where = labelled_projects.project(store, 6, names=("Ada", "Ben", "Cai"))
    runs = store.projects.readings(where.id)
    labels, turns = [], []
    for number, run in enumerate(runs):
        for name in ("Ada", "Ben")[: 2 if number < 4 else 1]:
            differs = number < 2 and name == "Ben"
            labels += [
                field(where, run, name, "outcome", "partly" if differs else ("wrong", "correct")[number % 2]),
                field(where, run, name, "decisive", {"step": 4 + differs, "confidence": 2, "words": f"{name} on {number}"}),
                code(where, run, name, 4, code="N2" if differs else "N1", note=f"note of {name}"),
            ]
            turns.append(done(where, run, name, minute=5 + number))
    labels.append(span(where, runs[0], "Ada", 4, 24))
    keep(store, where, labels, turns)
    return store, where, runs


# --- figures --------------------------------------------------------------------------------------------------------------


def test_the_figures_of_the_project_are_shown_with_their_counts_and_interval(
    lamps: tuple[Store, Project, tuple[str, ...]],
) -> None:
    store, where, _ = lamps
    visible = seen_by(store, where, "Lea")
    figures = label_report.figures(visible, visible_labels.about_readings(store, visible))
    shown = html(page(where, "Lea"))
    table = str(report_html.table(agreement_tables.table(figures), kind="agreement", explain=terms.with_meaning))
    assert table in shown
    assert figures["outcome"][0].value == 0.5


def test_the_decisive_step_is_compared_by_phase_too(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    assert visible_labels.step_kinds(store.runs.tape(runs[0]).events()) == ("build",) * 3 + ("walk",) * 6 + ("answer",) * 3
    shown = html(page(where, "Lea"))
    (row,) = re.findall(r"<tr><th scope=\"row\"><button[^>]*>in the same phase</button>.*?</tr>", shown)
    assert "1.00</td>" in re.sub("<small>.*?</small>", "", row)  # steps 4 and 5 are both of the walk


def test_reopened_assignments_are_reported_and_can_be_left_out(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    store.turns.reopen(where.id, runs[0], "Ben")
    store.turns.finish(where.id, runs[0], "Ben")
    visible = seen_by(store, where, "Lea")
    assert visible.not_blind == {(runs[0], "Ben")}
    assert any(turn.again for turn in visible.turns)
    app = page(where, "Lea")
    (toggle,) = [toggle for toggle in app.toggle if "not done blind" in toggle.label]
    before = html(app)
    after = html(toggle.set_value(True).run())
    figure = r"percent agreement</button>.*?</b></span>([\d.]+)"
    assert re.findall(figure, before)[0] == "0.50"  # outcome: two of four
    assert re.findall(figure, after)[0] == "0.67"  # two of three


def test_labels_of_an_older_definition_are_shown_first(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, _ = lamps
    assert "older definition" not in html(page(where, "Lea"))
    book = codebook.preset().redefine("N1", {"definition": "Another thing."}, why="sharper")
    store.codebooks.add(where.id, book, HOST)
    shown = html(page(where, "Lea"))
    assert shown.index("8 labels were made under an older definition") < shown.index("Agreement")
    assert "8 labels in 6 readings" in shown
    assert "N1 Wrong turn" in shown


# --- blindness ------------------------------------------------------------------------------------------------------------


def test_an_annotator_sees_nothing_of_readings_they_have_not_finished(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    cai = page(where, "Cai")
    assert "finish one at the bench" in html(cai)
    assert not re.search("Ada|Ben|percent agreement|Disagreements", html(cai))
    blind = page(where, "Cai", dispute=f"{runs[0]}.outcome")  # a deep link is no way around it
    assert "night 1?" not in html(blind)
    assert "Ada" not in html(blind)
    keep(store, where, [field(where, runs[1], "Cai", "outcome", "wrong")], [done(where, runs[1], "Cai")])
    visible = seen_by(store, where, "Cai")
    assert list(visible.runs) == [runs[1]]
    assert {label.run for label in visible.labels} == {runs[1]}
    assert {turn.run for turn in visible.turns} == {runs[1]}
    app = page(where, "Cai")
    assert listed(app) == ["2. Who put the lamp out on night 2?"]  # its number in the project, the same for everybody
    shown = html(app)
    assert "1 so far. The other 5 readings are not part of these figures" in shown
    assert "Who put the lamp out on night 2?" in html(page(where, "Cai", dispute=f"{runs[1]}.outcome"))
    assert "night 1?" not in html(page(where, "Cai", dispute=f"{runs[0]}.step.4"))


def test_a_reopened_reading_is_hidden_again(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    assert runs[0] in seen_by(store, where, "Ben").runs
    store.turns.reopen(where.id, runs[0], "Ben")
    assert runs[0] not in seen_by(store, where, "Ben").runs
    assert "night 1?" not in html(page(where, "Ben", run=runs[0]))


def test_before_stage_3_and_for_strangers_there_is_nothing(store: Store) -> None:
    where = labelled_projects.project(store, 1, names=("Ada",), start_stage=1)
    for name in ("Ada", "Nobody"):
        assert "from stage 3 on" in html(page(where, name))
    assert load(store, where, Viewer("Ada", 1)).book is None


# --- the queue ------------------------------------------------------------------------------------------------------------


def test_the_queue_lists_disagreements_in_order(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    visible = seen_by(store, where, "Lea")
    found = visible_labels.find_disagreements(visible)
    assert [(one.run, one.about, one.step) for one in found] == [
        (run, about, step) for run in runs[:2] for about, step in (("outcome", None), ("decisive", None), ("step", 4))
    ]
    assert found[0].values == {"Ada": "wrong", "Ben": "partly"}
    assert found[1].values == {"Ada": 4, "Ben": 5}
    assert found[2].values == {"Ada": frozenset({"N1"}), "Ben": frozenset({"N2"})}
    assert value_text("step", frozenset(), visible) == "No code"
    assert [one.run for one in visible_labels.matching(found, about="step")] == list(runs[:2])
    app = page(where, "Lea")
    assert "6 of 6 to be decided" in html(app)
    assert listed(app) == [f"{n}. Who put the lamp out on night {n}?" for n in (1, 2)]
    assert html(app).count("Codes of step 4") == 2
    about = next(box for box in app.selectbox if box.label == "About")
    app = about.set_value("step").run()
    assert "Decisive step" not in re.findall(r'about-what">([^<]*)', html(app))
    app = press(app, "2. Who put the lamp out on night 2?")
    assert app.query_params["run"] == runs[1]
    assert "to be decided" not in html(app)
    app = press(page(where, "Lea"), "Decide 2 readings")
    assert app.query_params["run"] == runs[0]
    assert not app.success


def test_when_all_is_decided_the_page_says_so_and_leads_to_the_results(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, _ = lamps
    for one in visible_labels.find_disagreements(seen_by(store, where, "Lea")):
        value = adjudication.to_stored(one.about, one.values["Ada"])
        store.decisions.decide(Decision(where.id, one.run, one.target, value, "", "Lea"), 0)
    app = page(where, "Lea")
    assert [box.value.replace("\\", "") for box in app.success] == ["All 6 disagreements are decided."]
    (link,) = [link for link in app.get("page_link") if "results" in link.proto.label]
    assert "view=results" in link.proto.query_string


# --- files, methods, calibration ------------------------------------------------------------------------------------------


def test_the_training_round_is_left_out_and_said_to_be_and_the_figures_are_offered_in_every_form(store: Store) -> None:
    where = labelled_projects.project(store, 6, training=2)
    labelled_projects.label_all(store, where)
    app = page(where, "Lea")
    shown = html(app)
    assert "The readings of the training round are in no figure above." in shown
    assert re.search(r"percent agreement</button>.*?</td><td>4</td><td>4</td>", shown)
    labels = [button.proto.label for button in app.get("download_button")]
    assert labels == ["CSV", "JSON", "LaTeX", "HTML", "SVG", "PDF"]
    assert "training round" not in html(page(labelled_projects.labelled(store, 6), "Lea"))
