"""The text of a PDF, by pypdf: page by page, with its own line breaks; words hyphenated at a line end are joined.

Bounded: pages, inflated stream sizes and operators per page (pypdf's limits, lowered), and seconds: the clock is checked whenever
the file is read and at every drawing operator. Bounded not here but by the process that this runs in: total memory (pypdf keeps
what it parsed), and the time of a single step without either (parsing the operators of one page, or one font table).

Where each page begins is kept, with what is printed on it. Not here: text recognition in pictures, columns, running heads.
"""

from __future__ import annotations

import logging
from collections.abc import Set
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING

import regex

from readers.engine import on_first_use, own_process
from readers.engine.errors import BadFile
from readers.engine.ingest.clean import clean_title
from readers.engine.ingest.guard import Clock, Extracted, Kind, guarded
from readers.engine.text.document import LONGEST_LABEL, PrintedPage

if TYPE_CHECKING:
    import pypdf
    import pypdf.errors
else:
    pypdf = on_first_use.module("pypdf")

MAX_PAGES = 5_000
MAX_SECONDS = 28.0  # a little less than its process has: a real book of a thousand pages may need all of it
MAX_STREAM = 20_000_000
MAX_OPERATORS = 1_000_000

# A damaged file makes pypdf log a line for each of thousands of oddities; the user gets one sentence instead.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)

_LINE_HYPHEN = regex.compile(r"(?<![\p{L}-])(\p{L}++(?:-\p{L}++)*+)[-\u2010\u00ad]\n(\p{Ll}++(?:-\p{L}++)*+)(\S*+)[^\S\n]?")
_WORD = regex.compile(r"\p{L}++(?:-\p{L}++)*+")


class _TimedBytes(BytesIO):
    """The bytes of a PDF; every read checks the clock."""

    def __init__(self, data: bytes, clock: Clock) -> None:
        super().__init__(data)
        self._clock = clock

    def read(self, size: int | None = -1, /) -> bytes:
        self._clock.check()
        return super().read(size)


def extract_pdf(data: bytes, name: str) -> Extracted:
    """The text and title of a PDF, with notes about empty and damaged pages."""
    clock = Clock(MAX_SECONDS)
    limits = pypdf.apply_configuration(
        zlib_maximum_output_length=MAX_STREAM,
        lzw_maximum_output_length=MAX_STREAM,
        run_length_maximum_output_length=MAX_STREAM,
        array_based_stream_maximum_output_length=MAX_STREAM,
        stream_decoding_work_maximum_length=4 * MAX_STREAM,
        stream_parsing_work_maximum_count=MAX_OPERATORS,
    )
    with guarded(name, "is damaged or is not really a PDF. Open it in a PDF program and save it again."), limits:
        try:
            reader = pypdf.PdfReader(_TimedBytes(data, clock))
            if reader.is_encrypted and not reader.decrypt(""):
                raise BadFile(f"{name!r} is locked with a password. Print it to a new PDF without one, or save its text as .txt.")
            pages = _pages(reader, name, clock)
        except pypdf.errors.DependencyError as error:
            raise BadFile(f"{name!r} is encrypted in a way that cannot be opened here. Print it to a new PDF.") from error
        title, labels = _title(reader), _labels(reader)
    if not any(pages):
        raise _without_text(name, pages)
    known = set(_WORD.findall("\n\n".join(filter(None, pages)).lower()))
    texts = {number: f"{_dehyphenated(page, known)}\n\n" for number, page in enumerate(pages) if page}
    starts = accumulate(map(len, texts.values()), initial=0)
    places = tuple(PrintedPage(at, labels[number]) for at, number in zip(starts, texts, strict=False))
    return Extracted("".join(texts.values())[:-2], title, _page_notes(pages), places)


def _pages(reader: pypdf.PdfReader, name: str, clock: Clock) -> list[str | None]:
    """The text of each page; None for a page that cannot be read."""
    if len(reader.pages) > MAX_PAGES:
        raise BadFile(f"{name!r} has over {MAX_PAGES:,} pages, the maximum. Split it into parts.")
    texts: list[str | None] = []
    for number, page in enumerate(reader.pages):
        clock.check()
        own_process.report(number, len(reader.pages))
        try:
            texts.append(page.extract_text(visitor_operand_before=clock.check).strip())
        except (pypdf.errors.DependencyError, MemoryError):
            raise
        except Exception:  # As in `guarded`; the other pages remain readable, and a note names the damaged one.
            texts.append(None)
    return texts


def _labels(reader: pypdf.PdfReader) -> list[str]:
    """What is printed on each page: the file's own labels, or else the numbers of the pages."""
    numbers = [str(number) for number in range(1, len(reader.pages) + 1)]
    try:
        own = reader.page_labels if "/PageLabels" in reader.root_object else numbers
    except Exception:  # As in `guarded`; the pages are numbered without.
        return numbers
    labels = [clean_title(label, number)[:LONGEST_LABEL] for label, number in zip(own, numbers, strict=False)]
    return labels if len(labels) == len(numbers) else numbers


def _title(reader: pypdf.PdfReader) -> str:
    try:
        title = reader.metadata.title if reader.metadata else ""
    except Exception:  # As in `guarded`; the text is usable without a title.
        return ""
    return title if isinstance(title, str) else ""  # a number or a list, in a damaged file


def _without_text(name: str, pages: list[str | None]) -> BadFile:
    if pages and all(page is None for page in pages):
        return BadFile(f"{name!r} has no page that can be read: it is damaged. Open it in a PDF program and save it again.")
    return BadFile(
        f"{name!r} contains pictures of pages (a scan) or empty pages, no text. Run text recognition (OCR) on it first."
    )


def _page_notes(pages: list[str | None]) -> tuple[str, ...]:
    empty = [number for number, page in enumerate(pages, 1) if page == ""]
    damaged = [number for number, page in enumerate(pages, 1) if page is None]
    found = ((empty, "have no text (they are empty, or pictures)"), (damaged, "are damaged and could not be read"))
    return tuple(f"Of {len(pages)} pages, these {what}: {_ranges(numbers)}." for numbers, what in found if numbers)


def _ranges(numbers: list[int]) -> str:
    """1, 2, 3, 7 as `1-3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _dehyphenated(text: str, known: Set[str]) -> str:
    """A page with words hyphenated at a line end joined; a hyphen stays if the word is `known` with one from elsewhere."""

    def whole(match: regex.Match[str]) -> str:
        hyphened, plain = f"{match[1]}-{match[2]}", match[1] + match[2]
        keep = plain.lower() not in known and (hyphened.lower() in known or "-" in plain)
        return f"{hyphened if keep else plain}{match[3]}\n"

    return _LINE_HYPHEN.sub(whole, text)


PDF = Kind(("pdf",), extract_pdf)
