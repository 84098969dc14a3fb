"""The description of an edit, its place in a fork, and the old and new text side by side."""

from __future__ import annotations

import pytest

from readers import get
from readers.engine.forks import describe_edit
from readers.engine.forks.describe_edit import PICKED_BY_PERSON, describe_prompt, diff_excerpts, diff_reply
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.record.edits import LEFT_OUT, Edit, ModelEdit, PromptEdit, ReplyEdit, WrittenEdit
from readers.engine.record.events import Asked, Wrote
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.memwalker.prompts import LEAF, TRIAGE
from tests.support.models.scripted_models import parts_of

READER = get("memwalker")


@pytest.fixture
def parent(store: Store) -> Reading:
    spec = RunSpec(READER.id, READER.version, "Which word?", options={"segment_tokens": 64})
    return open_reading(store, execute(store, create_run(store, parts_of(12), READER, spec).id, READER, Execution(Offline())).id)


def forked(store: Store, parent: Reading, edit: Edit) -> Reading:
    made = fork(store, parent, READER, edit)
    return open_reading(store, execute(store, made.id, READER, Execution(Offline())).id)


def test_an_edited_prompt_is_described_by_the_words_that_differ() -> None:
    assert describe_prompt("Say what the text says.", "Say what this text says.") == "“this” instead of “the”"
    assert describe_prompt("Say it.", "Say it. Be brief.") == "“Be brief.” was put in"
    assert describe_prompt("Say it. Be brief.", "Say it.") == "“Be brief.” was taken out"
    assert describe_prompt("the same", "the  same") == ""


def test_two_texts_are_shown_where_they_differ() -> None:
    before = " ".join(f"w{n}" for n in range(60))
    was, now = diff_excerpts(before, before.replace("w30", "a green kettle"))
    assert was == "… w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 …"
    assert now == "… w22 w23 w24 w25 w26 w27 w28 w29 a green kettle w31 w32 w33 w34 w35 w36 w37 w38 …"
    assert diff_excerpts("It was here.", LEFT_OUT) == ("It was here.", "")
    assert all(len(side) <= describe_edit.MAX_EXCERPT + 6 for side in diff_excerpts("x " * 900, "y " * 900))


def test_the_diff_of_a_reply_shows_words_but_no_numbers_or_picking_note() -> None:
    sizes = {"summaries": 3}
    own = "Reasoning: It says so.\nAction: 0"
    assert diff_reply(f"Reasoning: {PICKED_BY_PERSON}\nAction: 1", own, TRIAGE, sizes) is None
    assert diff_reply("Reasoning: It does not.\nAction: 0", own, TRIAGE, sizes) == ("It says so.", "It does not.")
    assert diff_reply("nothing", own, TRIAGE, sizes) is None
    turned = diff_reply(f"Reasoning: {PICKED_BY_PERSON}\nAction: -2\nAnswer: at five", "Reasoning: x\nAction: -1", LEAF, {})
    assert turned == ("", "at five")


def test_a_person_and_the_offline_model_are_named_as_such() -> None:
    assert describe_edit.describe({"kind": "model", "seq": 25, "model": "human/you"}) == "from call 26 on a person answers"
    offline = describe_edit.describe({"kind": "model", "seq": 3, "model": "offline/extractive"})
    assert offline == "from call 4 on the offline model (no neural network) answers"


@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        ("reply", "call 5 got another reply: “”"),
        ("prompt", "the prompt of call 5 was edited"),
        ("wrote", "another gist: “”"),
        ("model", "from call 5 on m answers"),
        ("leave_out", "from call 5 on a passage of the text is left out"),
        ("again", "everything from call 5 on was run again"),
        ("of a later version", "something was changed at call 5"),
    ],
)
def test_every_edit_has_a_description(kind: str, clause: str) -> None:
    assert describe_edit.describe({"kind": kind, "seq": 4, "role": "gist", "model": "m", "text": " "}) == clause


def test_an_edit_is_found_at_its_step_and_call_in_the_fork(store: Store, parent: Reading) -> None:
    seq = next(seq for seq, event in parent.trace.asked.items() if event.prompt == TRIAGE.id)
    record = next(row for row in parent.records if row.seq == seq)
    picked = forked(store, parent, ReplyEdit(seq, record.attempt, f"Reasoning: {PICKED_BY_PERSON}\nAction: 1"))
    assert picked.run.edit is not None
    assert PICKED_BY_PERSON not in picked.run.edit["said"]
    at = describe_edit.step_of_edit(picked.trace, picked.run.edit)
    assert at is not None
    step = picked.trace.steps[at]
    assert [e.seq for e in picked.trace.of(step) if isinstance(e, Asked)] == [seq]

    wrote = next(event for event in parent.trace.events if isinstance(event, Wrote) and event.n == 2)
    written = forked(store, parent, WrittenEdit(wrote.n, wrote.role, wrote.text, f"A kettle. {wrote.text}"))
    assert written.run.edit is not None
    at = describe_edit.step_of_edit(written.trace, written.run.edit)
    assert at is not None
    step = written.trace.steps[at]
    assert any(isinstance(e, Wrote) and e.n == 2 and "kettle" in e.text for e in written.trace.of(step))
    call = describe_edit.call_of_edit(written.trace, written.run.edit)
    assert wrote.pieces[0].origin == f"reply:{call}"
    assert describe_edit.step_of_edit(parent.trace, {"kind": "again", "seq": 0}) is None
    assert describe_edit.step_of_edit(parent.trace, {"kind": "reply", "seq": 99_999}) is None


def test_an_edited_prompt_says_what_changed(store: Store, parent: Reading) -> None:
    last = max(parent.trace.asked)
    told = forked(store, parent, PromptEdit(last, ({"role": "user", "content": "Answer at once.\nAction: -1"},)))
    assert told.run.edit is not None
    words = describe_edit.describe(told.run.edit)
    assert words.startswith(f"the prompt of call {last + 1} was edited: “Answer at once.")
    assert "instead of" in words


def test_a_removed_text_is_described_by_its_beginning(store: Store, parent: Reading) -> None:
    wrote = next(event for event in parent.trace.events if isinstance(event, Wrote))
    edit = forked(store, parent, WrittenEdit(wrote.n, wrote.role, wrote.text, "")).run.edit
    assert edit is not None
    assert describe_edit.describe(edit).startswith("without the summary: ")
    assert f"which began “{describe_edit.excerpt(wrote.text)}”" in describe_edit.describe(edit)


def test_a_model_edit_needs_no_description(store: Store, parent: Reading) -> None:
    last = max(parent.trace.asked)
    told = forked(store, parent, ModelEdit(last, "offline/extractive", temperature=0.5))
    assert told.run.edit is not None
    assert "said" not in told.run.edit
    assert describe_edit.step_of_edit(told.trace, told.run.edit) == describe_edit.step_of_edit(
        parent.trace, {"kind": "reply", "seq": last}
    )
