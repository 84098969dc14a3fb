"""Readings of QRMeM's over a text of small segments, with a model that plays its part in building and walking the graph."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from readers.qrmem import QRMeM
from tests.support.models.scripted_models import Scripted

READER = QRMeM()
QUESTION = "Who built the boat of Ada Quill?"
Pairs = Mapping[tuple[str, str], str]

# Four segments of a chain: Ada Quill – Swallow – Ned Farrow – Port Ellary.
CHAIN = (
    "ada quill kept a boat called swallow, and she was seen on it in all weathers, summer and winter, by anyone who looked.",
    "of swallow it is told that ned farrow had made every plank and every peg of it with his own two hands, one spring.",
    "ned farrow had come from port ellary as a boy, with a bag of tools and nothing else that anybody has ever heard of.",
    "in port ellary there is a school for those who want to learn, and a bell that is rung whenever a ship comes home.",
)
SAID: Pairs = {
    ("ada quill", "swallow"): "ada quill kept the boat swallow.",
    ("swallow", "ned farrow"): "ned farrow made swallow.",
    ("ned farrow", "port ellary"): "ned farrow came from port ellary.",
}


def text(*segments: str) -> Document:
    """A document whose paragraphs are segments of their own at 32 tokens, written small so that rules find no names."""
    return Document.of("\n\n".join(segments), title="Chain")


@dataclass
class Plan:
    """What the model says. Entities and relations are those of these pairs that stand in the segment, unless a function says
    otherwise; a string is sent as it is."""

    said: Pairs = field(default_factory=lambda: SAID)
    start: Sequence[str] | str = ("Ada Quill",)
    verdicts: list[str] = field(default_factory=list)
    """A reason to decline (`no: ...`), an answer (`yes: ...`), or a reply as it is."""
    entities: Callable[[Call], Any] | None = None
    relations: Callable[[Call], Any] | None = None
    questions: Callable[[Call], Any] = lambda call: []
    more_entities: Callable[[Call], Any] = lambda call: []
    more_relations: Callable[[Call], Any] = lambda call: []
    same: Callable[[Call], Any] = lambda call: []
    revise: list[Any] = field(default_factory=list)
    fused: Callable[[Call], str] = lambda call: " and ".join([*call.part("one"), *call.part("other")])
    longer: str = "Who built the boat swallow of Ada Quill, made of planks?"
    answer: str = "forty-two"

    def model(self) -> Scripted:
        return Scripted(self._reply)

    def _reply(self, call: Call) -> str:
        name = call.prompt.id.removeprefix("qrmem.")
        done = {
            "segment_summary": lambda: "It tells of: " + " ".join(call.part("segment")[0].split()[:4]),
            "summary": lambda: "All of it: " + " ".join(call.part("summaries")[0].split()[:6]),
            "entities": lambda: self._in_segment(call) if self.entities is None else self.entities(call),
            "relations": lambda: self._pairs(call) if self.relations is None else self.relations(call),
            "questions": lambda: self.questions(call),
            "more_entities": lambda: self.more_entities(call),
            "more_relations": lambda: self.more_relations(call),
            "same": lambda: self.same(call),
            "merge_question": lambda: "What of both?",
            "merge_relations": lambda: self.fused(call),
            "start": lambda: self.start if isinstance(self.start, str) else list(self.start),
            "answerable": lambda: self._verdict(call),
            "revise": lambda: self.revise.pop(0),
            "elaborate": lambda: self.longer,
            "answer": lambda: self.answer,
            "answer_choice": lambda: self.answer,
        }[name]()
        return done if isinstance(done, str) else call.prompt.reply.render({call.prompt.reply.main: json.dumps(done)})

    def _in_segment(self, call: Call) -> list[str]:
        segment = call.part("segment")[0].casefold()
        return [name for name in dict.fromkeys(name for pair in self.said for name in pair) if name in segment]

    def _pairs(self, call: Call) -> list[dict[str, str]]:
        listed = {name.casefold() for name in call.part("entities")}
        return [{"a": a, "b": b, "relation": words} for (a, b), words in self.said.items() if {a, b} <= listed]

    def _verdict(self, call: Call) -> str:
        verdict = self.verdicts.pop(0) if self.verdicts else "no: nothing is there"
        kind, _, words = verdict.partition(": ")
        if kind == "yes":
            return call.prompt.reply.render({"reasoning": "it says so", "action": -2, "answer": words})
        return call.prompt.reply.render({"reasoning": words, "action": -1}) if kind == "no" else verdict


def read(document: Document, model: Any, *, question: str = QUESTION, choices: tuple[str, ...] = (), **options: Any) -> Trace:
    """A reading with segments of 32 tokens; `window` is the model's own."""
    window = options.pop("window", None)
    options = {"segment_tokens": 32, "graph_update": False, **options}
    return rehearse(document, READER, RunSpec("qrmem", READER.version, question, choices, options, window=window), model)


