"""The page Evaluation of a site: what the readers of a batch score, with intervals, tests and figures, as Evaluate and
`evaluate --figures --post-mortem` report it; and that report as files.

Not here: how it is computed (`readers/engine/analysis/evaluate/`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from components.publish.contents import Published, SiteSection
from components.publish.listing import SCRIPT, Listing
from components.publish.report_tables import download_links, drawn, files_of, paragraphs, pictured
from readers import get
from readers.engine.analysis.evaluate import post_mortem, report
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluation, figures_table, sliced, with_ratings
from readers.engine.analysis.evaluate.scores import compare_all, scores_of
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.forks import rater
from readers.engine.questions.recipes import recipes_beside
from readers.engine.report.values import Report, Table
from readers.engine.run.batches import BatchPlan
from readers.engine.store import Store
from readers.engine.store.batches import Batch

_FEWEST, _LONGEST = 2, 40  # questions in a part, in the mean; characters of its name
PATH, NAME, FILE = "evaluation/index.html", "Evaluation", "evaluation"


def section(
    store: Store,
    batch: Batch,
    found: Evaluation,
    *,
    names: Sequence[str],
    fates: Mapping[str, EvidenceFate | None],
    measured: Mapping[str, Mapping[str, Any]],
) -> SiteSection | None:
    """The section of a batch; None where no reading has a score. `names` are those of its variants; `fates` are by run, and so
    are the measures of readings that were opened before the section is drawn."""
    if not found.readings or not scores_of(found.readings).scores:
        return None
    said = cache(lambda: _said(store, batch, found, names=names, fates=fates, measured=measured))
    files = files_of(lambda: said()[0], FILE, "Scores, intervals, tests, figures")

    def body(shown: Published) -> Markup:
        return _body(*said(), shown=shown, downloads=download_links(files, shown))

    return SiteSection(PATH, NAME, body, files, [SCRIPT])


def _said(
    store: Store,
    batch: Batch,
    found: Evaluation,
    *,
    names: Sequence[str],
    fates: Mapping[str, EvidenceFate | None],
    measured: Mapping[str, Mapping[str, Any]],
) -> tuple[Report, Sequence[str], Sequence[Table]]:
    """The report of a batch, and what the page says beside its tables: sentences and tables, the last one of marks."""
    ratings = rater.said_of(store, [one.run for one in found.readings if one.run])
    found, plan = with_ratings(found, ratings), BatchPlan.of(batch.plan)
    scored = scores_of(found.readings)
    pairs = {score: compare_all(found.readings, score) for score in scored.scores}
    examined = post_mortem.examine(found.readings, fates)
    made = report.file_of(
        batch.name, report.facts(found, plan), scored, papers=recipes_beside(plan.recipe, found.benchmarks),
        measured=figures_table(store, found.readings, get, fates=fates, measured=measured),
        more=[*report.all_pairs(pairs), *post_mortem.tables(examined)], plan=plan, names=names,
    )  # fmt: skip
    told = [
        *_ahead({score: report.pairs_sentence(some) for score, some in pairs.items() if some}),
        *(one for score in scored.scores for one in report.spread(found.readings, found.readers, score)),
        *post_mortem.sentences(post_mortem.compared(examined)),
    ]
    raters = report.raters(ratings)
    told += [sentence for sentence, _ in raters]
    more = [*(table for _, table in raters if table), *_slices(found, scored.scores[0])]
    return made, told, [*more, report.marks(found.readings, scored.scores[0], found.readers)]


def _ahead(sentences: Mapping[str, str]) -> Iterable[str]:
    """Who is ahead, each sentence once, with the scores that it holds for."""
    for said in dict.fromkeys(sentences.values()):
        scores = [report.title(score) for score, other in sentences.items() if other == said]
        yield f"{'All scores' if len(scores) == len(sentences) > 1 else ', '.join(scores)}: {said}"


def _slices(found: Evaluation, score: str) -> Iterable[Table]:
    """The score over each way to divide the questions that has several parts."""
    questions = len({one.question for one in found.readings})
    for by in (LENGTH, *found.fields):
        divided = sliced(found.readings, by)
        if questions < _FEWEST * len(divided) or any(len(name) > _LONGEST for name in divided):
            continue
        parts = {name: scores_of(some) for name, some in divided.items()}
        cells = {
            name: {reader: cell.asked for reader in part.readers if (cell := part.cell(reader, score))}
            for name, part in parts.items()
        }
        if len(cells) > 1:
            yield report.slices(cells, found.readers, by=by)


def _body(made: Report, sentences: Sequence[str], more: Sequence[Table], *, shown: Published, downloads: Markup) -> Markup:
    listing = Listing()
    first, *measured = [one for one in made.tables if not one.source]
    printed = [one for one in made.tables if one.source]
    parts = [
        Markup('<h1>{}</h1>\n<p class="site-facts">{}</p>').format(NAME, " · ".join(made.facts)),
        downloads,
        drawn(first, shown, listing),
        paragraphs([" ".join(one for one in made.notes if one not in first.notes)]),
        pictured(made.tables, f"Figures of {made.name}"),
        paragraphs(sentences),
        *(drawn(one, shown, listing) for one in (*measured, *more[:-1])),
        drawn(more[-1], shown, listing, kind="marks"),
        *(drawn(one, shown, listing) for one in printed),
        listing.html(shown),
    ]
    return Markup("\n").join(parts)
