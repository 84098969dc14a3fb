"""When compared readings had enough: the marks on the axis of tokens, by the record of their calls, and the sentences."""

from __future__ import annotations

from components.compare import enough
from components.compare.enough import Milestones
from readers import get
from readers.engine.analysis.facts.sufficiency import Spent, Standing, Sufficiency
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document, Span

FACT = "The lamp at Carrow was lit by Amos Garbutt, who had kept it for nine winters."
FILLER = "The rain fell on the harbour and nobody was about in the street that evening, as was usual. "
TEXT = FILLER * 6 + FACT + " " + FILLER * 12


def read(store: Store, reader_id: str, **options: int) -> Reading:
    reader = get(reader_id)
    spec = RunSpec(reader_id, reader.version, "Who lit the lamp at Carrow?", options=options)
    run = create_run(store, Document.of(TEXT, title="T"), reader, spec)
    execute(store, run.id, reader, Execution(Offline()))
    return open_reading(store, run.id)


def test_the_marks_are_the_sums_of_the_calls_before_them(store: Store) -> None:
    reading = read(store, "memagent", chunk_tokens=100)
    start = TEXT.index(FACT)
    found = enough.milestones(reading, [Span(start, start + len(FACT))], None)
    assert found
    at, _ = found
    call = next(
        one.seq
        for one in reading.trace.asked.values()
        if any(a <= start and start + len(FACT) <= b for a, b in reading.trace.spans_shown(one.seq))
    )
    each = [(one.seq, (one.tokens_in or 0) + (one.tokens_out or 0)) for one in reading.records]
    assert at["sufficient"] == sum(some for seq, some in each if seq <= call)
    assert at["answered"] == at["all"] == sum(some for _, some in each)
    assert at["noticed"] == at["sufficient"]  # the memory after that chunk states it
    drawn = enough.figure({"1 · MemAgent": found}, "light")["data"]
    assert {one.get("name", "all"): one["x"] for one in drawn} == {name: [tokens] for name, tokens in at.items()}


def milestones(standing: Standing, **at: int) -> Milestones:
    spent = Spent(3, 90, 0.0, 1.0)
    return {**at, "all": 200}, Sufficiency(standing, spent, spent, until=spent)


def test_the_sentences_claim_no_more_than_is_certain() -> None:
    said = [
        enough.sentence(milestones("stated", sufficient=90, answered=200, noticed=60)),
        enough.sentence(milestones("stated", sufficient=90, answered=90)),
        enough.sentence(milestones("not stated", answered=200)),
        enough.sentence(milestones("cannot be told", answered=200)),
    ]
    assert said == [
        "one call had all of the evidence after 90 tokens (3 calls); the answer came 110 tokens later; a text that the model "
        "wrote carried all of it after 60.",
        "one call had all of the evidence after 90 tokens (3 calls); it gave the answer.",
        "no call certainly had all of the evidence, in 200 tokens.",
        "no call certainly had all of the evidence, in 200 tokens; the words do not settle whether one did.",
    ]
