"""Readings of ReadAgent's over paragraphs of known sizes, with a model that plays its part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import words
from readers.engine.text.document import Document
from readers.readagent import ReadAgent
from tests.support.models.scripted_models import Scripted

READER = ReadAgent()
STOP = -1
QUESTION = "Where is it?"
SMALL = {"min_words": 20, "max_words": 50}


def paragraphs(*sizes: int) -> Document:
    """Paragraphs of so many words; the first word of each is `Part` and its number."""
    return Document.of(
        "\n\n".join(" ".join([f"Part{n}", *(f"w{n}x{w}" for w in range(size - 1))]) for n, size in enumerate(sizes))
    )


def model(
    *,
    labels: Callable[[Call], str | int] = lambda call: 1,
    gist: Callable[[Call], str] = lambda call: "Gist of " + (call.part("page")[0].split() or ["nothing"])[0] + ".",
    asks: Sequence[str | int | list[int]] = (),
    section: str = "no",
    answer: str = "forty-two",
) -> Scripted:
    """A model that pauses at these labels, asks for these pages and gives this answer. Strings are sent as they are."""
    left = list(asks)

    def reply(call: Call) -> str:
        prompt = call.prompt.id.removeprefix("readagent.")
        if prompt == "pause":
            label = labels(call)
            return label if isinstance(label, str) else call.prompt.reply.render({"label": label})
        if prompt in ("gist", "gist_for"):
            return gist(call)
        if prompt == "new_section":
            return section
        if prompt in ("look_up", "look_up_next"):
            asked = left.pop(0) if left else ([] if prompt == "look_up" else STOP)
            if isinstance(asked, str):
                return asked
            named: dict[str, Any] = {"pages": ", ".join(map(str, asked))} if isinstance(asked, list) else {"action": asked}
            return call.prompt.reply.render({**named, "reasoning": f"because of {asked}"})
        return answer

    return Scripted(reply)


def read(document: Document, scripted: Any, *, choices: tuple[str, ...] = (), window: int | None = None, **options: Any) -> Trace:
    spec = RunSpec("readagent", READER.version, QUESTION, choices=choices, options={**SMALL, **options}, window=window)
    return rehearse(document, READER, spec, scripted)


def share_of(share: float) -> Callable[[Call], str]:
    """Gists with this share of the words of their pages."""
    return lambda call: "lamp " * max(8, int(share * words.count(call.part("page")[0])))


def pages(trace: Trace) -> list[dict[str, Any]]:
    return list(READER.view(trace)["pages"])


def lookups(trace: Trace) -> list[tuple[list[int], list[int], list[tuple[int, str]]]]:
    rows = READER.view(trace)["lookups"]
    return [(row["requested"], row["accepted"], [(one["page"], one["reason"]) for one in row["dropped"]]) for row in rows]


def asked(scripted: Scripted, name: str) -> list[Call]:
    return [call for call in scripted.calls if call.prompt.id == f"readagent.{name}"]


def shown(call: Call) -> str:
    return call.messages[0]["content"]


EVEN = paragraphs(*[10] * 12)
