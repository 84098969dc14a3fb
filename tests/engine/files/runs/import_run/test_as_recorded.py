"""Files that an earlier version of a reader made are not replayed; so everything in them that is shown is checked by its form."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest

from components.player import data as player_data
from readers import READERS, get
from readers.__main__ import main
from readers.engine.errors import BadRunFile
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document
from tests.engine.files.runs.import_run.conftest import exported, spec_of, taken

READER = get("memwalker")
# One of so many values is tried: QRMeM's graph makes each of its imports ten times as long as another reader's.
EACH = [pytest.param(reader, 3 if reader.id == "qrmem" else 1, id=reader.id) for reader in READERS]
PIECE_OF_NOTHING, FAR_SPAN, PART_OF_NOTHING = [[0, 5, "wrote:999", 0, 5]], [[0, 10**9]], [["segment", [[[0]]]]]
LEFT_OUT = object()
HOSTILE = (None, -1, 10**9, True, "wrote:999", "nonsense", "document:9-1", [], {}, PIECE_OF_NOTHING, FAR_SPAN, PART_OF_NOTHING)


@pytest.fixture
def old(store: Store, text: Document) -> dict[str, Any]:
    return before(store, text, READER)


def before(store: Store, text: Document, reader: Reader) -> dict[str, Any]:
    """A reading's file, as if the version before this one of its reader had made it."""
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
    data = exported(store, run)
    data["run"]["spec"]["version"] = reader.version - 1
    del data["run"]["content_id"]
    return data


def test_it_is_shown_as_its_file_says_and_marked(old: dict[str, Any], there: Store) -> None:
    run = taken(there, old)
    assert (run.unchecked, run.taken_in, run.answer) == (True, True, old["run"]["answer"])
    assert exported(there, run)["calls"] == old["calls"]
    assert there.runs.tape(run.id).find_shared("") is None


@pytest.mark.parametrize(("reader", "one_of"), EACH)
@pytest.mark.slow
def test_an_event_that_says_what_cannot_be_is_refused_or_harmless(
    store: Store, there: Store, text: Document, reader: Reader, one_of: int
) -> None:
    """Every field of every kind of event and decision, with values that no event has, and without it."""
    old = before(there, text, reader)
    first = {(event["kind"], event.get("action")): number for number, event in reversed([*enumerate(old["events"])])}
    refused = imported = 0
    tried: set[str] = set()
    for number in first.values():
        for field, value in islice(product(old["events"][number], (*HOSTILE, LEFT_OUT)), 0, None, one_of):
            told = {name: kept for name, kept in {**old["events"][number], field: value}.items() if kept is not LEFT_OUT}
            try:
                run = taken(store, {**old, "events": [*old["events"][:number], told, *old["events"][number + 1 :]]})
            except BadRunFile:
                refused += 1
                continue
            imported += 1
            player_data.of(open_reading(store, run.id))
            if field not in tried:  # an import has tried what these print
                assert main(["show", run.id]) == main(["follow", run.id, "--span", "0", "60"]) == 0
                tried.add(field)
    assert refused > 4 * imported > 0


@pytest.mark.slow
def test_events_that_are_missing_or_out_of_order_are_refused_or_harmless(old: dict[str, Any], there: Store) -> None:
    told = old["events"]
    without = [told[:n] + told[n + 1 :] for n in range(len(told))]
    swapped = [[*told[:n], told[n + 1], told[n], *told[n + 2 :]] for n in range(len(told) - 1)]
    imported = 0
    for changed in (*without, *swapped):
        try:
            run = taken(there, {**old, "events": changed})
        except BadRunFile:
            continue
        imported += 1
        player_data.of(open_reading(there, run.id))
    assert imported


CHANGES: dict[str, tuple[list[str | int], Any, str]] = {
    "a step that ends before it begins": (["events", 0], {"kind": "step_ended"}, "ends a step that has not begun"),
    "a call that is not in the file": (["calls"], [], "call 0, which is not in the file"),
    "no end": (["events"], [], "it says finished, but its events have no end"),
    "another answer": (["run", "answer"], "Nobody.", "at run.answer: it does not follow from the events"),
    "a message that is none": (["calls", 0, "messages"], [{"role": "user"}], "a message of seq 0"),
    "a task that is none": (["calls", 0, "task"], "conquer", "an unknown task"),
    "no message": (["calls", 0, "messages"], [], "seq 0, attempt 0 has no message"),
    "a reply read as a list": (["calls", 0, "parsed"], [], "is not an object"),
    "an edit that is none": (["run", "spec", "edits"], [{"kind": "x"}], "at run.spec"),
}


@pytest.mark.parametrize(("place", "value", "says"), CHANGES.values(), ids=[*CHANGES])
def test_what_it_says_of_itself_must_hold_together(
    old: dict[str, Any], there: Store, place: list[str | int], value: Any, says: str
) -> None:
    *inside, last = place
    at: Any = old
    for name in inside:
        at = at[name]
    at[last] = value
    with pytest.raises(BadRunFile, match=says):
        taken(there, old)
    assert there.runs.listed() == []
