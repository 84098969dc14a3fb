"""Words that several views of a project share. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

LONGEST_LINE = 300


def one_line(words: str, limit: int = LONGEST_LINE) -> str:
    """Words on one line, shortened to the limit."""
    joined = " ".join(words.split())
    return joined if len(joined) <= limit else f"{joined[:limit]} …"


def option_title(titles: Mapping[str, str], limit: int = LONGEST_LINE) -> Callable[[object], str]:
    """A `format_func` for a field: the title of an option, or the option itself if it has none."""
    return lambda option: one_line(titles.get(str(option), str(option)), limit)
