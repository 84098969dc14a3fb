"""What an answer depends on, found by trying: the call that gave it is repeated without some sentences of its prompt.

The sentences are those of the text and of what the reader wrote, as the prompt of that call has them; the question, the choices
and the prompt's own words stay. What counts as a changed answer is the rule of `questions/answers.py`; a reply without an answer
is a changed one. Like samples of a call, this is one run by a reader that cannot be selected, so that it is recorded, paid for,
stopped and resumed like everything else; its decisions say which replies differed, so that a part of a search can be shown.

Not here: which sentences are tried next (`group_search.py`). A changed answer means that the words mattered in this prompt;
it does not mean that they are why the answer is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Literal, NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.forks.experiment_results import rule_of
from readers.engine.forks.experiments import (
    MAX_SAMPLES,
    Sampling,
    check_sampling,
    create_samples,
    recorded_call,
    settings_at,
)
from readers.engine.forks.group_search import Count, End, Group, NotAskedError, Plan, SearchResult, search
from readers.engine.forks.resample import encode_request
from readers.engine.models.call import Call
from readers.engine.prompts.formats.form import Unreadable
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.questions.answers import same
from readers.engine.record.answered_by import answering_record
from readers.engine.record.edits import LEFT_OUT
from readers.engine.record.events import Chose
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.run.estimate import REPLY_SPREAD, cost_of
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run, Store
from readers.engine.text import refs, split
from readers.engine.text.document import DOCUMENT, Document, Question, Span, Text
from readers.engine.text.phrases import call_number, counted
from readers.engine.text.shorten import truncate
from readers.engine.work import Price, Range

ID = "tries"
USUAL_REPEATS, USUAL_BUDGET, MAX_BUDGET = 3, 60, 1_000
_TOLD = 3  # groups in the sentence on the result
Action = Literal["changed"]
EARLIER_RULE = (
    "This search was judged by an earlier rule. Its counts stay as they are, because they decided what was asked next. "
    "Search again to apply the present rule."
)
_ENDS: Mapping[End, str] = {
    "settled": "Leaving out all the rest together did not change it.",
    "differs by itself": "It differs by itself too often to say anything about single sentences.",
    "nothing changes it": "Nothing in this prompt is needed for this answer.",
    "out of calls": "The calls were used up, so there may be more.",
    "unfinished": "The search was interrupted; what it has found by then is shown.",
}


class PromptSentence(NamedTuple):
    """A sentence of a prompt: characters `start` to `end` of text `number` of a part, and where it is from: a ref of the
    document or of a text that the reader wrote."""

    part: str
    number: int
    start: int
    end: int
    origin: str

    @property
    def place(self) -> Span | None:
        """Its place in the document; None if it was written."""
        span = refs.span(self.origin)
        return Span(*span) if span else None


@dataclass(frozen=True)
class TriesOptions:
    """`request` is what `_Request.encode` returns."""

    request: str = option("", "The prompt that is asked without some of its sentences, with its parts and its answer, as JSON.")
    repeats: int = option(USUAL_REPEATS, "How often the unchanged prompt is asked.", lowest=1, highest=MAX_SAMPLES)
    budget: int = option(USUAL_BUDGET, "The most calls.", lowest=1, highest=MAX_BUDGET)


@dataclass(frozen=True)
class _Request:
    """A recorded call to be tried: its prompt and parts, the sentences that may be left out, and the answer in field `field` of
    its reply."""

    prompt: Prompt
    parts: tuple[Part, ...]
    sentences: tuple[PromptSentence, ...]
    field: str
    answer: str
    choices: tuple[str, ...]

    @classmethod
    def decode(cls, encoded: str, document: Document) -> _Request:
        found = json.loads(encoded)
        prompt = replace(
            Prompt.of_wording(found["wording"], found["task"]),
            tries=found["tries"], warmer=found["warmer"], max_tokens=found["max_tokens"],
        )  # fmt: skip
        return cls(
            prompt, decode_parts(found["parts"], document), tuple(PromptSentence(*one) for one in found["sentences"]),
            found["field"], found["answer"], tuple(found["choices"]),
        )  # fmt: skip

    def encode(self) -> str:
        more = {
            "tries": self.prompt.tries, "warmer": self.prompt.warmer, "sentences": self.sentences, "field": self.field,
            "answer": self.answer, "choices": self.choices,
        }  # fmt: skip
        return json.dumps({**json.loads(encode_request(self.prompt, self.parts)), **more}, ensure_ascii=False)

    def words(self, sentence: PromptSentence) -> str:
        return self._texts[sentence.part][sentence.number].text[sentence.start : sentence.end]

    @cached_property
    def _texts(self) -> Mapping[str, tuple[Text, ...]]:
        return {part.name: part.texts for part in self.parts}

    def without(self, left_out: Set[int]) -> PromptParts:
        """The parts without these sentences; one mark replaces neighbours."""
        holes: dict[tuple[str, int], list[Span]] = {}
        for number in sorted(left_out):
            part, text, start, end, _ = self.sentences[number]
            own = holes.setdefault((part, text), [])
            if own and number - 1 in left_out:
                own[-1] = Span(own[-1].start, end)
            else:
                own.append(Span(start, end))
        return {
            name: tuple(_cut_out(text, holes.get((name, n), ())) for n, text in enumerate(texts)) for name, texts in self.parts
        }

    def answer_in(self, got: Got | Unread) -> str:
        """The answer in a reply; empty if it has none."""
        return str(got.fields.get(self.field, "")).strip() if isinstance(got, Got) else ""

    def changed(self, answer: str) -> bool:
        return not answer or not same(self.answer, answer, self.choices)


class Tries(Reader):
    """Asks one recorded call without some of its sentences until it is clear what its answer depends on.

    Its version also covers the rule: verdicts decide what is asked next, so they are recorded and never recomputed.
    """

    id = ID
    title = "What an answer stands on"
    version = 2
    prompts = ()
    Options = TriesOptions

    def read(self, document: Document, question: Question, desk: Desk[Action], options: TriesOptions) -> Text:
        request = _Request.decode(options.request, document)

        def ask(left_out: frozenset[int], times: int) -> list[bool]:
            with desk.step("without" if left_out else "again"):
                parts = request.without(left_out)
                answers = [request.answer_in(got) for got in desk.ask_all(request.prompt, [parts] * times)]
                changed = [request.changed(answer) for answer in answers]
                for answer, differs in zip(answers, changed, strict=True):
                    desk.choose("changed" if differs else "unchanged", answer)
            return changed

        return Text(sentence(search(_plan(request, options.repeats, options.budget), ask)))


def _plan(request: _Request, repeats: int, budget: int) -> Plan:
    return Plan(len(request.sentences), repeats, budget)


def _cut_out(text: Text, holes: Sequence[Span]) -> Text:
    kept: list[Text] = []
    at = 0
    for start, end in holes:
        kept += [text[at:start], Text(LEFT_OUT)]
        at = end
    return Text.join("", [*kept, text[at:]]) if holes else text


# Starting it


def usual_sampling(reading: Reading) -> Sampling:
    """The repeats, temperature and most calls that are offered: the call's own temperature."""
    record = answering_record(reading.trace, reading.records)
    return Sampling(USUAL_REPEATS, settings_at(reading, record.seq).temperature if record else None, USUAL_BUDGET)


