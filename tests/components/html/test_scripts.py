"""The order and joining of a component's modules, and the rules that every module keeps."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from components.html import scripts

MODULES = sorted(path.relative_to(scripts.ROOT).as_posix() for path in scripts.ROOT.rglob("*.js"))
ENTRIES = (
    "player/mount.js",
    "player/link.js",
    "player/found.js",
    "player/history_entries.js",
    "home/mount.js",
    "learn/glossary.js",
    "learn/into_view.js",
    "compare/compare.js",
    "replay/replay.js",
    "site/index.js",
    "site/listed.js",
    "site/with_player.js",
    "library/mark_words.js",
    "annotate/mount.js",
    "annotate/board/board.js",
    "annotate/counts_table.js",
    "annotate/table/mount.js",
    "annotate/name_cookie.js",
    "class_room/room.js",
    "class_room/device.js",
    "class_room/screen.js",
)
MARKUP = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "dangerouslySetInnerHTML",
    "document.write",
    "DOMParser",
    "eval(",
    "new Function",
)


def write(root: Path, **modules: str) -> Path:
    """A folder of modules; `a__b` is the file `a/b.js`."""
    for name, words in modules.items():
        path = root / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, encoding="utf-8")
    return root


def imports(module: str) -> str:
    return f'import {{ x }} from "{module}";\n'


def test_each_module_comes_once_after_all_that_it_imports(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        player__mount=f"{imports('../pictures/net.js')}{imports('./dom.js')}export default draw;\n",
        pictures__net=f"{imports('../player/dom.js')}{imports('../player/bus.js')}export const draw = [el, bus];\n",
        player__dom="export const el = 1;\n",
        player__bus="export function bus() {}\n",
    )
    assert scripts.modules("player/mount.js", root) == ["player/dom.js", "player/bus.js", "pictures/net.js", "player/mount.js"]
    joined = "const el = 1;\n\nfunction bus() {}\n\nconst draw = [el, bus];\n\nexport default draw;\n"
    assert scripts.script("player/mount.js", root) == joined


def test_a_name_that_two_modules_define_raises_naming_both_files(tmp_path: Path) -> None:
    root = write(tmp_path, a=f"{imports('./b.js')}const shape = 1;\n", b="export const x = 1;\nasync function shape() {}\n")
    with pytest.raises(ValueError, match=r"b\.js and a\.js both define shape at top level"):
        scripts.script("a.js", root)


def test_names_taken_out_of_an_object_are_definitions_too(tmp_path: Path) -> None:
    root = write(tmp_path, a=f"{imports('./b.js')}const shape = 1;\n", b="export const { x, shape } = (() => ({}))();\n")
    with pytest.raises(ValueError, match=r"b\.js and a\.js both define shape at top level"):
        scripts.script("a.js", root)


def test_names_inside_functions_may_repeat(tmp_path: Path) -> None:
    root = write(tmp_path, a=f"{imports('./b.js')}const shape = 1;\n", b="export function x() {\n  const shape = 2;\n}\n")
    assert "const shape = 2" in scripts.script("a.js", root)


def test_a_circle_of_imports_raises_naming_it(tmp_path: Path) -> None:
    root = write(tmp_path, a=imports("./b.js"), b=imports("./c.js"), c=imports("./b.js"))
    with pytest.raises(ValueError, match=r"a\.js -> b\.js -> c\.js -> b\.js"):
        scripts.script("a.js", root)


@pytest.mark.parametrize(
    "line", ['import { a as b } from "./b.js";', 'import b from "./b.js";', 'import "./b.js";', 'import { b } from "lodash";']
)
def test_an_import_that_cannot_be_joined_is_refused(line: str, tmp_path: Path) -> None:
    root = write(tmp_path, a=f"{line}\n", b="export default 1;\n")
    with pytest.raises(ValueError, match=r"a\.js: write"):
        scripts.script("a.js", root)


def test_every_module_is_part_of_a_component() -> None:
    assert {module for entry in ENTRIES for module in scripts.modules(entry)} - {"../vendor/preact.js"} == set(MODULES)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing; the browser tests run the same scripts")
def test_a_joined_script_is_one_module(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "joined.mjs"
    path.write_text(scripts.script(entry), encoding="utf-8")
    subprocess.run(["node", "--check", str(path)], check=True)


def test_every_module_is_small_says_what_it_is_and_makes_no_markup_of_data() -> None:
    wrong = []
    for module in MODULES:
        words = (scripts.ROOT / module).read_text(encoding="utf-8")
        remote = re.findall("https?://", words.replace("http://www.w3.org/2000/svg", ""))
        if not words.startswith("// ") or len(words.splitlines()) > 300 or remote or any(name in words for name in MARKUP):
            wrong.append(module)
    assert not wrong
