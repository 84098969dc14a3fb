"""Files, uploads and pasted text -> a `Document`, with sentences for the person about what was not plain sailing.

The kind of a file goes by the ENDING of its name: txt, md, html, epub, docx, pdf; any other is read as plain text if it decodes.
Whatever is given, the outcome is an `Ingested` or BadFile with one sentence that says what to do. The same text gives the same
document whichever way it comes in: control characters go (a form feed is a paragraph break), what cannot be UTF-8 becomes U+FFFD.

- `.txt` is literal text, whatever it contains.
- `.md` stays as it was written, except that headings get blank lines around them: nothing is lost or moved (links, emphasis,
  code, tables), models read Markdown well, a pasted and an uploaded text stay one document, and no parser is there to attack.
- HTML, EPUB and Word are `extract.py`'s. PDF is here, by pypdf: page by page, its lines as they stand, words divided at a line's
  end put together. Bounded: pages, inflated stream sizes and operators a page (pypdf's limits, lowered), and seconds: the clock
  is looked at whenever the file is read and at every drawing operator. Not bounded: memory in all (pypdf keeps what it parsed),
  and the time inside one step that does neither (parsing one page's operators, one font table: sizes keep each to seconds).

Not here: recognising letters in pictures, columns and running heads of a PDF, storing anything. How an encoding that is not UTF-8
is guessed can err, so a note names the guess.
"""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, pairwise
from pathlib import Path

import charset_normalizer
import pypdf
import regex
from pypdf.errors import DependencyError

from readers.engine.errors import BadFile
from readers.engine.ingest import extract
from readers.engine.ingest.extract import Clock, Extracted, fenced
from readers.engine.text import tokens
from readers.engine.text.document import Document

MAX_BYTES = 50_000_000
MAX_TOKENS = 5_000_000
MAX_PAGES = 5_000
PDF_SECONDS = 60.0  # a real book of a thousand pages may well take half of them
PDF_STREAM = 20_000_000
PDF_OPERATORS = 1_000_000

_MEGA = MAX_BYTES // 1_000_000
_COUNTED_AT_ONCE = 1_000_000

# A damaged file makes pypdf log a line for each of its thousands of oddities; the person gets one sentence instead.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Ingested:
    """A document, and what the person should know about how it was read."""

    document: Document
    notes: tuple[str, ...] = ()


def from_path(path: str | Path) -> Ingested:
    """Read a file."""
    file = Path(path)
    shown = _shown(str(path))
    try:
        if file.is_dir():
            raise BadFile(f"{shown!r} is a folder. Give the name of one file in it.")
        if not file.exists():
            raise BadFile(f"There is no file {shown!r}. Check its name and the folder it is in.")
        if not file.is_file():
            raise BadFile(f"{shown!r} is not an ordinary file. Give the name of a file that holds text.")
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except PermissionError as error:
        raise BadFile(f"{shown!r} may not be read by this program. Change its permissions, or copy it elsewhere.") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadFile(f"{shown!r} cannot be read: {reason}. Check its name, or try another copy of it.") from error
    return from_bytes(data, file.name)


def from_bytes(data: bytes, name: str) -> Ingested:
    """Read an upload: its bytes, and the name that tells its kind."""
    shown = _shown(name)
    if not data:
        raise BadFile(f"{shown!r} is empty: it has no bytes at all. Save it again, or choose another file.")
    if len(data) > MAX_BYTES:
        raise BadFile(f"{shown!r} is over {_MEGA} MB, the most that can be taken. Split it, or save only its text as .txt.")
    ending = shown.rpartition(".")[2].lower().strip() if "." in shown else ""
    found = KINDS[ending](data, shown) if ending in KINDS else _unknown(data, shown, ending)
    return _ingested(found, shown, shown.rpartition(".")[0] if "." in shown else shown)


