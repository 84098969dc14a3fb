"""The README's pictures of the running app, light and dark: `make screenshots`. Trace shows the reading that Home plays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from components.session.samples import recordings
from readers.engine.files.runs.run_file import read_run_file
from tests.browser.conftest import ARGS, CHROMIUM, ROOT, new_page, served, settled

FOLDER = ROOT / "assets" / "screenshots"
SIZE = {"width": 1400, "height": 900}


def take(browser: Browser, address: str, run: str, step: int) -> Iterator[Path]:
    """Every picture, in light and in dark."""
    for scheme in ("light", "dark"):
        context = browser.new_context(base_url=address, viewport=SIZE, color_scheme=scheme, reduced_motion="reduce")
        page = new_page(context)
        yield _trace(page, f"trace-{scheme}", run, step)
        yield _read(page, f"read-{scheme}")
        context.close()


def _trace(page: Page, name: str, run: str, step: int) -> Path:
    page.goto(f"Trace?run={run}&at={step}&end=shown")
    expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of")
    expect(page.locator(".text-pane .now").first).to_be_visible()
    return _saved(page, name)


def _read(page: Page, name: str) -> Path:
    page.goto("Read")
    expect(page.get_by_role("button", name="Start reading")).to_be_visible()
    return _saved(page, name)


def _saved(page: Page, name: str) -> Path:
    settled(page)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(500)  # the canvas draws its labels anew once the fonts are there
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    return path


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address, sync_playwright() as playwright:
        first = recordings()[0]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for path in take(browser, address, first.id, len(read_run_file(first.path).trace.steps)):
            print(path.relative_to(ROOT))
        browser.close()


if __name__ == "__main__":
    main()
