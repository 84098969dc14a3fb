"""The pictures of readers that look at the text once: the ranking on the text, and the cut of the window."""

from __future__ import annotations

import json
from typing import Any

import pytest

from components.player import data
from components.player.pictures import kind, picture
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.store import Run
from readers.engine.text.document import Document

TEXT = "\n\n".join(
    f"Paragraph {n} tells of the {what}, and of nothing else that anybody would want to know about the coast in winter."
    for n, what in enumerate(["harbour", "ledger", "lamp", "keeper", "wreck", "sea", "wind", "bell"], 1)
)


def read(reader: str, text: str = TEXT, **options: Any) -> Trace:
    spec = RunSpec(reader, get(reader).version, "Who kept the lamp and the ledger?", options=options)
    return rehearse(Document.of(text, title="Coast"), get(reader), spec, Offline())


def drawn(reader: str, trace: Trace) -> dict[str, Any]:
    found = picture(reader, trace)
    assert found is not None
    return json.loads(json.dumps(found))


def state(part: dict[str, Any], at: int) -> str | None:
    return next((state for step, state in reversed(part["changes"]) if step <= at), None)


def test_the_ranking_has_every_piece_the_best_first_and_says_where_it_was_cut() -> None:
    trace = read("retrieval", segment_tokens=32, top_k=2)
    found, view = drawn("retrieval", trace), get("retrieval").view(trace)["pieces"]
    assert kind("retrieval") == found["kind"] == "axis"
    assert [part["rank"] for part in found["parts"]] == list(range(1, len(view) + 1))
    assert found["cut_after"] == 2
    assert found["cut_words"].startswith("the best 2")
    last = len(trace.steps) - 1
    assert [state(part, last) for part in found["parts"][:3]] == ["taken", "taken", "scored"]
    assert {part["name"] for part in found["parts"][:2]} == {f"piece {piece['id']}" for piece in view if piece["taken"]}


def test_a_piece_is_shown_as_taken_from_its_own_step_on() -> None:
    trace = read("retrieval", segment_tokens=32, top_k=2)
    found = drawn("retrieval", trace)
    first, second = found["parts"][:2]
    at = [step.number for step in trace.steps if step.names[-1].startswith("rank ")]
    assert [state(first, at[0]), state(second, at[0])] == ["taken", "scored"]
    assert state(second, at[1]) == "taken"
    assert [found["here"][step] for step in at] == [first["id"], second["id"]]
    assert found["here"][found["from"]] is None


def test_before_the_text_is_scored_or_fitted_there_is_no_picture() -> None:
    for reader in ("retrieval", "whole"):
        assert picture(reader, Trace(Document.of(TEXT, title="Coast"), ())) is None


@pytest.mark.parametrize(("reader", "says"), [("retrieval", "once the text is scored"), ("whole", "once the text is fitted")])
def test_where_there_is_no_picture_yet_the_reader_says_when_there_will_be_one(reader: str, says: str) -> None:
    trace = read(reader)
    run = Run("r", trace.document.id, reader, "Who kept the lamp?", {}, "running")
    assert says in data.so_far(run, trace.document, trace.events[:1])["before"]
    assert "before" not in data.so_far(run, trace.document, trace.events)


def test_the_window_shows_what_was_kept_and_the_words_on_either_side_of_the_cut() -> None:
    trace = read("whole", window_tokens=60, keep="both")
    found = drawn("whole", trace)
    assert [(part["name"], state(part, 0)) for part in found["parts"]] == [
        ("the beginning", "taken"),
        ("the middle", "left"),
        ("the end", "taken"),
    ]
    assert len(found["cuts"]) == 2
    for cut in found["cuts"]:
        edge = cut["span"][0]
        assert " ".join(TEXT[:edge].split()).endswith(cut["before"])
        assert " ".join(TEXT[edge:].split()).startswith(cut["after"])
    assert round(sum(part["share"] for part in found["parts"]), 6) == 1


def test_a_text_that_fits_has_no_cut() -> None:
    found = drawn("whole", read("whole", text="It is short."))
    assert found["cuts"] == []
    assert [state(part, 0) for part in found["parts"]] == ["taken"]