def from_paste(text: str, *, title: str = "Pasted text") -> Ingested:
    """Take a text that somebody pasted or typed."""
    if not text:
        raise BadFile("No text was pasted. Paste or type the text that is to be read.")
    if len(text) > MAX_BYTES:
        raise BadFile(f"The pasted text is over {_MEGA} million characters, the most that can be taken. Paste a part of it.")
    return _ingested(Extracted(text), "The pasted text", title)


def _ingested(found: Extracted, shown: str, fallback: str) -> Ingested:
    text, notes = _canonical(found.text)
    if not _VISIBLE.search(text):
        raise BadFile(f"{shown!r} holds only white space, no text that could be read. Choose another text.")
    _check_tokens(text, shown)
    title = " ".join(_CONTROL.sub(" ", _encodable(found.title)).split())
    title = fallback if _EMPTY_TITLE.fullmatch(title) else title[:200]
    return Ingested(Document.of(text, title=_encodable(title)), (*found.notes, *notes))


def _check_tokens(text: str, shown: str) -> None:
    if len(text.encode("utf-8")) <= MAX_TOKENS:  # no token is shorter than a byte
        return
    used = 0
    for start in range(0, len(text), _COUNTED_AT_ONCE):
        used += tokens.count(text[start : start + _COUNTED_AT_ONCE])
        if used > MAX_TOKENS:
            limit = f"{MAX_TOKENS:,} tokens (some {MAX_TOKENS * 3 // 4:,} English words)"
            raise BadFile(f"{shown!r} holds more text than {limit}, the most that can be taken. Split it into parts.")


# --- the canonical text ---------------------------------------------------------------------------------------------------

