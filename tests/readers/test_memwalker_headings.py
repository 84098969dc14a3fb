"""MemWalker where its tree follows the headings of a text: the option `tree`, of which the paper says nothing."""

from __future__ import annotations

from typing import Any

import pytest

from components.player.pictures import memwalker
from readers.engine.analysis.narrate import narrate
from readers.engine.errors import BadOptions
from readers.engine.record.trace import Trace
from readers.engine.run import trial
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from tests.support.models.scripted_models import COMMIT, walker
from tests.support.readings.memwalker_walks import READER, decisions

HEADINGS = """# Harbour

The ferry leaves at noon, and the harbour master writes down who is on it, every day but Sunday, in a green book.

## The parrot

The harbour master keeps a grey parrot called Doris, which came on a ship from Lisbon in the year of the great storm.

## The boat

Nobody rows any more, since the boat was sold to a painter for the price of its oars and a barrel of tar and some rope.

# Town

The dance was held in the barn, and old Mr Hale paid for it, forty pounds in all, with the band and the lamps and the beer."""


def under_headings(actions: list[int | str], text: str = HEADINGS, **options: Any) -> Trace:
    settings = {"tree": "headings", "segment_tokens": 500, **options}
    spec = RunSpec("memwalker", READER.version, "Where is it?", options=settings)
    return rehearse(Document.of(text, title="Harbour"), READER, spec, walker(actions))


def test_the_tree_of_headings_has_a_node_for_each_section_and_its_summary_begins_with_the_heading() -> None:
    trace = under_headings([0, 1, COMMIT])
    view = READER.view(trace)
    nodes = {node["id"]: node for node in view["nodes"]}
    *_, root = nodes.values()
    harbour, town = (nodes[child] for child in root["children"])
    assert (root["start"], root["end"]) == (0, len(HEADINGS))
    assert harbour["summary"].startswith("Harbour: ")
    assert (town["summary"].partition(":")[0], town["children"], town["level"]) == ("Town", [], harbour["level"])
    intro, parrot, boat = (nodes[child] for child in harbour["children"])
    assert HEADINGS[intro["start"] : intro["end"]].startswith("# Harbour\n\nThe ferry")
    assert [node["summary"].partition(":")[0] for node in (parrot, boat)] == ["The parrot", "The boat"]
    assert decisions(trace) == [("enter", "part 1"), ("enter", "part 1.2"), ("commit", "answer")]
    assert trace.evidence(trace.end.pieces) == ((parrot["start"], parrot["end"]),)  # type: ignore[union-attr]
    assert [one["to"] for one in view["walk"]] == [harbour["id"], parrot["id"], parrot["id"]]


def test_sections_over_the_limits_are_cut_and_grouped() -> None:
    trace = under_headings([0, 0, 0, COMMIT], segment_tokens=32)
    nodes = READER.view(trace)["nodes"]
    assert len(nodes) > 8
    assert nodes[-1]["level"] == max(node["level"] for node in nodes)
    many = "\n\n".join(
        f"# Part {n}\n\nHere begins what is said of it, word for word, and there are some words." for n in range(7)
    )
    grouped = READER.view(under_headings([0, 0, COMMIT], many, max_children=3))["nodes"]
    assert [len(node["children"]) for node in grouped if node["children"]] == [2, 2, 3, 3]


def test_a_text_without_headings_is_refused_in_words() -> None:
    with pytest.raises(BadOptions, match="no headings"):
        under_headings([0], "The ferry leaves at noon.\n\nNobody rows.")


def test_the_picture_of_a_tree_of_headings_has_the_sections_of_one_node_in_one_row() -> None:
    trace = under_headings([0, 1, COMMIT])
    drawn = memwalker.draw(trace, frozenset())
    assert drawn
    rows = {node["id"]: node["y"] for node in drawn["nodes"]}
    for node in READER.view(trace)["nodes"]:
        assert len({rows[child] for child in node["children"]}) <= 1
    told = narrate(trace, READER)
    assert len(told) == len(trace.steps)


def test_a_reading_by_headings_is_shown_from_any_of_its_events_on() -> None:
    trace = under_headings([0, 1, COMMIT])
    for until in range(len(trace.events) + 1):
        so_far = Trace(trace.document, trace.events[:until])
        READER.names(so_far)
        memwalker.draw(so_far, frozenset())


def test_a_long_text_whose_beginning_has_no_headings_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MAX_WHOLE_TOKENS", 50)
    monkeypatch.setattr(trial, "BEGINNING_LENGTHS", (200, 400))
    preface = "\n\n".join(
        "Before anything is said of the harbour, there are some words that say nothing at all." for _ in range(8)
    )
    spec = RunSpec("memwalker", READER.version, "Where is it?", options={"tree": "headings"})
    found = trial.try_out(Document.of(f"{preface}\n\n{HEADINGS}", title="Harbour"), READER, spec, None)
    assert len(found.cuts) == 5
    with pytest.raises(BadOptions, match="no headings"):
        trial.try_out(Document.of(preface, title="Preface"), READER, spec, None)
