"""HTML of the pages on projects, groups of notes and the codebook: pure strings, everything that came from outside escaped.

As in `markup.py`: names, notes, definitions and reasons go in as plain strings and come out as characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from components.annotate.codebook.wording import Difference
from components.annotate.projects.wording import Person
from readers.engine.labels.code import Code


def terms(rows: Sequence[tuple[str, str]]) -> str:
    """A project's protocol."""
    body = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return f'<dl class="terms">{body}</dl>'


def people(rows: Sequence[Person]) -> str:
    """Who labels in a project, and how far each is."""
    body = ""
    for one in rows:
        share = 100 * one.done / one.of if one.of else 0
        bar = f'<span class="share" aria-hidden="true"><i style="width:{share:.1f}%"></i></span>' if one.of else ""
        done = f"{one.done:,} of {one.of:,}" if one.of else ""
        body += (
            f'<tr><th scope="row">{escape(one.name)}</th><td>{escape(one.stage)}</td><td>{bar}{done}</td>'
            f"<td>{escape(one.facts)}</td><td>{escape(one.joined)}</td></tr>"
        )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Annotator", "Stage", "Done in it", "", "Joined"))
    box = '<div class="wide" tabindex="0" role="region" aria-label="Who labels in this project">'
    return f'{box}<table class="people"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def reading(question: str, facts: Sequence[str]) -> str:
    """A reading of a project, without what became of it."""
    told = " · ".join(escape(fact) for fact in facts if fact)
    return f'<div class="project-reading"><p>{escape(question)}</p><p class="facts-line">{told}</p></div>'


def notes(sentences: Iterable[str]) -> str:
    """What speaks against something, or was left out."""
    return "".join(f'<p class="left-word"><span aria-hidden="true">!</span> {escape(one)}</p>' for one in sentences)


def note(words: str, where: Sequence[str], group: str, *, here: bool) -> str:
    """One of one's own notes, with its group; `here` is the one that the keys act on."""
    name = f'<span class="group">{escape(group)}</span>' if group else '<span class="group none">no group yet</span>'
    heard = '<span class="heard">Here: </span>' if here else ""
    place = escape(" · ".join(part for part in where if part))
    of = f'<p class="of">{name}<span>{place}</span></p>'
    return f'<div class="own-note{" here" if here else ""}"><p>{heard}{escape(words)}</p>{of}</div>'


def ringed(words: str) -> str:
    """The note that the keys act on, once more beside them."""
    return f'<p class="ringed-note">{escape(words)}</p>'


def group_counts(rows: Sequence[tuple[str, int, int]], without: int) -> str:
    """How many notes of how many readings each group has, and how many have none."""
    most = max((notes for _, notes, _ in rows), default=1)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td><span class="share" aria-hidden="true">'
        f'<i style="width:{100 * notes / most:.1f}%"></i></span>{notes:,}</td><td>{readings:,}</td></tr>'
        for name, notes, readings in rows
    )
    if without:
        body += f'<tr class="none"><th scope="row">No group yet</th><td>{without:,}</td><td></td></tr>'
    head = '<tr><th scope="col">Group</th><th scope="col">Notes</th><th scope="col">Readings</th></tr>'
    return f'<table class="people groups"><thead>{head}</thead><tbody>{body}</tbody></table>'


def code(one: Code, *, since: str, used: int, titles: Mapping[str, str]) -> str:
    """A code: what it means at a glance, and on opening it an example, the near miss and where to look."""
    facts = [since, f"{used:,} label{'' if used == 1 else 's'}" if used else ""]
    told = " · ".join(fact for fact in facts if fact)
    more = "".join(
        f"<p><b>{name}</b> {escape(words)}</p>"
        for name, words in (("Example", one.example), ("Near miss", one.near_miss))
        if words
    )
    more += _hints(one.hints, titles)
    fact = f'<span class="fact">{escape(told)}</span>' if told else ""
    head = f'<span class="name"><b>{escape(one.id)}</b> <span class="called">{escape(one.name)}</span>{fact}</span>'
    means = f'<span class="means">{escape(one.definition)}</span>' if one.definition else ""
    gone = " gone" if one.retired else ""
    if not more:
        return f'<div class="code{gone}"><p class="plain">{head}{means}</p></div>'
    return f'<details class="code{gone}"><summary>{head}{means}</summary><div class="more">{more}</div></details>'


def _hints(hints: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """Where to look, reader by reader; readers with the same hint stand together."""
    by_words: dict[str, list[str]] = {}
    for reader, words in hints.items():
        by_words.setdefault(words, []).append(titles.get(reader, reader))
    rows = "".join(
        f"<div><dt>{escape(', '.join(readers))}</dt><dd>{escape(words)}</dd></div>" for words, readers in by_words.items()
    )
    return f"<dl>{rows}</dl>" if rows else ""


def family(name: str, codes: Sequence[str]) -> str:
    """The codes of a family; `codes` are HTML."""
    return f'<section class="family"><h3>{escape(name)}</h3>{"".join(codes)}</section>'


def codebook(families: Sequence[str]) -> str:
    """`families` are HTML."""
    return f'<div class="codebook">{"".join(families)}</div>'


def version(number: int, told: str, facts: Sequence[str], why: str, rows: Sequence[Difference]) -> str:
    """One version of the codebook: what was changed, by whom, why, and the words before and after."""
    reason = f'<p class="why">“{escape(why)}”</p>' if why else ""
    by = f'<p class="facts-line">{escape(" · ".join(fact for fact in facts if fact))}</p>'
    return (
        f'<div class="version"><span class="number"><span class="heard">Version </span>{number}</span><div><p>{escape(told)}</p>'
        f"{reason}{by}{_differences(rows)}</div></div>"
    )


def _differences(rows: Sequence[Difference]) -> str:
    body = "".join(
        f'<tr><th scope="row">{escape(row.code)}: {escape(row.field.lower())}</th>'
        f"<td><del>{escape(row.was) or '(nothing)'}</del></td><td><ins>{escape(row.now) or '(nothing)'}</ins></td></tr>"
        for row in rows
    )
    head = '<tr><th scope="col"></th><th scope="col">Before</th><th scope="col">Since then</th></tr>'
    return f'<table class="changed"><thead>{head}</thead><tbody>{body}</tbody></table>' if rows else ""


def again(why: str, facts: Sequence[str]) -> str:
    """A label that wants another look, below the link to it."""
    told = escape(" · ".join(fact for fact in facts if fact))
    return f'<div class="again"><p><span aria-hidden="true">!</span> {escape(why)}</p><p class="facts-line">{told}</p></div>'


def own_group(name: str, facts: str) -> str:
    """A group of one's own notes."""
    return f'<p class="own-group"><b>{escape(name)}</b> <span class="facts-line">{escape(facts)}</span></p>'
