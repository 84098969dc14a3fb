"""A replay file: the same story as on the page, whole, inert, and without anything of the machine."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from components.replay.file import PACKED, holds, replay_file
from components.replay.reading import Replayed, replayed, replayed_from, without_folders
from readers import READERS, get, offered
from readers.engine.analysis.narrate import narrate
from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.journal import recorded_messages
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document, Span
from tests.hostile.payloads import MARKUP
from tests.support.paths import ROOT
from tests.support.readings.every_reading import SMALL

RECORDINGS = sorted((ROOT / "assets" / "readings").glob("*-*.json"))
MOST_BYTES = 1_500_000  # beside the text
HIS_KEY = "sk-4f9c2e7741bd"


class Parsed(HTMLParser):
    """A page as a browser sees it: its elements with their attributes, and what stands in its scripts and styles."""

    def __init__(self, words: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        tag, attributes = self.elements[-1] if self.elements else ("", {})
        self.inside.append((tag, attributes, data))

    def data(self) -> Iterator[tuple[str, Any]]:
        """The blocks of data, by their ids."""
        for tag, attributes, words in self.inside:
            kind = attributes.get("type") if tag == "script" and words.strip() else None
            if kind:
                yield str(attributes["id"]), json.loads(zlib.decompress(b64decode(words)) if kind == PACKED else words)

    def code(self, kind: str) -> list[str]:
        """What is run (`script`) or applied (`style`)."""
        return [words for tag, attributes, words in self.inside if tag == kind and not attributes and words.strip()]


@cache
def recorded(path: Path) -> Replayed:
    return replayed_from(check_run_file(path, path.name, readers=offered), path.stem)


def readings_of(page: str) -> list[dict[str, Any]]:
    return [one for name, one in Parsed(page).data() if name.startswith("reading-")]


@pytest.fixture
def made(store: Store) -> Callable[..., Reading]:
    """Reads a text with the offline model, by MemWalker unless another reader is named."""

    def make(text: str, *, title: str = "A text", question: str = "Who rows?", reader_id: str = "memwalker") -> Reading:
        reader = get(reader_id)
        spec = RunSpec(reader.id, reader.version, question, options=SMALL[reader.id])
        run = create_run(store, Document(title, text), reader, spec)
        execute(store, run.id, reader, Execution(Offline()))
        return open_reading(store, run.id)

    return make


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_it_tells_every_step_in_the_same_sentence_as_the_page(path: Path) -> None:
    whole = recorded(path)
    one = whole.reading
    (shown,) = readings_of(replay_file([whole]))
    assert [step["say"] for step in shown["frames"]["steps"]] == list(narrate(one.trace, get(one.run.reader)))
    assert shown["question"] == one.run.question
    assert shown["answer"].get("words") == one.run.answer


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_it_is_small_beside_its_text(path: Path) -> None:
    page = replay_file([recorded(path)])
    assert len(page.encode()) - len(recorded(path).reading.document.text.encode()) < MOST_BYTES


def test_readings_of_one_text_share_it() -> None:
    shown = [recorded(path) for path in RECORDINGS if path.stem.startswith(("memagent-lamp", "memwalker-lamp"))]
    found = dict(Parsed(replay_file(shown)).data())
    assert [name for name in found if name.startswith("text-")] == ["text-0"]
    assert found["text-0"] == shown[0].reading.document.text
    assert {one["document"] for name, one in found.items() if name.startswith("reading-")} == {0}
    assert all(one["frames"]["text"]["whole"] is None for name, one in found.items() if name.startswith("reading-"))


def test_its_policy_allows_its_own_scripts_and_styles_alone_and_nothing_is_fetched() -> None:
    page = Parsed(replay_file([recorded(path) for path in RECORDINGS[-3:]]))
    policy = next(about["content"] for tag, about in page.elements if tag == "meta" and "http-equiv" in about)
    rules = dict(rule.strip().split(" ", 1) for rule in str(policy).split(";"))
    assert rules["default-src"] == "'none'"
    for kind in ("script", "style"):
        digests = [sha256(words.encode()).digest() for words in page.code(kind)]
        assert rules[f"{kind}-src"].split() == [f"'sha256-{b64encode(digest).decode()}'" for digest in digests]
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert not {name for _, about in page.elements for name in about} & {"src", "href", "style", "srcdoc", "action"}
    assert not re.search(r"url\((?!#)|@import", page.code("style")[0])


@pytest.mark.parametrize("reader_id", ["memwalker", "readagent", "memagent"])
def test_hostile_words_are_data_and_nothing_else(made: Callable[..., Reading], store: Store, reader_id: str) -> None:
    harmless = Parsed(replay_file([replayed(store, made("Hester rows. " * 40, reader_id=reader_id).run.id)]))
    for words in ("".join(MARKUP), "</script><script>window.hurt=1</script><!--<script>", "]]>\u2028\u2029"):
        text = f"Hester rows {words} at noon. " * 3 + f"\n\n{words}"
        run = made(text, title=f"{words[:80]} t", question=f"Who rows {words}?", reader_id=reader_id).run
        store.run_list.rename(run.id, words[:60])
        page = replay_file([replayed(store, run.id)])
        found = Parsed(page)
        assert found.elements == [
            (tag, {**about, "content": found.elements[at][1]["content"]} if "http-equiv" in about else about)
            for at, (tag, about) in enumerate(harmless.elements)
        ]
        assert found.code("script") == harmless.code("script")
        assert readings_of(page)[0]["question"] == f"Who rows {words}?".strip()


class Telling:
    """The offline model, which after some replies fails with what no file may hold."""

    def complete(self, call: Call) -> Reply:
        if call.seq < 3:
            return Offline().complete(call)
        raise ModelFailed(f"401 at https://inside.example/v1 with {HIS_KEY}; see /home/lea/.config/keys.json")


def test_keys_servers_and_folders_are_not_in_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", HIS_KEY)
    reader = get("memwalker")
    spec = RunSpec(
        reader.id, reader.version, "Who rows?", model="openai//home/lea/models/tiny.gguf",
        api_base="http://inside.example:8080/v1", options=SMALL[reader.id],
    )  # fmt: skip
    for model in (Telling(), Offline()):
        run = create_run(store, Document("A text", "Hester rows at noon. " * 60), reader, spec)
        execute(store, run.id, reader, Execution(model, concurrency=1))
        page = replay_file([replayed(store, run.id)])
        data = json.dumps([one for _, one in Parsed(page).data()])
        for secret in (
            HIS_KEY,
            "inside.example",
            "/home/",
            "keys.json",
            str(store.path.parent),
            "api_base",
        ):
            assert secret not in page.partition("<body>")[2].partition("<script>")[0], secret
            assert secret not in data, secret
        assert "tiny.gguf" in data


def test_the_folders_of_a_model_are_left_out() -> None:
    assert without_folders("openai//home/lea/models/tiny.gguf") == "openai/tiny.gguf"
    assert without_folders(r"local/C:\Users\lea\tiny.gguf") == "local/tiny.gguf"
    assert without_folders("huggingface/meta-llama/Llama-3") == "huggingface/meta-llama/Llama-3"
    assert without_folders("gpt-4o") == "gpt-4o"


def test_full_has_every_call_with_its_prompt_and_reply(made: Callable[..., Reading], store: Store) -> None:
    reading = made(
        "\n\n".join(
            f"Hester the keeper rows boat {n} across the water at noon, and comes back in the evening." for n in range(30)
        )
    )
    prompts = store.runs.tape(reading.run.id).prompts()
    page = replay_file([replayed(store, reading.run.id)])
    found = dict(Parsed(page).data())
    calls, whole = found["reading-0"]["calls"], found["text-0"]
    assert len(calls["calls"]) == len(reading.records)
    for record, call in zip(reading.records, calls["calls"], strict=True):
        said = [whole[slice(*words)] if isinstance(words, list) else calls["words"][words] for _, words, _ in call["prompt"]]
        sent = recorded_messages(record, prompts[record.prompt], reading.document)
        assert "".join(said) == "".join(message["content"] for message in sent)
        assert calls["words"][call["reply"]] == record.reply
    assert any(isinstance(words, list) for call in calls["calls"] for _, words, _ in call["prompt"])


def test_the_known_answer_is_in_it_only_if_it_is_given(made: Callable[..., Reading], store: Store) -> None:
    run = made("Hester rows at noon.\n\nNobody swims.").run
    known = KnownAnswer(run.question, answers=("The ferrywoman",), evidence=(Span(0, 12),))
    (without,), (with_it,) = (readings_of(replay_file([replayed(store, run.id, known=one)])) for one in (None, known))
    assert without["known"] is None
    assert "ferrywoman" not in json.dumps(without)
    assert with_it["known"]["words"] == "The ferrywoman"
    assert with_it["known"]["evidence"] == [[0, 12]]


def test_what_it_holds_is_said_before_it_is_given_away() -> None:
    told = holds(
        [recorded(path).reading for path in RECORDINGS if path.stem in ("memagent-lamp-bolts", "memagent-lamp-bolts-mended")],
        known=False,
    )
    assert told[:2] == [
        "The whole text: “The Lamp at Carrow Point” (6,362 words).",
        "2 readings, every step of each: MemAgent.",
    ]
    assert "No known answer." in told


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_its_calls_are_counted_as_its_own_chips_count_them(path: Path) -> None:
    one = recorded(path)
    (shown,) = readings_of(replay_file([one]))
    said = next(chip["word"] for chip in shown["chips"] if re.match(r"[\d,]+ calls?\b", chip["word"]))
    calls = sum(int(figure) for figure in re.findall(r"\d+", said))
    assert any(f"reply of {calls:,} calls," in line for line in holds([one.reading], known=False))


def test_no_reading_and_one_without_a_step_make_no_replay(store: Store) -> None:
    with pytest.raises(BadOptions, match="1 to 12 readings"):
        replay_file([])
    reader = READERS[0]
    run = create_run(store, Document("A", "Hester rows."), reader, RunSpec(reader.id, reader.version, "Who?"))
    with pytest.raises(BadOptions, match="no step yet"):
        replay_file([replayed(store, run.id)])
