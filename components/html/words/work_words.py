"""The words about question sets, batches and the cost of work on more than one page: sizes, states, progress, problems, known
answers; prices in figures with their names and in the words of a button. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from components.html.markup import Fact
from components.html.words import wording
from components.html.words.wording import Chip, count
from readers.engine.questions.answers import letter, right_choices
from readers.engine.questions.import_questions import Recognised
from readers.engine.questions.question_importer import Problem
from readers.engine.questions.question_set import SetQuestion
from readers.engine.report.values import Cell, Row, Table, columns, dollars, duration
from readers.engine.run.batches import is_warm
from readers.engine.run.execute import RunSpec
from readers.engine.store.batches import Batch
from readers.engine.store.question_sets import ListedSet
from readers.engine.text.shorten import shorten_at_word
from readers.engine.work import Price, Range, Work

SHOWN = 240
MOST_PROBLEMS = 20


def set_facts(listed: ListedSet, now: datetime) -> list[str]:
    """How large a question set is and when it was added."""
    return [
        count(listed.questions, "question"),
        count(listed.documents, "text"),
        f"added {wording.ago(listed.created, now)}",
    ]


def recognised(found: Recognised) -> str:
    """A benchmark in imported files: “QuALITY, 230 questions on 115 texts”."""
    return f"{found.name}, {count(found.questions, 'question')} on {count(found.texts, 'text')}"


def batch_facts(batch: Batch, progress: Work, *, going: bool, now: datetime) -> list[str]:
    """The facts shown for a batch in a list."""
    ways, samples = len(batch.plan.get("variants", ())), batch.plan.get("samples", 1)
    facts = [
        f"{progress.done:,} of {progress.of:,} read",
        count(ways, "variant") + (f", {samples} readings of each" if samples > 1 else ""),
    ]
    return [*facts, batch_state(batch, progress, going=going).word, wording.ago(batch.created, now)]


def sampling_note(variants: Sequence[RunSpec]) -> str:
    """What to know about several readings of one question by these variants; empty if there is nothing."""
    if any(not is_warm(one) for one in variants):
        return "At temperature 0 most models, including the offline model, repeat themselves. The page Models sets a higher one."
    return ""


def batch_state(batch: Batch, progress: Work, *, going: bool) -> Chip:
    """The state of a batch as a mark and a word."""
    if going:
        return Chip("●", "stopping" if batch.cancelled else "reading", "quiet")
    if not progress.resumable:
        return Chip("◆", "all read", "good")
    if batch.cancelled:
        return Chip("■", "stopped", "quiet")
    if progress.left or progress.stopped:
        return Chip("‖", "interrupted", "warn")
    return Chip("!", f"{progress.failed + progress.refused:,} failed", "warn")


def progress_facts(progress: Work, seconds: float, since: int) -> list[str]:
    """Progress and time left. `since` is the number of readings that finished within `seconds`."""
    facts = progress.counts("read")
    if since > 0 and seconds >= 3:
        left = progress.left + progress.going + progress.stopped
        facts.append(f"about {duration(left * seconds / since)} left")
    return facts


def progress_counts(progress: Work, unanswered: int) -> list[str]:
    """How many readings of a batch that is not running are in which state."""
    facts = [f"{progress.done:,} of {progress.of:,} finished", f"{unanswered:,} without an answer"]
    if progress.failed + progress.refused:
        facts.append(f"{progress.failed + progress.refused:,} failed")
    if progress.stopped:
        facts.append(f"{progress.stopped:,} stopped midway")
    return [*facts, *([f"{progress.left:,} not started"] if progress.left else [])]


def problem_table(problems: Sequence[Problem]) -> Table:
    """What is wrong in files: the first problems, and the number of further ones."""
    rows = [
        Row(one.file, [Cell(words) for words in (one.where if one.file else "", one.field, wording.sentence(one.why))])
        for one in problems[:MOST_PROBLEMS]
    ]
    more = [f"And {len(problems) - MOST_PROBLEMS:,} more."] if len(problems) > MOST_PROBLEMS else []
    return Table("Errors in the files", columns("Where", "Field", "What is wrong"), rows, more, head="File")


def known_answer(asked: SetQuestion) -> str:
    """The known answer in words, as far as the marked choices do not show it."""
    places = f"; {count(len(asked.evidence), 'known place')} in the text" if asked.evidence else ""
    places += f"; {count(len(asked.distractors), 'distractor')}" if asked.distractors else ""
    if asked.answerable is False:
        return "The text does not answer it."
    if asked.choices and asked.answers:
        letters = " and ".join(f"({letter(index)})" for index in right_choices(asked.choices, asked.answers))
        return f"{letters or 'One of them'} is right{places}"
    if asked.answers:
        together = ", all of them required" if asked.all_required else ""
        more = f" (and {len(asked.answers) - 1} more{together})" if len(asked.answers) > 1 else ""
        return f"{short(asked.answers[0])}{more}{places}"
    return places.removeprefix("; ")


def marked_choices(asked: SetQuestion) -> list[tuple[str, bool]]:
    """The choices, each with whether it is right."""
    right = right_choices(asked.choices, asked.answers)
    return [(short(choice), n in right) for n, choice in enumerate(asked.choices)]


def short(words: str) -> str:
    """Words shortened to fit a list."""
    return shorten_at_word(words, SHOWN)


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


def next_price(price: Price) -> list[str]:
    """What the next question will take, as far as a rehearsal with another one can tell: `about 4 calls, free`."""
    about = "at least" if price.open_end else "about"
    reused = [f"{price.reused:,} more reused from earlier readings"] if price.reused else []
    time = [] if price.seconds is None or price.open_end else [seconds(price.seconds)]
    return [f"{about} {price_words(price)}", *time, *reused]


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
