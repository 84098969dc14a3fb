"""What the Compare page says: which readings belong together, who looked where, where two part, what they cost. Pure: no HTML.

Readings are numbered from 1 in the order of the page's address, and spoken of by that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from components.html.figures.pictures import CoveredShare
from components.html.words import measures, option_names, wording
from components.html.words.reader_words import title_in_list
from components.player import evidence as whence
from readers import READERS as ALL_READERS
from readers.engine.analysis.coverage import CoverageCell
from readers.engine.analysis.differences import LEADS, Difference, Divergence, OpenedPlace, Setting
from readers.engine.record.costs import CheapestFrom, CostComparison, Costs, CostUnit, Tally
from readers.engine.record.edits import models_called
from readers.engine.record.narrative import Narrative
from readers.engine.report.values import small_dollars
from readers.engine.store import Reading, Run
from readers.engine.text.document import Span

READERS = {reader.id: reader for reader in ALL_READERS}
FINEST = 720  # the most stretches of a text on the shared axis
NOT_MEASURED = "–"
MOST_PLACES = 4
# Measures that this page shows in another way, or say nothing beside another reading.
ELSEWHERE = ("outcome",)
STAYS = "They continue when you leave this page; its address leads back to them."
BY_PERSON = "A person is the model of this reading, and sees only what a model would see."
COVERED = "It was stopped, and its text is covered, so that nobody sees it before resuming the reading as its model."


class ComparedRow(NamedTuple):
    """A row of a table with a column for each reading; `differs`: the values are not all the same."""

    name: str
    values: tuple[str, ...]
    differs: bool


def by(run: Run) -> str:
    """The reader and the model of a reading, or the models in the order of its calls."""
    return f"{title_in_list(run)} · {wording.models(run.spec)}"


def beside_parents(runs: Sequence[Run]) -> list[Run]:
    """Readings in the order given, but each fork after its parent and the parent's earlier forks, if the parent is there."""
    ids = {run.id for run in runs}

    def with_forks(run: Run) -> Iterator[Run]:
        yield run
        for fork in runs:
            if fork.parent == run.id:
                yield from with_forks(fork)

    return [one for run in runs if run.parent not in ids for one in with_forks(run)]


def short_names(runs: Sequence[Run]) -> list[str]:
    """The reading's own name or the reader, with the models where they have different ones; and which is a fork of which."""
    models = {models_called(run.spec) for run in runs}
    names = [run.name or (by(run) if len(models) > 1 else title_in_list(run)) for run in runs]
    return [_related(name, run, runs) for name, run in zip(names, runs, strict=True)]


def numbered(runs: Sequence[Run]) -> list[str]:
    """Short names for columns and choices, each after its number."""
    return [f"{number} · {name}" for number, name in enumerate(short_names(runs), 1)]


def choices_told(runs: Sequence[Run]) -> dict[str, str]:
    """What tells readings of one question apart that were given different choices, by the reading's id; empty if all had the
    same."""
    given = {run.id: tuple(run.spec.get("choices") or ()) for run in runs}
    if len(set(given.values())) < 2:
        return {}
    several = len({choices for choices in given.values() if choices}) > 1
    first = {choices: f": {choices[0]} …" if several else "" for choices in given.values() if choices}
    return {run_id: f"with choices{first[choices]}" if choices else "without choices" for run_id, choices in given.items()}


def how_many_ended(ended: int, count: int) -> str:
    """How far several readings are."""
    return f"{ended:,} of {count:,} have ended" if ended else f"{count:,} readings have begun"


def titles(runs: Sequence[Run]) -> list[str]:
    """What each is called over its row and its player, where its number stands already."""
    rest = [by(run) if run.name else wording.models(run.spec) for run in runs]
    return [f"{_related(run.name or title_in_list(run), run, runs)} · {more}" for run, more in zip(runs, rest, strict=True)]


def _related(name: str, run: Run, runs: Sequence[Run]) -> str:
    """A name, with the fork or the parent that this reading is among those that are compared."""
    numbers = {one.id: number for number, one in enumerate(runs, 1)}
    if run.parent or run.edit:
        return f"{name}, a fork of {numbers[run.parent]}" if run.parent in numbers else f"{name}, a fork"
    return f"{name}, the parent" if any(one.parent == run.id for one in runs) else name


