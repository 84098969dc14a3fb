"""`make schema`: `docs/run-file.schema.json`, a JSON Schema (draft 2020-12) of the run file, made from the classes that read it.

The form of every field comes from `run_file_schema.py`, the form of every event from `events.py`. Added here is what the code
checks elsewhere: the messages of a call, that it has a reply or an error, and what is written but never read.
"""

from __future__ import annotations

import json
from typing import Any, get_args

from pydantic import TypeAdapter

from readers.engine.files.runs.run_file_schema import SCHEMA, RunFile
from readers.engine.prompts.prompt import Task
from readers.engine.record import events
from tests.support.paths import ROOT

WRITTEN_TO = ROOT / "docs" / "run-file.schema.json"
_NAMES = {
    "CallPart": "call", "DocumentPart": "document", "EvidencePlace": "place", "Head": "run", "Measures": "measures",
    "PagePart": "page", "Spec": "spec", "SpecCaps": "caps", "StopPart": "stop", "Span": "span", "Piece": "piece",
}  # fmt: skip
_COUNT = {"type": "integer", "minimum": 0}
_MESSAGE = {
    "type": "object",
    "properties": {"role": {"enum": ["system", "user", "assistant"]}, "content": {"type": "string"}},
    "required": ["role", "content"],
    "additionalProperties": False,
}
_KNOWN_ANSWER = {
    "type": "object",
    "properties": {
        "answerable": {"type": ["boolean", "null"]},
        "answers": {"type": "array", "items": {"type": "string"}},
        "evidence": {"type": "array", "items": {"$ref": "#/$defs/place"}},
    },
}
_FACT = {
    "type": "object",
    "properties": {
        "fact": True,
        "fate": {"type": "string"},
        "step": {"type": ["integer", "null"]},
        "sentence": {"type": "string"},
    },
}


def run_file_json_schema() -> dict[str, Any]:
    """The schema as JSON data."""
    model = _renamed(RunFile.model_json_schema())
    defs = model.pop("$defs")
    kinds = {kind: _event(kind) for kind in events.KINDS}
    for found in kinds.values():
        defs |= found.pop("$defs", {})
    defs |= {f"event_{kind}": found for kind, found in kinds.items()}
    defs["message"] = _MESSAGE
    defs["span"] |= {"description": "Characters of document.text: from start to before end.", "prefixItems": [_COUNT, _COUNT]}
    defs["piece"] |= {
        "description": "[start, end, origin, begin, stop]: the characters start to end of this text are begin to stop of origin.",
        "prefixItems": [_COUNT, _COUNT, {"type": "string"}, _COUNT, _COUNT],
    }
    _complete(model, defs, list(kinds))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:palimpsest:run-file:1",
        "title": f"Run file of Palimpsest, {SCHEMA}",
        "description": "A model's reading of a text. docs/run_file.md says what the fields hold, and what a version may change.",
        **model,
        "$defs": dict(sorted(defs.items())),
    }


def _complete(model: dict[str, Any], defs: dict[str, Any], kinds: list[str]) -> None:
    """What the code checks beside the form of a field, and the fields that are only written."""
    fields = model["properties"]
    forms = [{"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": f"#/$defs/event_{kind}"}} for kind in kinds]
    defs["event"] = {"type": "object", "properties": {"kind": {"enum": kinds}}, "required": ["kind"], "allOf": forms}
    fields["events"]["items"] = {"$ref": "#/$defs/event"}
    fields["app_version"] = {"type": "string", "description": "The version of Palimpsest that wrote the file."}
    fields["view"] = {"type": "object", "description": "The reader's own picture; docs/run_file.md has its fields by reader."}
    fields["facts"] = {"type": "array", "items": _FACT}
    defs["run"]["properties"]["known_answer"] = _KNOWN_ANSWER
    call = defs["call"]
    call["properties"] |= {
        "task": {"enum": list(get_args(Task))},
        "messages": {"type": "array", "items": {"$ref": "#/$defs/message"}},
        "parsed": {"type": ["object", "null"], "description": "What was read of the reply, by the prompt's form."},
        "response_format": {"type": "object", "description": "The JSON Schema of the reply that went with the messages."},
    }
    call |= {
        "if": {"properties": {"reply": {"type": "null"}}},
        "then": {"properties": {"error": {"type": "string"}}},
        "else": {"properties": {"error": {"type": "null"}}},
    }


def _event(kind: str) -> dict[str, Any]:
    """The form of one kind of event: what the engine writes, and nothing else."""
    found = _renamed(TypeAdapter(events.KINDS[kind]).json_schema())
    found["properties"] = {"kind": {"const": kind}} | found["properties"]
    return found | {"required": ["kind", *found.get("required", [])], "additionalProperties": False}


def _renamed(found: Any) -> Any:
    """A schema of pydantic's under the names of the file, and without the titles, which repeat them."""
    if isinstance(found, list):
        return [_renamed(one) for one in found]
    if not isinstance(found, dict):
        return found
    kept = {name: _renamed(one) for name, one in found.items() if not (name == "title" and isinstance(one, str))}
    if "$defs" in kept:
        kept["$defs"] = {_NAMES[name]: one for name, one in kept["$defs"].items()}
    if "$ref" in kept:
        kept["$ref"] = f"#/$defs/{_NAMES[kept['$ref'].rpartition('/')[2]]}"
    if "description" in kept:
        kept["description"] = " ".join(kept["description"].split())
    return kept


def as_written() -> str:
    """The schema as the file has it."""
    return json.dumps(run_file_json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    WRITTEN_TO.write_text(as_written(), encoding="utf-8")
