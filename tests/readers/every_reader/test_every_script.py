"""Every reader reads Arabic, Hebrew, Japanese, Thai and mixed lines: it finds what is asked and cuts between whole letters."""

from __future__ import annotations

import pytest
import regex

from readers import READERS
from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.record.events import Answered, Cut
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from tests.support.readings.every_reading import SMALL
from tests.support.texts_and_files.scripts import SCRIPTS

LEFT_OUT = {("memwalker", "Japanese")}  # the offline model's summaries, by which it walks, leave the sentence out


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_a_text_in_any_script_is_cut_between_letters_and_its_answer_found(reader: Reader, name: str) -> None:
    script = SCRIPTS[name]
    document = script.document()
    spec = RunSpec(reader.id, reader.version, script.question, options=SMALL[reader.id])
    trace = rehearse(document, reader, spec, Offline())
    whole = {0, *(match.end() for match in regex.finditer(r"\X", document.text))}
    cuts = [span for event in trace.events if isinstance(event, Cut) for span in event.spans]
    assert [span for span in cuts if not {span.start, span.end} <= whole] == []
    assert {*range(len(document.text))} == {at for span in cuts for at in range(span.start, span.end)}
    (answer,) = (event.text for event in trace.events if isinstance(event, Answered))
    assert (script.where in answer) == ((reader.id, name) not in LEFT_OUT)
    assert len(narrate(trace, reader)) == len(trace.steps)
