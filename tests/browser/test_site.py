"""A published site in a browser: from a disk without a network, and from a web server. Nothing is fetched from elsewhere, and
nothing that a text, a question, an answer or a title says is more than words."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from components.lessons import recorded
from components.lessons.lesson_file import lesson_of
from components.publish import gather, shipped
from components.publish.contents import SiteContents
from components.publish.site import files
from readers import get
from readers.engine.files.runs.content import content_of
from readers.engine.labels.project import Project
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from tests.browser.axe import grave
from tests.components.publish.sites import batch
from tests.components.publish.test_labels_section import PEOPLE, project
from tests.hostile.payloads import MARKUP
from tests.support.labelled_projects import code, keep

__all__ = ["batch", "project"]
WIDE, PROJECTOR, PHONE = (1400, 900), (1024, 768), (390, 844)
WEIGHT = "What weight was taken over the bridge on 30 October 1957?"


def written(contents: SiteContents, folder: Path) -> Path:
    for path, words in files(contents):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(words)
    return folder


@pytest.fixture(scope="module")
def contents() -> SiteContents:
    return shipped.with_lessons(shipped.shipped())


@pytest.fixture(scope="module")
def site(contents: SiteContents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gallery: what comes along, with the lessons."""
    return written(contents, tmp_path_factory.mktemp("gallery"))


@pytest.fixture(scope="module")
def weighed(contents: SiteContents) -> Sequence[str]:
    """The readings of one question."""
    return [one.content for one in contents.readings if one.run.question == WEIGHT and not one.fork]


@contextmanager
def tab(browser: Browser, top: str, *, size: tuple[int, int] = WIDE, dark: bool = False) -> Iterator[Page]:
    """A tab of its own, watched: a message, a dialog, or a request for anything but the site's files fails the test."""
    context = browser.new_context(
        offline=top.startswith("file:"), viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: None if request.url.startswith((top, "data:")) else wrong.append(request.url))
    yield page
    context.close()
    assert not wrong


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a plain web server that has the folder below its root."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder.parent)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/{folder.name}"
    server.shutdown()
    server.server_close()


def test_the_table_is_searched_filtered_and_sorted_and_its_address_brings_that_back(browser: Browser, site: Path) -> None:
    with tab(browser, site.as_uri()) as page:
        page.goto(f"{site.as_uri()}/index.html")
        rows = page.locator(".site-table tbody tr:visible")
        every = rows.count()
        page.get_by_label("Search").fill("harmonium dead")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("How many notes of the chapel harmonium are dead?")
        page.get_by_label("Search").fill("")
        page.locator("select[name=text]").select_option("The Lamp at Carrow Point")
        expect(rows).not_to_have_count(every)
        page.get_by_role("button", name="Question").click()
        first = rows.first.text_content()
        page.reload()
        expect(page.locator("select[name=text]")).to_have_value("The Lamp at Carrow Point")
        expect(rows.first).to_have_text(str(first))
        expect(page.locator("th[aria-sort=descending]")).to_have_count(1)
        assert not grave(page)


def test_a_cell_opens_its_reading_at_the_step_that_decided_with_the_answer_shown(browser: Browser, site: Path) -> None:
    with tab(browser, site.as_uri()) as page:
        page.goto(f"{site.as_uri()}/index.html")
        cell = page.locator(".site-table tr", has_text=WEIGHT).locator(".site-cell").first
        step = re.findall(r"#at=(\d+)", str(cell.get_attribute("href")))[0]
        cell.click()
        expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of")
        expect(page.locator(".replay-answer")).to_be_visible()
        expect(page.locator(".replay-known")).to_be_visible()
        expect(page.get_by_role("heading", name="Other readings of this question")).to_be_visible()
        assert not grave(page)
        page.goto(f"{page.url.partition('#')[0]}?embed#at=2")
        expect(page.locator(".stepper .where")).to_contain_text("step 2 of")
        expect(page.locator(".site-bar")).to_be_hidden()
        expect(page.get_by_role("link", name="Open in the site")).to_be_visible()


def test_with_a_hidden_end_other_readings_are_hidden_until_the_last_step(
    browser: Browser, site: Path, weighed: Sequence[str]
) -> None:
    with tab(browser, site.as_uri()) as page:
        page.goto(f"{site.as_uri()}/reading/{weighed[0]}/index.html#at=1&end=hidden")
        expect(page.locator(".stepper .where")).to_contain_text("step 1 of")
        others = page.get_by_role("heading", name="Other readings of this question")
        expect(others).to_be_hidden()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".stepper .where")).to_contain_text("step 2 of")
        expect(others).to_be_hidden()
        page.keyboard.press("End")
        expect(others).to_be_visible()


