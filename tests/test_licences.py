"""What the app is shipped with has a licence on the list, and the SBOM names all of it."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from typing import Annotated, Literal

import pytest
from packaging.licenses import canonicalize_license_expression
from pydantic import BaseModel, ConfigDict, Field

from tests.licences import ALLOWED, bill, components, licence_of, main
from tests.test_requirements import pins


class _Strict(BaseModel):
    """What CycloneDX 1.6 asks of the fields that our bill has; it has no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(_Strict):
    name: str


class Expression(_Strict):
    expression: str


class License(_Strict):
    license: Named


class Component(Named):
    type: Literal["application", "library"]
    version: str = ""
    # A name on PyPI is in small letters, with hyphens; a version is percent-encoded.
    purl: str = Field("", pattern=r"^pkg:(pypi|npm)/[a-z0-9][a-z0-9.-]*@([A-Za-z0-9.~_-]|%[0-9A-F]{2})+$")
    licenses: Annotated[list[Expression], Field(max_length=1)] | list[License] = []


class Metadata(_Strict):
    component: Component


class Bill(_Strict):
    bomFormat: Literal["CycloneDX"]
    specVersion: Literal["1.6"]
    version: int = Field(ge=1)
    metadata: Metadata
    components: list[Component]


def stating(folder: Path, *lines: str) -> Distribution:
    made = folder / "made-1.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", "Name: made", "Version: 1", *lines, ""]), encoding="utf-8")
    return PathDistribution(made)


def test_every_package_that_is_shipped_has_a_licence_on_the_list() -> None:
    refused = {one.name: one.licence or "no licence" for one in components() if not one.elsewhere and not one.ids}
    refused |= {one.name: one.licence for one in components() if one.ids - ALLOWED}
    assert not refused, f"decide on each in ALLOWED, with the reason: {refused}"


@pytest.mark.parametrize(
    ("lines", "licence", "allowed"),
    [
        (["License-Expression: MIT OR GPL-3.0-only"], "MIT OR GPL-3.0-only", False),
        (["License: Apache License, Version 2.0"], "Apache-2.0", True),
        (["License: GPL, and MIT in parts"], "GPL, and MIT in parts", False),
        (["License: MIT", "Classifier: License :: OSI Approved :: GNU Affero General Public License v3"],
         "GNU Affero General Public License v3", False),
        (["License: BSD", "Classifier: License :: OSI Approved :: ISC License (ISCL)"], "ISC", True),
        ([], "", False),
    ],
)  # fmt: skip
def test_a_licence_is_what_a_package_states(tmp_path: Path, lines: list[str], licence: str, allowed: bool) -> None:
    stated = licence_of(stating(tmp_path, *lines))
    assert stated == licence
    ids = next(components())._replace(licence=stated).ids
    assert (bool(ids) and ids <= ALLOWED) is allowed


def test_the_bill_names_what_is_locked_and_the_scripts_that_are_sent_to_browsers(tmp_path: Path) -> None:
    main(tmp_path)
    made = json.loads((tmp_path / "sbom.json").read_text(encoding="utf-8"))
    named = {one["name"]: one["version"] for one in made["components"]}
    assert [named.pop(name) for name in ("vis-network", "preact", "htm")] == ["9.1.2", "11.2.0", "3.1.1"]
    assert named == pins("requirements.lock")
    assert made == bill(list(components()))
    words = (tmp_path / "THIRD_PARTY.txt").read_text(encoding="utf-8")
    holders = ("Almende B.V", "Jason Miller", "Permission is hereby granted", "Mozilla Public License")
    assert all(holder in words for holder in holders)


def test_the_bill_keeps_to_cyclonedx() -> None:
    made = Bill.model_validate(bill(list(components())))
    purls = [one.purl for one in made.components]
    assert all(purls)
    assert len(set(purls)) == len(purls)
    stated = [one.expression for row in made.components for one in row.licenses if isinstance(one, Expression)]
    assert len(stated) > 50
    for expression in stated:
        assert canonicalize_license_expression(expression) == expression