_PARAGRAPH_BREAK = re.compile("[\f\x1c\x1d\u2029]")
_LINE_BREAK = re.compile("[\v\x85\u2028]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_VISIBLE = regex.compile(r"[^\s\p{Cc}\p{Cf}\p{Z}]")
# Normalising takes the square of the length of a run of accents on one letter; the standard way out (Unicode's stream-safe text)
# is a joiner after each 30, which no writing comes near.
_ACCENTS = regex.compile(r"([^\p{ccc=0}]{30})(?=[^\p{ccc=0}])")
# Titles that programs write by themselves.
_EMPTY_TITLE = regex.compile(r"(?i)(?:untitled|unknown|document ?\d*|microsoft word - .*|.*\.(?:docx?|odt|tex|html?|pdf|txt))?")


def _canonical(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without what no text holds, and a sentence about each thing that was changed; `Document.of` does the rest."""
    notes = []
    whole = _encodable(text)
    if whole != text and "\ufffd" in whole:
        notes.append("Some characters were damaged (halves of a pair); each was replaced by the sign \ufffd.")
    lines = whole.replace("\r\n", "\n").replace("\r", "\n")
    lines = _LINE_BREAK.sub("\n", _PARAGRAPH_BREAK.sub("\n\n", lines))
    kept, removed = _CONTROL.subn("", lines)
    if removed:
        notes.append(f"Control characters, which no text shows, were removed: {removed:,}.")
    return _ACCENTS.sub("\\1\u034f", kept), tuple(notes)


def _encodable(text: str) -> str:
    """With halves of surrogate pairs joined, and U+FFFD for those that stand alone."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _shown(name: str) -> str:
    """The last part of a name as it can be shown: at most 100 characters, its ending kept."""
    last = _CONTROL.sub("", _encodable(re.split(r"[/\\]", name.rstrip("/\\"))[-1])).strip()
    return last if len(last) <= 100 else f"{last[:80]}…{last[-19:]}"


# --- plain text, Markdown, HTML ---------------------------------------------------------------------------------------------

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_WESTERN = "cp1252"
# The encodings that are guessed at, and their names for the person: those of old documents that people still have.
_ENCODINGS = {
    _WESTERN: "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "iso8859_2": "ISO 8859-2 (Central European)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "mac_roman": "Mac Roman (Western European)",
    "cp932": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "cp949": "Korean (EUC-KR)",
}
# What pages declare -> the wider encoding that browsers then take.
_WIDER = {
    "ascii": _WESTERN,
    "iso8859_1": _WESTERN,
    "iso8859_9": "cp1254",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
_CHARSET = re.compile(rb"(?i)(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})")
# How much worse (in charset-normalizer's measure of mess) Western European may look than the best guess and still be taken: it is
# by far the most frequent one, and on short texts ties with its neighbours.
_WESTERN_HANDICAP = 0.065
_SWAPPED = regex.compile(r"\p{Ll}\p{Lu}")  # capitals and small letters change places between two Cyrillic encodings
_SAMPLE = 200_000
_FOREIGN = (
    (b"%PDF", "a PDF: let its name end in .pdf"),
    (b"PK\x03\x04", "a Word file, an e-book or another zip: let its name end in .docx or .epub if it is one"),
    (b"\xd0\xcf\x11\xe0", "an old Office file: open it there and save it as .docx"),
)


def _text(data: bytes, shown: str, *, declared: str = "") -> Extracted:
    """The characters of `data`: by its byte order mark, as UTF-8, as declared, or in the encoding that fits best; with a note."""
    for mark, codec, label in _MARKS:
        if data.startswith(mark):
            return Extracted(_marked(data, codec, shown), notes=(_note(label),) if codec != "utf-8" else ())
    if b"\0" in data:
        kind = next((kind for magic, kind in _FOREIGN if data.startswith(magic)), "a picture, a program or another binary file")
        raise BadFile(f"{shown!r} is not a text: it looks like {kind}. Or open it in its program and save it as .txt (UTF-8).")
    for codec in chain(("utf-8", declared), _guesses(data, shown)):
        try:
            if codec:
                return Extracted(data.decode(codec), notes=(_note(_ENCODINGS[codec]),) if codec != "utf-8" else ())
        except UnicodeDecodeError:
            continue
    raise BadFile(f"{shown!r} is in no encoding of letters that is known here. Open it in an editor and save it as UTF-8.")


def _marked(data: bytes, codec: str, shown: str) -> str:
    try:
        return data.decode(codec, "surrogatepass")
    except UnicodeDecodeError as error:
        raise BadFile(f"{shown!r} begins as {codec.upper()} but is damaged. Open it in an editor, save it as UTF-8.") from error


def _note(label: str) -> str:
    return f"The text is not in UTF-8; it was read as {label}. If its letters look wrong, save the file as UTF-8 and take that."


def _guesses(data: bytes, shown: str) -> Iterator[str]:
    """The encodings that may have made `data`, the likeliest first."""
    with fenced(shown, "is in no encoding of letters that is known here. Open it in an editor and save it as UTF-8."):
        found = list(charset_normalizer.from_bytes(_telling(data), cp_isolation=list(_ENCODINGS)))
    best = found[0].chaos if found else 0.0
    if any(_WESTERN in match.could_be_from_charset for match in found if match.chaos <= best + _WESTERN_HANDICAP):
        yield _WESTERN
    found.sort(key=lambda match: (match.chaos > best, len(_SWAPPED.findall(str(match)))))
    yield from (match.encoding for match in found if match.encoding in _ENCODINGS)


def _telling(data: bytes) -> bytes:
    """The lines that tell encodings apart, up to a sample; all of it when the first one is longer."""
    taken: list[bytes] = []
    room = _SAMPLE
    for line in data.split(b"\n"):
        if not line.isascii():
            room -= len(line)
            if room < 0:
                break
            taken.append(line)
    return b"\n".join(taken) or data


def _plain(data: bytes, shown: str) -> Extracted:
    return _text(data, shown)


def _html(data: bytes, shown: str) -> Extracted:
    text = _text(data, shown, declared=_declared(data))
    page = extract.html(text.text, shown)
    return Extracted(page.text, page.title, text.notes)


def _declared(data: bytes) -> str:
    """The encoding a page says it is in, if it is one of those known here."""
    match = _CHARSET.search(data, 0, 2_048)
    if match is None:
        return ""
    try:
        codec = codecs.lookup(match[1].decode("ascii", "replace")).name.replace("-", "_")
    except LookupError:
        return ""
    codec = _WIDER.get(codec, codec)
    return codec if codec in _ENCODINGS else ""


# A line that opens or ends a code block, is a heading, or makes a heading of the line above it.
_MARK = re.compile(
    r"(?m)^ {0,3}(?:(?P<fence>`{3,}|~{3,})(?P<rest>.*)|(?P<heading>#{1,6}(?:[ \t].*)?)|(?P<under>={2,}|-{3,})[ \t]*)$"
)


def _markdown(data: bytes, shown: str) -> Extracted:
    found = _text(data, shown)
    text = found.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    _check_tokens(text, shown)  # before the headings: a hostile text can be nothing else
    title = _front_title(text.split("\n", 100)[:100])
    gaps = [0]  # where a blank line is missing
    for heading, start, end in _headings(text):
        title = title or heading.strip("#*_` \t\n=-")
        gaps += [at for at in (start, end) if at > gaps[-1] and _touches(text, at)]
    pieces = (text[start:end] for start, end in pairwise([*gaps, len(text)]))
    return Extracted("\n".join(pieces), title, found.notes)


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Each heading outside code blocks, and where its lines start and end (after the line break)."""
    fence = ""
    for match in _MARK.finditer(text):
        start, end = match.start(), min(match.end() + 1, len(text))
        if match["fence"]:
            closes = match["fence"].startswith(fence) and not match["rest"].strip()
            fence = "" if fence and closes else fence or match["fence"]
        elif not fence and match["heading"]:
            yield match["heading"], start, end
        elif not fence and (above := text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]).strip():
            yield above, start - len(above), end


def _touches(text: str, at: int) -> bool:
    """Whether the lines before and after `at` both hold something."""
    after = text.find("\n", at)
    before = text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at]
    return bool(before.strip() and text[at : after if after >= 0 else len(text)].strip())


def _front_title(lines: list[str]) -> str:
    """The title in a block of settings at the very top, between two lines of dashes."""
    if lines[0].rstrip() != "---":
        return ""
    settings: list[str] = []
    for line in lines[1:100]:
        if line.rstrip() in ("---", "..."):
            named = [setting.partition(":")[2] for setting in settings if setting.startswith("title:")]
            return named[0].strip(" \t\"'") if named else ""
        settings.append(line)
    return ""


# --- PDF ----------------------------------------------------------------------------------------------------------------

_LINE_HYPHEN = regex.compile(r"(?<![\p{L}-])(\p{L}++(?:-\p{L}++)*+)[-\u2010\u00ad]\n(\p{Ll}++(?:-\p{L}++)*+)(\S*+)[^\S\n]?")
_WORD = regex.compile(r"\p{L}++(?:-\p{L}++)*+")


class _Watched(BytesIO):
    """The bytes of a PDF; the clock is looked at whenever some are read."""

    def __init__(self, data: bytes, clock: Clock) -> None:
        super().__init__(data)
        self._clock = clock

    def read(self, size: int | None = -1, /) -> bytes:
        self._clock.check()
        return super().read(size)


def _pdf(data: bytes, name: str) -> Extracted:
    """A PDF's text page by page, its lines as they stand, words divided at a line's end put together again."""
    clock = Clock(PDF_SECONDS)
    limits = pypdf.apply_configuration(
        zlib_maximum_output_length=PDF_STREAM,
        lzw_maximum_output_length=PDF_STREAM,
        run_length_maximum_output_length=PDF_STREAM,
        array_based_stream_maximum_output_length=PDF_STREAM,
        stream_decoding_work_maximum_length=4 * PDF_STREAM,
        stream_parsing_work_maximum_count=PDF_OPERATORS,
    )
    with fenced(name, "is damaged or is not really a PDF. Open it in a PDF program and save it again."), limits:
        try:
            reader = pypdf.PdfReader(_Watched(data, clock))
            if reader.is_encrypted and not reader.decrypt(""):
                raise BadFile(f"{name!r} is locked with a password. Print it to a new PDF without one, or save its text as .txt.")
            pages = _pages(reader, name, clock)
        except DependencyError as error:
            raise BadFile(f"{name!r} is encrypted in a way that cannot be opened here. Print it to a new PDF.") from error
        title = _pdf_title(reader)
    if not any(pages):
        raise _without_text(name, pages)
    return Extracted(_undivided("\n\n".join(page for page in pages if page)), title, _page_notes(pages))


def _pages(reader: pypdf.PdfReader, name: str, clock: Clock) -> list[str | None]:
    """The text of each page; None for one that cannot be read."""
    if len(reader.pages) > MAX_PAGES:
        raise BadFile(f"{name!r} has over {MAX_PAGES:,} pages, the most that can be taken. Split it into parts.")
    texts: list[str | None] = []
    for page in reader.pages:
        clock.check()
        try:
            texts.append(page.extract_text(visitor_operand_before=clock.check).strip())
        except DependencyError:
            raise
        except Exception:  # As in `fenced`; one damaged page does not cost the person the others, and a note names it.
            texts.append(None)
    return texts


def _pdf_title(reader: pypdf.PdfReader) -> str:
    try:
        title = reader.metadata.title if reader.metadata else ""
    except Exception:  # As in `fenced`; a text whose title is damaged is still a text.
        return ""
    return title if isinstance(title, str) else ""  # a number or a list, in a damaged file


def _without_text(name: str, pages: list[str | None]) -> BadFile:
    if pages and all(page is None for page in pages):
        return BadFile(f"{name!r} has no page that can be read: it is damaged. Open it in a PDF program and save it again.")
    return BadFile(f"{name!r} holds pictures of pages (a scan) or empty pages, no text. Run text recognition (OCR) on it first.")


def _page_notes(pages: list[str | None]) -> tuple[str, ...]:
    empty = [number for number, page in enumerate(pages, 1) if page == ""]
    damaged = [number for number, page in enumerate(pages, 1) if page is None]
    found = ((empty, "hold no text (they are empty, or pictures)"), (damaged, "are damaged and could not be read"))
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


def _undivided(text: str) -> str:
    """Words divided at the end of a line made whole; the hyphen stays in a word that the text elsewhere writes with one."""
    if not _LINE_HYPHEN.search(text):
        return text
    known = set(_WORD.findall(text.lower()))

    def whole(match: regex.Match[str]) -> str:
        hyphened, plain = f"{match[1]}-{match[2]}", match[1] + match[2]
        keep = plain.lower() not in known and (hyphened.lower() in known or "-" in plain)
        return f"{hyphened if keep else plain}{match[3]}\n"

    return _LINE_HYPHEN.sub(whole, text)


def _unknown(data: bytes, shown: str, ending: str) -> Extracted:
    """A file of another ending: plain text, if its bytes are one."""
    try:
        found = _text(data, shown)
    except BadFile as error:
        raise BadFile(f"{error} The kinds known by their endings are {_known()}.") from error
    notes = (f"The ending .{ending} is not one of {_known()}; the file was read as plain text.",) if ending else ()
    return Extracted(found.text, notes=(*notes, *found.notes))


def _known() -> str:
    return ", ".join(KINDS)


KINDS: dict[str, Callable[[bytes, str], Extracted]] = {
    "txt": _plain,
    "md": _markdown,
    "markdown": _markdown,
    "html": _html,
    "htm": _html,
    "xhtml": _html,
    "pdf": _pdf,
    "epub": extract.epub,
    "docx": extract.docx,
}
