"""HTML of projects: disagreements, choices, codes, notes, readings. Pure; everything that is not this module's markup is escaped
by markupsafe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from components.html import markup
from components.html.words.wording import AnswerVerdict
from readers.engine.labels.codes import Code
from readers.engine.report import html
from readers.engine.report.values import Table
from readers.engine.text.phrases import counted


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def _facts(facts: Sequence[str]) -> str:
    return " · ".join(fact for fact in facts if fact)


# Agreement


def disagreement(about: str, values: Sequence[tuple[str, Sequence[str]]], decision: str) -> Markup:
    """A disagreement in the queue, below its link: its subject, each value with its annotators, and the decision."""
    sides = _joined(Markup("<li><b>{}</b> <span>{}</span></li>").format(value, ", ".join(names)) for value, names in values)
    decided = Markup('<p class="decided"><span aria-hidden="true">◆</span> Decided: {}</p>').format(decision)
    return Markup('<div class="disagreement"><p class="about-what">{}</p><ul>{}</ul>{}</div>').format(
        about, sides, decided if decision else ""
    )


# The bench


def choices(offered: Sequence[tuple[str, str, bool, bool]]) -> Markup:
    """The choices, each with its letter, the chosen one and the right ones marked in words."""
    lines = []
    for letter, words, chosen, right in offered:
        marks = {name: told for name, told, on in (("chosen", "chosen", chosen), ("right", "✓ right", right)) if on}
        said = _joined(Markup('<em class="mark-{}" dir="ltr">{}</em> ').format(name, told) for name, told in marks.items())
        line = Markup('<li class="{}" title="{}" dir="auto"><b dir="ltr">({})</b> {}{}</li>')
        lines.append(line.format(" ".join(f"is-{mark}" for mark in marks), words, letter, said, words))
    return Markup('<ul class="bench-choices" aria-label="Choices">{}</ul>').format(_joined(lines))


def known_answer(answer: str, verdict: AnswerVerdict) -> Markup:
    """The known answer, unless it is marked among the choices, and how the reading compares with it."""
    said = Markup('<p class="said"><span class="by">known answer</span> <bdi>{}</bdi></p>').format(answer) if answer else ""
    return Markup('<div class="bench-known">{}{}</div>').format(said, Markup(markup.verdict_line(verdict)))


# The codebook


def code(shown: Code, *, since: str, used: int, reader_titles: Mapping[str, str]) -> Markup:
    """A code with its definition; opened, also an example, a near miss and hints where to look, by reader; readers with the same
    hint share a row."""
    facts = _facts([since, counted(used, "label") if used else ""])
    fact = Markup('<span class="fact">{}</span>').format(facts) if facts else ""
    head = Markup('<span class="name"><b>{}</b> <span class="called">{}</span>{}</span>').format(shown.id, shown.name, fact)
    means = Markup('<span class="means">{}</span>').format(shown.definition) if shown.definition else ""
    by_words: dict[str, list[str]] = {}
    for reader, words in shown.hints.items():
        by_words.setdefault(words, []).append(reader_titles.get(reader, reader))
    more = _joined(
        Markup("<p><b>{}</b> {}</p>").format(name, words)
        for name, words in (("Example", shown.example), ("Near miss", shown.near_miss))
        if words
    )
    if by_words:
        more += Markup("<dl>{}</dl>").format(
            _joined(
                Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(", ".join(readers), words)
                for words, readers in by_words.items()
            )
        )
    kind = f"code{' gone' if shown.retired else ''}{' under' if shown.parent else ''}"
    if not more:
        return Markup('<div class="{}"><p class="plain">{}{}</p></div>').format(kind, head, means)
    whole = Markup('<details class="{}"><summary>{}{}</summary><div class="more">{}</div></details>')
    return whole.format(kind, head, means, more)


def codebook(families: Iterable[tuple[str, Sequence[Markup]]]) -> Markup:
    """Codes by family."""
    return Markup('<div class="codebook">{}</div>').format(
        _joined(
            Markup('<section class="family"><h3>{}</h3>{}</section>').format(name, _joined(codes)) for name, codes in families
        )
    )


def version(number: int, change: str, facts: Sequence[str], *, why: str, differences: Table) -> Markup:
    """One version of the codebook: what changed, who changed it, why, and the words before and after."""
    reason = Markup('<p class="why">“{}”</p>').format(why) if why else ""
    table = html.table(differences, kind="changed") if differences.rows else ""
    return Markup(
        '<div class="version"><span class="number"><span class="visually-hidden">Version </span>{}</span>'
        '<div><p>{}</p>{}<p class="facts-line">{}</p>{}</div></div>'
    ).format(number, change, reason, _facts(facts), table)


def to_review(why: str, facts: Sequence[str]) -> Markup:
    """Why a label should be reviewed, shown below the link to it."""
    words = '<div class="again"><p><span aria-hidden="true">!</span> {}</p><p class="facts-line">{}</p></div>'
    return Markup(words).format(why, _facts(facts))


def own_group(name: str, facts: str) -> Markup:
    """A group of the viewer's own notes."""
    return Markup('<p class="own-group"><b>{}</b> <span class="facts-line">{}</span></p>').format(name, facts)


# Notes


def note(words: str, where: Sequence[str], group: str, *, current: bool) -> Markup:
    """A note with its group; `current` marks the note that the keys act on."""
    name = Markup('<span class="group{}">{}</span>').format("" if group else " none", group or "no group yet")
    spoken = Markup('<span class="visually-hidden">Current: </span>') if current else ""
    return Markup('<div class="own-note{}"><p>{}{}</p><p class="of">{}<span>{}</span></p></div>').format(
        " here" if current else "", spoken, words, name, _facts(where)
    )


def current_note(words: str) -> Markup:
    """The words of the current note, repeated next to the keys."""
    return Markup('<p class="ringed-note">{}</p>').format(words)


# Projects


def protocol(rows: Iterable[tuple[str, str]]) -> Markup:
    """A project's protocol."""
    return Markup('<dl class="terms">{}</dl>').format(
        _joined(Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(name, value) for name, value in rows)
    )


def reading(question: str, facts: Sequence[str]) -> Markup:
    """A reading of a project, without its outcome."""
    return Markup('<div class="project-reading"><p>{}</p><p class="facts-line">{}</p></div>').format(question, _facts(facts))


def warnings(sentences: Iterable[str]) -> Markup:
    """Sentences that warn or report omissions."""
    return _joined(
        Markup('<p class="warning-line"><span aria-hidden="true">!</span> {}</p>').format(sentence) for sentence in sentences
    )
