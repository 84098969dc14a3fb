"""Commands that call the model of a stored reading, a batch or a profile load litellm as soon as they know it."""

from __future__ import annotations

import sys

import pytest

from readers import get
from readers.cli import main
from readers.engine.errors import BadOptions
from readers.engine.models import loading
from readers.engine.models.profiles import Profile
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import RunSpec, create_run
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.paths import LAMP

TEXT = Document.of("The ferry leaves at noon.")


@pytest.fixture(autouse=True)
def ends_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of loading, the command ends."""

    def loaded() -> None:
        raise BadOptions("litellm is loaded")

    monkeypatch.setattr(loading, "load_soon", loaded)


def spec(model: str) -> RunSpec:
    return RunSpec("whole", get("whole").version, "When?", model=model)


def loads(words: list[str], capsys: pytest.CaptureFixture[str]) -> bool:
    status = main(words)
    return (status, "litellm is loaded" in capsys.readouterr().err) == (2, True)


@pytest.mark.parametrize("model", ["openai/test", "offline/extractive"])
def test_a_reading_that_is_resumed(model: str, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    run = create_run(store, TEXT, get("whole"), spec(model))
    assert loads(["resume", run.id], capsys) is (model == "openai/test")


@pytest.mark.parametrize(("model", "more", "does"), [
    ("openai/test", [], True), ("offline/extractive", [], False), ("openai/test", ["--workers", "2"], False),
])  # fmt: skip
def test_a_batch_that_is_resumed_but_for_one_on_workers_which_load_it_themselves(
    model: str, more: list[str], *, does: bool, store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readers.cli.batches.work", lambda *_: 0)
    kept = store.question_sets.add(QuestionSet("Ferry", (SetQuestion("a", TEXT.id, "When?"),), (TEXT,)))
    batch = batches.add(store, kept.id, BatchPlan((spec(model),)), readers=get)
    assert loads(["batch-resume", batch.id, *more], capsys) is does


@pytest.mark.parametrize(("model", "more", "does"), [
    ("openai/test", [], True), ("offline/extractive", [], False), ("openai/test", ["--estimate"], False),
])  # fmt: skip
def test_a_profile(
    model: str, more: list[str], *, does: bool, store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readers.cli.read.read", lambda _: 0)
    store.profiles.add(Profile(model, name="Mine"))
    words = ["read", str(LAMP), "--question", "When?", "--profile", "Mine", *more]
    monkeypatch.setattr(sys, "argv", ["readers", *words])
    assert (main() == 2, "litellm is loaded" in capsys.readouterr().err) == (does, does)
