"""The app as the README starts it, on a machine where other programs run in the same environment: the terminal stays short."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect

from components.session.samples import recordings
from tests.browser.conftest import served, settled, start_command, watched
from tests.browser.test_access import PAGES, every_page
from tests.support.paths import ROOT

MOST_LINES = 10
# As a program does that imports all of its environment, over and over.
IMPORTING = """
import sysconfig
from pathlib import Path

while True:
    for module in Path(sysconfig.get_path("purelib")).rglob("*.py"):
        module.read_bytes()
"""


def test_make_starts_the_app_as_the_readme_does_without_it() -> None:
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}  # make may run this
    made = subprocess.run(["make", "--dry-run", "run"], cwd=ROOT, env=alone, capture_output=True, text=True, check=True)
    assert made.stdout.splitlines()[-1].split() == start_command()


def test_the_terminal_stays_short_on_every_page_while_another_program_imports(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(served(tmp_path))
        stack.enter_context(importing())
        visitor = stack.enter_context(browser.new_context(base_url=address))
        page = stack.enter_context(watched(visitor, address))
        assert list(every_page(page)) == list(PAGES)
        page.goto(f"Trace?run={recordings()[0].id}")
        expect(page.locator(".player .step-sentence")).to_be_visible()
        page.goto("Class")
        expect(page.get_by_role("textbox", name="Code")).to_be_visible()
        settled(page)
    printed = (tmp_path / "server.log").read_text(encoding="utf-8").splitlines()
    assert len(printed) <= MOST_LINES, printed


@contextmanager
def importing() -> Iterator[None]:
    """Another process of this environment, at the lowest priority."""
    with subprocess.Popen(["nice", "-n", "19", sys.executable, "-c", IMPORTING]) as other:
        try:
            yield
        finally:
            other.kill()
