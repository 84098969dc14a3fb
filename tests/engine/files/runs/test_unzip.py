"""Run files out of an uploaded zip: which come out, and what is refused. Nothing is unpacked beyond what there is room for."""

from __future__ import annotations

import io
import time
import zipfile

import pytest

from readers.engine.errors import BadRunFile
from readers.engine.files.runs import unzip
from readers.engine.ingest import archive


def a_zip(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_json", ".json"), data)
    return made.getvalue()


def room(**more: int) -> unzip.Room:
    return unzip.Room(**{"files": 5, "each": 3_000_000, "bytes": 4_000_000, **more})


def test_the_run_files_of_a_zip_come_out_and_nothing_else() -> None:
    data = a_zip(a_json=b"{}", b_json=b"[]", left_out=b"x", **{"__MACOSX/._a.json": b"x", "../../c.json": b"1"})
    found = unzip.run_files(data, "saved.zip", here := room())
    assert [(name, get()) for name, get in found] == [
        ("saved.zip, a.json", b"{}"), ("saved.zip, b.json", b"[]"), ("saved.zip, ../../c.json", b"1"),
    ]  # fmt: skip
    assert (here.files, here.bytes) == (2, 4_000_000 - 5)


def test_a_zip_that_grows_when_it_is_unpacked_is_given_up_in_time() -> None:
    """What it says of its sizes is not believed, and no more is unpacked than there is room for."""
    bomb = a_zip(a_json=bytes(90_000_000), b_json=bytes(1_000_000), c_json=bytes(2_000_000))
    assert len(bomb) < 100_000
    here = room(bytes=6_000_000)
    first, second, third = (get for _, get in unzip.run_files(bomb, "x.zip", here))
    began = time.monotonic()
    with pytest.raises(BadRunFile, match="it comes to over 3 MB"):
        first()
    assert time.monotonic() - began < 1
    assert len(second()) == 1_000_000
    with pytest.raises(BadRunFile, match="with it, all that was unpacked comes to over 1 MB"):
        third()
    assert here.bytes == 0
    lying = bomb.replace((90_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    with pytest.raises(BadRunFile, match="cannot be unpacked"):
        unzip.run_files(lying, "x.zip", room())[0][1]()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (a_zip(a_json=b"{}")[:-9], "not a complete zip"),
        (b"PK\x03\x04" + bytes(99), "not a complete zip"),
        (a_zip(), "has no run files in it"),
        (a_zip(**{f"a{n}_json": b"1" for n in range(6)}), "holds 6 run files, and 5 more"),
        (archive.ENTRY * (archive.MAX_ENTRIES + 1), "lists more than 10,000 files"),
    ],
)
def test_a_zip_that_is_broken_empty_or_too_full_is_not_opened(data: bytes, says: str) -> None:
    with pytest.raises(BadRunFile, match=says):
        unzip.run_files(data, "x.zip", room())


def test_a_file_in_a_zip_that_is_broken_or_locked_is_refused_by_itself() -> None:
    data = bytearray(a_zip(a_json=b"abc" * 50, b_json=b"{}"))
    data[data.index(b"a.json") + 8] ^= 0xFF
    (_, broken), (_, whole) = unzip.run_files(bytes(data), "x.zip", room())
    with pytest.raises(BadRunFile, match="cannot be unpacked"):
        broken()
    assert whole() == b"{}"
    locked = bytearray(a_zip(a_json=b"{}"))
    locked[6] |= 1
    locked[locked.index(archive.ENTRY) + 8] |= 1
    with pytest.raises(BadRunFile, match="locked by a password"):
        unzip.run_files(bytes(locked), "x.zip", room())[0][1]()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_in_a_zip_whose_pieces_have_no_bound_is_refused(method: int) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("a.json", b" " * 1_000)
    with pytest.raises(BadRunFile, match=r"'a.json' was not unpacked: .* has no bound"):
        unzip.run_files(made.getvalue(), "x.zip", room())[0][1]()
