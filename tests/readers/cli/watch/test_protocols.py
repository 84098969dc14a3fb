"""Requests and replies of OpenAI and Anthropic, whole and streamed, are read as what was said; anything else is no reply."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers.cli.watch import protocols
from readers.engine.errors import BadOptions
from readers.observed.calls import Said

SO = Said("user", "So?")
FOUND = Said("tool", "It was found.")


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "lamp"}'}}
REQUESTS: list[tuple[str, dict[str, Any], list[Said]]] = [
    (
        "/v1/chat/completions",
        {"messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [text("One."), {"type": "image_url"}, text("Two.")]},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "It was found."},
        ]},
        [Said("system", "Be brief."), Said("user", "One.\nTwo."), Said("assistant", 'find({"q": "lamp"})'), FOUND],
    ),
    ("/v1/completions", {"prompt": "Go on:"}, [Said("user", "Go on:")]),
    (
        "/v1/responses",
        {"instructions": "Be brief.", "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "One."}]},
            {"type": "function_call", "name": "find", "arguments": "{}", "call_id": "c1"},
            {"type": "function_call_output", "call_id": "c1", "output": "It was found."},
        ]},
        [Said("system", "Be brief."), Said("user", "One."), Said("assistant", "find({})"), FOUND],
    ),
    ("/v1/responses", {"input": "One."}, [Said("user", "One.")]),
    (
        "/v1/messages",
        {"system": [{"type": "text", "text": "Be brief."}], "messages": [
            {"role": "user", "content": "One."},
            {"role": "assistant", "content": [text("I look."), {"type": "tool_use", "name": "find", "input": {"q": "lamp"}}]},
            {"role": "user", "content": [{"type": "tool_result", "content": [text("It was found.")]}, text("So?")]},
        ]},
        [Said("system", "Be brief."), Said("user", "One."), Said("assistant", 'I look.\nfind({"q": "lamp"})'), FOUND, SO],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "said"), REQUESTS)
def test_what_a_program_says(path: str, body: dict[str, Any], said: list[Said]) -> None:
    assert list(protocols.messages_of(path, json.dumps(body).encode())) == said


def stream(*events: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events) + b"data: [DONE]\n\n"


def whole(message: dict[str, Any], finish: str) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}]}).encode()


def chunk(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def said_on(words: str) -> dict[str, str]:
    return {"type": "response.output_text.delta", "delta": words}


MESSAGE = {"usage": {"input_tokens": 7, "output_tokens": 1}}
REPLIES: list[tuple[str, bytes, bool, tuple[str, str, str]]] = [
    (
        "/v1/chat/completions",
        whole({"content": "It was.", "tool_calls": [CALL], "reasoning_content": "Hm."}, "length"),
        False,
        ('It was.\nfind({"q": "lamp"})', "Hm.", "length"),
    ),
    (
        "/v1/chat/completions",
        stream(
            chunk(role="assistant", content="It "), chunk(content="was."),
            chunk(tool_calls=[{"index": 0, "function": {"name": "find", "arguments": ""}}]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": "{}"}}]),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        ),
        True,
        ("It was.\nfind({})", "", "tool_calls"),
    ),
    # A program that keeps its memory as it came has the thoughts in it, too.
    (
        "/v1/chat/completions",
        whole({"content": "<think>Hm.</think>It was.", "reasoning_content": "So."}, "stop"),
        False,
        ("<think>Hm.</think>It was.", "So.", "stop"),
    ),
    (
        "/v1/responses",
        stream({"type": "response.output_text.delta", "delta": "It"}, {"type": "response.completed", "response": {"output": [
            {"type": "message", "content": [{"type": "output_text", "text": "It was."}]}]}}),
        True,
        ("It was.", "", "stop"),
    ),
    ("/v1/responses", stream(*map(said_on, ("It ", "w"))), True, ("It w", "", "")),
    (
        "/v1/messages",
        stream(
            {"type": "message_start", "message": MESSAGE},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "It was."}},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "name": "find", "input": {}}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"q": 1}'}},
            {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 9}},
        ),
        True,
        ('It was.\nfind({"q": 1})', "", "length"),
    ),
    (
        "/v1/messages",
        json.dumps({"content": [{"type": "thinking", "thinking": "Hm."}, text("It was.")], "stop_reason": "end_turn"}).encode(),
        False,
        ("It was.", "Hm.", "end_turn"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "streamed", "expected"), REPLIES)
def test_what_a_server_replies(path: str, body: bytes, streamed: bool, expected: tuple[str, str, str]) -> None:
    got = protocols.replied(path, body, streamed=streamed)
    assert (got.text, got.thoughts, got.finish, got.error) == (*expected, "")


def test_tokens_are_counted_as_the_server_says() -> None:
    got = protocols.replied("/v1/messages", REPLIES[5][1], streamed=True)
    assert (got.tokens_in, got.tokens_out) == (7, 9)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"\xff", b"{", b'{"messages": "no"}', b'{"messages": [3, {"role": 1}]}', b"[" * 100_000]
)
def test_what_is_no_request_says_so(body: bytes) -> None:
    with pytest.raises(BadOptions, match="passed on as it came"):
        protocols.messages_of("/v1/chat/completions", body)


@pytest.mark.parametrize("body", [b"", b"{", b'{"choices": 3}', b'{"choices": [{"message": {"content": 5}}]}', b"data: {\n\n"])
@pytest.mark.parametrize("streamed", [True, False])
def test_what_is_no_reply_says_so(body: bytes, streamed: bool) -> None:
    assert "passed on as it came" in protocols.replied("/v1/chat/completions", body, streamed=streamed).error


def test_an_error_of_the_server_is_its_own_words() -> None:
    body = json.dumps({"error": {"message": "slow down"}}).encode()
    assert protocols.replied("/v1/messages", body, streamed=False, status=429).error == "the server replied 429: slow down"
    assert (
        protocols.replied("/v1/messages", stream({"type": "error", "error": {"message": "busy"}}), streamed=True).error
        == "the server replied with an error: busy"
    )


def test_embeddings_are_counted() -> None:
    body = json.dumps({"model": "small", "input": ["One.", "Two."]}).encode()
    assert protocols.embedded(body) == "had 2 texts of 8 characters compared by small"
