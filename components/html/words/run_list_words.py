"""The filters of a list of readings, and what deleting readings means, in words that several pages use. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from readers.engine.store.run_list import SORTS, UNDER_WAY, RunFilter

SORTED = {
    "newest": "Newest first", "oldest": "Oldest first", "title": "By text, A to Z", "question": "By question, A to Z",
    "cost": "Most expensive first", "calls": "Most calls first", "time": "Longest first",
}  # fmt: skip
ENDED = {
    "answered": "Answered", "none_given": "No answer given", "no_answer": "No answer", "exhausted": "Gave up",
    "over_budget": "Budget used up", "failed": "Failed", "cancelled": "Cancelled",
    "interrupted": "Interrupted", UNDER_WAY: "Running",
}  # fmt: skip
HELD = "the reading itself, a sample of it, or a fork that takes replies over from it is still running. Cancel that first"
FORKS = {"yes": "Only forks", "no": "No forks"}


def wanted(asks: Mapping[str, str]) -> RunFilter:
    """The filter that an address asks for. Unknown values are ignored."""
    sort, ended = asks.get("sort", ""), asks.get("ended", "")
    return RunFilter(
        words=asks.get("words", "")[:500],
        reader=asks.get("reader", ""),
        model=asks.get("model", ""),
        document=asks.get("text", ""),
        state=ended if ended in ENDED else "",
        tag=asks.get("tag", ""),
        forks={"yes": True, "no": False}.get(asks.get("forks", "")),
        samples=asks.get("samples") == "yes",
        sort=sort if sort in SORTS else SORTS[0],
    )


def before_deleting(number: int, *, held: int = 0, samples: int = 0) -> str:
    """What will be deleted, what goes with it, and what stays. `held` of the readings cannot be deleted now."""
    one = number == 1
    told = "Delete this reading? Its" if one else f"Delete these {number:,} readings? Their"
    told += " steps and replies are deleted permanently"
    if samples:
        was = f"{samples:,} sample{'' if samples == 1 else 's'}"
        told += f", and so {'is' if samples == 1 else 'are'} {was} of experiments with {'it' if one else 'them'}"
    told += f". The text{'' if one else 's'} {'stays' if one else 'stay'}, and so do forks made of {'it' if one else 'them'}."
    if not held:
        return told
    which = "It" if one else f"{held:,} of them"
    return f"{told} {which} cannot be deleted yet: {HELD}."
