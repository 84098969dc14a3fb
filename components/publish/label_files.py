"""The labels of a project as files of a site. Pure."""

from __future__ import annotations

from components.publish.contents import SiteFile
from components.publish.pseudonyms import Pseudonyms
from components.publish.report_tables import DOWNLOADS
from readers import get
from readers.engine.errors import BadOptions
from readers.engine.files.import_site import PROJECT as PROJECT_FILE
from readers.engine.files.labels.codebook_file import as_json
from readers.engine.files.labels.export_labels import Export, as_csv, as_jsonl, gathered
from readers.engine.files.labels.project_file import export_project
from readers.engine.labels.project import HOST, Project
from readers.engine.store import Store

PROJECT = "The project with its readings, labels, codebooks and decisions"
LABELS = "Labels, turns and decisions (JSON lines)"


def of_project(store: Store, project: Project, *, names: bool) -> tuple[Pseudonyms | None, dict[str, SiteFile]]:
    """The letters of its people, unless they are named, and the files of its labels. The whole project is a file only where they
    are named: ids in it are made from names."""
    export = gathered(store, project.id, HOST, readers=get)
    if not names:
        letters = Pseudonyms.of_export(export)
        return letters, _files(letters.export(export))
    whole = SiteFile(PROJECT, lambda: export_project(store, project.id, readers=get), quotes=True)
    return None, {**_files(export), PROJECT_FILE: whole}


def _files(export: Export) -> dict[str, SiteFile]:
    found = {
        f"{DOWNLOADS}/labels.csv": SiteFile("Every label (CSV)", lambda: as_csv(export).encode(), quotes=True),
        f"{DOWNLOADS}/labels.jsonl": SiteFile(LABELS, lambda: as_jsonl(export).encode(), quotes=True),
    }
    latest = next((one for one in export.codebooks if one.version == export.latest), None)
    if latest:
        try:
            made = as_json(export.project, latest)
        except BadOptions:  # what is stored is no codebook: it is in the labels' file as it is
            return found
        found[f"{DOWNLOADS}/codebook.json"] = SiteFile("The codebook", lambda: made, quotes=True)  # its examples may
    return found
