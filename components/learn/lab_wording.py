"""What the planted-fact lab says: kinds of facts, cells of its map, sentences. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from components.html.words.wording import Tone
from readers.engine.analysis.facts.fates import EXITS
from readers.engine.analysis.facts.flow import PlantedCell
from readers.engine.analysis.facts.sufficiency import Standing
from readers.engine.questions.made.planted import WHOLE, FactKind
from readers.engine.text.phrases import counted

ABOUT = (
    "Put a fact into any text at several depths, have readers look for it, and see on one map where it was found, where it was "
    "lost, and at which step."
)
LEAD = (
    "Where in a long text is a fact lost? Add one and see. No other word is changed. The same fact is added at every depth, so "
    "that only its place differs. The readers get a new text, which is saved and marked as changed."
)
Choice = Literal["own"] | FactKind
KINDS: Mapping[Choice, str] = {
    "one": "A prepared fact",
    "own": "A fact of your own",
    "two": "Two that must be put together",
    "contradicted": "One that is contradicted later",
    "table": "One in a table",
    "footnote": "One in a footnote",
}
SEED = "Another seed gives another name and number."
SIZES = "The beginning of the text, cut after a paragraph."
NAME = "Planted fact"  # the beginning of the name of every set and batch of the lab
_LOST = "; ".join(f"**{one.cell}**{f', {one.about}' if one.about else ''}" for one in EXITS.values())
MEANINGS = (
    "◆ found: right, with the fact in view. ◇ lucky: right without it. ◐ partly right. ✕ not right, and what "
    f"became of the fact: {_LOST}. □ not read yet. A cell opens its reading at the step that decided it."
)

MapKind = Literal["answer", "evidence"]
MAPS: Mapping[MapKind, str] = {"answer": "The answer, and where the fact was lost", "evidence": "Did one call have all of it?"}
STOOD: Mapping[Standing, tuple[str, Tone]] = {
    "stated": ("● had it", "good"), "cannot be told": ("? unclear", "quiet"), "not stated": ("○ had not", "lost"),
}  # fmt: skip
STOOD_MEANINGS = (
    "● one call that looked for the answer had all of the fact, word for word or in a text that still states it; the number is "
    "how many tokens the calls took until then. ○ none had. ? the words do not settle it. A cell opens its reading at that call."
)


ExpectedCell = tuple[int, float]  # a variant, from 0, and a depth
EXPECTED = "lab_expected_of"  # what the session remembers of a batch
EXPECT = "Where will the fact be lost? Mark the depths at which you expect it, if any: they are outlined on the map, and counted."
MARKED = "You expected it to be lost here."


def expected(cells: Sequence[PlantedCell], marked: Collection[ExpectedCell]) -> str:
    """How what was expected to be lost compares with what was, once everything was read; empty where nothing was marked."""
    if not marked or any(cell.verdict is None for cell in cells):
        return ""
    lost = [(cell.variant, cell.depth) in marked for cell in cells if cell.found == "lost"]
    of = sum((cell.variant, cell.depth) in marked for cell in cells)
    others = f"{counted(len(lost) - sum(lost), 'cell')} that you did not mark" if len(lost) > sum(lost) else "no other"
    return f"You marked {counted(of, 'cell')}, outlined here: the fact was lost in {sum(lost)} of {of}, and in {others}."


def size(tokens: int) -> str:
    """A size to choose."""
    return "The whole text" if tokens == WHOLE else f"{tokens:,} tokens"


DEPTH = "0 % is the beginning of the text, 100 % its end."


def goes_in(starts: Sequence[int], text: str) -> str:
    """Where in a text facts begin, in words; `starts` are in characters."""
    of = len(text.split())
    places = [f"word {len(text[:start].split()) + 1:,}" for start in starts]
    return f"{DEPTH} Here it begins at {' and '.join(places)} of {of:,}."


def name(kind: Choice, title: str) -> str:
    """What a batch of the lab is called."""
    return f"{NAME}: {KINDS[kind][:1].lower()}{KINDS[kind][1:]}, in {title}"


def cell(found: PlantedCell) -> tuple[str, Tone]:
    """A cell of the map: its mark with a word, and the tone."""
    if found.verdict is None:
        return "□ waiting", "quiet"
    word = found.fate.exit.cell if found.fate and found.found == "lost" else found.found
    return f"{found.verdict.mark} {word}", found.verdict.tone


def stood(found: PlantedCell) -> tuple[str, Tone]:
    """A cell of the map of the evidence: whether one call had all of it and after how many tokens, and the tone."""
    how = found.fate.sufficiency if found.fate else None
    if how is None:
        return ("□ waiting", "quiet") if found.verdict is None else ("– unknown", "quiet")
    label, tone = STOOD[how.standing]
    after = how.until.tokens if how.until and how.standing == "stated" else None
    return label if after is None else f"{label[0]} {after:,}", tone


def told(found: PlantedCell) -> str:
    """What a cell says more about itself: the answer, and the right one."""
    run = found.result.run
    expected = " or ".join(found.result.question.answers)
    if run is None or found.result.grade is None:
        return found.result.problem or "This reading has not ended."
    answer = f"“{run.answer}”" if run.answer else "no answer"
    return f"It answered {answer}; right is “{expected}”."


def row(setting: str, tokens: int, *, sizes: int) -> str:
    """The name of a row: the setting, and the size where there is more than one."""
    return f"{setting} · {tokens:,} tokens" if sizes > 1 else setting
