"""A reading whose memory goes through everything a memory can: for tests of its view.

Eight paragraphs, each a chunk at 64 tokens, and the memory that is written at each."""

from __future__ import annotations

from typing import Any

from readers.engine.models.call import Call
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted
from tests.support.readings.rememr1_readings import blocks

QUESTION = "What did the surveyor owe to Hester Vane?"
OPTIONS = {"chunk_tokens": 64, "memory_tokens": 96}

PARAGRAPHS = (
    "Begin with the survey. It was in the cold spring of 1811 that the survey of the point was made, and the man who made it was "
    "Edmund Rusk, a lieutenant on half pay with a borrowed theodolite and very little else to his name.",
    "Then there is the chest at Carrow, which has two locks, one of brass and one of iron, and which nobody in the house could "
    "open for eleven years, though the whole family had tried it with every key on the ring.",
    "By the end of that summer Rusk owed Hester Vane the sum of forty pounds for lodging and drawing, as her own account book "
    "shows in a neat hand, with the dates, and with a small cross against every week he was late.",
    "While he was on the point he lodged with the Vanes in the upper room. The chart was printed in London under Rusk’s name "
    "alone, in two colours, and sold for half a crown at the sign of the anchor.",
    "In June of the next year the bell buoy was moved, by order of the corporation, some sixty fathoms to the south of the "
    "ledge, and three pilots wrote angrily to say that nobody had asked them about it.",
    "Nothing was heard of either of them that winter. The harbour froze twice, the packet was late, and what little coal there "
    "was went to the lighthouse, which burned a ton of it in every long night until the thaw.",
    "Hester said at last, in front of a magistrate and in a steady voice, that the soundings were hers, taken from an open boat "
    "with a lead of her own, and that she had never been paid what was promised to her.",
    "So it ended. The magistrate wrote it all down on two sheets, folded them, and sent them to the Admiralty, where they were "
    "numbered, put away in a press with a great many others, and forgotten for a hundred years.",
)
SURVEY = "The survey of the point was made in the spring of 1811 by Edmund Rusk."
LODGED = "The survey of the point was made in the spring of 1811 by Edmund Rusk, who lodged with the Vanes."
CHEST = "The chest at Carrow has two locks."
DEBT = "Rusk owed Hester Vane forty pounds for lodging and drawing."
CHART = "The chart was printed under Rusk’s name."
BUOY = "The bell buoy was moved in June."
BOTH = "The chart was printed under Rusk’s name and the bell buoy was moved in June."
HERS = "The soundings were Hester’s."
MEMORIES = (
    SURVEY,
    f"{SURVEY} {CHEST}",
    f"{SURVEY} {CHEST}\n\n{DEBT}",
    f"{LODGED}\n\n{DEBT} {CHART}",
    f"{LODGED} {CHART}\n\n{BUOY}",
    f"{LODGED} {BOTH}",
    f"{LODGED}\n\n{DEBT} {HERS} {BOTH}",
    f"{DEBT} {HERS}\n\n{LODGED}",
)
ASKED_AT, RECALLED = 6, 4  # steps, from 1
QUERY = "pounds owed to Hester Vane"
ANSWER = "Forty pounds for lodging and drawing."


def document(before: str = "") -> Document:
    return Document.of(before + "\n\n".join(PARAGRAPHS), title="The Carrow papers")


def model(*, recalls: bool = True) -> Scripted:
    """Writes these memories; one of ReMemR1's looks back once."""

    def reply(call: Call) -> str:
        if call.prompt.task != "update_memory":
            return f"\\boxed{{{ANSWER}}}"
        number = next(n for n, words in enumerate(PARAGRAPHS) if words[:20] in call.part("section")[0])
        if not recalls:
            return MEMORIES[number]
        return blocks(MEMORIES[number], QUERY if number + 1 == ASKED_AT else "")

    return Scripted(reply)


def places(found: Any) -> list[list[str]]:
    """How each sentence of each memory was matched, of a picture."""
    return [[found["hows"][how] for _, _, how, _ in row] for row in found["memories"]]
