"""The state of a QRMeM reading, from its events: its segments, the graph over them, and the walk.

Segments are numbered from 1; entities and relations have the number of the text written for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from readers.engine.prompts.formats.json_lists import strings
from readers.engine.record.events import Chose, Event, Looked, StepBegan, StepEnded, Wrote
from readers.engine.record.hint import Hint, HintSource, overlap, spans_opened, steps_of
from readers.engine.record.journal import Record
from readers.engine.record.provisional import Answers
from readers.engine.record.scores import clearness
from readers.engine.record.trace import Step
from readers.engine.run.reader import ReadingState
from readers.engine.text import refs
from readers.engine.text.document import Span, Text
from readers.engine.text.phrases import listed, some, times, were
from readers.engine.text.words import terms
from readers.qrmem.narrative import DECLINED, WALK, is_graph_step
from readers.qrmem.prompts import ENTITIES, SEGMENT_SUMMARY

COUNTED = {
    "edges_considered": "consider",
    "segments_added": "add",
    "segments_filtered": "filter",
    "questions_kept": "keep",
    "questions_dropped": "drop_question",
}  # measures, and the actions that they count


class QRMeMState(ReadingState):
    """The graph, the model's own questions, and a row of the walk for each trial or hop."""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each segment, by its ref."""
        return {refs.place(*span): number for number, span in enumerate(self.trace.first_cut, 1)}

    @cached_property
    def entities(self) -> list[dict[str, Any]]:
        return [
            {
                "id": refs.node_id(event.picked),
                "name": _name(wrote := self._written(event)),
                "mentions": list(dict.fromkeys(wrote.text.split("\n"))),
                "segments": [self.numbers[ref] for ref in event.among],
                "source": event.because,
            }
            for event in self.trace.decisions("place")
        ]

    @cached_property
    def relations(self) -> list[dict[str, Any]]:
        return [
            {
                "id": refs.node_id(event.picked),
                "a": refs.node_id(event.among[0]),
                "b": refs.node_id(event.among[1]),
                "text": self._written(event).text,
                "segments": [self.numbers[ref] for ref in event.among[2:]],
            }
            for event in self.trace.decisions("link")
        ]

    def _written(self, event: Chose) -> Wrote:
        return self.trace.wrote[int(refs.node_id(event.picked))]

    def _decisions(self, step: Step) -> list[Chose]:
        return [event for event in self.trace.of(step) if isinstance(event, Chose)]

    def _questions(self) -> Iterator[dict[str, Any]]:
        for step in self.trace.steps:
            for event in self._decisions(step):
                if event.action in ("keep", "drop_question"):
                    segment = int(step.names[-1].removeprefix("segment "))
                    kept = event.action == "keep"
                    yield {"text": event.picked, "segment": segment, "kept": kept, "rouge_l": float(event.because)}

    def _walk(self) -> Iterator[dict[str, Any]]:
        """One row for each trial, or for each hop and the retrieval after the hops. `in_view` has the segments shown at a trial,
        or in view at the end of a hop."""
        in_view: set[int] = set()
        rows = 0
        for step in (step for step in self.trace.steps if step.phase == WALK):
            kind = step.names[-1].partition(" ")[0]
            row = self._row(step, in_view, is_trial=kind == "trial")
            if kind in ("trial", "hop", "retrieve"):
                rows += 1
                yield {"trial": rows, **row, "in_view": row["in_view"] if kind == "trial" else sorted(in_view)}

    def _row(self, step: Step, in_view: set[int], *, is_trial: bool) -> dict[str, Any]:
        """The decisions of a step, which change what is `in_view`; the row has what was in view at the model's verdict.
        `candidates` have the score that they were given last; `chosen` is the relation that was followed last in a trial, and the
        best one of a hop."""
        row: dict[str, Any] = {"answerable": None, "reason": "", "candidates": [], "chosen": None, "added": [], "filtered": []}
        row["in_view"] = sorted(in_view)
        candidates: dict[str, dict[str, Any]] = {}
        for event in self._decisions(step):
            match event.action:
                case "commit" | "decline":
                    row |= {"answerable": event.action == "commit", "reason": event.because, "in_view": sorted(in_view)}
                case "fallback" if event.picked == DECLINED:
                    row |= {"answerable": False, "reason": event.because, "in_view": sorted(in_view)}
                case "consider":
                    relation, entity = refs.node_id(event.picked), refs.node_id(event.among[0])
                    candidate = {"relation": relation, "entity": entity, "score": 0.0, "followed": False}
                    candidates.setdefault(relation, candidate)["score"] = float(event.because)
                case "expand":
                    if row["chosen"] is None or is_trial:
                        row["chosen"] = {"relation": refs.node_id(event.picked), "entity": refs.node_id(event.among[0])}
                    candidates[refs.node_id(event.picked)]["followed"] = True
                case "add":
                    row["added"].append(self.numbers[event.picked])
                    in_view.add(self.numbers[event.picked])
                case "filter":
                    row["filtered"].append(self.numbers[event.picked])
                    in_view.discard(self.numbers[event.picked])
        return row | {"candidates": list(candidates.values())}

    def view(self) -> dict[str, Any]:
        """The graph and the walk over it."""
        places = zip(self.numbers.values(), self.trace.first_cut, strict=True)
        return {
            "segments": [{"id": number, "start": start, "end": end} for number, (start, end) in places],
            "entities": self.entities,
            "relations": self.relations,
            "questions": list(self._questions()),
            "walk": list(self._walk()),
        }

    @cached_property
    def called(self) -> dict[str, str]:
        """The names of segments and written texts, by their refs: `segment 3`, an entity's name, `Campion – Mr Hale`."""
        called = {ref: f"segment {number}" for ref, number in self.numbers.items()}
        summaries = [refs.wrote(n) for n, wrote in self.trace.wrote.items() if wrote.role == "summary"]
        for number, ref in enumerate(summaries, 1):
            called[ref] = f"summary of segment {number}" if number <= len(self.numbers) else f"summary {number}"
        if summaries and (len(self.numbers) == 1 or len(summaries) > len(self.numbers) > 0):
            called[summaries[-1]] = "summary of the text"
        for n, wrote in self.trace.wrote.items():
            if wrote.role == "entity":
                called[refs.wrote(n)] = _name(wrote)
            elif wrote.role == "query":
                called[refs.wrote(n)] = "the longer question"
        return called | self._called_relations()

    def _called_relations(self) -> dict[str, str]:
        """Relations by their ends; an intermediate relation, which is not in the graph, by its parts."""
        wrote = self.trace.wrote
        called = {event.picked: " – ".join(event.among) for event in self.trace.decisions("relate")}
        entities = {refs.wrote(n): _name(text) for n, text in wrote.items() if text.role == "entity"}
        for event in self.trace.decisions("link"):
            called[event.picked] = " – ".join(entities.get(ref, ref) for ref in event.among[:2])
        for n, text in wrote.items():
            if text.role == "relation" and refs.wrote(n) not in called:
                made_of = [refs.wrote(parent) for parent in self.trace.parent_texts(text.pieces)]
                called[refs.wrote(n)] = next((called[ref] for ref in made_of if " – " in called.get(ref, "")), "a relation")
        return called

    def names(self) -> dict[str, str]:
        return dict(self.called)

    def provisional(self, answers: Answers) -> Iterator[Event]:
        """The summaries of the segments, then the names that the model found in each, a step a segment, until the first segment
        is recorded with its relations. Not here: names found by rules, which come with them."""
        yield from answers.written({SEGMENT_SUMMARY.id}, "summary")
        document = self.trace.document
        if self.trace.decisions("find", "relate"):
            return
        number = {span.start: number for number, span in enumerate(self.trace.first_cut, 1)}
        for answer in answers.to({ENTITIES.id}):
            segment = Text.join("", [document.at(span) for span in answer.spans(document, "segment")])
            there = segment.text.casefold()
            names = [name.text for name in strings(Text(answer.value("entities"))) if name.text.casefold() in there]
            if names and segment.spans[0].start in number:
                yield StepBegan(f"segment {number[segment.spans[0].start]}")
                yield Looked(segment.pieces)
                yield Chose("find", f"{len(names)} name{'s' * (len(names) > 1)}", tuple(dict.fromkeys(names)), "model")
                yield StepEnded()

    @cached_property
    def graph_steps(self) -> list[Step]:
        """The steps that build the graph or walk over it."""
        return [step for step in self.trace.steps if is_graph_step(step.names)]

    @cached_property
    def trials(self) -> list[int]:
        """The trials, by the number of their step from 1."""
        return [step.number + 1 for step in self.graph_steps if step.names[-1].startswith("trial ")]

    def measures(self, records: Sequence[Record]) -> Mapping[str, int]:
        """How often the model was asked whether it can answer; how much was weighed, brought into view and taken out; and how
        many of the model's own questions were kept."""
        if not self.graph_steps:
            return {}
        counts = {name: len(self.trace.decisions(action)) for name, action in COUNTED.items()}
        return {"trials": len(self.trials), **counts}

    def hints(self, source: HintSource) -> Iterator[Hint]:
        """Close choices, segments taken out of view, names that are alike, and trials that brought nothing."""
        if not self.graph_steps:
            return
        yield from _close(source)
        if filtered := source.decisions("filter"):
            told = f"{some(len(filtered), 'segment').capitalize()} {were(len(filtered))} taken out of view: the window was full."
            yield Hint("filtered", steps_of(filtered), told)
        yield from _names_alike(source)
        news = {step for step, _ in source.decisions("add", "commit")}
        if idle := tuple(step for step in self.trials if step not in news):
            yield Hint("nothing_new", idle, f"It brought nothing new into view in {some(len(idle), 'trial')}.")

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
        """The question was judged answerable with no evidence in view."""
        trials = {step.number + 1 for step in self.graph_steps}
        views = spans_opened(source)
        early = [
            (step, event)
            for step, event in source.decisions("commit")
            if step in trials and not overlap(views.get(step, ()), evidence)
        ]
        if early:
            yield Hint("answerable_early", steps_of(early), "It said it could answer with no known evidence in view.")


def _name(wrote: Wrote) -> str:
    return wrote.text.partition("\n")[0]


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
        if rest and clearness(best, rest[0]) != "clear":
            close.append((step, best, rest[0]))
    if close:
        _, best, second = min(close, key=lambda one: one[1] - one[2])
        told = f"The best relation was hardly ahead of the next {times(len(close))}; at the closest they scored {best:.4f} and "
        yield Hint("close_choice", tuple(dict.fromkeys(step for step, _, _ in close)), f"{told}{second:.4f}.")


def _names_alike(source: HintSource) -> Iterator[Hint]:
    """Entities whose names differ only in form (case, endings, an article), and that were not merged."""
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
        yield Hint("names_alike", steps, f"Entities have names that differ only in form: {told}{more}.")
