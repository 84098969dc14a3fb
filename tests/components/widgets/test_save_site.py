"""Publishing from a page: the zip has what the command writes, and what looks private waits for a look."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

import pytest
from streamlit.testing.v1 import AppTest

from components.publish import gather, gather_batch
from components.publish.site import files
from components.session import state
from readers import get
from readers.cli.show import known_answer
from readers.engine.labels.project import Project
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.components.publish.test_labels_section import PEOPLE, project
from tests.components.publish.test_site import batch
from tests.support.app_pages import named, opened, press, press_popover, run, words

__all__ = ["batch", "project"]


def made_on(app: AppTest) -> AppTest:
    """The page after the site was made there."""
    return press(press_popover(app, "Publish"), "Make the site")


def packed_on(app: AppTest, name: str, batch: str = "", runs: Iterable[str] = ()) -> dict[str, bytes]:
    """The site of a batch, or of readings, that the session keeps."""
    of = state.short_hash(",".join([batch, "", *runs]))
    return unpacked(app.session_state[state.key("site_made", name, of, True, False)][0])


def unpacked(site: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(site)) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("page", ["5_Questions", "6_Evaluate"])
def test_a_batch_is_published_as_the_command_does(store: Store, batch: str, page: str) -> None:
    with opened(page) as app:
        made_on(run(app, batch=batch))
        found = packed_on(app, batch, batch)
    contents = gather_batch.of_batch(store, store.batches.get(batch), lambda run: known_answer(store, run))
    assert found == dict(files(contents))


def test_selected_readings_are_published(store: Store, batch: str) -> None:
    with opened("3_Readings") as app:
        run(app)
        press(app, "Select all")
        made_on(app)
        found = packed_on(app, "readings", runs=app.session_state[state._TICKED])
    assert sum(name.endswith("/data.js") for name in found) == 4


@pytest.mark.parametrize("names", [False, True])
def test_a_project_is_published_as_the_command_does_by_who_sees_all_of_it(store: Store, project: Project, names: bool) -> None:
    with opened("5_Annotate") as app:
        press_popover(run(named(app, project.settings.lead.lower()), project=project.id, view="results"), "Publish")
        if names:
            next(one for one in app.checkbox if "names" in one.label).check().run()
        press(app, "Make the site")
        of = state.short_hash(f",{project.id}")
        found = unpacked(app.session_state[state.key("site_made", project.id, of, True, names)][0])
    assert found == dict(files(gather.of_project(store, project, lambda run: known_answer(store, run), names=names)))


def test_who_labels_in_a_project_is_not_offered_to_publish_it(store: Store, project: Project) -> None:
    with opened("5_Annotate") as app:
        run(named(app, PEOPLE[0]), project=project.id, view="results")
        assert not [one for one in app.get("popover") if one.proto.popover.label == "Publish"]


def test_another_selection_is_not_offered_the_site_of_the_first(store: Store, batch: str) -> None:
    with opened("3_Readings") as app:
        run(app)
        made_on(press(app, "Select all"))
        assert downloads(app) == 1
        ticked = app.session_state[state._TICKED]
        first = next(iter(ticked))
        del ticked[first]
        app.run()
        assert downloads(app) == 0


def downloads(app: AppTest) -> int:
    """How many sites the page offers to save."""
    return sum(one.proto.label.startswith("Download the site") for one in app.get("download_button"))


def test_what_looks_private_is_listed_and_waits_for_a_look(store: Store) -> None:
    reader = get("whole")
    document = Document("The ferry", "Hester rows at noon. Write to hester@ferry.example.org.")
    made = create_run(store, document, reader, RunSpec("whole", reader.version, "Who rows?"))
    execute(store, made.id, reader, Execution(Offline()))
    with opened("3_Readings") as app:
        run(app)
        made_on(press(app, "Select all"))
        assert "hester@ferry.example.org" in words(app)
        assert app.get("download_button")[-1].proto.disabled
        next(one for one in app.checkbox if one.label.startswith("I looked")).check().run()
        assert not app.get("download_button")[-1].proto.disabled
