"""What a visitor may see, add and change: in a public demo their own items and, to see, the host's; otherwise everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.session import database, demos, flash, process_cache, state
from components.session.demos import Guest
from components.session.model_choice import ModelChoice
from readers import importable
from readers.engine import own_process
from readers.engine.errors import BadOptions, NotFound, ReadingError
from readers.engine.files.runs.import_run import Incoming, check_run_file_apart, save_checked
from readers.engine.ingest import Ingested, from_bytes, from_paste
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.batches import BatchPlan, progress
from readers.engine.store import ListedDocument, Run, Store
from readers.engine.store.deletions import UNDO_SECONDS
from readers.engine.store.prompt_sets import PromptSet
from readers.engine.store.question_sets import ListedSet
from readers.engine.store.run import Deleted
from readers.engine.text.document import Document, Span
from readers.engine.text.plant import Planted

T = TypeVar("T")


def demo() -> bool:
    """Whether this is a public demo (PALIMPSEST_DEMO)."""
    return demos.on()


def opened() -> AbstractContextManager[Store]:
    """The store as this visitor sees it: lists hold only what they may see, and they own added items."""
    return database.opened(visitor())


def may_see(item_id: str) -> bool:
    """Whether this visitor may see a document or reading. A missing one counts as visible; opening it raises NotFound."""
    if not demo():
        return True
    with opened() as store:
        return store.visits.may_see(item_id)


def may_change(item_id: str) -> bool:
    """Whether this visitor may change or delete an item: in a demo, only what they own."""
    return not demo() or item_id in _owned()


def visible_runs(limit: int = -1, document: str | None = None) -> list[Run]:
    """Readings, newest first: at most `limit`, of one document if given."""
    with opened() as store:
        return store.runs.listed(limit, document=document)


def family(run_id: str) -> list[Run]:
    """A reading with its ancestors and all their forks, if this visitor may see them."""
    with opened() as store:
        return [run for run in store.runs.family(run_id) if store.visits.may_see(run.id)]


def visible_documents() -> list[ListedDocument]:
    """Documents, newest first."""
    with opened() as store:
        return store.documents.listed()


def document(document_id: str) -> Document:
    """A text, under the title that this visitor knows it by. Raises NotFound, also for one they may not see."""
    if not demo():
        return process_cache.document(document_id)
    with opened() as store:
        listed = store.documents.listed(document_id)
    if not listed:
        raise NotFound(f"there is no text {document_id[:40]!r} here; it may have been deleted")
    return process_cache.document(document_id).titled(listed[0].title)


def add_document(document: Document) -> ListedDocument:
    """Add a text that this visitor owns. Raises BadFile if the text is too long for a demo."""
    if demo():
        demos.check_tokens(document.tokens)
    with opened() as store:
        return store.documents.add(document)


def add_planted(planted: Planted) -> None:
    """Add a text with a planted sentence, owned by this visitor. Raises BadFile if the text is too long for a demo."""
    if demo():
        demos.check_tokens(planted.document.tokens)
    with opened() as store:
        store.planted.add(planted)


def planted_in(document_id: str) -> Span | None:
    """The place of the sentence that this visitor or the host planted in a text; None if there is none."""
    with opened() as store:
        return store.planted.of(document_id)


def delete(name: str, act: Callable[[Store], T]) -> T:
    """Delete something in the store by `act`; this session can bring it back for some seconds, under this name."""
    with opened() as store:
        store.deletions.purge()
        deletion, done = store.deletions.undoably(lambda: act(store))
        if store.deletions.keeps(deletion):
            state.remember_deletion(deletion, name, seconds=UNDO_SECONDS)
    process_cache.clear()
    return done


def undo_deletion() -> None:
    """Bring back what this session deleted last. Raises NotFound if it is too late, and BadOptions if that hangs on something
    that was deleted, too."""
    if last := state.last_deletion():
        state.forget_deletion()
        with opened() as store:
            store.deletions.undo(last[0])
        process_cache.clear()


def delete_run(run_id: str) -> None:
    """Delete a reading with the samples of its experiments. Raises Busy while it, a sample or a fork of it is under way, NotFound
    unless it is this visitor's."""
    _must_be_mine(run_id)
    delete("the reading", lambda store: store.runs.delete(run_id))


