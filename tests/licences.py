"""Under which licences the app is shipped: what `requirements.lock` names, and the scripts inside it, by their own metadata.

    python -m tests.licences FOLDER     writes sbom.json (CycloneDX) and THIRD_PARTY.txt (LICENCES.md and theirs) there

A licence is what a package says of itself; the files inside it are not searched. One outside `ALLOWED` is refused by a test, and
so is a package without one. What is locked for other platforms alone is in the SBOM, without its licence.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from components.html.scripts import vendored
from readers.engine import APP_VERSION
from tests.support.paths import ROOT

ALLOWED = frozenset({
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CNRI-Python", "ISC", "MIT", "MIT-CMU", "PSF-2.0", "Zlib",
    "BSD",  # as packages call one of the two above
    "CC0-1.0", "Public-Domain",  # no conditions
    "MPL-2.0",  # asks for the source of its own files alone, and we change none (certifi, orjson, tqdm)
})  # fmt: skip
_SPELLINGS = {
    "3-clause bsd": "BSD-3-Clause", "bsd 3-clause": "BSD-3-Clause", "bsd": "BSD", "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0", "apache software": "Apache-2.0", "mit": "MIT", "isc": "ISC", "isc iscl": "ISC",
    "mozilla public 2.0 mpl 2.0": "MPL-2.0", "python software foundation": "PSF-2.0", "public domain": "Public-Domain",
}  # fmt: skip
_LOCKED = re.compile(r"^([\w.-]+)==([^\s;]+)( ;)?", re.MULTILINE)
_LICENCE_FILE = re.compile(r"(?i)^(licen[cs]e|copying|notice|authors)")


class Component(NamedTuple):
    """A package of the lock, or a script inside one. `licence` is empty where none is known; `texts` is what came with it."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]
    elsewhere: bool = False  # not installed: it is for another platform

    @property
    def ids(self) -> set[str]:
        """The licences that it names."""
        return {one for one in re.split(r"[\s()]+", self.licence) if one and one not in ("AND", "OR", "WITH")}


def components() -> Iterator[Component]:
    """What is shipped. Raises PackageNotFoundError for a package that should be installed here."""
    for name, version, elsewhere in _LOCKED.findall((ROOT / "requirements.lock").read_text(encoding="utf-8")):
        try:
            found = distribution(name)
        except PackageNotFoundError:
            if not elsewhere:
                raise
            yield Component(name, version, "", (), elsewhere=True)
        else:
            yield Component(name, version, licence_of(found), tuple(_texts(found)))
    yield from (Component(*script) for script in vendored())


def licence_of(found: Distribution) -> str:
    """The licence that a package states, in SPDX's ids where its words are known, otherwise in its own."""
    stated = found.metadata
    if expression := stated.get("License-Expression"):
        return str(expression)
    classified = [one.split(" :: ")[-1] for one in stated.get_all("Classifier") or [] if one.startswith("License :: ")]
    words = classified or (stated.get("License") or "").strip().splitlines()[:1]
    return " AND ".join(_spelt(one) for one in words)


def _spelt(words: str) -> str:
    bare = re.sub(r"\b(the|licen[cs]e|version)\b|[,()]", " ", words.lower())
    return _SPELLINGS.get(" ".join(bare.split()), words)


def _texts(found: Distribution) -> Iterator[str]:
    for file in found.files or ():
        if ".dist-info" in file.parts[0] and _LICENCE_FILE.match(file.name):
            yield file.read_text(encoding="utf-8").strip()


def bill(shipped: list[Component]) -> dict[str, Any]:
    """The SBOM, as CycloneDX 1.6. The same for the same lock."""
    scripts = [name for name, *_ in vendored()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "palimpsest", "version": APP_VERSION}},
        "components": [
            {
                "type": "library",
                "name": one.name,
                "version": one.version,
                "purl": f"pkg:{'npm' if one.name in scripts else 'pypi'}/{one.name}@{one.version}",
                **({"licenses": [_cyclonedx(one)]} if one.licence else {}),
            }
            for one in shipped
        ],
    }


def _cyclonedx(one: Component) -> dict[str, Any]:
    spdx = not one.ids & {"BSD", "Public-Domain"}
    return {"expression": one.licence} if spdx else {"license": {"name": one.licence}}


def third_party(shipped: list[Component]) -> str:
    """What is not a package (LICENCES.md), then every package with its licence and the texts that came with it."""
    rule = "=" * 80
    packages = (
        "\n\n".join([f"{rule}\n{one.name} {one.version}: {one.licence or 'for another platform'}", *one.texts]) for one in shipped
    )
    return "\n\n".join([(ROOT / "LICENCES.md").read_text(encoding="utf-8").strip(), *packages])


def main(folder: Path) -> None:
    shipped = list(components())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sbom.json").write_text(json.dumps(bill(shipped), indent=1) + "\n", encoding="utf-8")
    (folder / "THIRD_PARTY.txt").write_text(third_party(shipped) + "\n", encoding="utf-8")
    print(f"{len(shipped)} packages and scripts: {folder / 'sbom.json'}, {folder / 'THIRD_PARTY.txt'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
