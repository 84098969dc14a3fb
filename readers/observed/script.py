"""The script of an observed reading: its calls in order, with every prompt pieced together from where its characters come from.

The reader `observed` reads by it: it asks the same calls again, and a record that has their replies makes the same reading. The
program's own words are templates, of which equal ones are kept once; texts that are copied exactly are kept as places. A script
may come from a file, so `read_script` checks what would cost much.

Not here: where the characters come from (`sources.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, NamedTuple, get_args

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions
from readers.engine.prompts.prompt import NEXT_MESSAGE
from readers.engine.text import refs
from readers.observed.call_kinds import CallKind
from readers.observed.calls import ObservedCall
from readers.observed.sources import MOST_OTHERS, Messages, Sourced

MOST_CHARACTERS = 50_000_000  # in the prompt of a call
USUAL_ROOM = 4_096  # tokens of a reply, if the program set no limit
CHARACTERS_A_TOKEN = 24  # at most; a reply that is longer gets more room
LETTERED = len("(A) ")  # what a choice has before its words where it is offered


Place = tuple[str, int, int]  # an origin, and from where to where in it


class SourcePlace(NamedTuple):
    """`origin[begin:stop]`, which the prompt has as `text`; None if it is the same, character for character. `elsewhere`: the
    place is only likely, and these have the same wording, too (perhaps none is known); None if it is certain."""

    origin: str
    begin: int
    stop: int
    text: str | None = None
    elsewhere: tuple[Place, ...] | None = None


@dataclass(frozen=True)
class ScriptedCall:
    """A call of the script: `template` has the program's own words and a part for each of the `sources`, by `names`. `digest` is
    that of its reply; it is empty for a call that failed. `does`: what the call is for, in plain words; empty while the program
    goes on. `memory`: its reply acts as a memory."""

    roles: tuple[str, ...]
    template: str
    names: tuple[str, ...]
    sources: tuple[SourcePlace, ...]
    digest: str
    room: int
    asked: float
    before: tuple[str, ...] = ()
    does: CallKind | Literal[""] = ""
    memory: bool = False


@dataclass(frozen=True)
class End:
    """How the program ended: with an answer, pieced together from own words (with an empty origin) and sources; or without one,
    for a reason."""

    answer: tuple[SourcePlace, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Script:
    """All calls, and the end; None if the record stops before it."""

    calls: tuple[ScriptedCall, ...]
    end: End | None = None


def digest_of(reply: str) -> str:
    return sha256(reply.encode("utf-8", "replace")).hexdigest()[:12]


def scripted(call: ObservedCall, found: Messages, texts: Mapping[str, str]) -> ScriptedCall:
    """A call with the sources of its prompt; `texts` are those that they may be from, by ref."""
    template: list[str] = []
    names: list[str] = []
    sources: list[SourcePlace] = []
    for said, pieces in zip(call.messages, found, strict=True):
        words = []
        for source in pieced(said.text, pieces, texts):
            if not source.origin:
                words.append((source.text or "").replace(NEXT_MESSAGE, " ").replace("$", "$$"))
                continue
            kind = "text" if source.origin == refs.DOCUMENT else str(refs.kind(source.origin))
            names.append(f"{kind}_{1 + sum(name.startswith(kind) for name in names)}")
            sources.append(source)
            words.append(f"${{{names[-1]}}}")
        template.append("".join(words))
    room = max(call.room or USUAL_ROOM, len(call.reply) // CHARACTERS_A_TOKEN)
    roles = tuple(said.role for said in call.messages)
    return ScriptedCall(
        () if roles == ("user",) else roles, NEXT_MESSAGE.join(template), tuple(names), tuple(sources),
        "" if call.error else digest_of(call.reply), room, round(call.asked, 3), call.before,
    )  # fmt: skip


def pieced(text: str, pieces: Sequence[Sourced], texts: Mapping[str, str]) -> Iterator[SourcePlace]:
    """A text from its beginning to its end. What a tool said first is no source that a reading knows: it has no origin, like the
    program's own words."""
    own = ""
    for (start, end, origin, begin, stop), rating, others in pieces:
        if origin not in texts:
            own += text[start:end]
            continue
        if own:
            yield SourcePlace("", 0, 0, own)
        own, shift = "", LETTERED if refs.kind(origin) == "choice" else 0
        words, place = text[start:end], (begin + shift, stop + shift)
        alike = tuple(other[2:] for other in others if refs.kind(other.origin) in ("document", "reply"))
        same = words == texts[origin][slice(*place)]
        yield SourcePlace(origin, *place, None if same else words, None if rating == "certain" else alike)
    if own:
        yield SourcePlace("", 0, 0, own)


def write_script(script: Script) -> str:
    """A script as the option holds it."""
    templates: dict[str, int] = {}
    calls = []
    for call in script.calls:
        number = templates.setdefault(canonical([call.roles, call.template, call.names]), len(templates))
        found = [_short(one) for one in call.sources]
        calls.append([number, found, call.digest, call.room, call.asked, call.before, call.does, call.memory])
    end = script.end and {"answer": [_short(one) for one in script.end.answer], "reason": script.end.reason}
    return canonical({"templates": [json.loads(one) for one in templates], "calls": calls, "end": end})


def read_script(stored: str) -> Script:
    """What `write_script` wrote. Raises BadOptions for anything else."""
    try:
        found = json.loads(stored or '{"templates": [], "calls": [], "end": null}')
        templates = [(tuple(map(str, roles)), str(words), tuple(map(str, names))) for roles, words, names in found["templates"]]
        calls = tuple(_call(templates, given) for given in found["calls"])
        end = found["end"] and End(tuple(map(_source, found["end"]["answer"])), str(found["end"]["reason"]))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise BadOptions(f"the script of an observed reading cannot be read: {str(error)[:200]}") from None
    for sources in [one.sources for one in calls] + ([end.answer] if end else []):
        if sum(one.stop - one.begin for one in sources) > MOST_CHARACTERS:
            raise BadOptions(f"a prompt of an observed reading has over {MOST_CHARACTERS:,} characters, the maximum")
    return Script(calls, end)


def _call(templates: Sequence[tuple[tuple[str, ...], str, tuple[str, ...]]], given: Any) -> ScriptedCall:
    number, sources, digest, room, asked, before, *told = given
    does, memory = told or ("", False)
    roles, template, names = templates[number]
    if len(names) != len(sources):
        raise ValueError("a call has other parts than its template")
    found = tuple(map(_source, sources))
    known: CallKind | Literal[""] = next((kind for kind in get_args(CallKind) if kind == does), "")
    notes = tuple(map(str, before))
    return ScriptedCall(roles, template, names, found, str(digest), int(room), float(asked), notes, known, bool(memory))


def _short(source: SourcePlace) -> list[Any]:
    if source.elsewhere is not None:
        return list(source)
    return list(source[: 3 if source.text is None else 4])


def _source(given: Any) -> SourcePlace:
    origin, begin, stop, *more = given
    text, elsewhere = [*more, None, None][:2]
    alike = None if elsewhere is None else tuple(_place(*one) for one in elsewhere[:MOST_OTHERS])
    return SourcePlace(*_place(origin, begin, stop), None if text is None else str(text), alike)


def _place(origin: Any, begin: Any, stop: Any) -> tuple[str, int, int]:
    if not 0 <= int(begin) <= int(stop):
        raise ValueError("a place ends before it begins")
    return str(origin), int(begin), int(stop)
