"""Prompt sets that were saved: a reader's prompts in other words, under a name.

Kept as they were given. Whether a template still fits its prompt is found out when it is used (`runs.worded`), for a reader's
prompts may have changed since.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, NotFound

LONGEST_NAME = 80


@dataclass(frozen=True)
class PromptSet:
    """Templates by prompt id, as they were saved for one reader. `created` is ISO 8601 in UTC."""

    reader: str
    name: str
    templates: Mapping[str, str]
    created: str = ""


def set_name(name: str) -> str:
    """A name as it is kept: 1 to 80 characters, blanks around it and doubled ones gone. Raises BadOptions for another."""
    tidy = " ".join(encodable(name).split())
    if not 1 <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise BadOptions(f"a prompt set has a name of 1 to {LONGEST_NAME} characters; write another one")
    return tidy


class PromptSets:
    """Saved prompt sets. Belongs to the thread of its database; writing stands inside its caller's transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def save(self, kept: PromptSet) -> None:
        """In the place of one of the same reader and name."""
        self._db.conn.execute(
            "INSERT OR REPLACE INTO prompt_sets (reader, name, templates, created) VALUES (?, ?, ?, ?)",
            (kept.reader, kept.name, json.dumps(dict(kept.templates), ensure_ascii=False), kept.created),
        )

    def of(self, reader: str) -> list[PromptSet]:
        """Those of a reader, by name."""
        sql = "SELECT reader, name, templates, created FROM prompt_sets WHERE reader = ? ORDER BY name"
        return [PromptSet(row[0], row[1], json.loads(row[2]), row[3]) for row in self._db.conn.execute(sql, (reader,))]

    def delete(self, reader: str, name: str) -> None:
        """Raises NotFound where there is none."""
        if not self._db.conn.execute("DELETE FROM prompt_sets WHERE reader = ? AND name = ?", (reader, name)).rowcount:
            raise NotFound(f"there is no prompt set {name!r} for {reader!r}; it may have been deleted already")