def price_tries(reading: Reading, reader: Reader, sampling: Sampling) -> Price:
    """Estimated from the recorded call, for `of` sentences. Raises like `try_answer`."""
    call, request = _request(reading, reader, sampling)
    record = _answering(reading)
    most = _budget(sampling)
    plan = _plan(request, sampling.n, most)
    calls = Range(min(sampling.n, most), most)
    sent, received = (calls.times(tokens or 0) for tokens in (record.tokens_in, record.tokens_out))
    received = received.times(1, spread=REPLY_SPREAD)
    note = f"about {plan.calls_for_one:,} if the answer stands on one of the {counted(plan.size, 'sentence')}"
    cost = cost_of(call.settings.model, sent, received, price=call.settings.price)
    return Price(calls, sent, received, cost, of=plan.size, note=note)


def try_answer(store: Store, reading: Reading, reader: Reader, sampling: Sampling) -> Run:
    """Put the search on record, queued: the unchanged prompt `n` times, and at most `max_calls` calls in total.

    Raises BadOptions for a reading without an answer from a model, a prompt that a person wrote or that has nothing of the
    text, and invalid numbers.
    """
    call, request = _request(reading, reader, sampling)
    options = {"request": request.encode(), "repeats": sampling.n, "budget": _budget(sampling)}
    name = f"{call_number(call.seq)}, without some of its sentences"
    return create_samples(store, reading, call, Tries(), options=options, most=_budget(sampling), name=name)


