"""Words from models and people are words on every page: each of a hundred payloads, in every field that they come in by.

    python -m tests.hostile.words

Each stands behind a number of its own. What is sent as HTML is read by a parser, and the payload must be whole in its text; what
is sent as Markdown holds it as `markup.plain` writes it; all else must be on the list of what Streamlit shows as it is. Browser
components get JSON, of which their scripts make text alone (`tests/components/html/test_scripts.py`). A home holds some of the
payloads in each field; run as a program, this fills homes and draws their pages until every field has shown every payload.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import Any, NamedTuple

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from components.html import markup
from components.readings.wording import spoken_title
from components.session import hidden_answers, process_cache
from readers import get
from readers.engine.errors import ModelFailed
from readers.engine.labels.codebook import begun
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label
from readers.engine.labels.project import Settings
from readers.engine.models.call import Call
from readers.engine.models.local import other_servers
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.hostile.payloads import PAYLOADS, PRINTABLE
from tests.support.app_pages import opened
from tests.support.labels import about
from tests.support.models.scripted_models import Scripted, Thinking

NOT_SHOWN = {"prompts", "template", "set's note", "who"}  # they are shown after a click, or only exported
NUMBER = re.compile(r"zq(\d{4})z")
LEAST = 6  # characters of a payload that was cut


@dataclass
class Turns:
    """Whose turn it is: of each field the payloads in turn, each field from another one on, and first those that no page has
    shown of it. Lasts over many homes."""

    of_field: dict[str, tuple[str, ...]] = field(default_factory=dict)
    given: Counter[tuple[str, str]] = field(default_factory=Counter)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def next(self, name: str, payloads: tuple[str, ...]) -> str:
        if name not in self.of_field:
            start = self.given.total() % len(payloads)
            self.of_field[name] = payloads[start:] + payloads[:start]
        found = min(self.of_field[name], key=lambda one: ((name, one) in self.seen, self.given[name, one]))
        self.given[name, found] += 1
        return found

    def left(self) -> set[tuple[str, str]]:
        """The payloads that no page has shown of a field yet."""
        every = {(name, one) for name, payloads in self.of_field.items() if name not in NOT_SHOWN for one in payloads}
        return every - self.seen


@dataclass
class Words:
    """Hands out the payloads, each with a number, and remembers which field got which."""

    turns: Turns = field(default_factory=Turns)
    given: dict[int, tuple[str, str]] = field(default_factory=dict)

    def of(self, name: str, count: int = 1, *, most: int = 0) -> str:
        """Payloads for a field; with `most`, one of printable characters that is no longer."""
        allowed = tuple(one for one in PRINTABLE if len(one) <= most - 8) if most else PAYLOADS
        found = []
        for _ in range(count):
            payload = self.turns.next(name, allowed)
            self.given[len(self.given)] = (name, payload)
            found.append(f"zq{len(self.given) - 1:04}z {payload}")
        return " ".join(found)

    def all_of(self, name: str) -> list[str]:
        return [self.of(name) for _ in PAYLOADS]


class Sent(NamedTuple):
    """A string of a message to the browser, and which field it is in."""

    place: str
    words: str


# What Streamlit shows as it is, by the message and its field; all else is Markdown, or is not sent at all.
AS_IT_IS = {
    "BidiComponent.json", "TextInput.default", "TextArea.default", "Selectbox.options", "MultiSelect.options", "TextInput.value",
    "TextArea.value", "Selectbox.raw_value", "MultiSelect.raw_values",
}  # fmt: skip


def sent_by(app: AppTest) -> Iterator[Sent]:
    def strings(message: Message, path: str) -> Iterator[Sent]:
        for about_field, value in message.ListFields():
            for one in value if not isinstance(value, (str, bytes, Message)) and hasattr(value, "__iter__") else [value]:
                if isinstance(one, Message):
                    yield from strings(one, type(one).__name__)
                elif isinstance(one, (str, bytes)) and NUMBER.search(
                    found := one if isinstance(one, str) else one.decode("utf-8", "replace")
                ):
                    yield Sent(f"{path}.{about_field.name}", found)

    def nodes(node: Any) -> Iterator[Any]:
        yield node
        for child in getattr(node, "children", {}).values():
            yield from nodes(child)

    for node in nodes(app._tree):
        if isinstance(proto := getattr(node, "proto", None), Message):
            yield from strings(proto, type(proto).__name__)


class Page(HTMLParser):
    """The text of some HTML, and its attributes."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(body)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.text.append("\0")
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


