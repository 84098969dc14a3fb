"""What is said of texts that a step wrote: of the document, of one earlier text, or of several put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Prompt
from readers.engine.run.desk import Desk, Unread
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text

TEXT = Document.of("The keeper kept the lamp. The boats came home by it.", title="The lamp")
SHORTER = Prompt(id="rewriting.shorter", task="summarise", template="$summaries")


@dataclass(frozen=True)
class Options:
    """None."""


class Rewriting(Reader):
    """Writes notes, then something of each group of them."""

    id, title, version = "rewriting", "Rewriting", 1
    prompts = (SHORTER,)
    Options = Options
    groups: ClassVar[list[list[int]]] = []
    role: ClassVar[str] = "note"

    def read(self, document: Document, question: Question, desk: Desk[str], options: Options) -> Text:
        with desk.step("build"):
            notes = [desk.write("note", document.at(span)) for span in ((0, 25), (26, 52))]
        with desk.step("rewrite"):
            for group in self.groups:
                shorter = desk.ask(SHORTER, summaries=[notes[number] for number in group])
                assert not isinstance(shorter, Unread)
                desk.write(self.role, shorter)
        return notes[0]


@pytest.mark.parametrize(
    ("groups", "role", "told"),
    [
        ([[0]], "note", "It wrote a note that builds on an earlier note."),
        ([[0], [1]], "facts", "It wrote 2 facts, each of which builds on an earlier note."),
        ([[0], [1]], "draft", "It wrote 2 drafts, each of which builds on an earlier note."),
        ([[0, 1]], "note", "It put neighbouring notes together into one and shortened it."),
        (
            [[0], [0, 1]],
            "note",
            "It wrote a note that builds on an earlier note. It put neighbouring notes together into one and shortened it.",
        ),
    ],
)
def test_a_text_of_one_earlier_text_is_not_put_together(
    groups: list[list[int]], role: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rewriting, "groups", groups)
    monkeypatch.setattr(Rewriting, "role", role)
    reader = Rewriting()
    trace = rehearse(TEXT, reader, RunSpec(reader.id, 1, "Who kept the lamp?"), Offline())
    assert narrate(trace, reader)[1] == told
