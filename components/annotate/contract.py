"""What the islands of Annotate (bench, table, board) get and say: their scripts in `assets/js/annotate/` read and write the same.

Nothing in it is markup. Every message comes from a browser, and is checked against this (`components/session/islands.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from pydantic import AfterValidator, Field, model_validator

from components.session.islands import IslandMessage
from readers.engine.canonical import encodable
from readers.engine.store.labels.boards import MOST_MOVED

Count = Annotated[int, Field(ge=0)]
Words = Annotated[str, AfterValidator(encodable)]
JsonData = dict[str, Any]


class DeskData(TypedDict):
    """What bench and table have in common: the reading, the labels saved of it, and the answers to message `n`."""

    project: str
    run: str
    annotator: str
    seed: str
    steps: int
    longest: int
    book: int
    codes: list[JsonData]
    labels: list[JsonData]
    progress: JsonData
    n: int
    answers: list[JsonData]
    note: str
    made: JsonData | None


class PanelData(DeskData):
    """What the label panel gets. Before stage 3 `ids`, `fields`, `codes` and all that suggests anything are empty."""

    ids: dict[str, str]
    stage: int
    about: str
    standing: str
    skipped: str
    full: bool
    corrects: bool
    writes: list[str]
    fields: list[JsonData]
    others: list[JsonData]
    hints: list[JsonData]
    hinted: bool
    suggested: JsonData | None
    proposed: list[JsonData]
    missing: list[str]


class TableData(DeskData):
    """What the table gets: each question with everybody's answer, and what each key decides."""

    annotators: list[str]
    takes: dict[str, JsonData]
    items: list[JsonData]
    agreed: list[JsonData]
    notes: list[JsonData]
    lanes: list[JsonData]
    left: list[str]


class BoardData(TypedDict):
    """What the board gets: notes, their authors, and groups; the last action done, and the message about it."""

    project: str
    notes: list[JsonData]
    people: list[str]
    groups: list[JsonData]
    codes: bool
    undo: bool
    n: int
    message: str


class LabelChange(IslandMessage):
    """One change of a label, made from its revision `expected` under version `book` of the codebook; `revision` is the revision
    that a *restore* brings back."""

    n: int
    do: Literal["put", "remove", "restore"]
    label: JsonData
    expected: Count = 0
    revision: Count = 0
    book: Count = 0
    confirmed: bool = False


class DeskMessage(IslandMessage):
    """What bench and table say: all changes that were not answered yet (`ops`, each checked and answered for itself), the time
    spent in milliseconds, and what to do once all is saved."""

    n: Count = 0
    ops: list[Any] = Field([])
    ms: Count = 0
    act: dict[Literal["do", "with"], str] | None = None


class BoardAct(IslandMessage):
    """What somebody did on the board: `move` notes into the group `to`, each from the group it was in; `rename` the group `name`
    to `to`; make it a `code`; or `undo`. Numbers grow."""

    n: Annotated[int, Field(ge=1)]
    do: Literal["move", "rename", "code", "undo"]
    notes: list[Annotated[list[Words], Field(min_length=2, max_length=2)]] = Field([], max_length=MOST_MOVED)
    name: Words = Field("", alias="from")
    to: Words = ""

    @model_validator(mode="after")
    def _whole(self) -> BoardAct:
        needs = {"move": {"notes", "to"}, "rename": {"name", "to"}, "code": {"name"}, "undo": set[str]()}[self.do]
        if not needs <= self.model_fields_set:
            raise ValueError(f"{self.do} needs {needs}")
        return self
