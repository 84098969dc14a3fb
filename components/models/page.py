"""The Models page: the model of this session, the choice and test of another, the models on this machine, and how often models
were right as judges of what is still said, if that was measured here.

A key is typed into a password field and kept in the session's memory; no other field, address, file or message contains it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from markupsafe import Markup

from components.html import markup
from components.html.terms import BY_ID, explained, with_terms
from components.html.words import reading_words, wording
from components.models.on_this_machine import offered_elsewhere, show_own_readers, show_this_machine
from components.models.trial import show_what_a_reading_takes, try_model, try_reader
from components.session import access, demos, flash, state
from components.session.model_choice import ModelChoice, with_its_server
from components.widgets import report
from components.widgets.start.choose_model import choose_profile
from readers.engine.errors import ReadingError
from readers.engine.forks import judge
from readers.engine.forks.judge import JudgeFigures, Share
from readers.engine.models import catalogue, timeouts
from readers.engine.models.profiles import LEAST_WINDOW, LONGEST_NAME, MOST_AT_ONCE
from readers.engine.report.values import Cell, Column, Figure, Row, Table, columns

ABOUT = {
    catalogue.OFFLINE: "It counts and compares words on this machine. No text leaves the machine, and it is free.",
    catalogue.HUMAN: "You see every prompt, one after the other, and write the replies. It is free.",
}
LOCAL = "A neural network on this machine. No text leaves the machine, and it is free. Small models often misread their task."
HOSTED = "The text is sent to its provider, part by part. The owner of the key pays."
OWN_SERVER = "The text is sent to this server, part by part."
YOU = "you: be the model yourself"
KEY_HELP = (
    "For this session only: it stays in memory, is sent only to this model's server, and is never stored, logged or shown again."
)
ABOUT_JUDGES = (
    "A judge decides whether a text still says a sentence (on Trace, while you follow a fact). Measured on pairs that were "
    "labelled twice: overall on those with the same label twice, and for each verdict on those that got it; with 95 % intervals."
)
FREE_FORM = "You can type any litellm id: ollama/llama3.1, or openai/NAME with a base URL for your own server."


def show_models() -> None:
    """Draw the page."""
    st.html(markup.page_title("Models", hint="for this session"))
    flash.show()
    with st.container(key="two-models"):
        left, right = st.columns([1, 1.15], gap="large")
    with left:
        _in_use(state.model_choice())
        with st.container(key="models-local"):
            show_this_machine()
    with right:
        if access.demo():
            _choose_in_demo()
        else:
            _choose(state.model_choice())
            _environment()
    _judges()
    show_own_readers()


def _in_use(choice: ModelChoice) -> None:
    st.html(markup.section("", "The model in use"))
    elsewhere = OWN_SERVER if choice.api_base else HOSTED
    about = ABOUT.get(choice.id, LOCAL if catalogue.is_local(choice.id) else elsewhere)
    rows = Markup("").join(
        Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(Markup(explained(term)), value) for term, value in _terms(choice)
    )
    named = Markup('<div class="in-use"><p class="name">{}</p><p>{}</p><dl>{}</dl></div>')
    st.html(named.format(catalogue.title(choice.id), about, rows))
    with st.container(horizontal=True, gap="small"):
        tried = _may_try(choice) and st.button("Test this model", key=state.key("try"))
        if not choice.offline and st.button("Back to the offline model", key=state.key("offline")):
            access.choose_model(ModelChoice(catalogue.OFFLINE))
            st.rerun()
        mine = not choice.human and not access.demo()
        if mine and st.button("Be the model yourself", key=state.key("be_model", "model")):
            _use({"id": catalogue.HUMAN}, choice)
        if choice.api_key and st.button("Forget the key", key=state.key("forget")):
            access.forget_key()
            st.rerun()
    if tried:
        try_model(choice)
    if _may_try(choice):
        try_reader(choice)
    show_what_a_reading_takes(choice)


def _may_try(choice: ModelChoice) -> bool:
    """Whether the model may be tested. In a demo the host pays, and no limit counts the calls of a test."""
    return not choice.human and (choice.here or not access.demo())


def _terms(choice: ModelChoice) -> list[tuple[str, str]]:
    """The settings of the chosen model, as names and values."""
    terms = [("Profile", choice.name)] if choice.name else []
    terms += [] if choice.id == catalogue.title(choice.id) else [("Id", choice.id)]
    if choice.api_base:
        terms.append(("Base URL", choice.api_base))
    if not choice.here:
        terms.append(("Key", "set for this session" if choice.api_key else "from the environment, if set there"))
    if not choice.offline and not choice.human:
        top_p = f", top p {choice.top_p:g}" if choice.top_p is not None else ""
        terms.append(("Sampling", f"temperature {choice.temperature:g}{top_p}"))
        known = catalogue.window_for(choice.id) if catalogue.is_local(choice.id) else None
        window = choice.window or known
        terms.append(("Context window", f"{window:,} tokens" if window else "the model's own if known, otherwise 8,192 tokens"))
        terms.append(("Reply form", reading_words.REPLY_FORMS[choice.reply_form]))
        if choice.reply_tokens:
            terms.append(("Room for a reply", f"{choice.reply_tokens:,} tokens"))
        if choice.price:
            terms.append(("Price of a million tokens", f"${choice.price_in:g} sent, ${choice.price_out:g} received"))
        if choice.timeout:
            terms.append(("Time for a call", wording.duration(choice.timeout)))
        terms.append(("Requests at once", f"{choice.at_once}"))
    return [*terms, ("Limits per reading", _limits(choice))]


def _limits(choice: ModelChoice) -> str:
    limits = [
        f"{choice.max_calls:,} calls" if choice.max_calls else "",
        f"{choice.max_tokens:,} tokens" if choice.max_tokens else "",
        f"${choice.max_cost:,.2f}" if choice.max_cost else "",
        wording.duration(60 * choice.max_minutes) if choice.max_minutes else "",
        f"{choice.calls_per_minute:g} calls a minute" if choice.calls_per_minute else "",
    ]
    return " · ".join(filter(None, limits)) or (f"{demos.MOST_CALLS:,} calls" if access.demo() else "none")


def _choose(choice: ModelChoice) -> None:
    st.html(markup.section("", "Choose a model"))
    choose_profile()
    with st.form(state.key("model", state.model_choices_made()), border=False):
        given = _server_fields(choice)
        with st.expander("Sampling, price and limits", expanded=bool(choice.caps)):
            given |= {**_sampling_fields(choice), **_price_fields(choice), **_limit_fields(choice)}
        name = st.text_input(
            "Name of the profile", choice.name, max_chars=LONGEST_NAME, placeholder="only to save it", key=_key("name"),
            help="Under a name, all of this but the key is saved. Choose it again here, on Read and Questions, and in the shell "
            "with --profile. The profile that was chosen last is in use after the page is loaded again.",
        )  # fmt: skip
        with st.container(horizontal=True, gap="small"):
            sent = st.form_submit_button("Use this model", type="primary", key=_key("use"))
            saved = st.form_submit_button("Save as a profile, and use it", key=_key("save"))
    if sent or saved:
        _use(with_its_server(given, offered_elsewhere()), choice, save_as=name if saved else None)
    if names := access.profiles():
        _rename_or_delete(names, choice)


def _rename_or_delete(names: list[str], choice: ModelChoice) -> None:
    with st.popover("Rename or delete a profile", key=state.key("model", "profiles")):
        at = names.index(choice.name) if choice.name in names else 0
        name = st.selectbox("Profile", names, index=at, key=_key("which-profile")) or names[0]
        new = st.text_input("New name", max_chars=LONGEST_NAME, key=_key("new-name"))
        with st.container(horizontal=True, gap="small"):
            renamed = st.button("Rename", key=_key("rename"))
            deleted = st.button("Delete", key=_key("delete"))
        if not (renamed or deleted):
            return
        try:
            if renamed:
                access.rename_profile(name, new)
            else:
                access.delete_profile(name)
        except ReadingError as error:
            flash.error(error)
            return
        st.rerun()


def _server_fields(choice: ModelChoice) -> dict[str, Any]:
    known = _known()
    ids = list(dict.fromkeys([*known, choice.id]))
    model_id = st.selectbox(
        "Model id",
        ids,
        index=ids.index(choice.id),
        format_func=lambda model_id: f"{model_id} · {known[model_id]}" if model_id in known else model_id,
        accept_new_options=True,
        help=FREE_FORM,
        key=_key("id"),
    )
    base = st.text_input(
        "Base URL", value=choice.api_base or "", placeholder="only for your own server", key=_key("base"),
        help="The address of a server with the OpenAI protocol, for example http://localhost:8000/v1.",
    )  # fmt: skip
    set_already = "set for this session; leave empty to keep it"
    key = st.text_input(
        "Key", type="password", placeholder=set_already if choice.api_key else "", key=_key("key"),
        autocomplete="new-password",
    )  # fmt: skip
    st.html(markup.aside(KEY_HELP, protected=["in memory"]))  # of this machine
    return {"id": model_id or "", "api_base": base, "api_key": key}


def _sampling_fields(choice: ModelChoice) -> dict[str, Any]:
    one, two, three = st.columns(3)
    four, five, six = st.columns(3)
    return {
        "temperature": one.number_input(
            "Temperature", 0.0, 2.0, choice.temperature, 0.1, key=_key("temperature"), help=BY_ID["temperature"].meaning,
        ),
        "top_p": two.number_input("Top p", 0.0, 1.0, choice.top_p, 0.05, placeholder="the model's own", key=_key("top-p")),
        "window": three.number_input(
            "Context window", LEAST_WINDOW, None, choice.window, 1024, placeholder="the model's own", key=_key("window"),
            help=with_terms("Tokens of prompt and reply together. 8,192 is assumed for an unknown model.", "Context window"),
        ),
        "reply_tokens": four.number_input(
            "Room for a reply", 1, None, choice.reply_tokens, 256, placeholder="by prompt", key=_key("reply-tokens"),
            help=with_terms(
                "Tokens. A model that thinks before it replies needs more: it gets 8 times each prompt's own by default."
            ),
        ),
        "timeout": five.number_input(
            "Seconds for a call", timeouts.LEAST_SECONDS, timeouts.MOST_SECONDS, choice.timeout, 60.0, format="%g",
            placeholder=f"{timeouts.seconds_for(choice.id, choice.api_base):g}", key=_key("timeout"),
            help="A call that takes longer fails, and is not sent again automatically. On a processor it may take minutes.",
        ),
        "reply_form": six.selectbox(
            "Reply form", list(reading_words.REPLY_FORMS), list(reading_words.REPLY_FORMS).index(choice.reply_form),
            format_func=reading_words.REPLY_FORMS.__getitem__,
            key=_key("reply-form"), help=reading_words.ABOUT_REPLY_FORM,
        ),
    }  # fmt: skip


def _price_fields(choice: ModelChoice) -> dict[str, Any]:
    st.html(
        markup.aside(
            "What a million tokens cost, in US dollars. Leave both fields empty for litellm’s own table, which has the usual "
            "providers."
        )
    )
    one, two, _ = st.columns(3)
    return {
        "price_in": one.number_input(
            "Price, sent", 0.0, None, choice.price_in, 0.1, format="%g", placeholder="litellm’s", key=_key("price-in")
        ),
        "price_out": two.number_input(
            "Price, received", 0.0, None, choice.price_out, 0.1, format="%g", placeholder="litellm’s", key=_key("price-out")
        ),
    }


def _limit_fields(choice: ModelChoice) -> dict[str, Any]:
    st.html(
        markup.aside(
            "Limits for each reading; empty means no limit. A reading that reaches one stops, and keeps what it has read."
        )
    )
    one, two, three = st.columns(3)
    four, five, six = st.columns(3)
    return {
        "max_calls": one.number_input("Calls", 1, None, choice.max_calls, 50, placeholder="no limit", key=_key("calls")),
        "max_tokens": two.number_input("Tokens", 1, None, choice.max_tokens, 10_000, placeholder="no limit", key=_key("tokens")),
        "max_cost": three.number_input(
            "US dollars", 0.01, None, choice.max_cost, 0.5, placeholder="no limit", key=_key("dollars"),
            help="Applies only where the price of the model is known.",
        ),
        "max_minutes": four.number_input(
            "Minutes", 0.1, None, choice.max_minutes, 10.0, format="%g", placeholder="no limit", key=_key("minutes"),
            help="In which its calls are under way. What was recorded before it was stopped and resumed counts, too.",
        ),
        "calls_per_minute": five.number_input(
            "Calls a minute", 1.0, None, choice.calls_per_minute, 10.0, format="%g", placeholder="no limit", key=_key("pace")
        ),
        "at_once": six.number_input("Requests at once", 1, MOST_AT_ONCE, choice.at_once, 1, key=_key("at-once")),
    }  # fmt: skip


def _use(given: dict[str, Any], before: ModelChoice, *, save_as: str | None = None) -> None:
    """Use the model that was described; saved as a profile, if it has a name to be saved under. It is a profile's as long as it
    does what that holds."""
    try:
        choice = ModelChoice(**given).checked().after(before)
        if save_as is not None:
            access.save_profile(choice, save_as, new=save_as.strip() != before.name)
        else:
            same = replace(choice, name=before.name, api_key=before.api_key) == before
            access.choose_model(replace(choice, name=before.name) if same else choice)
    except ReadingError as error:
        flash.error(error)
        return
    if choice.human and not before.human:
        state.remember_previous_model_choice(before)
    st.rerun()


def _choose_in_demo() -> None:
    st.html(markup.section("", "Choose a model"))
    st.html(markup.aside("This is a public demo. It accepts no keys, and reads only with these models."))
    offered = demos.models()
    with st.form(state.key("model", state.model_choices_made()), border=False):
        at = offered.index(state.model_choice().id) if state.model_choice().id in offered else 0
        model_id = st.radio("Model", offered, index=at, format_func=_offered, key=_key("id"))
        sent = st.form_submit_button("Use this model", type="primary", key=_key("use"))
    if sent:
        _use({"id": model_id}, ModelChoice(catalogue.OFFLINE))


def _offered(model_id: str) -> str:
    return markup.plain(YOU if model_id == catalogue.HUMAN else catalogue.title(model_id))


def _known() -> dict[str, str]:
    """The ids offered, each with a remark."""
    keys = catalogue.configured_keys()
    hosted = {
        model: f"{variable} is {'set' if keys[variable] else 'not set'}" for variable, model in catalogue.PROVIDERS.values()
    }
    here = {model_id: catalogue.title(model_id) for model_id in catalogue.installed_local()}
    elsewhere = {one.id: f"{one.server.title}, on this machine" for one in offered_elsewhere()}
    return {catalogue.OFFLINE: catalogue.OFFLINE_TITLE, catalogue.HUMAN: YOU, **here, **elsewhere, **hosted}


def _environment() -> None:
    with st.expander("Keys in the environment"):
        is_set = catalogue.configured_keys()
        rows = [
            Row(variable, [Cell(model), Cell("◆ set" if is_set[variable] else "□ not set")])
            for variable, model in catalogue.PROVIDERS.values()
        ]
        report.draw(Table("Keys in the environment", columns("For models like", "Key"), rows, head="Variable"), kind="keys")
        st.html(markup.aside("Everybody who uses this app spends money on these keys. Their values are never shown."))


def _judges() -> None:
    """Draw the figures of every model that was measured here; nothing if none was."""
    found = judge.stored_figures()
    if not found:
        return
    st.html(markup.section("", "As a judge of whether a text still says it"))
    names = ("Agrees with the label", "Kappa", "“Still said” is right", "“Something else” is right", "“No longer said” is right")
    heads = [Column(name, "" if name == "Kappa" else "%") for name in names]
    report.draw(Table("Models as judges", heads, [_judge_row(one) for one in found], notes=[ABOUT_JUDGES], head="Model"))


def _judge_row(one: JudgeFigures) -> Row:
    notes = [f"{one.pairs:,} pairs judged"]
    notes += [f"{one.unread:,} without a verdict that could be read"] if one.unread else []
    notes += [] if one.current else ["with an earlier wording of the prompt"]
    verdicts = [_share(one.verdicts.get(verdict)) for verdict in judge.LABELS]
    cells = [_share(one.agreed), Cell(Figure(one.kappa, unit="coefficient")), *verdicts]
    return Row(catalogue.title(one.model), cells, "; ".join(notes))


def _share(found: Share | None) -> Cell:
    if found is None or found.interval is None:
        return Cell()
    return Cell(Figure(found.right / found.of, *found.interval), [f"{found.right:,} of {found.of:,}"])


def _key(name: str) -> str:
    return state.key("model", name, state.model_choices_made())
