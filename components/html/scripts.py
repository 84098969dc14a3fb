"""Joins modules of `assets/js/` into the one script that a browser component takes. Pure.

A component's script is loaded from a blob, where relative imports fail. So an entry module and everything it imports become one
script, each module after those it imports. Joined modules share one scope: two top-level definitions of a name are an error, and
so are imports in a circle. Comments on their own lines and indents are left out, but not in third-party code, which is in
`assets/vendor/`. Not here: how a component is mounted.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from posixpath import dirname, join, normpath

ROOT = Path(__file__).parents[2] / "assets" / "js"
VENDOR = ROOT.parent / "vendor"
_IMPORT = re.compile(r'^import \{ \w+(?:, \w+)* \} from "(\.{1,2}/[\w./]+\.js)";\n', re.MULTILINE)
_OTHER_IMPORT = re.compile(r"^import\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ ]*(?://.*\n)?", re.MULTILINE)  # on a line of its own, and any indent: no template needs them
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)
_DEFINITION = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) (\w+|\{ [\w, ]+ \})", re.MULTILINE
)


@cache
def script(entry: str, root: Path = ROOT) -> str:
    """The module `entry` ("player/mount.js") and all that it imports as one script. Only the entry may have a default export."""
    defined: dict[str, str] = {}
    parts = []
    for module in modules(entry, root):
        words = (root / module).read_text(encoding="utf-8")
        for name in re.findall(r"\w+", " ".join(_DEFINITION.findall(words))):
            if name in defined:
                raise ValueError(f"{defined[name]} and {module} both define {name} at top level; rename one of them")
            defined[name] = module
        body = _IMPORT.sub("", words)
        if other := _OTHER_IMPORT.search(body):
            raise ValueError(
                f'{module}: write "{other[0]}" as import {{ names }} from a relative path; nothing else can be joined'
            )
        parts.append(_EXPORT.sub("", body if "vendor/" in module else _COMMENT.sub("", body)))
    return "\n".join(parts)


def modules(entry: str, root: Path = ROOT) -> list[str]:
    """The paths of `entry` and of everything it imports, below `root`, each after those that it imports itself."""
    order: list[str] = []

    def visit(module: str, importers: tuple[str, ...]) -> None:
        if module in importers:
            raise ValueError(f"these modules import each other in a circle: {' -> '.join((*importers, module))}")
        if module in order:
            return
        for path in _IMPORT.findall((root / module).read_text(encoding="utf-8")):
            visit(normpath(join(dirname(module), path)), (*importers, module))
        order.append(module)

    visit(entry, ())
    return order


@cache
def vis_network() -> str:
    """The script of vis-network, which draws the graphs of the player, unchanged. It ships inside pyvis."""
    spec = find_spec("pyvis")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")


def vendored() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The scripts of others that the app ships: name on npm, version, licence (SPDX), and the texts of the licence."""
    head = vis_network().partition("*/")[0]
    licence = "Apache-2.0 OR MIT" if "Apache 2.0" in head and "MIT" in head else ""
    scripts: list[tuple[str, str, str, tuple[str, ...]]] = [
        ("vis-network", re.findall(r"@version (\S+)", head)[0], licence, (head,))
    ]
    about = (VENDOR / "preact.js").read_text(encoding="utf-8").partition("export ")[0]
    for name, version, licence in re.findall(r"(preact|htm) (\d[\d.]+) \(([\w.-]+)", about, re.IGNORECASE):
        scripts.append((name.lower(), version, licence, ((VENDOR / f"{name.lower()}.LICENSE").read_text(encoding="utf-8"),)))
    return scripts
