"""The watched program: its environment, how it ends, and where its answer is found. Not here: its calls (`proxy.py`)."""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from readers.engine.errors import BadOptions
from readers.engine.models.received import split_thoughts
from readers.observed.calls import ObservedCall

LAST, STDOUT = "last", "stdout"
MOST_OUTPUT = 1_000_000  # characters of standard output in which an answer is looked for: the last ones
SECONDS_TO_END = 10.0  # that a program has when it is asked to end
LOOK_SECONDS = 1.0  # between two looks at whether its reading is to end
INTERPRETERS = ("python", "uv", "node", "deno", "bun", "ruby", "bash", "sh")
SCRIPTS = (".py", ".js", ".mjs", ".ts", ".rb", ".sh")
_NO_KEY = "no key is needed"


class Program:
    """A command, started with its calls of a model led to `url`. What it prints is shown, and its end kept for the answer."""

    def __init__(self, command: Sequence[str], url: str, *, needs_key: bool) -> None:
        """`needs_key` is false if `url` leads to a model that needs none: clients ask for one all the same. Raises BadOptions if
        the command cannot be started."""
        try:
            self._process = subprocess.Popen(
                list(command), env=environment(url, os.environ, needs_key=needs_key), stdout=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise BadOptions(f"the command {command[0]!r} cannot be started: {why}") from None
        self._printed = ""
        self._reader = threading.Thread(target=self._show, daemon=True)
        self._reader.start()

    def _show(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as printed:
            for line in printed:
                words = line.decode("utf-8", "replace")
                print(words, end="", flush=True)
                self._printed = (self._printed + words)[-MOST_OUTPUT:]

    @property
    def printed(self) -> str:
        """The end of what it printed."""
        return self._printed

    def wait(self, seconds: float | None, *, ends: Callable[[], bool] = lambda: False) -> str:
        """Wait until it ends; returns why it did not end well, empty if it did. After `seconds` it is ended. Raises
        KeyboardInterrupt, as Ctrl+C does, once somebody `ends` its reading."""
        until = time.monotonic() + (seconds or math.inf)
        while (status := self._ended(min(LOOK_SECONDS, until - time.monotonic()))) is None:
            if ends():
                raise KeyboardInterrupt
            if time.monotonic() >= until:
                self.end()
                return f"the program had not ended after {(seconds or 0) / 60:g} minutes, and was ended"
        self._reader.join(SECONDS_TO_END)
        if status < 0:
            with suppress(ValueError):
                return f"the program was ended by the signal {signal.Signals(-status).name}"
        return f"the program ended with exit status {status}" if status else ""

    def _ended(self, seconds: float) -> int | None:
        """Its exit status, if it ends within these seconds."""
        try:
            return self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Ask it to end, and end it if it does not."""
        self._process.terminate()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(SECONDS_TO_END)


def named(command: Sequence[str]) -> str:
    """What a program is called: the name of the script or module that an interpreter is given, or else of the command itself.
    Nothing else that it is given, which may hold secrets."""
    first, *given = [*map(str, command), ""]
    if given and Path(first).name.removesuffix(".exe").rstrip("0123456789.") in INTERPRETERS:
        scripts = (word for word in given if Path(word).suffix in SCRIPTS and Path(word).is_file())
        first = given[1] or first if given[0] == "-m" else next(scripts, first)
    return Path(first).name


def environment(url: str, given: Mapping[str, str], *, needs_key: bool) -> dict[str, str]:
    """The environment of a program whose calls are led to a server."""
    led = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_BASE": f"{url}/v1", "ANTHROPIC_BASE_URL": url}
    here = {name: ",".join(filter(None, (given.get(name), "127.0.0.1"))) for name in ("NO_PROXY", "no_proxy")}
    keys = {} if needs_key else {name: given.get(name) or _NO_KEY for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")}
    return {**given, **led, **here, **keys}


class AnswerRule:
    """Where the answer is: in the last reply, in what the program printed, in a file, or where a pattern says. A pattern has a
    group in round brackets, and is looked for in what was printed, then in the last reply; its last occurrence counts."""

    def __init__(self, given: str) -> None:
        """Raises BadOptions for a pattern that is none."""
        self._given = given
        self._pattern: re.Pattern[str] | None = None
        if given not in (LAST, STDOUT) and "(" in given:
            try:
                self._pattern = re.compile(given)
            except re.error as error:
                raise BadOptions(f"the pattern {given!r} of --answer is not one: {error}") from None
            if not self._pattern.groups:
                raise BadOptions(f"the pattern {given!r} of --answer has no group in round brackets for the answer")

    def find(self, calls: Sequence[ObservedCall], printed: str) -> str:
        """Raises BadOptions, which says why there is no answer."""
        replies = (one.reply for one in sorted(calls, key=lambda one: -one.answered) if one.reply)
        _, last = split_thoughts(next(replies, ""))
        failed = next((f": {one.error}" for one in reversed(calls) if one.error), "")
        found, where = last, f"the model gave no reply{failed}"
        if self._pattern:
            found = _last(self._pattern, printed) or _last(self._pattern, last)
            where = "what the pattern of --answer looks for is neither in what the program printed nor in the last reply"
        elif self._given == STDOUT:
            found, where = printed, "the program printed nothing"
        elif self._given != LAST:
            found, where = _file(Path(self._given)), f"the file {self._given!r} holds no answer"
        if not found.strip():
            raise BadOptions(where)
        return found.strip()


def _last(pattern: re.Pattern[str], words: str) -> str:
    groups = [found.groups() for found in pattern.finditer(words)]
    return next((group for group in groups[-1] if group), "") if groups else ""


def _file(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(MOST_OUTPUT)
    except OSError as error:
        print(f"note: {str(path)!r} cannot be read: {error.strerror}", file=sys.stderr)
        return ""
