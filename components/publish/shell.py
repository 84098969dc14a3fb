"""The page around everything in a published site: its policy, its head, the way to the other pages; and the files that all pages
share. Pure.

No page has a script or a style of its own: it loads those of the site, and its policy allows no others, no connection and no
form. So nothing that stands in a page's words can run, and no request leaves the folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Literal

from markupsafe import Markup

from components.html import styles
from components.html.scripts import script, vis_network
from components.html.terms import TERMS
from components.publish.data import script_of

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
FRONT = "index.html"
ScriptName = Literal["index", "player", "listed", "network", "terms"]
_ENTRIES: Mapping[ScriptName, str] = {
    "index": "site/index.js", "player": "site/with_player.js", "listed": "site/listed.js",
}  # fmt: skip
StyleName = Literal["pages", "reports", "reading"]
_SHEETS: Mapping[StyleName, tuple[str, ...]] = {
    "pages": ("site", "drawing", "gallery"),
    "reports": ("site", "report"),
    "reading": (
        *styles.PLAYER, "replay", "site", "versus", "site_compare", "drawing", "lesson", "site_lesson",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class SitePage:
    """A page of a site: its path from the top ("reading/ID/index.html"), its title, and what stands in it. `data`, by path, then
    `scripts` are loaded in their order; `about` is what its head says to those who share a link to it, by property."""

    path: str
    title: str
    body: Markup
    scripts: Sequence[ScriptName] = ()
    data: Sequence[str] = ()
    style: StyleName = "pages"
    about: Mapping[str, str] | None = None

    @property
    def top(self) -> str:
        """The way from this page to the top of the site."""
        return "../" * self.path.count("/")


def written(page: SitePage, site: str, sections: Sequence[tuple[str, str]]) -> str:
    """The page as HTML. `site` is the name of the site, `sections` are the paths and names of its pages on the way."""
    loaded = [*page.data, *(asset_path(name) for name in page.scripts)]
    title = page.title if page.title == site else f"{page.title} · {site}"
    return str(
        Markup(
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
            '<title>{title}</title>\n{about}<link rel="stylesheet" href="{style}">\n</head>\n<body>\n'
            "{ways}<main{inside}>\n{body}\n</main>\n{scripts}</body>\n</html>\n"
        ).format(
            policy=POLICY,
            title=title,
            about=joined(
                Markup('<meta property="{}" content="{}">\n').format(name, words) for name, words in (page.about or {}).items()
            ),
            style=page.top + style_path(page.style),
            ways=_ways(page, site, sections),
            inside=Markup(' class="site-page"') if page.style != "reading" else "",
            body=page.body,
            scripts=joined(Markup('<script src="{}"></script>\n').format(page.top + path) for path in loaded),
        )
    )


def _ways(page: SitePage, site: str, sections: Sequence[tuple[str, str]]) -> Markup:
    here = Markup(' aria-current="page"')
    links = joined(
        Markup('<a href="{}"{}>{}</a>').format(page.top + path, here if path == page.path else "", name)
        for path, name in sections
    )
    return Markup(
        '<header class="site-bar"><a class="site-name" href="{}">{}</a><nav aria-label="This site">{}</nav></header>\n'
    ).format(page.top + FRONT, site, links)


def assets(*, network: bool) -> dict[str, str]:
    """The scripts and styles of a site, by path; that of vis-network only if a picture needs it."""
    names: list[ScriptName] = [*_ENTRIES, "terms", *(["network"] if network else [])]  # type: ignore[list-item]
    return {**{asset_path(one): _script(one) for one in names}, **{style_path(one): _style(one) for one in _SHEETS}}


def asset_path(name: ScriptName) -> str:
    return f"assets/{name}-{_stamp(_script(name))}.js"


def style_path(name: StyleName) -> str:
    return f"assets/{name}-{_stamp(_style(name))}.css"


@cache
def _script(name: ScriptName) -> str:
    if name == "network":
        return vis_network()
    if name == "terms":
        return script_of("terms", [[f"term-{term.id}", term.name, term.meaning] for term in TERMS])
    return f"{{\n{script(_ENTRIES[name])}\n}}\n"


@cache
def _style(name: StyleName) -> str:
    return f"{styles.of_a_file(*_SHEETS[name])}\n{styles.places() if name == 'reports' else ''}"


@cache
def _stamp(words: str) -> str:
    return sha256(words.encode()).hexdigest()[:12]


def joined(parts: Iterable[Markup]) -> Markup:
    """Parts of a page, one after the other."""
    return Markup("").join(parts)
