"""Where every character of a prompt comes from: what is found, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterable

from readers.observed.call_kinds import call_kinds
from readers.observed.calls import ObservedCall, Role, Said
from readers.observed.memory import memories
from readers.observed.normal import normal
from readers.observed.sources import OWN, Messages, Sources, joined, sources
from tests.support.paths import LAMP

TEXT = LAMP.read_text(encoding="utf-8")
QUESTION = "Who lit the lamp at Carrow Point on the night of the wreck?"
ASKED = "You read a text in parts. Answer from this part alone.\n\n"


def call(at: float, *messages: tuple[Role, str], reply: str = "", until: float | None = None) -> ObservedCall:
    return ObservedCall(at, at + 0.5 if until is None else until, tuple(Said(*one) for one in messages), reply)


def told(messages: Messages) -> list[list[tuple[str, int, int, str]]]:
    """The pieces of each message: origin, place there, and rating."""
    return [[(one.piece.origin, one.piece.begin, one.piece.stop, one.rating) for one in pieces] for pieces in messages]


def check(documents: Iterable[str], calls: list[ObservedCall], found: list[Messages]) -> None:
    """The pieces cover each message, and each has the wording of its source."""
    said = {f"reply:{n}": one.reply for n, one in enumerate(calls)} | {"document": joined(list(documents)), "question": QUESTION}
    for one, messages in zip(calls, found, strict=True):
        for message, pieces in zip(one.messages, messages, strict=True):
            assert "".join(message.text[at.piece.start : at.piece.end] for at in pieces) == message.text
            for at in (at for at in pieces if at.piece.origin in said):
                for place in (at.piece, *at.others):
                    wording = said[place.origin][place.begin : place.stop] if place.origin in said else ""
                    assert normal(message.text[place.start : place.end]).text.strip() == normal(wording).text.strip()


def test_parts_of_a_document_the_question_and_replies_have_their_places() -> None:
    first, second = TEXT[4000:4900].strip(), TEXT[9000:9700].strip()
    summary = "The keeper wound the lamp twice a night, so the first part tells us."
    calls = [
        call(0, ("user", f"{ASKED}{first}\n\nQuestion: {QUESTION}"), reply=summary),
        call(1, ("user", f"{ASKED}What was found: {summary}\n\n{second}\n\nQuestion: {QUESTION}"), reply="Amos Garbutt lit it."),
    ]
    found = sources([TEXT], QUESTION, calls)
    at, then = TEXT.index(first), TEXT.index(second)
    assert told(found[0]) == [[
        (OWN, 0, 0, "own"), ("document", at, at + len(first), "certain"),
        (OWN, 0, 0, "own"), ("question", 0, len(QUESTION), "certain"),
    ]]  # fmt: skip
    assert told(found[1])[0][1::2] == [
        ("reply:0", 0, len(summary), "certain"),
        ("document", then, then + len(second), "certain"),
        ("question", 0, len(QUESTION), "certain"),
    ]
    check([TEXT], calls, found)


def test_a_passage_that_stands_twice_is_likely_the_one_that_is_read_next_and_names_the_other() -> None:
    creed = "I believe in the lamp, the glass and the oil, and in whoever comes at night to wind it up again."
    parts = [f"{creed}\n\n{TEXT[n : n + 600].strip()}" for n in (3000, 9000)]
    document = "\n\n".join(parts)
    calls = [call(n, ("user", ASKED + one), reply="") for n, one in enumerate([creed, parts[0][len(creed) :], creed, parts[1]])]
    found = sources([document], "", calls)
    here, there = document.index(creed), document.rindex(creed)
    [_, once], [_, again] = found[0][0], found[2][0]
    assert (once.piece.begin, once.rating, [one.begin for one in once.others]) == (here, "likely", [there])
    assert (again.piece.begin, again.rating, [one.begin for one in again.others]) == (there, "likely", [here])
    check([document], calls, found)


def test_a_call_draws_only_on_replies_that_were_there_when_it_was_asked() -> None:
    reply = "All night long he stood in the lantern room and kept the light alive."
    for at, origins in [(0.2, [OWN]), (2, [OWN, "reply:0"])]:
        found = sources([TEXT], "", [call(0, ("user", ASKED), reply=reply, until=1), call(at, ("user", ASKED + reply))])
        assert [origin for origin, *_ in told(found[1])[0]] == origins


def test_a_conversation_with_tools_repeats_its_pieces_and_tells_a_tools_words_from_the_documents() -> None:
    passage = TEXT[5000:5500].strip()
    asked: list[tuple[Role, str]] = [("system", "You find passages with a tool."), ("user", QUESTION)]
    looked: list[tuple[Role, str]] = [
        ("assistant", 'search({"words": "who lit the lamp"})'),
        ("tool", f"Found one place:\n{passage}"),
    ]
    answered: list[tuple[Role, str]] = [
        ("assistant", "The passage names no one, it seems to me."),
        ("user", "Look again: found one place."),
    ]
    calls = [
        call(0, *asked, reply=looked[0][1]),
        call(1, *asked, *looked, reply=answered[0][1]),
        call(2, *asked, *looked, *answered, reply="No one."),
    ]
    found = sources([TEXT], QUESTION, calls)
    assert found[2][:4] == found[1]
    assert [[origin for origin, *_ in pieces] for pieces in told(found[2])] == [
        [OWN], ["question"], ["reply:0"], ["tool:0", "document"], ["reply:1"], [OWN],
    ]  # fmt: skip
    assert call_kinds(calls, found) == ["writes", "tool", "answers"]
    assert memories(calls, found) == ()
    check([TEXT], calls, found)


def test_a_reply_that_copies_the_document_is_the_reply_in_a_slot_that_never_told_and_the_document_is_the_other_place() -> None:
    copied = TEXT[TEXT.index("Carrow Point is hardly") :].partition(".")[0] + "."
    calls, memory = [], "Nothing."
    for part in range(4):
        shown = TEXT[3000 + part * 900 :][:900].strip()
        asked = f"Question: {QUESTION}\n\nMemory:\n{memory}\n\nText:\n{shown}\n\nWrite the memory anew."
        calls.append(call(part, ("user", asked), reply=copied))
        memory = copied
    for number, messages in enumerate(sources([TEXT], QUESTION, calls)[1:]):
        [held] = [one for one in messages[0] if one.piece.origin.startswith("reply")]
        assert (held.piece.origin, held.rating) == (f"reply:{number}", "likely")
        assert "document" in [other.origin for other in held.others]


def test_names_in_a_list_are_those_of_the_passage_above_and_a_heading_that_it_happens_to_have_is_the_programs() -> None:
    passage = TEXT[TEXT.index("I am Edmund Raw") :][:700]
    parts = [TEXT[20_000:20_300], TEXT[21_000:21_300], passage]
    assert [part.count("Ned.") for part in parts] == [0, 0, 1]
    calls = [
        call(n, ("user", f"Part:\n{part}\n\nNed:\n{name}\nSomebody Else"))
        for n, (part, name) in enumerate(zip(parts, ["No one", "No one", "Edmund Raw"], strict=True))
    ]
    [*_, [pieces]] = sources([TEXT], "", calls)
    [_, shown, _, name, _] = pieces
    assert [one.piece.origin for one in (shown, name)] == ["document", "document"]
    assert (name.piece.begin, name.rating) == (TEXT.index("Edmund Raw"), "likely")


def test_several_documents_are_one_text_with_a_known_joint() -> None:
    documents = [TEXT[:2000], TEXT[9000:11000]]
    [found] = sources(documents, "", [call(0, ("user", ASKED + documents[1].strip()))])
    piece = found[0][1].piece
    assert joined(documents)[piece.begin : piece.stop] == documents[1].strip()


def test_words_that_no_source_has_are_the_programs_own_whoever_repeats_them() -> None:
    rule = "Write down nothing that the part does not say, and be brief about it."
    calls = [
        call(0, ("user", f"{rule}\n\n{TEXT[4000:4500]}"), reply=f"{rule} The keeper is out."),
        call(1, ("user", f"{rule}\n\n{TEXT[4500:5000]}")),
    ]
    found = sources([TEXT], "", calls)
    assert told(found[1])[0][0] == (OWN, 0, 0, "own")
    assert found[1][0][0].piece.end >= len(rule)


def test_live_pieces_are_those_of_the_calls_so_far() -> None:
    live = Sources(TEXT, QUESTION)
    passage = TEXT[4000:4500].strip()
    assert [origin for origin, *_ in told(live.prompt(0, [Said("user", ASKED + passage)]))[0]] == [OWN, "document"]
    live.reply(0, "He was out of the house and far from the light.")
    assert [one[0] for one in told(live.prompt(1, [Said("user", "He was out of the house and far from the light.")]))[0]] == [
        "reply:0"
    ]