def walk(trace: Trace) -> list[dict[str, Any]]:
    return list(READER.view(trace)["walk"])


def called(trace: Trace, ref: str) -> str:
    """What the reader calls a ref, or the id of something written."""
    return READER.names(trace).get(ref) or READER.names(trace).get(f"wrote:{ref}", ref)


def chosen(trace: Trace, action: str) -> list[str]:
    """What was picked by this action, by name."""
    return [called(trace, event.picked) for event in trace.decisions(action)]


def asked(scripted: Scripted, name: str) -> list[Call]:
    return [call for call in scripted.calls if call.prompt.id == f"qrmem.{name}"]


def shown(call: Call) -> str:
    return call.messages[0]["content"]


ANSWERED = ["yes: y"]


def build(document: Document, **plan: Any) -> Trace:
    options = plan.pop("options", {})
    return read(document, Plan(verdicts=list(ANSWERED), **plan).model(), **options)


def entities(trace: Trace) -> dict[str, dict[str, Any]]:
    return {entity["name"]: entity for entity in READER.view(trace)["entities"]}


def relations(trace: Trace) -> dict[tuple[str, str], tuple[str, list[int]]]:
    view = READER.view(trace)
    name = {entity["id"]: entity["name"] for entity in view["entities"]}
    return {(name[one["a"]], name[one["b"]]): (one["text"], one["segments"]) for one in view["relations"]}


def dropped(trace: Trace) -> list[tuple[str, str]]:
    return [(event.picked, event.because) for event in trace.decisions("drop")]


def crowded(count: int, segments: int) -> tuple[Document, Plan, str]:
    """A text in which `count` people stand, each related to the one before, in so many segments of 320 tokens; and a question."""
    names = [f"person{n} of town{n % 97}" for n in range(count)]
    each = -(-count // segments)
    parts = [f"{', '.join(names[n : n + each])} met." for n in range(0, count, each)]

    def there(call: Call) -> list[str]:
        return re.findall(r"person\d+ of town\d+", call.part("segment")[0])

    def tied(call: Call) -> list[dict[str, str]]:
        return [{"a": a, "b": b, "relation": f"{a} met {b}"} for a, b in pairwise(there(call))]

    plan = Plan(start=[names[0]], entities=there, relations=tied, verdicts=["no: more"] * 4 + ["yes: it is so"])
    return Document.of("\n\n".join(parts), title="Crowd"), plan, f"Who met {names[0]}?"


# The chain as one text. Every segment has at most 32 tokens; two fit into this window, three do not.
LONG = text(*CHAIN)
TWO_SEGMENTS = 62
# In that window, segments 2 and 3 are shown once each and leave the view; both are what these reasons are about.
LEFT_BEHIND = [
    "no: x",
    "no: who taught ned farrow as a boy, with his bag of tools",
    "no: who else had made a plank or a peg with his own two hands",
]


def rows(trace: Trace, *keys: str) -> list[tuple[Any, ...]]:
    """These fields of every trial of the walk."""
    return [tuple(row[key] for key in keys) for row in walk(trace)]
