"""A group of readings as a text that a model can sum up, and the paragraph that it writes, sentence by sentence with the readings
that it cites.

The text is read by any reader like any other: so its price, its record and its model are those of a reading. A paragraph counts
only if every sentence cites a reading of the group; otherwise it is refused. Whether a sentence is true is not checked: the links
are there for that. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readers.engine.analysis.evaluate.evaluated import Evaluated
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.errors import BadInput
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.text import split
from readers.engine.text.document import Document
from readers.engine.text.shorten import shorten_at_word

MOST = 40  # readings in a text
QUESTION = (
    "In one paragraph of at most six sentences: what have these readings in common, and what went wrong in them? End every "
    "sentence with the numbers of the readings that show it, in square brackets, such as [2] or [1, 4]."
)
_LONGEST = 400  # characters of a question or an answer
_CITED = re.compile(r"\[([\d, ]{1,60})\]")
_LEADING = re.compile(r"(?:\[[\d, ]{1,60}\]\s*)+")
_NUMBER = re.compile(r"\d+")
_BRACKETS = str.maketrans("[]", "()")


def some_of(runs: Sequence[str]) -> list[str]:
    """At most `MOST` of these readings, evenly spread over them."""
    count = min(MOST, len(runs))
    return [runs[n * len(runs) // count] for n in range(count)]


def group_text(name: str, readings: Sequence[tuple[Evaluated, str | None, EvidenceFate | None]]) -> Document:
    """A text about these readings, numbered from 1: each with what was asked and known, its answer (None for none), and what
    became of the evidence."""
    parts = [_about(number, *one) for number, one in enumerate(readings, 1)]
    return Document.of("\n\n".join(parts), title=f"{len(readings)} readings: {name}")


def _about(number: int, one: Evaluated, answer: str | None, fate: EvidenceFate | None) -> str:
    known = KnownAnswer.of(one.asked)
    lines = [
        f"[{number}] {_quoted(one.reader)} was asked: {_quoted(one.asked.question)}",
        f"Its answer: {_quoted(answer) if answer else 'none.'}",
        *([f"Known answer: {_quoted(' / '.join(known.answers))}"] if known and known.answers else []),
    ]
    if fate and fate.sufficiency:
        lines.append(
            f"The evidence: {fate.kind}, decided at step {fate.step + 1}; all of it in one call: {fate.sufficiency.standing}."
        )
    return "\n".join(lines)


def _quoted(words: str) -> str:
    """Untrusted words on one line, without brackets, so that they cite nothing."""
    return shorten_at_word(" ".join(words.translate(_BRACKETS).split()), _LONGEST)


def cited(paragraph: str, readings: int) -> list[tuple[str, tuple[int, ...]]]:
    """The sentences of a paragraph without their citations, each with the numbers of the readings that it cites. Raises BadInput
    if there is none, or if one cites no reading of these."""
    found = []
    for sentence in _sentences(paragraph):
        numbers = [int(number) for cites in _CITED.findall(sentence) for number in _NUMBER.findall(cites)]
        words = " ".join(_CITED.sub("", sentence).split())
        if not numbers or not all(1 <= number <= readings for number in numbers):
            about = shorten_at_word(words or sentence, 80)
            raise BadInput(
                f"The paragraph is not shown: “{about}” cites none of the {readings} readings. Ask again, or another model."
            )
        found.append((words.replace(" .", "."), tuple(dict.fromkeys(numbers))))
    if not found:
        raise BadInput("The model wrote nothing. Ask another model.")
    return found


def _sentences(paragraph: str) -> list[str]:
    """The sentences; a citation that follows the stop belongs to the sentence before it."""
    found: list[str] = []
    for span in split.sentences(paragraph):
        words = paragraph[span.start : span.end].strip()
        lead = _LEADING.match(words)
        if lead and found:
            found[-1] += f" {lead[0].strip()}"
            words = words[lead.end() :]
        if words.strip(" ."):
            found.append(words)
    return found
