"""QRMeM: keep the text as it stands, make a graph of its entities for the question, and follow that, with a reason for every
failure, to the segments the answer needs (Wang et al., 2024, arXiv 2406.13167).

Construction (section 2.1): segments and a summary of the whole; for each segment its entities for the question, from the model
and from rules, and a description of how any two are related; questions the model asks itself about the segment, kept where
ROUGE-L with every kept one is under 0.6, and the entities and relations they bring up; then one graph, names that mean the same
made one entity, descriptions of the same two entities made one relation, each entity with its segments. Navigation (2.2,
Algorithm 1): answer from the segments of the question's entities or decline with a reason; follow the relation most like
question, reason and entities; add the new entity's segments, filter what was added where the window is full; try again. Graph
Expansion Search (`expansion`): follow relations like the question hop by hop, then retrieve with a longer question and answer
once. Entity Trial (`trial`): no relations, the model names the next entities.

There is no code of the authors'. Where the paper is silent or contradicts itself, this reader
  - takes a segment's size for tokens, and makes the summary by map and reduce; segment and text summaries alone are shared
    between questions;
  - puts the question into the entity prompt (section 2.1 has it, the printed prompt has not), and asks for JSON where the paper
    prints no format; five replies in all, each retry 0.2 warmer;
  - replaces CoreNLP by rules for names, dates and quantities (`engine/text/entities.py`);
  - takes an entity only where it stands in its segment, a relation only between two entities of it, and up to three questions;
    what is left out is on record. Entities, relations and what prompts list of them are bounded a segment;
  - has rules put forward which names may mean the same (a word in common that is not in over 50 names, titles aside), and takes
    the model's word on them; the longest of an entity's most frequent names is its name;
  - puts descriptions together two by two, of each the first segment it was told in; a merge that could not be read leaves both;
  - asks once whether it can answer, which gives the answer or the reason (the paper has two calls);
  - goes on from all entities reached so far, not from the first ones for ever, and offers no relation between two of them;
  - shows segments in the order of the text, and filters added ones of equal score by their likeness to the question; first ones
    that alone are over the window are cut by that likeness, and so is what the model's own window does not hold;
  - falls back on the segments most like the question where it names no entity of the graph, or no relation is left, and stops
    where all are in view; after the last trial it follows one relation more and answers from what is in view;
  - scores with TF-IDF, BM25 or any embedding model in the place of Contriever;
  - in `expansion` compares relations with the question alone, and answers from the retrieved segments alone;
  - in `trial` takes the R of the update for the reason, keeps in view what was added, and ends where the window is full.
Ablations are options: no questions, no entities of the model's, no reason in what is searched for, no navigation.
Not here: training, and the paper's sampling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from readers.engine.errors import Ended
from readers.engine.record.hint import Hint, HintSource
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Span, Text
from readers.qrmem import hints, view
from readers.qrmem.merged_graph import Combination
from readers.qrmem.narrative import Action, QRMeMNarrative
from readers.qrmem.navigate import Navigation
from readers.qrmem.options import QRMeMOptions
from readers.qrmem.prompts import (
    ANSWER,
    ANSWER_CHOICE,
    ANSWERABLE,
    ELABORATE,
    ENTITIES,
    MERGE_QUESTION,
    MERGE_RELATIONS,
    MORE_ENTITIES,
    MORE_RELATIONS,
    QUESTIONS,
    RELATIONS,
    REVISE,
    SAME,
    SEGMENT_SUMMARY,
    START,
    SUMMARY,
)  # fmt: skip
from readers.qrmem.segment_graphs import Construction


class QRMeM(Reader):
    """Follows a graph of entities, made for the question, to the segments that answer it."""

    id, title, version = "qrmem", "QRMeM", 1
    prompts = (
        SEGMENT_SUMMARY, SUMMARY, ENTITIES, RELATIONS, QUESTIONS, MORE_ENTITIES, MORE_RELATIONS, SAME, MERGE_QUESTION,
        MERGE_RELATIONS, START, ANSWERABLE, REVISE, ELABORATE, ANSWER, ANSWER_CHOICE,
    )  # fmt: skip
    Options = QRMeMOptions
    narrative = QRMeMNarrative()

    def read(self, document: Document, question: Question, desk: Desk[Action], options: QRMeMOptions) -> Text:
        with desk.step("build"):
            graphs, summary = Construction(document, question, desk, options).graphs()
            if not graphs:
                raise Ended("no_answer", "there is no text")
            graph = Combination(graphs, summary, question, desk).graph()
        with desk.step("walk"):
            return Navigation(graph, question, desk, options).answer()

    def view(self, trace: Trace) -> dict[str, Any]:
        return view.view(trace)

    def names(self, trace: Trace) -> dict[str, str]:
        return view.names(trace)

    def measures(self, trace: Trace, records: Sequence[Record]) -> Mapping[str, Any]:
        return view.measures(trace)

    def hints(self, source: HintSource) -> Iterable[Hint]:
        return hints.hints(source)

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterable[Hint]:
        return hints.hints_from_evidence(source, evidence)
