"""Hints for annotators, drawn from the record of one reading: never labels, and never more than the record shows.

Pure and deterministic. Which hints a reading can have follows from what its reader put on record: a walk down a tree, pages
opened again, a walk over a graph, a memory written anew. Without being asked to, no hint rests on the right answer or on where
the evidence stands; those are `signals_known.py`. Words are compared as everywhere here, by their stems: a hint about words says
"word", not "meaning".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from readers.engine.analysis import memory_snapshots, narrate_graph
from readers.engine.analysis.hint import Shown, Signal, content, some, steps_of, times, were
from readers.engine.analysis.hints_from_answer import with_known
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Answered, Asked, Chose, Ended, Looked, Misread, Wrote
from readers.engine.run.bounded_memory import UNCHANGED
from readers.engine.store.reading import Reading
from readers.engine.text import refs, words
from readers.engine.text.document import DOCUMENT
from readers.engine.text.words import terms

# Of the better score: two options that are no further apart are a close choice.
CLOSE = 0.05
# A rewriting that keeps less than this share of a memory's words changes it much; from this share of its limit on it is full.
CHANGED, FULL = 0.5, 0.95
LOOK_UP = "look-up"  # the phase in which pages are opened for the question
_LIMITS = ("memory_tokens", "summary_tokens")  # what options call the limit of a memory
_SHORTENED = {"truncate": "was cut for its length", "shorten": "was shown cut", "shrink": "was held to a smaller limit"}


def signals(
    reading: Reading, known: KnownAnswer | None = None, *, reveal: bool = False, names: Mapping[str, str] | None = None
) -> list[Signal]:
    """The hints of a reading, in the order of the steps they point at; those about the whole of it last.

    With `reveal`, also those that rest on what is `known`; without it nothing that is known has any effect. `names` is what the
    reader calls its texts.
    """
    shown = Shown(reading, names or {})
    found = [*_everywhere(shown), *_tree(shown), *_pages(shown), *_graph(shown), *_memory(shown), *_ranked(shown)]
    if reveal and known is not None:
        found += with_known(shown, known)
    return sorted(found, key=lambda signal: signal.steps[0] if signal.steps else len(shown.trace.steps) + 1)


# For every reader


def _everywhere(shown: Shown) -> Iterator[Signal]:
    if misread := shown.of(Misread):
        warmer = any(narrate_graph.tells(step.names) for step in shown.trace.steps)
        how = ", each time at a higher temperature" if warmer else ""
        what = "reply of the model could not be read, and was asked for again"
        if len(misread) > 1:
            what = f"replies of the model could not be read, and were asked for again{how}"
        count = "One" if len(misread) == 1 else str(len(misread))
        yield Signal("unreadable", steps_of(misread), f"{count} {what}; the last one: {misread[-1][1].problem}.")
    if fallen := shown.chose("fallback"):
        last = fallen[-1][1]
        because = f", for {last.because}" if last.because else ""
        yield Signal("fallback", steps_of(fallen), f"It fell back {times(len(fallen))}; the last time on {last.picked}{because}.")
    for action, what in _SHORTENED.items():
        if cut := shown.chose(action):
            yield Signal(
                action, steps_of(cut), f"A text of its own {what} {times(len(cut))}; the last time: {cut[-1][1].because}."
            )
    if put_back := shown.chose("put_back", "leave_out"):
        because = put_back[-1][1].because
        yield Signal("left_out", steps_of(put_back), f"Parts of the text were left out {times(len(put_back))}: {because}.")
    yield from _did_not_fit(shown)
    yield from _stopped(shown)


def _did_not_fit(shown: Shown) -> Iterator[Signal]:
    lost = [(step, sum(count for _, count in event.left_out)) for step, event in shown.of(Asked) if event.left_out]
    if lost:
        count = sum(number for _, number in lost)
        told = f"{some(count, 'text')} that it carried along did not fit into the model's window and {were(count)} left out."
        yield Signal("did_not_fit", steps_of(lost), told[0].upper() + told[1:])


def _stopped(shown: Shown) -> Iterator[Signal]:
    at = {event.seq: step for step, event in shown.of(Asked)}
    last = len(shown.trace.steps)
    failed = [record for record in shown.reading.records if record.reply is None and record.error]
    if failed:
        steps = tuple(sorted({at.get(record.seq, last) for record in failed} - {0}))
        told = f"{some(len(failed), 'call').capitalize()} to the model failed; the last one: {failed[-1].error}"
        yield Signal("failed_call", steps, told if told.endswith(".") else f"{told}.")
    if isinstance(shown.trace.end, Ended):
        yield Signal("no_answer", (last,) if last else (), f"It ended without an answer: {shown.trace.end.reason}.")


# A walk down a tree of summaries


def _tree(shown: Shown) -> Iterator[Signal]:
    if not (entered := shown.chose("enter")):
        return
    if back := shown.chose("revert"):
        then = "and answered all the same" if isinstance(shown.trace.end, Answered) else "and gave no answer"
        yield Signal("went_back", steps_of(back), f"It went back up {times(len(back))}, {then}.")
    seen: dict[str, int] = defaultdict(int)
    again = []
    for step, event in entered:
        seen[event.picked] += 1
        if seen[event.picked] > 1:
            again.append((step, event))
    if again:
        where = ", ".join(dict.fromkeys(shown.called(event.picked, "a part") for _, event in again))
        yield Signal("entered_again", steps_of(again), f"It opened a part that it had left before, {times(len(again))}: {where}.")
    if refused := shown.chose("refuse"):
        why = refused[-1][1].because
        yield Signal("refused", steps_of(refused), f"A choice of its own could not be followed {times(len(refused))}: {why}.")


# Pages and gists

# Why a page that was asked for was not opened, as it stands on record.
_DROPPED = {
    "repeated": ("asked_again", "It asked {} for a page that was open already."),
    "over the cap": ("over_the_limit", "It asked {} for more pages than it was allowed."),
    "out of range": ("no_such_page", "It asked {} for a page that there is not."),
}


def _pages(shown: Shown) -> Iterator[Signal]:
    gists = shown.wrote("gist")
    if not gists:
        return
    yield from _compressed(shown, gists)
    for because, (kind, told) in _DROPPED.items():
        if dropped := [(step, event) for step, event in shown.chose("drop") if event.because == because]:
            yield Signal(kind, steps_of(dropped), told.format(times(len(dropped))))
    yield from _unused(shown)


def _compressed(shown: Shown, gists: Sequence[tuple[int, Wrote]]) -> Iterator[Signal]:
    """How much of the words gists keep, and of which page the least."""
    pages: list[tuple[float, int, int, int, str]] = []
    for step, event in gists:
        sources = shown.trace.sources(event.pieces)
        whole = sum(words.count(shown.trace.document.text[start:end]) for start, end in sources)
        if whole:
            name = shown.called(refs.wrote(event.n), f"the gist of page {len(pages)}")
            pages.append((words.count(event.text) / whole, words.count(event.text), whole, step, name))
    if pages:
        least = min(pages)
        share = sum(page[1] for page in pages) / sum(page[2] for page in pages)
        name = least[4] if least[4].startswith("the gist") else f"the gist of {least[4]}"
        told = (
            f"Its gists keep {share:.0%} of the words; {name} keeps the least, {least[0]:.0%} ({least[1]} of {least[2]} words)."
        )
        yield Signal("compressed", (least[3],), told)


def _unused(shown: Shown) -> Iterator[Signal]:
    """Pages that were opened, and of whose words the answer has none."""
    if not isinstance(shown.trace.end, Answered) or not (answer := content(shown.trace.end.text)):
        return
    unused: list[tuple[int, str]] = []
    for step, event in shown.of(Looked):
        page = "\n".join(shown.trace.document.text[p.begin : p.stop] for p in event.pieces if p.origin == DOCUMENT)
        if shown.trace.steps[step - 1].phase == LOOK_UP and page and not answer & set(terms(page)):
            unused.append((step, shown.called(event.ref, "a page")))
    if unused:
        names = narrate_graph.listed(dict.fromkeys(name for _, name in unused), most=4)
        told = (
            f"{names[0].upper()}{names[1:]} {were(len(unused))} opened, and the answer has none of the less common words there."
        )
        yield Signal("opened_unused", steps_of(unused), told)


# A walk over a graph of entities


def _graph(shown: Shown) -> Iterator[Signal]:
    graph = [step.number + 1 for step in shown.trace.steps if narrate_graph.tells(step.names)]
    if not graph:
        return
    yield from _close(shown)
    if filtered := shown.chose("filter"):
        told = f"{some(len(filtered), 'segment').capitalize()} {were(len(filtered))} taken out of view: the window was full."
        yield Signal("filtered", steps_of(filtered), told)
    yield from _same_names(shown)
    trials = [n for n in graph if shown.trace.steps[n - 1].names[-1].startswith("trial ")]
    news = {step for step, _ in shown.chose("add", "commit")}
    if idle := tuple(step for step in trials if step not in news):
        yield Signal("nothing_new", idle, f"It brought nothing new into view in {some(len(idle), 'trial')}.")


def _close(shown: Shown) -> Iterator[Signal]:
    """Where the best relation was hardly better than the next."""
    scores: dict[int, list[float]] = defaultdict(list)
    for step, event in shown.chose("consider"):
        scores[step].append(float(event.because))
    close = []
    for step, found in scores.items():
        best, *rest = sorted(found, reverse=True)
        if rest and best - rest[0] <= CLOSE * abs(best):
            close.append((step, best, rest[0]))
    if close:
        _, best, second = min(close, key=lambda one: one[1] - one[2])
        told = f"The best relation was hardly ahead of the next {times(len(close))}; at the closest they scored {best:.4f} and "
        yield Signal("close_choice", tuple(step for step, _, _ in close), f"{told}{second:.4f}.")


def _same_names(shown: Shown) -> Iterator[Signal]:
    """Entities whose names differ in form alone (case, endings, a the or an a), and were not taken for one."""
    forms: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for step, event in shown.chose("place"):
        number = refs.written(event.picked)
        name = event.picked if number is None else shown.trace.wrote[number].text
        form = tuple(word for word in terms(name) if word not in ("the", "a", "an"))
        if form:
            forms[form].setdefault(name, step)
    alike = [names for names in forms.values() if len(names) > 1]
    if alike:
        told = "; ".join(narrate_graph.listed([f"“{name}”" for name in names]) for names in alike[:4])
        steps = tuple(sorted({step for names in alike for step in names.values()}))
        more = f", and {len(alike) - 4} more" if len(alike) > 4 else ""
        yield Signal("names_alike", steps, f"Entities have names that differ in form alone: {told}{more}.")


# A memory written anew at each chunk


def _memory(shown: Shown) -> Iterator[Signal]:
    found = memory_snapshots.snapshots(shown.trace)
    if not found:
        return
    yield from _at_its_limit(shown, found)
    kept = [(memory_snapshots.kept(a.text, b.text), b) for a, b in pairwise(found)]
    shares = [(share, snapshot) for share, snapshot in kept if share is not None]
    if shares and (most := min(shares, key=lambda pair: (pair[0], pair[1].step)))[0] < CHANGED:
        told = f"The memory changed most at chunk {most[1].number}: {most[0]:.0%} of the words before it stayed."
        yield Signal("changed_most", (most[1].step + 1,), told)
    still = tuple(b.step + 1 for a, b in pairwise(found) if a.text.split() == b.text.split() and a.text)
    if still:
        yield Signal("unchanged", still, f"The memory stayed word for word the same at {some(len(still), 'chunk')}.")
    if as_it_was := [(step, event) for step, event in shown.chose("fallback") if event.picked == UNCHANGED]:
        told = f"What was read at {some(len(as_it_was), 'chunk')} came into no memory: no reply could be read."
        yield Signal("not_written", steps_of(as_it_was), told)
    if badly := shown.chose("format_error"):
        told = f"A reply was not in the form asked for {times(len(badly))}; the last time: {badly[-1][1].because}."
        yield Signal("format_error", steps_of(badly), told)
    yield from _recalled(shown)


def _at_its_limit(shown: Shown, found: Sequence[memory_snapshots.Snapshot]) -> Iterator[Signal]:
    options = shown.reading.run.spec.get("options", {})
    limit = next((options[name] for name in _LIMITS if isinstance(options.get(name), int)), None)
    if limit:
        full = tuple(one.step + 1 for one in found if memory_snapshots.size(one.text) >= FULL * limit)
        if full:
            told = f"The memory was full, or nearly, after {some(len(full), 'chunk')} (its limit is {limit:,} tokens)."
            yield Signal("memory_full", full, told)


def _recalled(shown: Shown) -> Iterator[Signal]:
    recalls = shown.chose("recall")
    if nothing := [(step, event) for step, event in recalls if event.picked == "nothing"]:
        told = f"It looked back {times(len(nothing))}, and there was no earlier memory."
        yield Signal("recalled_nothing", steps_of(nothing), told)
    found = [(step, event) for step, event in recalls if event.picked != "nothing"]
    same = [later for earlier, later in pairwise(found) if earlier[1].picked == later[1].picked]
    if same:
        name = shown.called(same[-1][1].picked, "the same memory")
        told = f"It looked back and was shown the same memory as the time before, {times(len(same))}: {name}."
        yield Signal("recalled_same", steps_of(same), told)
    if blind := [(step, event) for step, event in shown.chose("score") if _all_nought(event) and step in steps_of(found)]:
        told = (
            f"No earlier memory had anything in common with what it looked back for, {times(len(blind))}; one was shown anyway."
        )
        yield Signal("recalled_blindly", steps_of(blind), told)


def _all_nought(event: Chose) -> bool:
    return all(float(score) == 0 for score in event.because.split())


# Pieces ranked by likeness


def _ranked(shown: Shown) -> Iterator[Signal]:
    taken = shown.chose("take")
    for step, event in shown.chose("score") if taken else []:
        scores = sorted(map(float, event.because.split()), reverse=True)
        if len(taken) < len(scores):
            last, first = scores[len(taken) - 1], scores[len(taken)]
            if last - first <= CLOSE * abs(last):
                told = f"The last piece that was taken scored {last:.4f}, the first that was not {first:.4f}."
                yield Signal("close_cut", (step,), told)


def kinds(found: Iterable[Signal]) -> list[str]:
    """The kinds of these signals, each once."""
    return list(dict.fromkeys(signal.kind for signal in found))
