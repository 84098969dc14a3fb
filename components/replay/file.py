"""The replay file: one HTML page with its scripts, styles and data, which fetches nothing. Pure strings.

Everything from outside is in blocks of data, without any `<`, and the scripts insert it as text: a text as JSON; a reading, which
repeats itself at every step, compressed. The page's own policy allows only these scripts and styles, by their hashes: no other
script, no connection, no form, no frame.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

from components.html import styles
from components.html.scripts import script, vis_network
from components.html.terms import cards
from components.html.words import wording
from components.html.words.reading_words import title_in_list
from components.player.pictures import NETWORKS
from components.replay.reading import Replayed
from components.replay.reading import of as data_of
from readers.engine.analysis.measures import calls_counted
from readers.engine.errors import BadOptions
from readers.engine.store import Reading

MOST_READINGS = 12
PACKED = "application/octet-stream"  # of a block that is compressed; not run by a browser, like any type that is not a script's
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_IN_JSON = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
NO_SCRIPT = "This file shows a reading step by step. Your browser does not run its script; allow scripts for this file."


def replay_file(shown: Sequence[Replayed]) -> str:
    """The file of these readings, in their order. Raises BadOptions if there are none, too many, or one without a step."""
    if not 1 <= len(shown) <= MOST_READINGS:
        raise BadOptions(f"a replay holds 1 to {MOST_READINGS} readings, and these are {len(shown)}; leave some out")
    for one in shown:
        if not one.reading.trace.steps:
            raise BadOptions(f"reading {one.reading.run.id!r} has no step yet, so there is nothing to replay")
    documents = list({one.reading.document.id: one.reading.document for one in shown}.values())
    numbers = {document.id: number for number, document in enumerate(documents)}
    made = [{**data_of(one), "document": numbers[one.reading.document.id]} for one in shown]
    return page(f"{shown[0].reading.run.question} · Palimpsest replay", made, [one.text for one in documents])


def holds(readings: Sequence[Reading], *, known: bool) -> list[str]:
    """What a replay of these readings holds, in sentences, for those who are about to give it away. `known`: whether it has
    known answers."""
    texts = {one.document.id: f"“{one.document.title}” ({wording.size(one.document)})" for one in readings}
    calls = sum(sum(calls_counted(one.records)) for one in readings)
    readers = dict.fromkeys(title_in_list(one.run) for one in readings)
    return [
        f"The whole text: {'; '.join(texts.values())}.",
        f"{wording.count(len(readings))}, {'every step' if len(readings) == 1 else 'every step of each'}: {'; '.join(readers)}.",
        f"Every prompt and reply of {wording.count(calls, 'call')}, what a person wrote in their place, and the notes on steps.",
        f"{'The known answer, behind a switch.' if known else 'No known answer.'}",
        "It does not contain keys, server addresses, folders of this machine, your name, or other readings.",
    ]


def page(title: str, readings: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> str:
    """The file: readings (`reading.of`), each with the number of its text as `document`; the first is shown first."""
    drawn = any(one["frames"]["kind"] in NETWORKS for one in readings)
    scripts = [*([_lines(vis_network())] if drawn else []), _lines(script("replay/replay.js"))]
    data = [
        *(_json(f"text-{number}", text) for number, text in enumerate(texts)),
        *(_packed(f"reading-{number}", one) for number, one in enumerate(readings)),
    ]
    style = _style()
    return "".join(
        [
            *_head(title, scripts, style),
            f'<div id="replay"><noscript><p>{NO_SCRIPT}</p></noscript></div>\n{cards()}\n',
            *data,
            *(f"<script>{words}</script>\n" for words in scripts),
            "</body>\n</html>\n",
        ]
    )


def _head(title: str, scripts: Sequence[str], style: str) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts, style)}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"


@cache
def _style() -> str:
    return _lines(styles.of_a_file(*styles.PLAYER, "replay"))


def _lines(words: str) -> str:
    """The words with the line ends that a browser makes of them, so that their hash is the same."""
    return words.replace("\r\n", "\n").replace("\r", "\n")


def _policy(scripts: Iterable[str], style: str) -> str:
    allowed = " ".join(map(_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(words: str) -> str:
    return f"'sha256-{b64encode(sha256(words.encode()).digest()).decode()}'"


def _json(name: str, value: Any) -> str:
    """A block of data. No character in it can end the block, or be what UTF-8 cannot encode."""
    words = "".join(_escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))
    return f'<script type="application/json" id="{name}">{words}</script>\n'


def _packed(name: str, value: Any) -> str:
    """A block of data, compressed."""
    return f'<script type="{PACKED}" id="{name}">{packed(value)}</script>\n'


def packed(value: Any) -> str:
    """JSON data, compressed, in letters and figures: no character of it can be code."""
    return b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode())).decode()


def _escaped(words: str) -> Iterator[str]:
    at = 0
    for found in _IN_JSON.finditer(words):
        yield words[at : found.start()]
        yield _UNSAFE.get(found[0]) or f"\\u{ord(found[0]):04x}"
        at = found.end()
    yield words[at:]
