"""Every error that Palimpsest raises on purpose.

    ReadingError                 the root; its message can be shown to a user
    ├── BadInput                 an unusable text, file or setting (exit status 2)
    │   ├── BadFile              an upload or a file: unreadable, empty, too large, of the wrong kind
    │   ├── BadOptions           a reader's options, a prompt or a model id
    │   ├── BadRunFile           not a run file, or one of another schema
    │   ├── AlreadyFinished      a finished reading is not resumed
    │   ├── OverLimit            its process used up its time or memory, or broke
    │   └── LimitReached         a limit that the host of a public demo has set
    ├── NotFound                 no such run, document or reader (exit status 2)
    ├── StoreError               the database is newer than this program, damaged or not writable
    ├── Busy                     another live process is working on the run
    ├── InProject                the run is in a project and labels refer to it; it cannot be deleted
    ├── Conflict                 somebody else has changed the label, codebook or decision; both versions are kept
    ├── ReaderFailed             a plug-in reader raised in a hook that pages and commands call
    ├── ModelFailed              a model gave no reply within its bounded retries
    │   ├── KeyRefused           the provider refused the key, or there is none; never retried
    │   └── PromptTooLong        the prompt does not fit into the model's context window
    └── Diverged                 a replay made a request that differs from the record

    Ended                        how a reader stops without an answer; an outcome, not an error
    Cancelled (BaseException)    a person stopped the run; no `except Exception` can swallow it

A message names the thing, says what was expected and what to do next. It never contains an API key.
"""

from __future__ import annotations

from typing import Literal

Limit = Literal["time", "wait", "memory", "crash", "start"]
Unanswered = Literal["no_answer", "exhausted", "over_budget"]


class ReadingError(Exception):
    """The root of everything this project raises on purpose."""


class BadInput(ReadingError):
    """The input cannot be used."""


class BadFile(BadInput):
    """A file or upload that yields no text."""


class BadOptions(BadInput):
    """An invalid option, prompt or model id."""


class BadRunFile(BadInput):
    """Not a run file of a known schema."""


class AlreadyFinished(BadInput):
    """The run has ended; executing it again could only lose its result."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"reading {run_id!r} is finished, so it cannot be resumed: fork it, or ask its question again")


class OverLimit(BadInput):
    """A job in a separate process used up its time or memory, took too long, crashed, or could not get a process. `limit` says
    which."""

    def __init__(self, message: str, limit: Limit = "crash") -> None:
        super().__init__(message, limit)
        self.limit: Limit = limit

    def __str__(self) -> str:
        return str(self.args[0])


class LimitReached(BadInput):
    """More than the host of a public demo allows."""


class NotFound(ReadingError):
    """The run, document or reader does not exist."""


class StoreError(ReadingError):
    """The database cannot be used."""


class Busy(ReadingError):
    """Another live process is working on the run."""


class InProject(ReadingError):
    """The run belongs to a project; its labels would mean nothing without it."""


class Conflict(ReadingError):
    """The target was changed in the meantime. `current` is its present value: a label, codebook or decision."""

    def __init__(self, message: str, current: object = None) -> None:
        super().__init__(message)
        self.current = current


class ReaderFailed(ReadingError):
    """A hook of a plug-in reader, such as `names`, raised an error or returned an invalid value."""


class ModelFailed(ReadingError):
    """A model gave no usable reply within the bounded number of tries; resuming the run asks again."""


class KeyRefused(ModelFailed):
    """The provider requires an API key, or refused the one it was given."""


class PromptTooLong(ModelFailed):
    """The prompt and the room for its reply exceed the model's context window, by `over` tokens."""

    def __init__(self, message: str, over: int = 0) -> None:
        super().__init__(message)
        self.over = over


class Diverged(ReadingError):
    """A re-executed run made a request that differs from its record."""


class Ended(Exception):
    """Raised by a reader (or its budget) that stops without an answer. `outcome` is the kind of ending, `reason` a sentence."""

    def __init__(self, outcome: Unanswered, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Unanswered = outcome
        self.reason = reason


class Cancelled(BaseException):
    """A person stopped the run. What is recorded stays."""


def in_words(error: BaseException) -> str:
    """The kind and the words of an error of somebody else's code, on one line, even where asking for the words fails."""
    try:
        words = " ".join(str(error).split())[:300]
    except (Exception, SystemExit):
        words = "its message cannot be shown"
    return f"{type(error).__name__}: {words}"