def deletion_counts(ids: Sequence[str]) -> dict[str, int]:
    """How many of these readings cannot be deleted yet (`held`), and how many `samples` would be deleted with them."""
    with opened() as store:
        return {"held": len(store.run_list.undeletable(ids)), "samples": len(store.run_list.samples_of(ids))}


def delete_runs(ids: Sequence[str]) -> Deleted:
    """Delete readings, and report what happened to each. Those under way stay; those of other visitors count as missing."""
    owned = _owned() if demo() else set(ids)
    mine = [run_id for run_id in ids if run_id in owned]
    done = delete("the reading" if len(mine) == 1 else f"{len(mine):,} readings", lambda store: store.run_list.delete(mine))
    return done._replace(missing=(*done.missing, *(run_id for run_id in ids if run_id not in owned)))


def set_name_and_note(run_id: str, name: str, note: str) -> None:
    """Raises BadOptions for an invalid name or note, NotFound unless the reading is this visitor's."""
    _must_be_mine(run_id)
    with opened() as store:
        store.run_list.rename(run_id, name)
        store.run_list.set_note(run_id, note)
    process_cache.clear()


def tag_runs(ids: Sequence[str], tag: str) -> int:
    """Tag readings; returns how many did not have the tag. Raises BadOptions, and NotFound unless all are this visitor's."""
    for run_id in ids:
        _must_be_mine(run_id)
    with opened() as store:
        return store.run_list.tag(ids, tag)


def untag_runs(ids: Sequence[str], tag: str) -> int:
    """Remove a tag from readings; returns how many had it. Raises NotFound unless all are this visitor's."""
    for run_id in ids:
        _must_be_mine(run_id)
    with opened() as store:
        return store.run_list.untag(ids, tag)


def import_run(data: bytes, name: str) -> Run:
    """Import the reading of a run file, owned by this visitor. Raises BadRunFile, and BadFile, BadOptions or LimitReached if a
    demo does not allow it; then nothing has changed."""
    check_readings()
    if demo():
        demos.check_file(data)
    incoming = check_run_file_apart(data, name, readers=importable)
    if demo():
        demos.check_bytes(incoming.document.text.encode())
        demos.check_tokens(incoming.document.tokens)
        demos.check_options(incoming.run.spec["options"])
        caps = demos.capped(incoming.run.spec["caps"])  # it may be resumed
        incoming = replace(incoming, run=replace(incoming.run, spec={**incoming.run.spec, "caps": caps}))
    with opened() as store, counted(store):
        return save_checked(store, incoming)


def import_traced(readings: Sequence[Incoming]) -> list[Run]:
    """Import readings that were made of what another tool recorded, owned by this visitor."""
    check_readings()
    with opened() as store, counted(store):
        return [save_checked(store, one) for one in readings]


def delete_document(document_id: str) -> None:
    """Delete a document with its readings; in a demo, only this visitor's share if others also own it.

    Raises Busy while one of its readings is under way, NotFound unless it is this visitor's.
    """
    _must_be_mine(document_id)
    delete("the text", lambda store: (store.visits.leave if demo() else store.documents.delete)(document_id))


def prompt_sets(reader: str) -> list[PromptSet]:
    """The saved prompt sets of a reader, by name. In a demo, they are the host's."""
    with opened() as store:
        return store.prompt_sets.of_reader(reader)


def save_prompts(reader: str, name: str, templates: Mapping[str, str]) -> PromptSet:
    """Save a prompt set for everybody. Raises BadOptions for an invalid name, and in a demo."""
    _not_in_a_demo()
    with opened() as store:
        return store.prompt_sets.save(reader, name, templates)


def delete_prompts(reader: str, name: str) -> None:
    """Delete a prompt set. Raises NotFound if there is none, BadOptions in a demo."""
    _not_in_a_demo()
    delete(f"the prompt set “{name}”", lambda store: store.prompt_sets.delete(reader, name))


