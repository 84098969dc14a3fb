"""What a site's comparison is drawn from: the list of readings, and in their data where two of a question part."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from components.html.words import parting_words
from components.publish import gather
from components.publish.compare_page import LISTED, MOST_BESIDE, PATH, by_question
from components.publish.site import files
from readers import get
from readers.cli.show import known_answer
from readers.engine.analysis.narrate import narrate
from readers.engine.files.runs.content import content_of
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import SetQuestion
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from tests.components.publish.sites import TEXT
from tests.components.publish.test_site import batch as batch
from tests.components.publish.test_site import of, value_in
from tests.support.readings.batches import planned, read


def test_the_list_has_every_reading_with_its_question_and_how_it_was_graded(store: Store, batch: str) -> None:
    made = dict(files(of(store, batch)))
    listed = value_in(made[LISTED])
    assert [one["question"] for one in listed["questions"]] == ["Who rows the ferry?", "Who rings the bell?"]
    runs = {content_of(store, run): run for run in store.batches.runs_of(batch)}
    assert {one["id"] for one in listed["readings"]} == {*runs}
    for one in listed["readings"]:
        run = runs[one["id"]]
        assert listed["questions"][one["question"]]["question"] == run.question
        assert one["reader"] == run.reader
        graded = run.graded(known_answer(store, run))
        assert graded
        assert one["chip"][1] == graded.words
    assert f'src="../{LISTED}"' in made[PATH].decode()


def test_where_two_readings_of_a_question_part_is_in_the_data_of_one_as_the_app_tells_it(store: Store, batch: str) -> None:
    parent = next(run for run in store.batches.runs_of(batch) if run.reader == "whole")
    made = fork(store, open_reading(store, parent.id), get("whole"), ReplyEdit(0, 0, "Cole."))
    execute(store, made.id, get("whole"), Execution(Offline()))
    runs = [*store.batches.runs_of(batch), store.runs.get(made.id)]
    pages = dict(files(gather.of_runs(store, runs, lambda run: None, title="All")))
    ids = {content_of(store, run): run for run in runs}
    found = {(one, other): told for one in ids for other, told in value_in(pages[f"reading/{one}/data.js"])["parted"].items()}
    pairs = {(one, other) for one in ids for other in ids if one < other and ids[one].question == ids[other].question}
    assert {tuple(sorted(pair)) for pair in found} == pairs
    assert len(found) == len(pairs) == 4  # two questions with two readings each, and a fork beside two of them

    def said(reading: Reading) -> list[str]:
        return list(narrate(reading.trace, get(reading.run.reader)))

    for (one, other), told in found.items():
        wanted, steps = parting_words.part(open_reading(store, ids[one].id), open_reading(store, ids[other].id), said)
        assert told["lead"] == wanted.lead
        assert told["sides"] == [[sentence, words] for _, sentence, words in wanted.sides]
        assert told["at"] == (list(steps) if wanted.sides else None)


@pytest.mark.parametrize("more", [0, 3])
def test_readings_are_opened_once_and_kept_no_longer_than_their_question(store: Store, batch: str, more: int) -> None:
    first, *others = of(store, batch).readings
    opened: list[str] = []
    readings = [first, *others, *(replace(first, content=f"{n:032x}") for n in range(MOST_BESIDE + more - 2))]
    noting = [replace(one, open=lambda one=one: (opened.append(one.content), one.open())[1]) for one in readings]  # type: ignore[misc]
    seen = []
    for one, _, later in by_question(noting):
        seen.append(one.content)
        asked = [each for each in readings if each.asked == one.asked]
        assert {each.content for each in readings if each.content in opened} <= {*seen, *(each.content for each in asked)}
        assert len(later) == max(0, min(MOST_BESIDE, len(asked)) - 1 - [each.content for each in asked].index(one.content))
    assert sorted(opened) == sorted(seen) == sorted(one.content for one in readings)


def test_the_front_page_compares_the_first_reading_of_every_reader(store: Store) -> None:
    document = Document("The ferry", TEXT)
    asked = [SetQuestion("1", document.id, "Who rows?", (), ("Hester Vane",), True)]
    specs = [RunSpec(one, get(one).version, "") for one in ("memagent", "whole", "retrieval")]
    site = dict(files(of(store, read(planned(store, document, asked, *specs)))))
    found = re.search(r'href="compare/index\.html#readings=([0-9a-f,]+)"', site["index.html"].decode())
    assert found
    assert {*found[1].split(",")} == {one["content_id"] for one in json.loads(site["site.json"])["readings"]}
