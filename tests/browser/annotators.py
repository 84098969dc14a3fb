"""The annotator's name in the browser's cookie."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import BrowserContext, Page

from components.session.hidden_answers import COOKIE


def known_as(page: Page, name: str) -> None:
    """Set the name for every new session of this browser; open sessions keep theirs."""
    page.context.add_cookies([{"name": COOKIE, "value": quote(name), "domain": "127.0.0.1", "path": "/"}])


def forget(context: BrowserContext) -> None:
    """A browser in which nobody has labelled yet."""
    context.clear_cookies(name=COOKIE)


def kept(context: BrowserContext) -> list[str]:
    """The names in the browser's cookie, as stored."""
    return [str(cookie.get("value")) for cookie in context.cookies() if cookie.get("name") == COOKIE]
