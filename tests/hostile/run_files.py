"""Run files and zips of them that cost more than they weigh."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from functools import cache
from typing import Any

from tests.hostile.case import Case
from tests.hostile.zips import encrypted, lying, overlapping
from tests.support.paths import ROOT
from tests.support.texts_and_files.uploads import zipped


@cache
def _whole() -> str:
    return (ROOT / "assets/readings/memagent-lamp-bolts.json").read_text(encoding="utf-8")


def whole() -> dict[str, Any]:
    """A run file that is imported as it is."""
    found: dict[str, Any] = json.loads(_whole())
    return found


def head(field: bytes) -> bytes:
    """A run file with a field that it should not have before all others."""
    return b'{"x": ' + field + b", " + _whole().strip().encode()[1:]


def lists(count: int) -> bytes:
    return head(b"[" + b"[]," * count + b"[]]")


def changed(change: Callable[[dict[str, Any]], None]) -> bytes:
    data = whole()
    change(data)
    return json.dumps(data).encode("utf-8", "surrogatepass")


def spec(**change: Any) -> Callable[[], bytes]:
    """A file with other settings of its run."""
    return lambda: changed(lambda data: data["run"]["spec"].update(change))


def option(**change: Any) -> Callable[[], bytes]:
    """A file with other options of its reader."""
    return lambda: changed(lambda data: data["run"]["spec"]["options"].update(change))


def _with_text(words: str) -> bytes:
    data = whole()
    data["document"]["text"] = words
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


_FAR = {"start": 0, "end": 10**15}
_FILES: list[tuple[str, Callable[[], bytes], bool]] = [
    ("65 million empty lists", lambda: lists(65_000_000), True),
    ("7 million empty lists", lambda: lists(7_000_000), True),
    ("a million empty objects", lambda: head(b"[" + b"{}," * 1_000_000 + b"{}]"), True),
    ("lists a million deep", lambda: head(b"[" * 1_000_000 + b"]" * 1_000_000), False),
    ("objects a hundred thousand deep", lambda: head(b'{"a":' * 100_000 + b"1" + b"}" * 100_000), False),
    ("strings of 190 MB", lambda: head(b'"' + b"x" * 190_000_000 + b'"'), True),
    ("strings of 190 MB with one emoji", lambda: head(b'"' + b"x" * 190_000_000 + "👩".encode() + b'"'), True),
    ("190 MB of escapes", lambda: head(b'"' + rb"\u0041" * 31_000_000 + b'"'), True),
    ("190 MB of quotation marks", lambda: head(b"[" + b'"",' * 60_000_000 + b"0]"), True),
    ("a million names", lambda: head(b"{" + b",".join(b'"%d":0' % n for n in range(1_000_000)) + b"}"), True),
    ("a name twice", lambda: head(b'{"a": 1, "a": 2}'), False),
    ("numbers without end", lambda: head(b"9" * 1_000_000), False),
    ("a number beyond all", lambda: head(b"1e400"), False),
    ("numbers that are none", lambda: head(b"NaN"), False),
    ("halves of characters", lambda: head(rb'"\ud800"'), False),
    ("a million calls", lambda: changed(lambda data: data.update(calls=data["calls"][:1] * 100_000)), True),
    ("a million events", lambda: changed(lambda data: data.update(events=[{}] * 1_000_000)), True),
    ("a call a thousand times", lambda: changed(lambda data: data.update(calls=data["calls"] * 1_000)), True),
    ("a text of 49 MB", lambda: _with_text("x" * 49_000_000), True),
    ("a text of accents", lambda: _with_text("a" + "\u0301" * 10_000_000), True),
    ("an option that cuts into the smallest", option(chunk_tokens=32), False),
    ("a reader that is a path", spec(reader="../../etc/passwd"), False),
    ("a file for a tokenizer", option(tokenizer="/etc/passwd"), False),
    ("a server to ask", spec(api_base="http://127.0.0.1:9/"), False),
    ("a question of 10 MB", spec(question="why? " * 2_000_000), True),
    ("a hundred thousand edits", spec(edits=[{}] * 100_000), False),
    ("spans beyond the text", lambda: changed(lambda data: data["run"].update(answer_evidence=[_FAR])), False),
    ("UTF-16", lambda: _whole().encode("utf-16"), False),
    ("cut in half", lambda: _whole().encode()[: len(_whole()) // 2], False),
]  # fmt: skip
_ZIPS: list[tuple[str, Callable[[], bytes], bool]] = [
    ("65 million empty lists in 197 KB", lambda: zipped({"a.json": lists(65_000_000)}), True),
    ("two hundred bombs", lambda: zipped({f"{n}.json": b" " * 10_000_000 for n in range(200)}), True),
    ("entries over the same bytes", lambda: overlapping(900, 1_000_000, "json"), False),
    ("a zip in a zip", lambda: zipped({"a.json": zipped({"b.json": lists(10)})}), False),
    ("a size that is too small", lambda: lying(zipped({"a.json": b" " * 5_003}), 5_003, 50), False),
    ("a password", lambda: encrypted(zipped({"a.json": b"{}"})), False),
    ("bzip2", lambda: zipped({"a.json": b" " * 100_000_000}, zipfile.ZIP_BZIP2), True),
    ("lzma", lambda: zipped({"a.json": b" " * 100_000_000}, zipfile.ZIP_LZMA), True),
    ("twenty thousand files", lambda: zipped({f"{n}.json": b"{}" for n in range(20_000)}), False),
    ("names that climb", lambda: zipped({"../../../../tmp/owned.json": b"{}"}), False),
    ("cut in half", lambda: (data := zipped({"a.json": _whole().encode()}))[: len(data) // 2], False),
]  # fmt: skip

CASES: list[Case] = [
    *(Case("run file", title, "x.json", make, "run file", slow) for title, make, slow in _FILES),
    *(Case("zip of run files", title, "x.zip", make, "zip of run files", slow) for title, make, slow in _ZIPS),
]
