"""Pictures of readers that look at the text once: what they showed the model of it, on an axis from beginning to end. Pure.

*Retrieval*: every piece with its score and rank, and where the ranking was cut. *Whole text*: what was kept, what was left out,
and the words on either side of the cut.

An axis is { "kind": "axis", "caption", "hint", "parts": [...], "others": [...], "from", "cut_after", "cut_words", "cuts":
[...], "here": [...] }:

- `parts` are the rows of the list, in its order, each { "id", "name", "span", "refs", "score", "changes", "words" } and, if it
  has them, "rank" and "note" (or, in place of a note, its "share" of the text). A part is as high as its `score`. `changes` are
  pairs of a step and the part's state from then on: `scored`, `taken`, `left` or `back`; before the first it is not shown.
- `others` are parts on the axis alone: "span", "refs", "score". All of it appears at step `from`.
- `cut_words` stand in the list after `cut_after` parts (0: nowhere); `cuts` are places in the text, each with its "span" and the
  words "before" and "after" it.
- `here` has an entry for each step: the id of the part that the step is about, or None.

Steps are counted from 0, as in `step.number`; pages and their addresses (`at=`) count from 1. Spans are characters of the
document; `refs` are the names (`text/refs.py`) of the texts that a part stands for, by which facts are marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import Any

from readers import get
from readers.engine.record.events import Chose, Cut, Looked
from readers.engine.record.scores import in_words
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.document import Document
from readers.engine.text.shorten import shorten_at_word

MOST_ROWS = 40  # of a ranking, beyond those that were taken
WORDS = 150  # characters of a piece
AROUND = 110  # characters on either side of a cut
Part = dict[str, Any]


def draw_ranking(trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """Every piece on the axis, as high as its score; None before they are scored."""
    pieces: Sequence[Mapping[str, Any]] = get("retrieval").view(trace)["pieces"]
    if not pieces:
        return None
    places = {refs.place(piece["start"], piece["end"]): piece["id"] for piece in pieces}
    changes: dict[int, list[tuple[int, str]]] = defaultdict(list)
    looked: dict[int, list[int]] = defaultdict(list)  # the pieces that were opened, by step
    for step, event in trace.by_step():
        if isinstance(event, Chose) and event.action == "score":
            changes |= {place: [(step.number, "scored")] for place in places.values()}
        elif isinstance(event, Chose) and event.action == "put_back":
            changes[places[event.picked]].append((step.number, "back"))
        elif isinstance(event, Looked):
            for piece_id in (places[ref] for span in event.spans if (ref := refs.place(*span)) in places):
                looked[step.number].append(piece_id)
                if changes[piece_id][-1][1] == "scored":
                    changes[piece_id].append((step.number, "taken"))
    ranked = sorted(pieces, key=lambda piece: piece["rank"])
    taken = sum(piece["taken"] for piece in pieces)
    notes = in_words([piece["score"] for piece in ranked], set(range(taken)))
    shown = list(zip(ranked, notes, strict=True))[: taken + MOST_ROWS]
    why = next((event.because for event in trace.decisions("take")), "")
    return {
        "kind": "axis",
        "caption": "The ranking, on the text",
        "hint": "as high as its score; solid: shown to the model",
        "parts": [{**_ranked(piece, changes[piece["id"]], trace.document), "note": note} for piece, note in shown],
        "others": [_place(piece) | {"score": piece["score"]} for piece in ranked[taken + MOST_ROWS :]],
        "from": changes[ranked[0]["id"]][0][0],
        "cut_after": taken,
        "cut_words": f"{why}: the ranking was cut here" if why else "the ranking was cut here",
        "cuts": [],
        "here": [looked[step.number][0] if len(looked[step.number]) == 1 else None for step in trace.steps],
    }


def _ranked(piece: Mapping[str, Any], changes: Sequence[tuple[int, str]], document: Document) -> Part:
    words = shorten_at_word(document.text[piece["start"] : piece["end"]], WORDS)
    return {
        "id": piece["id"],
        "name": f"piece {piece['id']}",
        "rank": piece["rank"],
        "score": piece["score"],
        "words": words,
        "changes": list(changes),
        **_place(piece),
    }


def _place(piece: Mapping[str, Any]) -> Part:
    return {"span": (piece["start"], piece["end"]), "refs": [refs.place(piece["start"], piece["end"])]}


def draw_window(trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """What of the text there was room for, and the words at the cut; None before the text was fitted. Of several attempts the
    last counts."""
    cut = next((event for event in reversed(trace.events) if isinstance(event, Cut)), None)
    decided = [event for event in trace.events if isinstance(event, Chose) and event.action in ("fit", "leave_out")]
    if cut is None or not decided:
        return None
    names, last = get("whole").names(trace), decided[-1]
    left_out = last.picked if last.action == "leave_out" else ""
    spans = list(cut.spans)
    text = trace.document.text
    parts: list[Part] = []
    for number, (start, end) in enumerate(spans):
        kept = refs.place(start, end) != left_out
        share = (end - start) / max(1, len(text))
        parts.append(
            {
                "id": number,
                "name": names.get(refs.place(start, end), "the text"),
                "span": (start, end),
                "refs": [refs.place(start, end)],
                "score": 1.0,
                "share": share,
                "changes": [(0, "taken" if kept else "left")],
                "words": "",
            }
        )
    return {
        "kind": "axis",
        "caption": "What there was room for",
        "hint": "solid: shown to the model",
        "parts": parts,
        "others": [],
        "from": 0,
        "cut_after": 0,
        "cut_words": last.because,
        "cuts": [_cut_at(text, edge) for _, edge in spans[:-1]] if left_out else [],
        "here": [None] * len(trace.steps),
    }


def _cut_at(text: str, edge: int) -> Part:
    """A cut, with the words before and after it."""
    before, after = " ".join(text[max(0, edge - AROUND) : edge].split()), " ".join(text[edge : edge + AROUND].split())
    before = before.partition(" ")[2] if edge > AROUND else before
    return {"span": (edge, edge), "before": before, "after": after.rpartition(" ")[0]}
