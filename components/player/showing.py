"""The data of a reading that plays by itself: its picture and one sentence a step, without the text. Pure.

Made from the frames of the full player, so that both show the same.
"""

from __future__ import annotations

from typing import Any

from components.player import data
from readers import get
from readers.engine.analysis.narrate import narrate_briefly
from readers.engine.models import catalogue
from readers.engine.store import Reading


def of(reading: Reading) -> dict[str, Any]:
    """What `mount.showing` takes of a finished reading."""
    run, document, trace, _ = reading
    reader, made = get(run.reader), data.of(reading)
    model = catalogue.title(run.spec["model"])
    return {
        **{name: made[name] for name in ("run", "live", "kind", "picture", "by", "building")},
        "text": {"whole": None},
        "steps": [{"say": sentence} for sentence in narrate_briefly(trace, reader)],
        "question": run.question,
        "about": f"{reader.title} · {model} · {document.title}",
        "answer": {"by": f"answer, written by {model}", "words": run.answer or ""},
    }
