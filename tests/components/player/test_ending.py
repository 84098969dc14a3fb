"""Where an answer is said to come from: found in the text only where the text supports it, or else nearest to a place."""

from __future__ import annotations

import pytest

from components.player import cache
from components.session.samples import samples
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading


@pytest.mark.parametrize(
    ("question", "kind", "words"),
    [
        ("Where were the bolts cast?", "nearest", "nearest: part 1.7; “cast” does not occur there"),
        ("Who kept the high light?", "found", "found in part 1.2 of the text"),
    ],
)
def test_an_answer_is_found_in_the_text_only_if_the_text_supports_it(question: str, kind: str, words: str, store: Store) -> None:
    reader, document = get("memwalker"), samples()[0].document
    spec = RunSpec(reader.id, reader.version, question, options={"segment_tokens": 600, "max_children": 8})
    run = execute(store, create_run(store, document, reader, spec).id, reader, Execution(Offline()))
    found = cache.source(open_reading(store, run.id))
    assert (found.kind, found.words) == (kind, words)
