"""From a request to a reading, and from the reading to a reply: which reader, which model, which options; and the result.

Not here: HTTP (`server.py`), and how many readings run at once (`server.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from readers.cli.serve import shapes
from readers.cli.serve.layouts import DocumentQuestion, take_apart
from readers.cli.serve.shapes import ChatRequest, Completed
from readers.engine.errors import Cancelled, ModelFailed, NotFound
from readers.engine.ingest import from_paste
from readers.engine.models import catalogue
from readers.engine.models.call import TokenPrice
from readers.engine.models.model import Model
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.part_sizes import TextLength, suited
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.document import Document

TITLE = "Text of a request"
LINGER_SECONDS = 10.0  # that calls in flight have to be recorded when a client is gone


@dataclass(frozen=True)
class Terms:
    """How the server's readings are read: what its command line says. `options`, `prompts` and `sampling` are by reader; those in
    `auto` have sizes that suit each text, below their options. `api_base`, `price` and `profile` are only for the models of the
    command line."""

    readers: Mapping[str, Reader]
    models: tuple[str, ...]
    options: Mapping[str, Mapping[str, Any]]
    prompts: Mapping[str, Mapping[str, str]]
    sampling: Mapping[str, Mapping[str, Any]]
    auto: frozenset[str] = frozenset()
    api_base: str | None = None
    window: int | None = None
    reply_tokens: int | None = None
    caps: Mapping[str, Any] = field(default_factory=dict)
    reuse: bool = True
    template: str | None = None
    timeout: float | None = None
    concurrency: int = 1
    price: TokenPrice | None = None
    profile: str = ""


@dataclass(frozen=True)
class Begun:
    """A reading on record, with its reader, a client for its model, and the question."""

    run: Run
    reader: Reader
    model: Model
    asked: DocumentQuestion
    name: str
    concurrency: int

    @property
    def metadata(self) -> dict[str, str]:
        """What every reply says of the reading."""
        return {"reading": self.run.id, "reader": self.reader.id, "rule": self.asked.rule}


def reader_and_model(terms: Terms, name: str) -> tuple[Reader, str]:
    """The reader and the model id of a name such as `reader/NAME+MODEL`; the server's first model if it names none.

    Raises NotFound.
    """
    reader_id, _, model = name.removeprefix(shapes.MODEL_PREFIX).partition("+")
    reader = terms.readers.get(reader_id)
    if reader is None or not name.startswith(shapes.MODEL_PREFIX):
        ids = ", ".join(shapes.model_ids(list(terms.readers), terms.models[:1]))
        raise NotFound(
            f"there is no model {name[:200]!r}: a name is reader/READER+MODEL, with any model id after the +; here are {ids}"
        )
    return reader, model or terms.models[0]


def begin(store: Store, terms: Terms, request: ChatRequest) -> Begun:
    """Put the reading that a request asks for on record. Raises BadInput for what cannot be read, and NotFound for the model."""
    reader, model_id = reader_and_model(terms, request.model)
    client = catalogue.open_model(model_id, timeout=terms.timeout)
    asked = take_apart(request.words(terms.template))
    document = from_paste(asked.document, title=request.title or TITLE).document
    spec = _spec(terms, request, asked, reader=reader, model=model_id, document=document)
    run = create_run(store, document, reader, spec)
    return Begun(run, reader, client, asked, request.model, terms.concurrency)


def _spec(
    terms: Terms, request: ChatRequest, asked: DocumentQuestion, *, reader: Reader, model: str, document: Document
) -> RunSpec:
    window = terms.window or catalogue.window_for(model)
    sizes = suited(reader, TextLength.of(document), window=window).options if reader.id in terms.auto else {}
    given = {"temperature": request.temperature, "top_p": request.top_p}
    sampling = {**terms.sampling[reader.id], **{name: value for name, value in given.items() if value is not None}}
    own = model in terms.models
    api_base = terms.api_base if own else None
    form = catalogue.reply_form_for(sampling.get("reply_form", "auto"), model, api_base)
    return RunSpec(
        reader.id, reader.version, asked.question, asked.choices, {**sizes, **terms.options[reader.id]}, model=model,
        api_base=api_base, **{**sampling, "reply_form": form}, window=window,
        reply_tokens=terms.reply_tokens, room_factor=catalogue.room_factor_for(model), caps=terms.caps,
        prompts=terms.prompts[reader.id], reuse=terms.reuse,
        price=terms.price if own else None, profile=terms.profile if own else "",
    )  # fmt: skip


def read(store: Store, begun: Begun, *, stopped: Callable[[], bool]) -> Completed:
    """Let the reader read, until `stopped`. Raises Cancelled if it was, and ModelFailed if the reading failed."""
    how = Execution(begun.model, concurrency=begun.concurrency, linger=LINGER_SECONDS, stopped=stopped)
    run = execute(store, begun.run.id, begun.reader, how)
    if run.status == "cancelled":
        raise Cancelled
    if run.status != "finished":
        raise ModelFailed(f"{run.error or 'the reading failed'} (`python -m readers resume {run.id}` resumes it)")
    answered = run.outcome == "answered" and run.answer is not None
    live = [record for record in store.runs.tape(run.id).records() if record.origin == "live"]
    metadata = {**begun.metadata, "outcome": str(run.shown_outcome)}
    return Completed(
        run.id,
        begun.name,
        int(datetime.fromisoformat(store.runs.get(run.id).created).timestamp()),
        begun.asked.reply(str(run.answer)) if answered else "",
        {**metadata, "answer": str(run.answer)} if answered else {**metadata, "reason": str(run.error)},
        tokens_in=sum(record.tokens_in or 0 for record in live),
        tokens_out=sum(record.tokens_out or 0 for record in live),
        refusal=None if answered else str(run.error),
    )
