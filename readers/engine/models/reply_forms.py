"""Whether a server holds a model to a JSON schema: tried with one short call, stored beside the database, and what follows for
readings.

The trial asks for a sentence, and only its schema says that the reply is data: a server that ignores the schema gives itself
away. Not here: what a schema says (`prompts/formats/as_json.py`), and what is asked where a server refuses it
(`run/calls_in_flight.py`).
"""

from __future__ import annotations

from readers.engine.home import read_figures, write_figures
from readers.engine.models import timeouts
from readers.engine.models.call import Call, ModelSettings, ReplyForm
from readers.engine.models.local import weights
from readers.engine.models.model import Model, SchemaRefused, takes_schema
from readers.engine.models.received import take_thoughts
from readers.engine.prompts.formats.as_json import AsJson
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.json_text import objects
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Text

_FILE = "reply_forms.json"
_FORM = AsJson(Block((Line("reasoning", "words", "one short sentence"), Line("answer", "words", "one word"))))
_TRIAL = Prompt(
    id="models.schema",
    task="answer",
    template="A keeper painted the door green.\n\n$question",
    reply=_FORM,
    max_tokens=256,  # a model that thinks before it speaks needs room for that
)
_QUESTION = "Say in one sentence which colour the door has, without any list, table or code."


def holds_to_schema(model: Model, settings: ModelSettings) -> bool:
    """Whether the reply to a short question follows the schema that is sent with it. Raises ModelFailed if no reply comes."""
    call = Call(0, 0, _TRIAL, _TRIAL.parts({"question": Text(_QUESTION)}), settings)
    try:
        reply = take_thoughts(call, model.complete(call)).text.strip()
    except SchemaRefused:
        return False
    keys = {field.name for field in _FORM.fields()}
    return reply.startswith("{") and any(isinstance(one.data, dict) and {*one.data} == keys for one in objects(reply))


def store_found(model_id: str, api_base: str | None, holds: bool) -> None:
    """Store what a trial found, in place of an earlier one."""
    write_figures(_FILE, {**read_figures(_FILE), _key(model_id, api_base): holds})


def find(model_id: str, api_base: str | None) -> bool | None:
    """What the last trial here found; None if there was none."""
    found = read_figures(_FILE).get(_key(model_id, api_base))
    return found if isinstance(found, bool) else None


def known_to_hold(model_id: str, api_base: str | None) -> bool:
    """Whether a model can be held to a schema, as far as it is known: by the last trial here, else, at its provider's own
    address, by litellm."""
    found = find(model_id, api_base)
    if found is not None:
        return found
    return (
        api_base is None
        and not model_id.startswith(weights.PREFIX)
        and not timeouts.served_here(model_id, api_base)
        and takes_schema(model_id)
    )


def in_effect(wanted: ReplyForm, model_id: str, api_base: str | None) -> ReplyForm:
    """The reply form of a reading for which this one is wanted: "auto" stays where a schema will be sent, and is words elsewhere.
    Only "auto" asks litellm."""
    return wanted if wanted != "auto" or known_to_hold(model_id, api_base) else "words"


def _key(model_id: str, api_base: str | None) -> str:
    return f"{model_id} {api_base or ''}".strip()
