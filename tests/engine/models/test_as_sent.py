"""The tokens of a reply are read from what a server sends, and what it sends badly counts as not given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers.engine.models.as_sent import sampled_in
from readers.engine.models.call import Sampled


def response(rows: Any = None, **choice: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": "a b"}, "logprobs": {"content": rows}, **choice}]}


OPENAI = response([{"token": "a", "logprob": -0.5, "bytes": [97], "top_logprobs": []}, {"token": " b", "logprob": -1}])
LLAMA = response([{"id": 64, "token": "a", "logprob": -0.5}, {"id": 293, "token": " b", "logprob": 0.0}])
VLLM = response([{"token": "a", "logprob": -0.5}, {"token": " b", "logprob": -1.0}], token_ids=[64, 293])


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (OPENAI, Sampled(None, (-0.5, -1.0))),
        (LLAMA, Sampled((64, 293), (-0.5, 0.0))),
        (VLLM, Sampled((64, 293), (-0.5, -1.0))),
        (json.dumps(VLLM), Sampled((64, 293), (-0.5, -1.0))),
        (response(token_ids=[1, 2, 3]), Sampled((1, 2, 3), None)),
        (response(VLLM["choices"][0]["logprobs"]["content"], token_ids=[64]), Sampled(None, (-0.5, -1.0))),  # which is whose?
        (response([{"logprob": -0.5}, {"logprob": "high"}]), Sampled()),
        (response([{"logprob": float("nan")}]), Sampled()),
        (response([{"logprob": 0.5}]), Sampled()),
        (response([{"logprob": -1, "id": True}]), Sampled(None, (-1.0,))),
        (response([]), Sampled()),
        (response("x", token_ids="y"), Sampled()),
        *((odd, Sampled()) for odd in (None, "", "{", "[]", b"\xff", {}, {"choices": {}}, {"choices": [None]}, 7)),
    ],
)
def test_what_a_server_gives(sent: Any, found: Sampled) -> None:
    assert sampled_in(sent) == found
    assert Sampled.of(found.to_json()) == found


def test_what_is_missing_is_named() -> None:
    assert Sampled().missing == ("token_ids", "logprobs")
    assert Sampled(logprobs=(-1.0,)).missing == ("token_ids",)
    assert (Sampled().to_json(), Sampled.of(None)) == (None, Sampled())
