"""`make audit` says what it could not find out, and never passes for want of an index."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.audit import CLEAN, FAULTS, NOT_KNOWN, main, verdict
from tests.support.paths import ROOT

LOOKED_UP = {"name": "aaa", "version": "1.0", "vulns": []}
SKIPPED = {"name": "bbb", "skip_reason": "Dependency not found on PyPI and could not be audited: bbb (2.0)"}
FAULT = {"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": [], "description": "bad"}


def said(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


@pytest.mark.parametrize(
    ("output", "errors", "status", "words"),
    [
        (said(LOOKED_UP), "", CLEAN, "in 1 package."),
        (said({**LOOKED_UP, "vulns": [FAULT]}), "", FAULTS, "aaa 1.0: PYSEC-1, mended in 1.1"),
        (said(SKIPPED, SKIPPED), "No known vulnerabilities found", NOT_KNOWN, "Nothing was audited: no index of advisories"),
        (said(LOOKED_UP, SKIPPED), "", NOT_KNOWN, "1 of 2 packages were not audited: bbb"),
        (said({**LOOKED_UP, "vulns": [FAULT]}, SKIPPED), "", FAULTS, "1 of 2 packages were not audited: bbb"),
        (
            "",
            "Traceback\nConnectionError: no route",
            NOT_KNOWN,
            "Nothing was audited: pip-audit failed (ConnectionError: no route)",
        ),
        ("{}", "", NOT_KNOWN, "Nothing was audited: pip-audit failed (it said nothing)"),
    ],
)
def test_only_an_audit_of_every_package_passes(output: str, errors: str, status: int, words: str) -> None:
    found = verdict(output, errors)
    assert (found.status, words in found.words) == (status, True), found


def test_the_program_is_given_the_lock_file_and_its_pass_is_not_taken_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\necho \"$@\" > {tmp_path}/asked\necho '{said(SKIPPED)}'\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    assert main(str(program)) == NOT_KNOWN
    assert "could be reached" in capsys.readouterr().err
    assert f"--requirement {ROOT / 'requirements.lock'}" in (tmp_path / "asked").read_text(encoding="utf-8")
