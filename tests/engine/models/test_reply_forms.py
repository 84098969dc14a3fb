"""Whether a model can be held to a schema: tried with servers of four manners, stored, and what follows for readings."""

from __future__ import annotations

import pytest

from readers.engine.models import catalogue, reply_forms
from readers.engine.models.call import Call, ModelSettings, ReplyForm
from readers.engine.models.model import LiteLLM
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.prompt import Prompt
from tests.support.servers import schemas
from tests.support.servers.model_server import ModelServer

BASE = "http://localhost:8000/v1"


@pytest.mark.slow
@pytest.mark.parametrize(("manner", "holds"), [("conforms", True), ("thinks", True), ("ignores", False), ("refuses", False)])
def test_a_server_is_tried_with_a_schema_that_its_prompt_does_not_mention(manner: str, holds: bool) -> None:
    with ModelServer(schemas.MANNERS[manner]) as server:
        settings = ModelSettings("openai/test", server.base_url)
        assert reply_forms.holds_to_schema(LiteLLM("sk-test"), settings) == holds
    (sent,) = server.requests
    assert "JSON" not in sent.content


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "api_base", "form"),
    [
        ("gpt-4o-mini", None, "auto"),
        ("anthropic/claude-sonnet-4-5", None, "auto"),
        ("groq/llama-3.1-8b-instant", None, "words"),
        ("openai/gpt-4o-mini", BASE, "words"),
        ("ollama/llama3.1", None, "words"),
        ("local/smollm2", None, "words"),
        (catalogue.OFFLINE, None, "words"),
        (catalogue.HUMAN, None, "words"),
    ],
)
def test_auto_is_words_where_nothing_is_known(model: str, api_base: str | None, form: ReplyForm) -> None:
    assert catalogue.reply_form_for("auto", model, api_base) == form


@pytest.mark.parametrize("model", ["openai/mine", "local/smollm2"])
def test_a_trial_decides_until_the_next_one(model: str) -> None:
    reply_forms.store_found(model, BASE, True)
    assert catalogue.reply_form_for("auto", model, BASE) == "auto"
    reply_forms.store_found(model, BASE, False)
    assert catalogue.reply_form_for("auto", model, BASE) == "words"
    assert catalogue.reply_form_for("schema", model, BASE) == "schema"
    assert reply_forms.find(model, None) is None


@pytest.mark.parametrize(("template", "added"), [("Which?", "\n\n$format"), ("Which?\n$format", "")])
def test_a_held_prompt_shows_its_form_and_is_another_request(template: str, added: str) -> None:
    form = Block((Line("reasoning", "words", ""), Line("answer", "words", "")))
    prompt = Prompt(id="test.any", task="answer", template=template, reply=form)
    held = prompt.held()
    assert held.template == template + added
    assert held.held() is held
    assert held.unheld().reply == form
    words, data = (Call(0, 0, one, (), ModelSettings("openai/x")) for one in (prompt, held))
    assert words.response_format is None
    assert data.response_format is not None
    assert data.response_format["json_schema"]["name"] == "test_any"
    assert (
        data.identity
        != Call(0, 0, prompt, (), ModelSettings("openai/x"), edited=tuple(data.messages), room=data.max_tokens).identity
    )
    assert words.identity != data.identity


@pytest.mark.parametrize("changed", [{"exact": True}, {"task": "score"}, {"reply": Prompt.reply}])
def test_what_is_exact_scored_or_a_text_alone_is_never_held(changed: dict[str, object]) -> None:
    form = Block((Line("answer", "words", ""),))
    fields: dict[str, object] = {"id": "test.any", "task": "answer", "template": "Which?", "reply": form, **changed}
    prompt = Prompt(**fields)  # type: ignore[arg-type]
    assert prompt.held() is prompt
