"""Files, uploads and pasted text -> a `Document`, plus notes for the user about anything that had to be fixed or skipped.

The ending of the name decides the kind of a file; a file with an unknown ending is read as plain text if it decodes. A kind is a
`Kind` in a module of this folder, and needs no other entry. The result is always an `Ingested`, or a BadFile with one sentence
that says what to do. `.txt` is literal text, no matter what it contains. Files that need a parser, and all large files, are read
in a process with limits of time and memory, so that nobody else waits for it. Not here: storing anything.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import accumulate, pairwise
from pathlib import Path

from readers.engine import own_process
from readers.engine.errors import BadFile, OverLimit
from readers.engine.ingest.clean import canonical_text, check_tokens, clean_title, is_blank, shown_name
from readers.engine.ingest.guard import Extracted, Kind
from readers.engine.ingest.plain import TXT, decoded
from readers.engine.text.document import Document, PrintedPage

MAX_BYTES = 50_000_000
SMALL = 1_000_000  # bytes of a text without a parser that is read in this process, which is quicker

_MEGA = MAX_BYTES // 1_000_000


@dataclass(frozen=True)
class Ingested:
    """A document, and notes for the user about how it was read."""

    document: Document
    notes: tuple[str, ...] = ()


def from_path(path: str | Path, *, progress: own_process.Progress | None = None) -> Ingested:
    """Read a file; `progress` is called with the pages read of how many."""
    file = Path(path)
    shown = shown_name(str(path))
    try:
        if file.is_dir():
            raise BadFile(f"{shown!r} is a folder. Give the name of one file in it.")
        if not file.exists():
            raise BadFile(f"There is no file {shown!r}. Check its name and the folder it is in.")
        if not file.is_file():
            raise BadFile(f"{shown!r} is not an ordinary file. Give the name of a file with text.")
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except PermissionError as error:
        raise BadFile(f"{shown!r} may not be read by this program. Change its permissions, or copy it elsewhere.") from error
    except (OSError, ValueError) as error:  # ValueError: an impossible file name
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadFile(f"{shown!r} cannot be read: {reason}. Check its name, or try another copy of it.") from error
    return from_bytes(data, file.name, progress=progress)


def from_bytes(data: bytes, name: str, *, progress: own_process.Progress | None = None) -> Ingested:
    """Read an upload, in a separate process if it needs one. The ending of its name decides its kind; `progress` is called with
    the pages read of how many."""
    ending = _ending(shown_name(name))
    if len(data) > MAX_BYTES or (len(data) <= SMALL and not ENDINGS.get(ending, TXT).parser):
        return read_here(data, name)
    try:
        return own_process.run(read_here, data, name, progress=progress)
    except OverLimit as error:
        raise BadFile(f"{shown_name(name)!r} {_LIMITS[error.limit]}") from error


def read_here(data: bytes, name: str) -> Ingested:
    """Read an upload in this process, which waits for it. Raises BadFile."""
    shown = shown_name(name)
    if not data:
        raise BadFile(f"{shown!r} is empty: it has no bytes. Save it again, or choose another file.")
    if len(data) > MAX_BYTES:
        raise BadFile(f"{shown!r} is over {_MEGA} MB, the maximum. Split it, or save only its text as .txt.")
    ending = _ending(shown)
    found = ENDINGS[ending].extract(data, shown) if ending in ENDINGS else _unknown(data, shown, ending)
    return _ingested(found, shown, shown.rpartition(".")[0] if "." in shown else shown)


def from_paste(text: str, *, title: str = "Pasted text") -> Ingested:
    """Read a text that somebody pasted or typed."""
    if not text:
        raise BadFile("No text was pasted. Paste or type a text.")
    if len(text) > MAX_BYTES:
        raise BadFile(f"The pasted text is over {_MEGA} million characters, the maximum. Paste a part of it.")
    return _ingested(Extracted(text), "The pasted text", title)


def _ingested(found: Extracted, shown: str, fallback: str) -> Ingested:
    text, notes = canonical_text(found.text)
    if is_blank(text):
        raise BadFile(f"{shown!r} contains only white space. Choose another text.")
    check_tokens(text, shown)
    document = Document.of(text, title=clean_title(found.title, fallback))
    return Ingested(replace(document, pages=_pages(found, document)), (*found.notes, *notes))


def _pages(found: Extracted, document: Document) -> tuple[PrintedPage, ...]:
    """The pages of a file by their places in the document, of which characters of the file may be missing."""
    starts = [page.start for page in found.pages]
    read = [Document.of(canonical_text(found.text[slice(*part)])[0]).text for part in pairwise([*starts, len(found.text)])]
    if "".join(read) != document.text:
        return ()
    return tuple(
        PrintedPage(at, page.label) for at, page in zip(accumulate(map(len, read), initial=0), found.pages, strict=False)
    )


def _ending(shown: str) -> str:
    return shown.rpartition(".")[2].lower().strip() if "." in shown else ""


def _unknown(data: bytes, shown: str, ending: str) -> Extracted:
    """A file with another ending: plain text, if it decodes."""
    try:
        found = decoded(data, shown)
    except BadFile as error:
        raise BadFile(f"{error} The kinds known by their endings are {_KNOWN}.") from error
    notes = (f"The ending .{ending} is not one of {_KNOWN}; the file was read as plain text.",) if ending else ()
    return Extracted(found.text, notes=(*notes, *found.notes))


def _declared() -> tuple[Kind, ...]:
    """The kinds that the modules of this folder declare, those that need no parser first."""
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    kinds = dict.fromkeys(kind for module in modules for kind in vars(module).values() if isinstance(kind, Kind))
    return tuple(sorted(kinds, key=lambda kind: kind.parser))


KINDS = _declared()
ENDINGS = {ending: kind for kind in KINDS for ending in kind.endings}
_KNOWN = ", ".join(ENDINGS)
IN_WORDS = " or ".join([", ".join(kind.endings[0] for kind in KINDS[:-1]), KINDS[-1].endings[0]])  # the kinds, for help and hints

_INSTEAD = "Split it, or save its text as .txt."
_LIMITS = {
    "time": f"takes over {own_process.SECONDS:.0f} seconds of processor time to read. {_INSTEAD}",
    "wait": f"was not read within {own_process.LONGEST_WAIT / 60:.0f} minutes: this machine is too busy. Try again later.",
    "memory": f"needs over {own_process.MEMORY // 1_000_000_000} GB of memory to read. {_INSTEAD}",
    "crash": "breaks the program that reads it: it is damaged, or made to do so. Save its text as .txt.",
    "start": "cannot be read at the moment: this machine starts no further process. Close other programs, and try again.",
}
