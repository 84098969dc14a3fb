"""The pages run by Streamlit's own test harness, each as if somebody had opened its address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, local_script_runner

from components.html import markup
from components.session import hidden_answers, process_cache
from tests.support.paths import ROOT

_packages = cache(manifest_scanner.scan_component_manifests)


@contextmanager
def quick_harness() -> Iterator[None]:
    """Within this, the harness waits for a page instead of looking a thousand times a second whether it is drawn, and reads once
    what each installed package says of itself, not for every page: a fifth of a second."""
    waiting = patch.object(local_script_runner, "require_widgets_deltas", _wait)
    with waiting, patch.object(manifest_scanner, "scan_component_manifests", _packages):
        yield


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    assert runner._script_thread
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        runner.join()
        raise RuntimeError(f"the page was not drawn within {timeout} s")


@contextmanager
def opened(page: str = "", *, cookies: Mapping[str, str] | None = None) -> Iterator[AppTest]:
    """A page by its file in `pages/`, or Home, in a browser with these cookies. It is run by whoever asks for it; what it set
    going has ended when this ends."""
    PagesManager.uses_pages_directory = None  # the harness leaves it set, and the next app would have no pages
    app = AppTest.from_file(str(ROOT / "home.py"), default_timeout=30)
    if page:
        app.switch_page(f"pages/{page}.py")
    with quick_harness(), patch.object(ContextProxy, "cookies", cookies or {}):  # the harness has none
        yield app
    assert process_cache.jobs().wait(20)
    PagesManager.uses_pages_directory = None


def named(app: AppTest, name: str) -> AppTest:
    """As somebody who has chosen a name in this session."""
    app.session_state[hidden_answers.CHOSEN] = name
    return app


def run(app: AppTest, **asks: str) -> AppTest:
    """The page at an address that asks for these, drawn without a fault."""
    for name, value in asks.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Press the button of this label, as it is shown."""
    next(button for button in app.button if shown(button.label) == label).click().run()
    assert not app.exception
    return app


def press_popover(app: AppTest, label: str) -> AppTest:
    """Open the popover with this label, whose contents are made once it is open; the page runs again."""
    made = next(block.proto.popover for block in app.get("popover") if block.proto.popover.label == label)
    app.session_state[made.id.split("-", 2)[2]] = True
    return app.run()


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def shown(markdown: str) -> str:
    """The words that a reader sees of escaped ones."""
    return markdown.replace("\\", "").replace(markup.JOINER, "")


def words(app: AppTest) -> str:
    """All that is said in Markdown, as it is shown."""
    said = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info]
    return shown(" ".join(element.value for element in said))


def links(app: AppTest) -> list[tuple[str, str]]:
    """The links of a page: their words as shown, and what their address asks for."""
    return [(shown(link.proto.label), link.proto.query_string) for link in app.get("page_link")]
