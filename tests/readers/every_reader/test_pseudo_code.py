"""The algorithm beside a reading, for every reader: each step has a line, and each line is reached by some reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple

import pytest

from components.session.samples import recordings
from readers import READERS, get
from readers.engine.errors import NotFound
from readers.engine.files.runs.run_file import read_run_file
from readers.engine.models.call import Call
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import Line, PseudoCode, Ran
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document
from tests.support.models.scripted_models import BACK, COMMIT, Scripted, parts_of
from tests.support.readings import qrmem_readings as net
from tests.support.readings import readagent_readings as pages
from tests.support.readings import recursive_readings as slices
from tests.support.readings import rememr1_readings as memory
from tests.support.readings.every_reading import WAYS, reading, small_parts
from tests.support.readings.memwalker_walks import walked

BELOW = [("split", "2"), ("ask", "1"), ("nothing", ""), ("answer", "x")]
SAID = "It goes on and on, as such parts do, over and over again. " * 40
every_reader = pytest.mark.parametrize("reader", [one for one in READERS if one.pseudo_code], ids=lambda reader: reader.id)


def carries(reader: str, reply: Any, **options: Any) -> Trace:
    """A reading by a reader that carries a memory, over four chunks."""
    spec = RunSpec(reader, get(reader).version, "Where?", options={**small_parts(get(reader), 64, 100), **options})
    return rehearse(memory.chunks_of(4), get(reader), spec, memory.model(reply))


def forgets_and_overflows(call: Call) -> str:
    """Nothing at the second chunk, too much at the third."""
    return {2: "", 3: SAID}.get(memory.number(call), "It is dark.")


def _in_blocks(call: Call) -> str:
    words = forgets_and_overflows(call)
    return memory.blocks(words, "dark") if words else ""


def short_window() -> Trace:
    spec = RunSpec("whole", get("whole").version, "Where?", window=1_200)
    return rehearse(Document.of("It rained on the quay. " * 600), get("whole"), spec, Scripted(lambda call: "there"))


@cache
def scripted() -> Mapping[str, tuple[Trace, ...]]:
    """Readings that come to what few come to, by reader."""
    kept = "It is dark."
    return {
        "memwalker": (walked([0, 0, BACK, 1, BACK, 2, BACK, 1, BACK, 2, 0, COMMIT]),),
        "readagent": (
            pages.read(pages.EVEN, pages.model(asks=[1, 99, 2, pages.STOP]), mode="sequential"),
            pages.read(pages.paragraphs(*[200] * 4), pages.model(asks=[[0, 1, 2]]), min_words=150, max_words=220, window=1900),
            pages.read(pages.paragraphs(*[30] * 24), pages.model(gist=pages.share_of(0.9)), window=1300, room="page"),
        ),
        "qrmem": (
            net.read(net.LONG, net.Plan(verdicts=["no: x", "no: z", "yes: y"]).model()),
            net.read(net.LONG, net.Plan(verdicts=["no: x", "yes: y"], revise=[["Port Ellary"]]).model(), strategy="trial"),
            net.read(net.LONG, net.Plan(verdicts=[*net.LEFT_BEHIND]).model(), max_trials=3, window_tokens=net.TWO_SEGMENTS),
        ),
        "memagent": (carries("memagent", forgets_and_overflows), carries("memagent", lambda call: kept, stop_after_unchanged=1)),
        "rememr1": (
            carries("rememr1", _in_blocks),
            carries("rememr1", lambda call: memory.blocks(kept), stop_after_unchanged=1),
        ),
        "chain_of_agents": (carries("chain_of_agents", forgets_and_overflows),),
        "recursive": (
            slices.read([("peek", "last"), ("peek", "last"), "so", "so", "so", "so", ("answer", "x")]),
            slices.read(BELOW),
            slices.read(BELOW, document=parts_of(20), depth=1, window=900),
        ),
        "whole": (short_window(),),
        "recurrence": (carries("recurrence", forgets_and_overflows),),
    }  # fmt: skip


@cache
def recorded() -> Mapping[str, tuple[Trace, ...]]:
    """The recordings that come with Palimpsest, by reader."""
    found: dict[str, tuple[Trace, ...]] = {}
    for recording in recordings():
        found[recording.reader] = (*found.get(recording.reader, ()), read_run_file(recording.path).trace)
    return found


def readings(reader: Reader) -> Iterator[Trace]:
    yield from recorded().get(reader.id, ())
    yield from (reading(way.name) for way in WAYS if way.reader == reader.id)
    yield from scripted().get(reader.id, ())


def records(reader: Reader, traces: Iterable[Trace]) -> Iterator[StepRecord]:
    for trace in traces:
        names = reader.names(trace)
        yield from (StepRecord(trace, step, names) for step in trace.steps)


class Gaps(NamedTuple):
    """The steps without a line, and the lines that no step ran."""

    steps: list[tuple[str, ...]]
    lines: list[str]


def gaps(code: PseudoCode, steps: Iterable[StepRecord]) -> Gaps:
    reached: set[int] = set()
    without = []
    for record in steps:
        at = code.at(record)
        reached |= {line for line, _ in at}
        without += [record.step.names] if not at else []
    return Gaps(without, [line.name for number, line in enumerate(code.lines) if number not in reached])


@every_reader
def test_every_step_has_a_line_and_every_line_is_reached(reader: Reader) -> None:
    assert reader.pseudo_code is not None
    assert gaps(reader.pseudo_code, records(reader, readings(reader))) == Gaps([], [])


@every_reader
def test_a_line_names_its_section_and_a_function_that_is_there(reader: Reader) -> None:
    assert reader.pseudo_code is not None
    data = reader.pseudo_code.as_data()
    assert 5 <= len(data["lines"]) <= 20
    assert all(line["words"] and line["section"] and line["depth"] in (0, 1, 2) for line in data["lines"])
    for source in data["sources"]:
        assert f"def {source['name'].rpartition('.')[2]}(" in source["text"]
        assert source["file"].startswith("readers/")


@every_reader
def test_what_a_step_holds_of_it_is_short(reader: Reader) -> None:
    assert reader.pseudo_code is not None
    for record in records(reader, readings(reader)):
        assert sum(len(filled) for _, filled in reader.pseudo_code.at(record)) <= 700


@every_reader
def test_it_can_be_shown_of_a_reading_at_any_event(reader: Reader) -> None:
    assert reader.pseudo_code is not None
    whole = next(readings(reader))
    for until in range(0, len(whole.events), max(1, len(whole.events) // 25)):
        part = Trace(whole.document, whole.events[:until])
        for record in records(reader, [part]):
            reader.pseudo_code.at(record)


def filled(reader: str, trace: Trace, step: int) -> list[str]:
    code = get(reader).pseudo_code
    assert code is not None
    return [words for _, words in code.at(list(records(get(reader), [trace]))[step])]


def test_values_are_those_of_the_step() -> None:
    trace = recorded()["memagent"][0]
    assert filled("memagent", trace, 6) == ["for t = 7 (of 9):", "m₇ ← model(question, chunk 7, m₆)"]
    assert filled("memagent", trace, 9) == ["answer ← model(question, m₉)"]
    assert filled("rememr1", carries("rememr1", _in_blocks), 3)[-1] == "r₄ ← m₃, the most like “dark”"


class Wrong(PseudoCode):
    """A declaration with a line that nothing reaches, and without one for the answer."""

    paper = "none"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("read", "read", "1", "readers.memagent.reader:MemAgent.read"),
        Line("never", "never", "1", "readers.memagent.reader:MemAgent.read"),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        if record.opened:
            yield Ran("read")


class Misnamed(Wrong):
    def ran(self, record: StepRecord) -> Iterator[Ran]:
        yield Ran("raed")


def test_a_wrong_declaration_is_found() -> None:
    steps = list(records(get("memagent"), recorded()["memagent"][:1]))
    assert gaps(Wrong(), steps) == Gaps([("answer",)], ["never"])
    with pytest.raises(NotFound, match="no line 'raed' in this pseudo-code; there are read, never"):
        Misnamed().at(steps[0])
