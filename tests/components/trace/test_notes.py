"""Notes and stops on Trace: written step by step, kept with the reading, and taken into its replay."""

from __future__ import annotations

import pytest

from components.player import stops
from components.replay.file import replay_file
from components.replay.reading import replayed
from components.session.samples import samples
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.teaching.stops import Stop
from tests.components.replay.test_replay import readings_of
from tests.support.app_pages import opened


@pytest.fixture
def reading(store: Store) -> Reading:
    sample, reader = samples()[0], get("memwalker")
    spec = RunSpec(reader.id, reader.version, sample.questions[7].question, options={"segment_tokens": 400})
    run = create_run(store, sample.document, reader, spec)
    execute(store, run.id, reader, Execution(Offline()))
    return open_reading(store, run.id)


def test_a_note_and_a_prediction_are_written_and_are_in_the_replay(store: Store, reading: Reading) -> None:
    predicted = [*filter(stops.predictions(reading), range(len(reading.trace.steps)))]
    at = predicted[0]
    with opened("3_Trace") as app:
        app.query_params.update(run=reading.run.id, at=str(at + 1))
        app.run()
        app.text_area[0].set_value("Look at <b>both</b> summaries.")
        next(box for box in app.checkbox if box.label == "Watchers predict this step first").set_value(True)
        next(button for button in app.button if button.label == "Save").click().run()
        assert not app.exception
        assert store.stops.of(reading.run.id) == (Stop(at, "Look at <b>both</b> summaries.", predicts=True),)
        (shown,) = readings_of(replay_file([replayed(store, reading.run.id)]))
        (stop,) = shown["frames"]["stops"]
        assert (stop["at"], stop["note"]) == (at, "Look at <b>both</b> summaries.")
        assert sum(option["picked"] for option in stop["options"]) == 1
        next(button for button in app.button if button.label == "Add every prediction").click().run()
        assert [one.at for one in store.stops.of(reading.run.id) if one.predicts] == predicted
        assert store.stops.of(reading.run.id)[0].note
        next(button for button in app.button if button.label == "Remove all").click().run()
        assert store.stops.of(reading.run.id) == ()


def test_where_nothing_can_be_predicted_this_is_said(store: Store) -> None:
    sample, reader = samples()[0], get("whole")
    run = create_run(store, sample.document, reader, RunSpec(reader.id, reader.version, sample.questions[7].question))
    execute(store, run.id, reader, Execution(Offline()))
    with opened("3_Trace") as app:
        app.query_params.update(run=run.id)
        app.run()
        assert next(box for box in app.checkbox if box.label == "Watchers predict this step first").disabled
        next(button for button in app.button if button.label == "Add every prediction").click().run()
        assert not app.exception
        assert "Nothing can be predicted" in app.error[0].value
    assert store.stops.of(run.id) == ()
