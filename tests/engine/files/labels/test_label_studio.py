"""An exported file is loaded by Label Studio itself: by its reader of setups and its converter, both as it ships them."""

from __future__ import annotations

from pathlib import Path

import pytest

from readers.engine.files.labels.export_labels import gathered
from readers.engine.files.labels.label_studio import as_label_studio, setup
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import Code
from readers.engine.labels.project import HOST
from readers.engine.store import Store
from tests.engine.files.labels.test_export_labels import rich
from tests.support.labels import HOSTILE
from tests.support.processes import label_studio

pytestmark = pytest.mark.slow  # a process of its own


def test_label_studio_loads_every_label_and_its_converter_gives_them_back(store: Store, tmp_path: Path) -> None:
    where, run = rich(store)
    store.codebooks.add(where.id, Codebook((Code("=B2", "Lossy"),), 2), HOST)
    export = gathered(store, where.id, HOST)  # with labels of a code that has left the codebook
    loaded = label_studio.load(setup(export), as_label_studio(export, store), tmp_path)
    assert loaded.errors == []
    ada, ben, unlabelled = loaded.converted
    text = store.documents.get(store.runs.get(run).document).text
    assert (ada["reading"], ada["question"], ada["text"], ada["codes"]) == (run, "Question 0?", text, "N1")
    assert ben["spans"] == [{"start": 4, "end": 8, "text": text[4:8], "labels": ["=B2"]}]
    assert (ben["outcome"], ben["decisive"], ben["lead_time"]) == ("partly", "3", 61.0)
    assert set(HOSTILE) <= set(ben["words"]["text"])
    assert "annotator" not in unlabelled or unlabelled["annotator"] is None


def test_label_studio_refuses_what_its_setup_has_no_place_for(store: Store, tmp_path: Path) -> None:
    where, _ = rich(store)
    export = gathered(store, where.id, HOST)
    tasks = as_label_studio(export, store).replace('"labels":["=B2"]', '"labels":["no such code"]')
    assert any("no such code" in error for error in label_studio.load(setup(export), tasks, tmp_path).errors)
