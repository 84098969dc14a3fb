"""The offline model: extractive and deterministic, with no network, key or neural network; milliseconds per call.

It performs a prompt's *task* on the call's *parts* and replies in the prompt's own format, through the same parser as any model.
Equal calls give equal replies, byte for byte, on every machine. It selects sentences and compares words; it understands nothing,
and its reasoning only says which words decided. A task is a function in one of the modules here, a line in `TASKS`, and
another in `PARTS` (`parts.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import answering, chaining
from readers.engine.models.offline.choosing import act, choose, choose_many, next_page
from readers.engine.models.offline.graph import elaborate, entities, merge, question, relate
from readers.engine.models.offline.parts import lacking
from readers.engine.models.offline.pausing import pause
from readers.engine.models.offline.remembering import update_memory
from readers.engine.models.offline.summaries import shorten, summarise
from readers.engine.text import tokens

TASKS: dict[str, Callable[[Call], Mapping[str, str | int]]] = {
    "summarise": summarise,
    "choose": lambda call: next_page(call) if call.part("memory") else choose(call),
    "choose_many": choose_many,
    "answer_or_decline": lambda call: (chaining if "segments" in call.sizes else answering).answer_or_decline(call),
    "answer": lambda call: (chaining if "segments" in call.sizes else answering).answer(call),
    "entities": entities,
    "relate": relate,
    "question": question,
    "merge": merge,
    "elaborate": elaborate,
    "pause": pause,
    "update_memory": update_memory,
    "shorten": shorten,
    "act": act,
}


class Offline:
    """Answers calls by counting words. Stateless, so several threads may call it."""

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        if problem := lacking(call.prompt):
            raise ModelFailed(problem)
        text = call.prompt.reply.render(TASKS[call.prompt.task](call))
        tokens_in = sum(tokens.count(message["content"]) for message in call.messages)
        return Reply(text, tokens_in=tokens_in, tokens_out=tokens.count(text), cost_usd=0.0)
