"""Prompt sets: templates by prompt id, from a file or from the Python code that was published with a checkpoint.

The code is parsed, never run. A template is a string of that code whose `{fields}` are those of one of a reader's prompts, under
the names used in the code of readers with a memory. Every other character is unchanged. Whether a reader has the prompts of a
file, and which parts each needs, is checked when a run starts.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from string import Formatter

from readers.engine.canonical import encodable
from readers.engine.errors import BadFile
from readers.engine.prompts.prompt import Prompt

LARGEST_SET = 1_000_000  # bytes
# What their code calls the parts of a prompt.
_FIELDS = {"prompt": "problem", "memory": "memory", "chunk": "section", "recalled_memory": "recalled"}


def prompt_set(data: bytes, name: str) -> dict[str, str]:
    """Parse the file of a prompt set: its templates by prompt id. `name` is for messages. Raises BadFile."""
    if len(data) > LARGEST_SET:
        raise BadFile(f"the prompt set {name!r} is over {LARGEST_SET // 1_000_000} MB")
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadFile(f"the prompt set {name!r} is not JSON") from None
    if not isinstance(found, dict) or not all(isinstance(template, str) for template in found.values()):
        raise BadFile(f'the prompt set {name!r} is not of the form {{"prompt id": "template"}}')
    return {str(prompt): encodable(template) for prompt, template in found.items()}


def templates_in_code(code: bytes, name: str, prompts: Sequence[Prompt]) -> dict[str, str]:
    """The template for each of the prompts, by prompt id. `name` is the file's, for messages. Raises BadFile unless the code has
    exactly one template for each."""
    found = dict.fromkeys(template for words in _strings(code, name) if (template := _template(words)))
    by_id: dict[str, str] = {}
    for prompt in prompts:
        fitting = [words for words in found if set(Prompt("", prompt.task, words).names) == set(prompt.names)]
        if len(fitting) != 1:
            wanted = ", ".join(f"{{{theirs}}}" for theirs, ours in _FIELDS.items() if ours in prompt.names)
            raise BadFile(
                f"{name!r} has {len(fitting)} templates with {wanted} for the prompt {prompt.id!r}, and needs one; take the file "
                "with the loop from the code that was published with the checkpoint"
            )
        by_id[prompt.id] = encodable(fitting[0])
    return by_id


def _strings(code: bytes, name: str) -> Iterator[str]:
    if len(code) > LARGEST_SET:
        raise BadFile(f"{name!r} is over {LARGEST_SET // 1_000_000} MB")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadFile(f"{name!r} is not Python code") from None
    nodes = ast.walk(tree)
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _template(words: str) -> str:
    """A template of ours with the words of theirs; empty if it is not one."""
    out = ""
    try:
        for literal, field, form, conversion in Formatter().parse(words):
            out += literal.replace("$", "$$")
            if field is not None:
                if field not in _FIELDS or form or conversion:
                    return ""
                out += f"${{{_FIELDS[field]}}}"
    except ValueError:  # a single brace
        return ""
    return out
