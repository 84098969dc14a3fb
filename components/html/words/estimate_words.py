"""What work takes, in figures with their names and in the words of a button, as pages say it before it starts. Pure."""

from __future__ import annotations

from components.html.markup import Fact
from components.html.words import wording
from readers.engine.report.values import dollars
from readers.engine.work import Price, Range

UNITS = ((5_400, 3_600, "hour"), (90, 60, "minute"), (0, 1, "second"))


def price_rows(price: Price, *, of: str = "", calls: str = "Calls to the model", time_note: str = "") -> list[Fact]:
    """The figures of a price. `of` names its parts and `calls` its calls; `time_note` says what the time is based on."""
    more = "at least " if price.open_end else ""
    reused = f"{price.reused:,} more reused from earlier readings" if price.reused else ""
    rows = [
        Fact(calls, more + _amount(price, price.calls), price.note or reused),
        Fact("Tokens sent", more + _amount(price, price.tokens_in)),
        Fact("Tokens written", more + _amount(price, price.tokens_out)),
        Fact(
            "Cost",
            (more if price.cost and price.cost.high else "") + money(price.cost),
            "no price is known for this model" if price.cost is None else "",
        ),
    ]
    if price.seconds is not None and not price.open_end:
        rows.append(Fact("Time", seconds(price.seconds), time_note))
    return [*([Fact(of, f"{price.of:,}")] if of else []), *rows]


def _amount(price: Price, found: Range) -> str:
    return wording.numbers(found, rough=not price.whole or found.low != found.high)


def price_words(price: Price) -> str:
    """`about 12 calls, free`: for a button, which has no heading."""
    return f"{calls_words(price.calls)}, {cost_words(price.cost)}"


def calls_words(found: Range) -> str:
    """`12 to 30 calls`"""
    return f"{wording.numbers(found, rough=True)} call{'' if found == (1, 1) else 's'}"


def cost_words(cost: Range | None) -> str:
    """What something costs, in words that need no heading: `cost unknown`, or the money."""
    return "cost unknown" if cost is None else money(cost)


def money(cost: Range | None) -> str:
    if cost is None:
        return "unknown"
    low, high = dollars(cost.low), dollars(cost.high)
    if cost.low < 0.01 <= cost.high:
        return f"up to {high}"
    if cost.high < 0.01:
        return high
    return low if low == high else f"{low} to {high}"


def spent(usd: float) -> list[str]:
    """What work has cost so far; nothing if it has cost nothing."""
    return [f"{money(Range(usd, usd))} so far"] if usd else []


def seconds(took: Range) -> str:
    low, high = took
    if high < 2:
        return "about a second"
    size, unit = next((size, unit) for least, size, unit in UNITS if high >= least)
    short, long = round(low / size), round(high / size)
    return f"{short} to {long} {unit}s" if 0 < short < long else f"about {long} {unit}{'' if long == 1 else 's'}"
