"""How a reader names and describes what it does: its decisions, its steps, and the marks it offers next to texts.

Every reader has a `Narrative`; a subclass adds the reader's own parts. The base class covers what any reader may have: the
building phase, the answer, and the shared actions. Sentences about calls, texts and memories are equal for all readers and are
not here (`analysis/narrate.py`). Pure: a narrative describes the record and guesses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, ClassVar, Literal, NamedTuple

from readers.engine.record.events import Asked, Chose, Cut, Ended, Event, Looked, SharedAction, StepBegan, StepEnded, Wrote
from readers.engine.record.scores import best_first, in_words
from readers.engine.record.trace import BUILD, Step, Trace
from readers.engine.text import refs
from readers.engine.text.document import Span

# What a fallback uses in place of a summary or gist. Several of these are reported in one sentence.
FIRST_SENTENCES = "first sentences"
NOT_IN_ITS_FORM = "it was not in the form that was asked for"
_MARKS_OF_A_FORM = re.compile(r"""['"\\{}]|<[a-z]|JSON""")
# What breaks a rule of a form, and the rule in plain words. The wording of a problem is part of a recorded prompt, and stays.
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(problem), rule)
    for problem, rule in (
        (r"its action (-?\d+) is not a number from -2 to -1", r"it chose number \1, where it could only answer or go back up"),
        (r"its action (-?\d+) is not a number from .*", r"it chose number \1, which it was not offered"),
        (r"its (\w+) (-?\d+) is not a number from (-?\d+) to (-?\d+)", r"its \1 was \2, and had to be from \3 to \4"),
        (r"its label <(\d+)> was not offered.*", r"it named place \1, which it was not offered"),
        (r"it names no label.*", "it named none of the places that it was offered"),
        (r"it names several labels", "it named several places, and had to name one"),
        (r"it has no line '(?:Action|Page)\b.*", "it did not say what it chose"),
        (r"it has no line 'Argument\b.*", "it named an action, and no words of its own to do it with"),
        (r"it has no line '(\w+)\b.*", r"it gave no \1 of its own"),
        (r"it has several blocks with different numbers.*", "it chose several things, and had to choose one"),
        (r"its action is not one of .*", "it chose an action that it was not offered"),
        (r"it has no \\boxed\{.*", "it did not put its answer into the box that was asked for"),
        (r"it has several boxes.*", "it gave several answers in boxes, and had to give one"),
        (r"its <update> blocks differ", "it gave several new memories, and had to give one"),
        (r"its <update> block is empty", "the new memory in it was empty"),
        (r"its <update> block repeats the form", "it repeated the form, and gave no memory of its own"),
        (r"its <update> block is not closed", "it did not say where the new memory ends"),
        (r"it has no <update> block", "it did not say what the new memory is"),
        (r"its <recall> block is not closed", "it did not say where its query ends"),
        (r"there is no ',' after item (\d+) of its list", r"its list breaks off after item \1"),
        (r"it has no list of pages in square brackets.*", "it gave no list of pages"),
        (r"it declines to name pages.*", "it declined to name pages"),
        (r"it says neither 'Page' with a number nor 'STOP'", "it named no page and did not stop"),
        (r"it (?:has no JSON object with|declines instead of giving) the list .*", "it did not give the list that was asked for"),
        (r"its part (\d+) is not one of the (\d+) parts", r"it chose part \1, and there were \2"),
        # The reason of an end: only a model said so
        (r"nothing that was seen of the text answers the question", "no answer came back from the reader of the whole text"),
    )
)


UNREAD = "could not be read"  # of replies, in the reason for which a reading ended
# What comes before a problem in the reason of a rule.
_INTRODUCTIONS = ("could be read: ", f"{UNREAD}: ", "the last one: ", "that was asked for: ")
WHAT_HELPS = "What may help: ask again, fix this reply, or use another model."


def in_plain_words(problem: str) -> str:
    """What was wrong with a reply, by the rule that it broke, without the marks of the form it should have had. The prompt that
    asks again has these."""
    return _by_rule(problem) or (NOT_IN_ITS_FORM if _MARKS_OF_A_FORM.search(problem) else problem)


def _by_rule(problem: str) -> str:
    """The rule of a form that was broken, in plain words; empty if there is no wording for the problem."""
    for pattern, rule in _RULES:
        if found := pattern.fullmatch(problem):
            told = found.expand(rule)
            return told.lower() if rule.startswith("it gave no") else told
    return ""


def reason_in_plain_words(because: str) -> str:
    """The reason of a rule; if no reply could be read, the problem of the last one in plain words."""
    for introduction in _INTRODUCTIONS:
        before, introduced, problem = because.partition(introduction)
        if introduced:
            return before + introduced + in_plain_words(problem)
    return _by_rule(because) or because


