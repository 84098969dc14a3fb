"""Models that play a part: for tests that know what each call shall be answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from readers.engine.errors import ModelFailed
from readers.engine.models.call import LENGTH, Call, Reply
from readers.engine.models.model import Model
from readers.engine.text.document import Document
from readers.engine.text.phrases import call_number

COMMIT, BACK = -2, -1


@dataclass
class Scripted:
    """Replies from a list, one for each call as it comes, or from a function of the call."""

    replies: Iterable[str] | Callable[[Call], str]
    calls: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._script = self.replies if callable(self.replies) else None
        self._list = [] if callable(self.replies) else list(self.replies)

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        if self._script:
            return Reply(self._script(call), tokens_in=0, tokens_out=0, cost_usd=0.0)
        if len(self.calls) > len(self._list):
            raise ModelFailed(f"the script has only {len(self._list)} replies, and {call_number(call.seq)} needs one more")
        return Reply(self._list[len(self.calls) - 1], tokens_in=0, tokens_out=0, cost_usd=0.0)


@dataclass(frozen=True)
class Thinking:
    """A model that thinks before each reply of another, and stops by itself, except when it is `cut`."""

    model: Model
    thoughts: str = "Let me <b>think</b> about call"
    cut: Callable[[Call], bool] = lambda call: False

    def complete(self, call: Call) -> Reply:
        finish = LENGTH if self.cut(call) else "stop"
        return replace(self.model.complete(call), thoughts=f"{self.thoughts} {call.seq}.", finish=finish)


def parts_of(count: int, words: int = 40) -> Document:
    """A document of `count` paragraphs, each a segment of its own at 64 tokens, that begins `Part n`, from 0."""
    paragraphs = [" ".join([f"Part {n} begins here."] + [f"word{n}x{w}" for w in range(words // 4)]) + "." for n in range(count)]
    return Document.of("\n\n".join(paragraphs), title="Parts")


def walker(actions: Sequence[int | str], *, summaries: Callable[[Call], str] | None = None) -> Scripted:
    """A MemWalker model: every segment is summarised by its first three words, and the walk takes these actions in order.

    A string among the actions is sent as it is, instead of a well-formed reply.
    """
    left = list(actions)

    def reply(call: Call) -> str:
        if call.prompt.task == "summarise":
            return summaries(call) if summaries else " ".join((call.part("segment") or call.part("summaries"))[0].split()[:3])
        action = left.pop(0)
        if isinstance(action, str):
            return action
        values: Mapping[str, Any] = {"reasoning": f"because of {action}", "action": action}
        return call.prompt.reply.render({**values, "answer": "forty-two"} if action == COMMIT else values)

    return Scripted(reply)
