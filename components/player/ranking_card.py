"""The decision card of a step at which a rule took some places of the text and left others: by their scores, or for want of room.

Pure. Scored places stand in the order of their ranks, of many the best; others in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from readers.engine.record.events import Chose, Event
from readers.engine.text import refs

MOST_ROWS, LEFT = 40, 5


def card(happened: Sequence[Event], names: Mapping[str, str]) -> dict[str, Any]:
    """What the card of such a step holds; nothing for any other."""
    chosen = [event for event in happened if isinstance(event, Chose)]
    scored = next((event for event in chosen if event.action == "score"), None)
    taken = [event for event in chosen if event.action == "take"]
    left_out = next((event for event in reversed(chosen) if event.action == "leave_out"), None)
    if scored and taken:
        return _card(list(_ranked(scored, {event.picked for event in taken}, names)), f"By rank: {taken[0].because} were taken.")
    if left_out:
        places = sorted([*left_out.among, left_out.picked], key=_start)
        rows = [_row("", ref, names, "left out" if ref == left_out.picked else "kept") for ref in places]
        return _card(rows, f"{left_out.because[:1].upper()}{left_out.because[1:]}.")
    return {}


def _card(options: list[dict[str, Any]], reason: str) -> dict[str, Any]:
    return {"at": "", "action": "take", "options": options, "reason": reason, "by_model": False}


def _ranked(scored: Chose, taken: set[str], names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Places with their scores, best first; of equals the first in the text."""
    scores = [float(score) for score in scored.because.split()]
    best = sorted(range(len(scores)), key=lambda n: (-scores[n], n))
    for rank, number in enumerate(best[: min(MOST_ROWS, len(taken) + LEFT)], 1):
        ref = scored.among[number]
        yield _row(str(rank), ref, names, f"{scores[number]:.4f} · {'taken' if ref in taken else 'left'}")


def _row(mark: str, ref: str, names: Mapping[str, str], note: str) -> dict[str, Any]:
    left = note.endswith(("left", "left out"))
    return {"mark": mark, "name": names.get(ref, ref), "picked": not left, "note": note, "struck": False, "ref": ref}


def _start(ref: str) -> int:
    return (refs.span(ref) or (0, 0))[0]