class ActionDisplay(NamedTuple):
    """How decisions of one action are displayed.

    `note`: a rule decided, not the model; this word heads the note on the decision card. `listed`: it occurs many times at a
    step, so the picture lists it instead of the card. `reasoned`: its reason may be the model's own. `mark`: it marks its step as
    a step back or as a step to check. `names_the_cut`: its sentence says what was cut, so no other sentence does. `leaves_out`:
    no model sees the part of the text that it picks. `out_of_view`: the model is no longer shown what it picks.
    """

    note: str = ""
    listed: bool = False
    reasoned: bool = True
    mark: Literal["", "back", "warn"] = ""
    names_the_cut: bool = False
    leaves_out: bool = False
    out_of_view: bool = False


SHARED_ACTIONS: Mapping[SharedAction, ActionDisplay] = {
    "commit": ActionDisplay(),
    "drop": ActionDisplay(note="Dropped", out_of_view=True),
    "fallback": ActionDisplay(note="Stood in", reasoned=False, mark="warn", names_the_cut=True),
    "put_back": ActionDisplay(note="Put back", reasoned=False, out_of_view=True),
    "score": ActionDisplay(listed=True, reasoned=False),
    "shorten": ActionDisplay(note="Cut for the prompt"),
    "shrink": ActionDisplay(note="Made smaller", reasoned=False),
    "stop": ActionDisplay(note="Stopped"),
    "unchanged": ActionDisplay(note="Kept", reasoned=False),
    "truncate": ActionDisplay(note="Cut to", reasoned=False, mark="warn"),
}


@dataclass(frozen=True)
class StepRecord:
    """The events of one step. `names` are the reader's names for its texts, by ref."""

    trace: Trace
    step: Step
    names: Mapping[str, str]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return self.trace.of(self.step)

    @cached_property
    def decisions(self) -> list[Chose]:
        return [event for event in self.events if isinstance(event, Chose)]

    @cached_property
    def unfinished(self) -> bool:
        """Whether the record stops within this step: it waits for a reply, its call failed or was cancelled, or the reader ended
        there without an answer."""
        own = [event for event in self.events if not isinstance(event, Ended)]
        last = self.step.number + 1 == len(self.trace.steps)
        return last and bool(self.trace.open_steps) and not isinstance(own[-1], (StepBegan, StepEnded))

    @property
    def began_to_read(self) -> str:
        """The reader's name for the place that was opened last, if no reply after that was used; else empty."""
        if not (opened := self.opened_last) or any(isinstance(event, Asked) for event in self.trace.events[self.step.end :]):
            return ""
        since = reversed(self.events)
        asked = any(isinstance(event, Asked) for event in takewhile(lambda event: event is not opened, since))
        return "" if asked else self.names.get(opened.ref, "")

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

    @property
    def cut(self) -> tuple[Span, ...]:
        """The spans of the first cut of the step."""
        return next((event.spans for event in self.events if isinstance(event, Cut)), ())

    def decisions_of(self, *actions: str) -> list[Chose]:
        """The decisions of these actions, in order."""
        return [event for event in self.decisions if event.action in actions]

    def name(self, ref: str) -> str:
        """The reader's name for a text; words that are not a ref stay as they are."""
        return self.names.get(ref, ref)

    def place_name(self, otherwise: str = "") -> str:
        """The reader's name for the place that was opened first."""
        return self.names.get(self.opened.ref, otherwise) if self.opened else otherwise


class StepOption(NamedTuple):
    """Something that could be taken at a step, and whether it was. `ref` is its name in the record; `shows` is the ref of its
    text, if it has one, and `text` that text, where it is needed."""

    ref: str
    mark: str
    name: str
    taken: bool
    shows: str = ""
    text: str = ""


class RankedPlace(NamedTuple):
    """A place in the text that a rule took or left; `mark` is its rank, if it has one."""

    ref: str
    mark: str
    note: str
    taken: bool


class Ranking(NamedTuple):
    """Places that a rule took or left, in display order, and the rule."""

    places: Sequence[RankedPlace]
    rule: str


def ranked_by_score(record: StepRecord, taken_by: str, rule: str) -> Ranking | None:
    """The places that a step scored, the best first (of equals the first in the text), and which were taken by decisions
    `taken_by`; None if none were."""
    taken = {decision.picked for decision in record.decisions_of(taken_by)}
    scored = next(iter(record.decisions_of("score")), None)
    if scored is None or not taken:
        return None
    scores = [float(score) for score in scored.because.split()]
    words = in_words(scores, {number for number, ref in enumerate(scored.among) if ref in taken})
    ranked = [(rank, scored.among[number], words[number]) for rank, number in enumerate(best_first(scores), 1)]
    return Ranking(
        [
            RankedPlace(ref, str(rank), f"{score} · {'taken' if ref in taken else 'left'}", ref in taken)
            for rank, ref, score in ranked
        ],
        rule,
    )


