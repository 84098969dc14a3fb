"""Run a function on untrusted bytes in a separate process, within limits on time and memory.

The processes that wait for work are started afresh (no fork), so this works the same on Linux, macOS and Windows. One is kept for
the next job; one that crossed a limit is killed and replaced. While it works, the threads of this process continue. Time and
memory are watched from outside; where the system can limit a process itself (Linux), it does so as well, so that most jobs end
with an orderly MemoryError. The time is the processor's, so that a busy machine refuses nothing; a far limit of the clock ends
what only waits. A job may report how far it is (`report`). This bounds the cost of a parser; it is not a sandbox: the process may
do what this one may.

Not here: which functions need it (`ingest/`, `files/runs/import_run.py`).
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Literal, TypeVar, cast

import psutil

from readers.engine.errors import OverLimit, ReadingError

SECONDS = 30.0  # of the processor
LONGEST_WAIT = 300.0  # seconds of the clock
MEMORY = 1_000_000_000  # bytes, with those of the interpreter and its libraries (some 100 MB)
MOST_KEPT = 300_000_000
MOST_IDLE = 1
MOST_AT_ONCE = max(2, os.cpu_count() or 1)

Progress = Callable[[int, int], None]
Crossed = Literal["time", "wait", "memory", ""]
Result = TypeVar("Result")

# What a process is given of the environment: how to find programs, libraries, folders, languages and processors. Keys are only
# for this process.
_GIVEN = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE",
    "WINDIR", "COMSPEC", "PATHEXT", "TMPDIR", "TEMP", "TMP", "LANG", "LANGUAGE", "TZ", "VIRTUAL_ENV", "TIKTOKEN_CACHE_DIR",
    "PALIMPSEST_HOME",
})  # fmt: skip
_GIVEN_WITH = ("PYTHON", "LC_", "LD_LIBRARY_", "DYLD_", "XDG_", "OMP_", "GGML_", "CUDA_", "HIP_", "ROCR_", "VK_", "COV_")

_LOOK_SECONDS = 0.05
_REPORT_SECONDS = 0.2
_REPORT = "report"  # instead of whether a job succeeded, if it has not ended
_ROOT = Path(__file__).resolve().parents[2]
_SERVE = "from readers.engine.own_process import serve; serve()"
# What most jobs need, imported before the first one comes.
_PRELOADED = ("readers.engine.ingest", "charset_normalizer", "lxml.etree", "pypdf")


def environment() -> dict[str, str]:
    """The part of this process's environment that a child process gets: what it needs to run, and no key."""
    return {name: value for name, value in os.environ.items() if name.upper() in _GIVEN or name.upper().startswith(_GIVEN_WITH)}


@dataclass
class _Worker:
    """A process that does one job after another, until its input ends."""

    process: subprocess.Popen[bytes]
    ready: bool = False
    crossed: Crossed = ""
    broken: bool = False  # its job did not end, so that it cannot do another one
    done: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def started(cls) -> _Worker:
        given = environment()
        path = os.pathsep.join(filter(None, (str(_ROOT), given.get("PYTHONPATH"))))
        return cls(
            subprocess.Popen(
                [sys.executable, "-P", "-c", _SERVE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**given, "PYTHONPATH": path},
                start_new_session=True,  # an interrupt on the terminal ends this program, and the end of its input the worker
            )
        )

    def do(self, job: Callable[..., Any], data: bytes, others: tuple[Any, ...], *, progress: Progress | None) -> Any:
        """The result of the job. Raises what the job raised, or OverLimit."""
        to, back = cast(IO[bytes], self.process.stdin), cast(IO[bytes], self.process.stdout)
        self.broken = True
        try:
            self.ready = self.ready or bool(pickle.load(back))
        except (OSError, EOFError, pickle.UnpicklingError):
            raise OverLimit("its process could not be started", "start") from None
        self.done.clear()
        watch = threading.Thread(target=self._watch, daemon=True)
        watch.start()
        try:
            pickle.dump((job.__module__, job.__qualname__, len(data), others, (SECONDS, MEMORY)), to)
            to.write(data)
            to.flush()
            while (answer := pickle.load(back))[0] == _REPORT:
                if progress:
                    progress(*answer[1])
            good, result = answer
            self.broken = bool(self.crossed)
        except (OSError, EOFError, pickle.UnpicklingError):
            good, result = False, OverLimit("its process ended early", self.crossed or "crash")
        finally:
            self.done.set()
            watch.join()
        if good:
            return result
        raise result

    def _watch(self) -> None:
        """Kill the process once its job has crossed a limit."""
        end = time.monotonic() + LONGEST_WAIT
        with suppress(psutil.Error):
            seen = psutil.Process(self.process.pid)
            used = _processor_seconds(seen)
            while not self.done.wait(_LOOK_SECONDS):
                over = _processor_seconds(seen) - used > SECONDS
                late = time.monotonic() > end
                self.crossed = "time" if over else "wait" if late else "memory" if seen.memory_info().rss > MEMORY else ""
                if self.crossed:
                    self.process.kill()
                    return

    @property
    def usable(self) -> bool:
        return not self.broken and self.process.poll() is None

    @property
    def large(self) -> bool:
        """Whether it holds much memory after its job, which Python seldom gives back."""
        try:
            return bool(psutil.Process(self.process.pid).memory_info().rss > MOST_KEPT)
        except psutil.Error:
            return True

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                cast(IO[bytes], stream).close()
        self.process.wait()


