"""What looks like a key, an address or a folder of a machine in what is about to be published: it is listed before anything is
written. Pure.

It looks at every word that a site has, also in its run files. It finds forms, not secrets: an e-mail address in a text may well
be public, and a password in a sentence has no form. Whoever publishes decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

LONGEST = 80  # characters of a finding that are shown
MOST = 50  # findings that are kept
_ENDS = ".,;:!?)]}>'\"”’"
_FORMS: Mapping[str, re.Pattern[str]] = {
    "a key": re.compile(
        r"\b(?:sk-[\w-]{16,200}|hf_\w{20,200}|gh[pousr]_\w{20,200}|github_pat_\w{20,200}|xox[abp]-[\w-]{10,200}|AKIA[0-9A-Z]{16}"
        r"|AIza[\w-]{30,200}|Bearer [\w.~+/-]{16,400})"
    ),
    "an e-mail address": re.compile(r"\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"),
    "an address of a server": re.compile(
        r"\bhttps?://[\w:%.~-]{1,200}@[\w.-]{1,200}|\b(?:https?://)?(?:localhost:\d{2,5}|127\.\d{1,3}\.\d{1,3}\.\d{1,3}"
        r"|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3})(?::\d{2,5})?\b"
    ),
    "a folder": re.compile(r"(?<![\w/.])/(?:home|Users|root|mnt|media|tmp|private|var|opt|srv|data)/[^\s\"'<>|]{1,200}"
                           r"|\b[A-Za-z]:\\\\?[^\s\"'<>|]{1,200}"),
}  # fmt: skip
_HINTS = re.compile(r"sk-|hf_|gh[pousr]_|github_pat_|xox|AKIA|AIza|Bearer |@|localhost|127\.|10\.|192\.168|172\.|/home/"
                    r"|/Users/|/root/|/mnt/|/media/|/tmp/|/private/|/var/|/opt/|/srv/|/data/|:\\")  # fmt: skip


@dataclass
class Inspection:
    """What was found so far, as what and in which words: the file where it was first, and how many times it came."""

    found: dict[tuple[str, str], str] = field(default_factory=dict)
    times: Counter[tuple[str, str]] = field(default_factory=Counter)

    def look(self, where: str, value: Any) -> None:
        """Look at all words of JSON data that will be in a file."""
        for words in _strings(value):
            if not _HINTS.search(words):
                continue
            for kind, form in _FORMS.items():
                for match in form.finditer(words):
                    self._keep((kind, match[0].rstrip(_ENDS)[:LONGEST]), where)

    def _keep(self, one: tuple[str, str], where: str) -> None:
        if one in self.found or len(self.found) < MOST:
            self.found.setdefault(one, where)
            self.times[one] += 1

    @property
    def lines(self) -> list[str]:
        """A line for each finding."""
        again = {one: f", {times:,} times in all" for one, times in self.times.items() if times > 1}
        return [f"{one[0]}: {one[1]}  (in {where}{again.get(one, '')})" for one, where in self.found.items()]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)
