"""The state of a MemWalker reading, from its events: the tree, and the walk through it decision by decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from readers.engine.record.events import Answered, Asked, Chose, Cut, Ended, Event, StepEnded, Wrote
from readers.engine.record.hint import Hint, HintSource, overlap, spans_opened, steps_of
from readers.engine.record.journal import Record
from readers.engine.record.provisional import Answers
from readers.engine.record.trace import BUILD
from readers.engine.run.reader import ReadingState
from readers.engine.text import refs, tokens
from readers.engine.text.document import DOCUMENT, Piece, Span
from readers.engine.text.phrases import times
from readers.memwalker.prompts import LEAF_SUMMARY
from readers.memwalker.sections import grouped
from readers.memwalker.tree import FIRST_LEVEL

Node = dict[str, Any]


class MemWalkerState(ReadingState):
    """The nodes by the number of their summary, and every decision at a node."""

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """The nodes by their id, level by level from the leaves up.

        Which nodes are below which follows from the number of summaries on each level, or from the spans that a level records,
        not from provenance, so that a summary edited by a person keeps its children. A leaf next to larger parts is on their
        level.
        """
        nodes: list[Node] = []
        below: list[Node] = [{"start": start, "end": end} for start, end in self.trace.first_cut]
        by_spans = False
        for number, (written, spans) in enumerate(self._levels()):
            parts = _inside(below, spans) if spans else grouped(below, len(written)) if number else ([one] for one in below)
            made = [
                {
                    "id": str(summary.n),
                    "level": number,
                    "children": [child["id"] for child in part] if number else [],
                    "start": part[0]["start"],
                    "end": part[-1]["end"],
                    "summary": summary.text,
                }
                for summary, part in zip(written, parts, strict=False)
            ]
            nodes += made
            below = _highest_of(below, made) if spans else made
            by_spans = by_spans or bool(spans)
        by_id = {node["id"]: node for node in nodes}
        if by_spans and len(below) == 1:
            _number_from_above(by_id, nodes[-1])
        return by_id

    def _levels(self) -> Iterator[tuple[list[Wrote], tuple[Span, ...]]]:
        """The summaries of each level from the leaves up, and the spans they represent if the level records them. A level above
        the leaves counts only when it is complete."""
        for step in self.trace.steps:
            happened = self.trace.of(step)
            written = [event for event in happened if isinstance(event, Wrote) and event.role == "summary"]
            whole = any(isinstance(event, StepEnded) for event in happened)
            if written and step.phase == BUILD and (whole or step.names[-1] == FIRST_LEVEL):
                yield written, next((event.spans for event in happened if isinstance(event, Cut)), ())

    @cached_property
    def roots(self) -> list[str]:
        """The nodes below no other node; while the tree is built there are many."""
        below = {child for node in self.nodes.values() for child in node["children"]}
        return [node_id for node_id in self.nodes if node_id not in below]

    @cached_property
    def walk(self) -> list[dict[str, Any]]:
        """Every decision at a node, with where it led."""
        return list(self._walk())

    def _walk(self) -> Iterator[dict[str, Any]]:
        path = [next(reversed(self.nodes), "")]
        for step in self.trace.steps:
            if step.phase != "walk":
                continue
            for event in self.trace.of(step):
                if not isinstance(event, Chose):
                    continue
                at = {"step": step.number, "node": path[-1]}
                if event.action == "enter":
                    path.append(refs.node_id(event.picked))
                elif event.action == "revert":
                    path.pop()
                refused = event.action == "refuse"
                to = refs.node_id(event.picked) if refused else path[-1]
                yield {**at, "action": "refused" if refused else event.action, "to": to, "reasoning": event.because}
        if isinstance(end := self.trace.end, Ended):
            last = len(self.trace.steps) - 1
            yield {"step": last, "node": path[-1], "action": "stop", "to": path[-1], "reasoning": end.reason}

    @cached_property
    def called(self) -> dict[str, str]:
        """The names of nodes by their id: `the whole text`, `part 2`, `part 2.1` ... While the tree is built, the summary of the
        whole text is not written yet, and the highest nodes are the parts."""
        todo = [(node_id, f"part {number}", f"part {number}.") for number, node_id in enumerate(self.roots, 1)]
        if len(self.roots) == 1 and self.nodes[self.roots[0]]["end"] == self.trace.first_cut[-1].end:
            todo = [(self.roots[0], "the whole text", "part ")]
        called: dict[str, str] = {}
        while todo:
            node_id, name, below = todo.pop()
            called[node_id] = name
            children = enumerate(self.nodes[node_id]["children"], 1)
            todo.extend((child, f"{below}{number}", f"{below}{number}.") for number, child in children)
        return called

    def view(self) -> dict[str, Any]:
        """The tree and the walk."""
        return {"nodes": list(self.nodes.values()), "walk": self.walk}

    def names(self) -> dict[str, str]:
        """The names of nodes by the ref of the summary; for a leaf also by its segment's."""
        return {ref: name for node_id, name in self.called.items() for ref in self.stands_for(node_id)}

    def stands_for(self, node_id: str) -> list[str]:
        """What a node represents: its summary, and its own place in the text if it has no parts."""
        node = self.nodes[node_id]
        return [refs.wrote(node_id), *([] if node["children"] else [refs.place(node["start"], node["end"])])]

    def provisional(self, answers: Answers) -> Iterable[Event]:
        """The leaves; how a level above them is grouped is known once it is complete."""
        return answers.written({LEAF_SUMMARY.id}, "summary")

    def measures(self, records: Sequence[Record]) -> Mapping[str, int | float | bool | None]:
        """How often it went back up, whether it strayed at all, and the tokens of summaries and segments in the walk's
        prompts, as a share of the text's (section 5, figure 4). A text that was in two prompts counts twice, so the share can
        be over 1."""
        trace = self.trace
        if not trace.decisions("enter"):
            return {}
        reverts = len(trace.decisions("revert"))
        asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked)]
        processed = sum(self._tokens(piece) for event in asked for _, texts in event.parts for text in texts for piece in text)
        return {"reverts": reverts, "stray": reverts > 0, "processed_fraction": processed / max(1, trace.document.tokens)}

    def _tokens(self, piece: Piece) -> int:
        """The tokens of a piece of the document or of a summary; 0 for the question and other words."""
        number = refs.written(piece.origin)
        written = "" if number is None else self.trace.wrote[number].text
        source = self.trace.document.text if piece.origin == DOCUMENT else written
        return tokens.count(source[piece.begin : piece.stop])

    def hints(self, source: HintSource) -> Iterator[Hint]:
        """How the walk went: back up, into the same part again, or where it was refused."""
        if not (entered := source.decisions("enter")):
            return
        if back := source.decisions("revert"):
            then = "and answered all the same" if isinstance(self.trace.end, Answered) else "and gave no answer"
            yield Hint("went_back", steps_of(back), f"It went back up {times(len(back))}, {then}.")
        seen: Counter[str] = Counter()
        again = []
        for step, event in entered:
            again += [(step, event)] if seen[event.picked] else []
            seen[event.picked] += 1
        if again:
            where = ", ".join(dict.fromkeys(source.name_of(event.picked, "a part") for _, event in again))
            told = f"It opened a part that it had left before, {times(len(again))}: {where}."
            yield Hint("entered_again", steps_of(again), told)
        if refused := source.decisions("refuse"):
            why = refused[-1][1].because
            yield Hint("refused", steps_of(refused), f"A choice of its own could not be followed {times(len(refused))}: {why}.")

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
        """Evidence that was passed over, left again, or is not the source of the answer."""
        entered = source.decisions("enter")
        if not entered:
            return
        if passed := [(step, event) for step, event in entered if _passed_over(source, event, evidence)]:
            told = f"An option that represents known evidence was offered, but another was taken, {times(len(passed))}."
            yield Hint("passed_over", steps_of(passed), told)
        places = spans_opened(source)
        if left := [(step, event) for step, event in source.decisions("revert") if overlap(places.get(step, ()), evidence)]:
            told = f"It went back up from a part of the text that holds known evidence, {times(len(left))}."
            yield Hint("left_evidence", steps_of(left), told)
        committed = source.decisions("commit")
        if elsewhere := [(step, event) for step, event in committed if not overlap(places.get(step, ()), evidence)]:
            yield Hint("answered_elsewhere", steps_of(elsewhere), "It answered from a part of the text without known evidence.")


def _inside(below: Sequence[Node], spans: Iterable[Span]) -> list[list[Node]]:
    """The highest nodes so far that are in each span."""
    return [[node for node in below if start <= node["start"] and node["end"] <= end] for start, end in spans]


def _highest_of(below: Sequence[Node], made: Sequence[Node]) -> list[Node]:
    """The nodes without one above them, in the order of the text."""
    have = {child for node in made for child in node["children"]}
    return sorted([*(node for node in below if node["id"] not in have), *made], key=lambda node: int(node["start"]))


def _number_from_above(by_id: Mapping[str, Node], root: Node) -> None:
    """Set the level of each node by how far it is below the root."""
    todo = [root]
    while todo:
        node = todo.pop()
        for child in node["children"]:
            by_id[child]["level"] = node["level"] - 1
            todo.append(by_id[child])


def _passed_over(source: HintSource, event: Chose, evidence: Sequence[Span]) -> bool:
    if overlap(source.sources_of(event.picked), evidence):
        return False
    return any(overlap(source.sources_of(ref), evidence) for ref in event.among)
