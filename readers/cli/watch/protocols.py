"""What programs send to models and get from them, in the shapes of OpenAI and Anthropic, as what was said. Pure.

Both sides may send anything: what has another shape is left out, and a body of another shape is said to be unreadable. Tools that
are called, and what they replied, are part of what was said; the descriptions of tools, images and sounds are not. Not here: HTTP
(`proxy.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from readers.engine.errors import BadOptions
from readers.observed.calls import Role, Said

EMBEDDINGS = "/embeddings"
LENGTH_ENDS = ("length", "max_tokens", "max_output_tokens")
_ROLES: dict[str, Role] = {
    "developer": "system",
    "system": "system",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


class Replied:
    """What a server replied. `error` says why there is no reply; `tools` has the name and the arguments of each tool that it
    calls, while a stream of it is read."""

    def __init__(self, *, error: str = "") -> None:
        self.text, self.thoughts, self.finish, self.error = "", "", "", error
        self.tokens_in: int | None = None
        self.tokens_out: int | None = None
        self.tools: dict[int, list[str]] = {}


def is_known(path: str) -> bool:
    return path.endswith((*_ASKED, EMBEDDINGS))


def messages_of(path: str, body: bytes) -> tuple[Said, ...]:
    """The messages of a request. Raises BadOptions for one that says nothing in a shape that is known."""
    given = _parsed(body)
    found = next((asked for end, asked in _ASKED.items() if path.endswith(end)), None)
    said = tuple(one for one in found(given) if one.text) if found else ()
    if not said:
        raise BadOptions("what the program sent has no messages that can be read; it was passed on as it came")
    return said


def said_in(messages: Any) -> tuple[Said, ...]:
    """What is said in the messages of a chat."""
    return tuple(one for one in _chat({"messages": messages}) if one.text)


def room_of(body: bytes) -> int | None:
    """The tokens that a request allows for its reply."""
    given = _parsed(body)
    rooms = (given.get(name) for name in ("max_tokens", "max_completion_tokens", "max_output_tokens"))
    return next((room for room in rooms if type(room) is int and 0 < room < 10_000_000), None)


def model_of(body: bytes) -> str:
    return as_words(_parsed(body).get("model"))[:200]


def embedded(body: bytes) -> str:
    """A sentence on a request for embeddings."""
    given = _parsed(body)
    texts = [one for one in as_list(given.get("input")) if isinstance(one, str)] or [as_words(given.get("input"))]
    count = "1 text" if len(texts) == 1 else f"{len(texts):,} texts"
    return f"had {count} of {sum(map(len, texts)):,} characters compared by {as_words(given.get('model'))[:200] or 'a model'}"


def replied(path: str, body: bytes, *, streamed: bool, status: int = 200) -> Replied:
    """The reply in a response to a request for words."""
    if status >= 400:
        return Replied(error=f"the server replied {status}: {_problem(_parsed(body))}".rstrip(": "))
    made = Replied()
    for event in _events(body) if streamed else [_parsed(body)]:
        if event.get("error"):
            made.error = f"the server replied with an error: {_problem(event)}".rstrip(": ")
        for end, read in _READ.items():
            if path.endswith(end):
                read(made, event)
    calls = [tool_call(name, given) for _, (name, given) in sorted(made.tools.items())]
    made.text = "\n".join([*([made.text] if made.text else []), *calls])
    made.finish = "length" if made.finish in LENGTH_ENDS else made.finish[:60]
    if not made.text and not made.finish and not made.error:
        made.error = "what the server replied has no reply that can be read; it was passed on as it came"
    return made


def tool_call(name: str, given: Any) -> str:
    """A call of a tool, as it is said in replies and in later prompts."""
    return f"{name}({given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)})"


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _events(body: bytes) -> Iterator[dict[str, Any]]:
    """The data of the events of a stream."""
    for line in body.split(b"\n"):
        if line.startswith(b"data:"):
            yield _parsed(line[5:].strip())


def _problem(body: dict[str, Any]) -> str:
    error = body.get("error", body)
    said = error if isinstance(error, str) else as_dict(error).get("message", "")
    return as_words(said)[:500]


# Requests


def _chat(body: dict[str, Any]) -> Iterator[Said]:
    for one in map(as_dict, as_list(body.get("messages"))):
        calls = [as_dict(call.get("function")) for call in map(as_dict, as_list(one.get("tool_calls")))]
        called = [tool_call(as_words(call.get("name")), call.get("arguments", "")) for call in calls]
        words = _content(one.get("content"))
        yield Said(_role(one), "\n".join([*([words] if words else []), *called]))


def _completion(body: dict[str, Any]) -> Iterator[Said]:
    yield Said("user", _content(body.get("prompt")))


def _responses(body: dict[str, Any]) -> Iterator[Said]:
    yield Said("system", _content(body.get("instructions")))
    given = body.get("input")
    for one in [{"role": "user", "content": given}] if isinstance(given, str) else map(as_dict, as_list(given)):
        if one.get("type") == "function_call":
            yield Said("assistant", tool_call(as_words(one.get("name")), one.get("arguments", "")))
        elif one.get("type") == "function_call_output":
            yield Said("tool", _content(one.get("output")))
        else:
            yield Said(_role(one), _content(one.get("content")))


def _messages(body: dict[str, Any]) -> Iterator[Said]:
    yield Said("system", _content(body.get("system")))
    for one in map(as_dict, as_list(body.get("messages"))):
        blocks = one.get("content")
        parts = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else list(map(as_dict, as_list(blocks)))
        yield from (Said("tool", _content(part.get("content"))) for part in parts if part.get("type") == "tool_result")
        yield Said(_role(one), _blocks(parts))


def _blocks(parts: list[dict[str, Any]]) -> str:
    """The texts and the calls of tools in blocks of Anthropic's."""
    said = []
    for part in parts:
        if part.get("type") == "tool_use":
            said.append(tool_call(as_words(part.get("name")), part.get("input", {})))
        elif part.get("type") == "text":
            said.append(as_words(part.get("text")))
    return "\n".join(said)


