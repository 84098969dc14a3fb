"""Saved prompt sets: a reader's prompts in other words, under a name.

Templates are saved unchanged. Whether one still fits its prompt is checked when it is used (`run/execute.py`), because the
reader's prompts may have changed since.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, NotFound
from readers.engine.store.database import Connection, now

LONGEST_NAME = 80


@dataclass(frozen=True)
class PromptSet:
    """One reader's templates by prompt id. `created` is ISO 8601 in UTC."""

    reader: str
    name: str
    templates: Mapping[str, str]
    created: str = ""


def set_name(name: str) -> str:
    """The name with its blanks tidied, 1 to 80 characters long. Raises BadOptions."""
    tidy = " ".join(encodable(name).split())
    if not 1 <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise BadOptions(f"a prompt set has a name of 1 to {LONGEST_NAME} characters; choose another")
    return tidy


class PromptSets:
    """The table of saved prompt sets."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(self, reader: str, name: str, templates: Mapping[str, str]) -> PromptSet:
        """Save templates by prompt id under a name, replacing a set of that name. Raises BadOptions for an invalid name."""
        made = PromptSet(reader, set_name(name), {prompt: encodable(words) for prompt, words in templates.items()}, now())
        with self._connection.writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO prompt_sets (reader, name, templates, created) VALUES (?, ?, ?, ?)",
                (made.reader, made.name, json.dumps(dict(made.templates), ensure_ascii=False), made.created),
            )
        return made

    def of_reader(self, reader: str) -> list[PromptSet]:
        """The saved sets of a reader, by name."""
        sql = "SELECT reader, name, templates, created FROM prompt_sets WHERE reader = ? ORDER BY name"
        rows = self._connection.execute(sql, (reader,))
        with self._connection.decoding():
            return [PromptSet(row[0], row[1], json.loads(row[2]), row[3]) for row in rows]

    def delete(self, reader: str, name: str) -> None:
        """Raises NotFound. Runs that used the set keep their prompts."""
        with self._connection.writing():
            sql = "DELETE FROM prompt_sets WHERE reader = ? AND name = ?"
            if not self._connection.execute(sql, (reader, name)).rowcount:
                raise NotFound(f"there is no prompt set {name!r} for {reader!r}; it may have been deleted already")
