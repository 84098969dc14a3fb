"""How near the sentences of a text are to those of an answer by an embedding model, compared once and recorded.

It is an experiment with a reading, like samples of a call: one run by a reader that cannot be selected, so that it is recorded,
paid for, stopped and resumed like everything else. Every sentence of the text is sent to the embedding model once: its vector is
cached while the answer's sentences are compared with it. Not here: what the scores are used for
(`readers/engine/analysis/facts/attribution.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.errors import BadOptions
from readers.engine.forks.experiments import add_beside, experiments_of, spec_beside
from readers.engine.models import catalogue
from readers.engine.models.similarity import EMBEDDING
from readers.engine.prompts.options import option
from readers.engine.run.desk import Desk
from readers.engine.run.estimate import PROMPT_SPREAD, cost_of
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run, Store
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Question, Span, Text
from readers.engine.work import NOTHING, Price, Range

ID = "nearness"
AT_ONCE = 1_000  # sentences compared in a call: the vectors of this many are cached, however long they are


@dataclass(frozen=True)
class NearnessOptions:
    """`queries` is a list of sentences as JSON: the place of each in the answer, and its words after the question's."""

    scorer: str = option("", "What compares them: `embedding/` and the model's id.")
    queries: str = option("[]", "The sentences of the answer with their places there, each after its question, as JSON.")


class Nearness(Reader):
    """Compares the sentences of the text with each sentence of an answer."""

    id = ID
    title = "Nearness by embeddings"
    version = 1
    prompts = ()
    Options = NearnessOptions

    def read(self, document: Document, question: Question, desk: Desk, options: NearnessOptions) -> Text:
        queries = _decode(options.queries)
        for block in _blocks(document):
            texts = [document.at(place).strip() for place in block]
            with desk.step("compare"):
                for _, words in queries:
                    desk.score(Text(words), texts, by=options.scorer)
        return Text(f"{len(queries)} of the answer, {len(_places(document))} of the text")


def _places(document: Document) -> list[Span]:
    """The sentences of a document that have a letter or a digit."""
    return [span for span in split.sentences(document.text) if any(map(str.isalnum, document.text[span.start : span.end]))]


def _blocks(document: Document) -> Iterator[list[Span]]:
    places = _places(document)
    return (places[start : start + AT_ONCE] for start in range(0, len(places), AT_ONCE))


def _queries(reading: Reading) -> list[tuple[Span, str]]:
    """The sentences of an answer, each after the question, which gives its subject."""
    question, answer = reading.run.question, reading.run.answer or ""
    spans = split.sentences(answer)
    return [(span, f"{question} {answer[slice(*span)].strip()}") for span in spans if answer[slice(*span)].strip()]


def _decode(encoded: str) -> list[tuple[Span, str]]:
    return [(Span(*sentence), words) for sentence, words in json.loads(encoded)]


def price(reading: Reading, model: str) -> Price:
    """What comparing takes at most with this embedding model: `of` sentences are embedded, each once. Raises BadOptions like
    `compare`."""
    queries, blocks = _checked(reading, model), list(_blocks(reading.document))
    text = reading.document.text
    words = [*(query for _, query in queries), *(text[slice(*place)] for block in blocks for place in block)]
    counted = sum(map(tokens.count, words))
    sent = Range(counted, counted).times(1, spread=PROMPT_SPREAD)
    calls = len(queries) * len(blocks)
    return Price(Range(calls, calls), sent, cost=cost_of(model, sent, NOTHING), of=len(words))


def compare(store: Store, reading: Reading, model: str, terms: Mapping[str, Any]) -> Run:
    """Put the comparison on record, queued; `terms` are a spec's fields that say from which server the embeddings come.

    Raises BadOptions if the reading has no answer, or the model is not an embedding model.
    """
    spec = spec_beside(Nearness(), "What is nearest to the answer?", options(reading, model), terms)
    return add_beside(store, reading.run, spec, name=f"what is nearest to its answer by {model}")


def options(reading: Reading, model: str) -> dict[str, str]:
    """The options of a comparison with this model. Raises BadOptions like `compare`."""
    queries = _checked(reading, model)
    return {"scorer": f"{EMBEDDING}{model}", "queries": json.dumps(queries, ensure_ascii=False)}


def _checked(reading: Reading, model: str) -> list[tuple[Span, str]]:
    if not model or catalogue.needs_nothing(model):
        raise BadOptions(f"{model or 'nothing'!r} is not an embedding model; name one, such as text-embedding-3-small")
    if not (queries := _queries(reading)):
        raise BadOptions(f"reading {reading.run.id!r} has no answer to compare with the text")
    return queries


# Its results


def model_of(run: Run) -> str:
    """The embedding model of a comparison."""
    return str(run.spec["options"]["scorer"]).removeprefix(EMBEDDING)


def comparisons(store: Store, run_id: str) -> list[Run]:
    """The finished comparisons of a reading's answer, latest first."""
    made = (run for one in experiments_of(store, run_id, reader=ID) for run in one.runs)
    return [run for run in made if run.status == "finished"]


def compared(comparison: Reading) -> dict[Span, Mapping[Span, float]]:
    """How similar each place of the text is to each sentence of the answer, by its place there, of a finished comparison."""
    queries, blocks = _decode(comparison.run.spec["options"]["queries"]), list(_blocks(comparison.document))
    replies = {record.seq: json.loads(record.reply) for record in comparison.records if record.reply is not None}

    def scores(number: int) -> dict[Span, float]:
        rows = [(block, replies[row * len(queries) + number]) for row, block in enumerate(blocks)]
        return {place: score for block, found in rows for place, score in zip(block, found, strict=True)}

    return {sentence: scores(number) for number, (sentence, _) in enumerate(queries)}
