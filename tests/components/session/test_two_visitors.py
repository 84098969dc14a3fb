"""In a public demo a visitor neither sees nor changes what is another's, nor learns that it is there: by page and parameter of an
address, by function, by import and export. What is asked of another's item is answered as for one that never was."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from components.session import access, address, demos, hidden_answers, start_runs
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.files.labels.export_labels import gathered
from readers.engine.labels.project import HOST, Settings
from readers.engine.models.catalogue import OFFLINE
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Span
from readers.engine.text.plant import Planted
from tests.engine.store.test_delete import READER, read
from tests.support.app_pages import opened
from tests.support.labels import BOOK, about
from tests.support.models.scripted_models import parts_of
from tests.support.paths import ROOT

MARK = "annas"  # in every word that is hers
TEXT = Document("Annas title", f"Annas words begin here.\n\n{parts_of(4).text}")
VIEWS = ("bench", "groups", "board", "codebook", "agreement", "results", "people")


@dataclass
class Now:
    visitor: str = "anna"


@pytest.fixture
def now(store: Store, monkeypatch: pytest.MonkeyPatch) -> Now:
    here = Now()
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setattr(access, "visitor", lambda: here.visitor)
    monkeypatch.setattr(demos, "address", lambda: "192.0.2.1")
    return here


@dataclass(frozen=True)
class Items:
    """The ids of what Anna has, or of what nobody has; and the host's reading, which everybody sees."""

    run: str
    document: str
    question_set: str
    batch: str
    project: str
    hosts: str

    def named(self, said: str) -> str:
        """Words without the ids that they may repeat."""
        for name in ("document", "run", "question_set", "batch", "project"):
            for shown in (getattr(self, name), getattr(self, name)[:40]):
                said = said.replace(shown, f"<{name}>")
        return said


def hers(store: Store) -> Items:
    """A reading with name, note and tag, a fork, a question set with a batch, a project with a label; and forks, a sample and a
    reading of the host's."""
    host = read(store, parts_of(5))
    with Store(visitor="anna") as anna:
        run = read(anna, TEXT, "Annas question: where is word3x3?")
        anna.planted.add(Planted(TEXT, Span(0, 5)))
        anna.run_list.rename(run.id, "Annas name")
        anna.run_list.set_note(run.id, "Annas note")
        anna.run_list.tag([run.id], "annas tag")
        for parent, sample in ((run, None), (host, None), (host, "annas-experiment")):
            spec = {**parent.spec, "sample_base": 7 * bool(sample)}
            question = parent.question if sample else "Annas fork"
            anna.runs.add(
                Run("", parent.document, parent.reader, question, spec, "finished", parent=parent.id, experiment=sample)
            )
        asked = SetQuestion("q", run.document, "Annas other question?", answers=("annas answer",))
        made = anna.question_sets.add(QuestionSet("Annas set", (asked,), (TEXT,), "annas note"))
        plan = BatchPlan((RunSpec(READER.id, READER.version, ""),), name="Annas batch")
        batch = batches.add(anna, made.id, plan, readers=get, numbers=[0])
        project = anna.projects.create("Annas project", Settings(start_stage=3), runs=[run.id], book=BOOK, by="Annas owner")
        anna.projects.join(project.id, "Annas annotator")
        anna.turns.open(project.id, run.id, "Annas annotator")
        anna.labels.put(about(project, run.id, "Annas annotator", "outcome", "wrong"), 0)
    return Items(run.id, run.document, made.id, batch.id, project.id, host.id)


def nobodys(items: Items) -> Items:
    """Ids of the same form that belong to nothing."""

    def other(one: str) -> str:
        return "".join("0123456789abcdef"[(int(letter, 16) + 5) % 16] for letter in one)

    return Items(*(other(one) for one in list(items.__dict__.values())[:5]), hosts=items.hosts)


# Pages and addresses


