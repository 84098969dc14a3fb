"""What the player shows of a reading, as JSON data: every step once, each with the little that changes at it. Pure.

The browser gets this once and moves through it on its own. The state at a step is the last change at or before it, so any step
can be shown without those in between. A document of up to a million characters is sent whole, a longer one in stretches on
request. Positions are counted as the browser counts them. Nothing here is markup: the player inserts every string as text.

{ "run", "live", "steps": [...], "texts": {...}, "terms": {...}, "phases": [...], "building": n, "cells": [...], "text": {...},
  "marks": {...}, "algorithm": {...} | None, "kind", "picture": {...} | None, "before", "by": {...}, "rules": {...} }: the first
n steps are those of building, and a sample opens at step `opens_at`; `by` are the authors of what the model did not write alone,
`rules` what a rule did to a text; `terms` say where a term stands that the page explains, in fixed words, and those of a step in
its sentence. A step's `ran` are the lines of the algorithm that it ran, by number, with their words filled in. `before` is there
only without a picture, and says when there will be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from components.html import terms
from components.html.words import wording
from components.html.words.wording import StepLine
from components.player import browser_text
from components.player.decision_card import Replies, decision, texts
from components.player.focus import Focus, Focuses
from components.player.step_texts import rules_on_texts, step_texts
from readers.engine.analysis import coverage
from readers.engine.analysis.authorship import Authorship
from readers.engine.record.events import Answered, Chose, CutOff, Ended, Misread
from readers.engine.record.narrative import Narrative, StepRecord
from readers.engine.record.pseudo_code import PseudoCode
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs, search
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import counted, percent
from readers.engine.text.words import has_no_spaces

WORDS_COUNTED = 3_000_000
MOST_TICKS = 120
DRAWN_APART = 600  # of this many stretches of a text, places closer than one are drawn as one
_NUMBER = re.compile(r" [\d.,]+$")
TURNED_BACK = "opened before, turned back"
Picture = Mapping[str, Any]
Marks = list[tuple[int, int, str]]  # start and end in the browser's units, and the term's id
_FIXED = ("caption", "view_caption", "walk_caption", "hint", "note")


@dataclass(frozen=True)
class ShownReading:
    """What there is to show of a reading: the trace, the words of the reader, the sentence of each step, and the picture.

    `before`: what stands where there is no picture yet. `authorship`: who wrote what; without it, the model wrote everything.
    `evidence`: the places that state the answer, `nearest`: those nearest to it where none does (`ending.py`).
    `none_given`: the answer says that there is none. `replies`: what the model replied, by call and attempt.
    """

    run: str
    trace: Trace
    narrative: Narrative
    names: Mapping[str, str]
    told: Sequence[StepLine]
    picture: Picture | None = None
    kind: str | None = None
    before: str = ""
    evidence: Sequence[Span] = ()
    nearest: Sequence[Span] = ()
    quotes: Sequence[Span] = ()
    none_given: bool = False
    live: bool = False
    authorship: Authorship | None = None
    algorithm: PseudoCode | None = None
    replies: Replies = field(default_factory=dict)


def frames(shown: ShownReading) -> dict[str, Any]:
    """Everything, for a player that has nothing yet."""
    algorithm = shown.algorithm.as_data() if shown.algorithm else None
    return {"run": shown.run, "text": text(shown.trace.document), "marks": marks(shown), "algorithm": algorithm, **moving(shown)}


def moving(shown: ShownReading) -> dict[str, Any]:
    """What grows while a reading is in progress: everything except the document."""
    steps = list(_steps(shown))
    unit = browser_text.counter(shown.trace.document.text)
    return {
        "live": shown.live,
        "steps": steps,
        "texts": texts(shown.trace, (step["decision"] for step in steps if "decision" in step)),
        "by": _authorship(shown).not_the_model_alone(),
        "rules": rules_on_texts(shown.trace),
        "terms": terms_fixed(shown.picture, _heads(shown.told, steps)),
        "phases": _phases(shown.told),
        "building": (building := next((step.number for step in shown.trace.steps if step.phase != BUILD), len(steps))),
        "opens_at": opens_at(steps, building),
        "cells": [(unit(start), unit(end), changes) for start, end, changes in coverage.cells(shown.trace)],
        "kind": shown.kind,
        "picture": browser_text.picture(shown.trace.document.text, shown.picture),
        **({"before": shown.before} if shown.before and not shown.picture else {}),
    }


def opens_at(steps: Sequence[Mapping[str, Any]], building: int) -> int:
    """The step at which a sample opens: the first at which the model chose among several things, once the memory is built; the
    first step after building where it never did."""
    chose = (n for n in range(building, len(steps)) if steps[n].get("decision", {}).get("by_model"))
    return next(chose, building if building < len(steps) else 0)


def _heads(told: Iterable[StepLine], steps: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The phases, the kinds of places where steps are (`segment` for `segment 3`), and what heads the notes on decision cards."""
    for line in told:
        yield line.phase
        yield _NUMBER.sub("", line.where)
    for step in steps:
        yield from (note["head"] for note in step.get("decision", {}).get("notes", ()))


