"""Import a published site: a folder, or a zip of one: its readings, and its project with labels and codebooks if it has one.

Its run files are in one archive, a tar that lzma packed. Nothing in it is trusted: it is unpacked piece by piece in bounded
memory, and abandoned once it comes to too much; nothing is written to a disk, so names in it have no effect. Each run file is
checked by replaying like any other, and a reading whose content id is stored already is not stored again. Not here: how a site
is written (`components/publish`).
"""

from __future__ import annotations

import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from readers.engine.errors import BadRunFile
from readers.engine.files.labels.import_project import ProjectImport, import_project
from readers.engine.files.labels.project_file import read_project_file
from readers.engine.files.runs.import_run import check_run_file_apart, save_checked
from readers.engine.files.runs.unzip import Room, unpacked
from readers.engine.ingest.archive import has_too_many_entries
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from readers.engine.text.phrases import counted

SCHEMA = "palimpsest.site/1"
ABOUT = "site.json"
RUN_FILES = "downloads/readings.tar.xz"
PROJECT = "downloads/project.zip"
MAX_PACKED = 1_000_000_000  # bytes of one file of a site
MAX_ABOUT = 50_000_000
MAX_RUN_FILE = 200_000_000  # unpacked
MAX_UNPACKED = 20_000_000_000  # all run files together
MAX_READINGS = 100_000
MEMORY = 128_000_000  # bytes that unpacking may take
_PIECE = 1 << 18
_BROKEN = (lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError)
Part = Callable[[str, int], bytes | None]  # a file of a site by its path, of at most so many bytes; None if it is not there

Words = Annotated[str, Field(max_length=100_000)]


class SiteReadingPart(BaseModel):
    """A reading as `site.json` lists it."""

    model_config = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)
    content_id: Annotated[str, Field(max_length=64)]


class SiteAbout(BaseModel):
    """`site.json`."""

    model_config = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)
    schema_: Annotated[Words, Field(alias="schema")]
    title: Words = ""
    readings: Annotated[list[SiteReadingPart], Field(max_length=MAX_READINGS)]


@dataclass
class SiteImport:
    """What an import did: the new readings' ids, how many were stored already, those that were refused, each with the reason, and
    what came of its project, if it has one."""

    title: str
    imported: list[str] = field(default_factory=list)
    here: int = 0
    refused: list[str] = field(default_factory=list)
    project: ProjectImport | None = None

    @property
    def sentences(self) -> list[str]:
        came = f"{counted(len(self.imported), 'reading')} imported, {self.here:,} already here"
        return [f"The site “{self.title}”: {came}.", *(self.project.sentences if self.project else []), *self.refused]


class Site(NamedTuple):
    """A site that can be imported: what it is called, and its files."""

    name: str
    part: Part


def find_site(path: Path) -> Site | None:
    """The site in a folder, or in a zip, which is read once; None for anything else. Raises BadRunFile for a zip that is too
    large."""
    part = _folder(path) if path.is_dir() else _zip(path)
    return Site(path.name, part) if part else None


def import_site(
    store: Store,
    site: Site,
    *,
    readers: Callable[[str], Reader],
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> SiteImport:
    """Import what a site has. Readings are stored one by one, so that an interrupted import continues where it stopped; a bad one
    is refused, and the others are imported. `readers` must be a function of a module. Raises BadRunFile for a site that it cannot
    read."""
    name, part = site
    about = _about(part(ABOUT, MAX_ABOUT) or b"", name)
    done = SiteImport(about.title)
    ids: dict[str, str] = {}
    packed = part(RUN_FILES, MAX_PACKED)
    if packed is None:
        raise BadRunFile(f"{name!r} has no {RUN_FILES}: it was published without its texts, so its readings cannot be imported")
    for number, (file, data) in enumerate(_run_files(packed, name)):
        progress(min(number, len(about.readings)), len(about.readings))
        try:
            _import(store, data, f"{name}, {file}", readers=readers, done=done, ids=ids)
        except BadRunFile as error:
            done.refused.append(str(error))
    if (project := part(PROJECT, MAX_PACKED)) is not None:
        done.project = import_project(store, read_project_file(PROJECT, project), offered=readers)
    return done


def _import(
    store: Store, data: bytes, name: str, *, readers: Callable[[str], Reader], done: SiteImport, ids: dict[str, str]
) -> None:
    """Store a reading unless it is there; a fork becomes one of its parent here, under whatever id that has now."""
    incoming = check_run_file_apart(data, name, readers=readers)
    old = str(json.loads(data)["run"]["id"])  # which its forks name
    found = store.runs.with_content(incoming.run.content) if incoming.run.content else []
    if found:
        ids[old] = found[0].id
        done.here += 1
        return
    parent = incoming.run.parent
    run = save_checked(store, replace(incoming, run=replace(incoming.run, parent=ids.get(parent or "", parent))))
    ids[old] = run.id
    done.imported.append(run.id)


def _about(words: bytes, name: str) -> SiteAbout:
    try:
        about = SiteAbout.model_validate_json(words)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:80] or "the file"
        raise BadRunFile(f"{name!r} is not a site of {SCHEMA}: in {ABOUT}, at {where}: {first['msg'][:200]}") from None
    if about.schema_ != SCHEMA:
        raise BadRunFile(
            f"{name!r} has the schema {about.schema_[:40]!r}, not {SCHEMA!r}; import it with the version that made it"
        )
    return about


