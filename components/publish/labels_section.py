"""The page Labels of a site: what people said about the readings of a project: how it was done, how far they agree, what they
found, where they differ and what was decided; and all of it as files.

People are letters (`pseudonyms.py`), unless their names are to be published. Not here: how it is computed
(`readers/engine/analysis/label_report.py` and what that uses).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from components.html.words import label_words
from components.html.words.reading_words import title_of
from components.publish import label_files
from components.publish.contents import Published, SiteSection
from components.publish.listing import SCRIPT, Listing
from components.publish.report_tables import download_links, drawn, files_of, paragraphs
from readers import READERS
from readers.engine.analysis import label_report, label_results, visible_labels
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.analysis.visible_labels import VisibleLabels, find_disagreements
from readers.engine.labels.adjudication import Compared
from readers.engine.labels.counts import LabelledRun
from readers.engine.labels.project import Project, protocol
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report.values import NOTHING, Cell, Link, Report, Row, Table, columns
from readers.engine.store import Run, Store
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import shorten_at_word

PATH, NAME = "labels/index.html", "Labels"
LETTERS = "People are letters, in the order in which they joined; where they name each other, their letters stand, too."
_QUESTION = 90


def section(
    store: Store, project: Project, known: Callable[[Run], KnownAnswer | None], *, names: bool
) -> tuple[VisibleLabels, SiteSection]:
    """The labels of the project as they are published, and its section. Raises NotFound if nobody has finished a reading."""
    seen, about = visible_labels.finished(store, project)
    letters, files = label_files.of_project(store, project, names=names)
    seen = letters.visible(seen) if letters else seen
    agreed = label_report.agreement_report(seen, about)
    found = _results(store, seen, about, known)
    reports = files_of(lambda: agreed, "agreement", "Agreement") | files_of(lambda: found, "results", "Results")
    files |= reports

    def body(shown: Published) -> Markup:
        return _body(seen, agreed, found, shown=shown, downloads=download_links(files, shown), letters=not names)

    return seen, SiteSection(PATH, NAME, body, files, [SCRIPT])


def _results(
    store: Store, seen: VisibleLabels, about: Sequence[LabelledRun], known: Callable[[Run], KnownAnswer | None]
) -> Report:
    facts = label_results.question_facts(store, seen, known)
    found = label_results.found(seen, about, facts, reader_title=title_of)
    wanted = [Wanted(seen.runs[run], one) for run, one in found.followed.items()]
    fates = label_results.beside_fates(found, evidence.saved_fates(store, wanted))
    rule = label_results.rule_of(None, any_decided=bool(seen.decisions))
    codes = label_results.results(seen, about, rule, reader_title=title_of, kind_title=_kind)
    return label_report.results_report(seen, codes, found, by="reader", titles=(title_of, _kind), fates=fates)


def _kind(kind: str) -> str:
    return label_results.kind_title(kind, (reader.narrative for reader in READERS))


def _body(seen: VisibleLabels, agreed: Report, found: Report, *, shown: Published, downloads: Markup, letters: bool) -> Markup:
    listing = Listing()
    parts = [
        Markup('<h1>{}</h1>\n<p class="site-facts">{}</p>').format(NAME, " · ".join(agreed.facts)),
        downloads,
        paragraphs([LETTERS] if letters else []),
        Markup("<section><h2>How it was done</h2><p>{}</p>{}</section>").format(
            agreed.methods, paragraphs([f"{capitalised(protocol(seen.project.settings, seen.total))}."])
        ),
        *(drawn(one, shown, listing, kind="agreement") for one in agreed.tables[:2]),
        *(drawn(one, shown, listing) for one in (*agreed.tables[2:], *found.tables)),
        paragraphs([" ".join(dict.fromkeys([*agreed.notes, *found.notes]))]),
        drawn(_disagreements(seen, find_disagreements(seen)), shown, listing, kind="settings"),
        drawn(_codes(seen), shown, listing, kind="settings"),
        listing.html(shown),
    ]
    return Markup("\n").join(parts)


def _disagreements(seen: VisibleLabels, differing: Sequence[Compared]) -> Table:
    """What annotators differ about: the values of each, and what was decided, with the reason."""
    names = sorted({name for one in differing for name in one.values}, key=lambda name: (len(name), name))
    rows = [
        Row(
            shorten_at_word(seen.runs[one.run].question, _QUESTION),
            [
                Cell(title_of(seen.runs[one.run].reader)),
                Cell(label_words.title(one), link=Link("Trace", {"run": one.run, **_at(one)})),
                *(Cell(_value(one, name, seen)) for name in names),
                _decided(one, seen),
            ],
        )
        for one in differing
    ]
    about = [] if differing else ["Nobody differs."]
    return Table("Disagreements", columns("Reader", "About", *names, "Decided"), rows, about, head="Question")


def _at(one: Compared) -> Mapping[str, str]:
    return {"at": str(one.step)} if one.step else {}


def _value(one: Compared, name: str, seen: VisibleLabels) -> str:
    return label_words.value_text(one.about, one.values[name], seen) if name in one.values else NOTHING


def _decided(one: Compared, seen: VisibleLabels) -> Cell:
    if one.decision is None:
        return Cell("open")
    return Cell(label_words.decision_text(one, seen), [f"by {one.decision.by}", one.decision.reason])


def _codes(seen: VisibleLabels) -> Table:
    codes = seen.book.in_use if seen.book else ()
    rows = [Row(code.called, [Cell(code.definition), Cell(code.near_miss), Cell(code.group)]) for code in codes]
    heads = columns("Definition", "Not to be confused with", "Group")
    return Table(f"Codebook, version {seen.book.version if seen.book else 0}", heads, rows, head="Code")
