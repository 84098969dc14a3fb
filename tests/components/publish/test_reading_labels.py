"""What people said of a reading on its page in a site: all of it, by letters, each at its step or place."""

from __future__ import annotations

import re
from dataclasses import replace

from components.publish import gather
from components.publish.contents import SiteContents
from components.publish.reading_labels import TITLE
from components.publish.site import files
from readers.engine.files.runs.content import content_of
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project
from readers.engine.store import Store
from tests.components.publish.sites import TEXT, batch
from tests.components.publish.test_labels_section import project
from tests.components.replay.test_replay import Parsed
from tests.support.labelled_projects import done, keep, span

__all__ = ["batch", "project"]


def page_of(store: Store, contents: SiteContents, run: str) -> str:
    return dict(files(contents))[f"reading/{content_of(store, store.runs.get(run))}/index.html"].decode()


def said_on(page: str) -> list[str]:
    """The lines of the list, as words."""
    listed = page.partition(f"<h2>{TITLE}</h2>")[2].partition("</section>")[0]
    return [" ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in re.findall(r"<li>(.*?)</li>", listed)]


def on(made: Label, where: str, number: int, start: int, end: int) -> Label:
    return replace(made, target={"on": where, "number": number, "start": start, "end": end})


def test_the_page_of_a_reading_has_its_labels_by_letters_at_their_steps(store: Store, project: Project) -> None:
    contents = gather.of_project(store, project, lambda run: None)
    for run in store.projects.readings(project.id):
        said = said_on(page_of(store, contents, run))
        labels = [label for label in store.labels.in_project(project.id, gather.HOST) if label.run == run]
        plain = [label for label in labels if label.target.get("field") in ("outcome", "support", "path", "fate")]
        assert len(said) == len(labels) - len(plain) + 2 > 10
        whole, at_steps, in_text = (
            [one for one in said if one.startswith(begins)] for begins in ("the whole reading", "step ", "in the text")
        )
        assert said == [*whole, *at_steps, *in_text]
        assert [re.findall(r"(\w+)(?: of the fact)?: ", one) for one in whole] == [["Outcome", "Support", "Path", "Fate"]] * 2
        steps = [int(one.split()[1]) for one in at_steps]
        assert steps == sorted(steps)
        assert {one.split()[2] for one in at_steps} == {one.split()[3] for one in [*whole, *in_text]} == {"A", "B"}
        assert f"in the text A “{TEXT[4:24].strip()}” characters 4 to 24 of the text" in in_text[0]
        assert any(one.endswith("severity 2 of 3 The second option named the lamp.") for one in at_steps)


def test_words_that_are_marked_in_a_reply_are_at_the_step_of_the_call(store: Store, project: Project) -> None:
    run = next(one for one in store.batches.runs_of(store.batches.listed()[0].id) if one.reader == "whole")
    store.projects.join(project.id, "Eve")
    marked = on(span(project, run.id, "Eve", 0, 0), "reply", 0, 0, 6)
    keep(store, project, [marked], [done(project, run.id, "Eve")])
    page = page_of(store, gather.of_project(store, project, lambda run: None), run.id)
    (line,) = [one for one in said_on(page) if "of a reply" in one]
    assert re.fullmatch(r"step \d+ [A-D] “.{1,6}” characters 0 to 6 of a reply · .*", line)


def test_places_are_counted_as_the_browser_counts_them_and_lead_to_the_player(store: Store, project: Project) -> None:
    run = store.projects.readings(project.id)[0]
    page = Parsed(page_of(store, gather.of_project(store, project, lambda run: None), run))
    links = [str(about["href"]) for tag, about in page.elements if tag == "a" and str(about.get("href")).startswith("#")]
    assert "#fact=4-24" in links
    assert all(re.fullmatch(r"#at=[1-9]\d*|#fact=\d+-\d+", one) for one in links)


def test_readings_that_no_project_has_have_no_list(store: Store, batch: str) -> None:
    runs = store.batches.runs_of(batch)[:1]
    assert TITLE not in page_of(store, gather.of_runs(store, runs, lambda run: None, title="One"), runs[0].id)
