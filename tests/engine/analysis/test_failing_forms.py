"""A form that fails is one with several misread replies."""

from __future__ import annotations

from readers.engine.analysis.failing_forms import failing_forms, in_words, remedies
from readers.engine.record.events import Asked, Event, Misread


def test_two_misread_replies_of_a_kind_make_a_failing_form_and_one_does_not() -> None:
    events: list[Event] = []
    for seq, (prompt, misread) in enumerate([("a.choose", 1), ("a.gist", 1), ("a.choose", 1), ("a.look_up", 3)]):
        events.append(Asked(seq, prompt, (), None))
        events += [Misread(seq, attempt, "it was empty") for attempt in range(misread)]
    found = failing_forms(events)
    assert {prompt: len(misread) for prompt, misread in found.items()} == {"a.look_up": 3, "a.choose": 2}
    assert next(iter(found)) == "a.look_up"
    assert in_words("a.look_up", found["a.look_up"]) == (
        "The model fails at the form of the prompt “look up”: 3 replies could not be read, the last one because it was empty."
    )


def test_a_schema_is_offered_only_where_there_is_none_yet() -> None:
    assert "schema" in remedies("words")
    assert "schema" not in remedies("schema")
