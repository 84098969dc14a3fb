"""Archives that are the same whenever they are made of the same: their entries do not say when that was. Pure.

Not here: opening archives, which trusts nothing in them (`runs/unzip.py`, `import_site.py`).
"""

from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

REACH = 1 << 24  # bytes over which a tar finds the same words again


def zip_entry(name: str) -> zipfile.ZipInfo:
    """An entry of a zip, to be compressed."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def zipped(files: Iterable[tuple[str, bytes]], folder: str) -> bytes:
    """Files by path as a zip with one folder in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, words in files:
            archive.writestr(zip_entry(f"{folder}/{path}"), words)
    return packed.getvalue()


@contextmanager
def tar(packed: io.BytesIO) -> Iterator[tarfile.TarFile]:
    """A tar that lzma packs, in which what files share is packed once; `add` puts files into it."""
    ways = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": REACH}]
    with lzma.LZMAFile(packed, "w", filters=ways) as compressed, tarfile.open(fileobj=compressed, mode="w") as archive:
        yield archive


def add(archive: tarfile.TarFile, name: str, words: bytes) -> None:
    """Put a file into a tar."""
    entry = tarfile.TarInfo(name)
    entry.size = len(words)
    archive.addfile(entry, io.BytesIO(words))
