"""Saved profiles: models on their terms, by name. Names that differ only in upper and lower case are the same.

What a profile holds, and that it never holds a key, is decided in `models/profiles.py`.
"""

from __future__ import annotations

import json
from dataclasses import replace

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, NotFound
from readers.engine.models.profiles import Profile, profile_name, profile_of
from readers.engine.store.database import Connection, now


class Profiles:
    """The table of saved profiles."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def names(self) -> list[str]:
        """The names of all profiles, in order."""
        return [name for (name,) in self._connection.execute("SELECT name FROM profiles ORDER BY name")]

    def get(self, name: str) -> Profile:
        """Raises NotFound, and BadOptions for one that cannot be used any more."""
        row = self._connection.execute("SELECT name, terms FROM profiles WHERE name = ?", (name,)).fetchone()
        if row is None:
            known = ", ".join(map(repr, self.names()))
            raise NotFound(f"there is no profile {name[:80]!r}; {f'saved are {known}' if known else 'none is saved'}")
        with self._connection.decoding():
            terms = json.loads(row[1])
        return profile_of(row[0], terms)

    def add(self, profile: Profile) -> Profile:
        """Save a profile under its name. Raises BadOptions for an invalid name, and for one that another profile has."""
        saved = _named(profile)
        with self._connection.writing():
            self._check_free(saved.name)
            sql = "INSERT INTO profiles (name, terms, created) VALUES (?, ?, ?)"
            self._connection.execute(sql, (saved.name, json.dumps(saved.to_json()), now()))
        return saved

    def change(self, profile: Profile) -> Profile:
        """Save a profile in place of the one of its name. Raises NotFound. Runs that were read with that keep what it held."""
        saved = _named(profile)
        with self._connection.writing():
            sql = "UPDATE profiles SET terms = ? WHERE name = ?"
            if not self._connection.execute(sql, (json.dumps(saved.to_json()), saved.name)).rowcount:
                raise NotFound(f"there is no profile {saved.name!r}; it may have been deleted")
        return saved

    def rename(self, name: str, new: str) -> str:
        """Give a profile another name, and return it. Raises NotFound and, for an invalid or a taken name, BadOptions."""
        tidy = profile_name(encodable(new))
        with self._connection.writing():
            if tidy.casefold() != name.casefold():
                self._check_free(tidy)
            if not self._connection.execute("UPDATE profiles SET name = ? WHERE name = ?", (tidy, name)).rowcount:
                raise NotFound(f"there is no profile {name!r}; it may have been deleted")
        return tidy

    def delete(self, name: str) -> None:
        """Raises NotFound. Runs that were read with it keep what it held."""
        with self._connection.writing():
            if not self._connection.execute("DELETE FROM profiles WHERE name = ?", (name,)).rowcount:
                raise NotFound(f"there is no profile {name!r}; it may have been deleted already")

    def choose(self, name: str) -> None:
        """Let new sessions begin with this profile; with none of them if it is empty."""
        if (self.chosen() or "") != name:
            with self._connection.writing():
                self._connection.execute("UPDATE profiles SET chosen = (name = ?)", (name,))

    def chosen(self) -> str | None:
        """The profile that new sessions begin with; None for none."""
        row = self._connection.execute("SELECT name FROM profiles WHERE chosen").fetchone()
        return None if row is None else str(row[0])

    def _check_free(self, name: str) -> None:
        row = self._connection.execute("SELECT name FROM profiles WHERE name = ?", (name,)).fetchone()
        if row is not None:
            raise BadOptions(f"there is already a profile {row[0]!r}: choose another name, or change or delete that profile")


def _named(profile: Profile) -> Profile:
    return replace(profile.checked(), name=profile_name(encodable(profile.name)))
