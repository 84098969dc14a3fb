"""`watch`: a program reads a text, and every call that it makes to a model is recorded as a reading here."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from readers.cli.output import ANSWERED, FAILED, UNANSWERED
from readers.cli.progress import read_file
from readers.cli.show import print_result
from readers.cli.watch.program import AnswerRule, Program
from readers.cli.watch.proxy import DEFAULT, RealServer, Target, WatchServer
from readers.cli.watch.recorder import Recorder
from readers.cli.watch.recording import UNKNOWN_MODEL, WatchedReading, spec_for
from readers.engine.errors import BadOptions
from readers.engine.models import catalogue
from readers.engine.models.model import check_api_base
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store, open_reading
from readers.observed.calls import ObservedCall

USUAL = catalogue.OFFLINE  # where calls go if nobody says
SECONDS_TO_CLOSE = 5.0  # that requests have to end when their program has


class Led:
    """Where calls go: a server's address, or a model of ours."""

    def __init__(self, to: str) -> None:
        self.to = to

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
            model=UNKNOWN_MODEL if self.is_server else self.to,
            api_base=self.to if self.is_server else None,
        )


def watch(arguments: argparse.Namespace) -> int:
    """Watch one program, or whoever calls until Ctrl+C."""
    rule, led = AnswerRule(arguments.answer), Led(arguments.to)
    document = read_file(arguments.file).document
    spec = led.spec(arguments.question, tuple(arguments.choice))

    def begin(store: Store, name: str) -> WatchedReading:
        return WatchedReading(store, document, spec, name="" if name == DEFAULT else name)

    with recording(led.target(arguments.question), begin, arguments.port) as (server, recorder):
        if arguments.command_line:
            recorder.open(DEFAULT)
            run = watch_program(arguments.command_line, server, recorder, rule=rule, led=led, minutes=arguments.minutes)
            return shown(run)
        print(f"Base URL: {server.url}/v1   (Anthropic: {server.url})", file=sys.stderr)
        print(f"Several readings at once: {server.url}/readings/NAME/v1. Ctrl+C ends them.", file=sys.stderr, flush=True)
        wait_for_interrupt()
        server.wait_until_idle(SECONDS_TO_CLOSE)
        return max(
            [shown(recorder.finish(name, lambda calls: rule.find(calls, ""))) for name in recorder.names], default=ANSWERED
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
    thread = threading.Thread(target=server.run, daemon=True)
    with recorder:
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        try:
            yield server, recorder
        finally:
            server.should_exit = True
            thread.join(SECONDS_TO_CLOSE)


def watch_program(
    command: Sequence[str], server: WatchServer, recorder: Recorder, *, rule: AnswerRule, led: Led,
    minutes: float | None = None, reading: str = DEFAULT,
) -> Run:  # fmt: skip
    """Run a command to its end, and settle its reading."""
    url = server.url if reading == DEFAULT else f"{server.url}/readings/{reading}"
    program = Program(command, url, needs_key=led.is_server)
    cancelled, problem = False, ""
    try:
        problem = program.wait(60 * minutes if minutes else None)
    except KeyboardInterrupt:
        cancelled = True
        program.end()
    server.wait_until_idle(SECONDS_TO_CLOSE)

    def answer(calls: list[ObservedCall]) -> str:
        if problem:
            raise BadOptions(problem)
        return rule.find(calls, program.printed)

    return recorder.finish(reading, answer, cancelled=cancelled)


def shown(run: Run) -> int:
    """Print how a reading ended; the exit status."""
    if run.status != "finished":
        print(f"palimpsest: reading {run.id} {run.status}; what was recorded stays", file=sys.stderr)
        return FAILED
    with Store() as store:
        print_result(open_reading(store, run.id))
    return ANSWERED if run.gives_answer else UNANSWERED


def wait_for_interrupt() -> None:
    """Wait until Ctrl+C."""
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print("", file=sys.stderr)
