"""The app as a person meets it: a real server on a free loopback port with a home of its own, and Debian's chromium.

Where chromium is missing these tests are skipped, but in CI (the environment variable CI is set) they fail. Every request that
leaves this machine and every error in the browser's console fails the test that caused it.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    expect,
    sync_playwright,
)
from playwright.sync_api import TimeoutError as TooLate

from components.session.samples import samples
from readers.engine.models.call import Call
from readers.engine.models.offline import Offline
from readers.engine.store import Reading
from tests.browser.annotators import forget
from tests.browser.readings import NOT_TOLD, read
from tests.support.models.scripted_models import BACK, walker
from tests.support.paths import ROOT
from tests.support.processes.guarded import guard

# The same browser without its windows, where it is there: it takes a third less of the processor.
SHELL, WHOLE = Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")
CHROMIUM = SHELL if SHELL.exists() else WHOLE
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
START_SECONDS = 120
PORT, PATH = "STREAMLIT_SERVER_PORT", "STREAMLIT_SERVER_BASE_URL_PATH"
POLL = 50  # milliseconds between two looks; a look at every frame would keep the page drawing frames only to be looked at
# Two parts of the sample story's tree are entered, and four leaves below each, none of which holds the answer.
TURNS = (1, 6, BACK, 0, BACK, 1, BACK, 2, BACK, BACK, 0, 0, BACK, 1, BACK, 2, BACK, 3, BACK, BACK)
# Notes when a page last asked its server for something, and when it last heard from it.
CLOCK = """window.WebSocket = class extends WebSocket {
    constructor(...how) {
        super(...how);
        this.addEventListener("message", () => (window.heard = performance.now()));
    }
    send(message) {
        window.asked = performance.now();
        super.send(message);
    }
};"""
SETTLED = """() => (window.heard >= window.asked || performance.now() - window.asked > 3000)
    && performance.now() - window.heard > 60
    && document.querySelector(".stApp")?.dataset.testScriptState === "notRunning"
    && !document.querySelector('[data-stale="true"]')
    && getComputedStyle(document.body).getPropertyValue("--serif") !== ""
    && ![...document.querySelectorAll("details")].some(panel => panel.getAnimations().length)"""
PLAYERS = """() => [...document.querySelectorAll('[class*="st-key-stage-"]')].every((stage) =>
    [...stage.querySelectorAll("*")].some((node) => node.shadowRoot?.querySelector(".player")?.childElementCount))"""
TOURED = "localStorage.setItem('palimpsest.tour', 'seen')"
VISIT = """address => {
    History.prototype.pushState.call(history, null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
LEAVES = """(link, run) => {
    link.click();
    dispatchEvent(new CustomEvent("palimpsest", { detail: { run, kind: "settled", at: 1 } }));
}"""
expect.set_options(timeout=30_000)  # two browsers and two servers may share two slow cores


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    if not CHROMIUM.exists():
        if os.environ.get("CI"):
            pytest.fail(f"there is neither {SHELL} nor {WHOLE}, and CI runs the browser tests: install Debian's chromium")
        pytest.skip(f"there is neither {SHELL} nor {WHOLE}")
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    opened = chromium.launch(executable_path=CHROMIUM, args=ARGS)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def app_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the app's server: its log, and below `data` its database."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def app(app_home: Path) -> Iterator[str]:
    """The address of the app with the offline model."""
    with served(app_home) as address:
        yield address


@pytest.fixture(scope="session")
def turning(app_home: Path) -> Reading:
    """A reading of the sample story that turns back ten times, and finds nothing."""
    return read(app_home, samples()[0].document, NOT_TOLD, model=walker(TURNS, summaries=_summary), segment_tokens=400)


def _summary(call: Call) -> str:
    return Offline().complete(call).text


@pytest.fixture(scope="session")
def visitor(chromium: BrowserType, app: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """One for all tests, with a profile on disk, so that the app's scripts are fetched and compiled once."""
    profile = tmp_path_factory.mktemp("profile")
    context = chromium.launch_persistent_context(
        profile, executable_path=CHROMIUM, args=ARGS, base_url=app, viewport={"width": 1400, "height": 900}
    )
    yield context
    context.close()


@pytest.fixture
def page(visitor: BrowserContext, app: str) -> Iterator[Page]:
    """A page on the app, watched: what goes wrong in it, or leaves this machine, fails the test. Nobody has labelled here yet."""
    forget(visitor)
    with watched(visitor, app) as opened:
        yield opened


def settled(page: Page, *, players: bool = True) -> None:
    """Wait until the server has answered what the page last asked, the page shows it and nothing older, in its style sheets, and
    every panel is open; before that, without `players=False`, until the script of every player has come.

    While a panel opens, the driver scrolls within it to what it is to press, and the panel grows under the pointer: such a press
    misses now and then. (A person's does not, who scrolls nothing.) So this comes between opening a panel and a press in it.

    A look at the script's state alone would come too early: it still says "notRunning" while a click is on its way. A message
    that Streamlit leaves unanswered (a component said something and is gone) is waited for no longer than 3 seconds.
    """
    if players:
        page.wait_for_function(PLAYERS, polling=POLL)
    page.wait_for_function(SETTLED, polling=POLL)


def visit(page: Page, address: str) -> None:
    """Go to an address. A tab's first is loaded; later ones are gone to as by Back and Forward: the session goes on, and the
    browser, which would take some seconds of the processor for all of Streamlit, loads nothing anew."""
    if page.url == "about:blank":
        page.goto(address)
    else:
        page.evaluate(VISIT, address)


def without_player(page: Page, address: str) -> Callable[[], None]:
    """Load an address while the player's script is held back; what lets the script come."""
    held: list[Route] = []
    page.route("**/scripts/stage-*.js", lambda route: held.append(route))  # a builtin method is refused
    with page.expect_request("**/scripts/stage-*.js"):
        page.goto(address)
    return lambda: held[0].continue_()


def leave_late(link: Locator, run: str) -> None:
    """Follow a link at the moment at which the player of this reading reports where it has settled."""
    link.evaluate(LEAVES, run)


def pick(page: Page, box: Locator, option: str | re.Pattern[str]) -> None:
    """Choose from a list. One that a drawing of the page closed again is opened again."""
    wanted = page.get_by_role("option", name=option, exact=isinstance(option, str))
    for _ in range(5):
        settled(page)
        box.click()
        with suppress(TooLate, AssertionError):
            wanted.click(timeout=3_000)
            expect(box).to_have_value(option, timeout=3_000)
            return settled(page)
    raise AssertionError(f"{option!r} cannot be chosen")


def new_page(context: BrowserContext, *, toured: bool = True) -> Page:
    """A page for which `settled` works, of somebody who had the tour of Trace, unless it is said otherwise."""
    opened = context.new_page()
    opened.add_init_script(CLOCK)
    if toured:
        opened.add_init_script(TOURED)
    return opened


@contextmanager
def watched(context: BrowserContext, address: str, *, toured: bool = True) -> Iterator[Page]:
    opened = new_page(context, toured=toured)
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(f"console: {message.text}") if _counts(message) else None)
    opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    opened.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    opened.on("request", lambda request: None if _local(request.url, address) else wrong.append(f"request: {request.url}"))
    yield opened
    opened.close()
    assert not wrong


def _counts(message: ConsoleMessage) -> bool:
    """An error, but for one: opened at the address of a page, Streamlit looks for its server beside that page first."""
    looked_for = re.search(r"/[A-Z]\w*/_stcore/(health|host-config)$", message.location["url"])
    return message.type == "error" and not looked_for


def _local(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:", address.replace("http", "ws", 1)))


def start_command() -> list[str]:
    """What the README starts the app with where there is no `make`."""
    [command] = re.findall(r"^    (\S+/streamlit run .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    return shlex.split(command)


@contextmanager
def served(home: Path, *, port: int = 0, **environment: str) -> Iterator[str]:
    """The app as the README starts it, on this port or on a free one, until the block ends; no browser opens. It may connect to
    this machine alone: any attempt to reach another fails the test."""
    port = port or free_port()
    guarded = guard(home / "guard")
    kept = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL"))}
    settings = {"PALIMPSEST_HOME": str(home / "data"), PORT: str(port), "STREAMLIT_SERVER_HEADLESS": "true"}
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            start_command(), cwd=ROOT, stdout=log, stderr=log, env={**kept, **guarded.environment, **settings, **environment}
        )
        try:
            path = environment.get(PATH, "")
            address = f"http://127.0.0.1:{port}/{path}{'/' * bool(path)}"
            wait_for(f"{address}_stcore/health", server, home / "server.log")
            yield address
        finally:
            server.terminate()
            server.wait(10)
    assert guarded.tried == []


class Mortal:
    """A server that can be killed and started again at the same address."""

    def __init__(self, home: Path, **environment: str) -> None:
        self._home = home
        self._environment = environment
        self._port = free_port()
        self.start()

    def start(self) -> None:
        self._until_end = ExitStack()
        self.address = self._until_end.enter_context(served(self._home, port=self._port, **self._environment))

    def kill(self) -> None:
        process(self.address).kill()
        self.end()

    def end(self) -> None:
        self._until_end.close()


def process(address: str) -> psutil.Process:
    """The server at this address, which this process started."""
    port = address.rstrip("/").rpartition(":")[2]
    return next(child for child in psutil.Process().children() if child.environ().get(PORT) == port)


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the app did not start:\n{log.read_text()[-2000:]}")


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])