def add_questions(made: QuestionSet) -> ListedSet:
    """Add a question set with its texts, owned by this visitor. Raises BadFile if a text is too long for a demo."""
    for document in made.documents if demo() else ():
        demos.check_tokens(document.tokens)
    with opened() as store:
        return store.question_sets.add(made)


def delete_questions(set_id: str) -> None:
    """Delete a question set. Raises BadOptions while it has batches, NotFound unless it is this visitor's."""
    _must_be_mine(set_id)
    delete("the question set", lambda store: store.question_sets.delete(set_id))


def delete_batch(batch_id: str) -> None:
    """Delete a batch; its readings stay. Raises NotFound unless it is this visitor's."""
    _must_be_mine(batch_id)
    delete("the batch", lambda store: store.batches.delete(batch_id))


def check_options(options: Mapping[str, Any]) -> None:
    """Raise BadOptions if a demo does not allow a reader's options. Called before an estimate, which would use them."""
    if demo():
        demos.check_options(options)


def check_batch(plan: BatchPlan, asked: Sequence[SetQuestion]) -> None:
    """Raise if a demo does not allow a batch: its models, the sizes of its texts, or how many readings there would be."""
    if not demo():
        return
    for variant in plan.variants:
        demos.check_model(variant.model, variant.api_base, variant.options)
    with opened() as store:
        sizes = {shelved.id: shelved.tokens for shelved in store.documents.listed()}
        planned = sum(progress(store, batch.id).left for batch in store.batches.listed() if batch.id in store.visits.owned())
    for document in {one.document for one in asked}:
        demos.check_tokens(sizes.get(document, 0))
    check_readings(planned + plan.readings(len(asked)))


def check_readings(more: int = 1) -> None:
    """Raise LimitReached if this visitor of a demo may not start this many more readings."""
    guest = _guest()
    if guest is not None and more > 0:
        with opened() as store:
            demos.check_readings(demos.begun(store, guest), more)


def count(store: Store, readings: int) -> None:
    """Count readings of a demo as started. Raises LimitReached if they may not begin."""
    guest = _guest()
    if guest is not None and readings > 0:
        demos.count(store, guest, readings=readings)


def counted(store: Store, readings: int = 1) -> AbstractContextManager[None]:
    """What begins readings in a demo does so within this: they are counted first. Raises LimitReached if they may not begin."""
    guest = _guest()
    return nullcontext() if guest is None else demos.counted(store, guest, readings=readings)


def start_limit() -> Callable[[Store], None]:
    """What to call outside the page before a batch starts another reading: it counts it, and raises LimitReached at the limit of
    a demo."""
    guest = _guest()
    return lambda store: None if guest is None else demos.count(store, guest)


def _guest() -> Guest | None:
    """Who is counted in a demo; None outside one."""
    who = visitor()
    return None if who is None else Guest(who, demos.address())


def _not_in_a_demo() -> None:
    if demo():
        raise BadOptions(f"this is a public demo: prompt sets and profiles cannot be used or saved here; {demos.OWN_COPY}")


def _must_be_mine(item_id: str) -> None:
    if not may_change(item_id):
        raise NotFound(f"there is nothing of yours under {item_id!r}; it may have been deleted already")


def _owned() -> set[str]:
    with opened() as store:
        return store.visits.owned()


def visitor() -> str | None:
    """This visitor of a public demo, by a random name for the browser; None outside one. Their visit lasts while a page of theirs
    is open, and for some minutes after."""
    if not demo():
        return None
    demos.here(state.visitor(), process_cache.jobs())
    return state.visitor()


def why_gone(otherwise: str) -> str:
    """Why something may not be there, in sentences: in a demo, what becomes of what visitors add."""
    return demos.gone() if demo() else otherwise


def expect_upload() -> None:
    """Have a process ready that reads files, so that the first upload does not wait for its start."""
    own_process.prepare()


def uploaded(data: bytes, name: str) -> Ingested:
    """The text of an upload. Raises BadFile."""
    if demo():
        demos.check_bytes(data)
    return _within(_uploaded(data, name))


