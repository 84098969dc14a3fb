"""QRMeM: keep the text unchanged, build a graph of its entities for the question, and follow the graph to the segments that the
answer needs, with a reason for every failure (Wang et al., 2024, arXiv 2406.13167).

Construction (section 2.1): the text is cut into segments and summarised. For each segment, the model and rules name its entities
for the question, and the model describes how any two are related. The model then asks itself questions about each segment;
questions are kept if their ROUGE-L with every kept one is under 0.6, and bring up further entities and relations. The graphs of
the segments are merged into one: names with the same meaning become one entity, descriptions of the same two entities become one
relation, and each entity knows its segments. Navigation (2.2, Algorithm 1): answer from the segments of the question's entities,
or decline with a reason; follow the relation most similar to question, reason and entities; add the new entity's segments; filter
segments if the window is full; try again. Graph Expansion Search (`expansion`): follow relations similar to the question
hop by hop, then retrieve with an elaborated question and answer once. Entity Trial (`trial`): no relations, the model names the
next entities.

The authors published no code. Where the paper is silent or contradicts itself, this reader
  - measures segments in tokens. `window_tokens` counts only the tokens of the segments in view; the paper's 4,096 are the whole
    context, with instructions, question and reply, and are set as the model's own window (as the recipe `qrmem-main` does);
  - makes the summary by map and reduce; only segment and text summaries are shared between questions;
  - puts the question into the entity prompt (section 2.1 does, the printed prompt does not), and asks for JSON where the paper
    prints no format; five replies in all, each retry 0.2 warmer;
  - replaces CoreNLP by rules for names, dates and quantities (`engine/text/entities.py`);
  - accepts an entity only if it occurs in its segment, a relation only between two of the segment's entities, and up to three
    questions; omissions are recorded. Entities, relations and the lists of them in prompts have a limit for each segment;
  - has rules propose which names may mean the same (they share a word, titles aside, that at most 50 names have), and takes the
    model's word on them; an entity's name is the longest of its most frequent names;
  - merges descriptions pairwise, showing for each the first segment it comes from; a merge that could not be read keeps both;
  - asks once whether it can answer, which gives the answer or the reason (the paper makes two calls);
  - continues from all entities reached so far, not always from the first entities, and offers no relation between two of them;
  - never asks what it asked before: if a relation brings no segment that was not shown, it follows the next best in the same
    trial, weighed again from the new entity, up to eight relations;
  - shows segments in the order of the text; if the window is full, segments never shown stay (at least the best of them), added
    segments leave by score, and first segments, which the paper never filters, leave by their similarity to the question, but
    keep half of the window; anything that exceeds the model's own window is treated in the same way;
  - falls back on the segments most similar to the question and the reason if the question names no entity of the graph, no
    relation is left, or eight brought nothing; once every segment was shown, on those not shown together; then it ends as
    exhausted, or answers from what is in view if the last verdict could not be read;
  - after the last trial follows one more relation. If a segment that was shown is out of view by then, the most relevant of all
    segments are put together for the answer (`gather`), unless the model has declined to answer from just these: they are the
    most similar to the question, the reasons of all trials and the entities reached, and a segment counts for more by the best
    relation of these entities that it states. On texts of 2,000 tokens a model that makes no mistake and sees only its prompt
    then answers 40 questions of 40 with a window of 900 or 600 tokens, and without `gather` 29 and 18;
  - retrieves `top_k` segments, and more where the window has room (`fill_window`);
  - scores with TF-IDF, BM25 or any embedding model instead of Contriever;
  - in `expansion`, compares relations only with the question, and answers only from the retrieved segments;
  - in `trial`, takes the R of the update to be the reason, keeps in view what was added, and ends if the window is full, as in
    the paper. That bounds it: the model above answers all 40 questions with the default window, but 38, 27 and 17 with 1,200, 900
    and 600 tokens, where `navigation` makes room and goes on.
Options switch off parts for ablations: questions, the model's entities, the reason in the query, and navigation.
Not here: training, and the paper's sampling.
"""

from __future__ import annotations

from readers.engine.errors import Ended
from readers.engine.prompts.options import PartSize
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text
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
from readers.qrmem.pseudo_code import QRMeMCode
from readers.qrmem.segment_graphs import Construction
from readers.qrmem.state import QRMeMState


class QRMeM(Reader):
    """Follows a graph of entities, made for the question, to the segments that answer it."""

    id, title, version = "qrmem", "QRMeM", 3
    prompts = (
        SEGMENT_SUMMARY, SUMMARY, ENTITIES, RELATIONS, QUESTIONS, MORE_ENTITIES, MORE_RELATIONS, SAME, MERGE_QUESTION,
        MERGE_RELATIONS, START, ANSWERABLE, REVISE, ELABORATE, ANSWER, ANSWER_CHOICE,
    )  # fmt: skip
    Options = QRMeMOptions
    part_size = PartSize("segment_tokens", "segment", at_once=3, room="window_tokens")
    narrative = QRMeMNarrative()
    pseudo_code = QRMeMCode()
    State = QRMeMState

    def read(self, document: Document, question: Question, desk: Desk[Action], options: QRMeMOptions) -> Text:
        with desk.step("build"):
            graphs, summary = Construction(document, question, desk, options).graphs()
            if not graphs:
                raise Ended("no_answer", "there is no text")
            graph = Combination(graphs, summary, question, desk).graph()
        with desk.step("walk"):
            return Navigation(graph, question, desk, options).answer()
