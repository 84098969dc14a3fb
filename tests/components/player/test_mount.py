"""How the player's scripts are put together, and what is made of what the browser says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from components.annotate.bench import bench
from components.player import mount

MODULES = sorted((mount.ASSETS / "js").glob("*.js"))
TOP = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
MARKUP = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(", "new Function")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_says_what_it_is_and_makes_no_markup_of_data(path: Path) -> None:
    words = path.read_text(encoding="utf-8")
    assert words.startswith("// ")
    assert len(words.splitlines()) <= 300
    assert not [name for name in MARKUP if name in words]
    assert "http://" not in words.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in words


def test_each_module_is_part_of_one_component() -> None:
    assert {path.stem for path in MODULES} == {
        *mount.PLAYER,
        *bench.PANEL,
        "mount",
        "link",
        "compare",
        "cells",
        "annotator",
    }


@pytest.mark.parametrize("modules", [(*mount.PLAYER, "mount"), bench.PANEL], ids=["player", "panel"])
def test_names_of_modules_that_are_put_together_do_not_meet(modules: tuple[str, ...]) -> None:
    names = Counter(name for module in modules for name in TOP.findall((mount.ASSETS / "js" / f"{module}.js").read_text()))
    assert not [name for name, count in names.items() if count > 1]


@pytest.mark.parametrize("modules", [(*mount.PLAYER, "mount"), bench.PANEL], ids=["player", "panel"])
def test_a_module_stands_after_those_it_imports(modules: tuple[str, ...]) -> None:
    order = list(modules)
    for at, module in enumerate(order):
        needed = re.findall(r'from "\./(\w+)\.js"', (mount.ASSETS / "js" / f"{module}.js").read_text())
        assert all(order.index(name) < at for name in needed), module


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here; the browser tests run the same script")
@pytest.mark.parametrize("modules", [(*mount.PLAYER, "mount"), ("bus", "link"), bench.PANEL], ids=["player", "link", "panel"])
def test_what_is_put_together_is_one_module(modules: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "put_together.mjs"
    path.write_text(mount.script(*modules), encoding="utf-8")
    assert "import " not in re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.MULTILINE)
    subprocess.run(["node", "--check", str(path)], check=True)


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        "x",
        {"at": "9"},
        {"at": True},
        {"want": [1]},
        {"want": {"stretches": "all", "open": 4}},
        {"want": {"stretches": [-1, "2"]}},
    ],
)
def test_what_the_browser_says_is_taken_only_in_its_form(said: object) -> None:
    assert mount.wanted(said) == mount.Wanted(None)


def test_what_the_browser_wants_is_bounded() -> None:
    want = mount.wanted({"at": 3, "want": {"number": 5, "stretches": list(range(1000)), "open": ["7"] * 1000}})
    assert (want.at, want.number) == (3, 5)
    assert len(want.stretches) == 64
    assert len(want.opened) == 500
