"""What a site has of one reading: the data of its player, its run file, and what pages say of it. Pure.

A reading is called by its content id, and no server is named. Not here: the pages (`site.py`), and what is withheld of texts
(`withheld.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from components.html.words import wording
from components.player.pictures import NETWORKS
from components.publish.contents import PublishedReading, SiteReading
from components.publish.drawings import looked
from components.replay import reading as replay
from components.replay.reading import Replayed
from readers.engine.analysis.measures import calls_counted
from readers.engine.files.import_site import RUN_FILES

Look = Callable[[str, Any], object]


def run_file(one: SiteReading, opened: Replayed, look: Look) -> bytes:
    """A run file that does not say where the server of its model is; that is no part of its content id."""
    run_file = one.run_file(opened)
    run = run_file["run"]
    spec = {**run["spec"], "api_base": None}
    if "edits" in spec:
        spec["edits"] = [{**edit, "api_base": None} if "api_base" in edit else edit for edit in spec["edits"]]
    run_file = {**run_file, "run": {**run, "spec": spec}}
    look(RUN_FILES, {name: part for name, part in run_file.items() if name not in ("document", "view")})
    return json.dumps(run_file, ensure_ascii=False, separators=(",", ":")).encode()


def data_of(one: SiteReading, opened: Replayed, ids: Mapping[str, str]) -> dict[str, Any]:
    """What the player gets, under the content id in the place of this machine's id."""
    run = replace(opened.reading.run, id=one.content, parent=ids.get(opened.reading.run.parent or ""), name=None, note=None)
    moved = replace(opened, reading=opened.reading._replace(run=run))
    return {**replay.of(moved), "document": opened.reading.document.id}


def published_of(one: SiteReading, opened: Replayed, data: Mapping[str, Any]) -> PublishedReading:
    reading = opened.reading
    steps = len(data["frames"]["steps"])
    at = one.fate.step if one.fate else int(data["frames"]["opens_at"])
    return PublishedReading(
        replace(one, run=replay.shareable(reading).run),
        reading.document.id,
        reading.document.title,
        wording.size(reading.document),
        min(at, steps - 1),
        steps,
        *calls_counted(reading.records),
        data["cost"],
        data["frames"]["kind"] in NETWORKS,
        looked(reading.trace) if one.watch else Markup(),
        dict(opened.prompts),
        sha256(reading.document.text.encode()).hexdigest(),
        one.said(opened),
    )
