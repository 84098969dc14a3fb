"""A finished reading around its player: its head, Simple or Full, the step where the player has settled and its calls, and saving
it as a replay. Nothing runs here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from markupsafe import Markup

from components.html import markup, prompt_stretches
from components.html.words import reading_words, wording
from components.html.words.reading_words import title_in_list
from components.player import cache, ending, mount
from components.player import data as player_data
from components.player.contract import PlayerReport
from components.session import address, database, process_cache, state
from components.session.samples import recorded_on
from readers.engine.analysis.facts.follow import Followed
from readers.engine.forks import describe_edit
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Asked
from readers.engine.store import Reading, Run
from readers.engine.text.document import Span

SENT_BESIDE = "sent beside the prompt: a JSON schema of the reply"
SIMPLE, FULL = "Simple", "Full"


def show_head(
    reading: Reading, known: KnownAnswer | None, *, note: str = "", hides_end: bool = False, act: Callable[[], None] | None = None
) -> bool:
    """Draw the question next to the switches, and below it the answer next to the figures: two lines, so that the picture is on
    the first screen. With `hides_end`, answer and figures are not visible until the player shows the end. `act` draws a button
    before the switches.

    Returns whether the known answer is shown.
    """
    run = reading.run
    with st.container(key="trace-head"):
        gold = show_title(reading, known, act=act, hides_end=hides_end)
        show_outcome(reading)
        if known and gold:
            st.html(markup.known(known.answer, wording.compared(run, known)))
        if note:
            st.caption(note)
    return gold


def show_title(
    reading: Reading, known: KnownAnswer | None, *, act: Callable[[], None] | None = None, hides_end: bool = False
) -> bool:
    """Draw the question, with reader, model and text, next to the switches. Returns whether the known answer is shown."""
    run = reading.run
    with st.container(horizontal=True, vertical_alignment="center", key="trace-title"):
        asked = markup.titled(markup.question(run.question), title_in_list(run), _about(reading))
        st.html(asked + (markup.HIDES_END if hides_end else ""))
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="trace-switches"):
            if act:
                act()
            gold = known is not None and st.toggle("Known answer", key=state.key("known", run.id))
            choose_depth(run)
    return bool(gold)


def show_outcome(reading: Reading) -> None:
    """Draw the answer next to the figures."""
    st.html(markup.outcome(ending_of(reading), _chips(reading)))


def ending_of(reading: Reading) -> Markup:
    """The answer of a reading with its source, or why there is none."""
    run = reading.run
    if run.outcome == "answered" and run.answer is not None:
        source = cache.source(reading)
        return markup.answer(run.answer, wording.answered_by(reading), source.words, source=source.kind)
    return markup.no_answer(wording.state(run).tone, wording.ending(run))


def _about(reading: Reading) -> list[str]:
    run = reading.run
    day, model = recorded_on(run.id), wording.models(run.spec)
    return [f"recorded {day} by {model}" if day else model, reading.document.title]


def _chips(reading: Reading) -> list[wording.Chip]:
    return ending.chips(reading, cache.frames(reading), process_cache.measures_of(reading))


def shows_known(run: Run) -> bool:
    """Whether the known answer of a reading is shown."""
    return bool(state.value(state.key("known", run.id)))


def show_known_at_first(run: Run, shown: bool) -> None:
    """Whether the known answer of a reading is shown until its switch is used."""
    key = state.key("known", run.id)
    if state.value(key) is None:
        state.set_value(key, shown)


def first_step(reading: Reading) -> int | None:
    """The step to show first: the step in the address, else, if the end is hidden, the first or, for a fork, the changed step;
    None for the last."""
    at = address.step()
    if at is None and address.hides_end():
        return 0
    return player_data.changed_step(cache.frames(reading)) if at is None else at


def hides_later(reading: Reading, at: int) -> bool:
    """Whether everything after step `at` (from 0) is hidden: as last chosen in the player, at first as in the address."""
    return at < len(reading.trace.steps) - 1 and _hides_end(mount.reported(_link(reading.run)))


def _hides_end(wanted: PlayerReport) -> bool:
    return address.hides_end() if wanted.hides is None else wanted.hides


def choose_depth(run: Run) -> None:
    """Draw the switch between Simple and Full; the choice is stored in the session and in the address."""
    st.segmented_control(
        "How much to show",
        (SIMPLE, FULL),
        default=FULL if address.is_full() else SIMPLE,
        required=True,
        key="depth",
        on_change=lambda: address.set_full(state.value("depth") == FULL, step=mount.reported(_link(run)).at),
        label_visibility="collapsed",
    )


def followed(reading: Reading, known: KnownAnswer | None) -> list[Followed]:
    """What became of the facts whose lifelines the player shows: the evidence of the known answer, if shown, and the marked
    places."""
    places = [Span(*place) for place in mount.reported(_link(reading.run)).facts]
    evidence = cache.followed_evidence(reading, known) if known else []
    marked = cache.followed_places(reading, places)
    return [*evidence, *(one for one in marked if one.fact not in {other.fact for other in evidence})]


def follow(reading: Reading, *, opened_at: int | None = None) -> int:
    """Answer the player's requests; return the step (from 0) where the player has settled. `opened_at`: where it opened, if that
    is not `first_step`.

    Call it in a fragment.
    """
    run = reading.run
    wanted = mount.reported(_link(run))
    data: dict[str, Any] = {"run": run.id, "hears": True, "number": wanted.number, "hides": _hides_end(wanted)}
    if wanted.stretches:
        data["stretches"] = player_data.stretches(reading.document, wanted.stretches)
    if wanted.opened:
        data["picture"] = player_data.opened(reading, wanted.opened)
    if wanted.facts:
        data["lives"] = cache.lifelines(reading, [Span(*place) for place in wanted.facts])
    mount.link(data, key=_link(run))
    at = next((one for one in (wanted.at, opened_at) if one is not None), first_step(reading))
    last = len(reading.trace.steps) - 1
    return max(0, min(last, last if at is None else at))


def _link(run: Run) -> str:
    return state.key("link", run.id)


def show_calls(reading: Reading, at: int, *, opened: int | None = None) -> int | None:
    """Draw the calls of a step (from 0), one at a time; return the number of the call shown. `opened` is shown at first; without
    it, of a fork, the changed one."""
    step = reading.trace.steps[at]
    seqs = [event.seq for event in reading.trace.of(step) if isinstance(event, Asked)]
    with st.container(key="calls"):
        hint = f"step {at + 1} · {len(seqs):,} call{'' if len(seqs) == 1 else 's'}"
        st.html(markup.section("", "What the model was asked", hint=hint))
        if not seqs:
            st.html(markup.empty("No call was made at this step: a rule of the reader did it."))
            return None
        number = 1
        if len(seqs) > 1:
            key = state.key("call", reading.run.id, at)
            changed = describe_edit.call_of_edit(reading.trace, reading.run.edit) if reading.run.edit else None
            first = next((seqs.index(seq) + 1 for seq in (opened, changed) if seq in seqs), 1)
            number = int(st.number_input(f"Call (of {len(seqs):,} at this step)", 1, len(seqs), first, width=220, key=key))
        _call(reading, seqs[number - 1])
        return seqs[number - 1]


def _call(reading: Reading, seq: int) -> None:
    """Draw one call: its prompt and every reply to it."""
    rows = [record for record in reading.records if record.seq == seq]
    with database.opened() as store:
        prompts = store.runs.tape(reading.run.id).prompts()
    for record in rows:
        prompt = prompts.get(record.prompt)
        if prompt is None:
            st.html(markup.empty("The text of this prompt is not in the record."))
            continue
        st.html(markup.facts_of_call(reading_words.facts(record, prompt), record.origin, reading_words.ORIGINS[record.origin]))
        left, right = st.columns([1.25, 1], gap="large")
        last = record is rows[-1]  # marks in the last attempt are labels of the result
        with left, st.container(key=f"call-{'at' if last else 'before'}-{seq}-{record.attempt}"):
            shown = prompt_stretches.of_record(record, prompt, reading)
            st.html(markup.prompt_legend(one.source for one in shown))
            st.html(markup.prompt(shown))
            if counting := wording.counting(prompt):
                st.caption(counting)
        with right:
            if schema := reading_words.schema_sent(record, prompt, reading):
                st.html(markup.folded_data(SENT_BESIDE, schema))
            if record.refused:
                why = f"Asked in words, because the server refused a JSON schema: {record.refused}"
                st.html(markup.aside(why, protected=[record.refused]))
            if record.thoughts:
                st.html(markup.thoughts(record.thoughts, wording.author_of(record)))
        with right, st.container(key=f"reply-{'at' if last else 'before'}-{seq}-{record.attempt}"):
            if record.reply is None:
                st.html(markup.notice("warn", [f"No reply came: {record.error or 'the reading was stopped before one came'}"]))
            else:
                st.html(markup.reply(record.reply, wording.reply_by(record)))
