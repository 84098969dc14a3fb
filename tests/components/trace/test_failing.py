"""The notice on a form that fails."""

from __future__ import annotations

from pathlib import Path

from readers import get
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from tests.support.app_pages import html, opened
from tests.support.app_pages import run as shown_at
from tests.support.models.scripted_models import BACK, COMMIT, parts_of, walker


def test_a_reading_says_which_form_fails_and_offers_what_can_be_done(own_home: Path) -> None:
    own_home.mkdir()
    reader = get("memwalker")
    with Store() as store:
        spec = RunSpec("memwalker", reader.version, "When?", options={"segment_tokens": 64, "max_children": 3})
        run = create_run(store, parts_of(3), reader, spec)
        execute(store, run.id, reader, Execution(walker(["it may be here", 0, BACK, "or there", 1, COMMIT])))
    with opened("3_Trace") as app:
        drawn = html(shown_at(app, run=run.id))
    assert "The model fails at the form of the prompt “triage”: 2 replies could not be read" in drawn
    assert "reply form “schema”" in drawn
