"""The fate that hints suggest: only where the project allows it and the annotator may see it, with the reason and the step."""

from __future__ import annotations

import pytest

from components.annotate import label_panel
from readers import get
from readers.engine.labels.label import Standing, Turn
from readers.engine.labels.project import Settings, settings_json, settings_of
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Span

FACT = "The ferry left at noon with forty barrels."
TEXT = f"Anna lit the lamp at nine and went home. {FACT} " + "Nobody saw it go, for the fog was thick. " * 40


@pytest.mark.parametrize(
    ("asked", "blind", "standing", "may"),
    [
        (False, False, "done", False),
        (True, False, "open", True),
        (True, True, "open", False),
        (True, True, "skipped", False),
        (True, True, "done", True),
    ],
)
def test_who_may_see_a_suggestion(asked: bool, blind: bool, standing: Standing, may: bool) -> None:
    settings = Settings(suggest_fates=asked, blind=blind)
    assert label_panel.may_suggest(settings, Turn("p", "r", "Ann", 3, standing, "", "", "")) is may
    assert label_panel.may_suggest(settings, None) is (asked and not blind)


def test_the_setting_is_off_by_default_and_comes_back_from_json() -> None:
    assert "suggest_fates" not in settings_json(Settings())
    assert settings_of(settings_json(Settings(suggest_fates=True))).suggest_fates


def test_a_suggestion_names_the_value_the_reason_and_the_step_and_whether_it_is_decisive(store: Store) -> None:
    reader = get("whole")
    spec = RunSpec("whole", reader.version, "When did the ferry leave?", options={"window_tokens": 128, "keep": "right"})
    run = create_run(store, Document.of(TEXT, title="T"), reader, spec)
    execute(store, run.id, reader, Execution(Offline()))
    start = TEXT.index(FACT)
    known = KnownAnswer(spec.question, (), ("noon",), (Span(start, start + len(FACT)),))
    found = label_panel.suggested_fate(open_reading(store, run.id), known)
    assert found is not None
    assert (found.fate, found.step, found.decides) == ("never_indexed", 1, True)
    hint = label_panel._fate_hint(found)
    assert (hint.kind, hint.steps, hint.known) == ("fate", (1,), True)
    assert hint.sentence.startswith("Suggested fate of the fact, by matching words: Never indexed. It was cut off at step 1")