def _budget(sampling: Sampling) -> int:
    budget = sampling.max_calls or USUAL_BUDGET
    if not 1 <= budget <= MAX_BUDGET:
        raise BadOptions(f"the most calls must be from 1 to {MAX_BUDGET:,}, not {budget:,}")
    return budget


def _answering(reading: Reading) -> Record:
    record = answering_record(reading.trace, reading.records)
    if record is None or record.reply is None or record.task == "score":
        raise BadOptions(f"reading {reading.run.id!r} has no answer from a model; take one that was answered")
    return record


def _request(reading: Reading, reader: Reader, sampling: Sampling) -> tuple[Call, _Request]:
    record = _answering(reading)
    check_sampling(reading, sampling, first=record.seq)
    call = recorded_call(reading, reader, record.seq)
    if call.edited:
        raise BadOptions(f"the prompt of {call_number(call.seq)} was edited by a person, so what it holds of the text is unknown")
    if sampling.temperature is not None:
        call = replace(call, settings=replace(call.settings, temperature=sampling.temperature))
    read = call.prompt.reply.parse(record.reply or "", call.sizes)
    parsed = read.usable if isinstance(read, Unreadable) else read
    fields = parsed.fields if parsed else {}
    field = "answer" if "answer" in fields else call.prompt.reply.main
    if field not in fields:
        raise BadOptions(f"the reply to {call_number(call.seq)} has no answer in it: the reader answered by its own rule")
    sentences = tuple(_sentences(call))
    if not sentences:
        raise BadOptions(f"the prompt of {call_number(call.seq)} has no words of the text, and none that were written from it")
    choices = tuple(reading.run.spec.get("choices") or ())
    prompt = call.prompt.sized_for(call.parts)
    return call, _Request(prompt, call.parts, sentences, field, str(fields[field].value), choices)


def _sentences(call: Call) -> Iterator[PromptSentence]:
    """The sentences of a call's prompt that are the text's, or were written from it, in their order there."""
    for name, texts in call.parts:
        for number, text in enumerate(texts):
            for start, end in split.sentences(text.text):
                one = text[start:end].strip()
                begins = start + len(text.text[start:end]) - len(text.text[start:end].lstrip())
                if (origin := _origin(one)) and any(map(str.isalnum, one.text)):
                    yield PromptSentence(name, number, begins, begins + len(one), origin)


def _origin(text: Text) -> str:
    """The origin of most of a sentence; empty if that is neither the text nor a model."""
    sizes: dict[str, int] = {}
    for piece in text.pieces:
        if refs.kind(piece.origin) in ("document", "wrote", "reply"):
            sizes[piece.origin] = sizes.get(piece.origin, 0) + piece.end - piece.start
    origin = max(sizes, key=sizes.__getitem__, default="")
    if not origin or sizes[origin] * 2 < len(text):
        return ""
    places = [piece for piece in text.pieces if piece.origin == origin]
    return refs.place(places[0].begin, places[-1].stop) if origin == DOCUMENT else origin


# Its results


class TriedGroup(NamedTuple):
    """Sentences whose absence changed the answer, with their words, and the most frequent answer instead (empty: none)."""

    sentences: tuple[PromptSentence, ...]
    words: tuple[str, ...]
    came: Count
    together: bool
    instead: str


