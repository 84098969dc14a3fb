"""A published site comes back into a store: the same readings by content id, once, forks with their parents. A hostile one does
no harm."""

from __future__ import annotations

import io
import json
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from components.publish import gather
from components.publish.site import files
from readers import get, importable
from readers.cli import main
from readers.engine.errors import BadRunFile
from readers.engine.files import import_site as site_files
from readers.engine.files.import_site import RUN_FILES, SiteImport, find_site, import_site
from readers.engine.files.runs.content import content_of
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document


@pytest.fixture
def site(store: Store, tmp_path: Path) -> Path:
    """A published reading with its fork."""
    reader = get("whole")
    run = create_run(
        store, Document("The ferry", "Hester Vane rows at noon."), reader, RunSpec("whole", reader.version, "Who rows?")
    )
    execute(store, run.id, reader, Execution(Offline()))
    made = fork(store, open_reading(store, run.id), reader, ReplyEdit(0, 0, "Cole."))
    execute(store, made.id, reader, Execution(Offline()))
    contents = gather.of_runs(store, [store.runs.get(run.id)], lambda run: None, title="One")
    return written(tmp_path / "site", dict(files(contents)))


def written(folder: Path, made: Mapping[str, bytes]) -> Path:
    for path, words in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(words)
    return folder


def imported(store: Store, path: Path) -> SiteImport:
    found = find_site(path)
    assert found
    return import_site(store, found, readers=importable)


def contents_of(store: Store) -> set[str]:
    return {content_of(store, run) for run in store.runs.listed()}


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_it_brings_the_same_readings_with_forks_under_their_parents_once(
    store: Store, site: Path, tmp_path: Path, zipped: bool
) -> None:
    path = Path(shutil.make_archive(str(tmp_path / "one"), "zip", site.parent, site.name)) if zipped else site
    with Store(tmp_path / "other.db") as other:
        done = imported(other, path)
        assert (len(done.imported), done.here, done.refused) == (2, 0, [])
        assert contents_of(other) == contents_of(store)
        parent, made = (other.runs.get(run) for run in done.imported)
        assert (parent.parent, made.parent) == (None, parent.id)
        again = imported(other, path)
        assert (again.imported, again.here) == ([], 2)
        assert len(other.runs.listed()) == 2


def test_the_command_prints_the_new_ids(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(site)]) == 0
    assert "2 already here" in capsys.readouterr().err


def test_a_reading_that_was_changed_is_refused_and_the_others_come(site: Path, tmp_path: Path) -> None:
    found = unpacked(site / RUN_FILES)
    first = next(iter(found))
    found[first] = found[first].replace(b"Hester", b"Esther")
    (site / RUN_FILES).write_bytes(packed(found))
    with Store(tmp_path / "other.db") as other:
        done = imported(other, site)
        assert (len(done.imported), len(done.refused)) == (1, 1)
        assert "is not imported" in done.refused[0]


def unpacked(path: Path) -> dict[str, bytes]:
    with tarfile.open(path, "r:xz") as archive:
        return {entry.name: file.read() for entry in archive if (file := archive.extractfile(entry))}


def packed(found: Mapping[str, bytes], *, declared: int | None = None, kind: bytes = tarfile.REGTYPE) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:xz") as archive:
        for name, words in found.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.type, entry.linkname = len(words), kind, "/etc/passwd"
            archive.addfile(entry, io.BytesIO(words))
    return made.getvalue()


HOSTILE: Mapping[str, bytes] = {
    "no archive": b"PK not lzma",
    "half an archive": packed({"readings/a.json": b"{}" * 1000})[:60],
    "an archive of zeros": lzma.compress(bytes(3_000_000)),
    "a name with a path": packed({"../../../x.json": b"{}"}),
    "a link": packed({"readings/a.json": b""}, kind=tarfile.SYMTYPE),
    "no run file": packed({"readings/a.json": b'{"schema": "palimpsest.run/1"}'}),
    "a header of a gigabyte": packed({"x": b"1"}, kind=tarfile.XHDTYPE)[:0]
    + lzma.compress(tarfile.TarInfo("x").tobuf().replace(b"00000000000\x00", b"37777777777\x00", 1)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_imports_nothing_and_writes_nothing(site: Path, tmp_path: Path, name: str) -> None:
    (site / RUN_FILES).write_bytes(HOSTILE[name])
    before = {*tmp_path.rglob("*")}
    with Store(tmp_path / "other.db") as other:
        with suppress(BadRunFile):
            assert not imported(other, site).imported
        assert not other.runs.listed()
    assert {path for path in {*tmp_path.rglob("*")} - before if not path.name.startswith("other.db")} == set()


def test_what_comes_to_too_much_is_abandoned(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_files, "MAX_UNPACKED", 1_000)
    with Store(tmp_path / "other.db") as other, pytest.raises(BadRunFile, match="cannot be unpacked"):
        imported(other, site)


def test_a_zip_is_read_once(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(shutil.make_archive(str(tmp_path / "one"), "zip", site.parent, site.name))
    opened, at_first = [], Path.open
    monkeypatch.setattr(Path, "open", lambda one, *how: (opened.append(one), at_first(one, *how))[1])
    assert main(["import", str(path)]) == 0
    assert opened.count(path) == 1


def test_what_is_no_site_is_not_found(tmp_path: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "site.json").write_text(json.dumps({"schema": "palimpsest.site/9", "readings": []}))
    with pytest.raises(BadRunFile, match="site/9"):
        imported(store, tmp_path)
    (tmp_path / "site.json").unlink()
    assert not find_site(tmp_path)
    assert main(["import", str(tmp_path)]) == 2
    assert "not that of a published site" in capsys.readouterr().err
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("run.json", "{}")
    assert not find_site(tmp_path / "a.zip")
