"""axe-core, which looks a page over for what keeps people out. `make test` puts it beside the virtual environment.

Where it is missing its tests are skipped, but in CI (the environment variable CI is set) they fail.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.support.paths import ROOT

SCRIPT = ROOT / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
# Waits for the animations that end by themselves (one that follows the scrolling does not), and no longer than five seconds: one
# that was interrupted may never say so.
STILL = """Promise.race([
    new Promise((done) => setTimeout(done, 5_000)),
    Promise.allSettled(document.getAnimations()
        .filter((one) => one.timeline === document.timeline)
        .filter((one) => one.effect.getComputedTiming().iterations !== Infinity && one.playState === "running")
        .map((one) => one.finished)),
]).then(() => null)"""
# The rules whose findings depend on colours.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
RUN = """rules => axe.run(document, {
    resultTypes: ["violations"], preload: false, frameWaitTime: 10_000,
    ...(rules.length ? { runOnly: { type: "rule", values: rules } } : {}),
}).then((all) => all.violations)"""
DRAWN = "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme"


@cache
def script() -> str:
    if SCRIPT.exists():
        return SCRIPT.read_text(encoding="utf-8")
    missing = f"there is no {SCRIPT}: `make axe` gets it (it needs npm)"
    if os.environ.get("CI"):
        pytest.fail(f"{missing}, and CI runs the tests that use it")
    pytest.skip(missing)


def grave(page: Page) -> list[str]:
    """What is seriously wrong with the page as it is now: the rule, where, and what axe says about it."""
    return _grave(page, [])


def grave_in_both(page: Page) -> list[str]:
    """In the dark scheme and in the light one: of that only what concerns colours, for nothing else differs between the two.

    Every kind of page is looked at so once. That each colour stands out from its ground, in both, a test of the palette shows.
    """
    found = []
    for scheme, rules in (("dark", []), ("light", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_function(DRAWN, arg=scheme)
        found += [f"{scheme}: {one}" for one in _grave(page, rules)]
    return found


def _grave(page: Page, rules: list[str]) -> list[str]:
    """What is seriously wrong by these rules, by all if none is given."""
    words = script()
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(f"{words}; undefined")
    page.evaluate(STILL)
    found: list[dict[str, Any]] = page.evaluate(RUN, rules)
    return [
        f"{rule['id']}: {node['target']}: {' '.join(node['failureSummary'].split())}"
        for rule in found
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]
