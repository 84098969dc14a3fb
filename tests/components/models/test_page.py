"""The Models page and the visitors of a public demo, run by Streamlit's own test harness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from components.models import on_this_machine
from components.session import access, demos, start_runs
from components.session.model_choice import ModelChoice
from readers import READERS
from readers.engine.errors import BadFile, BadOptions
from readers.engine.forks.judge import figures_of, store_figures
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.models.local import other_servers, weights
from readers.engine.models.local.other_servers import OfferedModel
from readers.engine.models.model import LiteLLM
from readers.engine.models.profiles import Profile
from readers.engine.models.speed import Speed, store_speed
from readers.engine.run.jobs import configured_at_once
from readers.engine.store import Run, Store
from readers.plugins import Plugin
from tests.support.app_pages import shown
from tests.support.paths import ROOT
from tests.support.servers import schemas
from tests.support.servers.model_server import ModelServer, Request, failure, memwalker_reply, replying
from tests.support.texts_and_files.gguf_files import gguf

KEY = "sk-of-this-test-0123456789"
READER = READERS[0]


@pytest.fixture
def page() -> Iterator[AppTest]:
    PagesManager.uses_pages_directory = None
    on_this_machine.offered_elsewhere.clear()
    yield AppTest.from_file(str(ROOT / "home.py"), default_timeout=30).switch_page("pages/8_Models.py")
    PagesManager.uses_pages_directory = None


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def said(app: AppTest) -> str:
    return shown(" ".join(element.value for element in [*app.error, *app.success]))


def field(app: AppTest, label: str) -> Any:
    return next(found for found in [*app.text_input, *app.number_input, *app.selectbox] if found.label == label)


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def use(app: AppTest, *, pressed: str = "Use this model", **fields: object) -> AppTest:
    for label, value in fields.items():
        found = field(app, label.replace("_", " "))
        if found.type == "selectbox" and value not in found.options:
            found.options.append(value)  # the harness knows no words typed into a box of choices
        found.set_value(value)
    return press(app, pressed)


def chosen(app: AppTest) -> ModelChoice:
    return app.session_state["_model_choice"]


def test_a_cold_link_shows_the_offline_model_and_its_test_works(page: AppTest) -> None:
    page.run()
    assert not page.exception
    assert "offline model (no neural network)" in html(page)
    press(page, "Test this model")
    assert not page.exception
    assert "It answered in" in said(page)
    assert "painted the door green" in said(page)


def test_each_form_of_a_reader_is_tried_once_and_a_table_tells_what_was_read(page: AppTest) -> None:
    press(page.run(), "Try each form of this reader once")
    assert "memwalker.triage" in html(page)
    assert ">misread<" not in html(page)
    assert html(page).count(">read<") == 5


def test_the_known_ids_are_offered_with_whether_their_key_is_set(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    page.run()
    offered = field(page, "Model id").options
    assert "mistral/mistral-small-latest · MISTRAL_API_KEY is set" in offered
    assert "gpt-4o-mini · OPENAI_API_KEY is not set" in offered
    assert not any(catalogue.LOCAL in option for option in offered)
    assert KEY not in html(page)


@pytest.mark.slow  # loads litellm
def test_a_model_of_ones_own_server_is_used_tested_and_its_key_never_shown_again(page: AppTest) -> None:
    with ModelServer(replying(memwalker_reply)) as server:
        page.run()
        limits = {"Calls": 40, "US_dollars": 1.5, "Minutes": 90.0}
        use(page, Model_id="openai/test", Base_URL=server.base_url, Key=KEY, Temperature=0.5, **limits)
        assert not page.exception
        assert chosen(page).api_key == KEY
        assert (chosen(page).temperature, chosen(page).caps) == (0.5, {"max_calls": 40, "max_cost": 1.5, "max_minutes": 90.0})
        press(page, "Test this model")
        assert "It answered in" in said(page)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in html(page) + said(page) + "".join(str(found.value) for found in page.text_input)
        press(page, "Back to the offline model")
    assert chosen(page) == ModelChoice(catalogue.OFFLINE)
    assert chosen(page).api_key is None


def test_a_key_stays_with_its_model_and_server_and_goes_to_no_other(page: AppTest) -> None:
    page.run()
    use(page, Model_id="openai/test", Base_URL="http://127.0.0.1:9/v1", Key=KEY)
    use(page, Temperature=0.7)
    assert chosen(page).api_key == KEY
    use(page, Base_URL="http://127.0.0.1:10/v1")
    assert chosen(page).api_key is None
    use(page, Key=KEY)
    use(page, Model_id="openai/other")
    assert chosen(page).api_key is None
    use(page, Key=KEY)
    press(page, "Forget the key")
    assert (chosen(page).id, chosen(page).api_key) == ("openai/other", None)


@pytest.mark.slow  # loads litellm
def test_a_server_that_refuses_is_told_in_its_own_words_without_the_key(page: AppTest) -> None:
    def script(request: Request) -> object:
        return failure(401, f"the key {request.headers['authorization']} is no good")

    with ModelServer(script) as server:  # type: ignore[arg-type]
        page.run()
        use(page, Model_id="openai/test", Base_URL=server.base_url, Key=KEY)
        press(page, "Test this model")
    assert not page.exception
    assert "is no good" in said(page)
    assert "Give the key on the app’s Models page" in said(page).replace("'", "’")
    assert "only if OPENAI_API_BASE in the environment is its address" in said(page)
    assert "AuthenticationError" not in said(page)
    assert KEY not in said(page)


@pytest.mark.slow  # loads litellm
def test_a_server_that_is_not_there_is_told_with_what_to_check(page: AppTest) -> None:
    page.run()
    use(page, Model_id="openai/test", Base_URL="http://127.0.0.1:9/v1")
    press(page, "Test this model")
    assert "Check whether the server at http://127.0.0.1:9/v1 runs" in said(page)


def test_what_cannot_be_used_is_refused_in_a_sentence_and_not_chosen(page: AppTest) -> None:
    page.run()
    use(page, Model_id="openai/x", Base_URL=f"http://me:{KEY}@h/v1")
    assert not page.exception
    assert "would be stored" in said(page)
    assert KEY not in said(page)
    use(page, Model_id="openai/x", Base_URL="my server")
    assert "must begin with http:// or https://" in said(page)
    assert field(page, "Base URL").value == "my server"
    assert chosen(page) == ModelChoice.default()


def test_sampling_room_and_time_are_chosen_and_go_into_a_reading(page: AppTest) -> None:
    page.run()
    use(page, Model_id="openai/x", Top_p=0.9, Room_for_a_reply=256, Seconds_for_a_call=1200.0)
    assert not page.exception
    choice = chosen(page)
    assert (choice.top_p, choice.reply_tokens, choice.timeout) == (0.9, 256, 1200.0)
    assert {"top_p": 0.9, "reply_tokens": 256}.items() <= choice.terms.items()
    assert "timeout" not in choice.terms  # how a reading is executed, not what it is
    run = Run("r", "d", "whole", "Who?", {"model": "openai/x", "api_base": None}, "queued")
    assert start_runs.execution(run, [ServedModel("openai/x")], choice).model == LiteLLM(None, 1200.0)
    assert "256 tokens" in html(page)
    assert "20 minutes" in html(page)


def test_a_reply_form_is_chosen_and_goes_into_a_reading(page: AppTest) -> None:
    page.run()
    use(page, Model_id="openai/x")
    assert chosen(page).reply_form == "auto"
    field(page, "Reply form").set_value("schema")
    press(page, "Use this model")
    assert chosen(page).terms["reply_form"] == "schema"
    assert "held to a schema" in html(page)


@pytest.mark.slow  # loads litellm
@pytest.mark.parametrize(
    ("manner", "told", "form"), [("conforms", "can be held", "auto"), ("ignores", "cannot be held", "words")]
)
def test_a_test_of_the_model_finds_whether_it_can_be_held_to_a_schema(page: AppTest, manner: str, told: str, form: str) -> None:
    with ModelServer(schemas.MANNERS[manner]) as server:
        page.run()
        use(page, Model_id="openai/test", Base_URL=server.base_url)
        press(page, "Test this model")
        assert f"It {told} to a JSON schema" in said(page)
        assert catalogue.reply_form_for("auto", "openai/test", server.base_url) == form


def test_a_local_model_says_how_to_get_it_and_what_it_needs(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    page.run()
    assert "make local-model MODEL=smollm2" in html(page)
    weights.folder().mkdir(parents=True)
    (weights.folder() / weights.SMOLLM2.file).write_bytes(gguf())
    (weights.folder() / "broken.gguf").write_bytes(b"an error page")
    monkeypatch.setattr(weights, "has_llama", lambda: True)
    page.run()
    assert "local/smollm2 · Apache-2.0 · file 0 MB · needs about" in html(page)
    assert "Context window 7,168 tokens. Speed not measured yet" in html(page)
    assert "is not a complete GGUF file" in html(page)
    assert [button.label for button in page.button].count("Start") == 1
    assert "make local-model MODEL=smollm2" not in html(page)
    assert "make local-model MODEL=qwen2.5-1.5b" in html(page)


def test_the_models_of_another_program_here_are_offered_and_chosen_with_its_server(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_servers, "find_offered", lambda: [OfferedModel("llama3.1:latest", other_servers.OLLAMA)])
    page.run()
    assert "Ollama (1 model) on this machine" in html(page)
    use(page, Model_id="ollama_chat/llama3.1:latest")
    assert (chosen(page).api_base, chosen(page).window) == ("http://127.0.0.1:11434", 4096)


def test_readers_of_ones_own_are_listed_with_their_origin_or_why_they_are_refused(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Plugin("broken", "package broken 2", problem="it is not a reader <b>")
    monkeypatch.setattr("readers.registry.PLUGINS", (Plugin("margin_notes", "/home/ada/readers/margin_notes", READER), broken))
    said = html(page.run())
    assert "Readers of your own" in said
    assert "/home/ada/readers/margin_notes" in said
    assert "It is not a reader &lt;b&gt;." in said
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    assert "/home/ada" not in html(page.run())


@pytest.mark.slow  # loads litellm
def test_testing_a_model_here_measures_it_and_shows_what_a_reading_takes(page: AppTest) -> None:
    with ModelServer(replying(memwalker_reply, delay=0.02)) as server:
        page.run()
        use(page, Model_id="openai/test", Base_URL=server.base_url)
        assert "What a reading takes" not in html(page)
        press(page, "Test this model")
        assert not page.exception
        assert re.search(r"It reads [\d,.]+ and writes [\d,.]+ tokens a second here", said(page))
        assert "What a reading takes" in html(page)
        assert "based on this model’s speed on this machine" in html(page)
        store_speed("openai/test", server.base_url, Speed(read=1, written=1))  # measured again while this machine was busy
        before = html(page)
        page.run()
        assert re.search(r"<dd>\d+ to \d+ hours", html(page))
        assert not re.search(r"<dd>\d+ to \d+ hours", before)


@pytest.mark.parametrize("given", ["0", "-1", "many", "2.5", "999"])
def test_a_number_of_readings_at_once_that_is_none_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert configured_at_once() == 3
    monkeypatch.setenv("PALIMPSEST_AT_ONCE", "12")
    assert configured_at_once() == 12
    monkeypatch.setenv("PALIMPSEST_AT_ONCE", given)
    with pytest.raises(BadOptions, match="PALIMPSEST_AT_ONCE"):
        configured_at_once()


# A public demo


@pytest.fixture
def in_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")


def opened(script: str) -> AppTest:
    """A page in a session of its own, as after a reload or a restart of the server."""
    return AppTest.from_file(str(ROOT / "home.py"), default_timeout=30).switch_page(script).run()


def test_a_profile_is_saved_without_its_key_and_is_in_use_after_a_reload(page: AppTest, store: Store) -> None:
    page.run()
    terms: dict[str, Any] = {"Model_id": "openai/x", "Base_URL": "http://127.0.0.1:9/v1", "Temperature": 0.5, "Key": KEY}
    use(page, **terms, Name_of_the_profile="Mine", pressed="Save as a profile, and use it")
    saved = ModelChoice("openai/x", "http://127.0.0.1:9/v1", 0.5, name="Mine")
    assert chosen(page) == replace(saved, api_key=KEY)
    assert KEY not in "".join(store.connection.db.iterdump())
    again = opened("pages/8_Models.py")
    assert chosen(again) == saved
    assert field(again, "Profile").value == "Mine"
    use(again, Temperature=0.7)
    assert (chosen(again).name, store.profiles.get("Mine").temperature) == ("", 0.5), "only saving changes a profile"
    field(again, "Profile").set_value("Mine").run()
    assert chosen(again) == saved
    use(again, Temperature=0.7, pressed="Save as a profile, and use it")
    assert store.profiles.get("Mine").temperature == 0.7
    press(again, "Back to the offline model")
    assert chosen(opened("pages/8_Models.py")) == ModelChoice.default()


def test_names_of_profiles_do_not_clash_and_one_is_renamed_and_deleted(page: AppTest, store: Store) -> None:
    for name in ("A", "B"):
        store.profiles.add(Profile("openai/x", name=name))
    store.profiles.choose("A")
    page.run()
    use(page, Name_of_the_profile="b", pressed="Save as a profile, and use it")
    assert "already a profile 'B'" in said(page)
    field(page, "New name").set_value("C").run()
    press(page, "Rename")
    assert (store.profiles.names(), store.profiles.chosen(), chosen(page).name) == (["B", "C"], "C", "C")
    press(page, "Delete")
    assert (store.profiles.names(), chosen(page)) == (["B"], ModelChoice("openai/x"))


def test_a_profile_of_a_model_that_is_gone_is_said_and_another_model_reads(page: AppTest, store: Store) -> None:
    store.profiles.add(Profile("openai/x", name="Mine"))
    store.profiles.choose("Mine")
    store.connection.execute("UPDATE profiles SET terms = ?", ('{"id": "local/gone"}',))
    page.run()
    assert "The profile 'Mine' cannot be used" in said(page)
    assert chosen(page) == ModelChoice.default()


def test_visitors_of_a_demo_see_no_profile_of_the_host(page: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.profiles.add(Profile("openai/x", name="Hosts own"))
    store.profiles.choose("Hosts own")
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    for one in (page.run(), opened("pages/2_Read.py")):
        assert "_model_choice" not in one.session_state
        assert "Hosts own" not in html(one) + said(one)
        assert not any(box.label == "Profile" for box in one.selectbox)
    profile = ModelChoice("offline/extractive")
    acts = [
        lambda: access.profile("Hosts own"), lambda: access.delete_profile("Hosts own"),
        lambda: access.rename_profile("Hosts own", "x"), lambda: access.save_profile(profile, "Hosts own", new=False),
    ]  # fmt: skip
    for act in acts:
        with pytest.raises(BadOptions, match="public demo"):
            act()
    assert store.profiles.names() == ["Hosts own"]


@pytest.mark.usefixtures("in_demo")
def test_a_demo_takes_no_key_and_offers_the_hosts_models_alone(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("PALIMPSEST_MODEL", "gpt-4o-mini")
    page.run()
    assert not page.exception
    assert list(page.text_input) == []
    assert "OPENAI_API_KEY" not in html(page)
    assert demos.models() == ("gpt-4o-mini", catalogue.OFFLINE, catalogue.HUMAN)
    assert "Test this model" not in [button.label for button in page.button]
    press(page, "Back to the offline model")
    assert chosen(page).offline
    press(page, "Test this model")
    assert "It answered" in said(page)


def test_what_a_demo_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    for model, base, options in (
        ("gpt-4o-mini", None, {}),
        (catalogue.OFFLINE, "http://127.0.0.1:9/v1", {}),
        (catalogue.OFFLINE, None, {"recall": "embedding/openai/x"}),
    ):
        with pytest.raises(BadOptions, match="public demo"):
            demos.check_model(model, base, options)
    demos.check_model(catalogue.OFFLINE, None, {"working_memory": "path"})
    with pytest.raises(BadFile, match="2 MB"):
        demos.check_bytes(b"x" * 2_000_001)
    with pytest.raises(BadFile, match="200,000 tokens"):
        demos.check_tokens(200_001)
    assert demos.capped({}) == {"max_calls": 2000}
    assert demos.capped({"max_calls": 5000, "max_cost": 1.0}) == {"max_calls": 2000, "max_cost": 1.0}
    assert demos.capped({"max_calls": 7}) == {"max_calls": 7}
    for off in ("", "0", "no"):
        monkeypatch.setenv("PALIMPSEST_DEMO", off)
        assert not demos.on()


def test_a_judge_is_shown_once_it_was_measured_here_and_not_before(page: AppTest) -> None:
    page.run()
    assert "As a judge" not in html(page)
    judged = [("lost", "does not say it")] * 8 + [("carried", None), ("carried", "says it")]
    store_figures(figures_of("local/<b>x</b>", judged))
    page.run()
    assert not page.exception
    drawn = html(page)
    assert "As a judge of whether a text still says it" in drawn
    assert "90.0<small>59.6 to 98.2</small><small>9 of 10</small>" in drawn
    assert "100.0<small>67.6 to 100.0</small><small>8 of 8</small>" in drawn
    assert "10 pairs judged; 1 without a verdict that could be read" in drawn
    assert "<b>x</b>" not in drawn
