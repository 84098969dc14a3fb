"""What servers make of a JSON schema that a request comes with: values that follow it, and replies of four manners."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.support.servers.model_server import Answer, Request, Script, completion, failure, memwalker_reply

REFUSED = "response_format of type 'json_schema' is not supported"
WORDS = "The keeper lit the lamp at nine, and wrote the hour into her book."


def schema_of(request: Request) -> dict[str, Any] | None:
    """The schema that a request comes with, if it is sent strictly."""
    sent = request.body.get("response_format") or {}
    return sent["json_schema"]["schema"] if sent.get("type") == "json_schema" and sent["json_schema"]["strict"] else None


def follow(schema: Mapping[str, Any]) -> Any:
    """A value that follows a schema: the first choice, a number from 1, or some words; never null, and no list is empty."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "enum" in schema:
        return schema["enum"][0]
    if kinds[0] == "object":
        return {name: follow(of) for name, of in schema["properties"].items()}
    if kinds[0] == "array":
        return [follow(schema["items"])]
    return 1 if kinds[0] == "integer" else WORDS


def least(schema: Mapping[str, Any]) -> Any:
    """As little as a schema lets through: the last choice, nothing in a list, no words."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "enum" in schema:
        return schema["enum"][-1]
    if kinds[0] == "object":
        return {name: least(of) for name, of in schema["properties"].items()}
    if kinds[0] == "array":
        return [least(schema["items"])] * schema.get("minItems", 0)
    return 1 if kinds[0] == "integer" else WORDS if schema.get("minLength") else ""


def lazy(request: Request) -> Answer:
    """A server that holds its model to a schema, and whose model says as little as it may."""
    schema = schema_of(request)
    return _says(request, WORDS if schema is None else json.dumps(least(schema)))


def conforms(request: Request) -> Answer:
    """A server that holds its model to a schema."""
    schema = schema_of(request)
    return _says(request, WORDS if schema is None else json.dumps(follow(schema)))


def ignores(request: Request) -> Answer:
    """A server that takes a schema, and whose model replies in words all the same."""
    return _says(request, memwalker_reply(request.content))


def refuses(request: Request) -> Answer:
    """A server that takes no schema."""
    return failure(400, REFUSED) if "response_format" in request.body else ignores(request)


def thinks(request: Request) -> Answer:
    """A server that conforms once its model has thought in the same text."""
    schema = schema_of(request)
    return _says(request, "<think>I am to fill {} in.</think>\n" + (WORDS if schema is None else json.dumps(follow(schema))))


def _says(request: Request, text: str) -> Answer:
    return Answer(completion(text, tokens=(len(request.content.split()), len(text.split()))))


MANNERS: dict[str, Script] = {"conforms": conforms, "ignores": ignores, "refuses": refuses, "thinks": thinks}
