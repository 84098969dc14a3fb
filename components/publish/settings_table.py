"""The table of a site's readers and their settings: a column for each way of reading, a row for each setting. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from components.html.words import reading_words, wording
from components.html.words.reading_words import title_of
from components.publish import citing
from components.publish.contents import PublishedReading
from components.replay.reading import without_folders
from readers import get
from readers.engine.errors import NotFound
from readers.engine.prompts.options import options_of
from readers.engine.prompts.options import title_of as option_title
from readers.engine.record.edits import models_called
from readers.engine.report.values import NOTHING, Cell, Row, Table, columns, small_dollars
from readers.engine.text.phrases import counted

ABOUT_SEEDS = (
    "Models are given no seed: at a temperature above 0 a model may reply otherwise the next time. What it replied here is in "
    "each reading."
)
SHARED = (
    "Readings of one text share what does not depend on the question: its summaries and gists are built once, and readings after "
    "the first reuse the replies of those calls. A fork reuses the replies of its parent up to the change."
)


def made_and_reused(readings: Sequence[PublishedReading]) -> str:
    """The calls of readings in words: those made, and the replies that were reused."""
    reused = sum(one.reused for one in readings)
    return f"{sum(one.calls for one in readings):,} made" + (f", {reused:,} replies reused" if reused else "")


def settings_table(readings: Sequence[PublishedReading]) -> Table:
    """A column for each way of reading, a row for each setting."""
    ways: dict[str, list[PublishedReading]] = {}
    for one in readings:
        if not one.reading.fork:
            ways.setdefault(one.reading.way, []).append(one)
    told = {way: _way(some) for way, some in ways.items()}
    names = dict.fromkeys(name for settings in told.values() for name in settings)
    rows = [Row(name, [Cell(settings.get(name, NOTHING)) for settings in told.values()]) for name in names]
    return Table("Readers and their settings", columns(*told), rows, _notes(readings), head="Setting")


def _notes(readings: Sequence[PublishedReading]) -> list[str]:
    forks = [one for one in readings if one.reading.fork]
    left_out = f"Not in these columns: {counted(len(forks), 'fork')}, calls: {made_and_reused(forks)}." if forks else ""
    return [one for one in (left_out, SHARED if any(each.reused for each in readings) else "", ABOUT_SEEDS) if one]


def _way(some: Sequence[PublishedReading]) -> dict[str, str]:
    """The settings of the readings of one way; a setting that differs among them has all its values, numbers their range."""
    runs = [one.reading.run for one in some]
    specs = [run.spec for run in runs]

    def of(name: str) -> str:
        return in_words((run.document, run.spec.get(name)) for run in runs)

    used = [(run.document, _in_use(run.reader, run.spec.get("options", {}))) for run in runs]
    options = {name: _option(runs[0].reader, name) for _, given in used for name in given}
    costs = [one.cost for one in some if one.cost is not None]
    found = {
        "Reader": _each(f"{title_of(run.reader)}, {run.version_in_words}" for run in runs),
        "Paper": _each(citing.paper_of(run.reader) for run in runs),
        "Model": _each(wording.models(spec) for spec in specs),
        "Model as it is called": _each(without_folders(model) for spec in specs for model in models_called(spec)),
        "Temperature": of("temperature"),
        "Top p": of("top_p"),
        "Window in tokens": of("window"),
        "Tokens of a reply, at most": of("reply_tokens"),
        "Replies are asked for in": of("reply_form"),
        "Reworded prompts": _each(name for spec in specs for name in spec.get("prompts", {})),
        "Readings": f"{len(some):,}",
        "Calls": made_and_reused(some),
        "Cost": small_dollars(sum(costs)) if len(costs) == len(some) else "",
        **{title: in_words((text, given.get(name)) for text, given in used) for name, title in options.items()},
    }
    return {name: value for name, value in found.items() if value}


def _each(words: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, words)))


def _in_use(reader_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a reading without those that have no effect beside the others."""
    try:
        options = get(reader_id).Options
    except NotFound:
        return dict(given)
    known = options_of(options)
    values = {**{name: option.default for name, option in known.items()}, **given}
    return {name: value for name, value in given.items() if name not in known or not known[name].is_idle(values)}


def _option(reader_id: str, name: str) -> str:
    """What a form calls an option, with the name that a command gives it."""
    try:
        return f"{option_title(get(reader_id).Options, name)} ({name})"
    except NotFound:
        return name


def in_words(given: Iterable[tuple[str, Any]]) -> str:
    """The values of a setting, each with the text of its reading: one, the range of numbers that depend on the text, or all."""
    by_text: dict[str, set[Any]] = {}
    for text, value in given:
        if value is not None:
            by_text.setdefault(text, set()).add(value if isinstance(value, str | int | float) else str(value))
    found = {value: None for values in by_text.values() for value in sorted(values, key=str)}
    numbers = [one for one in found if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) == len(found) > 1:
        if all(len(values) == 1 for values in by_text.values()):
            return f"{min(numbers):,.6g} to {max(numbers):,.6g}, by text"
        return "; ".join(f"{one:,.6g}" for one in sorted(numbers))
    return "; ".join(reading_words.said(one) for one in found)
