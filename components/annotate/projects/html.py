"""HTML of projects: protocol, people, readings, warnings. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from components.annotate.projects.wording import PersonRow


def protocol(rows: Sequence[tuple[str, str]]) -> str:
    """A project's protocol."""
    body = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return f'<dl class="terms">{body}</dl>'


def people(rows: Sequence[PersonRow]) -> str:
    """Who labels in a project, and how far each has come."""
    body = ""
    for row in rows:
        share = 100 * row.done / row.total if row.total else 0
        bar = f'<span class="share" aria-hidden="true"><i style="width:{share:.1f}%"></i></span>' if row.total else ""
        done = f"{row.done:,} of {row.total:,}" if row.total else ""
        body += (
            f'<tr><th scope="row">{escape(row.name)}</th><td>{escape(row.stage)}</td><td>{bar}{done}</td>'
            f"<td>{escape(row.facts)}</td><td>{escape(row.joined)}</td></tr>"
        )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Annotator", "Stage", "Done in it", "", "Joined"))
    box = '<div class="wide" tabindex="0" role="region" aria-label="Who labels in this project">'
    return f'{box}<table class="people"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def reading(question: str, facts: Sequence[str]) -> str:
    """A reading of a project, without its outcome."""
    joined = " · ".join(escape(fact) for fact in facts if fact)
    return f'<div class="project-reading"><p>{escape(question)}</p><p class="facts-line">{joined}</p></div>'


def warnings(sentences: Iterable[str]) -> str:
    """Sentences that warn of something or say what was left out."""
    return "".join(f'<p class="warning-line"><span aria-hidden="true">!</span> {escape(one)}</p>' for one in sentences)
