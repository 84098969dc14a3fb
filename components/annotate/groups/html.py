"""HTML of notes and their groups. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.annotate.groups.wording import NoteGroup


def note(words: str, where: Sequence[str], group: str, *, current: bool) -> str:
    """A note with its group; `current` marks the one that the keys act on."""
    name = f'<span class="group">{escape(group)}</span>' if group else '<span class="group none">no group yet</span>'
    spoken = '<span class="visually-hidden">Current: </span>' if current else ""
    place = escape(" · ".join(part for part in where if part))
    of = f'<p class="of">{name}<span>{place}</span></p>'
    return f'<div class="own-note{" here" if current else ""}"><p>{spoken}{escape(words)}</p>{of}</div>'


def current_note(words: str) -> str:
    """The words of the current note, repeated beside the keys."""
    return f'<p class="ringed-note">{escape(words)}</p>'


def group_counts(groups: Sequence[NoteGroup], ungrouped: int) -> str:
    """A table of the groups with their notes and readings, and of the ungrouped notes."""
    most = max([1, *(len(group.notes) for group in groups)])
    body = "".join(
        f'<tr><th scope="row">{escape(group.name)}</th><td><span class="share" aria-hidden="true">'
        f'<i style="width:{100 * len(group.notes) / most:.1f}%"></i></span>{len(group.notes):,}</td>'
        f"<td>{group.readings:,}</td></tr>"
        for group in groups
    )
    if ungrouped:
        body += f'<tr class="none"><th scope="row">No group yet</th><td>{ungrouped:,}</td><td></td></tr>'
    head = '<tr><th scope="col">Group</th><th scope="col">Notes</th><th scope="col">Readings</th></tr>'
    return f'<table class="people groups"><thead>{head}</thead><tbody>{body}</tbody></table>'
