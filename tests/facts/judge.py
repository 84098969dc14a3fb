"""`make bench-judge MODEL=...`: a model judges the labelled pairs, and how often it agrees is stored for the page Models.

    python -m tests.facts.judge MODEL [--n N] [--seed S] [--api-base URL]

The pairs come in a seeded order; with `--n`, so many of them. One call a pair, more for replies that cannot be read. If it is
stopped, or a call fails, the pairs judged by then are counted.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence

from readers.cli.output import takes
from readers.engine.errors import ModelFailed
from readers.engine.forks.experiments import spec_beside
from readers.engine.forks.judge import (
    QUESTION,
    Judge,
    JudgeFigures,
    Pair,
    Share,
    check_judge,
    encode,
    figures_of,
    judged_in,
    price,
    store_figures,
)
from readers.engine.models import catalogue
from readers.engine.models.model import Model
from readers.engine.prompts.judging import Judgement
from readers.engine.run.execute import rehearse
from readers.engine.text.document import Document, Span
from tests.facts.measure import Labelled, labelled

PROGRESS = 20


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.facts.judge")
    parser.add_argument("model", help="a model id of litellm, or one of this machine")
    parser.add_argument("--n", type=int, default=0, help="so many of the pairs, all if not given")
    parser.add_argument("--seed", default="1", help="which ones")
    parser.add_argument("--api-base", help="the base URL of a server of your own")
    arguments = parser.parse_args(argv)
    local = f"local/{arguments.model}"
    model = local if local in catalogue.installed_local() else arguments.model
    check_judge(model)
    pairs = chosen(labelled(), arguments.n, arguments.seed)
    asked = price([as_pair(one) for one in pairs], model)
    print(f"{takes(asked)}, about {round(asked.tokens_in.high):,} tokens sent", file=sys.stderr)
    found = measure(pairs, catalogue.open_model(model), model, arguments.api_base)
    store_figures(found)
    print_figures(found)
    return 0


def chosen(pairs: Sequence[Labelled], n: int, seed: str) -> list[Labelled]:
    """So many of the pairs, all for 0, in an order that depends on the seed alone: a part of them is a fair choice."""
    shuffled = sorted(pairs, key=lambda one: hashlib.sha256(f"{seed} {one.fact} {one.carrier}".encode()).digest())
    return shuffled[:n] if n else shuffled


def as_pair(one: Labelled) -> Pair:
    return Pair(Span(0, 0), one.fact, 0, one.carrier)


def measure(pairs: Sequence[Labelled], model: Model, model_id: str, api_base: str | None = None) -> JudgeFigures:
    """Let a model judge the pairs, and count those that it could be asked about."""
    terms = {"model": model_id, "api_base": api_base, "window": catalogue.window_for(model_id)}
    said: list[tuple[str | None, Judgement | None]] = []
    try:
        for one in pairs:
            spec = spec_beside(Judge(), QUESTION, {"pairs": encode([as_pair(one)])}, terms)
            (verdict,) = judged_in(rehearse(Document.of("-"), Judge(), spec, model))
            said.append((one.agreed, verdict))
            if len(said) % PROGRESS == 0:
                print(f"{len(said)} of {len(pairs)}", file=sys.stderr)
    except (ModelFailed, KeyboardInterrupt) as error:
        if not said:
            raise
        print(f"stopped after {len(said)} of {len(pairs)}: {error or 'by Ctrl+C'}", file=sys.stderr)
    return figures_of(model_id, said)


def print_figures(found: JudgeFigures) -> None:
    kappa = "none" if found.kappa is None else f"{found.kappa:.2f}"
    print(f"{found.model}, prompt {found.prompt}: {found.pairs} pairs, {found.unread} without a verdict that could be read")
    print(f"  agrees with the label in {_told(found.agreed)}, kappa {kappa}")
    for verdict, share in found.verdicts.items():
        print(f"  “{verdict}” is right in {_told(share)}")


def _told(share: Share) -> str:
    if share.interval is None:
        return "none"
    return f"{share.right} of {share.of} = {share.right / share.of:.2f} ({share.interval[0]:.2f} to {share.interval[1]:.2f})"


if __name__ == "__main__":
    sys.exit(main())
