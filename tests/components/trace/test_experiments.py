"""Experiments on the Trace page: shown in words and rows, started, counted, resumed and deleted."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from components.html import pictures
from components.session import process_cache
from components.session.samples import samples as texts
from components.trace import ask_again, leave_out
from readers import get
from readers.engine.errors import Busy
from readers.engine.forks import nearness, resample
from readers.engine.forks.experiment_results import Arm, Firmness, OptionCount, compare_arms
from readers.engine.forks.experiments import Experiment, Sampling, experiments_of, leave_one_out
from readers.engine.forks.removable import removable_at
from readers.engine.forks.stands_on import try_answer
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.letters import Lettered
from readers.engine.prompts.formats.pages import Pages
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.edits import RerunEdit, WrittenEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Text
from readers.engine.work import Range
from tests.browser.hostile import PAYLOADS
from tests.support.app_pages import html, links, opened, words
from tests.support.models.scripted_models import Scripted

READER = get("memwalker")
SAMPLE = texts()[0]
AT = 5  # the step, from 1, of the first decision


@pytest.fixture
def reading(store: Store) -> Reading:
    spec = RunSpec("memwalker", READER.version, SAMPLE.questions[4].question, options={"segment_tokens": 400})
    return open_reading(
        store, execute(store, create_run(store, SAMPLE.document, READER, spec).id, READER, Execution(Offline())).id
    )


def triage(reading: Reading) -> int:
    return next(seq for seq, event in reading.trace.asked.items() if event.prompt == "memwalker.triage")


def full(app: AppTest, reading: Reading, *opened_sections: str) -> None:
    app.query_params.update(run=reading.run.id, depth="full", at=str(AT))
    for name in opened_sections:
        app.session_state[f"{name}.{reading.run.id}"] = True
    app.run()
    assert not app.exception


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label.replace("\\", "").startswith(label)).click().run()
    assert not app.exception


def press_and_wait(app: AppTest, label: str) -> None:
    """Start samples, and look again when they have ended."""
    press(app, label)
    assert process_cache.jobs().wait(30)
    app.run()
    assert not app.exception


def titles(app: AppTest) -> list[str]:
    """What the experiments of the page are called, with what came of them."""
    return [box.label.replace("\\", "") for box in app.expander if "**" in box.label]


# In words


def test_options_are_shown_by_the_readers_name_or_in_the_prompts_own_words(reading: Reading) -> None:
    event = reading.trace.asked[triage(reading)]
    parts = tuple(Part(name, tuple(Text(str(n)) for n, _ in enumerate(pieces))) for name, pieces in event.parts if name != "back")
    block = Block((Line("action", "number", "", lowest=-1, below="summaries"),))
    call = ask_again.offered_by(Prompt("t", "choose", "$summaries", block), parts, dict(event.parts), READER.names(reading.trace))
    assert ask_again.option(OptionCount(1, "1", 1, True), call) == "part 2"
    assert ask_again.option(OptionCount(-1, "-1", 1, True), call) == "none of them: go back up"
    assert ask_again.option(OptionCount(99, "99", 1, True), call) == "99"
    found = Firmness((OptionCount(1, "1", 4, True), OptionCount(0, "0", 1, False)), 6, 6, 1)
    assert ask_again.stability(found, call) == "part 2 came in 4 of 6"
    assert ask_again.options(found, call) == [
        ("part 2", "◆ as in the reading", (4,)),
        ("part 1", "", (1,)),
        ("unreadable reply", "", (1,)),
    ]
    assert ask_again.stability(Firmness((), 5, 0, 0), call) == "no reply has come"
    assert ask_again.stability(Firmness((), 5, 2, 2), call) == "none of 2 replies could be read"

    pages = ask_again.offered_by(Prompt("t", "choose_many", "$x", Pages()), (), {}, {})
    assert ask_again.option(OptionCount((2, 5), "", 1, True), pages) == "page 3, page 6"
    assert ask_again.option(OptionCount((), "", 1, True), pages) == "no page"
    offered = (Part("choices", (Text("(A) at four"), Text("(B) at five"))),)
    lettered = ask_again.offered_by(Prompt("t", "answer", "$choices", Lettered("choices")), offered, {}, {})
    assert ask_again.option(OptionCount("(B)", "(b) five", 1, True), lettered) == "(B) at five"
    answered = OptionCount(-2, "-2", 3, True, (("at five", 2), ("at six", 1)))
    assert ask_again.options(Firmness((answered,), 3, 3, 0), pages) == [
        ("-2", "◆ as in the reading · “at five” 2×; “at six” 1×", (3,))
    ]


def test_samples_that_are_not_counted_are_reported() -> None:
    parent = Run("p", "d", "memwalker", "?", {}, "finished", "answered", "at five")
    none = compare_arms(parent, [], [])
    assert leave_out.left_over(none) == ""
    found = none._replace(without=Arm(8, 5, 2, 1, 2, 1), unchanged=Arm(8, 7, 0, 0, 1, 0))
    assert leave_out.left_over(found) == (
        "Without it, 1 of 5 ended without an answer; 2 failed and are not counted; 1 was stopped before the end and not counted. "
        "Unchanged, 1 failed and is not counted."
    )


def test_a_count_is_drawn_as_squares_and_told_as_a_number_and_hostile_words_are_words() -> None:
    drawn = pictures.tally(("Answer", "without it", "unchanged"), [("<b>x</b>", "≠ changed", (6, 1))], (8, 7))
    assert drawn.count('<i class="on">') == 7
    assert drawn.count('<i class="">') == 8
    assert "<b>6 of 8</b>" in drawn
    assert "<b>1 of 7</b>" in drawn
    assert "&lt;b&gt;x&lt;/b&gt;" in drawn
    for payload in PAYLOADS:
        drawn = pictures.tally((payload,), [(payload, payload, (1,))], (1,))
        assert payload not in drawn or not set(payload) & set("<>&\"'")


# On the page


@pytest.mark.slow
def test_one_thing_is_left_out_and_what_came_of_it_is_there_on_coming_back(store: Store, reading: Reading) -> None:
    with opened("3_Trace") as app:
        full(app, reading, "leave_out")
        assert "The offline model gives the same reply every time" in words(app)
        assert "free" in html(app)
        press_and_wait(app, "Start 10 readings: 40 calls, free")
        (title,) = titles(app)
        assert title == "Without the summary of part 1. **The answer changed in 5 of 5; unchanged reruns changed in 0 of 5.**"
    (made,) = experiments_of(store, reading.run.id)
    assert sum(store.runs.tape(run.id).spent().calls for run in made.runs) == 40
    with opened("3_Trace") as app:
        full(app, reading)
        assert titles(app) == [title]
        page = html(app)
        assert "≠ counted as changed" in page
        assert "at most half of the words are shared" in words(app)
        assert "significant" not in (page + words(app)).casefold()
        assert ("Compare with the reading", f"runs={reading.run.id}%2C{made.runs[0].id}") in links(app)
        press(app, "Delete")
        assert not titles(app)
    assert experiments_of(store, reading.run.id) == []


def test_a_call_is_asked_again_and_its_reading_is_found_from_the_samples(store: Store, reading: Reading) -> None:
    with opened("3_Trace") as app:
        full(app, reading, "firm")
        press_and_wait(app, "Ask again: 5 calls, free")
        assert titles(app) == [f"Call {triage(reading) + 1} asked again 5 times. **Part 1 came in 5 of 5.**"]
    (made,) = experiments_of(store, reading.run.id)
    with opened("3_Trace") as app:
        app.query_params.update(run=made.runs[0].id)
        app.run()
        assert not app.exception
        assert "Samples of one call" in html(app)
        assert ("Open the reading it belongs to", f"run={reading.run.id}&depth=full") in links(app)
    store.runs.delete(reading.run.id)
    assert experiments_of(store, reading.run.id) == []


@pytest.mark.slow
def test_what_an_answer_stands_on_is_told_by_its_words_and_tried_on_request(store: Store, reading: Reading) -> None:
    with opened("3_Trace") as app:
        full(app, reading, "stands_on")
        assert "Supports the answer, by its words" in html(app)
        assert "of the text, or written from it, in the prompt of the answer" in html(app)
        assert experiments_of(store, reading.run.id) == []
        press_and_wait(app, "Try it: at most 60 calls, free")
        (title,) = titles(app)
        assert title.startswith("Without some of its sentences. **Leaving out one sentence changed the answer in 3 of 3")
        assert "Asked unchanged, the answer changed in 0 of 3." in html(app)
        assert "Leaving out one sentence changed the answer in 3 of 3" in html(app)
        assert "of the text, raw" in html(app)
        assert "calls were made, of at most 60." in html(app)
    (made,) = experiments_of(store, reading.run.id)
    with opened("3_Trace") as app:
        app.query_params.update(run=made.runs[0].id)
        app.run()
        assert not app.exception
        assert "What an answer stands on" in html(app)


@pytest.mark.slow
def test_what_is_nearest_goes_by_an_embedding_model_too_once_one_is_named_and_compared(
    store: Store, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Offline, "embeds_by", "jaccard", raising=False)
    monkeypatch.setattr(nearness, "cost_of", lambda *_: Range(0, 0.01))
    with opened("3_Trace") as app:
        full(app, reading, "stands_on")
        assert not any(button.label.startswith("Compare") for button in app.button)
        (field,) = [field for field in app.text_input if field.label == "Embedding model"]
        field.set_value("some/embedder").run()
        assert experiments_of(store, reading.run.id) == []
        press_and_wait(app, "Compare: send ")
        (title,) = titles(app)
        assert title.endswith("**Some/embedder changed what is nearest to 0 of 1 sentence of the answer.**")
        assert not any(button.label.startswith("Compare") for button in app.button)
        assert "Supports the answer, by its words" in html(app)
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    with opened("3_Trace") as app:
        full(app, reading, "stands_on")
        assert not any(field.label == "Embedding model" for field in app.text_input)


def test_unfinished_samples_can_be_resumed(store: Store, reading: Reading) -> None:
    leave_one_out(store, reading, READER, RerunEdit(triage(reading)), Sampling(2))
    (made,) = experiments_of(store, reading.run.id)
    for run in made.runs:
        store.runs.cancel(run.id)
    with opened("3_Trace") as app:
        full(app, reading)
        assert "no sample without it has finished; " not in html(app)
        press_and_wait(app, "Resume 4 unfinished")
        assert not any(button.label.startswith("Resume") for button in app.button)
    assert {run.status for run in experiments_of(store, reading.run.id)[0].runs} == {"finished"}


def test_samples_under_way_are_counted_and_can_be_cancelled(store: Store, reading: Reading) -> None:
    leave_one_out(store, reading, READER, RerunEdit(triage(reading)), Sampling(2))  # queued here, and not begun
    with opened("3_Trace") as app:
        full(app, reading)
        assert "Samples are running" in html(app)
        assert "0 of 4 samples done · 0 calls so far" in html(app)
        assert titles(app) == []
        with pytest.raises(Busy):
            store.runs.delete(reading.run.id)
        press(app, "Cancel")
        app.run()
        assert titles(app) == ["Without nothing. **No sample without it has finished; no unchanged rerun has finished.**"]
    assert {run.status for run in experiments_of(store, reading.run.id)[0].runs} == {"cancelled"}


def test_hostile_words_stand_on_the_page_as_they_are(store: Store) -> None:
    bad = "# **x** ![x](http://example.org/x.png) :red[y] <b>z</b> $1$"

    def reply(call: Call) -> str:
        if call.prompt.task == "summarise":
            return bad
        return call.prompt.reply.render({"reasoning": bad, "action": 0 if call.prompt.task == "choose" else -2, "answer": bad})

    spec = RunSpec("memwalker", READER.version, "Who?", options={"segment_tokens": 400})
    run = execute(store, create_run(store, SAMPLE.document, READER, spec).id, READER, Execution(Scripted(reply)))
    reading = open_reading(store, run.id)
    item = removable_at(reading.trace, triage(reading), READER.names(reading.trace))[0][0]
    leave_one_out(store, reading, READER, item.edit, Sampling(1))
    resample.sample_call(store, reading, READER, max(reading.trace.asked), Sampling(2))
    try_answer(store, reading, READER, Sampling(2))
    for experiment in experiments_of(store, reading.run.id):
        done(store, experiment, reply)
    with opened("3_Trace") as app:
        full(app, reading, "leave_out", "firm", "stands_on")
        assert "<b>z</b>" not in html(app)
        assert "&lt;b&gt;z&lt;/b&gt;" in html(app)
        for box in app.expander:
            assert "![x]" not in box.label
            assert "<b>z" not in box.label


def done(store: Store, experiment: Experiment, reply: object) -> None:
    for run in experiment.runs:
        execute(store, run.id, get(run.reader), Execution(Scripted(reply)))  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_demo_bounds_what_a_visitor_may_try(store: Store, reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    with opened("3_Trace") as app:
        full(app, reading, "leave_out")
        counts = next(field for field in app.number_input if field.label == "Samples of each kind")
        counts.set_value(11).run()
        press(app, "Start 22 readings")
        assert "a visit may begin 20 readings" in words(app)
        assert experiments_of(store, reading.run.id) == []
        counts = next(field for field in app.number_input if field.label == "Samples of each kind")
        counts.set_value(2).run()
        press_and_wait(app, "Start 4 readings")
        (made,) = experiments_of(store, reading.run.id)
        assert {run.spec["caps"]["max_calls"] for run in made.runs} == {6}
        assert len(titles(app)) == 1
    with opened("3_Trace") as app:  # another visitor
        full(app, reading)
        assert titles(app) == []


def test_a_persons_reading_is_not_sampled(store: Store, reading: Reading) -> None:
    store.connection.execute("UPDATE runs SET spec = json_set(spec, '$.model', 'human/you')")
    store.connection.db.commit()
    with opened("3_Trace") as app:
        full(app, reading, "firm", "leave_out")
        assert "A person replies in this reading" in words(app)
        assert not [button for button in app.button if button.label.startswith("Start")]


def test_a_sample_replies_as_it_is(store: Store, reading: Reading) -> None:
    class Fails:
        def complete(self, call: Call) -> Reply:
            raise RuntimeError("no")

    resample.sample_call(store, reading, READER, triage(reading), Sampling(1))
    (made,) = experiments_of(store, reading.run.id)
    with pytest.raises(RuntimeError):
        execute(store, made.runs[0].id, resample.Samples(), Execution(Fails()))
    with opened("3_Trace") as app:
        full(app, reading)
        assert "1 of 1 got no reply." in html(app)
        assert "no reply has come" in titles(app)[0].casefold()


KNOWN = SAMPLE.questions[13]
LOST_AT = 15  # the step, from 1, that wrote a gist without the evidence


@pytest.fixture
def run_id(store: Store) -> str:
    spec = RunSpec("readagent", get("readagent").version, KNOWN.question)
    return execute(
        store, create_run(store, SAMPLE.document, get("readagent"), spec).id, get("readagent"), Execution(Offline())
    ).id


def panels(app: AppTest) -> list[str]:
    told = [box.label.replace("\\", "") for box in app.expander]
    return [label for label in told if label.startswith("What would mend it?")]


def labels(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button if re.match("Try it|Continue from it", button.label)]


def test_offers_stand_where_the_fact_was_lost_and_their_result_below_them(run_id: str, store: Store) -> None:
    with opened("3_Trace") as app:
        app.query_params.update(run=run_id, at=str(LOST_AT))
        app.run()
        assert panels(app) == []  # the evidence gives the known answer away
        app.toggle[0].set_value(True).run()
        assert len(panels(app)) == 1
        said = words(app)
        assert re.search(r"Put the sentence into the gist of page \d+", said)
        assert re.search(r"Choose page \d+ at step \d+", said)
        assert [re.sub(r"\d+ calls?", "n calls", label) for label in labels(app)] == [
            "Try it: 12 readings, n calls, free", "Continue from it once: n calls, free",
            "Try it: 12 readings, n calls, free", "Continue from it once: n calls, free",
        ]  # fmt: skip
        next(field for field in app.number_input if field.label == "Samples of each kind").set_value(1).run()
        next(button for button in app.button if "2 readings" in button.label).click().run()
        assert process_cache.jobs().wait(30)
        app.run()
        assert not app.exception
        assert re.search(r"→ \*\*(The answer changed|Answered rightly) in \d of 1; unchanged 0 of 1\.\*\*", words(app))
    (made,) = experiments_of(store, run_id)
    assert isinstance(made.edit, WrittenEdit)
    assert [run.name for run in made.runs] == ["with it, 1 of 1", "unchanged, 1 of 1"]


def test_a_reading_without_an_end_says_why_nothing_is_offered(store: Store) -> None:
    reader = get("readagent")
    run = create_run(store, SAMPLE.document, reader, RunSpec("readagent", reader.version, KNOWN.question))
    execute(store, run.id, reader, Execution(Offline(), stopped=lambda: len(store.runs.tape(run.id).keys()) > 20))
    with opened("3_Trace") as app:
        app.query_params.update(run=run.id)
        app.run()
        app.toggle[0].set_value(True).run()
        assert not app.exception
        assert "before its end: resume it first." in html(app)


def test_at_other_steps_and_while_the_end_is_hidden_nothing_is_offered(run_id: str) -> None:
    for more in ({"at": str(LOST_AT - 1)}, {"at": str(LOST_AT), "end": "hidden"}):
        with opened("3_Trace") as app:
            app.query_params.update(run=run_id, **more)
            app.run()
            app.toggle[0].set_value(True).run()
            assert not app.exception
            assert panels(app) == []