def _content(given: Any) -> str:
    """A content, which is a text or a list of parts."""
    if isinstance(given, str):
        return given
    texts = [one if isinstance(one, str) else as_words(as_dict(one).get("text")) for one in as_list(given)]
    return "\n".join(text for text in texts if text)


def _role(one: dict[str, Any]) -> Role:
    return _ROLES.get(as_words(one.get("role")), "user")


# Responses: `made` gets what a whole body, or an event of a stream, adds to it


def _of_chat(made: Replied, event: dict[str, Any]) -> None:
    _count(made, event.get("usage"), "prompt_tokens", "completion_tokens")
    for choice in map(as_dict, as_list(event.get("choices"))):
        if choice.get("index", 0) != 0:
            continue  # of several replies to one prompt the program was given all; the first is shown
        said = as_dict(choice.get("message") or choice.get("delta"))
        made.text += _content(said.get("content")) + as_words(choice.get("text"))
        made.thoughts += as_words(said.get("reasoning_content"))
        made.finish = as_words(choice.get("finish_reason")) or made.finish
        for number, call in enumerate(map(as_dict, as_list(said.get("tool_calls")))):
            index, function = call.get("index", number), as_dict(call.get("function"))
            tool = made.tools.setdefault(index if isinstance(index, int) else number, ["", ""])
            tool[0] += as_words(function.get("name"))
            tool[1] += as_words(function.get("arguments"))


def _of_responses(made: Replied, event: dict[str, Any]) -> None:
    kind = event.get("type")
    if kind == "response.output_text.delta":
        made.text += as_words(event.get("delta"))
        return
    whole = as_dict(event.get("response")) if isinstance(kind, str) and kind.startswith("response.") else event
    output = list(map(as_dict, as_list(whole.get("output"))))
    if kind not in (None, "response.completed", "response.incomplete") or not output:
        return
    _count(made, whole.get("usage"), "input_tokens", "output_tokens")
    made.text = "\n".join(_content(one.get("content")) for one in output if one.get("type") == "message")
    for number, one in enumerate(one for one in output if one.get("type") == "function_call"):
        made.tools[number] = [as_words(one.get("name")), as_words(one.get("arguments"))]
    reason = as_words(as_dict(whole.get("incomplete_details")).get("reason"))
    made.finish = reason or ("tool_calls" if made.tools else "stop")


def _of_messages(made: Replied, event: dict[str, Any]) -> None:
    whole = as_dict(event.get("message")) if event.get("type") == "message_start" else event
    _count(made, whole.get("usage"), "input_tokens", "output_tokens")
    delta, index = as_dict(event.get("delta")), event.get("index")
    for number, block in enumerate(map(as_dict, as_list(whole.get("content")) or [event.get("content_block")])):
        at = index if isinstance(index, int) else number
        made.text += as_words(block.get("text"))
        made.thoughts += as_words(block.get("thinking"))
        if block.get("type") == "tool_use":
            given = block.get("input")
            made.tools[at] = [as_words(block.get("name")), json.dumps(given, ensure_ascii=False) if given else ""]
    made.text += as_words(delta.get("text"))
    made.thoughts += as_words(delta.get("thinking"))
    if isinstance(index, int) and index in made.tools:
        made.tools[index][1] += as_words(delta.get("partial_json"))
    made.finish = as_words(delta.get("stop_reason") or whole.get("stop_reason")) or made.finish


def _count(made: Replied, usage: Any, tokens_in: str, tokens_out: str) -> None:
    given = as_dict(usage)
    for name, key in (("tokens_in", tokens_in), ("tokens_out", tokens_out)):
        if type(value := given.get(key)) is int and 0 <= value < 2**40:
            setattr(made, name, value)


# What a value is if it has the type that it should have, and else empty: anybody may have sent anything


def as_words(given: Any) -> str:
    return given if isinstance(given, str) else ""


def as_list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def as_dict(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


_ASKED: dict[str, Callable[[dict[str, Any]], Iterator[Said]]] = {
    "/chat/completions": _chat,
    "/completions": _completion,
    "/responses": _responses,
    "/messages": _messages,
}
_READ: dict[str, Callable[[Replied, dict[str, Any]], None]] = {
    "/completions": _of_chat,
    "/responses": _of_responses,
    "/messages": _of_messages,
}
