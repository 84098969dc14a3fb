"""What a reader is. A new one subclasses `Reader`, and overrides what it has of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from readers.engine.prompts.prompt import Prompt
from readers.engine.record.hint import Hint, HintSource
from readers.engine.record.journal import Record
from readers.engine.record.narrative import Narrative
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk
from readers.engine.text.document import Document, Question, Span, Text


class Reader(ABC):
    """A way of reading. `read` touches the document, the question and the desk alone; everything else is a pure fold over events.

    `presets` are the options of the paper's own experiments, by name. The first line of a subclass's docstring says in the app
    what the reader does.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    prompts: ClassVar[tuple[Prompt, ...]]
    Options: ClassVar[type]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    narrative: ClassVar[Narrative] = Narrative()

    @abstractmethod
    def read(self, document: Document, question: Question, desk: Desk[str], options: Any) -> Text:
        """The answer. Raises Ended where there is none."""

    def view(self, trace: Trace) -> dict[str, Any]:
        """What the run file has of this reader under `view`."""
        return {}

    def names(self, trace: Trace) -> dict[str, str]:
        """What to call the texts of a reading, by their refs."""
        return {}

    def measures(self, trace: Trace, records: Sequence[Record]) -> Mapping[str, Any]:
        """The figures that only this reader has; their names are in `analysis/measures.py`."""
        return {}

    def hints(self, source: HintSource) -> Iterable[Hint]:
        """Hints for annotators about what only this reader does."""
        return ()

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterable[Hint]:
        """Hints that rest on where the text gives the answer; only for people who may know."""
        return ()
