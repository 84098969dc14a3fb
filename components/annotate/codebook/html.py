"""HTML of the codebook: codes by family, versions, labels to review. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from components.annotate.codebook.wording import FieldChange
from readers.engine.labels.codes import Code


def code(shown: Code, *, since: str, used: int, reader_titles: Mapping[str, str]) -> str:
    """A code with its definition; opened, also an example, a near miss and hints where to look."""
    facts = [since, f"{used:,} label{'' if used == 1 else 's'}" if used else ""]
    joined = " · ".join(fact for fact in facts if fact)
    more = "".join(
        f"<p><b>{name}</b> {escape(words)}</p>"
        for name, words in (("Example", shown.example), ("Near miss", shown.near_miss))
        if words
    )
    more += _hints(shown.hints, reader_titles)
    fact = f'<span class="fact">{escape(joined)}</span>' if joined else ""
    head = f'<span class="name"><b>{escape(shown.id)}</b> <span class="called">{escape(shown.name)}</span>{fact}</span>'
    means = f'<span class="means">{escape(shown.definition)}</span>' if shown.definition else ""
    gone = f"{' gone' if shown.retired else ''}{' under' if shown.parent else ''}"
    if not more:
        return f'<div class="code{gone}"><p class="plain">{head}{means}</p></div>'
    return f'<details class="code{gone}"><summary>{head}{means}</summary><div class="more">{more}</div></details>'


def _hints(hints: Mapping[str, str], reader_titles: Mapping[str, str]) -> str:
    """Where to look, by reader; readers with the same hint share a row."""
    by_words: dict[str, list[str]] = {}
    for reader, words in hints.items():
        by_words.setdefault(words, []).append(reader_titles.get(reader, reader))
    rows = "".join(
        f"<div><dt>{escape(', '.join(readers))}</dt><dd>{escape(words)}</dd></div>" for words, readers in by_words.items()
    )
    return f"<dl>{rows}</dl>" if rows else ""


def family(name: str, codes: Sequence[str]) -> str:
    """The codes of a family; `codes` are HTML."""
    return f'<section class="family"><h3>{escape(name)}</h3>{"".join(codes)}</section>'


def codebook(families: Sequence[str]) -> str:
    """All families; `families` are HTML."""
    return f'<div class="codebook">{"".join(families)}</div>'


def version(number: int, change: str, facts: Sequence[str], why: str, rows: Sequence[FieldChange]) -> str:
    """One version of the codebook: what changed, who changed it, why, and the words before and after."""
    reason = f'<p class="why">“{escape(why)}”</p>' if why else ""
    by = f'<p class="facts-line">{escape(" · ".join(fact for fact in facts if fact))}</p>'
    head = f'<span class="number"><span class="visually-hidden">Version </span>{number}</span>'
    return f'<div class="version">{head}<div><p>{escape(change)}</p>{reason}{by}{_differences(rows)}</div></div>'


def _differences(rows: Sequence[FieldChange]) -> str:
    body = "".join(
        f'<tr><th scope="row">{escape(row.code)}: {escape(row.field.lower())}</th>'
        f"<td><del>{escape(row.before) or '(nothing)'}</del></td><td><ins>{escape(row.after) or '(nothing)'}</ins></td></tr>"
        for row in rows
    )
    head = '<tr><th scope="col"></th><th scope="col">Before</th><th scope="col">After</th></tr>'
    return f'<table class="changed"><thead>{head}</thead><tbody>{body}</tbody></table>' if rows else ""


def to_review(why: str, facts: Sequence[str]) -> str:
    """Why a label should be reviewed, shown below the link to it."""
    joined = escape(" · ".join(fact for fact in facts if fact))
    return f'<div class="again"><p><span aria-hidden="true">!</span> {escape(why)}</p><p class="facts-line">{joined}</p></div>'


def own_group(name: str, facts: str) -> str:
    """A group of the viewer's own notes."""
    return f'<p class="own-group"><b>{escape(name)}</b> <span class="facts-line">{escape(facts)}</span></p>'