def called(run: Run) -> str:
    """How a list names a reading: its own name, if it has one, then the reader and model."""
    return f"{run.name} · {by(run)}" if run.name else by(run)


def condensed(cells: Iterable[CoverageCell], length: int) -> list[CoveredShare]:
    """What a text was to the model at the end, for one line of some 720 stretches: of what falls into one the most is shown."""
    finest = min(FINEST, max(1, length))
    states = [0] * finest
    for start, end, changes in cells:
        state = changes[-1][1] if changes else 0
        first, last = finest * start // max(1, length), -(-finest * end // max(1, length))
        for at in range(max(0, first), min(finest, max(last, first + 1))):
            states[at] = max(states[at], state)
    found: list[CoveredShare] = []
    for at, state in enumerate(states):
        if found and found[-1].state == state:
            found[-1] = found[-1]._replace(end=(at + 1) / finest)
        else:
            found.append(CoveredShare(at / finest, (at + 1) / finest, state))
    return [stretch for stretch in found if stretch.state]


def shares(spans: Iterable[Span], length: int) -> list[tuple[float, float]]:
    """Places in shares of the text."""
    return [(start / max(1, length), end / max(1, length)) for start, end in spans]


def place(span: Span, length: int) -> str:
    """Where in the text a place is."""
    start, end = (100 * edge / max(1, length) for edge in span)
    exact = 1 if length > 100_000 or end - start < 1 else 0
    return f"{start:.{exact}f}% to {end:.{exact}f}% of the text"


def evidence(run: Run, called: Mapping[str, str], text: str) -> tuple[list[Span], str]:
    """What was in view when the model answered, as places and in words; of several places those that hold the answer's own
    words. Empty if nothing was in view or there is no answer."""
    if not run.gives_answer:
        return [], ""
    places = whence.places(run.evidence, called)
    held = whence.holding(text, run.answer, places)
    told = []
    for span in held[:MOST_PLACES]:
        name, where = called.get(whence.ref(span), ""), place(span, len(text))
        told.append(f"{name} ({where})" if name else where)
    more, others = len(held) - len(told), len(places) - len(held)
    told += [f"{more:,} more place{'' if more == 1 else 's'}"] if more else []
    told += [f"{others:,} other{'' if others == 1 else 's'} were in view too"] if others else []
    return held, "; ".join(told)


def map_told(found: Mapping[str, Any], where: str, gold: Sequence[Span], length: int) -> str:
    """The reading map of one reading in words, for those who do not see it."""
    raw, covered = wording.share(found["read_fraction"]), wording.share(found["coverage_fraction"])
    told = f"{raw} of the text was shown raw to the model, {covered} raw or through a summary or memory."
    told += f" Evidence: {where}." if where else ""
    return told + (f" Known place: {'; '.join(place(span, length) for span in gold)}." if gold else "")


def measures_table(found: Sequence[Mapping[str, Any]], *, memories: Iterable[str] = ()) -> list[ComparedRow]:
    """The measures that apply to any of the readings; `memories` are what their readers call a memory, if they agree on it."""
    called = set(memories)
    memory = called.pop() if len(called) == 1 else Narrative.carried
    rows = []
    for name in dict.fromkeys(name for one in found for name in one):
        if name in ELSEWHERE or all(one.get(name) is None for one in found):
            continue
        label = measures.title(name, memory=memory)
        values = tuple(NOT_MEASURED if one.get(name) is None else measures.in_words(name, one[name]) for one in found)
        rows.append(ComparedRow(label, values, len({value for value in values if value != NOT_MEASURED}) > 1))
    return rows


def costs_table(found: Sequence[Costs]) -> list[ComparedRow]:
    """Calls, tokens and dollars of building, of asking, and of both for one question."""
    rows = []
    for name, tallies in (
        ("Building (once a text)", [one.building for one in found]),
        ("Asking (each question)", [one.asking for one in found]),
    ):
        for what, told in (("calls", _calls), ("tokens sent", _sent), ("tokens received", _received), ("price", _price)):
            values = tuple(map(told, tallies))
            rows.append(ComparedRow(f"{name}: {what}", values, len(set(values)) > 1))
    return rows


