"""`watch`: a program reads a text, and every call that it makes to a model is recorded as a reading here."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from readers.cli.output import ANSWERED, FAILED, UNANSWERED
from readers.cli.progress import read_file
from readers.cli.show import print_result
from readers.cli.watch.many import watch_questions
from readers.cli.watch.program import AnswerRule
from readers.cli.watch.proxy import DEFAULT
from readers.cli.watch.recording import WatchedReading
from readers.cli.watch.watching import SECONDS_TO_CLOSE, Led, recording, watch_program
from readers.engine.errors import BadOptions
from readers.engine.models import catalogue
from readers.engine.store import Run, Store, open_reading
from readers.observed.calls import ObservedCall

USUAL = catalogue.OFFLINE  # where calls go if nobody says


@contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """Who asks this process to end gets what Ctrl+C does, and so does who interrupts it in the background, where shells have
    interrupts ignored: the program ends with it, and the reading is settled."""
    before = {asked: signal.signal(asked, signal.default_int_handler) for asked in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for asked, handler in before.items():
            signal.signal(asked, handler)


@ended_as_by_ctrl_c()
def watch(arguments: argparse.Namespace) -> int:
    """Watch one program, or whoever calls until Ctrl+C; or a program once for each question of a set."""
    rule, led = AnswerRule(arguments.answer), Led(arguments.to, arguments.command_line)
    if arguments.questions:
        return watch_questions(arguments)
    if not arguments.file or not arguments.question:
        raise BadOptions("watch needs the text and its --question, or a set with --questions")
    document = read_file(arguments.file).document
    spec = led.spec(arguments.question, tuple(arguments.choice))

    def begin(store: Store, name: str) -> WatchedReading:
        return WatchedReading(store, document, spec, name="" if name == DEFAULT else name)

    def last_reply(calls: list[ObservedCall]) -> str:
        return rule.find(calls, "")

    with recording(led.target(arguments.question), begin, arguments.port) as (server, recorder):
        if arguments.command_line:
            recorder.open(DEFAULT)
            run = watch_program(arguments.command_line, server, recorder, rule=rule, led=led, minutes=arguments.minutes)
            return shown(run)
        print(f"Base URL: {server.url}/v1   (Anthropic: {server.url})", file=sys.stderr)
        print(f"Several readings at once: {server.url}/readings/NAME/v1. Ctrl+C ends them.", file=sys.stderr, flush=True)
        with Store() as store:
            wait_for_interrupt(lambda: [shown(recorder.finish(name, last_reply)) for name in recorder.asked_to_end(store)])
        server.wait_until_idle(SECONDS_TO_CLOSE)
        return max([shown(recorder.finish(name, last_reply)) for name in recorder.names], default=ANSWERED)


def shown(run: Run) -> int:
    """Print how a reading ended; the exit status."""
    if run.status != "finished":
        print(f"palimpsest: reading {run.id} {run.status}; what was recorded stays", file=sys.stderr)
        return FAILED
    with Store() as store:
        print_result(open_reading(store, run.id))
    return ANSWERED if run.gives_answer else UNANSWERED


def wait_for_interrupt(look: Callable[[], object]) -> None:
    """Wait until Ctrl+C, and look each second."""
    try:
        while True:
            time.sleep(1)
            look()
    except KeyboardInterrupt:
        print("", file=sys.stderr)
