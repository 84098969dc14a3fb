"""What commands print, made harmless for a terminal; exit statuses; and the files that commands read and write.

Texts, questions, replies and server errors may hold anything. `harmless_output` makes everything printed, by this program or a
library, show control characters (C0 and C1) and those that change the direction of a line as escapes, such as \\u001b. JSON stays
valid: a string means the same with the escape. Files are written unchanged.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from readers.engine.errors import BadFile, BadOptions
from readers.engine.text.phrases import counted

if TYPE_CHECKING:
    from readers.engine.report.files import Form
    from readers.engine.work import Price

ANSWERED, FAILED, WRONG_USE, UNANSWERED = 0, 1, 2, 3  # exit statuses
DONE = ANSWERED
LONG_SECONDS = 10.0  # from which the time that work takes is told

# Not the line feed and the tab. U+202A to U+202E and U+2066 to U+2069 reorder the text next to them.
_ACTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def harmless(words: str) -> str:
    """The words with everything a terminal would obey as an escape such as \\u001b."""
    return _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", words)


class _Harmless:
    """A text stream that writes only harmless characters; otherwise like the stream that it wraps."""

    def __init__(self, stream: TextIO) -> None:
        self.wrapped = stream

    def write(self, words: str) -> int:
        self.wrapped.write(harmless(words))
        return len(words)

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)


@contextmanager
def harmless_output() -> Iterator[None]:
    """Within this context, all that is printed is harmless."""
    out, err = (cast(TextIO, _Harmless(_wrapped(stream))) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield


def takes(price: Price) -> str:
    """What work takes: `12 to 30 calls, cost at most $0.20`, and the basis of the estimate."""
    from readers.engine.report.values import FREE, dollars, duration  # here and below, for `--help` needs no reports

    low, high = round(price.calls.low), round(price.calls.high)
    calls = counted(high, "call") if low == high else f"{low:,} to {high:,} calls"
    cost = "unknown" if price.cost is None else f"at most {dollars(price.cost.high)}" if price.cost.high else FREE
    more = "at least " if price.open_end else ""
    if price.seconds and price.seconds.high >= LONG_SECONDS and not price.open_end:
        times = dict.fromkeys(duration(seconds) for seconds in price.seconds)
        cost += f", time {' to '.join(times)}"
    return f"{more}{calls}, cost {more if price.cost and price.cost.high else ''}{cost}{f'; {price.note}' if price.note else ''}"


def print_price(price: Price, *, texts: int) -> None:
    """Print what readings of this many texts take, to standard error."""
    print(f"{counted(price.of, 'reading')} on {counted(texts, 'text')}: {takes(price)}", file=sys.stderr)
    for sentence in (*price.problems, *([f"{price.advice}."] if price.advice else [])):
        print(f"note: {sentence}", file=sys.stderr)


def redraw(line: str) -> None:
    """Replace the last line on standard error, which must be a terminal."""
    print(f"\r\033[K{harmless(line)}", end="", file=_wrapped(sys.stderr), flush=True)


def _wrapped(stream: TextIO) -> TextIO:
    return cast(TextIO, getattr(stream, "wrapped", stream))


def one_line(words: str) -> str:
    """The words on one line, as in a list."""
    return " ".join(words.split())


def check_writable(path: Path | None) -> None:
    """Refuse a path that cannot be written, before a reading is made rather than after. Raises BadOptions."""
    if path and (path.is_dir() or not path.parent.is_dir()):
        raise BadOptions(f"{str(path)!r} cannot be written: its folder must exist, and it must not be a folder itself")


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write data as indented JSON. Raises BadOptions."""
    try:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadOptions(f"{str(path)!r} cannot be written: {error.strerror}") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file. Raises BadOptions."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BadOptions(f"{str(path)!r} cannot be written: {error.strerror}") from None


def read_text(path: Path) -> str:
    """The text of a file, without the line break at its end. Raises BadFile."""
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"the file {str(path)!r} cannot be read as text: {error}") from None


def read_bytes(path: Path, what: str = "file") -> bytes:
    """The bytes of a file; `what` it is called where it cannot be read. Raises BadFile."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadFile(f"the {what} {str(path)!r} cannot be read: {error.strerror}; check its name") from None


def print_json(data: Any) -> None:
    """Print data as indented JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=1))


def form_of(path: Path) -> Form:
    """The form that a path's ending says. Raises BadOptions for another, and where the path cannot be written."""
    from readers.engine.report.files import FORMS

    form = next((form for form in FORMS if path.suffix == f".{form}"), None)
    if form is None:
        raise BadOptions(f"--save {path.name!r} does not end in {', '.join(f'.{form}' for form in FORMS)}")
    check_writable(path)
    return form
