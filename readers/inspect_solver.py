"""A solver for tasks of Inspect: a reader reads each sample's text and answers its question. Needs inspect_ai, which is not
installed with the app.

    from readers.inspect_solver import palimpsest_reader

    Task(dataset, solver=palimpsest_reader("READER", options={"segment_tokens": 400}), scorer=includes())

The text is `document` in the sample's metadata; where there is none, it is taken out of the input by the rules of `serve`. The
model is the task's own, unless another is named: then the calls of a reading are made one after the other, in Inspect's
transcript, while several samples are read at once. Readings are stored like all others; the sample's store has the id as
`palimpsest_reading`. Not here: writing logs (`engine/files/runs/export_inspect.py`), and how text and question are found
(`cli/serve/layouts.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio.from_thread
import anyio.to_thread
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from readers import offered
from readers.cli.serve.layouts import DocumentQuestion, RequestWords, take_apart
from readers.engine.errors import ModelFailed
from readers.engine.ingest import from_paste
from readers.engine.models import catalogue
from readers.engine.models.call import LENGTH, Call, Reply
from readers.engine.models.model import Model
from readers.engine.questions.answers import chosen
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store

DOCUMENT = "document"  # where the text is in a sample's metadata
READING = "palimpsest_reading"  # where the reading's id is in a sample's store


@solver
def palimpsest_reader(
    reader: str,
    *,
    model: str | None = None,
    options: Mapping[str, Any] | None = None,
    window: int | None = None,
    max_calls: int | None = None,
) -> Solver:
    """A solver that lets a reader read. `model` is an id of the app's (None: the task's own model), `window` its context in
    tokens. Raises NotFound for an unknown reader, and BadOptions for wrong options once a sample is read."""
    offered(reader)
    read = partial(_read, reader, model, options=options or {}, window=window, max_calls=max_calls)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        own = None if model else get_model()
        choices = tuple(choice.value for choice in state.choices)
        words = RequestWords((state.input_text,), state.metadata.get(DOCUMENT), None, choices)
        run = await anyio.to_thread.run_sync(read, words, own)
        answer = run.answer or "" if run.outcome == "answered" else ""
        state.output = ModelOutput.from_content(str(run.spec["model"]), answer)
        state.messages.append(ChatMessageAssistant(content=answer, source="generate"))
        state.store.set(READING, run.id)
        if choices:
            picked = chosen(answer, choices)
            for number in range(len(choices)):
                state.choices.mark_choice(number, number == picked)
        return state

    return solve


def _read(
    reader_id: str,
    model: str | None,
    words: RequestWords,
    own: Any,
    *,
    options: Mapping[str, Any],
    window: int | None,
    max_calls: int | None,
) -> Run:
    """Read one sample; the reading as it ended, or was cancelled. Raises ModelFailed where it failed."""
    asked: DocumentQuestion = take_apart(words)
    reader = offered(reader_id)
    model_id = model or str(own)
    client: Model = catalogue.open_model(model) if model else _TaskModel(own)
    room = window or (catalogue.window_for(model) if model else None)
    spec = RunSpec(
        reader.id, reader.version, asked.question, asked.choices, options, model=model_id, window=room,
        caps={"max_calls": max_calls}, reuse=model is not None,
    )  # fmt: skip
    with Store() as store:
        made = create_run(store, from_paste(asked.document, title="Sample of an Inspect task").document, reader, spec)
        run = execute(store, made.id, reader, Execution(client, stopped=_is_cancelled))
    if run.status == "failed":
        raise ModelFailed(f"reading {run.id} failed: {run.error}")
    return run


@dataclass(frozen=True)
class _TaskModel:
    """The task's model, as a reading asks it. Its calls are made in the thread of the reading, so that they are in the sample's
    transcript and count towards its limits."""

    model: Any

    def immediate(self, call: Call) -> bool:
        """Asked in the reading's own thread, the only one that can reach Inspect's event loop."""
        return True

    def complete(self, call: Call) -> Reply:
        output: ModelOutput = anyio.from_thread.run(self._generate, call)
        usage = output.usage
        if not output.choices:
            raise ModelFailed(f"the task's model gave no reply: {output.error or 'it sent no choice'}")
        return Reply(
            output.completion,
            tokens_in=usage.input_tokens if usage else None,
            tokens_out=usage.output_tokens if usage else None,
            finish=LENGTH if output.stop_reason == "max_tokens" else "stop",
        )

    async def _generate(self, call: Call) -> ModelOutput:
        settings = call.settings
        config = GenerateConfig(max_tokens=call.max_tokens, temperature=settings.temperature, top_p=settings.top_p)
        return await self.model.generate([_message(one) for one in call.messages], config=config)


def _message(sent: Mapping[str, str]) -> Any:
    kinds = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant}
    return kinds.get(sent["role"], ChatMessageUser)(content=sent["content"])


def _is_cancelled() -> bool:
    """Whether Inspect has cancelled the sample."""
    try:
        anyio.from_thread.check_cancelled()
    except Exception:
        raise
    except BaseException:  # the class of a cancellation depends on the event loop
        return True
    return False
