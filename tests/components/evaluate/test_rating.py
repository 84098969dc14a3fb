"""Models rate the answers of a batch: priced, on record, compared with each other, and in the table; page and command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from components.evaluate import rating
from components.session import process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from readers import get
from readers.cli import main
from readers.engine.forks import rater
from readers.engine.models import catalogue
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.execute import Execution, RunSpec, execute
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support.app_pages import html, opened, run
from tests.support.models.scripted_models import Scripted, parts_of
from tests.support.readings.batches import planned, read

STRICT, KIND = Scripted(lambda call: "DIFFERENT"), Scripted(lambda call: "SAME")


@pytest.fixture
def batch(store: Store) -> str:
    document = Document("Parts", parts_of(4).text)
    asked = [SetQuestion(f"q{n}", document.id, f"What begins in part {n}?", (), ("part 1",), True) for n in range(2)]
    return read(planned(store, document, asked, RunSpec("whole", get("whole").version, "")))


@pytest.mark.slow
def test_the_page_prices_a_rating_shows_it_in_the_table_and_how_far_raters_agree(
    batch: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {"local/strict": STRICT, "local/kind": KIND}
    started: list[str] = []

    def start(runs: Sequence[Run]) -> None:
        for one in runs:
            started.append(one.id)
            with Store() as own:  # on the page's own thread
                execute(own, one.id, get(one.reader), Execution(models[str(one.spec["model"])], concurrency=1))

    monkeypatch.setattr(start_runs, "start_samples", start)
    monkeypatch.setattr(process_cache, "window_of", lambda model: None)
    with opened("6_Evaluate") as app:
        run(app, batch=batch)
        app.session_state[state.key("eval_rating", batch)] = True
        app.run()
        assert "A rater is a language model" in html(app)
        for number, model in enumerate(models):
            monkeypatch.setattr(state, "model_choice", lambda model=model: ModelChoice(model))
            app.run()
            (button,) = (one for one in app.button if "ate 2 answers" in one.label)
            assert button.label.replace("\\", "") == "Rate 2 answers: 4 calls, free"
            button.click().run()
            assert not app.exception
            assert len(started) == 2 * (number + 1)
        page = html(app)
        assert '<th scope="col">LR-1</th><th scope="col">LR-2</th></tr>' in page
        assert "50.0" in page  # the mean of a strict and a kind rater
        assert "LR-1 and LR-2: 2 answers rated by" in page
        assert "Agreement of 2 raters" in page
        assert not any("ate 2 answers" in one.label for one in app.button)
        assert "has rated 2 of 2 answers" in page
        assert rating.TITLE in [one.label for one in app.expander]


def test_the_command_prices_rates_resumes_and_asks_nothing_twice(
    batch: str, store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "open_model", lambda model, **how: Scripted(lambda call: "SAME"))
    command: list[Any] = ["evaluate", batch, "--rate", "lr", "--rater", "local/kind"]
    assert main(["evaluate", batch, "--rate", "lr"]) == 2
    assert "--rate says what is rated" in capsys.readouterr().err
    assert main(["evaluate", batch, "--rate", "lr", "--rater", catalogue.OFFLINE]) == 2
    capsys.readouterr()
    assert main([*command, "--price"]) == 0
    assert "lr by local/kind: 2 answers to rate, 4 calls, cost free" in capsys.readouterr().err
    assert rater.stands(store, [one.id for one in store.batches.runs_of(batch)]) == []
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "\nLR-1\n  Whole text" in printed.out
    assert "100.0" in printed.out
    assert "LR-1 and LR-2: 2 answers rated by" in printed.out
    assert main(command) == 0
    assert "0 answers to rate, 0 calls, cost free, 2 rated before" in capsys.readouterr().err