FIGURE = "PlotlyChart.spec"
HARMLESS_ATTRIBUTES = ("title", "aria-label", "alt", "data-words", "class", "id")


def faults(sent: Sent, words: Words) -> Iterator[str]:
    """What is wrong with a string that holds payloads."""
    if sent.place == "Html.body":
        page = Page(sent.words)
        yield from not_whole("".join(page.text), words, lambda one: one)
        for name, value in page.attributes:
            if NUMBER.search(value):
                if name in HARMLESS_ATTRIBUTES:
                    yield from not_whole(value, words, lambda one: one)
                else:
                    yield f"the attribute {name}={value!r}"
    elif sent.place == FIGURE:  # plotly reads some tags, and no Markdown
        for one in in_json(json.loads(sent.words)):
            yield from not_whole(one, words, lambda one: escape(one, quote=False))
    elif sent.place not in AS_IT_IS:
        shown = sent.words.replace(markup.JOINER, "")
        found = list(not_whole(shown, words, lambda one: markup.plain(one).replace(markup.JOINER, "")))
        # In the list of readings, a checkbox is labelled with what a screen reader says: letters alone.
        spoken = sent.place == "Checkbox.label" and not list(not_whole(shown, words, spoken_title))
        yield from [] if spoken else found


def in_json(value: Any) -> Iterator[str]:
    """Every string in JSON data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from in_json(one)


def not_whole(shown: str, words: Words, written: Any) -> Iterator[str]:
    """The payloads that are not there as they should be `written`, from their numbers to their ends or to where they are cut."""
    tidy = " ".join(shown.split())
    for found in NUMBER.finditer(tidy):
        name, payload = words.given[int(found[1])]
        expected = " ".join(written(f"{found[0]} {payload.replace(chr(0), '') if name == 'note' else payload}").split())
        there = tidy[found.start() : found.start() + len(expected)]
        same = next((n for n, (a, b) in enumerate(zip(expected, there, strict=False)) if a != b), min(len(expected), len(there)))
        after = tidy[found.start() + same :].lstrip()
        cut = after[:1] in ("", "…", "\0") or (name == "reply" and NUMBER.match(after))  # a reader cuts a summary to its room
        if same < len(expected) and not (same >= LEAST and cut):
            yield f"{name}: {tidy[found.start() : found.start() + len(expected) + 20]!r} for {expected!r}"


# A home full of them


def read(store: Store, words: Words, reader: str, model: Any, **options: Any) -> Run:
    document = Document(words.of("title"), "\n\n".join([*words.all_of("text"), "The lamp was lit."]))
    spec = RunSpec(
        reader, get(reader).version, words.of("question", 4), model=f"openai/{words.of('model', most=40)}", options=options
    )
    run = create_run(store, document, get(reader), spec)
    done = execute(store, run.id, get(reader), Execution(model, concurrency=1))
    store.run_list.rename(run.id, words.of("name", most=100))
    store.run_list.set_note(run.id, words.of("note", 3))
    for _ in range(4):
        store.run_list.tag([run.id], words.of("tag", most=40))
    return done


def replying(words: Words) -> Scripted:
    def reply(call: Call) -> str:
        said = " ".join(words.of("reply", 3).split())
        if call.prompt.task == "choose":
            return call.prompt.reply.render({"reasoning": said, "action": 0})
        if call.prompt.task == "read":
            return call.prompt.reply.render({"reasoning": said, "action": -2, "answer": words.of("answer", 2)})
        return f"\\boxed{{{words.of('answer', 2)}}}" if call.prompt.task == "answer" else said

    return Scripted(reply)


@dataclass(frozen=True)
class Home:
    """The ids of what is there."""

    runs: tuple[str, ...]
    document: str
    question_set: str
    batch: str
    project: str
    annotator: str
    others: tuple[str, ...]  # projects besides


def filled(store: Store, words: Words, *, more: int = 1) -> Home:
    """A home with some payloads in each field; with about so many times `more` where that makes no more pages."""

    def refuses(call: Call) -> str:
        raise ModelFailed(f"the server says {words.of('error', 2 + more)}")

    thinking = Thinking(replying(words), words.of("thoughts", 5))
    tree = {"segment_tokens": 400, "max_children": 3, "max_steps": 4}
    runs = [
        read(store, words, "memwalker", thinking, **tree),
        read(store, words, "memagent", replying(words), chunk_tokens=600, memory_tokens=256),
        read(store, words, "whole", Scripted(refuses)),
    ]
    document = runs[0].document
    asked = [
        SetQuestion(f"q{n}", document, words.of("asked", 2), choices=tuple(words.of("choice") for _ in range(3)))
        if n % 2
        else SetQuestion(f"q{n}", document, words.of("asked"), answers=(words.of("known", more),))
        for n in range(6)
    ]
    made = store.question_sets.add(QuestionSet(words.of("set", most=100), tuple(asked), (), words.of("set's note")))
    plan = BatchPlan((RunSpec("whole", get("whole").version, ""),), name=words.of("batch", most=100))
    batch = batches.add(store, made.id, plan, readers=get, numbers=range(6))
    store.prompt_sets.save("memwalker", words.of("prompts", most=60), {"memwalker.leaf": words.of("template")})
    where, who = labelled(store, words, [run.id for run in runs[:2]], more)
    others = []
    for number in range(more - 1):
        run = read(store, words, "whole", replying(words))
        only = SetQuestion(f"more{number}", run.document, words.of("asked", 2))
        another = store.question_sets.add(QuestionSet(words.of("set", most=100), (only,), ()))
        named = BatchPlan(plan.variants, name=words.of("batch", most=100))
        batches.add(store, another.id, named, readers=get, numbers=[0])
        settings = Settings(start_stage=3, lead=words.of("owner", most=60))
        others.append(store.projects.create(words.of("project", most=80), settings, runs=[run.id], book=begun(()), by="Lea").id)
    return Home(tuple(run.id for run in runs), document, made.id, batch.id, where, who, tuple(others))


def labelled(store: Store, words: Words, runs: list[str], more: int) -> tuple[str, str]:
    """A project with codes, and labels of two people on each of its readings."""
    codes = [
        Code(f"N{n}", words.of("code", most=60), words.of("family", most=60),
             *(words.of(name, 1 + more // 3) for name in ("definition", "example", "near miss")))
        for n in range(3 + more)
    ]  # fmt: skip
    settings = Settings(start_stage=3, share=1.0, blind=False, lead=words.of("owner", most=60))
    where = store.projects.create(
        words.of("project", most=80), settings, runs=runs, book=begun(codes), by=words.of("who", most=60)
    )
    people = [store.projects.join(where.id, words.of("annotator", most=60)).name for _ in range(1 + more)]
    for number, run in enumerate(runs):
        for turn, who in enumerate(people[:2]):
            store.turns.open(where.id, run, who)
            given = about(where, run, who, "outcome", ("wrong", "correct")[turn])
            store.labels.put(given, 0)
            value = {"step": 1 + turn, "confidence": 2, "words": words.of("decisive", more)}
            store.labels.put(about(where, run, who, "decisive", value), 0)
            step = {"code": f"N{turn}", "severity": 2, "note": words.of("label", more)}
            label_id = f"{number}{turn}".rjust(32, "0")
            store.labels.put(Label(label_id, where.id, run, who, "step", {"step": 1}, step, 1), 0)
            store.turns.finish(where.id, run, who)
    return where.id, people[0]


def pages(home: Home) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every page that shows any of it, in each of its ways."""
    yield "", {}
    yield from (("1_Library", asks) for asks in ({}, {"document": home.document}))
    yield from (("2_Read", asks) for asks in ({"document": home.document}, {"after": home.runs[2]}))
    yield from (("3_Readings", asks) for asks in ({}, {"words": "zq"}))
    for run in home.runs:
        yield "3_Trace", {"run": run}
        yield "3_Trace", {"run": run, "depth": "full", "at": "2"}
    yield "3_Trace", {"run": home.runs[0], "depth": "full", "at": "9"}
    yield from (("4_Compare", asks) for asks in ({}, {"runs": ",".join(home.runs)}))
    yield from (("5_Questions", asks) for asks in ({}, {"set": home.question_set}, {"batch": home.batch}))
    yield from (("5_Annotate", asks) for asks in ({}, {"batch": home.batch}))
    for view in ("bench", "groups", "board", "codebook", "agreement", "results", "people"):
        yield "5_Annotate", {"project": home.project, "view": view}
    yield "5_Annotate", {"project": home.project, "view": "bench", "run": home.runs[0]}
    yield from (("5_Annotate", {"project": other, "view": "people"}) for other in home.others)
    yield "8_Models", {}


