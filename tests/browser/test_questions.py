"""A person and their questions: a file is refused with the line and the field, fixed and saved, read as a batch, cancelled,
resumed, and the answers are graded."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from readers import get
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.execute import RunSpec
from readers.engine.text.document import Document
from tests.browser.axe import grave
from tests.browser.conftest import pick, settled, visit
from tests.browser.readings import store

HOSTILE = "<img src=x onerror=hurt()>"
PARAGRAPHS = [
    f"In year {n} the warden of the {n}th mill was called Perrin Ash {n}. He kept geese by the weir." for n in range(60)
]
ROW = {"file": "mills.txt", "title": "Mills"}


def rows(*more: object) -> bytes:
    asked = [
        {**ROW, "id": str(n), "question": f"Who was the warden of the {n}th mill?", "answer": f"Perrin Ash {n}",
         "evidence": [f"Perrin Ash {n}."]}
        for n in range(12)
    ]  # fmt: skip
    return "\n".join(json.dumps(row) for row in [*asked, *more]).encode()


def give(page: Page, name: str, data: bytes) -> None:
    texts = {"name": "mills.txt", "mimeType": "text/plain", "buffer": "\n\n".join(PARAGRAPHS).encode()}
    page.goto("./Questions")
    expect(page.get_by_role("heading", name="Import questions")).to_be_visible()
    settled(page)
    files = [{"name": name, "mimeType": "application/json", "buffer": data}, texts]
    page.locator("input[type=file]").set_input_files(files)  # type: ignore[arg-type]


def test_from_a_bad_file_to_graded_answers(page: Page) -> None:
    give(page, f"mills {HOSTILE}.jsonl", rows({**ROW, "question": HOSTILE, "evidence": ["a swan"]}))
    wrong = page.locator(".problems tbody tr")
    expect(wrong).to_have_count(1)
    expect(wrong).to_contain_text("line 13")
    expect(wrong).to_contain_text("evidence")
    expect(wrong).to_contain_text("The text does not say “a swan”")
    expect(page.get_by_role("button", name="Save this set")).to_have_count(0)
    settled(page)
    assert not grave(page)
    give(page, "mills.jsonl", rows({**ROW, "question": HOSTILE, "answerable": False}))
    page.get_by_role("textbox", name="Name").fill("Wardens of mills")
    page.get_by_role("textbox", name="Name").press("Enter")
    settled(page)
    page.get_by_role("button", name="Save this set").click()
    expect(page.get_by_text("Saved “Wardens of mills” with 13 questions.")).to_be_visible()
    page.locator(".st-key-sets").get_by_role("link", name="Wardens of mills").click()
    expect(page).to_have_url(re.compile(r"/Questions\?set=[0-9a-f]{10}$"))
    settled(page)
    expect(page.locator(".fact-list")).to_contain_text("free")
    assert not grave(page)
    what_is_open_comes_first(page)
    page.get_by_role("button", name="Start 13 readings").click()
    expect(page).to_have_url(re.compile(r"/Questions\?batch=[0-9a-f]{10}$"))
    expect(page.get_by_text("all read").first).to_be_visible(timeout=60_000)
    settled(page)
    expect(page.locator(".outcomes tbody tr")).to_have_count(1)
    expect(page.get_by_text(HOSTILE, exact=True)).to_be_visible()
    pick(page, page.get_by_role("combobox", name="Show"), re.compile(r"^Right \(\d+\)$"))
    expect(page.locator(".st-key-batch-readings .chip", has_text="wrong")).to_have_count(0)
    assert not grave(page)
    page.locator(".st-key-batch-readings .stPageLink a").first.click()
    expect(page).to_have_url(re.compile(r"/Trace\?run="))


def what_is_open_comes_first(page: Page) -> None:
    """On a narrow page it is above the lists."""
    page.set_viewport_size({"width": 900, "height": 900})
    expect(page.get_by_role("heading", name="The questions")).to_be_visible()
    settled(page)
    box, lists = page.locator(".st-key-set-head").bounding_box(), page.locator(".st-key-sets").bounding_box()
    assert box
    assert lists
    assert box["y"] < lists["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1400, "height": 900})
    settled(page)


def test_a_batch_is_cancelled_on_the_page_and_resumed_after_a_reload(page: Page, app_home: Path) -> None:
    text = Document("Long", "\n\n".join(PARAGRAPHS * 2))
    asked = [SetQuestion(str(n), text.id, f"Who was the warden of mill number {n}?") for n in range(80)]
    plan = batches.BatchPlan((RunSpec("memwalker", get("memwalker").version, "", options={"segment_tokens": 100}),))
    with store(app_home) as kept:
        questions = kept.question_sets.add(QuestionSet("Long", tuple(asked), (text,)))
        made = batches.add(kept, questions.id, plan, readers=get)
        page.goto(f"./Questions?batch={made.id}")
        expect(page.get_by_text("80 not started")).to_be_visible()
        settled(page)
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_text(re.compile(r"^Reading\b"))).to_be_visible()
        page.locator(".st-key-progress").get_by_role("button", name="Cancel").click()
        expect(page.get_by_text(re.compile(r"\d+ not started"))).to_be_visible(timeout=30_000)
        before = batches.progress(kept, made.id)
        assert 0 < before.left < 80
        assert before.going == 0
        ended = {run.id: run.ended for run in kept.batches.runs_of(made.id) if run.status == "finished"}
        page.reload()
        expect(page.get_by_role("button", name="Resume")).to_be_visible()
        settled(page)
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_text(re.compile(r"\d+ not started"))).to_have_count(0)
        visit(page, "./Library")  # it runs without its page
        expect(page.get_by_role("heading", name="Library", exact=True)).to_be_visible()
        settled(page)
        visit(page, f"./Questions?batch={made.id}")
        expect(page.get_by_text("80 of 80 finished")).to_be_visible(timeout=120_000)
        after = {run.id: run.ended for run in kept.batches.runs_of(made.id)}
        assert len(after) == 80
        assert ended.items() <= after.items()