@st.cache_resource(max_entries=4, show_spinner="Extracting the text from the file …")
def _uploaded(data: bytes, name: str) -> Ingested:
    place = st.empty()
    try:
        return from_bytes(data, name, progress=lambda done, of: _draw_pages(place, done, of))
    finally:
        place.empty()


def _draw_pages(place: DeltaGenerator, done: int, of: int) -> None:
    place.progress(done / of, text=f"Page {done + 1:,} of {of:,}")


def pasted(text: str) -> Ingested:
    """A pasted text, with a title made from it. Raises BadFile."""
    if demo():
        demos.check_bytes(text.encode("utf-8", "replace"))
    return _within(_pasted(text))


@st.cache_resource(max_entries=4, show_spinner=False)
def _pasted(text: str) -> Ingested:
    return from_paste(text)


def _within(ingested: Ingested) -> Ingested:
    """Raises BadFile if a text is too long for a demo."""
    if demo():
        demos.check_tokens(ingested.document.tokens)
    return ingested


def choose_model(choice: ModelChoice) -> None:
    """Choose a model for this session. Raises BadOptions for one that visitors of a demo may not use. New sessions begin with it
    if it is a profile; that somebody is the model for a while changes nothing for them."""
    if demo():
        demos.check_model(choice.id, choice.api_base, {})
    elif not choice.human:
        with opened() as store:
            store.profiles.choose(choice.name)
    state.set_model_choice(choice)


def begin_with_profile() -> None:
    """Choose, in a session that has chosen no model, the profile that was chosen here last. Not in a demo."""
    if demo() or state.has_model_choice():
        return
    try:
        with opened() as store:
            store.deletions.purge()  # those of a process that was killed, too
            name = store.profiles.chosen()
            state.begin_with(ModelChoice.of(store.profiles.get(name)) if name else ModelChoice.default())
    except BadOptions as error:  # it may name a model that is no longer there
        state.begin_with(ModelChoice.default())
        flash.leave_error(error)
    except (ReadingError, OSError):  # the page says what is wrong with the database
        return


def profiles() -> list[str]:
    """The names of the saved profiles. Visitors of a demo see none: they are the host's."""
    if demo():
        return []
    with opened() as store:
        return store.profiles.names()


def profile(name: str) -> ModelChoice:
    """A saved profile, with the session's key if that is for its model and server. Raises NotFound and BadOptions."""
    _not_in_a_demo()
    with opened() as store:
        return ModelChoice.of(store.profiles.get(name)).after(state.model_choice())


def usable_profiles() -> list[ModelChoice]:
    """The saved profiles whose models can be opened."""
    found = []
    for name in profiles():
        with suppress(BadOptions):
            found.append(profile(name))
    return found


def save_profile(choice: ModelChoice, name: str, *, new: bool) -> None:
    """Save a choice without its key under a name, as a `new` profile or in place of the one of that name, and choose it. Raises
    BadOptions, also for a name that is taken, and in a demo."""
    _not_in_a_demo()
    with opened() as store:
        saved = replace(choice.checked(), name=name)
        kept = store.profiles.add(saved) if new else store.profiles.change(saved)
    choose_model(replace(choice, name=kept.name))


def rename_profile(name: str, new: str) -> None:
    """Raises BadOptions for an invalid or a taken name, and in a demo, and NotFound."""
    _not_in_a_demo()
    with opened() as store:
        kept = store.profiles.rename(name, new)
    if state.model_choice().name == name:
        choose_model(replace(state.model_choice(), name=kept))


def delete_profile(name: str) -> None:
    """Delete a profile; its model stays chosen in this session. Raises NotFound, and BadOptions in a demo."""
    _not_in_a_demo()
    delete(f"the profile “{name}”", lambda store: store.profiles.delete(name))
    if state.model_choice().name == name:
        choose_model(replace(state.model_choice(), name=""))


def forget_key() -> None:
    """Forget the API key; the model stays chosen."""
    choose_model(replace(state.model_choice(), api_key=None))
