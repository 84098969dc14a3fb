"""The base class of all readers. A new reader subclasses `Reader` and overrides what differs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from readers.engine.prompts.options import PartSize, Preset
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Event
from readers.engine.record.hint import Hint, HintSource
from readers.engine.record.journal import Record
from readers.engine.record.narrative import Narrative
from readers.engine.record.provisional import Answers
from readers.engine.record.pseudo_code import PseudoCode
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk
from readers.engine.text.document import Document, Question, Span, Text


class ReadingState:
    """What the events of a reading amount to, as computed by its reader. A subclass folds them once, in cached properties; run
    files, pages and annotators get tables made from that. Pure: it describes the record and guesses nothing."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    @classmethod
    def of(cls, trace: Trace) -> Self:
        """The state of these events; the same trace always has the same state."""
        made: Self = trace.states.get(cls) or cls(trace)
        trace.states[cls] = made
        return made

    def view(self) -> dict[str, Any]:
        """The reader's `view` section of the run file."""
        return {}

    def names(self) -> dict[str, str]:
        """Display names for the texts of a run, by ref."""
        return {}

    def provisional(self, answers: Answers) -> Iterable[Event]:
        """What the unreported answers of a running reading will have the reader write or find, in addition to the calls
        themselves."""
        return ()

    def measures(self, records: Sequence[Record]) -> Mapping[str, Any]:
        """Figures that only this reader has; `analysis/measures.py` lists their names."""
        return {}

    def hints(self, source: HintSource) -> Iterable[Hint]:
        """Hints for annotators about what only this reader does."""
        return ()

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterable[Hint]:
        """Hints based on where the text contains the answer; only for people who may know it."""
        return ()


class Reader(ABC):
    """A way of reading. `read` uses only the document, the question and the desk; everything else is a table over its `State`.

    `presets` are the options of the paper's own experiments, by name. `part_size` says which option sets the size of the parts it
    cuts; None if it does not cut. A `baseline` exists for comparison with methods. `starts` is false for a record of what
    happened elsewhere: it can be forked, but nobody can start or resume one. `pseudo_code` is the algorithm that the page
    Trace shows next to a reading; None if the reader has none. The app shows the first line of a subclass's docstring as the
    reader's description. A small reader may override `view`, `names` and the others that use its state, each with its own fold.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    prompts: ClassVar[tuple[Prompt, ...]]
    Options: ClassVar[type]
    presets: ClassVar[Mapping[str, Preset]] = {}
    part_size: ClassVar[PartSize | None] = None
    baseline: ClassVar[bool] = False
    starts: ClassVar[bool] = True
    narrative: ClassVar[Narrative] = Narrative()
    pseudo_code: ClassVar[PseudoCode | None] = None
    State: ClassVar[type[ReadingState]] = ReadingState

    @abstractmethod
    def read(self, document: Document, question: Question, desk: Desk[str], options: Any) -> Text:
        """Return the answer, or raise Ended."""

    def called(self, options: Mapping[str, Any]) -> str:
        """What a reading with these options is called by; its title, unless the reading says who read."""
        return self.title

    def view(self, trace: Trace) -> dict[str, Any]:
        return self.State.of(trace).view()

    def names(self, trace: Trace) -> dict[str, str]:
        return self.State.of(trace).names()

    def provisional(self, answers: Answers) -> Iterable[Event]:
        return self.State.of(answers.trace).provisional(answers)

    def measures(self, trace: Trace, records: Sequence[Record]) -> Mapping[str, Any]:
        return self.State.of(trace).measures(records)

    def hints(self, source: HintSource) -> Iterable[Hint]:
        return self.State.of(source.trace).hints(source)

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterable[Hint]:
        return self.State.of(source.trace).hints_from_evidence(source, evidence)