def parameters(of: Items) -> dict[str, dict[str, str]]:
    """What an address may ask for, by name: each alone, with what it says nothing without."""
    ids = {
        "run": of.run, "after": of.run, "document": of.document, "text": of.document, "set": of.question_set, "batch": of.batch,
        "project": of.project, "runs": f"{of.hosts},{of.run}", "words": "where", "said": "yes", "tag": "annas tag",
    }  # fmt: skip
    with_it = {
        "said": {"words": "where"},
        "run": {"fact": "0-40"},
        "runs": {"fact": "0-40"},
        "batch": {"evidence": "passed over"},
    }
    in_project = {"view": "results", "dispute": of.run, "cell": json.dumps(["codes", "N1", of.run])}
    harmless = (
        "at",
        "depth",
        "stage",
        "end",
        "hidden",
        "play",
        "fact",
        "find",
        "evidence",
        "reader",
        "model",
        "ended",
        "forks",
        "samples",
        "sort",
        "page",
        "lesson",
        "part",
        "chosen",
        "which",  # of the readings of an evaluation, with the next two
        "among",
        "whose",
        "code",  # of a class, which whoever has it may see
        "screen",  # of a class: the window for the room, which only the browser that leads the class gets
    )
    return {
        **{name: {name: value, **with_it.get(name, {})} for name, value in ids.items()},
        **{name: {"project": of.project, name: value} for name, value in in_project.items()},
        **{name: {} for name in harmless},  # no item is named by these
    }


READ_BY = {  # besides what all pages are asked at once
    "1_Library": ("document",),
    "2_Read": ("document", "after"),
    "3_Readings": ("words", "said", "text", "tag"),
    "3_Trace": ("run",),
    "4_Compare": ("runs",),
    "5_Annotate": ("project", "batch", *VIEWS),
    "5_Questions": ("set", "batch"),
    "6_Evaluate": ("batch",),
}


def asked_of(page: str, of: Items) -> Iterator[dict[str, str]]:
    """All that an address may ask of a page."""
    known = parameters(of)
    yield {name: value for asks in known.values() for name, value in asks.items()}
    for name in READ_BY.get(page, ()):
        if name in VIEWS:
            yield {"project": of.project, "view": name, "run": of.run, "dispute": of.run}
        else:
            yield known[name]


def everything(app: AppTest) -> str:
    """All that the server sent to draw a page, and the address it leads to."""

    def nodes(node: Any) -> Iterator[Any]:
        yield node
        for child in getattr(node, "children", {}).values():
            yield from nodes(child)

    sent = "\n".join(str(node.proto) for node in nodes(app._tree) if getattr(node, "proto", None) is not None)
    return re.sub(r'\$\$ID-[0-9a-f]+|file_id: "[0-9a-f]+"', "", sent) + str(app.query_params)


def drawn(page: str, asks: dict[str, str], of: Items) -> str:
    with opened(page) as app:
        app.session_state["_annotator"] = "Annas annotator"  # a name that anybody may type
        for name, value in asks.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return of.named(everything(app))


PAGES = ("", *sorted(path.stem for path in (ROOT / "pages").glob("*.py")))


@pytest.mark.slow  # some fifty pages
@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_of_anothers_items_what_it_says_of_none(page: str, now: Now, store: Store) -> None:
    items = hers(store)
    none = nobodys(items)
    for asks, instead in zip(asked_of(page, items), asked_of(page, none), strict=True):
        now.visitor = "ben"
        seen = drawn(page, asks, items)
        assert MARK not in seen.casefold().replace("annas annotator", "").replace("annas tag", ""), asks  # what Ben typed
        assert seen == drawn(page, instead, none), asks
        if len(asks) <= 2 and page in READ_BY and "after" not in asks:  # she sees it, so that there is something not to be seen
            now.visitor = "anna"
            assert MARK in drawn(page, asks, items).casefold(), asks


def test_every_parameter_of_an_address_is_known_here(now: Now) -> None:
    constants = {
        value for name, value in vars(address).items() if re.fullmatch(r"_[A-Z_]+", name) and isinstance(value, str)
    }  # fmt: skip
    remembered = {address._ASKED, address._FULL, address._BENCH_RUN, address._FOUND}
    none = Items("1", "2", "3", "4", "5", "6")
    assert set(parameters(none)) == (constants - remembered | set(address.LIST_FILTERS)) | {"words"}
    assert set(PAGES) >= set(READ_BY)


def test_the_hosts_reading_shows_no_fork_or_sample_of_another(now: Now, store: Store) -> None:
    items = hers(store)
    now.visitor = "ben"
    seen = drawn("3_Trace", {"run": items.hosts, "depth": "full"}, items)
    with Store() as every:
        for run in every.runs.family(items.hosts):
            if run.id != items.hosts:
                every.runs.delete(run.id)
    assert seen == drawn("3_Trace", {"run": items.hosts, "depth": "full"}, items)


# Functions


class Refused(NamedTuple):
    kind: type[BaseException]
    words: str


def outcome(act: Callable[[], object], of: Items) -> object:
    """What a function returns, or raises, without the ids that were asked for."""
    try:
        return of.named(str(act()))
    except ReadingError as error:
        return Refused(type(error), of.named(str(error)))


