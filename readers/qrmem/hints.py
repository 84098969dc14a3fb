"""Hints for annotators about a walk over a graph of entities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from readers.engine.record.hint import CLOSE, Hint, HintSource, overlap, spans_opened, steps_of
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import listed, some, times, were
from readers.engine.text.words import terms
from readers.qrmem.narrative import is_graph_step


def hints(source: HintSource) -> Iterator[Hint]:
    """Close choices, segments taken out of view, names that are alike, and trials that brought nothing."""
    graph = [step.number + 1 for step in source.trace.steps if is_graph_step(step.names)]
    if not graph:
        return
    yield from _close(source)
    if filtered := source.decisions("filter"):
        told = f"{some(len(filtered), 'segment').capitalize()} {were(len(filtered))} taken out of view: the window was full."
        yield Hint("filtered", steps_of(filtered), told)
    yield from _same_names(source)
    trials = [n for n in graph if source.trace.steps[n - 1].names[-1].startswith("trial ")]
    news = {step for step, _ in source.decisions("add", "commit")}
    if idle := tuple(step for step in trials if step not in news):
        yield Hint("nothing_new", idle, f"It brought nothing new into view in {some(len(idle), 'trial')}.")


def _close(source: HintSource) -> Iterator[Hint]:
    """Where the best relation was hardly better than the next."""
    scores: dict[tuple[int, int], list[float]] = defaultdict(list)  # by step and, within it, by what was followed before
    followed: dict[int, int] = defaultdict(int)
    for step, event in source.decisions("consider", "expand"):
        if event.action == "expand":
            followed[step] += 1
        else:
            scores[step, followed[step]].append(float(event.because))
    close = []
    for (step, _), found in scores.items():
        best, *rest = sorted(found, reverse=True)
        if rest and best - rest[0] <= CLOSE * abs(best):
            close.append((step, best, rest[0]))
    if close:
        _, best, second = min(close, key=lambda one: one[1] - one[2])
        told = f"The best relation was hardly ahead of the next {times(len(close))}; at the closest they scored {best:.4f} and "
        yield Hint("close_choice", tuple(dict.fromkeys(step for step, _, _ in close)), f"{told}{second:.4f}.")


def _same_names(source: HintSource) -> Iterator[Hint]:
    """Entities whose names differ in form alone (case, endings, a the or an a), and were not taken for one."""
    forms: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for step, event in source.decisions("place"):
        number = refs.written(event.picked)
        name = event.picked if number is None else source.trace.wrote[number].text
        form = tuple(word for word in terms(name) if word not in ("the", "a", "an"))
        if form:
            forms[form].setdefault(name, step)
    alike = [names for names in forms.values() if len(names) > 1]
    if alike:
        told = "; ".join(listed([f"“{name}”" for name in names]) for names in alike[:4])
        steps = tuple(sorted({step for names in alike for step in names.values()}))
        more = f", and {len(alike) - 4} more" if len(alike) > 4 else ""
        yield Hint("names_alike", steps, f"Entities have names that differ in form alone: {told}{more}.")


def hints_from_evidence(source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
    """The question was said to be answerable with no evidence in view."""
    trials = {step.number + 1 for step in source.trace.steps if is_graph_step(step.names)}
    views = spans_opened(source)
    early = [
        (step, event)
        for step, event in source.decisions("commit")
        if step in trials and not overlap(views.get(step, ()), evidence)
    ]
    if early:
        yield Hint("answerable_early", steps_of(early), "It said it could answer with no known evidence in view.")
