"""The choice of readings for a new or an existing project: from a batch, a list, a selection or files; and, of those chosen, all
or a seeded sample. What a sample means is in `labels/sampling.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import streamlit as st

from components.annotate import html
from components.annotate.wording import option_title
from components.html import markup
from components.html.words import reading_words, wording
from components.html.words.reading_words import title_in_list, title_of
from components.html.words.wording import count
from components.session import access, address, demos, flash, hidden_answers, process_cache, start_runs, state
from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.analysis.hints import hints
from readers.engine.errors import ReadingError
from readers.engine.files.runs.run_file_schema import MAX_FILE_BYTES
from readers.engine.labels.project import (
    MOST_READINGS,
)
from readers.engine.labels.sampling import ONLY, STRATA, Candidate, Sample, choose
from readers.engine.models import catalogue
from readers.engine.questions.grading import Grade
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from readers.engine.store.run_list import UNDER_WAY, RunFilter
from readers.engine.text.shorten import shorten

MOST_FILES, PREVIEWED = 50, 8
_ENDED = {"": "In any way", **{name: title for name, title in reading_words.ENDED.items() if name != UNDER_WAY}}
FROM_BATCH, FROM_LIST, FROM_SELECTION, FROM_FILES = "batch", "list", "selection", "files"
SOURCES = {
    FROM_BATCH: "A batch of questions", FROM_LIST: "All readings", FROM_SELECTION: "The readings that you chose",
    FROM_FILES: "Run files",
}  # fmt: skip
FOLLOWED = (
    "Readings whose evidence is unknown or has not been followed yet count as a separate fate. *Follow the evidence* on the "
    "page of a batch follows it."
)


def batch_title(batch: Batch, reader_title: Callable[[str], str]) -> str:
    """A batch in a list: its name, its readers and its date, because names may repeat."""
    readers = dict.fromkeys(reader_title(str(one.get("reader", ""))) for one in batch.plan.get("variants", ()))
    at = datetime.fromisoformat(batch.created).strftime("%d %b %Y, %H:%M UTC").removeprefix("0")
    return " · ".join(filter(None, (shorten(batch.name, 60), ", ".join(readers), at)))


class ChosenReadings(NamedTuple):
    """The finished readings chosen for a project, in order, and how many were left out: those under way, those already in the
    project, and samples of an experiment. `sample` says how they were drawn, if they were."""

    runs: tuple[Run, ...] = ()
    under_way: int = 0
    in_project: int = 0
    samples: int = 0
    sample: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(run.id for run in self.runs)


def choose_finished(runs: Iterable[Run], is_going: Callable[[Run], bool], *, in_project: Collection[str] = ()) -> ChosenReadings:
    """Remove readings that a project cannot have. `in_project` are the ids it has already."""
    finished: list[Run] = []
    under_way = already = samples = 0
    for run in runs:
        if run.id in in_project:
            already += 1
        elif run.experiment:
            samples += 1
        elif is_going(run):
            under_way += 1
        else:
            finished.append(run)
    return ChosenReadings(tuple(finished), under_way, already, samples)


def left_out(chosen: ChosenReadings) -> list[str]:
    """What was left out, in sentences."""
    sentences = []
    if chosen.under_way:
        is_not = "is under way and is" if chosen.under_way == 1 else "are under way and are"
        it = "it" if chosen.under_way == 1 else "them"
        sentences.append(f"{count(chosen.under_way)} {is_not} left out; add {it} later.")
    if chosen.in_project:
        sentences.append(f"{count(chosen.in_project)} {'is' if chosen.in_project == 1 else 'are'} already in the project.")
    if chosen.samples:
        sentences.append(f"{count(chosen.samples, 'sample')} of an experiment {'is' if chosen.samples == 1 else 'are'} left out.")
    return sentences


# The form


def imported_runs(project_id: str) -> dict[str, None]:
    """The readings imported from files for a project, or for a new one (empty id), in order."""
    found: dict[str, None] = state.remembered(state.key("_gathered", project_id), dict)
    return found


def chosen_batch() -> str:
    """The batch that a new project is made from; empty for none."""
    return str(state.value(_key("", "batch")) or "") if state.value(_key("", "from")) == FROM_BATCH else ""


def choose_readings(store: Store, project: str, *, in_project: Collection[str] = ()) -> ChosenReadings:
    """Draw the fields that choose readings, and return the chosen ones. `project` is the id of the project, empty for a new one;
    `in_project` are the readings it has already."""
    batches = {batch.id: batch_title(batch, title_of) for batch in store.batches.listed()}
    offered = [
        source for source in SOURCES if (source != FROM_BATCH or batches) and (source != FROM_SELECTION or state.ticked_runs())
    ]
    asked = address.batch_id() if address.batch_id() in batches and not project else ""
    otherwise = FROM_LIST if store.run_list.count(RunFilter()) else FROM_FILES
    first = FROM_BATCH if asked else FROM_SELECTION if state.ticked_runs() else otherwise
    source = st.segmented_control(
        "Readings from", offered, default=first, required=True, format_func=option_title(SOURCES), key=_key(project, "from"),
        persist_state="page",
    )  # fmt: skip
    if source == FROM_BATCH:
        ids = list(batches)
        batch = st.selectbox(
            "Batch", ids, index=ids.index(asked) if asked else 0, format_func=option_title(batches, 120),
            key=_key(project, "batch"), persist_state="page",
        )  # fmt: skip
        runs: Sequence[Run] = store.batches.runs_of(batch) if batch in batches else ()
    elif source == FROM_FILES:
        runs = _in_order(store, _import_files(project))
    elif source == FROM_SELECTION:
        runs = _in_order(store, list(state.ticked_runs()))
    else:
        runs = _in_order(store, store.run_list.ids(_filter(store, project), limit=MOST_READINGS + 1))
    visible = (run for run in runs if store.visits.may_see(run.id))
    chosen = choose_finished(visible, start_runs.is_running, in_project=in_project)
    _preview(store, chosen)
    return chosen


def _key(project: str, name: str) -> str:
    """The key of a field of the choice. A batch that the address names gets its own fields, so that it is preselected."""
    asked = [address.batch_id()] if name in ("from", "batch") and not project and address.batch_id() else []
    return state.key("project_from", project or "new", name, *asked)


def _in_order(store: Store, ids: Sequence[str]) -> list[Run]:
    found = {run.id: run for run in store.run_list.runs(ids)}
    return [found[run_id] for run_id in ids if run_id in found]


def _filter(store: Store, project: str) -> RunFilter:
    """The filter of the Readings page, without samples of experiments."""
    facets = store.run_list.facets()
    asks: dict[str, str] = {}
    asks["words"] = st.text_input(
        "Words in the question, the answer, the text’s title, the name or the note", key=_key(project, "words"), max_chars=500,
        persist_state="page",
    )  # fmt: skip
    fields: dict[str, tuple[str, Mapping[str, str]]] = {
        "reader": ("Reader", {"": "Any reader", **{reader: title_of(reader) for reader in facets.readers}}),
        "model": ("Model", {"": "Any model", **{model: catalogue.title(model) for model in facets.models}}),
        "text": ("Text", {"": "Any text", **facets.documents}),
        "ended": ("How it ended", _ENDED),
        "tag": ("Tag", {"": "Any tag or none", **{tag: tag for tag in facets.tags}}),
        "forks": ("Forks", {"": "With forks", **reading_words.FORKS}),
    }
    with st.container(key=f"project-filters-{project or 'new'}", horizontal=True, gap="small"):
        for name, (label, titles) in fields.items():
            asks[name] = st.selectbox(
                label, list(titles), format_func=option_title(titles, 60),
                key=_key(project, name), persist_state="page",
            )  # fmt: skip
    return reading_words.wanted({**asks, "samples": ""})


def _preview(store: Store, chosen: ChosenReadings) -> None:
    """How many readings are chosen, how many were left out, and the first few."""
    st.html(markup.facts([f"{wording.count(len(chosen.runs))} chosen"]) + html.warnings(left_out(chosen)))
    if not chosen.runs:
        return
    titles = {shelved.id: shelved.title for shelved in store.documents.listed()}
    with st.expander("Which readings"):
        previewed = chosen.runs[:PREVIEWED]
        st.html("".join(html.reading(run.question, reading_facts(run, titles)) for run in previewed))
        if len(chosen.runs) > len(previewed):
            st.caption(f"And {len(chosen.runs) - len(previewed):,} more.")


def reading_facts(run: Run, titles: Mapping[str, str]) -> list[str]:
    """Whether a reading is a fork, its reader, model and text, without its outcome."""
    fork = ["fork"] if run.parent or run.edit else []
    return [*fork, title_in_list(run), catalogue.title(str(run.spec.get("model", ""))), titles.get(run.document, "text deleted")]


def _import_files(project: str) -> list[str]:
    """Import run files. Returns the ids of all readings imported here so far."""
    most = (demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES) // 1_000_000
    imported = imported_runs(project)
    with st.form(state.key("project_files", "form", project), clear_on_submit=True, border=False):
        files = st.file_uploader(
            f"Run files (JSON), up to {most} MB each", type="json", accept_multiple_files=True, max_upload_size=most,
            key=state.key("project_files", project),
        )  # fmt: skip
        if st.form_submit_button("Import") and files:
            bar = st.progress(0.0, "Replaying …")
            for number, file in enumerate(files[:MOST_FILES]):
                bar.progress(number / len(files), f"File {number + 1:,} of {len(files):,}")
                try:
                    imported[access.import_run(file.getvalue(), file.name).id] = None
                except ReadingError as error:
                    flash.error(error)
            bar.empty()
            if len(files) > MOST_FILES:
                st.warning(
                    f"Only {MOST_FILES} files can be imported at once; the other {len(files) - MOST_FILES:,} were skipped."
                )
    st.caption(
        "Each reading is replayed with the replies in its file, which calls no model, and imported if the result is the same."
    )
    return list(imported)


# A sample of them


def narrow(store: Store, chosen: ChosenReadings, *, made: int) -> ChosenReadings:
    """Draw the form, and return the readings that the sample holds, with the sample in words."""
    if len(chosen.runs) < 2:
        return chosen

    def key(name: str) -> str:
        return state.key("project", "sample", name, made)

    with st.expander("Take only some of them"):
        only = st.selectbox("Which", list(ONLY), format_func=lambda one: ONLY[one], key=key("only"), width=520)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            size = st.number_input("How many (empty: all)", 1, len(chosen.runs), None, 1, key=key("size"), width=190)
            by = st.selectbox("Drawn", list(STRATA), format_func=lambda one: STRATA[one], key=key("by"), width=260)
            seed = st.number_input("Seed of the draw", 0, 10**9, 0, 1, key=key("seed"), width=190)
    sample = Sample(only or "", size, by or "", int(seed))
    if not sample.sentence(0, 0):
        return chosen
    if sample.by == "fate":
        st.caption(FOLLOWED)
    taken = set(choose(candidates(store, chosen.runs, sample), sample))
    runs = tuple(run for run in chosen.runs if run.id in taken)
    return chosen._replace(runs=runs, sample=sample.sentence(len(runs), len(chosen.runs)))


def candidates(store: Store, runs: tuple[Run, ...], sample: Sample) -> list[Candidate]:
    """The readings with what the sample needs to know about them and the viewer may know."""
    hidden = hidden_answers.hidden_questions(store)
    found = {run.id: hidden_answers.grade_by_rule(store, run, hidden) for run in runs} if sample.only else {}
    fates = _fates(store, runs, hidden) if sample.by == "fate" else {}
    first = _first_hints(runs) if sample.by == "hint" else {}
    made = [_candidate(run, found.get(run.id)) for run in runs]
    return [one._replace(fate=fates.get(one.run, ""), hint=first.get(one.run, "")) for one in made]


def _first_hints(runs: tuple[Run, ...]) -> dict[str, str]:
    """The kind of the first hint of each reading that has ended and has one. The known answer has no effect."""
    kinds = {}
    with st.spinner(f"Looking for hints in {wording.count(len(runs))} …"):
        for run in runs:
            if run.ended and (kind := _first_hint(run.id, run.ended, run)):
                kinds[run.id] = kind
    return kinds


@st.cache_resource(max_entries=20_000, show_spinner=False)
def _first_hint(run_id: str, ended: str, _run: Run) -> str:
    """Its kind, empty for none; of a reading that has ended, so that it is looked for once."""
    return next((one.kind for one in hints(process_cache.ended_reading(_run), get(_run.reader))), "")


def _fates(store: Store, runs: tuple[Run, ...], hidden: frozenset[tuple[str, str]]) -> dict[str, str]:
    """The fates that were followed and saved."""
    known = ((run, hidden_answers.known_answer(store, run, hidden)) for run in runs)
    followed = evidence.saved_fates(store, [Wanted(run, one) for run, one in known if one and one.evidence])
    return {run: fate.kind for run, fate in followed.items() if fate}


def _candidate(run: Run, graded: Grade | None) -> Candidate:
    by_rule, unsure = (graded.suggested, graded.sure != "certain") if graded else (None, False)
    return Candidate(run.id, run.document, run.question, run.reader, str(run.spec.get("model", "")), by_rule, unsure)
