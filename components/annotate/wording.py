"""Words that several views of a project share. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.text.shorten import shorten

PAGE = "pages/5_Annotate.py"
LONGEST_LINE = 300


def option_title(titles: Mapping[str, str], limit: int = LONGEST_LINE) -> Callable[[object], str]:
    """A `format_func` for a field: the title of an option, or the option itself if it has none."""
    return lambda option: shorten(titles.get(str(option), str(option)), limit)


def coverage_sentence(visible: VisibleLabels) -> str:
    """Which readings and annotators the figures cover."""
    runs, people = len({run for run, _ in visible.done}), len({name for _, name in visible.done})
    who = "1 annotator" if people == 1 else f"{people:,} annotators"
    have = "has" if runs == 1 else "have"
    sentence = f"Of the project’s {visible.total:,} readings, {runs:,} {have} been finished by {who}."
    hidden = visible.total - len(visible.runs)
    if visible.viewer.whole or not hidden:
        return sentence
    others = "1 reading is" if hidden == 1 else f"{hidden:,} readings are"
    return (
        f"{sentence} You see only readings that you have finished yourself: {len(visible.runs):,} so far. The other {others} not "
        "part of these figures."
    )