class Tried(NamedTuple):
    """The progress of a search through `sentences` with at most `budget` calls."""

    search: SearchResult
    groups: tuple[TriedGroup, ...]
    sentences: int
    budget: int


def tried(run: Run, trace: Trace) -> Tried:
    """The result of a run by `Tries`, finished or not, from its decisions."""
    options: Mapping[str, Any] = run.spec["options"]
    request = _Request.decode(options["request"], trace.document)
    decisions = trace.decisions("changed", "unchanged")
    answers: dict[frozenset[int], list[str]] = {}
    left = iter(decisions)

    def recorded(left_out: frozenset[int], times: int) -> list[bool]:
        came = list(islice(left, times))
        if len(came) < times:
            raise NotAskedError
        answers.setdefault(left_out, []).extend(one.picked for one in came if _differs(one))
        return [_differs(one) for one in came]

    found = search(_plan(request, options["repeats"], options["budget"]), recorded)
    groups = tuple(
        TriedGroup(
            tuple(request.sentences[n] for n in group.sentences),
            tuple(request.words(request.sentences[n]) for n in group.sentences),
            group.came,
            group.together,
            max(answers.get(frozenset(group.sentences), [""]), key=answers.get(frozenset(group.sentences), []).count),
        )
        for group in found.groups
    )
    if found.end == "unfinished" and run.outcome == "over_budget":
        found = found._replace(end="out of calls")
    return Tried(found, groups, len(request.sentences), options["budget"])


def _differs(decision: Chose) -> bool:
    return decision.action == "changed"


def sentence(found: SearchResult) -> str:
    """The result, in a clause that gives only counts."""
    if found.end == "differs by itself":
        return f"asked unchanged, the answer changed in {found.noise.changed} of {found.noise.of}: it differs by itself"
    if found.end == "nothing changes it":
        return f"leaving out all of it changed the answer in {found.everything.changed} of {found.everything.of}"
    said = [group_sentence(one) for one in found.groups[:_TOLD]]
    said += [f"{len(found.groups) - _TOLD} more"] if len(found.groups) > _TOLD else []
    if not said:
        return "no sentence has been found yet" if found.end == "unfinished" else "the calls were used up before one was found"
    return "; ".join(said)


def noise(found: SearchResult) -> str:
    """How often the answer changed with nothing left out."""
    if not found.noise.of:
        return "The unchanged prompt has no reply yet."
    said = f"Asked unchanged, the answer changed in {found.noise.changed} of {found.noise.of}"
    return f"{said}; so each trial was repeated." if 0 < 2 * found.noise.changed < found.noise.of else f"{said}."


def instead(group: TriedGroup, *, most: int) -> str:
    """The most frequent answer without them, cut to this many characters."""
    return (
        f"Most often it was then: “{truncate(group.instead, most)}”" if group.instead else "Most often there was no answer then."
    )


def where(sentence: PromptSentence, called: str) -> str:
    """The place of a sentence: in the text, or in a text with this name."""
    place = sentence.place
    return f"characters {place.start:,} to {place.end:,} of the text, raw" if place else f"carried by {called}"


def ending(tried: Tried) -> str:
    """How the search ended, with its calls."""
    found = tried.search
    every = found.everything
    whole = (
        f"Leaving out all {tried.sentences:,} sentences changed the answer in {every.changed} of {every.of}. " if every.of else ""
    )
    return f"{whole}{_ENDS[found.end]} {found.calls:,} calls were made, of at most {tried.budget:,}."


def rule(search: Run) -> str:
    """What counted as a changed answer in a search."""
    return rule_of(search) if search.is_of_version(Tries.version) else EARLIER_RULE


def group_sentence(group: Group | TriedGroup) -> str:
    """`leaving out 2 sentences, only together, changed the answer in 3 of 3`"""
    size = len(group.sentences)
    what = "one sentence" if size == 1 else f"{size} sentences{', only together,' if group.together else ' together'}"
    return f"leaving out {what} changed the answer in {group.came.changed} of {group.came.of}"
