"""The Trace page by Streamlit's own harness: every state of a reading draws, in Simple and in Full."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from components.html.prompt_stretches import of_record
from components.html.words.reading_words import settings
from components.player import ending, stops
from components.replay.file import replay_file
from components.replay.reading import replayed
from components.session import state
from components.session.samples import samples
from components.session.samples import samples as sample_texts
from components.trace import live
from components.widgets import progress
from readers import get
from readers.engine.forks import resample
from readers.engine.forks.experiments import Sampling
from readers.engine.forks.fork import fork
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model, ModelRouter, SchemaRefused
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.edits import Edit, ModelEdit, ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.teaching.stops import Stop
from tests.components.replay.test_replay import readings_of
from tests.support.app_pages import html, links, opened, press_popover, words
from tests.support.app_pages import run as run_page
from tests.support.models.scripted_models import Thinking

READER = get("memwalker")
SAMPLE = sample_texts()[0]


def read(store: Store, question: str, *, stopped: bool = False) -> Run:
    spec = RunSpec("memwalker", READER.version, question, options={"segment_tokens": 400})
    run = create_run(store, SAMPLE.document, READER, spec)
    return execute(store, run.id, READER, Execution(Offline(), stopped=lambda: stopped))


@pytest.fixture
def reading(store: Store) -> Reading:
    return open_reading(store, read(store, SAMPLE.questions[7].question).id)


@pytest.mark.parametrize("depth", ["simple", "full"])
def test_a_reading_that_ended_is_drawn(reading: Reading, depth: str) -> None:
    with opened("3_Trace") as app:
        app.query_params.update(run=reading.run.id, depth=depth, at="3")
        app.run()
        assert not app.exception
        page = html(app)
        assert reading.run.question in page
        assert "answer, written by the offline model (no neural network)" in page
        assert ("What the model was asked" in page) == (depth == "full")
        assert ("Ask another question about this text", f"document={reading.document.id}&after={reading.run.id}") in links(app)
        assert [one.label for one in app.get("download_button")] == ["Download this reading"]
        press_popover(app, "Save as a replay")
        assert [one.label for one in app.get("download_button")] == ["Download this reading", "Save the file"]
        assert f"The whole text: “{reading.document.title}”" in " ".join(one.value for one in app.markdown).replace("\\", "")


def test_a_class_is_offered_in_a_popover_that_has_its_button_before_it_is_opened(reading: Reading) -> None:
    with opened("3_Trace") as app:
        run_page(app, run=reading.run.id)
        assert "Begin a class" in {button.label for button in app.button}
        press_popover(app, "Teach this reading")
        assert "Begin a class" in {button.label for button in app.button}


def test_thoughts_are_folded_beside_the_reply_and_harmless(store: Store) -> None:
    run = create_run(
        store, SAMPLE.document, READER, RunSpec("memwalker", READER.version, "Who?", options={"segment_tokens": 400})
    )
    execute(store, run.id, READER, Execution(Thinking(Offline(), "<img src=x onerror=alert(1)> thought")))
    for depth in ("simple", "full"):
        with opened("3_Trace") as app:
            app.query_params.update(run=run.id, depth=depth, at="20")
            app.run()
            assert not app.exception
            page = html(app)
        assert ('<details class="thoughts"><summary>thoughts' in page) == (depth == "full")
        assert ("&lt;img src=x onerror=alert(1)&gt; thought" in page) == (depth == "full")
        assert "<img src=x" not in page
        assert ("stopped <b>by itself</b>" in page) == (depth == "full")


@dataclass(frozen=True)
class TakesNoSchema:
    """The offline model, as one whose server takes no schema."""

    def complete(self, call: Call) -> Reply:
        if call.response_format:
            raise SchemaRefused("no <b>schema</b> here")
        return Offline().complete(call)


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        (Offline(), ("reply form <b>held to a JSON schema</b>", "sent beside the prompt", "additionalProperties")),
        (TakesNoSchema(), ("reply form <b>in words; the server refused a JSON schema</b>", "no &lt;b&gt;schema")),
    ],
)
def test_full_shows_the_schema_that_was_sent_or_that_it_was_refused(store: Store, model: Model, shown: tuple[str, ...]) -> None:
    spec = RunSpec("memwalker", READER.version, SAMPLE.questions[7].question, reply_form="auto")
    run = execute(store, create_run(store, SAMPLE.document, READER, spec).id, READER, Execution(model))
    reading = open_reading(store, run.id)
    assert ("Reply form", "held to a schema, in words if the server refuses it") in settings(reading)
    with opened("3_Trace") as app:
        app.query_params.update(run=run.id, depth="full", at=str(len(reading.trace.steps) - 1))
        app.run()
        assert not app.exception
        assert all(one in html(app) for one in shown)


def test_the_known_answer_is_shown_when_it_is_asked_for(reading: Reading) -> None:
    with opened("3_Trace") as app:
        app.query_params["run"] = reading.run.id
        app.run()
        assert "known answer, by the author" not in html(app)
        app.toggle[0].set_value(True).run()
        assert not app.exception
        assert "known answer, by the author" in html(app)


def test_rewards_stand_in_full_with_the_known_answer_and_not_before_the_end(store: Store) -> None:
    memagent = get("memagent")
    spec = RunSpec("memagent", memagent.version, SAMPLE.questions[7].question, options={"chunk_tokens": 1300})
    run = execute(store, create_run(store, SAMPLE.document, memagent, spec).id, memagent, Execution(Offline()))
    for depth, end, known, drawn in (
        ("full", "", True, 1),
        ("full", "", False, 0),
        ("full", "hidden", True, 0),
        ("simple", "", True, 0),
    ):
        with opened("3_Trace") as app:
            app.query_params.update(run=run.id, depth=depth, at="1", end=end)
            app.run()
            app.toggle[0].set_value(known).run()
            assert not app.exception
            assert html(app).count('<p class="reward-outcome">Outcome') == drawn


def test_a_reading_that_was_stopped_says_so_and_offers_to_go_on(store: Store) -> None:
    run = read(store, "Who kept the low light?", stopped=True)
    with opened("3_Trace") as app:
        app.query_params["run"] = run.id
        app.run()
        assert not app.exception
        assert "stopped before its end" in html(app)
        app.button[0].click().run()
        assert not app.exception
    assert store.runs.get(run.id).outcome == "answered"


def test_a_reading_without_an_answer_is_a_result(store: Store) -> None:
    run = read(store, "How do neutrinos oscillate between flavours in supernovae?")
    with opened("3_Trace") as app:
        app.query_params["run"] = run.id
        app.run()
        assert not app.exception
        assert "That is a result, not an error" in html(app)


@pytest.mark.parametrize("run_id", ["", "0000000000", "![x](http://example.org/x.png)", "<script>x</script>"])
def test_no_such_reading_is_told_in_a_sentence(run_id: str) -> None:
    with opened("3_Trace") as app:
        app.query_params["run"] = run_id
        app.run()
        assert not app.exception
        assert "There is no reading" in words(app) if run_id else "No reading chosen" in html(app)
        assert "<script>" not in html(app)


def test_a_visitor_of_a_demo_finds_their_reading_again_by_a_cookie_and_others_hear_of_a_demo(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    own = "0123456789abcdef" * 2
    run = read(store.seen_by(own), SAMPLE.questions[7].question)
    for cookie in (own, "another" * 40, "<b>", ""):
        with opened("3_Trace", cookies={state.VISIT_COOKIE: cookie}) as app:
            app.query_params["run"] = run.id
            app.run()
            assert not app.exception
            assert (run.question in html(app)) == (cookie == own)
            assert ("This is a public demo" in words(app)) == (cookie != own)
            assert "another machine" not in words(app)


def test_the_prompt_of_a_call_is_coloured_by_where_its_words_come_from(reading: Reading, store: Store) -> None:
    prompts = store.runs.tape(reading.run.id).prompts()
    leaf = next(record for record in reading.records if record.task == "answer_or_decline")
    sources = {source for _, source, _ in of_record(leaf, prompts[leaf.prompt], reading)}
    assert {"template", "document", "model", "question"} <= sources
    message = "".join(words for words, _, _ in of_record(leaf, prompts[leaf.prompt], reading))
    document = "".join(words for words, source, _ in of_record(leaf, prompts[leaf.prompt], reading) if source == "document")
    assert document in message
    assert document[:200] in reading.document.text


def test_settings_are_told_in_words_and_never_a_key(reading: Reading) -> None:
    told = dict(settings(reading))
    assert told["Longest segment, in tokens"] == "400"
    assert told["Model"] == "offline model (no neural network)"
    assert told["Temperature"] == "0.0"
    assert told["What is carried along"] == "Way from the root"
    spec = {**reading.run.spec, "caps": {"max_calls": 9}, "reuse": False}
    told = dict(settings(reading._replace(run=replace(reading.run, spec=spec))))
    assert (told["Limit: calls"], told["Replies of earlier readings"]) == ("9", "not used")


def forked(store: Store, reading: Reading, edit: Edit) -> Run:
    made = fork(store, reading, READER, edit)
    models = [model for model, _ in RunSpec.from_json(made.spec).models]
    answers = ModelRouter({(model, None): Named() if model == "other/model" else Offline() for model in models})
    return execute(store, made.id, READER, Execution(answers))


class Named:
    """The offline model under another name."""

    def complete(self, call: Call) -> Reply:
        return Offline().complete(call)


def test_the_answer_of_a_fork_is_by_whoever_gave_it(store: Store, reading: Reading) -> None:
    last = max(record.seq for record in reading.records if record.task == "answer_or_decline")
    (record,) = [record for record in reading.records if record.seq == last]
    assert record.reply is not None
    switched = forked(store, reading, ModelEdit(last, "other/model"))
    replied = forked(store, reading, ReplyEdit(last, 0, record.reply.replace("Reasoning:", "Reasoning: surely,")))
    on_it = forked(store, open_reading(store, replied.id), ModelEdit(0, "other/model"))
    for run, by, models in (
        (reading.run, "the offline model (no neural network)", "offline model (no neural network)"),
        (switched, "other/model", "offline model (no neural network), then other/model"),
        (replied, "a person", "offline model (no neural network)"),
        (on_it, "other/model", "other/model"),
    ):
        with opened("3_Trace") as app:
            app.query_params.update(run=run.id, depth="full")
            app.run()
            assert not app.exception
            assert f"answer, written by {by}<" in html(app)
            assert f"reply, written by {by}<" in html(app)
            assert f" · {models} · " in html(app)
        with opened("4_Compare") as app:
            app.query_params["runs"] = f"{reading.run.id},{run.id}" if run != reading.run else f"{run.id},{switched.id}"
            app.run()
            assert not app.exception
            assert f"answer, written by {by}<" in html(app)


def test_a_reading_is_not_deleted_under_a_fork_that_takes_over_from_it(store: Store, reading: Reading) -> None:
    made = fork(store, reading, READER, ReplyEdit(0, 0, "It is all about kettles."))
    resample.sample_call(store, reading, READER, 0, Sampling(2))
    with opened("3_Trace") as app:
        app.query_params["run"] = reading.run.id
        app.run()
        assert "and so is 1 sample of experiments with it" in words(app)
        assert "It cannot be deleted yet" in words(app)
        [button for button in app.button if button.label == "Delete"][-1].click().run()
        assert not app.exception
        assert "is under way" in words(app)
    assert store.runs.get(reading.run.id)
    for run in store.runs.listed(samples=True):
        store.runs.cancel(run.id)
    with opened("3_Trace") as app:
        app.query_params["run"] = reading.run.id
        app.run()
        assert "cannot be deleted yet" not in words(app)
        [button for button in app.button if button.label == "Delete"][-1].click().run()
    assert [run.id for run in store.runs.listed(samples=True)] == [made.id]


def test_the_ending_on_stage_has_the_whole_answer_and_a_verdict(store: Store, reading: Reading) -> None:
    run = replace(reading.run, outcome="answered", answer="A red lamp " * 60)
    known = KnownAnswer(run.question, answers=("Nine tons",))
    answered = ending.of(reading._replace(run=run), known)
    assert (answered.words, answered.verdict, answered.known) == (run.answer, "likely wrong", "Nine tons")
    assert answered.by.startswith("answer, written by the offline model")
    right = ending.of(reading._replace(run=run), replace(known, answers=(run.answer or "",)))
    assert (right.verdict, right.tone, right.known) == ("right", "good", "")
    nothing_known = ending.of(reading._replace(run=run), None)
    assert (nothing_known.verdict, nothing_known.known) == ("answered", "")
    gave_up = replace(run, outcome="exhausted", answer=None, error="it went round in circles")
    ended = ending.of(reading._replace(run=gave_up), replace(known, answers=(), answerable=False))
    assert ended.words.startswith("It gave up. It went round in circles.")
    assert (ended.by, ended.verdict) == ("", "right: no answer given")


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def test_data_that_is_slow_to_make_is_made_less_often() -> None:
    clock = Clock()
    pace, made = live.PacedPlayer(clock), []

    def get(about: str, size: int, seconds: float) -> object:
        def make() -> dict[str, object]:
            clock.now += seconds
            made.append(size)
            return {"size": size}

        return pace.get(about, size, make)["size"]

    assert [get("r", 1, 0.02), get("r", 1, 0.02)] == [1, 1]
    clock.now += progress.POLL
    assert get("r", 2, 1.0) == 2
    clock.now += progress.POLL
    assert get("r", 3, 1.0) == 2  # making it took a second: the next may begin three seconds later
    assert get("another", 1, 1.0) == 1  # about something else, at once
    clock.now += 3 * progress.POLL
    assert get("another", 4, 1.0) == 4
    assert made == [1, 2, 1, 4]


def test_lives_are_computed_at_most_every_two_seconds_however_fast() -> None:
    clock = Clock()
    pace = live.PacedPlayer(clock, least=live.LIVES)
    shown = []
    for size in range(6):
        shown.append(pace.get("r", size, lambda size=size: {"size": size})["size"])
        clock.now += progress.POLL
    assert shown == [0, 0, 2, 2, 4, 4]


def test_a_note_and_a_prediction_are_written_and_are_in_the_replay(store: Store, reading: Reading) -> None:
    predicted = [*filter(stops.predictions(reading), range(len(reading.trace.steps)))]
    at = predicted[0]
    with opened("3_Trace") as app:
        app.query_params.update(run=reading.run.id, at=str(at + 1))
        app.run()
        app.text_area[0].set_value("Look at <b>both</b> summaries.")
        next(box for box in app.checkbox if box.label == "Viewers predict this step first").set_value(True)
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
        assert next(box for box in app.checkbox if box.label == "Viewers predict this step first").disabled
        next(button for button in app.button if button.label == "Add every prediction").click().run()
        assert not app.exception
        assert "Nothing can be predicted" in app.error[0].value
    assert store.stops.of(run.id) == ()
