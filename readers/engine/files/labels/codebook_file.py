"""A codebook as a file, `"schema": "palimpsest.codebook/1"`: exported with where it comes from, and read back.

The file gives the project, the version, its time, and the hash of the codes, so that the next project can see whether the
codebook was changed on the way. Nothing in a file is trusted: it is read completely or not at all, and every fault is reported
with its code and field. Not here: adding the codes to a project (`labels/codebook.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from readers.engine.canonical import encodable
from readers.engine.errors import BadFile, BadOptions
from readers.engine.labels.codebook import MOST_CODES, Codebook, Source, checked, codes_hash, source_from_json
from readers.engine.labels.codes import Code, code_from_json, code_to_json
from readers.engine.labels.project import Project
from readers.engine.questions.files import parsed_json
from readers.engine.store.labels.codebooks import CodebookVersion

SCHEMA = "palimpsest.codebook/1"
MAX_BYTES, MOST_FAULTS = 5_000_000, 8
_FIELDS = ("schema", "project", "version", "at", "hash", "codes")


class CodebookFile(NamedTuple):
    """The codes of a file that were in use, and where they come from. `edited`: they are not those that were exported."""

    codes: tuple[Code, ...]
    source: Source
    edited: bool = False


def source_of(project: Project, version: CodebookVersion) -> Source:
    """Where a version of a project's codebook comes from, as its file says it."""
    return Source(project.name, version.version, version.at, codes_hash(version.book.codes))


def as_json(project: Project, version: CodebookVersion) -> bytes:
    """A version of a codebook as a file, with its retired codes."""
    codes = [code_to_json(code) for code in version.book.codes]
    data = {"schema": SCHEMA, **source_of(project, version)._asdict(), "codes": codes}
    return orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_codebook_file(name: str, data: bytes) -> CodebookFile:
    """Read a codebook file. Raises BadFile with up to `MOST_FAULTS` faults."""
    shown = encodable(name[:80])
    if len(data) > MAX_BYTES:
        raise BadFile(f"a codebook has up to {MAX_BYTES // 1_000_000} MB, and {shown!r} has {len(data) / 1e6:.1f} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"{shown!r} is not UTF-8 from byte {error.start} on; export it again as UTF-8") from None
    found = parsed_json(text, shown, "")
    if not isinstance(found, Mapping) or found.get("schema") != SCHEMA:
        raise BadFile(f"{shown!r} is not a codebook: its field 'schema' is not {SCHEMA!r}")
    if unknown := [one for one in found if one not in _FIELDS]:
        raise BadFile(f"{shown!r} has a field {encodable(str(unknown[0]))[:40]!r}; a codebook has {', '.join(_FIELDS)}")
    try:
        source = source_from_json(found)
    except BadOptions as error:
        raise BadFile(f"{shown!r}: {error}") from None
    codes = _codes(shown, found.get("codes"))
    now = codes_hash(codes)
    return CodebookFile(tuple(code for code in codes if not code.retired), source._replace(hash=now), now != source.hash)


def _codes(shown: str, given: Any) -> tuple[Code, ...]:
    if not isinstance(given, list):
        raise BadFile(f"{shown!r}: its field 'codes' is a list of codes")
    if len(given) > MOST_CODES:
        raise BadFile(f"{shown!r}: a codebook has up to {MOST_CODES} codes, and this has {len(given):,}")
    faults = list(_faults(given))
    if faults:
        more = f"; and {len(faults) - MOST_FAULTS:,} more" if len(faults) > MOST_FAULTS else ""
        many = "1 invalid code" if len(faults) == 1 else f"{len(faults):,} invalid codes"
        raise BadFile(f"{shown!r} has {many}: {'; '.join(faults[:MOST_FAULTS])}{more}")
    try:
        return checked(Codebook(tuple(code_from_json(one) for one in given))).codes
    except BadOptions as error:
        raise BadFile(f"{shown!r}: {error}") from None


def _faults(given: list[Any]) -> Iterator[str]:
    """What is wrong with single codes, each with its number in the list and its id."""
    for number, one in enumerate(given, 1):
        try:
            code_from_json(one)
        except BadOptions as error:
            code_id = one.get("id") if isinstance(one, Mapping) else None
            called = f" ({encodable(code_id)[:40]})" if isinstance(code_id, str) else ""
            yield f"code {number}{called}: {error}"
