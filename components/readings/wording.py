"""The words of the list of readings: facts about a reading, refusals of files, messages after deleting. Pure."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from components.html.words import reading_words, wording
from components.html.words.wording import MessageTone, count
from readers.engine.errors import ReadingError
from readers.engine.forks.describe_edit import describe
from readers.engine.report.values import dollars, duration
from readers.engine.store.run import Deleted
from readers.engine.store.run_list import Figures, ListedRun
from readers.engine.text.shorten import shorten, shorten_at_word

ANSWER_CHARS, NOTE_CHARS = 220, 80  # characters of an answer and of a note that a list shows
SPOKEN_CHARS = 120
_NOT_SPOKEN = re.compile(r"[^\w\s,?’']|_")
MOST_ZIPPED = 200_000_000  # bytes of run files in one zip, before they are packed
LEFT_OUT = "left-out.txt"
# What an import finds wrong in a file, and what that means.
_REFUSED = (
    (r"it is not a run file|it is not UTF-8 text|it is empty", "it is not a file that Palimpsest exported."),
    (r"it is not complete JSON", "the file is incomplete, or is not a run file. Export it again, and import that."),
    (r"at run\.spec\.reader", "its reader is not installed here."),
    (
        r"at |an object in it|its reading ",
        "its parts do not fit together, so it was changed or damaged after it was exported.",
    ),
)


def page_number(asks: Mapping[str, str], pages: int) -> int:
    """The page of the list that the address names, from 1, or the nearest page that exists."""
    named = asks.get("page", "")
    return max(1, min(pages, int(named))) if named.isascii() and named.isdecimal() and len(named) < 8 else 1


def facts(listed: ListedRun, reader: str, now: datetime, *, recorded: str = "") -> list[str]:
    """The facts shown under a reading: reader, model, text, time, calls and cost. `recorded`: as in `wording.made`."""
    run = listed.run
    model = "" if recorded else wording.models(run.spec)
    told = [reader, model, listed.title, wording.made(run, now, recorded=recorded)]
    if run.edit or run.parent:
        told.insert(0, f"fork: {describe(run.edit)}" if run.edit else "fork")
    if run.experiment:
        told.insert(0, "of an experiment")
    if run.note:
        told.append(f"note: {shorten(run.note, NOTE_CHARS)}")
    return [fact for fact in [*told, *costs(listed.figures, run.seconds)] if fact]


def costs(figures: Figures, seconds: float | None) -> list[str]:
    """Calls, cost and time, if they are known."""
    told = []
    if figures.calls or figures.reused:
        reused = f", {figures.reused:,} reused" if figures.reused else ""
        told.append(f"{count(figures.calls, 'call')}{reused}")
    if figures.cost is None:
        told.append("cost unknown")
    elif figures.cost > 0:
        told.append(dollars(figures.cost))
    return [*told, *([duration(seconds)] if seconds and seconds >= 0.1 else [])]


def answer(listed: ListedRun) -> str:
    """The beginning of the answer, on one line."""
    return shorten_at_word(listed.run.answer or "", ANSWER_CHARS)


def spoken_title(words: str) -> str:
    """A title as the label of a checkbox, which a screen reader speaks: without any sign that Markdown could interpret."""
    return " ".join(_NOT_SPOKEN.sub(" ", words).split())[:SPOKEN_CHARS] or "a reading"


def refusal(message: str) -> str:
    """Why a file was refused: first the meaning, then the finding."""
    name, _, why = message.partition(" is not imported: ")
    if not why:
        return wording.sentence(message)
    plain = next((told for sign, told in _REFUSED if re.match(sign, why)), "")
    return wording.sentence(f"{name} was not imported: {plain} In detail: {why}" if plain else f"{name} was not imported: {why}")


def deletion_messages(done: Deleted) -> list[tuple[MessageTone, str]]:
    """The messages after deleting: what was deleted and what was not, each with its tone."""
    told: list[tuple[MessageTone, str]] = []
    if done.gone:
        was, them = ("was", "it") if len(done.gone) == 1 else ("were", "them")
        along = f", and {count(len(done.along), 'sample')} of experiments with {them}" if done.along else ""
        told.append(("success", f"{count(len(done.gone))} {was} deleted{along}."))
    if done.busy:
        was = "was" if len(done.busy) == 1 else "were"
        told.append(("warning", f"{count(len(done.busy))} {was} not deleted: {reading_words.HELD}, and delete then."))
    if done.kept:
        belongs = "belongs to a project and was" if len(done.kept) == 1 else "belong to a project and were"
        told.append(("warning", f"{count(len(done.kept))} {belongs} not deleted: delete the project first."))
    if done.missing:
        are = "is" if len(done.missing) == 1 else "are"
        told.append(("warning", f"{count(len(done.missing))} {are} already deleted, or not yours to delete."))
    return told


def zipped(ids: Sequence[str], make: Callable[[str], Mapping[str, Any]]) -> bytes:
    """Run files in one zip, each named by the reading's id. A text file in the zip names those that could not be made or did
    not fit."""
    made, size = io.BytesIO(), 0
    missing: list[str] = []
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for run_id in ids:
            try:
                data = json.dumps(make(run_id), ensure_ascii=False).encode()
            except ReadingError as error:
                missing.append(f"{run_id}: {error}")
                continue
            if size + len(data) > MOST_ZIPPED:
                missing.append(f"{run_id}: the zip would be over {MOST_ZIPPED // 1_000_000} MB; export this reading by itself")
                continue
            size += len(data)
            archive.writestr(f"palimpsest-{run_id}.json", data)
        if missing:
            archive.writestr(LEFT_OUT, "\n".join(["These readings are not in this zip:", *missing]) + "\n")
    return made.getvalue()
