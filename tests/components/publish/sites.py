"""Sites of small batches that the offline model read, for tests."""

from __future__ import annotations

import pytest

from components.publish import gather_batch
from components.publish.contents import SiteContents
from components.publish.site import files
from readers import get
from readers.cli.show import known_answer
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.execute import RunSpec
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from tests.support.readings.batches import planned, read

TEXT = "Hester Vane rows the ferry at noon.\n\nNobody swims here, and the bell is rung by Cole.\n\nThe inn is shut."


@pytest.fixture
def batch(store: Store) -> str:
    """Two readers on two questions about a text, read."""
    return ferries(store)


def ferries(store: Store) -> str:
    document = Document("The ferry", TEXT)
    asked = [
        SetQuestion("1", document.id, "Who rows the ferry?", (), ("Hester Vane",), True, (Span(0, 35),)),
        SetQuestion("2", document.id, "Who rings the bell?", (), ("Cole",), True, (Span(37, 88),)),
    ]
    specs = [
        RunSpec(one, get(one).version, "", options=options)
        for one, options in (("memagent", {"chunk_tokens": 32}), ("whole", {}))
    ]
    return read(planned(store, document, asked, *specs, name="Ferries"))


def of(store: Store, batch: str) -> SiteContents:
    return gather_batch.of_batch(store, store.batches.get(batch), lambda run: known_answer(store, run))


def made(store: Store, batch: str) -> dict[str, bytes]:
    return dict(files(of(store, batch)))
