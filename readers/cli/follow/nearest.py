"""`follow RUN --answer`: what each sentence of the answer is nearest to; with `--embedding MODEL` by its embeddings, too."""

from __future__ import annotations

import argparse
import sys

from readers.cli.output import ANSWERED, one_line, print_json, takes
from readers.cli.progress import execute_shown
from readers.engine.analysis.facts.attribution import Attribution, Index, attributions, fused
from readers.engine.errors import ModelFailed
from readers.engine.forks import nearness
from readers.engine.models import catalogue
from readers.engine.run.execute import check_servers, models_still_needed
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.phrases import listed


def print_nearest(reading: Reading, arguments: argparse.Namespace) -> int:
    """Print for each sentence of the answer the sentence of the text nearest to it; the exit status.

    With an embedding model the text is compared once, and what that takes is printed first; afterwards its record is used.
    Raises ModelFailed if the model gave no embeddings.
    """
    run, model = reading.run, arguments.embedding
    index, answer = Index(reading.document), run.answer or ""
    if model:
        found = fused(index, run.question, answer, nearness.compared(_comparison(reading, model, arguments)))
    else:
        found = attributions(index, run.question, answer)
    if arguments.json:
        text = reading.document.text
        mark = {"embedding_model": model} if model else {}
        print_json([{**one._asdict(), "words": text[slice(*one.place)], **mark} for one in found])
    elif found:
        for one in found:
            _print(reading, one, model)
    else:
        print("No sentence of the answer has a word of the text." if answer else "There is no answer.")
    return ANSWERED


def _print(reading: Reading, one: Attribution, model: str | None) -> None:
    by = f" by its words and the embeddings of {model}" if model else ""
    lacks = f" ({listed(f'“{word}”' for word in one.missing)} not there)" if one.missing else ""
    how = "Supports it" if one.supports else f"Nearest{by}, which need not mean that it stands there{lacks}"
    print(f"“{one_line((reading.run.answer or '')[slice(*one.sentence)].strip())}”")
    words = one_line(reading.document.text[slice(*one.place)].strip())
    print(f"  {how}: characters {one.place.start} to {one.place.end}: “{words}”")


def _comparison(reading: Reading, model: str, arguments: argparse.Namespace) -> Reading:
    """The comparison with this model that is on record, or else a new one."""
    with Store() as store:
        for run in nearness.comparisons(store, reading.run.id):
            if nearness.model_of(run) == model:
                return open_reading(store, run.id)
        price = nearness.price(reading, model)
        print(f"{price.of:,} sentences to {model}: {takes(price)}", file=sys.stderr)
        made = nearness.compare(store, reading, model, {"model": catalogue.OFFLINE, "api_base": arguments.api_base})
        models = models_still_needed(store, made)
        check_servers(made, models, arguments.api_base)
        done = execute_shown(store, made, catalogue.open_models(models, timeout=arguments.timeout), arguments)
        if done.status != "finished":
            raise ModelFailed(f"the comparison {done.id!r} {done.status}: {done.error or 'it was stopped'}; `resume` resumes it")
        return open_reading(store, done.id)
