"""Downloading weights: resumed where it was cut off, checked, and nothing but the whole and right file takes its place."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from readers.engine.errors import BadFile, BadOptions
from readers.engine.models.local import download as downloading
from readers.engine.models.local.download import SPARE_BYTES, Expected, Unreachable, download
from tests.support.servers.file_server import FileServer

DATA = bytes(range(256)) * 40


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "FIRST_WAIT", 0.0)


@pytest.fixture
def expected(tmp_path: Path) -> Expected:
    return Expected(tmp_path / "models" / "some.gguf", len(DATA), hashlib.sha256(DATA).hexdigest())


def files(expected: Expected) -> list[str]:
    return sorted(path.name for path in expected.path.parent.iterdir())


def test_a_download_that_is_cut_off_continues_where_it_was(expected: Expected) -> None:
    reached: list[int] = []
    with FileServer(DATA, cuts=(1_000, 3_000)) as server:
        download(server.url, expected, progress=lambda here, all_: reached.append(here))
        assert server.asked == [None, "bytes=1000-", "bytes=4000-"]
    assert expected.path.read_bytes() == DATA
    assert files(expected) == ["some.gguf"]
    assert reached == sorted(reached)
    assert reached[-1] == len(DATA)


def test_what_an_earlier_try_left_is_continued(expected: Expected) -> None:
    with FileServer(DATA, cuts=(700, *[0] * downloading.MAX_TRIES)) as server:
        with pytest.raises(Unreachable, match="was cut off"):
            download(server.url, expected)
        assert files(expected) == ["some.gguf.part"]
        download(server.url, expected)
        assert server.asked[-1] == "bytes=700-"
    assert expected.path.read_bytes() == DATA


def test_a_redirect_is_followed_with_the_range(expected: Expected) -> None:
    with FileServer(DATA, cuts=(1_000,)) as server:
        download(f"{server.home}/moved", expected)
        assert server.asked == [None, "bytes=1000-"]
    assert expected.path.read_bytes() == DATA


def test_a_server_that_knows_no_ranges_sends_everything_again(expected: Expected) -> None:
    with FileServer(DATA, cuts=(1_000,), ranges=False) as server:
        download(server.url, expected)
        assert len(server.asked) == 2
    assert expected.path.read_bytes() == DATA


def test_an_answer_without_a_length_that_ends_early_is_continued(expected: Expected) -> None:
    with FileServer(DATA, cuts=(1_000,), says_length=False) as server:
        download(server.url, expected)
    assert expected.path.read_bytes() == DATA


def test_a_file_with_the_wrong_checksum_is_discarded(expected: Expected) -> None:
    with FileServer(DATA[::-1]) as server, pytest.raises(BadFile, match=r"'some.gguf' has the wrong checksum and was discarded"):
        download(server.url, expected)
    assert files(expected) == []


def test_a_larger_file_is_not_read_to_its_end(expected: Expected) -> None:
    reached: list[int] = []
    with FileServer(DATA * 500) as server, pytest.raises(BadFile, match=r"has [\d,]{5,7} bytes instead of 10,240"):
        download(server.url, expected, progress=lambda here, all_: reached.append(here))
    assert files(expected) == []
    assert reached[-1] == len(DATA)


def test_a_smaller_file_is_told_after_a_few_tries(expected: Expected) -> None:
    with FileServer(DATA[:500]) as server:
        with pytest.raises(Unreachable, match="has fewer bytes than expected"):
            download(server.url, expected)
        assert len(server.asked) == 1 + downloading.MAX_TRIES
    assert not expected.path.exists()


def test_more_than_the_whole_file_left_by_an_earlier_try_is_fetched_anew(expected: Expected) -> None:
    expected.part.parent.mkdir()
    expected.part.write_bytes(DATA * 2)
    with FileServer(DATA) as server:
        download(server.url, expected)
        assert server.asked == [None]
    assert expected.path.read_bytes() == DATA


def test_a_server_that_is_not_there_or_has_no_file_is_told_at_once(expected: Expected) -> None:
    with pytest.raises(Unreachable, match=r"http://127.0.0.1:9/file cannot be reached: "):
        download("http://127.0.0.1:9/file", expected)
    with FileServer(DATA) as server, pytest.raises(Unreachable, match=r"127.0.0.1 answered 404 for http://"):
        download(f"{server.home}/gone", expected)
    assert files(expected) == []


def test_without_room_on_the_disk_nothing_is_asked_for(expected: Expected, monkeypatch: pytest.MonkeyPatch) -> None:
    free = len(DATA) - 600 + SPARE_BYTES
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    with FileServer(DATA) as server:
        with pytest.raises(BadOptions, match=r"'some.gguf' needs 50 MB of disk, .* has 50 MB left; free some"):
            download(server.url, expected)
        assert server.asked == []
        expected.part.write_bytes(DATA[:600])  # what is here already needs no room
        download(server.url, expected)
        assert expected.path.read_bytes() == DATA
