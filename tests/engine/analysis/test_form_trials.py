"""The forms of a reader, each tried once with a model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers import READERS, get
from readers.engine.analysis import form_trials
from readers.engine.analysis.form_trials import FAILED, MISREAD, MOST_FORMS, READ, SLOW, first_calls, table, try_forms
from readers.engine.models.call import Call, ModelSettings, Reply, ReplyForm, correction
from readers.engine.models.model import SchemaRefused
from readers.engine.models.offline import Offline
from readers.engine.run.reader import Reader
from tests.support.models.scripted_models import Scripted


def came(model: Scripted | Offline, reader: str, **settings: str) -> dict[str, str]:
    rows = try_forms(model, first_calls(get(reader), ModelSettings("x", **settings)))  # type: ignore[arg-type]
    return {row.note: str(row.cells[0].content) for row in rows}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_every_reader_has_forms_to_try_and_the_offline_model_meets_them(reader: Reader) -> None:
    rows = list(try_forms(Offline(), first_calls(reader, ModelSettings("offline/extractive"))))
    assert 1 < len(rows) <= MOST_FORMS
    assert {str(row.cells[0].content) for row in rows} == {READ}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_every_form_that_a_reader_may_ask_for_is_tried(reader: Reader) -> None:
    tried = [call.prompt for call in first_calls(reader, ModelSettings("x"))]
    met, forms = {prompt.id for prompt in tried}, [(prompt.task, prompt.reply) for prompt in tried]
    in_a_form = [prompt for prompt in reader.prompts if prompt.task != "score" and not prompt.exact]
    assert {prompt.id for prompt in in_a_form if (prompt.task, prompt.reply) not in forms} <= met


@pytest.mark.parametrize("form", ["words", "schema"])
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_a_form_asked_for_again_begins_with_the_whole_prompt_so_that_a_server_has_read_it(
    reader: Reader, form: ReplyForm
) -> None:
    for call in first_calls(reader, ModelSettings("x", reply_form=form)):
        (first,) = call.messages
        (again,) = replace(call, attempt=1, note=correction(call.prompt, "it was empty"), asked="").messages
        assert again["content"].startswith(first["content"]), call.prompt.id
        last = again["content"].removeprefix(first["content"])
        assert last.lstrip().startswith("Your last reply to this could not be used")


def test_a_form_that_fails_is_told_from_those_that_do_not_and_none_is_asked_twice() -> None:
    model = Scripted(lambda call: "Page 1 or 2" if call.prompt.id == "readagent.look_up_next" else Offline().complete(call).text)
    found = came(model, "readagent")
    assert found["readagent.look_up_next"] == MISREAD
    assert {*found.values()} == {READ, MISREAD}
    assert len(model.calls) == len(found)
    assert {"readagent.pause", "readagent.gist", "readagent.look_up", "readagent.answer_choice"} < {*found}


def test_a_slow_reply_and_none_at_all_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_trials, "SLOW_SECONDS", -1.0)
    assert came(Offline(), "whole") == {"whole.answer": SLOW, "whole.answer_choice": SLOW}
    assert came(Scripted([]), "whole") == {"whole.answer": FAILED, "whole.answer_choice": FAILED}


def test_a_server_that_refuses_a_schema_is_asked_in_words() -> None:
    class Refusing:
        def complete(self, call: Call) -> Reply:
            if call.response_format:
                raise SchemaRefused("no schema here")
            return Offline().complete(call)

    assert came(Refusing(), "memwalker", reply_form="schema")["memwalker.triage"] == READ  # type: ignore[arg-type]


def test_the_table_names_the_reader_and_what_is_slow() -> None:
    made = table(get("whole"), list(try_forms(Offline(), first_calls(get("whole"), ModelSettings("x")))))
    assert made.title.startswith(get("whole").title)
    assert "30 seconds" in made.notes[0]
