"""How often a judge agrees with people's labels: measured by `make bench-judge` on this machine, and stored beside the database.

Labels that no verdict stands for (a part of the fact is still said) and pairs with two different labels count for no agreement; a
verdict on such a pair is not right. Not here: the labelled pairs, and asking the judge (`tests/facts`).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from readers.engine.home import home
from readers.engine.prompts.judge import JUDGE, Judgement
from readers.engine.statistics.intervals import wilson

MAX_BYTES = 1 << 20
LABELS: Mapping[Judgement, str] = {"says it": "carried", "says another": "altered", "does not say it": "lost"}


class JudgedPair(NamedTuple):
    """The label that a pair was given twice (None if there were two), and what the judge said (None: no reply could be read)."""

    label: str | None
    said: Judgement | None


class Share(NamedTuple):
    """So many of so many."""

    right: int
    of: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of Wilson (1927)."""
        return wilson(self.right, self.of)


@dataclass(frozen=True)
class JudgeFigures:
    """Of `pairs` judged, `agreed` compares those with a label that a verdict stands for; `kappa` (Cohen, 1960; None if chance
    alone would agree always) is of the same. `verdicts` says of each verdict how often it was right. `prompt` is the prompt's
    hash."""

    model: str
    prompt: str
    pairs: int
    unread: int
    agreed: Share
    kappa: float | None
    verdicts: Mapping[str, Share]

    @property
    def current(self) -> bool:
        """Whether it was measured with the prompt as it is now."""
        return self.prompt == JUDGE.hash


def figures(model: str, pairs: Sequence[JudgedPair]) -> JudgeFigures:
    """The figures of a model that judged these pairs."""
    meant = [(one.label, LABELS.get(one.said, "other") if one.said else "other") for one in pairs if one.label in LABELS.values()]
    same = sum(label == said for label, said in meant)
    verdicts: dict[str, Share] = {
        verdict: Share(sum(one.label == label for one in pairs if one.said == verdict), sum(one.said == verdict for one in pairs))
        for verdict, label in LABELS.items()
    }
    unread = sum(one.said is None for one in pairs)
    return JudgeFigures(model, JUDGE.hash, len(pairs), unread, Share(same, len(meant)), _kappa(meant), verdicts)


def _kappa(pairs: Sequence[tuple[str | None, str]]) -> float | None:
    n = len(pairs)
    first, second = (Counter(side) for side in zip(*pairs, strict=True)) if pairs else (Counter[str](), Counter[str]())
    chance = sum(first[label] * second[label] for label in first) / n**2 if n else 1.0
    same = sum(label == said for label, said in pairs)
    return None if chance == 1 else (same / n - chance) / (1 - chance)


def stored() -> list[JudgeFigures]:
    """The figures that were measured here, the latest of each model, by name. What cannot be read was never measured."""
    with suppress(OSError, ValueError, RecursionError):
        with _path().open("rb") as file:
            found = json.loads(file.read(MAX_BYTES))
        if isinstance(found, dict):
            return [one for _, value in sorted(found.items()) if (one := _of(value))]
    return []


def find(model: str) -> JudgeFigures | None:
    """The figures of a model; None if it was never measured here."""
    return next((one for one in stored() if one.model == model), None)


def store(new: JudgeFigures) -> None:
    """Store the figures of a model in place of earlier ones."""
    every = {one.model: asdict(one) for one in (*stored(), new)}
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(every, indent=1), encoding="utf-8")
    part.replace(path)


def _of(value: object) -> JudgeFigures | None:
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        data = dict(value)  # type: ignore[call-overload]
        kappa = None if data["kappa"] is None else float(data["kappa"])
        verdicts = {str(name): _share(share) for name, share in dict(data["verdicts"]).items() if name in LABELS}
        return JudgeFigures(
            str(data["model"]),
            str(data["prompt"]),
            int(data["pairs"]),
            int(data["unread"]),
            _share(data["agreed"]),
            kappa,
            verdicts,
        )
    return None


def _share(value: Sequence[int]) -> Share:
    right, of = map(int, value)
    if not 0 <= right <= of:
        raise ValueError(f"{right} of {of} is no share")
    return Share(right, of)


def _path() -> Path:
    return home() / "judges.json"
