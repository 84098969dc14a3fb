"""QRMeM's one graph of all segments: names that mean the same, and what is said of two entities in several places."""

from __future__ import annotations

from typing import Any

import pytest

from readers.engine.analysis.narrate import narrate
from readers.engine.models.call import Call
from readers.engine.text.document import Document
from tests.support.readings.qrmem_readings import (
    ANSWERED,
    LONG,
    READER,
    Plan,
    asked,
    build,
    dropped,
    entities,
    read,
    relations,
    text,
)
from tests.support.readings.shipped_readings import shipped_reading

TWICE = text(
    "ada quill kept a boat called swallow, and she was seen on it in all weathers by anyone who looked out for her.",
    "miss quill sold swallow in the end, so it is said, and then she was not seen at the harbour any more, ever.",
    "quill is also the name of what one wrote with, in the days when ada quill was a girl, and wrote it all down.",
)


def same(*pairs: tuple[str, str]) -> Any:
    return lambda call: [{"a": a, "b": b} for a, b in pairs]


def twice(call: Call) -> list[str]:
    """The names of `TWICE`, each where it stands."""
    return [name for name in ("ada quill", "miss quill", "quill", "swallow") if name in call.part("segment")[0]]


def test_names_the_model_takes_for_one_are_one_entity_with_all_its_mentions_and_segments() -> None:
    scripted = Plan(entities=twice, said={}, same=same(("Miss Quill", "ada quill")), verdicts=list(ANSWERED)).model()
    trace = read(TWICE, scripted)
    found = entities(trace)
    assert (found["ada quill"]["mentions"], found["ada quill"]["segments"]) == (["ada quill", "miss quill"], [1, 2, 3])
    assert found["quill"]["segments"] == [1, 2, 3]
    (merge,) = trace.decisions("same")
    assert merge.among == ("ada quill", "miss quill")
    offered = asked(scripted, "same")[0].part("names")
    assert [name.partition("\n")[0] for name in offered] == ["ada quill", "quill", "miss quill"]
    assert offered[2].partition("\n")[2].startswith("miss quill sold swallow")


def test_what_is_said_of_a_graph_is_what_was_asked_and_made() -> None:
    told = narrate(shipped_reading("qrmem-sarn-three-bars.json").trace, READER)
    assert told[1].startswith(
        "It asked in each part how the names found there are related (12 calls). Names were looked for by rules."
    )
    assert told[4].endswith("all by rules alone. It described no relations.")
    assert told[16].startswith(
        "The graph has 135 relations; 3 relations were put together from several descriptions. "
        "For that the model first wrote 4 questions to bring out what both parts say of the two."
    )
    by_model = narrate(read(TWICE, Plan(entities=twice, said={}, verdicts=list(ANSWERED)).model()), READER)
    assert any("looked in each part for entities" in words and "also looked for by rules" in words for words in by_model)


def test_only_names_that_were_offered_can_be_one() -> None:
    trace = build(TWICE, entities=twice, said={}, same=same(("ada quill", "swallow"), ("Atlantis", "quill")))
    assert [name for name, why in dropped(trace) if why == "it was not offered"] == ["swallow", "Atlantis"]
    assert not trace.decisions("same")
    left_out = "It left out “swallow” and “Atlantis”, which were not among the names offered."
    assert left_out in " ".join(narrate(trace, READER))


def test_names_that_cannot_be_told_apart_by_a_reply_stay_apart() -> None:
    trace = build(TWICE, entities=twice, said={}, same=lambda call: "yes, all")
    assert [event.picked for event in trace.decisions("fallback")] == ["every name for itself"]
    assert len(entities(trace)) == 4


def test_names_that_differ_in_case_and_space_alone_are_one_without_asking() -> None:
    document = text(
        "port  ellary is far from here, and it takes some time to come to it, and some more to leave it, as one will.",
        "we went to port\neLLARY once, and back.",
    )
    scripted = Plan(entities=lambda call: ["port ellary"], said={}, verdicts=list(ANSWERED)).model()
    trace = read(document, scripted, segment_tokens=32)
    (found,) = entities(trace).values()
    assert found["mentions"] == ["port  ellary", "port eLLARY"]
    assert not asked(scripted, "same")
    assert not trace.decisions("same")


