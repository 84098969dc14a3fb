"""How readings differ: in settings, at the first step, and in the order of what they opened, each worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers import READERS
from readers.engine.analysis.differences import (
    LEADS,
    NO_SUCH,
    Difference,
    Divergence,
    OpenedPlace,
    first_difference,
    places,
    settings,
    where_paths_diverge,
)
from readers.engine.models.model import Model
from readers.engine.record import answered_by
from readers.engine.record.edits import models_called
from readers.engine.record.events import Answered, Asked, Event, Looked, StepBegan, StepEnded
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import DOCUMENT, Document, Piece, Span
from readers.memwalker import MemWalker
from readers.memwalker.prompts import LEAF, TRIAGE
from tests.support.models.scripted_models import BACK, COMMIT, Scripted, parts_of, walker

READER = MemWalker()
ALL = {reader.id: reader for reader in READERS}
SPEC = RunSpec("memwalker", READER.version, "Where is it?", options={"segment_tokens": 64, "max_children": 3}, reuse=False)
WALK: list[int | str] = [0, 0, COMMIT]
Read = Callable[..., Reading]


@pytest.fixture
def read(store: Store) -> Read:
    """Nine parts, in three groups of three, read with this model or these actions."""

    def read(actions: Sequence[int | str] = WALK, *, model: Model | None = None, stop: bool = False, **changed: Any) -> Reading:
        run = create_run(store, parts_of(9), READER, replace(SPEC, **changed))
        made = model or walker(actions)
        calls = made.calls if isinstance(made, Scripted) else []
        execute(store, run.id, READER, Execution(made, concurrency=1, stopped=lambda: stop and len(calls) > 10))
        return open_reading(store, run.id)

    return read


def changed(**values: Any) -> Run:
    """A reading that is set otherwise."""
    spec = {"reader": "memwalker", "version": 1, "question": "Where?", "choices": [], "options": {}, "model": "a/b"}
    columns = {name: values.pop(name) for name in list(values) if name in ("parent", "fork_at", "edit", "document")}
    spec |= values
    run = Run("r", "d", str(spec["reader"]), str(spec["question"]), spec, "finished")
    return replace(run, **columns)


def differing(*runs: Run) -> dict[str, tuple[str, ...]]:
    return {row.name: row.values for row in settings(runs, ALL, texts={"d": "The text"})}


def test_nothing_differs_between_readings_that_are_set_alike() -> None:
    default = READER.Options().segment_tokens
    assert differing(changed(), changed(options={"segment_tokens": default}, temperature=0.0, reuse=True)) == {}


OWN_WORDS = "the reader’s own words"


@pytest.mark.parametrize(
    ("what", "name", "values"),
    [
        ({"temperature": 0.5}, "Temperature", ("0.0", "0.5")),
        ({"model": "c/d"}, "Model", ("a/b", "c/d")),
        ({"window": 8192}, "Window of the model", ("not set", "8,192")),
        ({"options": {"segment_tokens": 64}}, "Longest segment, in tokens", ("1,000", "64")),
        ({"question": "Who?"}, "Question", ("Where?", "Who?")),
        ({"choices": ["here", "there"]}, "Choices", ("not set", "here · there")),
        ({"caps": {"max_calls": 9}}, "Cap: max calls", ("not set", "9")),
        ({"prompts": {LEAF.id: "Say  $x"}}, "Prompt “leaf” of MemWalker", (OWN_WORDS, "in other words: Say $x")),
        ({"reuse": False}, "Replies of earlier readings", ("used again", "not used")),
        ({"document": "e"}, "Text", ("The text", "e")),
    ],
)
def test_a_setting_that_differs_is_a_row_in_words(what: dict[str, Any], name: str, values: tuple[str, str]) -> None:
    assert differing(changed(), changed(**what)) == {name: values}


def test_what_only_one_reader_can_be_told_is_said_apart() -> None:
    rows = settings([changed(), changed(reader="readagent")], ALL)
    assert [(row.name, row.values) for row in rows if row.general] == [("Reader", ("MemWalker", "ReadAgent"))]
    own = {row.name: row.values for row in rows if not row.general}
    assert own["Longest segment, in tokens"][1] == NO_SUCH
    assert own["Longest page, in words"][0] == NO_SUCH
    assert not [name for name in own if name.startswith("Prompt")]  # each has its own prompts, in its own words
    reworded = settings([changed(prompts={LEAF.id: "Say $x"}), changed(reader="readagent")], ALL)
    assert ("Prompt “leaf” of MemWalker", ("in other words: Say $x", NO_SUCH)) in [(row.name, row.values) for row in reworded]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"kind": "reply", "seq": 9, "attempt": 0, "text": "Action:  1"}, "call 10 got another reply: “Action: 1”"),
        ({"kind": "wrote", "n": 3, "role": "gist", "before": "x", "text": "Rain."}, "another gist: “Rain.”"),
        ({"kind": "model", "seq": 4, "model": "x/y"}, "from call 5 on x/y answers"),
        ({"kind": "leave_out", "seq": 4, "start": 1000, "end": 2000}, "from call 5 on a passage of the text is left out"),
        ({"kind": "prompt", "seq": 2, "messages": []}, "the prompt of call 3 was edited"),
    ],
)  # fmt: skip
def test_a_fork_differs_from_its_parent_by_its_edit(edit: dict[str, Any], words: str) -> None:
    fork = changed(parent="abc", fork_at=9, edit=edit, edits=[edit])
    model = {"Model": ("a/b", "a/b, then x/y")} if edit["kind"] == "model" else {}
    assert differing(changed(), fork) == {
        **model,
        "Made from": ("the beginning", "another reading, from call 10 on"),
        "Changed in it": ("nothing", words),
    }
    parent = replace(changed(), id="abc")
    assert differing(fork, parent)["Made from"] == ("reading 2, from call 10 on", "the beginning")


def test_a_fork_of_a_fork_differs_by_its_own_edit_too_and_in_the_words_that_were_kept() -> None:
    gist = {"kind": "wrote", "n": 3, "role": "gist", "before": "x", "text": "Rain."}
    reply = {"kind": "reply", "seq": 9, "attempt": 0, "text": "Action: 1", "said": "action 1 (part 2) instead of 0 (part 1)"}
    one, other = changed(edit=gist | {"said": "page 4, “Rain.”"}, edits=[gist]), changed(edit=reply, edits=[gist])
    assert differing(one, other)["Changed in it"] == (
        "another gist: page 4, “Rain.”",
        "another gist: “Rain.”; call 10 got another reply: action 1 (part 2) instead of 0 (part 1)",
    )


def test_a_reading_is_by_all_models_in_the_order_of_their_calls() -> None:
    def switched(*edits: tuple[int, str]) -> dict[str, Any]:
        made = [{"kind": "model", "seq": seq, "model": model, "api_base": None} for seq, model in edits]
        return {"model": "a/b", "edits": [{"kind": "again", "seq": 2}, *made]}

    assert models_called(switched()) == ("a/b",)
    assert models_called(switched((5, "c/d"))) == ("a/b", "c/d")
    assert models_called(switched((0, "c/d"))) == ("c/d",)
    assert models_called(switched((9, "e/f"), (5, "c/d"))) == ("a/b", "c/d")  # made later, and so from call 5 on to the end
    assert models_called(switched((5, "c/d"), (9, "e/f"))) == ("a/b", "c/d", "e/f")
    assert models_called(switched((5, "c/d"), (9, "a/b"))) == ("a/b", "c/d", "a/b")
    assert models_called(switched((5, "a/b"))) == ("a/b",)  # the same one on other terms
    assert models_called({}) == ("",)


def test_an_answer_is_of_the_call_whose_reply_it_is(read: Read) -> None:
    whole = read()
    (answer,) = [record for record in whole.records if record.task == "answer_or_decline"]
    assert answered_by.answering_record(whole.trace, whole.records) == answer
    assert answered_by.answering_record(whole.trace, []) is None
    stopped = read(stop=True)
    assert answered_by.answering_record(stopped.trace, stopped.records) is None
    copied = Trace(whole.document, (*whole.trace.events[:-1], Answered("x", (Piece(0, 1, "wrote:0", 0, 1),), ())))
    assert answered_by.answering_record(copied, whole.records) == whole.records[0]  # the summary of the first part
    ruled = Trace(whole.document, (*whole.trace.events[:-1], Answered("x", (), ())))
    assert answered_by.answering_record(ruled, whole.records) == answer  # of no call's words: by the last call there was


def test_equal_readings_do_not_part(read: Read) -> None:
    assert first_difference(read(), read()) is None


def said(action: int, *, reason: str = "", after: str = "") -> str:
    """What the scripted walker says of itself at a choice between parts, for another reason or with something after it."""
    return TRIAGE.reply.filled({"reasoning": reason or f"because of {action}", "action": action}) + after


def answers(words: str) -> list[int | str]:
    return [0, 0, LEAF.reply.filled({"reasoning": "because of -2", "action": COMMIT, "answer": words})]


SAME = "The keeper of the light wrote all of it down in the harbour ledger, "
AT_NOON = walker(WALK, summaries=lambda call: f"{SAME}at noon.")
AT_NIGHT = walker(WALK, summaries=lambda call: SAME + ("at night." if "Part 4 " in call.part("segment")[0] else "at noon."))


@pytest.mark.parametrize(
    ("one", "other", "kind", "words"),
    [
        ({}, {"actions": [0, 1, COMMIT]}, "chose", ("", "")),
        ({}, {"actions": [0, 0, BACK, 1, COMMIT]}, "chose", ("", "")),  # back up, not down
        (
            {}, {"actions": [0, said(0, reason="because of the ledger"), COMMIT]}, "reason",
            ("because of 0", "because of the ledger"),
        ),
        ({}, {"actions": [0, said(0, after="\n\n"), COMMIT]}, "reply", ("… 0 ###################################",) * 2),
        ({}, {"actions": [0, "what?", 0, COMMIT]}, "again", ("", "")),
        (
            {"model": AT_NOON}, {"model": AT_NIGHT}, "wrote",
            ("… of it down in the harbour ledger, at noon.", "… of it down in the harbour ledger, at night."),
        ),
        ({}, {"actions": [0, COMMIT], "options": {"segment_tokens": 200}}, "cut", ("", "")),
        ({}, {"question": "Who was it?"}, "asked", ("", "")),
        ({}, {"actions": answers("six")}, "answer", ("forty-two", "six")),
        ({}, {"actions": answers("42")}, "worded", ("forty-two", "42")),
        ({}, {"stop": True}, "over", ("", "")),
    ],
)  # fmt: skip
def test_two_readings_part_at_the_first_step_with_another_record(
    read: Read, one: dict[str, Any], other: dict[str, Any], kind: str, words: tuple[str, str]
) -> None:
    readings = read(**one), read(**other)
    found = first_difference(*readings)
    assert found
    assert (found.kind, found.words) == (kind, words)
    assert found.steps[0] == found.steps[1]
    assert first_difference(*readings[::-1]) == found._replace(words=found.words[::-1], about=found.about[::-1])
    if kind in ("asked", "answer"):
        assert readings[0].trace.steps[found.steps[0] or 0].phase != "build"
    if kind == "wrote":
        assert found.about == ("wrote:4", "wrote:4")


def test_another_choice_is_named_with_the_reader_s_names(read: Read) -> None:
    one, other = read([0, 0, COMMIT]), read([0, 1, COMMIT])
    found = first_difference(one, other)
    assert found
    names = READER.names(one.trace)
    assert [names[ref] for ref in found.about] == ["part 1.1", "part 1.2"]


def test_a_reading_that_has_no_such_step_ends_before_the_other_goes_on(read: Read) -> None:
    one = read()
    cut_short = one._replace(trace=Trace(one.document, one.trace.events[: one.trace.steps[3].start]))
    assert first_difference(one, cut_short) == Difference("over", (3, 2))
    nothing = one._replace(trace=Trace(one.document, ()), records=[])
    assert first_difference(one, nothing) == Difference("over", (0, None))
    assert first_difference(nothing, nothing) is None


def test_every_difference_has_words() -> None:
    assert all(lead and lead[0].isupper() and not lead.endswith(".") for lead in LEADS.values())


TEXT = Document.of("x" * 1000)


def way(*opened: tuple[int, int] | list[tuple[int, int]], built: Sequence[tuple[int, int]] = ()) -> Trace:
    """A reading that opened these places word for word, a step each; some before that, while it built."""
    events: list[Event] = []
    for name, all_of_them in (("build", built), ("walk", opened)):
        for at in all_of_them:
            spans = at if isinstance(at, list) else [at]
            pieces = tuple(Piece(0, end - start, DOCUMENT, start, end) for start, end in spans)
            events += [StepBegan(name), Looked(pieces), StepEnded()]
    return Trace(TEXT, tuple(events))


def test_what_was_opened_is_in_order_after_building_and_once_running() -> None:
    trace = way((500, 600), (500, 600), (100, 200), [(0, 50), (300, 350)], built=[(0, 1000)])
    assert places(trace) == [
        OpenedPlace(1, Span(500, 600)), OpenedPlace(3, Span(100, 200)),
        OpenedPlace(4, Span(0, 50)), OpenedPlace(4, Span(300, 350)),
    ]  # fmt: skip


def test_a_reader_that_opens_nothing_is_taken_by_its_prompts() -> None:
    asked = Asked(0, "whole.answer", (("text", ((Piece(0, 700, DOCUMENT, 0, 700),),)),), 0)
    trace = Trace(TEXT, (StepBegan("answer"), asked, StepEnded()))
    assert places(trace) == [OpenedPlace(0, Span(0, 700))]


@pytest.mark.parametrize(
    ("one", "other", "before", "spans"),
    [
        ([(100, 200)], [(500, 600)], (0, 0), ((100, 200), (500, 600))),
        ([(100, 200), (500, 600)], [(110, 220), (300, 400)], (1, 1), ((500, 600), (300, 400))),
        ([(100, 200), (500, 600)], [(110, 220)], (1, 1), ((500, 600), None)),
        ([(0, 600), (600, 1000)], [(450, 500)], (0, 0), ((0, 600), (450, 500))),  # one begins far before the other
        ([(0, 100), (100, 200), (200, 300), (700, 800)], [(0, 150), (150, 300), (300, 400)], (3, 2), ((700, 800), (300, 400))),
        ([(0, 100), (102, 200)], [(0, 101), (102, 200), (900, 950)], (2, 2), (None, (900, 950))),
        ([], [(5, 10)], (0, 0), (None, (5, 10))),
    ],
)  # fmt: skip
def test_two_ways_part_at_the_first_place_that_only_one_of_them_opened(
    one: list[tuple[int, int]], other: list[tuple[int, int]], before: tuple[int, int], spans: tuple[Any, Any]
) -> None:
    found = where_paths_diverge(way(*one), way(*other))
    assert found
    assert found.before == before
    assert tuple(place and place.span for place in found.places) == spans


def test_ways_over_the_same_places_do_not_part_however_the_text_is_cut() -> None:
    small, large = [(n, n + 100) for n in range(0, 1000, 100)], [(0, 260), (260, 510), (510, 1000)]
    assert where_paths_diverge(way(*small), way(*large)) is None
    assert where_paths_diverge(way((100, 200), (400, 500)), way((105, 210), (390, 480))) is None


def test_places_that_overlap_and_are_not_the_same_are_told_so() -> None:
    """A place that merely touches another is not the same one: 27% to 32% is not 29% to 37%."""
    found = where_paths_diverge(way((270, 320)), way((290, 370)))
    assert found == Divergence((0, 0), (OpenedPlace(0, Span(270, 320)), OpenedPlace(0, Span(290, 370))), overlap=True)
    later = where_paths_diverge(way((0, 100), (300, 340)), way((0, 100), (300, 500)))
    assert later == Divergence((1, 1), (OpenedPlace(1, Span(300, 340)), OpenedPlace(1, Span(300, 500))), overlap=True)
    inside = where_paths_diverge(way((300, 320)), way((295, 370)))
    assert inside
    assert inside.overlap
    assert where_paths_diverge(way((100, 200)), way((110, 215))) is None


steps = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda at: (at[0], at[0] + at[1])), max_size=8)


@given(steps, steps)
def test_where_two_ways_part_does_not_depend_on_which_comes_first(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    found, turned = where_paths_diverge(way(*one), way(*other)), where_paths_diverge(way(*other), way(*one))
    assert where_paths_diverge(way(*one), way(*one)) is None
    seen = turned and (turned.before[::-1], turned.places[::-1], turned.overlap)
    assert (found and (found.before, found.places, found.overlap)) == seen
