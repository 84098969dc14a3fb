"""How much of what prompts are made of is found from calls alone: `make bench-watch`, or with `READERS=qrmem` for some.

All readers read the samples with the offline model, and the shipped readings were read by a real one; the desk knows where each
character of their prompts is from. Printed are the shares of characters of the document at their true place, by the length of the
true piece; of replies in the true reply; of the question; and the readers' own words that were claimed for a source.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from readers import READERS
from readers.engine.text.document import Document
from readers.observed.calls import ObservedCall, Said
from readers.observed.sources import sources
from tests.support.paths import LAMP, SARN
from tests.support.readings.observed_readings import LENGTHS, Counts, TrueReading, compared, offline, share, shipped
from tests.support.readings.shipped_readings import SHIPPED

QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"
LONGER = 4  # times the smallest parts
CALLS, CHARACTERS = 1_000, 4_500_000  # which is a million tokens
ALONE = "thousand-calls"


def seconds() -> tuple[str, str, float, float]:
    return f"the sources of {CALLS:,} calls over a million tokens, of the processor", "60 seconds", _measured()[0] / 60, 1.0


def memory() -> tuple[str, str, float, float]:
    return f"the memory for the sources of {CALLS:,} calls over a million tokens", "1 GB", _measured()[1] / 1024, 1.0


@cache
def _measured() -> tuple[float, float]:
    """Seconds and megabytes of a process of its own."""
    printed = subprocess.run([sys.executable, "-m", "tests.bench.watch", ALONE], capture_output=True, text=True, check=True)
    used, megabytes = printed.stdout.split()
    return float(used), float(megabytes)


def _thousand_calls() -> int:
    """A memory that is carried through a text: prints seconds of the processor, and megabytes."""
    draw = random.Random(1)
    words = " ".join(path.read_text(encoding="utf-8") for path in (LAMP, SARN)).split()
    text = " ".join(draw.choice(words) for _ in range(CHARACTERS // 5))[:CHARACTERS]
    size, calls, kept = len(text) // CALLS, list[ObservedCall](), "Nothing."
    for n in range(CALLS):
        asked = f"Keep a memory.\n\nMemory:\n{kept}\n\nText:\n{text[n * size : (n + 1) * size]}"
        kept = " ".join(kept.split()[-60:] + draw.choices(words, k=60))
        calls.append(ObservedCall(n, n + 0.5, (Said("user", asked),), kept))
    began = time.process_time()
    sources([text], QUESTION, calls)
    print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return 0


def main(wanted: list[str]) -> int:
    """Print a row for each reading by these readers, or by all; and one for each model."""
    columns = ("document", "under 24", "24 to 39", "from 40", "replies", "question")
    print(f"{'reading':<46} calls {' '.join(f'{column:>9}' for column in columns)}  claimed  seconds")
    totals: dict[str, Counts] = {"offline model, all": Counter(), "real model, all": Counter()}
    for name, read in _readings(wanted):
        reading = read()
        began = time.perf_counter()
        counts = compared(reading)
        totals["real model, all" if name in SHIPPED else "offline model, all"] += counts
        print(_row(name, counts, len(reading.calls), time.perf_counter() - began), flush=True)
    for name, counts in totals.items():
        print(_row(name, counts))
    return 0


def _readings(wanted: list[str]) -> Iterator[tuple[str, Callable[[], TrueReading]]]:
    for reader in READERS:
        for path in (LAMP, SARN):
            if reader.id in wanted or not wanted:
                document = Document.of(path.read_text(encoding="utf-8"))
                yield f"{reader.id}, {path.stem}", lambda r=reader, d=document: offline(r.id, d, QUESTION, longer=LONGER)  # type: ignore[misc]
    for name in SHIPPED:
        if not wanted or name.partition("-")[0] in wanted:
            yield name, lambda name=name: shipped(name)  # type: ignore[misc]


def _row(name: str, counts: Counts, calls: int = 0, seconds: float = 0.0) -> str:
    shares = [
        share(counts, "document"),
        *(share(counts, "document", most) for most in LENGTHS),
        share(counts, "reply"),
        share(counts, "question"),
    ]
    own = share(counts, "own")
    cells = [f"{one:9.2f}" if one is not None else f"{'–':>9}" for one in shares]
    return f"{name:<46} {calls or '':>5} {' '.join(cells)} {100 - own if own is not None else 0:8.2f} {seconds:8.1f}"


if __name__ == "__main__":
    sys.exit(_thousand_calls() if sys.argv[1:] == [ALONE] else main(sys.argv[1:]))