def _calls(tally: Tally) -> str:
    return f"{tally.calls:,}"


def _sent(tally: Tally) -> str:
    return "unknown" if tally.tokens_in is None else f"{tally.tokens_in:,}"


def _received(tally: Tally) -> str:
    return "unknown" if tally.tokens_out is None else f"{tally.tokens_out:,}"


def _price(tally: Tally) -> str:
    return "unknown" if tally.dollars is None else small_dollars(float(tally.dollars))


def balance_told(found: CostComparison | None, both: Sequence[Costs], numbers: Sequence[int]) -> str:
    """After how many questions to this text one reading is cheaper than the other, in a sentence or two."""
    if found is None:
        return "Which is cheaper cannot be told: neither the prices nor the tokens of all calls are known."
    names = {-1: f"reading {numbers[0]}", 1: f"reading {numbers[1]}"}
    counted = _counted(found.unit, both)
    if found.last == 0:
        return f"{counted}, both cost the same, however many questions are asked."
    if found.break_even is None:
        return (
            f"{counted}, {names[found.last]} is cheaper from the first question on; {names[-found.last]} never becomes cheaper."
        )
    before = found.break_even - 1
    until = "the first question" if before == 1 else f"up to {before:,} questions"
    at_first = f"{names[found.first]} is cheaper for {until}" if found.first else "both cost the same for the first question"
    at_first += "" if not found.first or not _level(found, both, before) else f" (at {before:,} they cost the same)"
    return f"{counted}, {at_first}. From {found.break_even:,} questions on, {names[found.last]} is cheaper."


def cheapest_told(stages: Sequence[CheapestFrom], found: Sequence[Costs], names: Sequence[str]) -> str:
    """Which of three readings or more is the cheapest by the number of questions. `names` as `numbered` gives them."""
    if not stages:
        return "Which is the cheapest cannot be told: neither the prices nor the tokens of all calls are known."
    told = []
    for stage, later in zip_longest(stages, stages[1:]):
        best = _together([_spoken(names[n]) for n in stage.best])
        is_it = f"{best} {'is' if len(stage.best) == 1 else 'are'} the cheapest"
        if later is None:
            until = ", however many questions are asked" if len(stages) == 1 else f" from {stage.questions:,} questions on"
        else:
            last = later.questions - 1
            until = " for the first question" if last == 1 else f" for up to {last:,} questions"
        told.append(f"{is_it}{until}")
    return f"{_counted(stages[0].unit, found)}, {'; '.join(told)}."


def _spoken(name: str) -> str:
    """`3 · Retrieval` within a sentence."""
    number, _, called = name.partition(" · ")
    return f"reading {number} ({called})"


def _together(names: Sequence[str]) -> str:
    return " and ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), names[-1]])


def _level(found: CostComparison, both: Sequence[Costs], questions: int) -> bool:
    return both[0].total(questions, found.unit) == both[1].total(questions, found.unit)


def _counted(unit: CostUnit, found: Sequence[Costs]) -> str:
    """What is counted, and where that is not money, why."""
    if unit == "dollars":
        return "Counted in dollars"
    unknown = any(one.total(1, "dollars") is None for one in found)
    return f"Counted in tokens sent and received ({'a price is not known' if unknown else 'none of this is paid for'})"


def by_hand(readings: Sequence[Reading]) -> str:
    """Which readings have replies that a person wrote in the model's place, for their tokens are not counted."""
    counts = [sum(record.origin == "edited" and record.reply is not None for record in one.records) for one in readings]
    told = [f"{count:,} of reading {number}" for number, count in enumerate(counts, 1) if count]
    if not told:
        return ""
    if sum(counts) == 1:
        return f"One reply, {told[0].partition(' ')[2]}, was written by a person, so its tokens are not counted."
    return f"Replies that were written by a person, {_together(told)}, are not counted with their tokens."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def setting(row: Setting, *, differs: bool) -> ComparedRow:
    """A setting and its values as the form of its reader calls them."""
    name = row.name.lower().replace(" ", "_")
    words = option_names.CHOICES.get(name, {})
    values = tuple(words.get(value, value) for value in row.values)
    return ComparedRow(option_names.LABELS.get(name, row.name), values, differs)


