"""What the page shows of texts, replies and names is characters, never markup; and the text is shown whole and in its place."""

from __future__ import annotations

import ast
import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.html import document, markup
from components.html.document import Mark
from readers.engine.text.document import PrintedPage, Span
from tests.support.paths import ROOT

HOSTILE = (
    """<script>alert(1)</script> <img src=x onerror="alert(1)"> "><svg/onload=alert(1)> """
    """' onmouseover='alert(1) </p></div>&lt;b&gt; &amp;"""
)
TAGS = {
    "p", "div", "span", "mark", "h1", "h2", "h3", "ol", "ul", "li", "a", "b", "i", "small", "blockquote", "abbr", "header",
    "table", "tbody", "tr", "th", "td", "dl", "dt", "dd", "figure", "figcaption", "details", "summary", "button",
}  # fmt: skip
ATTRIBUTES = {
    "class", "href", "title", "value", "start", "id", "aria-hidden", "aria-label", "role", "scope", "tabindex", "type", "popover",
    "popovertarget", "dir", "data-kind", "data-depth", "aria-level",
}  # fmt: skip

text_of_any_kind = st.text(st.characters(codec="utf-8"), max_size=200) | st.just(HOSTILE) | st.text("a <>&\"'\n.", max_size=200)


class Seen(HTMLParser):
    """The tags, attributes and characters a browser would make of it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: dict[str, list[str]] = {}
        self.words = ""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, []).append(value or "")

    def handle_data(self, data: str) -> None:
        self.words += data


def harmless(html: str) -> Seen:
    seen = Seen(html)
    assert seen.tags <= TAGS
    assert set(seen.attributes) <= ATTRIBUTES
    assert all(re.fullmatch(r"\./|#evidence|\?run=.*", link) for link in seen.attributes.get("href", []))
    return seen


def test_html_is_filled_by_markupsafe_alone_so_that_nothing_can_be_left_unescaped() -> None:
    written = [*(ROOT / "components" / "html").rglob("*.py"), *(ROOT / "components").rglob("*html.py")]
    by_hand = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in written
        if path.name != "styles.py"  # style sheets of our own alone
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        if any(isinstance(part, ast.Constant) and re.search("<[a-z/]", part.value) for part in node.values)
    ]
    assert not by_hand


@given(text_of_any_kind, st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=6), st.data())
def test_a_text_is_shown_whole_whatever_is_marked(text: str, places: list[tuple[int, int]], data: st.DataObject) -> None:
    marks = [
        Mark(min(a, b, len(text)), min(max(a, b), len(text)), data.draw(st.sampled_from(["evidence", "quote", "known"])))
        for a, b in places
    ]
    seen = harmless(document.passages(text, [Span(0, len(text))], marks))
    assert "".join(seen.words.split()) == "".join(text.split())


def test_marked_characters_are_the_ones_that_were_meant() -> None:
    text = "One & two.\n\nThree <four> five.\n\nSix."
    start, end = text.index("two"), text.index(" five")
    html = document.passages(text, [Span(0, len(text))], [Mark(start, end, "evidence")])
    assert re.findall(r'<mark class="evidence">(.*?)</mark>', html) == ["two.", "Three &lt;four&gt;"]
    assert html.count("has-evidence") == 2


def test_blocks_are_drawn_as_such_and_marks_in_them_are_where_they_were() -> None:
    text = "# Ink & <pens>\n\n- red\n- blue\n\nName | Age\n---|---\nAnn |\n\n```\n<b>\n```"
    marks = [
        Mark(text.index(words), text.index(words) + len(words), "hit") for words in ("Ink & <p", "ue", "Name | A", "Ann |", "<b>")
    ]
    html = document.passages(text, [Span(0, len(text))], marks)
    kinds = re.findall(r'<(?:p|div)[^>]* data-kind="(\w+)"', html)
    assert kinds == ["heading", "list", "bullet", "bullet", "table", "header", "rule", "row", "code"]
    assert "".join(harmless(html).words.split()) == "".join(text.split())
    marked = [unescape(words) for words in re.findall(r'<mark class="hit">(.*?)</mark>', html)]
    assert marked == ["Ink & <p", "ue", "Name", " | ", "A", "Ann", " |", "<b>"]
    assert '<p class="has-hit" data-kind="heading" data-depth="1" role="heading" aria-level="3" dir="auto">' in html


def test_a_line_says_where_a_page_begins() -> None:
    text = "One.\n\n- a\n- b\n\n- c\n\nTwo."
    pages = [PrintedPage(0, "iv"), PrintedPage(text.index("- c"), "<1>"), PrintedPage(text.index("Two"), "2")]
    seen = harmless(document.passages(text, [Span(6, len(text))], [], pages=pages))
    assert " ".join(seen.words.split()) == "⋯ 1 word not shown- a- bp. <1>- cp. 2Two."


def test_what_is_left_out_is_said_in_words() -> None:
    text = "one two three\n\nfour\n\nfive six"
    html = document.passages(text, [Span(15, 19)], [])
    assert re.findall(r"⋯ (.*?)</p>", html) == ["3 words not shown", "2 words not shown"]


def test_verse_keeps_its_lines_and_wrapped_prose_does_not() -> None:
    wrapped = "It was a long line of prose that the file had wrapped\nat some seventy characters a line, as old files do it."
    html = document.passages(f"Roses are red,\nviolets blue.\n\n{wrapped}", [Span(0, 200)], [])
    assert html.count('class="verse"') == 1


@pytest.mark.parametrize(
    "hostile", [HOSTILE, "![x](http://example.org/x.png)", "[a](http://x)", "# Title", "$x$ :red[y] **z** `q`", "1. a\n2. b"]
)
def test_plain_words_make_no_markdown(hostile: str) -> None:
    escaped = markup.plain(hostile)
    assert not re.search(r"(?<!\\)(?:\\\\)*[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", escaped))
    assert shown(escaped) == " ".join(hostile.split())


def shown(escaped: str) -> str:
    """The words that a reader sees of escaped ones."""
    return unescaped(escaped).replace(markup.JOINER, "")


def unescaped(escaped: str) -> str:
    """The words that Markdown makes of escaped ones."""
    return re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", escaped)


# What Streamlit's page makes something else of in words, once Markdown has been read: links, icons, emoji, arrows.
LOOKED_FOR = (
    r"(?i)(?<![\w\u2060])(https?://|www(?=\.))([-.\w]+)([^ \t\r\n]*)",
    r"(?:^|(?<=[^\w]))([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)",
    r":material[_/]\w+:",
    r":streamlit:",
    r":(?:100|1234|\+1|-1|[a-z][\w+-]*):",
    r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)",
)
PAYLOADS = (
    "http://evil.example/x", "https://evil.example", "HTTPS://EVIL.example", "(http://evil.example)", "see www.evil.example now",
    "WWW.evil.example", "mailto:me@evil.example", "me@evil.example", "xmpp:me@evil.example/x", "<https://evil.example>",
    "<me@evil.example>", ":material/home:", ":material_home:", ":streamlit:", ":smile:", ":+1:", ":100:", ":red[x]",
    ":red-background[x]", ":blue-badge[x]", ":small[x]", "$x$", "$$x$$", "[^1] [^1]: note", "![x](http://evil.example/x.png)",
    "[x](javascript:alert(1))", "[x]: http://evil.example", "a -> b <- c <-> d -- e >= f <= g ~= h", "->", "|a|b| |-|-| |1|2|",
    "~~x~~ ==x== ^x^", "- [ ] x", "&lt;b&gt; &amp; &#58;", "ftp://evil.example", "http://http://www.me@evil.example:80:x:",
)  # fmt: skip


@pytest.mark.parametrize("hostile", PAYLOADS)
def test_plain_words_are_no_link_icon_or_arrow_either(hostile: str) -> None:
    escaped = markup.plain(hostile)
    assert not re.search(r"(?<!\\)(?:\\\\)*[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", escaped))
    assert [found for pattern in LOOKED_FOR if (found := re.search(pattern, unescaped(escaped)))] == []
    assert shown(escaped) == hostile


@pytest.mark.parametrize("harmless", ["at 12:30:45", "a - b", "Who wrote to Ann @ the harbour? She said: no.", "3 > 2", "x=-1"])
def test_words_in_which_nothing_is_found_stay_as_they_are(harmless: str) -> None:
    assert unescaped(markup.plain(harmless)) == harmless


def test_an_answer_is_found_in_the_evidence_whatever_its_white_space() -> None:
    text = "Aside. The lamp was\nburning (all night). She said so to me twice. The end."
    assert [text[a:b] for a, b, _ in document.quotes(text, "The lamp was burning (all night).", [Span(0, len(text))])] == [
        "The lamp was\nburning (all night)."
    ]
    both = document.quotes(
        text, "She said so to me twice. The lamp was burning (all night). Nobody ever knew that.", [Span(0, len(text))]
    )
    assert [text[a:b] for a, b, _ in both] == ["She said so to me twice.", "The lamp was\nburning (all night)."]
    assert not document.quotes(text, "The lamp was burning (all night).", [Span(0, 10)])


@given(
    st.text("ab \n.", max_size=400),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=5),
    st.integers(0, 60),
    st.integers(1, 300),
)
def test_windows_lie_in_the_text_in_order_and_within_their_budget(
    text: str, places: list[tuple[int, int]], around: int, most: int
) -> None:
    spans = [Span(min(a, b, len(text)), min(max(a, b), len(text))) for a, b in places]
    found = document.windows(text, spans, around=around, most=most)
    edges = [edge for window in found for edge in window]
    assert edges == sorted(edges)
    assert not edges or (edges[0] >= 0 and edges[-1] <= len(text))
    assert sum(end - start for start, end in found) <= most


def test_windows_hold_the_evidence_and_end_at_paragraphs() -> None:
    paragraphs = [f"Paragraph {n} says something of a certain length here." for n in range(40)]
    text = "\n\n".join(paragraphs)
    start = text.index(paragraphs[20])
    (window,) = document.windows(text, [Span(start, start + 10)], around=60)
    shown = text[window.start : window.end]
    assert paragraphs[20] in shown
    assert shown.split("\n\n") == [paragraph for paragraph in paragraphs if paragraph in shown]


@given(st.text("ab \n", max_size=500), st.integers(10, 200))
def test_the_parts_of_a_long_text_are_the_text(text: str, size: int) -> None:
    parts = document.pages(text, size)
    assert "".join(text[start:end] for start, end in parts) == text
    assert all(end - start <= size for start, end in parts)


def test_an_endless_line_is_shown_in_part() -> None:
    text = "x" * 5_000_000
    assert len(document.passages(text, [document.opening(text)], [])) < 10_000
    assert len(document.passages(text, document.windows(text, [Span(0, len(text))]), [Mark(0, len(text), "evidence")])) < 20_000