def test_what_is_said_twice_of_two_entities_is_put_together_by_the_model() -> None:
    said = {("ada quill", "swallow"): "she kept it"}

    def told(call: Call) -> list[dict[str, str]]:
        a = "miss quill" if "miss quill" in call.part("segment")[0] else "ada quill"
        return [{"a": "swallow", "b": a, "relation": f"{a} had swallow."}] if "swallow" in call.part("entities") else []

    scripted = Plan(
        said=said, entities=twice, relations=told, same=same(("miss quill", "ada quill")), verdicts=list(ANSWERED)
    ).model()
    trace = read(TWICE, scripted)
    assert relations(trace) == {("swallow", "ada quill"): ("ada quill had swallow. and miss quill had swallow.", [1, 2])}
    (asking,) = asked(scripted, "merge_relations")
    assert asking.part("first")[0].startswith("ada quill kept")
    assert asking.part("second")[0].startswith("miss quill sold")
    assert (asking.part("a"), asking.part("b")) == (("ada quill",), ("swallow",))
    assert (asking.part("question"), asking.part("about")) == (("What of both?",), ("Who built the boat of Ada Quill?",))
    assert len(asked(scripted, "merge_question")) == 1


def seen(count: int) -> Document:
    """So many segments that each have two entities in them."""
    words = "ada quill and swallow were seen out there, for the"
    return text(*(f"{n}: {words} {n}th time, by those who looked out for them." for n in range(count)))


@pytest.mark.parametrize(("segments", "rounds"), [(2, [1]), (3, [1, 1]), (4, [2, 1]), (7, [3, 2, 1])])
def test_descriptions_are_put_together_two_by_two_all_of_a_round_at_once(segments: int, rounds: list[int]) -> None:
    document = text(
        *(
            f"{n}: ada quill and swallow were seen out there, for the {n}th time, by those who looked out for them."
            for n in range(segments)
        )
    )
    told = lambda call: [{"a": "ada quill", "b": "swallow", "relation": f"seen {call.part('segment')[0][0]}"}]  # noqa: E731
    scripted = Plan(relations=told, verdicts=list(ANSWERED)).model()
    trace = read(document, scripted)
    kinds = [call.prompt.id.removeprefix("qrmem.merge_") for call in scripted.calls if "qrmem.merge_" in call.prompt.id]
    assert kinds == [kind for count in rounds for kind in ["question"] * count + ["relations"] * count]
    ((words, where),) = relations(trace).values()
    assert sorted(words.replace(" and", "").split()[1::2]) == [str(n) for n in range(segments)]
    assert where == list(range(1, segments + 1))


def test_what_is_said_in_the_same_words_needs_no_call() -> None:
    document = seen(3)
    told = lambda call: [{"a": "ada quill", "b": "swallow", "relation": "They were seen."}]  # noqa: E731
    scripted = Plan(relations=told, verdicts=list(ANSWERED)).model()
    trace = read(document, scripted)
    assert list(relations(trace).values()) == [("They were seen.", [1, 2, 3])]
    assert not asked(scripted, "merge_relations")


def test_a_fusion_that_cannot_be_read_leaves_both_descriptions() -> None:
    document = seen(2)
    told = lambda call: [{"a": "ada quill", "b": "swallow", "relation": f"seen {call.part('segment')[0][0]}."}]  # noqa: E731
    trace = build(document, relations=told, fused=lambda call: "")
    assert [words for words, _ in relations(trace).values()] == ["seen 0. seen 1."]
    assert [event.picked for event in trace.decisions("fallback")] == ["both descriptions, one after the other"]


def test_a_relation_between_names_that_became_one_is_dropped() -> None:
    told = lambda call: [{"a": "ada quill", "b": "quill", "relation": "quill is of ada quill."}]  # noqa: E731
    trace = build(TWICE, entities=twice, relations=told, same=same(("ada quill", "quill"), ("quill", "miss quill")))
    assert relations(trace) == {}
    assert {why for ref, why in dropped(trace) if ref.startswith("wrote:")} == {"both its ends are the same entity"}


def test_everything_is_asked_round_by_round_over_all_segments() -> None:
    scripted = Plan(questions=lambda call: [f"What of {call.part('segment')[0][:14]}?"], verdicts=list(ANSWERED)).model()
    read(LONG, scripted, graph_update=True)
    order = [call.prompt.id.removeprefix("qrmem.") for call in scripted.calls]
    stages = [
        "segment_summary",
        "summary",
        "entities",
        "relations",
        "questions",
        "more_entities",
        "more_relations",
        "start",
        "answerable",
    ]
    assert list(dict.fromkeys(order)) == stages
    assert order == sorted(order, key=stages.index)