class PartingSide(NamedTuple):
    """One of two readings at the place where they part: which of the two (0 or 1), its step (from 0) as told, and what
    it wrote or was told there."""

    which: int
    step: int | None
    told: str
    words: str = ""


class Parting(NamedTuple):
    """Where two readings part, in words."""

    lead: str
    sides: tuple[PartingSide, ...] = ()
    note: str = ""


_Names = Sequence[Mapping[str, str]]
ALIKE = Parting("They do not part: every step, prompt and reply is the same.")
SAME_WAY = "what each opened word for word after its memory was built, in the order it opened it"


def parting(found: Difference | None, both: Sequence[Reading], told: Sequence[Sequence[str]], names: _Names) -> Parting:
    """Where two readings by the same reader part. `told` are the steps of each in sentences, `names` what each calls its
    texts."""
    if found is None:
        return ALIKE
    sides = []
    for n in (0, 1):
        at = found.steps[n]
        sentence = told[n][at] if at is not None and at < len(told[n]) else "It has no steps."
        sides.append(PartingSide(n, at, sentence, found.words[n]))
    place = (
        next((names[n].get(found.about[n], "") for n in (0, 1) if found.about[n] in names[n]), "")
        if found.kind == "wrote"
        else ""
    )
    if both[0].run.question != both[1].run.question and found.kind == "asked":
        return Parting(f"{LEADS['asked']}: the questions are not the same.", tuple(sides))
    return Parting(f"{LEADS[found.kind]}{f', for {place}' if place else ''}.", tuple(sides))


def ways_told(found: Divergence | None, length: int) -> Parting:
    """Where the ways of two different readers through a text part."""
    if found is None:
        return Parting("They opened the same places, or nearly the same, in the same order.", note=f"Compared is {SAME_WAY}.")
    before = max(found.before)
    if found.overlap:
        lead = "Their places overlap, but they are not the same"
        lead += "; the ones before were, or nearly." if before else ", from the first one on."
    elif before:
        lead = "After places that overlap, in the same order, they went to different ones."
    else:
        lead = "They went to different places from the first one on."
    sides = tuple(
        PartingSide(n, opened.step if opened else None, _opened(opened, length)) for n, opened in enumerate(found.places)
    )
    return Parting(
        lead,
        sides,
        f"Compared is {SAME_WAY}. Two places count as overlapping where they share more than stands before the shared part, and "
        "as nearly the same where three quarters of each were opened in the other reading, too.",
    )


def _opened(opened: OpenedPlace | None, length: int) -> str:
    return f"It opened {place(opened.span, length)}." if opened else "It opened nothing more word for word."


def stepping(same_reader: bool, first: int | None) -> str:
    """How two players step when they are locked together. `first` is the step, from 0, of the first one where they part."""
    if not same_reader:
        return "Locked together, both are the same share of their way through their steps, for they have no steps in common."
    rule = "Locked together, both show the step of the same number"
    if first is None:
        return f"{rule}."
    return f"{rule}: alike before step {first + 1:,}, where they part, and in step after it."


COSTS_NOTE = (
    "Building is what is made once a text and used by every question; asking is made for each question. Replies that were taken "
    "over from another reading count as what they would cost if made again. Another question may take more asking, or less."
)


def unfinished(runs: Sequence[Run], numbers: Sequence[int]) -> str:
    """Which of the readings did not come to their end, so that what they cost is what they had cost until then."""
    found = [f"reading {number}" for run, number in zip(runs, numbers, strict=True) if run.status != "finished"]
    if not found:
        return ""
    told = "it cost" if len(found) == 1 else "they cost"
    return _sentence(f"{' and '.join(found)} stopped before the end: this is what {told} until then.")
