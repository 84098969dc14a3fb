"""The text of an HTML page, as blocks with blank lines between them.

lxml reads the page as a stream of tags, without a tree, so nesting costs no recursion. Not here: text that a script would write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from readers.engine import on_first_use
from readers.engine.errors import BadFile
from readers.engine.ingest.blocks import Blocks, TextBlock, text_of
from readers.engine.ingest.guard import MAX_DEPTH, Clock, Extracted, Kind, feed, guarded
from readers.engine.ingest.plain import declared_encoding, decoded

if TYPE_CHECKING:
    from lxml import etree
else:
    etree = on_first_use.module("lxml.etree")

# Not text of the page: code, menus, controls, the contents of pictures, and ruby annotations, which repeat the words below them.
_NOISE = frozenset({
    "script", "style", "template", "noscript", "nav", "svg", "iframe", "object", "audio", "video", "canvas", "button", "select",
    "textarea", "input", "datalist", "rt", "rp",
})  # fmt: skip
_BLOCK = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "legend",
    "li", "main", "menu", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr",
    "ul",
})  # fmt: skip
_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SPACE = regex.compile(r"[ \t\r\n\f]++")  # a no-break space is text
_BREAK = regex.compile(r" ?\v ?")
_BLANK_LINES = regex.compile(r"\n{3,}+")


class HtmlPage:
    """Collects the blocks of an HTML page from its tags, in order."""

    def __init__(self, name: str) -> None:
        self.blocks = Blocks()
        self.title = ""
        self.heading = ""
        self._name = name
        self._pieces: list[str] = []
        self._depth = self._skipped = self._pre = 0
        self._code = False  # in the open block
        self._lists: list[int | None] = []
        self._marker = ""
        self._heading = 0  # the depth of the open heading, until it has words

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadFile(f"{self._name!r} nests its tags over {MAX_DEPTH:,} deep, as no page does. Save its text as .txt.")
        if self._skipped or _is_noise(tag, attributes):
            self._skipped += 1
        elif tag == "br":
            self._pieces.append("\v")
        elif tag == "code":
            self._code = True
        elif tag in _BLOCK:
            self._flush()
            self._open(tag, attributes)

    def end(self, tag: str) -> None:
        self._depth -= 1
        if self._skipped:
            self._skipped -= 1
        elif tag in _BLOCK:
            text = self._flush(to_blocks=tag != "title")
            self._heading = 0
            if tag == "title":
                self.title = self.title or text
            elif tag in _HEADING:
                self.heading = self.heading or text
            self._close(tag)

    def data(self, text: str) -> None:
        if not self._skipped:
            self._pieces.append(text.replace("\r\n", "\n").replace("\n", "\v") if self._pre else text)

    def close(self) -> None:
        self._flush()

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "tr":
            self.blocks.open_row()
        elif tag in ("td", "th"):
            self.blocks.open_cell()
        elif tag == "pre":
            self._pre += 1
        elif tag == "ol":
            start = attributes.get("start") or "1"
            self._lists.append(int(start) if regex.fullmatch(r"\d{1,6}", start) else 1)
        elif tag in ("ul", "menu", "dir"):
            self._lists.append(None)
        elif tag == "li":
            self._marker = self._next_marker()
        elif tag in _HEADING:
            self._heading = int(tag[1])

    def _close(self, tag: str) -> None:
        if tag == "tr":
            self.blocks.close_row()
        elif tag == "pre":
            self._pre -= 1
        elif tag in ("ol", "ul", "menu", "dir"):
            self._lists.pop()
        elif tag == "li":
            self._marker = ""

    def _next_marker(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _flush(self, *, to_blocks: bool = True) -> str:
        """End the current block, and return it."""
        text = "".join(self._pieces)
        self._pieces.clear()
        text = text.replace("\v", "\n") if self._pre else _BREAK.sub("\n", _SPACE.sub(" ", text))
        text = _BLANK_LINES.sub("\n\n", text).strip("\n" if self._pre else None)
        if text.strip() and to_blocks:
            depth = 0 if self._marker else self._heading
            pre = self._pre > 0
            self.blocks.add(TextBlock(self._marker + text, depth, verbatim=pre, code=pre and self._code and not self._marker))
            self._marker = ""
            self._heading = 0
        self._code = False
        return text


def _is_noise(tag: str, attributes: dict[str, str]) -> bool:
    hidden = "hidden" in attributes and tag not in ("html", "body")
    return tag in _NOISE or hidden or attributes.get("role") == "navigation"


def extract_html(data: bytes, name: str) -> Extracted:
    """The headings, paragraphs, list items and table rows of an HTML page, without scripts, styles, menus and hidden elements."""
    text = decoded(data, name, declared=declared_encoding(data))
    page = page_of(text.text, name, clock=Clock())
    return Extracted(text_of(page.blocks.found), page.title or page.heading, text.notes)


def page_of(text: str, name: str, *, clock: Clock) -> HtmlPage:
    """The blocks of a page, and its title."""
    page = HtmlPage(name)
    if not text.strip():
        return page
    with guarded(name, "is not a page that can be read. Open it in a browser and save its text as .txt."):
        parser = etree.HTMLParser(target=page, encoding="utf-8", huge_tree=True)
        feed(parser, text.encode("utf-8", "replace"), clock)
    return page


HTML = Kind(("html", "htm", "xhtml"), extract_html)