_SCORERS = {
    "bm25": "BM25", "tfidf": "TF-IDF", "word_recall": "word recall", "jaccard": "Jaccard’s index",
    "token_tfidf": "TF-IDF of tokens", "slices": "the tokenizer",
}  # fmt: skip


def scorer_name(scorer: str) -> str:
    """What a scorer is called."""
    kind, _, of = scorer.partition("/")
    return _SCORERS.get(kind) or f"the embeddings of {of}"


class Narrative:
    """The defaults for every reader. A subclass adds its own entries to these tables, and its own sentences.

    `actions`: the reader's own actions. `phases`: a heading for each phase, by the first word of its name. `steps`: the name of a
    step without an open place. `offers`: a mark and a meaning for each word the reader offers next to texts. `labelled_part`: the
    prompt part with the paragraphs behind the labels it offers. `roles_in_decisions`: roles of texts that only sentences about
    decisions mention. `stands_for`: what a text of a role was written for, if not simply for a part. `own_numbers`: the word with
    which the prompts number the texts they offer, if they count them from 0; people count from 1. `limits`: the option by which a
    rule, not the model, lets an action keep something from the model's view. `carried`: its word for a memory.
    """

    actions: ClassVar[Mapping[str, ActionDisplay]] = {}
    phases: ClassVar[Mapping[str, str]] = {}
    steps: ClassVar[Mapping[str, str]] = {}
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {}
    labelled_part: ClassVar[str] = ""
    roles_in_decisions: ClassVar[Collection[str]] = ()
    stands_for: ClassVar[Mapping[str, str]] = {}
    own_numbers: ClassVar[str] = ""
    limits: ClassVar[Mapping[str, str]] = {}
    carried: ClassVar[str] = "memory"

    def who(self, record: StepRecord) -> str:
        """Who reads at a step, as the subject of a sentence."""
        return "It"

    def read(self, record: StepRecord) -> str:
        """What a step read before it wrote a memory, as the beginning of a sentence."""
        return f"{self.who(record)} read {record.place_name('on')}"

    def decision(self, action: str) -> ActionDisplay:
        """How an action is displayed; an unknown one as a choice by the model."""
        return self.actions.get(action) or _BY_ACTION.get(action) or ActionDisplay()

    def limit(self, action: str, options: Mapping[str, Any]) -> str:
        """The option that limits what this action lets the model see, of a reading's options; empty if none does."""
        option = self.limits.get(action, "")
        return option if option in options else ""

    def phase(self, name: str) -> str:
        """The heading of a phase."""
        return self.headings.get(name.partition(" ")[0], name.replace("_", " ").capitalize())

    @property
    def headings(self) -> Mapping[str, str]:
        """The headings of all phases."""
        return {**_PHASES, **self.phases}

    def step(self, name: str) -> str:
        """The display name of a step."""
        return self.steps.get(name, name)

    def counting(self, decision: Chose, record: StepRecord) -> str:
        """How the model counts what a decision offered, in a sentence; empty if it counts as people do."""
        offered = [ref for ref in decision.among if refs.written(ref) is not None]
        if not self.own_numbers or not offered:
            return ""
        picked = decision.picked if decision.picked in offered else offered[0]
        return f"The model counts from 0: it calls {record.name(picked)} “{self.own_numbers} {offered.index(picked)}”."

    def sentences(self, record: StepRecord) -> Iterator[str]:
        """The sentences about the decisions of a step."""
        for decision in record.decisions:
            yield from self.sentence(decision, record)

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        """The sentence about one decision, if it has one."""
        picked, because = record.name(decision.picked), decision.because
        match decision.action:
            case "commit":
                yield f"It found its answer in {record.place_name('this part')}."
            case "drop":
                yield f"It dropped {picked}: {because}."
            case "fallback" if decision.picked != FIRST_SENTENCES:
                yield f"It fell back on {picked}, for {reason_in_plain_words(because)}."
            case "unchanged":
                yield f"It kept {picked}, as a rule took the reply to say so: {because}."
            case "put_back":
                yield f"It put {picked} back: with it, the prompt does not fit into the model's window."
            case "shrink":
                yield f"The prompt did not fit into the model's window, so the {self.carried} is held to {picked} from here on."
            case "shorten":
                yield f"What is shown of {picked} was cut at the end of a sentence: {because}."
            case "stop":
                yield f"It stopped: {because.rstrip('.')}." if because else "It stopped."

    def ranking(self, record: StepRecord) -> Ranking | None:
        """What a rule took and left at a step; None if it ranked nothing."""
        return None

    def may_be_kept(self, record: StepRecord) -> Iterator[StepOption]:
        """Sentences that a memory written at a step may keep, and whether it does; none where no memory is rewritten."""
        return iter(())


_BY_ACTION: Mapping[str, ActionDisplay] = {str(action): decision for action, decision in SHARED_ACTIONS.items()}
_PHASES: Mapping[str, str] = {BUILD: "Preparing the text", "answer": "Answering"}
