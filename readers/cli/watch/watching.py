"""What watching a program takes: where its calls go, the server between, the thread that records, and the program itself. Not
here: the command line (`command.py`, `many.py`).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from readers.cli.watch.program import AnswerRule, Program, named
from readers.cli.watch.proxy import DEFAULT, RealServer, Target, WatchServer
from readers.cli.watch.recorder import Recorder
from readers.cli.watch.recording import UNKNOWN_MODEL, WatchedReading, spec_for
from readers.engine.errors import BadOptions
from readers.engine.models.model import check_api_base
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store
from readers.observed.calls import ObservedCall

SECONDS_TO_CLOSE = 5.0  # that requests have to end when their program has
SWITCH_SECONDS = 0.0005  # after which a thread gives way: a program must not wait for the thread that records


class Led:
    """Where calls go, a server's address or a model of ours, and what the program is called that they come from."""

    def __init__(self, to: str, command: Sequence[str] = ()) -> None:
        self.to, self.program = to, named(command)

    @property
    def is_server(self) -> bool:
        return self.to.startswith(("http://", "https://"))

    def target(self, question: str) -> Target:
        """Raises BadOptions."""
        if self.is_server:
            check_api_base(self.to)
            return RealServer(self.to)
        from readers.cli.watch.own_model import OwnModel  # what serves models is not needed otherwise

        return OwnModel(self.to, question)

    def spec(self, question: str, choices: Sequence[str] = ()) -> RunSpec:
        return spec_for(
            question,
            choices,
            program=self.program,
            model=UNKNOWN_MODEL if self.is_server else self.to,
            api_base=self.to if self.is_server else None,
        )


@contextmanager
def recording(target: Target, begin: Callable[[Store, str], WatchedReading], port: int) -> Iterator[tuple[WatchServer, Recorder]]:
    """The server and the thread that records, going. Raises BadOptions if the port cannot be had."""
    Store().close()  # a database that cannot be used is refused before anybody asks
    recorder = Recorder(begin)
    try:
        server = WatchServer(target, recorder.note, port=port)
    except OSError as error:
        raise BadOptions(f"port {port} cannot be used: {error.strerror}; another is watching there, or name another") from None
    thread, usual = threading.Thread(target=server.run, daemon=True), sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    with recorder:
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        try:
            yield server, recorder
        finally:
            server.should_exit = True
            thread.join(SECONDS_TO_CLOSE)
            sys.setswitchinterval(usual)


def watch_program(
    command: Sequence[str], server: WatchServer, recorder: Recorder, *, rule: AnswerRule, led: Led,
    minutes: float | None = None, reading: str = DEFAULT,
) -> Run:  # fmt: skip
    """Run a command to its end, and settle its reading."""
    url = server.url if reading == DEFAULT else f"{server.url}/readings/{reading}"
    program = Program(command, url, needs_key=led.is_server)
    cancelled, problem = False, ""
    try:
        with Store() as store:
            problem = program.wait(60 * minutes if minutes else None, ends=lambda: reading in recorder.asked_to_end(store))
    except KeyboardInterrupt:
        cancelled = True
        program.end()
    server.wait_until_idle(SECONDS_TO_CLOSE)

    def answer(calls: list[ObservedCall]) -> str:
        if problem:
            raise BadOptions(problem)
        return rule.find(calls, program.printed)

    return recorder.finish(reading, answer, cancelled=cancelled)
