"""Words are found in everything that was read and said in a reading, and each passage where it came from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers import READERS, get
from readers.engine.analysis.passages import PORTION, FoundPassage, in_readings, passages_in
from readers.engine.models.offline import Offline
from readers.engine.record.events import Answered, Wrote
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.run_list import RunFilter
from readers.engine.text.document import Document
from readers.engine.text.search import Sought
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL

TEXT = Document.of(LAMP.read_text(encoding="utf-8")[13_500:15_500], title="Lamp")
QUESTION = "What had the naval assessor noticed on the crane post?"


def read(store: Store, reader_id: str = "memagent", **spec: object) -> str:
    reader = get(reader_id)
    made = create_run(store, TEXT, reader, RunSpec(reader.id, reader.version, QUESTION, options=SMALL[reader.id], **spec))  # type: ignore[arg-type]
    execute(store, made.id, reader, Execution(Offline()))
    return made.id


def found(store: Store, words: str) -> list[str]:
    return [one for some in in_readings(store, Sought.of(words), store.run_list.ids(RunFilter())) for one in some]


def where(store: Store, run_id: str, words: str) -> list[tuple[str, int]]:
    return [(one.kind, one.step) for one in passages_in(store, run_id, Sought.of(words))]


@pytest.mark.parametrize("reader_id", [reader.id for reader in READERS])
def test_a_reading_is_found_where_it_has_passages_and_nowhere_else(reader_id: str, store: Store) -> None:
    run_id = read(store, reader_id)
    trace = open_reading(store, run_id).trace
    said = [event.text for event in trace.events if isinstance(event, (Wrote, Answered))]
    some = [" ".join(text.split()[:3]) for text in (*said[:3], *said[-3:]) if text.split()]
    for words in (*some, "assessor", "crane post", '"naval assessor"', "question", "zeppelin"):
        there = passages_in(store, run_id, Sought.of(words))
        assert found(store, words) == ([run_id] if there else []), words
        assert all(1 <= one.step <= len(trace.steps) for one in there)
    assert all(found(store, f'"{words}"') for words in some)


def test_the_text_is_found_at_the_first_step_that_showed_it_and_only_if_one_did(store: Store) -> None:
    run_id = read(store)
    reading = open_reading(store, run_id)
    begin = reading.trace.first_cut[2].start
    words = " ".join(reading.document.text[begin:].split()[:5])
    first = next(one for one in passages_in(store, run_id, Sought.of(f'"{words}"')) if one.kind == "text")
    assert first.step == 3
    assert first.place == next(Sought.of(f'"{words}"').places(reading.document.text))
    store.connection.execute("DELETE FROM events WHERE run = ? AND body LIKE '%\"asked\"%'", (run_id,))
    assert ("text", 3) not in where(store, run_id, words)


def test_a_memory_that_stays_is_told_once_with_how_often_it_came_and_not_as_the_reply_it_was(store: Store) -> None:
    run_id = read(store)
    trace = open_reading(store, run_id).trace
    last = [event for event in trace.wrote.values() if event.role == "memory"][-1]
    words = f'"{" ".join(last.text.split()[:4])}"'
    told = [one for one in passages_in(store, run_id, Sought.of(words)) if one.kind in ("memory", "reply")]
    assert {one.kind for one in told} == {"memory"}
    held = [event for event in trace.wrote.values() if event.role == "memory" and Sought.of(words).is_in(event.text)]
    assert sum(one.times for one in told) == len(held) > 1


def test_prompts_say_their_own_words_once_and_an_edited_one_its_own(store: Store) -> None:
    run_id = read(store)
    (own,) = [one for one in passages_in(store, run_id, Sought.of('"Write the memory anew"')) if one.kind == "prompt"]
    assert own == FoundPassage("prompt", 1, 0, own.words)
    store.connection.execute(
        "UPDATE calls SET messages = ? WHERE run = ? AND seq = 1",
        ('[{"content": "Look for a\\nzeppelin.", "role": "user"}]', run_id),
    )
    assert found(store, '"a zeppelin"') == [run_id]
    assert where(store, run_id, '"a zeppelin"') == [("prompt", 2)]


def test_replies_that_became_nothing_thoughts_and_the_question_are_found(store: Store) -> None:
    run_id = read(store)
    store.connection.execute(
        "UPDATE calls SET thoughts = 'Hm, a zeppelin?', reply = 'Zeppelins!' WHERE run = ? AND seq = 2", (run_id,)
    )
    assert found(store, "zeppelin") == [run_id]
    assert where(store, run_id, "zeppelin") == [("reply", 3), ("thoughts", 3)]
    assert where(store, run_id, '"had the naval assessor noticed"')[0] == ("question", 1)


def test_readings_are_found_in_their_order_portion_by_portion(store: Store) -> None:
    run_id = read(store)
    kept = store.runs.get(run_id)
    for number in range(PORTION + 3):
        store.runs.add(replace(kept, id="", question=f"Which zeppelin, {number}?"))
    portions = list(in_readings(store, Sought.of("zeppelin"), store.run_list.ids(RunFilter(sort="oldest"))))
    assert [len(some) for some in portions] == [PORTION - 1, 4]
    assert portions[0][0] == store.run_list.ids(RunFilter(sort="oldest"))[1]


def test_a_visitor_finds_only_what_they_may_see(store: Store) -> None:
    hosts = read(store)
    anna, ben = store.seen_by("anna"), store.seen_by("ben")
    hers = anna.runs.add(Run("", TEXT.id, "memagent", "Which zeppelin?", store.runs.get(hosts).spec, "finished"))
    assert [found(one, "zeppelin") for one in (anna, ben, store)] == [[hers.id], [], [hers.id]]
    assert found(ben, "assessor") == [hosts]