def text(document: Document) -> dict[str, Any]:
    """The document: whole, or for a long one where its stretches begin."""
    length, unit = len(document.text), browser_text.counter(document.text)
    return {
        "title": document.title,
        "chars": unit(length),
        "cuts": [unit(cut) for cut in browser_text.cuts(document.text)],
        "counted": browser_text.counted(document.text),
        "whole": document.text if length <= browser_text.SENT_WHOLE else None,
        "blocks": blocks(document) if length <= browser_text.SENT_WHOLE else {},
        "landmarks": [(unit(at), words) for words, at in search.landmarks(document.text)][:MOST_TICKS],
        "size": wording.size(document),
        **({"pages": [(unit(start), f"p. {label}") for start, label in document.pages]} if document.pages else {}),
    }


def blocks(document: Document) -> dict[str, Any]:
    """The blocks of a whole document, by the numbers of the stretches that have any."""
    found = ((str(n), browser_text.blocks(document.text, n)) for n in range(len(browser_text.cuts(document.text))))
    return {number: each for number, each in found if each}


def marks(shown: ShownReading) -> dict[str, Any]:
    text = shown.trace.document.text
    found = {"evidence": shown.evidence, "nearest": shown.nearest, "quotes": shown.quotes}
    return {name: browser_text.spans(text, spans) for name, spans in found.items()}


def _phases(told: Sequence[StepLine]) -> list[dict[str, Any]]:
    """Consecutive steps of the same phase, each phase with its first step."""
    phases, at = [], 0
    for name, lines in groupby(told, key=lambda line: line.phase):
        phases.append({"name": name, "from": at})
        at += len(list(lines))
    return phases


def _steps(shown: ShownReading) -> Iterable[dict[str, Any]]:
    trace = shown.trace
    found_by = Focuses(trace)
    focuses = [found_by.of(step) for step in trace.steps]
    counted = _word_counts(trace.document, focuses)
    before: dict[str, str] = {}
    for step, line, focus in zip(trace.steps, shown.told, focuses, strict=True):
        record = StepRecord(trace, step, shown.names)
        made = decision(record, shown.narrative, before=before, replies=shown.replies)
        if made and made["by_model"]:
            made |= {"by": _authorship(shown).last(step), "asked_why": line.asked_why}
        data = {
            "where": line.where,
            "say": line.sentence,
            "mark": mark(record, shown.narrative, raw=focus.raw, none_given=shown.none_given),
            "focus": browser_text.spans(trace.document.text, focus.spans),
            "raw": focus.raw,
            "unseen": focus.seen == "not",
            "only_written": focus.seen == "only_written",
            "range": place_range(trace.document, focus.opened or focus.spans, counted),
            "reasons": line.reasons,
            "by": _authorship(shown).step(step),
        }
        marked = terms_in_sentence(line.sentence, record, shown.narrative)
        ran = shown.algorithm.at(record) if shown.algorithm else []
        through = browser_text.spans(trace.document.text, _as_drawn(trace.through_at[step.number], len(trace.document.text)))
        made_here = step_texts(record, shown.narrative, shown.replies)
        optional = {"wrong": _wrong(record), "through": through, "terms": marked, "decision": made, "ran": ran, **made_here}
        yield data | {name: value for name, value in optional.items() if value}
        if step.phase != BUILD:
            here = record.place_name()
            before[here] = TURNED_BACK if data["mark"] == "back" else before.get(here, "opened before")


def _as_drawn(places: Sequence[Span], length: int) -> Sequence[Span]:
    """The same places, those nearer to each other than can be drawn as one."""
    near, drawn = length // DRAWN_APART, list(places[:1])
    for start, end in places[1:]:
        if start - drawn[-1].end <= near:
            drawn[-1] = Span(drawn[-1].start, end)
        else:
            drawn.append(Span(start, end))
    return drawn


def _authorship(shown: ShownReading) -> Authorship:
    return shown.authorship or Authorship(shown.trace)


