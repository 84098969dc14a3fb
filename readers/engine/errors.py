"""Every error Palimpsest raises on purpose.

    ReadingError                 the root; its text is fit to be shown to a person
    ├── BadInput                 a text, file or setting that cannot be used (exit 2)
    │   ├── BadFile              an upload or a file: unreadable, empty, too large, of the wrong kind
    │   ├── BadOptions           a reader's options, a prompt or a model id
    │   └── BadRunFile           a run file that is not one, or is of another schema
    ├── NotFound                 no such reading, document or reader (exit 2)
    ├── StoreError               the database is newer than this program, broken or not writable
    ├── Busy                     a reading another live process is working on
    ├── Kept                     a reading that belongs to a project and is not deleted from under its labels
    ├── Conflict                 a label, codebook or decision that somebody changed meanwhile: both versions are kept
    ├── ModelFailed              a model gave no reply, after the bounded retries
    │   ├── KeyRefused           the provider refused the key, or there is none: never retried
    │   └── PromptTooLong        the prompt does not fit into the model's window
    └── Diverged                 a replay asked something other than what is recorded

    Ended                        how a reader stops without an answer; an outcome, not an error
    Cancelled (BaseException)    a person stopped the reading; no `except Exception` can swallow it

A message names the thing, says what was expected, and what to do next. It never holds a key.
"""

from __future__ import annotations

from typing import Literal

Unanswered = Literal["no_answer", "exhausted", "over_budget"]


class ReadingError(Exception):
    """The root of everything this project raises on purpose."""


class BadInput(ReadingError):
    """What was given cannot be used as it is."""


class BadFile(BadInput):
    """A file or an upload that no text can be taken from."""


class BadOptions(BadInput):
    """An option, a prompt or a model id that does not hold."""


class BadRunFile(BadInput):
    """A file that is not a run file of a schema known here."""


class NotFound(ReadingError):
    """A reading, document or reader that does not exist."""


class StoreError(ReadingError):
    """The database cannot be used."""


class Busy(ReadingError):
    """The reading is being worked on by another live process."""


class InProject(ReadingError):
    """The reading belongs to a project; its labels would mean nothing without it."""


class Conflict(ReadingError):
    """What was to be changed has been changed meanwhile. `stands` is what stands now: a label, codebook or decision."""

    def __init__(self, message: str, current: object = None) -> None:
        super().__init__(message)
        self.current = current


class ModelFailed(ReadingError):
    """A model gave no usable reply in the bounded number of tries; `resume` asks again."""


class KeyRefused(ModelFailed):
    """The provider wants a key, or refused the one it was given."""


class PromptTooLong(ModelFailed):
    """The prompt and the room for its reply are more than the model's window."""


class Diverged(ReadingError):
    """A reading executed again asked for something other than what its record holds."""


class Ended(Exception):
    """Raised by a reader (or its budget) that stops without an answer. `outcome` says which way, `reason` why."""

    def __init__(self, outcome: Unanswered, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Unanswered = outcome
        self.reason = reason


class Cancelled(BaseException):
    """A person stopped the reading. What is recorded stays."""
