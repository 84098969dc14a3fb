"""What the player gets of notes, pauses and predictions: options whole, and only where there is a choice to predict."""

from __future__ import annotations

import pytest

from components.player import data, stops
from readers.engine.store import Reading, Run
from readers.engine.teaching.stops import Stop
from readers.engine.text import refs
from tests.support.models.scripted_models import BACK, COMMIT
from tests.support.readings.memwalker_walks import READER, walked


@pytest.fixture(scope="module")
def reading() -> Reading:
    trace = walked([0, 1, BACK, 2, COMMIT])
    spec = {"reader": READER.id, "version": READER.version, "model": "offline/extractive", "options": {}}
    run = Run("r", trace.document.id, READER.id, "Who?", spec, "finished", outcome="answered", answer="x")
    return Reading(run, trace.document, trace, [])


def test_only_choices_of_the_model_among_several_can_be_predicted(reading: Reading) -> None:
    frames, predicted = data.of(reading), stops.predictions(reading)
    cards = {at: step.get("decision") for at, step in enumerate(frames["steps"])}
    found = list(filter(predicted, cards))
    assert found == [at for at, card in cards.items() if card and card["by_model"] and len(card["options"]) > 1]
    assert not set(found) & set(range(frames["building"]))
    assert predicted(len(cards)) is None


def test_the_options_of_a_prediction_are_those_of_the_card_and_whole(reading: Reading) -> None:
    frames, predicted = data.of(reading), stops.predictions(reading)
    at = next(filter(predicted, range(len(frames["steps"]))))
    (made,) = stops.of([Stop(at, "Which?", predicts=True)], len(frames["steps"]), predicted)
    options = frames["steps"][at]["decision"]["options"]
    assert [(one["mark"], one["name"], one["picked"]) for one in made["options"]] == [
        (one["mark"], one["name"], one["picked"]) for one in options
    ]
    for one, option in zip(made["options"], options, strict=True):
        number = refs.written(option["ref"]) if "ref" in option else None
        assert one["text"] == (reading.trace.wrote[number].text.strip() if number is not None else "")


def test_where_there_is_nothing_to_predict_a_stop_is_a_note(reading: Reading) -> None:
    made = stops.of([Stop(0, "Built.", predicts=True), Stop(10_000, "Nowhere.")], 9, stops.predictions(reading))
    assert made == [{"at": 0, "note": "Built.", "pauses": False}]