def _wrong(record: StepRecord) -> str:
    """How many replies of a step could not be used, how many were used as far as they went, how often a rule stood in for the
    model, and how many texts were cut to their limit, in a few words."""
    misread, cut = (sum(isinstance(event, kind) for event in record.events) for kind in (Misread, CutOff))
    told = [f"{counted(misread, 'reply')} not used"] if misread else []
    told += [f"{cut if told else counted(cut, 'reply')} cut off"] if cut else []
    fallen, shortened = (len(record.decisions_of(action)) for action in ("fallback", "truncate"))
    told += [counted(fallen, "fallback")] if fallen else []
    return ", ".join([*told, f"{counted(shortened, 'text')} cut"] if shortened else told)


def mark(record: StepRecord, narrative: Narrative, *, raw: bool, none_given: bool = False) -> str:
    """The shape of a step on the stepper, by what happened at it. `none_given`: the answer says that there is none."""
    marks = {narrative.decision(event.action).mark for event in record.decisions}
    if any(isinstance(event, Answered) for event in record.events):
        return "ended" if none_given else "answer"
    if any(isinstance(event, Ended) for event in record.events):
        return "ended"
    if "back" in marks:
        return "back"
    if "warn" in marks or any(isinstance(event, (CutOff, Misread)) for event in record.events):
        return "warn"
    if record.step.phase == BUILD:
        return "write"
    return "raw" if raw else "look"


def _word_counts(document: Document, focuses: Iterable[Focus]) -> Mapping[int, int]:
    """The number of words before every edge; empty if the text is so long that counting would be slow."""
    if len(document.text) > WORDS_COUNTED:
        return {}
    about = (one.opened or one.spans for one in focuses)
    return browser_text.words_at(document, [edge for spans in about for span in spans[:1] + spans[-1:] for edge in span])


def place_range(document: Document, found: Sequence[Span], counted: Mapping[int, int]) -> str:
    """Where a focus is: its pages, or else in words of the text (characters, where no spaces part them) or, in a very long text,
    in percent. Places with nothing but space and marks between them are one."""
    if not found:
        return ""
    if pages := document.pages_of(*found):
        return pages
    start, end = found[0].start, found[-1].end
    between = (document.text[one.end : other.start] if one.end <= other.start else None for one, other in pairwise(found))
    parted = sum(text is None or any(letter.isalnum() for letter in text) for text in between)
    if parted:
        share = percent(sum(end - start for start, end in found) / len(document.text))
        return f"{parted + 1} places, {share} of the text"
    if counted and has_no_spaces(document.text):
        return f"characters {start + 1:,} to {end:,}"
    if counted:
        return f"words {counted[start] + 1:,} to {counted[end]:,}"
    length = len(document.text)
    return f"{100 * start / length:.1f}% to {100 * end / length:.1f}% of the text"


# Where terms stand in our own words; a sentence also names and quotes what a model or a text said, which is never marked


def terms_in_sentence(sentence: str, record: StepRecord, narrative: Narrative) -> Marks:
    """The terms in the sentence of a step, without those in the words of a model or a text."""
    return _term_marks(sentence, quoted(record, narrative))


def quoted(record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """What a sentence about a step may repeat of a model's or a text's words: reasons, problems, and the names of what was
    written, an entity's for instance."""
    for event in record.events:
        if isinstance(event, Chose):
            yield from _with_and_without_stop(event.because)
            for named in (event.picked, *event.among):
                yield from _others_name(named, record, narrative)
        elif isinstance(event, (Misread, CutOff)):
            yield from _with_and_without_stop(event.problem)
        elif isinstance(event, Ended):
            yield from _with_and_without_stop(event.reason)


def _with_and_without_stop(words: str) -> tuple[str, str]:
    return words, words.rstrip(".")


def _others_name(named: str, record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """The name of what a decision picked, unless the name is the reader's own (`segment 3`)."""
    if refs.span(named) is not None or named in narrative.offers:
        return
    number = refs.written(named)
    wrote = None if number is None else record.trace.wrote.get(number)
    if wrote is None or wrote.role in narrative.roles_in_decisions:
        yield record.name(named)


def terms_fixed(picture: Mapping[str, Any] | None, heads: Iterable[str]) -> dict[str, Marks]:
    """The terms in the fixed words of a picture (its captions, its legend, the heads of its panels) and in other `heads`."""
    drawn = picture or {}
    words = [str(drawn.get(name) or "") for name in _FIXED]
    words += [str(meaning) for meaning in drawn.get("meanings", {}).values()]
    words += [str(group["head"]) for groups in drawn.get("panels", {}).values() for group in groups]
    return {each: found for each in dict.fromkeys([*words, *heads]) if (found := _term_marks(each))}


def _term_marks(words: str, protected: Iterable[str] = ()) -> Marks:
    unit = browser_text.counter(words)
    return [(unit(start), unit(end), term) for start, end, term in terms.marks(words, protected=protected)]
