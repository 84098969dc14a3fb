"""What is loaded on first use: not before, once, and then as if it had been loaded at once."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import regex

from readers.engine import on_first_use


@pytest.mark.slow
def test_the_command_line_starts_without_the_parsers_of_files_numpy_or_litellm() -> None:
    """Nor does a process that opens the store, which is a part of it."""
    heavy = ["charset_normalizer", "litellm", "lxml", "networkx", "numpy", "PIL", "pypdf", "streamlit"]
    code = f"import sys, readers.cli, readers.engine.store; print([name for name in {heavy!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_pattern_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def noting(source: str, flags: int = 0, compile_: Any = re.compile) -> Any:
        compiled.append(source)
        return compile_(source, flags)

    monkeypatch.setattr(re, "compile", noting)
    lamps = on_first_use.pattern(r"lamps?", re.IGNORECASE)
    assert compiled == []
    assert [lamps.findall("Lamps"), lamps.findall("a lamp"), lamps.pattern] == [["Lamps"], ["lamp"], "lamps?"]
    assert set(compiled) == {"lamps?"}


def test_a_unicode_pattern_knows_the_classes_of_letters() -> None:
    assert on_first_use.unicode_pattern(r"\p{Han}", regex.V1).findall("a灯b") == ["灯"]


def test_a_module_is_looked_up_by_its_whole_name() -> None:
    assert on_first_use.module("xml.etree.ElementTree").fromstring("<lamp/>").tag == "lamp"
    with pytest.raises(AttributeError):
        _ = on_first_use.module("json").lamp
