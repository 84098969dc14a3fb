"""Load: eight browsers that read at once, a class of phones that poll, many page visits in a session, very many readings.

    python -m tests.bench.load SECONDS

lets a class poll so long, for figures of ten minutes. A phone is a connection that says what Streamlit's script in a browser
would: sixty real browsers would measure themselves. The other rows need chromium.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

import psutil
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from components.class_room import room_data
from components.session.samples import samples
from readers.engine.store import Store
from readers.engine.teaching import codes
from tests.bench.opening import PAGES, Opened, best_of_each, many_readings, until_changed
from tests.bench.pages import launched, served_app
from tests.browser.conftest import process, served
from tests.browser.readings import NOT_TOLD, read

Row = tuple[str, str, float, float]
BROWSERS = 8
PHONES, SECONDS = 60, 60.0
LONGEST_WAIT = 60.0  # seconds; a poll that is not answered by then is lost
VISITS, ROUND = 200, 20
FEW, MANY = 1_000, 10_000
TRACE = re.compile(r"/Trace\?run=[0-9a-f]{10}")


# Eight browsers


def browsers() -> Row:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), PALIMPSEST_DEMO="1") as address, launched() as browser:
        alone = min(_read_at_once(browser, address, 1) for _ in range(3))
        together = _read_at_once(browser, address, BROWSERS)
    what = f"from the press of a button until the player stands, {BROWSERS} browsers at once, the last of them"
    return what, f"{BROWSERS} times one alone", together / (BROWSERS * alone), 1.2


def _read_at_once(browser: Browser, address: str, number: int) -> float:
    """Seconds until the last of so many visitors, who press at the same moment, sees a player with their reading."""
    with ExitStack() as stack:
        pages = [stack.enter_context(browser.new_context()).new_page() for _ in range(number)]
        for page in pages:
            page.goto(address)
            expect(page.get_by_role("button", name="Read this sample now").first).to_be_visible()
        began = time.perf_counter()
        for page in pages:
            page.get_by_role("button", name="Read this sample now").first.click(no_wait_after=True)
        for page in pages:
            page.wait_for_url(TRACE, timeout=120_000)
            expect(page.locator(".player .step-sentence")).to_be_visible(timeout=120_000)
        return time.perf_counter() - began


# A class of phones


class Polled(NamedTuple):
    """How long polls took, in seconds, and the server's bytes, descriptors, seconds of the processor and polls that it had
    answered, after a quarter of the time and at its end."""

    took: list[float]
    bytes: tuple[int, int]
    descriptors: tuple[int, int]
    processor: tuple[float, float]
    answered: tuple[int, int]

    @property
    def late(self) -> float:
        """The 95th percentile."""
        return sorted(self.took)[int(len(self.took) * 0.95)]

    @property
    def work(self) -> float:
        """Seconds of the processor that a poll costs the server, which other work of the machine changes less than `took`."""
        return (self.processor[1] - self.processor[0]) / (self.answered[1] - self.answered[0])


def polls() -> Row:
    what = f"a poll of a phone in a class of {PHONES}, {SECONDS:.0f} s long; 95th percentile"
    return what, "the second after which it polls again", _class(SECONDS).late / room_data.ASKS_EVERY, 1.0


def work_of_a_poll() -> Row:
    return f"the processor's time of the server for a poll, in a class of {PHONES}", "10 ms", _class(SECONDS).work / 0.010, 1.0


def memory_of_a_class() -> Row:
    start, end = _class(SECONDS).bytes
    return "the server's memory at the end of that class", "after a quarter of it", end / start, 1.1


@cache
def _class(seconds: float) -> Polled:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        return asyncio.run(_held(Path(folder), address, seconds))


async def _held(home: Path, address: str, seconds: float) -> Polled:
    reading = read(home, samples()[0].document, NOT_TOLD)
    with Store(home / "data" / "palimpsest.db") as store:
        limits = codes.OWN_MACHINE
        code = store.classes.begin(reading.run.id, "Class", steps=3, token=codes.new_token(), limits=limits).code
        server = process(address)
        took: list[float] = []
        phones = [asyncio.create_task(_phone(address, code, seconds, took)) for _ in range(PHONES)]
        await asyncio.sleep(seconds / 4)
        early = (*_size(server), len(took))
        await asyncio.sleep(seconds * 3 / 4 - 1)
        late = (*_size(server), len(took))
        await asyncio.gather(*phones)
        assert store.classes.learners.joined(store.classes.get(code)) == PHONES
    return Polled(took, *zip(early, late, strict=True))


def _size(server: psutil.Process) -> tuple[int, int, float]:
    times = server.cpu_times()
    return server.memory_info().rss, server.num_fds(), times.user + times.system


async def _phone(address: str, code: str, seconds: float, took: list[float]) -> None:
    """Join the class and poll it, as often as its page says, and note how long each poll took."""
    end = time.monotonic() + seconds
    async with AsyncExitStack() as stack:
        there = f"{address.replace('http', 'ws')}_stcore/stream"
        page = await stack.enter_async_context(connect(there, subprotocols=[Subprotocol("streamlit")], max_size=None))
        asks = BackMsg()
        asks.rerun_script.page_name, asks.rerun_script.query_string = "Class", f"code={code}"
        while time.monotonic() < end:
            began = time.perf_counter()
            await page.send(asks.SerializeToString())
            polled = asks.rerun_script.fragment_id
            async with asyncio.timeout(LONGEST_WAIT):
                await _until_answered(page, asks)
            if polled == asks.rerun_script.fragment_id:
                took.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, room_data.ASKS_EVERY - (time.perf_counter() - began)))


async def _until_answered(page: ClientConnection, asks: BackMsg) -> None:
    """Wait until the server has drawn what was asked for, and note what is asked from then on: the part that polls, and of which
    page, by its name on the server, which takes no part of a page that it does not show."""
    asked = asks.rerun_script
    while True:
        message = ForwardMsg()
        message.ParseFromString(bytes(await page.recv()))  # type: ignore[arg-type]
        assert not message.delta.new_element.exception.message, message.delta.new_element.exception.message
        asked.fragment_id = message.auto_rerun.fragment_id or asked.fragment_id
        asked.is_auto_rerun = bool(asked.fragment_id)
        shown = message.navigation.page_script_hash or message.new_session.page_script_hash
        asked.page_script_hash = shown or asked.page_script_hash
        kind = message.WhichOneof("type")
        if kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return


# Many visits in a session


class Visited(NamedTuple):
    """Seconds of the quickest visits, the server's bytes and the browser's, after half of the visits and after all."""

    seconds: tuple[float, float]
    server: tuple[int, int]
    browser: tuple[int, int]


def visit() -> Row:
    earlier, last = _visits().seconds
    return (
        f"a visit to a page, the last {ROUND} of {VISITS} in a session; the median",
        f"the {ROUND} in the middle",
        last / earlier,
        1.2,
    )


def servers_memory() -> Row:
    earlier, last = _visits().server
    return f"the server's memory after {VISITS} visits in a session", "after half of them", last / earlier, 1.1


def browsers_memory() -> Row:
    earlier, last = _visits().browser
    return f"the page's memory after {VISITS} visits in a session", "after half of them", last / earlier, 1.2


@cache
def _visits() -> Visited:
    """One session goes to all pages by the bar, again and again."""
    with served_app() as (_, address, browser):
        page, server = browser.new_page(), process(address)
        page.goto(address)
        half, took = [], []
        for number, name in zip(range(VISITS), itertools.cycle(PAGES), strict=False):
            took.append(until_changed(page, name))
            if number + 1 in (VISITS // 2, VISITS):
                half.append((statistics.median(took[-ROUND:]), server.memory_info().rss, _heap(page)))
    return Visited(*zip(*half, strict=True))


def _heap(page: Page) -> int:
    """The bytes that the scripts of a page hold."""
    tools = page.context.new_cdp_session(page)
    tools.send("HeapProfiler.collectGarbage")
    return int(tools.send("Runtime.getHeapUsage")["usedSize"])


# Very many readings


def very_many() -> Row:
    with served_app() as (few, at_few, browser), tempfile.TemporaryDirectory() as many, served(Path(many)) as at_many:
        many_readings(few, FEW)
        many_readings(Path(many), MANY)
        pages = [Opened(f"{at}{name}", ".st-key-topbar-model") for name in ("", "Readings") for at in (at_few, at_many)]
        home, home_of_many, listed, listed_of_many = best_of_each(browser, pages)
    return (
        f"open Home or Readings with {MANY:,} readings stored",
        f"with {FEW:,}",
        max(home_of_many / home, listed_of_many / listed),
        1.5,
    )


def main(seconds: float) -> None:
    found = _class(seconds)
    start, end = (bytes_held / 1e6 for bytes_held in found.bytes)
    print(
        f"{PHONES} phones, {seconds:.0f} s: {len(found.took):,} polls, {statistics.median(found.took):.3f} s the median, "
        f"{found.late:.3f} s the 95th percentile, {max(found.took):.3f} s the longest; after a quarter of it the server had "
        f"{start:.0f} MB and {found.descriptors[0]} descriptors, at the end {end:.0f} MB and {found.descriptors[1]}; a poll "
        f"took {found.work * 1_000:.1f} ms of the processor"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]))
