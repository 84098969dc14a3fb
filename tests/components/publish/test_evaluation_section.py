"""The page Evaluation of a site says what `evaluate` says, and every number with readings behind it lists these."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

from components.publish import gather_batch
from components.publish.evaluation_section import PATH
from components.publish.listing import Listing
from components.publish.site import files
from readers.cli import main
from readers.cli.show import known_answer
from readers.engine.report.files import FORMS
from readers.engine.store import Store
from tests.components.publish.sites import batch, made

__all__ = ["batch"]


def cells(page: str, title: str) -> list[list[str]]:
    """The rows of the table under a heading: the words of each cell, name first."""
    table = re.search(rf"<h2>{title}</h2>.*?<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert table
    rows = re.findall("<tr.*?>(.*?)</tr>", table[1], re.DOTALL)
    return [
        [unescape(re.sub("<small>.*?</small>|<[^>]+>", "", one)) for one in re.findall("<t[hd].*?</t[hd]>", row)] for row in rows
    ]


def test_its_figures_are_those_of_evaluate(store: Store, batch: str, tmp_path: Path) -> None:
    site = made(store, batch)
    told = tmp_path / "told.json"
    assert main(["evaluate", batch, "--figures", "--post-mortem", "--save", str(told)]) == 0

    def figures(words: str) -> list[tuple[object, ...]]:
        rows = json.loads(words)["rows"]
        names = ("score", "reader_version", "mean", "low", "high", "readings", "questions", "difference", "p")
        return [tuple(row.get(name) for name in names) for row in rows]

    assert figures(site["downloads/evaluation.json"].decode()) == figures(told.read_text(encoding="utf-8"))
    page = site[PATH].decode()
    scores = [row for row in json.loads(told.read_text(encoding="utf-8"))["rows"] if row["score"] == "exact_match"][:2]
    assert [row[1] for row in cells(page, "Scores of Ferries")] == [f"{100 * row['mean']:.1f}" for row in scores]


def test_it_has_every_form_of_the_report_but_a_figure_of_nothing(store: Store, batch: str) -> None:
    site = made(store, batch)
    page = site[PATH].decode()
    assert "<figure" not in page  # one text has no interval
    for form in FORMS:
        there = form not in ("svg", "pdf")
        assert (f"downloads/evaluation.{form}" in site) is there
        assert (f'<a href="../downloads/evaluation.{form}">' in page) is there


def test_who_is_ahead_is_said_once_for_all_scores_of_which_it_holds(store: Store, batch: str) -> None:
    page = made(store, batch)[PATH].decode()
    assert page.count("no reader is ahead of the other") == 1
    assert "All scores: Of 1 pair no reader is ahead of the other beyond chance." in page


def test_a_number_of_readings_opens_the_list_of_these(store: Store, batch: str) -> None:
    page = made(store, batch)[PATH].decode()
    linked = re.findall(r'<a href="#list=([\w-]+)" target="_self">(\d+)</a>', page)
    listed = [keys.split() for keys in re.findall(r'<li data-in="([\w -]+)">', page)]
    assert linked
    assert {key: int(number) for key, number in linked} == {key: sum(key in keys for keys in listed) for key, _ in linked}
    named = json.loads(unescape(re.search(r'data-names="([^"]*)"', page)[1]))  # type: ignore[index]
    assert set(named) == {key for key, _ in linked}
    assert all(re.fullmatch(r"[\w ]+: .+", name) for name in named.values())


def test_marks_open_their_readings_at_the_step_that_decided(store: Store, batch: str) -> None:
    page = made(store, batch)[PATH].decode()
    marks = page[page.index("<h2>Questions by readers</h2>") :]
    found = re.findall(r'<a href="\.\./reading/[0-9a-f]{32}/index\.html#at=[1-9]\d*" target="_self" title="', marks)
    assert len(found) == 4


def test_what_whoever_publishes_may_not_see_is_in_no_figure(store: Store, batch: str) -> None:
    asked = {run.question for run in store.batches.runs_of(batch)}
    hidden = min(asked)
    contents = gather_batch.of_batch(
        store, store.batches.get(batch), lambda run: None if run.question == hidden else known_answer(store, run)
    )
    page = dict(files(contents))[PATH].decode()
    assert "2 readings of questions whose answers are hidden from you" in page
    assert hidden not in page[page.index("<h2>Questions by readers</h2>") :]
    assert all(one.score is None for one in contents.readings if one.run.question == hidden)


def test_a_batch_of_which_nothing_is_known_has_no_such_page(store: Store, batch: str) -> None:
    contents = gather_batch.of_batch(store, store.batches.get(batch), lambda run: None)
    assert PATH not in [one.path for one in contents.sections]


def test_each_table_has_an_address_and_no_two_have_the_same(store: Store, batch: str) -> None:
    site = made(store, batch)
    for path in ("evaluation/index.html", "lost/index.html"):
        page = site[path].decode()
        named = re.findall(r'<section class="site-report" id="([^"]+)">', page)
        assert named
        assert len(set(named)) == len(named)
        assert [re.findall(rf'href="#{re.escape(one)}"', page) for one in named] == [[f'href="#{one}"'] for one in named]


def test_a_number_has_the_same_address_when_the_site_has_other_tables() -> None:
    first, other = Listing(), Listing()
    key = first.key("MemAgent: Right", ["a", "b"])
    other.key("Something else", ["a"])
    assert other.key("MemAgent: Right", ["c"]) == key
    assert other.key("MemAgent: Right", ["d"]) != key
    assert other.key("MemAgent: Right", ["c"]) == key