def functions(of: Items, store: Store) -> dict[str, Callable[[], object]]:
    """Every function of the door to the store that is given an id, on another's: what is not listed here takes none."""
    foreign = Run(of.run, of.document, "memwalker", "?", {}, "finished")
    return {
        "may_change": lambda: [access.may_change(one) for one in (of.run, of.document, of.batch, of.question_set, of.project)],
        "family": lambda: access.family(of.run),
        "visible_runs": lambda: access.visible_runs(document=of.document),
        "document": lambda: access.document(of.document),
        "planted_in": lambda: access.planted_in(of.document),
        "delete_run": lambda: access.delete_run(of.run),
        "deletion_counts": lambda: access.deletion_counts([of.run]),
        "delete_runs": lambda: access.delete_runs([of.run]),
        "set_name_and_note": lambda: access.set_name_and_note(of.run, "x", "y"),
        "tag_runs": lambda: access.tag_runs([of.run], "x"),
        "untag_runs": lambda: access.untag_runs([of.run], "annas tag"),
        "delete_document": lambda: access.delete_document(of.document),
        "delete_questions": lambda: access.delete_questions(of.question_set),
        "delete_batch": lambda: access.delete_batch(of.batch),
        "start_batch": lambda: start_runs.start_batch(
            of.question_set, BatchPlan((RunSpec(READER.id, READER.version, "", model=OFFLINE),)), numbers=[]
        ),
        "resume_batch": lambda: start_runs.resume_batch(of.batch),
        "batch_trouble": lambda: start_runs.batch_trouble(of.batch),
        "cancel_batch": lambda: start_runs.cancel_batch(of.batch),
        "resume": lambda: start_runs.resume(foreign),
        "exporter": lambda: hidden_answers.exporter()(of.run),
        "making": lambda: hidden_answers.making(lambda _, run, known: (run.question, known))([of.run]),
        "a label export": lambda: gathered(store, of.project, HOST),
        "joining": lambda: store.projects.join(of.project, "Annas annotator"),
        "a label session": lambda: store.labels.load(of.project, run=of.run, annotator="Annas annotator"),
        "adding readings": lambda: store.projects.create("x", Settings(), runs=[of.run]),
        "a question of the text": lambda: access.add_questions(QuestionSet("x", (SetQuestion("q", of.document, "Who?"),))),
    }  # fmt: skip


NOTHING_OF_OTHERS = {  # what takes no id, or what the caller has already been given; `may_see` is only asked before opening
    "access": {
        "may_see", "demo", "opened", "visible_documents", "add_document", "add_planted", "import_run", "prompt_sets",
        "save_prompts", "delete_prompts", "add_questions", "check_options", "check_batch", "check_readings", "count", "counted",
        "start_limit", "visitor", "expect_upload", "uploaded", "pasted", "choose_model", "forget_key", "begin_with_profile",
        "delete", "undo_deletion", "profiles", "usable_profiles", "profile", "save_profile", "rename_profile", "delete_profile",
        "import_traced", "why_gone",
    },
    "start_runs": {
        "new_spec", "next_spec", "start", "start_fork", "start_samples", "is_batch_running", "check_fork",
        "execution", "is_running", "seconds_so_far",
    },
    "hidden_answers": {
        "current_name", "chosen_name", "name_for_cookie", "choose_name", "hidden_questions", "is_hidden", "known_answer",
        "grade_by_rule", "is_covered", "uncover",
    },
}  # fmt: skip


def test_every_function_answers_for_anothers_items_as_for_none(now: Now, store: Store) -> None:
    items = hers(store)
    none = nobodys(items)
    now.visitor = "ben"
    before = list(store.connection.db.iterdump())
    with Store(visitor="ben") as bens:
        asked, instead = functions(items, bens), functions(none, bens)
        for name, act in asked.items():
            said = outcome(act, items)
            assert said == outcome(instead[name], none), name
            assert MARK not in str(said).casefold().replace("annas annotator", ""), name
    assert list(store.connection.db.iterdump()) == before
    for module in (access, start_runs, hidden_answers):
        own = {
            name
            for name, one in inspect.getmembers(module, inspect.isfunction)
            if one.__module__ == module.__name__ and not name.startswith("_")
        }
        known = NOTHING_OF_OTHERS[module.__name__.rpartition(".")[2]]
        assert own - known == own & set(asked), "a new function is tried here, too"
