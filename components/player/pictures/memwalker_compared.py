"""The summaries that MemWalker's model saw at a step: those it compared, or put together while the tree was built. Pure.

What was seen is taken from the prompts. The words that a summary shares with the question and with the stated reason are found
by rule (`player/shared_words.py`). Not here: the tree (`memwalker.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from components.player.shared_words import asked_about, shared, telling
from readers.engine.record.events import Asked, Chose
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.memwalker.narrative import UP

MOST_JOINED = 24  # summaries of a building step
DECIDED = ("enter", "revert")


def compared(trace: Trace, texts: Mapping[str, str], question: str) -> dict[int, dict[str, Any]]:
    """By step: the summaries in its prompts, in their order, by the id of their node; and whether going back up was offered or
    chosen. `left` is how many its last prompt had: without the part whose choice was refused. `met` are the words of a summary
    that the question has, `cited` those that only the stated reason has."""
    found = {}
    for step in trace.steps:
        events = trace.of(step)
        asked = [event for event in events if isinstance(event, Asked)]
        if ids := list(_seen(asked)):
            made = [event for event in events if isinstance(event, Chose) and event.action in (*DECIDED, "refuse")]
            found[step.number] = _joined(ids) if step.phase != "walk" else _options(ids, made, texts, question)
            found[step.number]["left"] = len(list(_seen(asked[-1:]))) if step.phase == "walk" else len(ids)
    return found


def _seen(asked: Iterable[Asked]) -> Iterator[str]:
    """The nodes whose summaries a step's prompts listed, each once."""
    ids: dict[str, None] = {}
    for event in asked:
        for pieces in dict(event.parts).get("summaries", ()):
            ids |= dict.fromkeys(refs.node_id(piece.origin) for piece in pieces if refs.written(piece.origin) is not None)
    return iter(ids)


def _joined(ids: Sequence[str]) -> dict[str, Any]:
    options = [{"id": node_id, "picked": False, "met": [], "cited": []} for node_id in ids[:MOST_JOINED]]
    return {"kind": "joined", "count": len(ids), "options": options, "back": ""}


def _options(ids: Sequence[str], made: Sequence[Chose], texts: Mapping[str, str], question: str) -> dict[str, Any]:
    last = next((event for event in reversed(made) if event.action in DECIDED), None)
    reason = last.because if last else ""
    asked = asked_about(question, reason)
    only_cited = telling(reason) - asked
    options = [
        {
            "id": node_id,
            "picked": last is not None and last.picked == refs.wrote(node_id),
            "met": shared(texts.get(node_id, ""), asked),
            "cited": shared(texts.get(node_id, ""), only_cited),
        }
        for node_id in ids
    ]
    offered = any(UP in event.among for event in made)
    back = "chosen" if last and last.picked == UP else "offered" if offered else ""
    return {"kind": "compared", "count": len(ids), "options": options, "back": back}


def words_met(steps: Mapping[int, Mapping[str, Any]]) -> dict[str, list[tuple[int, list[str]]]]:
    """The words of each compared summary that met the question, by node: the steps at which it was compared, and all words that
    had met it by then, in their order."""
    met: dict[str, list[tuple[int, list[str]]]] = {}
    for number, step in sorted(steps.items()):
        for option in step["options"]:
            before = met.setdefault(option["id"], [])
            words = dict.fromkeys([*(before[-1][1] if before else ()), *option["met"]])
            if len(words) > (len(before[-1][1]) if before else 0):
                before.append((number, list(words)))
    return {node_id: found for node_id, found in met.items() if found}
