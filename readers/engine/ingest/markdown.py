"""A Markdown file stays as written, except that headings get blank lines around them.

Nothing is lost or moved (links, emphasis, code, tables): models read Markdown well, a pasted and an uploaded text are the same
document, and there is no parser to attack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from readers.engine.ingest.clean import check_tokens
from readers.engine.ingest.encoding import decoded
from readers.engine.ingest.guard import Extracted

# A line that opens or ends a code block, is a heading, or makes a heading of the line above it.
_MARK = re.compile(
    r"(?m)^ {0,3}(?:(?P<fence>`{3,}|~{3,})(?P<rest>.*)|(?P<heading>#{1,6}(?:[ \t].*)?)|(?P<under>={2,}|-{3,})[ \t]*)$"
)


def extract_markdown(data: bytes, shown: str) -> Extracted:
    """The text, and as its title the one in its front matter or its first heading."""
    found = decoded(data, shown)
    text = found.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    check_tokens(text, shown)  # before searching for headings, of which a hostile text may consist
    title = _front_title(text.split("\n", 100)[:100])
    gaps = [0]  # positions where a blank line is missing
    for heading, start, end in _headings(text):
        title = title or heading.strip("#*_` \t\n=-")
        gaps += [at for at in (start, end) if at > gaps[-1] and _touches(text, at)]
    pieces = (text[start:end] for start, end in pairwise([*gaps, len(text)]))
    return Extracted("\n".join(pieces), title, found.notes)


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Each heading outside code blocks, with the start and end of its lines (after the line break)."""
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
    """Whether the lines before and after `at` are both non-blank."""
    after = text.find("\n", at)
    before = text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at]
    return bool(before.strip() and text[at : after if after >= 0 else len(text)].strip())


def _front_title(lines: list[str]) -> str:
    """The title in the front matter: the settings at the very top, between two lines of dashes."""
    if lines[0].rstrip() != "---":
        return ""
    settings: list[str] = []
    for line in lines[1:100]:
        if line.rstrip() in ("---", "..."):
            named = [setting.partition(":")[2] for setting in settings if setting.startswith("title:")]
            return named[0].strip(" \t\"'") if named else ""
        settings.append(line)
    return ""
