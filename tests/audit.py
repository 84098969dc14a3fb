"""Known faults of what `requirements.lock` names, by the advisories of the Python Packaging Authority.

    python -m tests.audit PIP_AUDIT

`pip-audit` passes where the index that it asks knows no package, as a mirror without advisories does. Here that is said in
words and fails: 0 is returned only if every package was looked up and has no known fault, 1 if one has, 2 if some could not be
looked up.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, NamedTuple

from readers.engine.text.phrases import counted
from tests.support.paths import ROOT

LOCK = ROOT / "requirements.lock"
CLEAN, FAULTS, NOT_KNOWN = 0, 1, 2
_AGAIN = "Run `make audit` where https://pypi.org can be reached."


class Verdict(NamedTuple):
    """What is said, and the exit status."""

    words: str
    status: int


def verdict(output: str, errors: str) -> Verdict:
    """What an audit says by what `pip-audit --format json` printed."""
    try:
        found: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        why = (errors.strip().splitlines() or ["it said nothing"])[-1]
        return Verdict(f"Nothing was audited: pip-audit failed ({why[:300]}). {_AGAIN}", NOT_KNOWN)
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no version yet'}"
        for one in found
        for fault in one.get("vulns", [])
    ]
    skipped = [one["name"] for one in found if "skip_reason" in one]
    looked_up = len(found) - len(skipped)
    if not looked_up:
        missing = (
            f"Nothing was audited: no index of advisories could be reached that knows any of {len(found)} packages. {_AGAIN}"
        )
    else:
        missing = f"{len(skipped)} of {len(found)} packages were not audited: {', '.join(skipped)}. {_AGAIN}" if skipped else ""
    known = f"{counted(len(faults), 'known fault')} in {counted(looked_up, 'package')}." if looked_up else ""
    words = "\n".join(filter(None, [*faults, known, missing]))
    return Verdict(words, FAULTS if faults else NOT_KNOWN if missing else CLEAN)


def main(program: str) -> int:
    asked = [program, "--requirement", str(LOCK), "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False)
    found = verdict(done.stdout, done.stderr)
    print(found.words, file=sys.stderr if found.status else sys.stdout)
    return found.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