@dataclass(frozen=True)
class Drawn:
    """What was wrong on the pages of a home, and which fields each page showed."""

    wrong: list[str]
    fields: dict[str, set[str]]


def draw(home: Home, words: Words, *, only: Mapping[str, set[str]] | None = None) -> Drawn:
    """Draw the pages of a home; of those that are known to show certain fields, `only` those with something left to show."""
    drawn = Drawn([], {})
    left = {name for name, _ in words.turns.left()}
    for page, asks in pages(home):
        where = f"{page} {sorted(asks)} {asks.get('view', '')} {asks.get('at', '')}"
        if only is not None and not only.get(where, set()) & left:
            continue
        with opened(page) as app:
            app.session_state[hidden_answers.CHOSEN] = home.annotator
            app.query_params.update(asks)
            app.run()
            if app.exception:
                drawn.wrong.append(f"{where}: {app.exception[0].message}")
            for sent in sent_by(app):
                drawn.wrong.extend(f"{where} {sent.place} {one}" for one in faults(sent, words))
                for number in map(int, NUMBER.findall(sent.words)):
                    drawn.fields.setdefault(where, set()).add(words.given[number][0])
                    words.turns.seen.add(words.given[number])
    return drawn


MOST_HOMES, MORE = 60, 8
ENOUGH = 4  # times that a payload is put into a field whose pages cut it off


def every_payload() -> dict[str, Any]:
    """Fill homes and draw them until every field has shown every payload that it may hold; what came of it."""
    turns, wrong, homes = Turns(), list[str](), 0
    known: dict[str, set[str]] | None = None
    while homes < MOST_HOMES and (homes == 0 or any(turns.given[one] < ENOUGH for one in turns.left())):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PALIMPSEST_HOME"] = folder
            process_cache.clear()
            words = Words(turns)
            with Store() as store:
                home = filled(store, words, more=MORE)
            drawn = draw(home, words, only=known)
        known = known or drawn.fields
        wrong += drawn.wrong
        homes += 1
        print(f"{homes} homes: {len(turns.seen):,} shown, {len(turns.left()):,} left", file=sys.stderr, flush=True)
    missing = Counter(name for name, _ in turns.left())
    fields = len(set(turns.of_field) - NOT_SHOWN)
    return {"wrong": wrong[:20], "missing": dict(missing), "fields": fields, "shown": len(turns.seen), "homes": homes}


if __name__ == "__main__":
    other_servers.SERVERS = ()
    print(json.dumps(every_payload()))
