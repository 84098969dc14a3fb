"""How a reader names and describes what it does: its decisions, its steps, and the words it offers beside texts.

Every reader has a `Narrative`; a subclass holds what is the reader's own. The base knows what any reader may have: the building
phase, the answer, and the shared actions. Sentences about calls, texts and memories are the same for every reader and are not
here (`analysis/narrate.py`). Pure: a narrative describes what the record has, and guesses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from readers.engine.record.events import Asked, Chose, Event, Looked, SharedAction, Wrote
from readers.engine.record.trace import BUILD, Step, Trace

# What a fallback puts in place of a summary or gist. Several of these are told in one sentence.
FIRST_SENTENCES = "first sentences"


class Decision(NamedTuple):
    """How decisions of one action are shown.

    `note`: a rule decided and not the model; this word heads the note on the decision card. `listed`: it comes many times at a
    step, and the picture lists it instead of the card. `reasoned`: its reason may be the model's own. `mark`: what it makes of
    its step, one step back or one to be wary of. `names_the_cut`: its sentence says what was cut, so no other does.
    `leaves_out`: the part of the text that it picks is shown to no model.
    """

    note: str = ""
    listed: bool = False
    reasoned: bool = True
    mark: Literal["", "back", "warn"] = ""
    names_the_cut: bool = False
    leaves_out: bool = False


SHARED: Mapping[SharedAction, Decision] = {
    "commit": Decision(),
    "drop": Decision(note="Dropped"),
    "fallback": Decision(note="Stood in", reasoned=False, mark="warn", names_the_cut=True),
    "put_back": Decision(note="Put back", reasoned=False),
    "score": Decision(listed=True, reasoned=False),
    "shorten": Decision(note="Cut for the prompt"),
    "shrink": Decision(note="Made smaller", reasoned=False),
    "stop": Decision(note="Stopped"),
    "truncate": Decision(note="Cut", reasoned=False, mark="warn"),
}


@dataclass(frozen=True)
class StepRecord:
    """What happened at one step. `names` is what the reader calls its texts, by their refs."""

    trace: Trace
    step: Step
    names: Mapping[str, str]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return self.trace.events[self.step.start : self.step.end]

    @cached_property
    def decisions(self) -> list[Chose]:
        return [event for event in self.events if isinstance(event, Chose)]

    @property
    def asked(self) -> list[Asked]:
        return [event for event in self.events if isinstance(event, Asked)]

    @property
    def wrote(self) -> list[Wrote]:
        return [event for event in self.events if isinstance(event, Wrote)]

    @cached_property
    def opened(self) -> Looked | None:
        """The first place that was opened."""
        return next((event for event in self.events if isinstance(event, Looked)), None)

    @property
    def opened_last(self) -> Looked | None:
        return next((event for event in reversed(self.events) if isinstance(event, Looked)), None)

    def of(self, *actions: str) -> list[Chose]:
        """The decisions of these actions, in order."""
        return [event for event in self.decisions if event.action in actions]

    def name(self, ref: str) -> str:
        """What the reader calls a text; words that are no ref stay as they are."""
        return self.names.get(ref, ref)

    def place(self, otherwise: str = "") -> str:
        """What the reader calls the place that was opened first."""
        return self.names.get(self.opened.ref, otherwise) if self.opened else otherwise


class RankedPlace(NamedTuple):
    """One place of the text among those that a rule took or left; `mark` is its rank, if it has one."""

    ref: str
    mark: str
    note: str
    taken: bool


class Ranking(NamedTuple):
    """Places that a rule took or left, in the order to show them, and the rule."""

    places: Sequence[RankedPlace]
    rule: str


class Narrative:
    """What every reader says of itself by default. A subclass adds its own entries to these tables and its own sentences.

    `actions`: its own actions. `phases`: a heading for each phase, by the first word of its name. `steps`: the name of a step
    where no place is open. `offers`: a mark and a meaning for each word that it offers beside texts. `labelled_part`: the part
    of its prompts with the paragraphs behind the labels it offers. `roles_in_decisions`: roles of texts that only sentences
    about decisions mention. `stands_for`: what a text of a role is written for, where that is not just a part.
    """

    actions: ClassVar[Mapping[str, Decision]] = {}
    phases: ClassVar[Mapping[str, str]] = {}
    steps: ClassVar[Mapping[str, str]] = {}
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {}
    labelled_part: ClassVar[str] = ""
    roles_in_decisions: ClassVar[Collection[str]] = ()
    stands_for: ClassVar[Mapping[str, str]] = {}

    def decision(self, action: str) -> Decision:
        """How an action is shown; one that the reader does not have is shown as a choice of the model's."""
        return self.actions.get(action) or _BY_ACTION.get(action) or Decision()

    def phase(self, name: str) -> str:
        """The heading of a phase."""
        return self.headings.get(name.partition(" ")[0], name.replace("_", " ").capitalize())

    @property
    def headings(self) -> Mapping[str, str]:
        """The headings of all its phases."""
        return {**_PHASES, **self.phases}

    def step(self, name: str) -> str:
        """What a step is called."""
        return self.steps.get(name, name)

    def sentences(self, record: StepRecord) -> Iterator[str]:
        """The sentences about the decisions of a step."""
        for decision in record.decisions:
            yield from self.sentence(decision, record)

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        """The sentence about one decision, if it has one."""
        picked, because = record.name(decision.picked), decision.because
        match decision.action:
            case "commit":
                yield f"It found its answer in {record.place('this part')}."
            case "drop":
                yield f"It dropped {picked}: {because}."
            case "fallback" if decision.picked != FIRST_SENTENCES:
                yield f"It fell back on {picked}, for {because}."
            case "put_back":
                yield f"It put {picked} back: with it, the prompt does not fit into the model's window."
            case "shrink":
                yield f"The prompt did not fit into the model's window, so the memory is held to {picked} from here on."
            case "shorten":
                yield f"What is shown of {picked} was cut at the end of a sentence: {because}."
            case "stop":
                yield f"It stopped: {because.rstrip('.')}." if because else "It stopped."

    def ranking(self, record: StepRecord) -> Ranking | None:
        """What a rule took and left at a step; None where it ranked nothing."""
        return None


_BY_ACTION: Mapping[str, Decision] = {str(action): decision for action, decision in SHARED.items()}
_PHASES: Mapping[str, str] = {BUILD: "Preparing the text", "answer": "Answering"}