def _processor_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


_idle: list[_Worker] = []
_lock = threading.Lock()
_room = threading.BoundedSemaphore(MOST_AT_ONCE)


def run(job: Callable[..., Result], data: bytes, *others: Any, progress: Progress | None = None) -> Result:
    """`job(data, *others)` in a separate process. The job is a function of a module, and all else can be pickled. `progress` is
    called with what the job reports.

    Raises the ReadingError that the job raised; OverLimit if it crossed a limit or broke its process.
    """
    with _room:
        worker = _taken()
        try:
            return cast(Result, worker.do(job, data, others, progress=progress))
        finally:
            _give_back(worker)


def prepare() -> None:
    """Start a process, if none waits, so that the next job need not wait for it to start."""
    with _lock:
        if not any(worker.usable for worker in _idle):
            _idle.append(_Worker.started())


def _taken() -> _Worker:
    with _lock:
        while _idle:
            worker = _idle.pop()
            if worker.usable:
                return worker
            worker.close()
    return _Worker.started()


def _give_back(worker: _Worker) -> None:
    if worker.usable and not worker.large:
        with _lock:
            if len(_idle) < MOST_IDLE:
                _idle.append(worker)
                return
    worker.close()
    prepare()


@atexit.register
def _close_all() -> None:
    with _lock:
        while _idle:
            _idle.pop().close()


# In the process itself


_results: IO[bytes] | None = None
_reported = 0.0


def report(done: int, of: int) -> None:
    """Say how far the job is, a few times a second at most. Does nothing outside a separate process."""
    global _reported
    if _results and time.monotonic() - _reported > _REPORT_SECONDS:
        _reported = time.monotonic()
        pickle.dump((_REPORT, (done, of)), _results)
        _results.flush()


def serve() -> None:
    """Do the jobs that come on standard input, until it ends."""
    global _results
    jobs, results = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    _results = results
    os.dup2(2, 1)  # a library's output is not a result
    for name in _PRELOADED:
        import_module(name)
    with suppress(EOFError, BrokenPipeError):
        outcome: object = True  # ready
        while True:
            pickle.dump(outcome, results)
            results.flush()
            outcome = _next_outcome(jobs)


def _next_outcome(jobs: IO[bytes]) -> tuple[bool, Any]:
    global _reported
    _reported = time.monotonic()  # nothing is reported for a job that ends at once
    module, name, size, others, (seconds, memory) = pickle.load(jobs)
    job = getattr(import_module(module), name)
    _limit(seconds, memory)
    return _outcome(job, jobs.read(size), others)


def _outcome(job: Callable[..., Any], data: bytes, others: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, job(data, *others)
    except ReadingError as error:
        return False, type(error)(*error.args)  # without what led to it
    except MemoryError:
        return False, OverLimit("it needs more memory than it may have", "memory")
    except Exception as error:  # a parser may fail in any way on an untrusted file
        return False, OverLimit(f"{type(error).__name__}: {str(error)[:200]}", "crash")


def _limit(seconds: float, memory: int) -> None:
    """Let the system itself limit the next job, where it can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    own = psutil.Process()
    used = resource.getrusage(resource.RUSAGE_SELF)
    ends = {"RLIMIT_CPU": used.ru_utime + used.ru_stime + seconds + 5}
    if sys.platform == "linux":
        ends["RLIMIT_AS"] = own.memory_info().vms - own.memory_info().rss + memory
    for kind, most in ends.items():
        with suppress(OSError, ValueError):  # the system does not know it, or has a lower one
            number = getattr(resource, kind)
            resource.setrlimit(number, (int(most), resource.getrlimit(number)[1]))
