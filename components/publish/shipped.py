"""The readings by a real model that come with Palimpsest, as a site. No Streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from components.lessons.lesson_file import lessons
from components.publish.contents import SiteContents, SiteReading
from components.publish.gather import TITLE, facts_of, way_of
from components.replay.reading import Replayed, replayed_from
from components.session.samples import INDEX, READINGS, sample_of
from readers import get, importable
from readers.engine.analysis.facts.evidence import together
from readers.engine.analysis.facts.follow import evidence_of, follow, to_json
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.files.runs.run_file import shown_answer
from readers.engine.questions.question_set import QuestionField

# What LICENCES.md says of the texts, as a question's file would.
OF_THE_TEXTS = (QuestionField("licence", "Apache-2.0"), QuestionField("source", "written for Palimpsest"))


def shipped() -> SiteContents:
    """The readings by a real model that come with Palimpsest, with what to watch for."""
    shown = [_shipped(READINGS / row["file"], row["id"], row["watch"]) for row in json.loads(INDEX.read_text(encoding="utf-8"))]
    parents = {one.run.id for one in shown}
    readings = [replace(one, fork=one.run.parent in parents) for one in shown]
    return SiteContents(TITLE, facts_of(readings), readings)


def with_lessons(contents: SiteContents) -> SiteContents:
    """The same site with the lessons, and with those of their recordings that it lacks."""
    come_along = shipped().readings
    names = {row["id"]: Path(row["file"]).stem for row in json.loads(INDEX.read_text(encoding="utf-8"))}
    wanted = {name for lesson in lessons() for part in lesson.parts() for name in part.recordings}
    recordings = {names[one.run.id]: one.content for one in come_along if names[one.run.id] in wanted}
    there = {one.content for one in contents.readings}
    added = [replace(one, aside=True, watch="") for one in come_along if one.content in {*recordings.values()} - there]
    return replace(contents, readings=[*contents.readings, *added], recordings=recordings)


def _shipped(path: Path, run_id: str, watch: str) -> SiteReading:
    incoming = check_run_file(path, path.name, readers=importable)
    data = json.loads(path.read_text(encoding="utf-8"))
    opened = replayed_from(incoming, run_id)
    run = replace(opened.reading.run, created=data["run"]["created"])
    opened = replace(opened, reading=opened.reading._replace(run=run))
    sample = sample_of(opened.reading.document.id)
    asked = sample.known(run.question) if sample else None
    known = replace(asked, fields=OF_THE_TEXTS) if asked else None
    facts = evidence_of(known, opened.reading.document) if known else []
    followed = follow(opened.reading, get(run.reader), facts, known=known)
    found = replace(opened, known=known, followed=followed)
    return SiteReading(
        run, str(run.content), way_of(run), open=lambda: found, run_file=lambda _: _run_file(data, found), known=known,
        fate=together(followed, opened.reading, known), watch=watch,
    )  # fmt: skip


def _run_file(data: Mapping[str, Any], found: Replayed) -> Mapping[str, Any]:
    """The run file with what it has of a reading in a store: its content id, the known answer, and what became of the facts."""
    answer = {"known_answer": shown_answer(found.known)} if found.known else {}
    facts = {"facts": to_json(found.followed)} if found.followed else {}
    return {**data, "run": {**data["run"], "content_id": found.reading.run.content, **answer}, **facts}
