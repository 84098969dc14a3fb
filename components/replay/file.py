"""Replay files: one HTML file of a reading, or of several to switch between. Pure.

Not here: what a reading's data are (`reading.py`), and the page around them (`html.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from components.html.words import wording
from components.html.words.reader_words import title_in_list
from components.replay import html, reading
from components.replay.reading import Replayed
from readers.engine.analysis.measures import calls_counted
from readers.engine.errors import BadOptions
from readers.engine.store import Reading

MOST_READINGS = 12


def replay_file(shown: Sequence[Replayed]) -> str:
    """The file of these readings, in their order. Raises BadOptions for none, for too many, and for one without a step."""
    if not 1 <= len(shown) <= MOST_READINGS:
        raise BadOptions(f"a replay holds 1 to {MOST_READINGS} readings, and these are {len(shown)}; leave some out")
    for one in shown:
        if not one.reading.trace.steps:
            raise BadOptions(f"reading {one.reading.run.id!r} has no step yet, so there is nothing to replay")
    documents = list({one.reading.document.id: one.reading.document for one in shown}.values())
    numbers = {document.id: number for number, document in enumerate(documents)}
    made = [{**reading.of(one), "document": numbers[one.reading.document.id]} for one in shown]
    return html.page(f"{shown[0].reading.run.question} · Palimpsest replay", made, [one.text for one in documents])


def holds(readings: Sequence[Reading], *, known: bool) -> list[str]:
    """What a replay of these readings holds, in sentences, for those who are about to give it away. `known`: whether it has
    known answers."""
    texts = {one.document.id: f"“{one.document.title}” ({wording.size(one.document)})" for one in readings}
    calls = sum(sum(calls_counted(one.records)) for one in readings)
    readers = dict.fromkeys(title_in_list(one.run) for one in readings)
    return [
        f"The whole text: {'; '.join(texts.values())}.",
        f"{wording.count(len(readings))}, {'every step' if len(readings) == 1 else 'every step of each'}: {'; '.join(readers)}.",
        f"Every prompt and reply of {wording.count(calls, 'call')}, what a person wrote in their place, and the notes on steps.",
        f"{'The known answer, behind a switch.' if known else 'No known answer.'}",
        "Not in it: keys, addresses of servers, folders of this machine, your name, and other readings.",
    ]