def _folder(path: Path) -> Part | None:
    if not (path / ABOUT).is_file():
        return None

    def part(name: str, most: int) -> bytes | None:
        file = path / name
        if not file.is_file():
            return None
        if file.stat().st_size > most:
            raise BadRunFile(f"{name!r} of {path.name!r} is over {most // 1_000_000:,} MB, the maximum")
        return file.read_bytes()

    return part


def _zip(path: Path) -> Part | None:
    try:
        with path.open("rb") as file:
            if file.read(2) != b"PK":
                return None
            if path.stat().st_size > MAX_PACKED:
                raise BadRunFile(f"{path.name!r} is over {MAX_PACKED // 1_000_000:,} MB; unpack it, and name its folder")
            data = b"PK" + file.read()
        archive = None if has_too_many_entries(data) else zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        return None
    names = archive.namelist() if archive else []
    found = min((name for name in names if name == ABOUT or name.endswith(f"/{ABOUT}")), key=len, default=None)
    if archive is None or found is None:
        return None

    def part(name: str, most: int) -> bytes | None:
        try:
            entry = archive.getinfo(f"{found.removesuffix(ABOUT)}{name}")
        except KeyError:
            return None
        return unpacked(archive, entry, Room(files=1, each=most, bytes=most))

    return part


def _run_files(packed: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """The run files of the archive, one at a time."""
    try:
        with tarfile.open(fileobj=_Unpacking(packed), mode="r|") as archive:  # type: ignore[call-overload]
            for number, entry in enumerate(archive):
                if number >= MAX_READINGS:
                    raise BadRunFile(f"{name!r}: {RUN_FILES} holds more than {MAX_READINGS:,} files")
                if not entry.isfile() or not entry.name.endswith(".json"):
                    continue
                if entry.size > MAX_RUN_FILE:
                    raise BadRunFile(f"{name!r}: a run file in {RUN_FILES} is over {MAX_RUN_FILE // 1_000_000:,} MB")
                file = archive.extractfile(entry)
                yield entry.name, file.read() if file else b""
    except _BROKEN:
        raise BadRunFile(
            f"{name!r}: {RUN_FILES} cannot be unpacked: it is broken, or needs more memory than it may take"
        ) from None


class _Unpacking:
    """What lzma packed, as a file that can be read once from its beginning; bounded in memory and in all that comes of it."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._at = 0
        self._unpacker = lzma.LZMADecompressor(memlimit=MEMORY)
        self._all = 0

    def read(self, size: int) -> bytes:
        if size > MAX_RUN_FILE:
            raise ValueError("a header that is longer than any file")
        found = bytearray()
        while len(found) < size and not self._unpacker.eof:
            more = b""
            if self._unpacker.needs_input:
                more = self._packed[self._at : self._at + _PIECE]
                self._at += len(more)
                if not more:
                    break
            found += self._unpacker.decompress(more, size - len(found))
        self._all += len(found)
        if self._all > MAX_UNPACKED:
            raise ValueError("it comes to too much")
        return bytes(found)
