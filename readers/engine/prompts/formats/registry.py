"""Every reply format by its `kind`, as stored with a call, and which of them ask for a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.choices import Act, Label, OneAction, OneOf
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.formats.json_lists import Listed
from readers.engine.prompts.formats.letters import Boxed, Lettered
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.prompts.formats.pages import PageOrStop, Pages
from readers.engine.prompts.formats.published import ReplyWithoutRecall, WholeReply
from readers.engine.prompts.replies.reply import ReplyFormat


def reply_format(data: Mapping[str, Any]) -> ReplyFormat:
    """The format that `to_json` wrote. Raises ValueError for an unknown kind."""
    match data["kind"]:
        case "free":
            return Free()
        case "block":
            return Block(tuple(Line(**line) for line in data["lines"]))
        case "label":
            return Label(data["part"])
        case "pages":
            return Pages()
        case "page_or_stop":
            return PageOrStop()
        case "lettered":
            return Lettered(data["part"])
        case "one_of":
            return OneOf(tuple(data["words"]))
        case "memory":
            return Memory(data["limit"], data.get("called", "memory"))
        case "memory_blocks":
            return MemoryBlocks(data["limit"])
        case "boxed":
            return Boxed(data["among"], data.get("form", 1))
        case "listed":
            return Listed(data["name"], tuple(data["keys"]))
        case "one_action":
            return OneAction(tuple(Act(*act) for act in data["acts"]), data["part"])
        case "whole_reply":
            return WholeReply()
        case "reply_without_recall":
            return ReplyWithoutRecall()
    raise ValueError(f"no reply format of the kind {data['kind']!r} is known here")


def asks_for_reason(reply: ReplyFormat) -> bool:
    """Whether the form has a place for why something is chosen, as the field `reasoning`. A reply without it is read all the
    same."""
    match reply:
        case Pages() | PageOrStop() | OneAction():
            return True
        case Block():
            return any(line.name == "reasoning" for line in reply.lines)
    return False