@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (PHONE, True)], ids=["wide", "phone"])
def test_readings_are_beside_each_other_and_move_together(
    browser: Browser, site: Path, weighed: Sequence[str], size: tuple[int, int], dark: bool
) -> None:
    with tab(browser, site.as_uri(), size=size, dark=dark) as page:
        page.goto(f"{site.as_uri()}/compare/index.html#readings={','.join(weighed[:3])},nowhere")
        expect(page.get_by_role("alert")).to_contain_text("There is no reading “nowhere” in this site.")
        players = page.locator(".site-two .player:not(.between)")
        expect(players).to_have_count(2)
        left, right = (players.nth(n).locator(".stepper .where") for n in (0, 1))
        players.nth(0).locator(".track input").press("End")
        expect(left).to_contain_text(re.compile(r"step (\d+) of \1\b"))
        expect(right).to_contain_text(re.compile(r"step (\d+) of \1\b"))
        tops = [players.nth(n).evaluate("node => Math.round(node.getBoundingClientRect().left)") for n in (0, 1)]
        assert (tops[0] == tops[1]) is (size is PHONE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.locator(".versus").first.locator("thead th")).to_have_count(4)
        expect(page.get_by_role("heading", name="Where they part")).to_be_visible()
        assert not grave(page)
        page.get_by_role("button", name="Leave out reading 1").click()
        expect(page.locator(".versus").first.locator("thead th")).to_have_count(3)
        assert f"#readings={weighed[1]}%2C{weighed[2]}" in page.url
        page.goto("about:blank")
        page.goto(f"{site.as_uri()}/compare/index.html")
        expect(page.get_by_text("Choose the readings to put beside each other.")).to_be_visible()
        for _ in range(2):
            page.locator(".site-adding li button").first.click()
        expect(players).to_have_count(2)


@pytest.mark.parametrize(("size", "dark"), [(PROJECTOR, True), (PHONE, False)], ids=["projector", "phone"])
def test_a_lesson_is_walked_and_goes_on_where_its_address_says(
    browser: Browser, site: Path, size: tuple[int, int], dark: bool
) -> None:
    lesson = lesson_of("memagent")
    worked = lesson.sections[2]
    number = next(n for n, part in enumerate(worked.parts) if part.prediction)
    part = worked.parts[number]
    with tab(browser, site.as_uri(), size=size, dark=dark) as page:
        page.goto(f"{site.as_uri()}/lessons/index.html")
        assert not grave(page)
        page.get_by_role("link", name="One memory, rewritten").click()
        where, onward = page.locator(".stepper .where"), page.locator("[data-way=onward]")
        for title in (lesson.sections[1].title, worked.title, *(one.name for one in worked.parts[1 : number + 1])):
            expect(onward).to_have_text(f"Next: {title}")
            onward.click()
        expect(where).to_contain_text(f"step {part.step - 1} of")  # not yet shown
        expect(onward).to_be_disabled()
        expect(page.get_by_text(part.words[0][:40])).to_be_hidden()
        assert not grave(page)
        assert part.prediction
        right = next(choice for choice in part.prediction.choices if choice.right)
        page.get_by_label(right.words).check()
        page.get_by_role("button", name="Lock in my prediction").click()
        expect(page.locator(".lesson-revealed:visible .verdict")).to_have_text("◆ As you predicted")
        expect(where).to_contain_text(f"step {part.step} of")
        page.reload()
        expect(page.locator(".lesson-revealed:visible .verdict")).to_have_text("◆ As you predicted")
        expect(where).to_contain_text(f"step {part.step} of")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name=lesson.sections[-1].title).click()
        missing = len(list(lesson.predictions())) - 1
        check = lesson.checks[0]
        page.get_by_label(check.choices[0].words).check()
        expect(page.locator(".lesson-feedback:visible .learn-told")).to_contain_text(check.choices[0].feedback)
        expect(page.locator(".learn-result")).to_contain_text(f"You predicted 1 of 1 as it happened; {missing} not made.")
        assert not grave(page)


def test_a_learner_writes_in_the_models_place_before_they_see_what_it_wrote(browser: Browser, site: Path) -> None:
    lesson = lesson_of("memagent")
    number = next(n for n, part in enumerate(lesson.sections[3].parts) if part.write)
    part = lesson.sections[3].parts[number]
    with tab(browser, site.as_uri()) as page:
        page.goto(f"{site.as_uri()}/lessons/memagent/index.html#part=4.{number + 1}")
        page.get_by_label("What you write in the model’s place").fill(f"There were {part.keeps} on the post.")
        page.get_by_role("button", name="Show what the model wrote").click()
        both = page.locator(".lesson-both:visible figure")
        expect(both.first).to_contain_text(f"It has “{part.keeps}”.")
        expect(both.last).to_contain_text("It does not have")
        expect(page.locator(".stepper .where")).to_contain_text(f"step {part.step} of")


