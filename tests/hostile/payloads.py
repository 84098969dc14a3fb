"""A hundred strings that would do something if they were more than characters: on a page, in a terminal, in a file."""

from __future__ import annotations

MARKUP = (
    "<script>window.hurt=1</script>",
    '<img src=x onerror="window.hurt=1">',
    "<svg onload=window.hurt=1>",
    "</textarea><b>out</b>",
    "</title></style></script>",
    "<iframe srcdoc='<script>parent.hurt=1</script>'>",
    "<a href=javascript:window.hurt=1>go</a>",
    "<style>*{display:none}</style>",
    "<!-- gone -->",
    "<p hidden>gone</p>",
    "&lt;b&gt;bold&lt;/b&gt;",
    "&amp;&#60;i&#62;",
    "![x](http://example.org/x.png)",
    "[go](http://example.org)",
    "<http://example.org>",
    "**bold** __bold__",
    "*slant* _slant_",
    "~~gone~~",
    "`code` ```code```",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "| a | b |",
    "---",
    "$x^2$ and $$y$$",
    "\\(x\\) \\[y\\]",
    ":red[red] :blue-background[x]",
    ":material/home: :smile:",
    "$name ${name} $$name",
    "{name} {{name}} %s %(name)s",
    "href",
    "\\u003cscript\\u003e",
    "\\n\\t\\0",
    "'\"`",
    "' onmouseover='window.hurt=1",
    '" autofocus onfocus="window.hurt=1',
    "<details open ontoggle=window.hurt=1>",
    "<math><mi//xlink:href='data:x,<script>'>",
    "<input autofocus onfocus=window.hurt=1>",
    "]]>",
    "<![CDATA[x]]>",
    "<?xml?>",
    "<template><b>x</b></template>",
    "<noscript><p title='</noscript><img src=x onerror=window.hurt=1>'>",
    "[x]: http://example.org",
    "[^1] footnote",
    "\u202egnirts\u202c",
    "a\u200bb",
    "https://example.org/?a=b&c=d",
)
ADDRESSES = (
    "www.example.org/x", "HTTPS://EXAMPLE.org", "me@example.org", "mailto:me@example.org", "xmpp:me@example.org/x",
    "ftp://example.org", "//example.org/x", "data:text/html,<script>window.hurt=1</script>", "vbscript:window.hurt",
    "[go](javascript:window.hurt=1)", "[go](data:text/html;base64,PHNjcmlwdD4=)", "![x](//example.org/x.svg \"t\")",
    "<img srcset=//example.org/x>", "<link rel=stylesheet href=//example.org>", "<base href=//example.org/>",
    "<meta http-equiv=refresh content=0;url=//example.org>", "<form action=//example.org><button>x</button></form>",
    "<object data=//example.org></object><embed src=//example.org>", "<video src=x onerror=window.hurt=1></video>",
    "<body onload=window.hurt=1>",
)  # fmt: skip
OF_STREAMLIT = (
    ":material_home: :streamlit:", ":red-badge[x] :blue-badge[:material/home:]", ":rainbow[x] :small[x] :primary[x]",
    ":green[:red[x]]", ":+1: :100: :shortcode:", "a -> b <- c <-> d -- e >= f <= g ~= h", "- [ ] task",
    "$$\\href{//example.org}{x}$$",
    "\\begin{x}\\end{x}", "~~~mermaid\ngraph TD; a-->b\n~~~", "```html\n<b>x</b>\n```", "&#x3c;script&#x3e;",
    "&NewLine;&colon;&lpar;",
)  # fmt: skip
OF_LETTERS = (
    "\u2067rtl\u2069 \u200fx\u200e", "z\u0335a\u0335l\u0335g\u0335o\u0335" * 12, "\ufeffbom \u00ad soft",
    "\u2028line\u2029paragraph",
    "x" * 300, "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\ufdfd\ufdfd", "Ａ＜ｂ＞", "\x1b]8;;http://example.org\x07x\x1b]8;;\x07",
    "\x1b]52;c;cm0gLXJm\x07", "\x1b[2J\x1b[31m", "\x9b31m\x7f\x08\x0c", "\r\nSet-Cookie: a=b", "\x00nul",
)  # fmt: skip
OF_FILES = ('=HYPERLINK("//example.org")', "@SUM(1+1)*cmd|' /C calc'!A0", "../../etc/passwd")  # a cell, another, a name
PAYLOADS = (*MARKUP, *ADDRESSES, *OF_STREAMLIT, *OF_LETTERS, *OF_FILES)
assert len(set(PAYLOADS)) == len(PAYLOADS) == 100
PRINTABLE = tuple(payload for payload in PAYLOADS if payload.isprintable())  # what a name or a tag may hold
