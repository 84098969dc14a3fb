"""What several readings take together, in figures with their names, as the pages say it before they start. Pure."""

from __future__ import annotations

from components.html.markup import Fact
from components.html.words import wording
from readers.engine.run.batch_price import BatchPrice
from readers.engine.run.estimate import Range


def estimate_rows(estimate: BatchPrice, *, free: bool) -> list[Fact]:
    """The figures of the estimate. `free`: no reading costs anything."""
    more = "at least " if estimate.open_end else ""
    tried = "" if estimate.tried == estimate.texts else f"{estimate.tried} of {estimate.texts:,} texts sampled"
    exact = estimate.calls.low == estimate.calls.high
    rows = [
        Fact("Readings", f"{estimate.readings:,}"),
        Fact("Calls to the model", more + wording.numbers(estimate.calls, rough=not exact), tried),
        Fact("Tokens sent", more + wording.numbers(estimate.tokens_in, rough=True)),
        Fact("Tokens written", more + wording.numbers(estimate.tokens_out, rough=True)),
        Fact(
            "Cost",
            wording.FREE if free else (more if estimate.cost else "") + _money(estimate.cost),
            "" if estimate.cost else "no price is known for this model",
        ),
    ]
    if estimate.seconds is not None:
        rows.append(Fact("Time", f"up to {wording.duration(max(1.0, estimate.seconds.high))}", "one reading at a time"))
    return rows


def _money(cost: Range | None) -> str:
    if cost is None:
        return "unknown"
    if not cost.high:
        return wording.FREE
    return "under 1 cent" if cost.high < 0.01 else f"${cost.low:,.2f} to ${cost.high:,.2f}"
