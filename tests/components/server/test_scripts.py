"""Scripts at addresses of their own: what is answered to whom, and that an address never means another script."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from components.server.scripts import Scripts
from components.session import scripts


def answer(path: str, method: str = "GET", kind: str = "http") -> tuple[int, dict[str, str], bytes] | None:
    """Status, headers and body; None where the request was passed on to the app."""
    sent: list[dict[str, Any]] = []

    async def behind(*_: Any) -> None:
        return

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Scripts(behind)({"type": kind, "method": method, "path": path, "headers": []}, behind, send))  # type: ignore[arg-type]
    if not sent:
        return None
    head, body = sent
    return head["status"], {name.decode(): value.decode() for name, value in head["headers"]}, body["body"]


@pytest.mark.parametrize("before", ["", "/behind/a/proxy", "/Trace"])
def test_a_script_is_answered_to_be_kept_for_good_wherever_the_app_lies(before: str) -> None:
    file = scripts.keep("lamp", "export default () => 'é';\n")
    found = answer(f"{before}/scripts/{file}")
    assert found is not None
    status, headers, body = found
    assert (status, body.decode()) == (200, "export default () => 'é';\n")
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"


def test_what_is_no_script_is_told_so_and_not_kept() -> None:
    scripts.keep("lamp", "1;\n")
    for path in ("/scripts/lamp-0123456789abcdef.js", "/scripts/", "/scripts/..%2f..%2fetc%2fpasswd"):
        found = answer(path)
        assert found is not None
        assert (found[0], found[1]["cache-control"]) == (404, "no-store")


def test_every_other_request_is_passed_on() -> None:
    file = scripts.keep("lamp", "1;\n")
    assert answer("/Trace") is None
    assert answer(f"/{file}") is None
    assert answer(f"/myscripts/{file}") is None
    assert answer(f"/scripts/{file}", "PUT") is None
    assert answer(f"/scripts/{file}", kind="websocket") is None


def test_another_script_has_another_address_and_the_same_one_the_same() -> None:
    first, second = scripts.keep("lamp", "1;\n"), scripts.keep("lamp", "2;\n")
    assert first != second
    assert scripts.keep("lamp", "1;\n") == first
    assert (scripts.find(first), scripts.find(second)) == (b"1;\n", b"2;\n")
