"""A method's algorithm, as a page shows it next to a reading: its lines, and the lines that each step ran.

A reader declares its lines in its own package, as the paper has them but in our own words, and says for a step's events which
lines ran, in their order, with the values of that step filled in. The last of them is the position of the step. Pure: like a
narrative, it describes the record and guesses nothing. Not here: how the lines are drawn (`assets/js/player/algorithm.js`).
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from readers.engine.errors import NotFound
from readers.engine.record.narrative import StepRecord
from readers.engine.text.shorten import shorten

OURS = "not in the paper"  # the section of a line that this program adds
# The functions with which every reader of a bounded memory rewrites it and cuts it, and some cut the text.
UPDATES_MEMORY = "readers.engine.run.bounded_memory:FreeMemory.update"
CUTS_MEMORY = "readers.engine.run.bounded_memory:BoundedMemory._cut_new"
CUTS_CHUNKS = "readers.engine.run.bounded_memory:cut_chunks"
MOST_TIMES = 2  # how often the words of one line are filled in at one step
MOST_QUOTED = 60  # characters of a reason or a query that a line quotes
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_ROOT = Path(__file__).parents[3]


class Line(NamedTuple):
    """A line: its `name` for the reader's own use, its words, the paper's section, and the Python function that does it, written
    `module:function`. `depth`: how far it is indented."""

    name: str
    words: str
    section: str
    source: str
    depth: int = 0


class Ran(NamedTuple):
    """A line that a step ran, by its name; `filled`: its words with the values of that step, empty if there are none."""

    line: str
    filled: str = ""


class PseudoCode(ABC):
    """The algorithm of one reader. `paper`: where it is from."""

    paper: ClassVar[str]
    lines: ClassVar[tuple[Line, ...]]

    @abstractmethod
    def ran(self, record: StepRecord) -> Iterable[Ran]:
        """The lines that a step ran, in their order. None if it is not known yet."""

    def at(self, record: StepRecord) -> list[tuple[int, str]]:
        """The lines that a step ran, by their numbers from 0, each once, where it ran last, with the words filled in. Raises
        NotFound for a name that no line has."""
        numbers = {line.name: number for number, line in enumerate(self.lines)}
        found = list(self.ran(record))
        if unknown := next((ran.line for ran in found if ran.line not in numbers), None):
            raise NotFound(f"there is no line {unknown!r} in this pseudo-code; there are {', '.join(numbers)}")
        filled: dict[str, list[str]] = {}
        for ran in found:
            filled[ran.line] = [*filled.pop(ran.line, []), *([ran.filled] if ran.filled else [])]
        return [(numbers[line], _together(words)) for line, words in filled.items()]

    def as_data(self) -> dict[str, Any]:
        """The lines and the functions they name, as JSON data. Raises NotFound for a function that is not there."""
        named = list(dict.fromkeys(line.source for line in self.lines))
        return {
            "paper": self.paper,
            "lines": [
                {"words": line.words, "depth": line.depth, "section": line.section, "source": named.index(line.source)}
                for line in self.lines
            ],
            "sources": [_source(name) for name in named],
        }


def _together(filled: list[str]) -> str:
    """What one line was filled with, if it ran more than once in a step."""
    more = f"; and {len(filled) - MOST_TIMES} more" if len(filled) > MOST_TIMES else ""
    return "; ".join(filled[:MOST_TIMES]) + more


@cache
def _source(name: str) -> dict[str, Any]:
    """The Python text of a function, where its file is, and the line it begins at. Raises NotFound."""
    module, _, path = name.partition(":")
    try:
        found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
        lines, first = inspect.getsourcelines(inspect.unwrap(found))
        file = Path(inspect.getsourcefile(found) or module)
    except (ImportError, AttributeError, TypeError, ValueError, OSError) as error:
        raise NotFound(
            f"its pseudo-code names the function {name!r}, which cannot be found ({error}); write it as module:function, such as "
            'f"{__package__}.reader:MyReader.read"'
        ) from None
    place = file.relative_to(_ROOT).as_posix() if file.is_relative_to(_ROOT) else file.name
    return {"name": path, "file": place, "from": first, "text": inspect.cleandoc("\n" + "".join(lines))}


def below(number: int) -> str:
    """A number as an index: `m₁₂`."""
    return str(number).translate(_BELOW)


def quoted(words: str) -> str:
    """Words of a model or a text, as a line quotes them."""
    return f"“{shorten(' '.join(words.split()), MOST_QUOTED)}”"


def number_in(name: str) -> int:
    """The number in the name of a step, `chunk 7`; 0 if it has none."""
    last = name.rpartition(" ")[2]
    return int(last) if last.isdecimal() else 0


class MemoryCode(PseudoCode):
    """What those algorithms have in common that carry one memory from chunk to chunk. Their lines are named `cut`, `empty`,
    `each`, `update`, `stays`, `shorten` and `answer`, and `stop` if it may stop; `letter` is the symbol of the memory. A *turn*
    is the number of a memory: that of the chunk it was written at, where chunks are read in their order."""

    letter: ClassVar[str] = "m"

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        turn = self.turn(record)
        if record.step.names[0] == "answer":
            yield Ran("answer", self.answering(turn))
            return
        if record.cut:
            yield Ran("cut", self.cutting(len(record.cut)))
            yield Ran("empty")
        yield Ran("each", self.beginning(record))
        if record.asked:
            yield Ran("update", self.updating(turn))
        yield from self.after_update(record, turn)

    def after_update(self, record: StepRecord, turn: int) -> Iterator[Ran]:
        """What became of the reply."""
        now, before = f"{self.letter}{below(turn)}", f"{self.letter}{below(turn - 1)}"
        for event in record.decisions_of("fallback", "unchanged"):
            why = "the reply could not be read" if event.action == "fallback" else "the reply changes nothing"
            yield Ran("stays", f"{why}: {now} ← {before}")
        for event in record.decisions_of("truncate"):
            yield Ran("shorten", f"{now} was too long: cut to {event.picked}")
        for event in record.decisions_of("stop"):
            yield Ran("stop", f"stop after {event.picked}: {event.because}")

    def turn(self, record: StepRecord) -> int:
        """The turn of a step; for the answer, that of the last chunk before it."""
        last = record.step.number
        if record.step.names[0] == "answer":
            last -= 1
        return number_in(record.trace.steps[last].names[0]) if last >= 0 else 0

    def cutting(self, parts: int) -> str:
        """The line `cut`, filled in."""
        return f"chunks 1 … {parts:,} ← cut(text)" if parts > 1 else "chunk 1 ← cut(text)"

    def beginning(self, record: StepRecord) -> str:
        """The line `each`, filled in."""
        return f"for t = {self.turn(record)} (of {len(record.trace.first_cut):,}):"

    def updating(self, turn: int) -> str:
        """The line `update`, filled in."""
        return f"{self.letter}{below(turn)} ← model(question, chunk {turn}, {self.letter}{below(turn - 1)})"

    def answering(self, turn: int) -> str:
        """The line `answer`, filled in."""
        return f"answer ← model(question, {self.letter}{below(turn)})"
