"""A release says one version everywhere, can be cited, and names the licence of all that it ships."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field
from yaml import safe_load

from components.html.scripts import vendored
from readers.cli import main
from readers.engine import APP_VERSION
from tests.support.paths import ROOT

LICENCES = (ROOT / "LICENCES.md").read_text(encoding="utf-8")
Words = Annotated[str, Field(min_length=1)]


class _Author(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: Words


class Citation(BaseModel):
    """What the Citation File Format 1.2.0 asks of the fields that our file has; it has no others."""

    model_config = ConfigDict(extra="forbid", strict=True)

    cff_version: Literal["1.2.0"] = Field(alias="cff-version")
    message: Words
    title: Words
    type: Literal["software"]
    authors: Annotated[list[_Author], Field(min_length=1)]
    version: Words
    date_released: date | None = Field(default=None, alias="date-released")
    license: Literal["Apache-2.0"]
    abstract: Words
    keywords: list[Words]


def test_the_version_is_the_same_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\d+\.\d+\.\d+)", changes, re.MULTILINE)
    assert versions[0] == APP_VERSION
    assert versions == sorted(versions, key=lambda version: [int(part) for part in version.split(".")], reverse=True)
    citation = Citation.model_validate(safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8")))
    assert citation.version == APP_VERSION
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"Palimpsest {APP_VERSION}\n"


def test_a_version_fits_on_one_screen_of_the_changelog() -> None:
    _, *sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    released = {section.split("\n")[0]: len(section.splitlines()) for section in sections if section[0].isdigit()}
    assert {name: lines for name, lines in released.items() if lines > 50} == {}


def test_the_licence_of_all_that_is_shipped_is_named() -> None:
    for folder in ("assets", "."):
        named = {path.name for path in (ROOT / folder).iterdir() if path.is_dir()}
        for name in named - {"docs", "tests", "licences", "build"} if folder == "." else named:
            assert name.startswith((".", "_")) or f"{name}/" in LICENCES, f"LICENCES.md does not name {name}/"
    for name, _, licence, _ in vendored():
        row = next(line for line in LICENCES.splitlines() if line.lower().startswith(f"| {name}"))
        assert all(one in row for one in licence.split(" OR ")), name
    recorded = [json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "assets" / "readings").glob("*-*.json")]
    models = {call["model"].removeprefix("local/") for run in recorded for call in run["calls"] if call["task"] != "score"}
    assert models
    assert {model for model in models if f"`{model}`" not in LICENCES} == set()
    assert {title for run in recorded if (title := run["document"]["title"]) not in LICENCES} == set()


def test_no_font_is_shipped() -> None:
    fonts = [path for ending in ("woff", "woff2", "ttf", "otf") for path in (ROOT / "assets").rglob(f"*.{ending}")]
    styles = [path.name for path in (ROOT / "assets" / "css").glob("*.css") if "@font-face" in path.read_text(encoding="utf-8")]
    assert not fonts
    assert not styles


def test_each_promise_of_the_security_policy_names_tests_that_are_there() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[^`]+)`", policy.partition("## How each promise is checked")[2]))
    assert len(named) > 20
    assert {path for path in named if not (ROOT / path).exists()} == set()
