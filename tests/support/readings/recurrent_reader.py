"""A small reader of MemAgent's kind: one bounded memory, overwritten chunk by chunk. For tests of what every such reader
needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from readers.engine.errors import Ended
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Got
from readers.engine.text.document import Document, Question, Span, Text
from readers.engine.text.split import segments

UPDATE = Prompt(
    id="recurrent.update",
    task="update_memory",
    template=(
        "<problem>\n$question\n</problem>\n<memory>\n$memory\n</memory>\n<section>\n$section\n</section>\nUpdate the memory."
    ),
)


@dataclass(frozen=True)
class Options:
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32)


class Recurrent:
    id, title, version, prompts, Options = "recurrent", "Recurrent", 1, (UPDATE,), Options
    part_size = None
    starts = True

    def read(self, document: Document, question: Question, desk: Desk, options: Any) -> Text:
        memory = Text("Nothing yet.")
        for chunk in desk.cut(document, self.spans(document, options)):
            with desk.step(chunk.ref):
                desk.look(chunk)
                got = desk.ask(UPDATE, question=question.asked, memory=memory, section=chunk)
                if not isinstance(got, Got):
                    raise Ended("no_answer", got.problems[-1])
                memory = desk.write("memory", got)
        return memory

    def spans(self, document: Document, options: Any) -> list[Span]:
        return segments(document.text, options.chunk_tokens)

    def view(self, trace: Trace) -> dict[str, Any]:
        return {}

    def names(self, trace: Trace) -> dict[str, str]:
        return {}