def test_recorded_repairs_are_tried_one_by_one_and_each_shows_its_reading(browser: Browser, site: Path) -> None:
    lesson = lesson_of("memagent")
    section, number, part = next(
        (s, n, part) for s, one in enumerate(lesson.sections, 1) for n, part in enumerate(one.parts, 1) if part.repairs
    )
    with tab(browser, site.as_uri()) as page:
        page.goto(f"{site.as_uri()}/lessons/memagent/index.html#part={section}.{number}")
        for name in part.repairs:
            expect(page.locator("[data-way=onward]")).to_be_disabled()
            page.get_by_role("button", name=f"Try this: {recorded.recording_of(name).changed}", exact=True).click()
            last = recorded.last_step(name)
            expect(page.locator(".stepper .where")).to_contain_text(f"step {last} of {last}")
        expect(page.locator("[data-way=onward]")).to_be_enabled()
        expect(page.locator(".lesson-tried:visible .answer")).to_have_text([recorded.answer_of(name) for name in part.repairs])


def test_it_is_the_same_on_a_web_server(browser: Browser, site: Path, weighed: Sequence[str]) -> None:
    with hosted(site) as address, tab(browser, address) as page:
        page.goto(f"{address}/index.html")
        page.locator(".site-pair").first.click()
        expect(page.locator(".site-two .player:not(.between)")).to_have_count(2)
        page.goto(f"{address}/reading/{weighed[0]}/index.html#at=3")
        expect(page.locator(".stepper .where")).to_contain_text("step 3 of")


def test_what_people_said_of_a_step_opens_it_and_the_address_follows_the_player(
    browser: Browser, store: Store, project: Project, tmp_path: Path
) -> None:
    run = next(run for run in store.run_list.runs(store.projects.readings(project.id)) if run.reader == "memagent")
    keep(store, project, [code(project, run.id, PEOPLE[0], 2)], [])
    folder = written(gather.of_project(store, project, lambda run: None), tmp_path / "site")
    address = (folder / "reading" / content_of(store, run) / "index.html").as_uri()
    with tab(browser, folder.as_uri(), size=PHONE) as page:
        page.goto(address)
        where, label = page.locator(".stepper .where"), page.get_by_role("link", name="step 2")
        assert not grave(page)
        label.click()
        expect(where).to_contain_text("step 2 of")
        expect(page.locator(".stepper")).to_be_in_viewport()
        assert page.url == f"{address}#at=2"
        page.locator(".track input").press("Home")
        expect(where).to_contain_text("step 1 of")
        page.wait_for_url(f"{address}#at=1")
        label.click()
        expect(where).to_contain_text("step 2 of")
        page.locator(".site-said a", has_text="in the text").first.click()
        expect(page.locator(".text-pane .column")).to_be_in_viewport()


def test_words_of_a_hostile_text_question_and_answer_do_nothing(browser: Browser, store: Store, tmp_path: Path) -> None:
    hurt = "".join(MARKUP)
    document = Document(f"{hurt[:200]} t", f"Hester {hurt} rows at noon.\n\nNobody swims here {hurt}.")
    known = KnownAnswer(f"Who {hurt}?", (), (hurt,), (Span(0, 30),), answerable=True)
    runs = []
    for name, options in (("memagent", {"chunk_tokens": 64}), ("whole", {})):
        run = create_run(store, document, get(name), RunSpec(name, get(name).version, known.question, options=options))
        execute(store, run.id, get(name), Execution(Offline()))
        runs.append(store.runs.get(run.id))
    folder = written(gather.of_runs(store, runs, lambda run: known, title=hurt), tmp_path / "site")
    ids = [path.parent.name for path in folder.glob("reading/*/data.js")]
    pages = ["index.html", f"compare/index.html#readings={','.join(ids)},{hurt}", *(f"reading/{one}/index.html" for one in ids)]
    with tab(browser, folder.as_uri()) as page:
        for path in pages:
            page.goto("about:blank")
            page.goto(f"{folder.as_uri()}/{path}")
            page.wait_for_timeout(300)
            for button in page.get_by_role("button", name=re.compile("Full|Go there|Show only")).all():
                button.click()
            assert page.evaluate("typeof window.hurt") == "undefined"
        assert page.locator(".replay-head h1").text_content() == known.question
