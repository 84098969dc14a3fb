"""The header of GGUF files: what it says is read, and no file, however made, is read beyond its bounds."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.errors import BadFile
from readers.engine.models.local import gguf as reading
from readers.engine.models.local.gguf import Header, read_header
from tests.support.texts_and_files.gguf_files import ARRAY, LLAMA, STRING, UINT32, gguf, packed


def header_of(folder: Path, data: bytes) -> Header:
    path = folder / "some.gguf"
    path.write_bytes(data)
    return read_header(path)


def test_the_window_and_the_size_of_the_cache_are_read(tmp_path: Path) -> None:
    assert header_of(tmp_path, gguf()) == Header(8192, 30 * 3 * (64 + 64) * 2)
    others = {"general.tags": ["small", "chat"], "general.score": 0.5, **LLAMA, "llama.context_length": 2048}
    assert header_of(tmp_path, gguf(others, version=2)).window == 2048


def test_heads_may_differ_by_layer_and_have_their_own_size(tmp_path: Path) -> None:
    heads = {"llama.attention.head_count_kv": [1, 4], "llama.attention.key_length": 128, "llama.attention.value_length": 32}
    assert header_of(tmp_path, gguf({**LLAMA, **heads})).cache_bytes == 30 * 4 * (128 + 32) * 2


def test_a_cache_that_the_header_does_not_tell_is_0(tmp_path: Path) -> None:
    assert header_of(tmp_path, gguf({"general.architecture": "new", "new.context_length": 512})) == Header(512, 0)


def test_the_tokenizer_is_not_read_if_the_rest_came_before_it(tmp_path: Path) -> None:
    assert header_of(tmp_path, gguf({**LLAMA, "tokenizer.ggml.tokens": b"whatever"})).window == 8192
    first = {"tokenizer.ggml.tokens": ["a", "b"], **LLAMA}
    assert header_of(tmp_path, gguf(first)).window == 8192


LONG = struct.pack("<Q", 1 << 60)
DAMAGED = {
    "nothing": b"",
    "another format": b"PK\3\4" + bytes(60),
    "an old version": gguf(version=1),
    "an end in the header": gguf()[:-3],
    "more entries than there are": gguf(count=9),
    "more entries than any model has": gguf(count=1 << 62),
    "a key without end": gguf({}, count=1) + LONG,
    "a string without end": gguf({"x": struct.pack("<I", STRING) + LONG}),
    "an array without end": gguf({"x": struct.pack("<II", ARRAY, UINT32) + LONG}),
    "an array of strings without end": gguf({"x": struct.pack("<IIQ", ARRAY, STRING, 2) + packed("a") + LONG}),
    "an array of arrays": gguf({"x": struct.pack("<IIQ", ARRAY, ARRAY, 1)}),
    "a value of no kind": gguf({"x": struct.pack("<I", 77)}),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"'some.gguf' is not a complete GGUF file \(.*\); fetch it again"):
        header_of(tmp_path, data)


@pytest.mark.parametrize("window", [0, 1 << 30, "8192", 0.5], ids=str)
def test_a_file_without_a_usable_window_is_no_language_model(window: object, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no language model"):
        header_of(tmp_path, gguf({**LLAMA, "llama.context_length": window}))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_header(tmp_path / "gone.gguf")


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    assert header_of(tmp_path, gguf()).window == 8192
    assert header_of(tmp_path, gguf({**LLAMA, "llama.context_length": 1024, "general.name": "x"})).window == 1024


@given(data=st.binary(max_size=80), at=st.integers(0, 200))
def test_no_bytes_break_the_reader(data: bytes, at: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    whole = gguf()
    path = tmp_path_factory.mktemp("gguf") / "some.gguf"
    path.write_bytes(whole[:at] + data + whole[at + len(data) :])
    try:
        header = read_header(path)
    except BadFile:
        return
    assert 0 < header.window <= reading.MAX_WINDOW
