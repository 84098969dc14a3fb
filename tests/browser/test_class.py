"""A class of four browsers: they follow the teacher, vote, see no count before it is closed, and see what the model chose."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from readers.engine.store import Reading
from tests.browser.axe import grave
from tests.browser.conftest import settled, watched

SLOW = 120_000  # milliseconds: each device fetches and compiles all of the app's scripts for itself
ON_ONE_PAGE = "node => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 1"
# The words of a class on a projector: the smallest letters, and whether any of them are cut off.
LETTERS = """() => [...document.querySelectorAll(".class-room")].map((box) => box.shadowRoot ?? box).concat(
    [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)).flatMap((root) =>
    [...root.querySelectorAll(".class-cover *")]).filter((node) => node.checkVisibility() && [...node.childNodes].some((child) =>
    child.nodeType === 3 && child.data.trim())).map((node) => [parseFloat(getComputedStyle(node).fontSize),
    getComputedStyle(node).textOverflow === "ellipsis" || getComputedStyle(node).webkitLineClamp !== "none"])"""
# Presses w; what has the focus before the next frame is drawn.
W_PRESSED = """() => {
    dispatchEvent(new KeyboardEvent("keydown", { key: "w", cancelable: true }));
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.localName;
}"""
PHONE: ViewportSize = {"width": 390, "height": 800}


@pytest.mark.scale  # four browsers that share nothing
def test_three_learners_vote_twice_and_see_the_models_choice(page: Page, browser: Browser, app: str, turning: Reading) -> None:
    page.goto(f"./Trace?run={turning.run.id}&at=1")
    teach = page.get_by_role("button", name="Teach this reading")
    expect(teach).to_be_visible(timeout=SLOW)
    settled(page)  # until the style sheets are there, it moves
    teach.click()
    page.get_by_role("button", name="Begin a class").click()
    code = page.locator(".big-code")
    expect(code).to_be_visible()
    address = f"{app.rstrip('/')}/Class?code={code.inner_text().replace(' ', '')}"
    with ExitStack() as stack:
        contexts = [stack.enter_context(_phone(browser)) for _ in range(3)]
        learners = [stack.enter_context(watched(context, app)) for context in contexts]
        for learner in learners:
            learner.goto(address, timeout=SLOW)
        for learner in learners:
            expect(learner.get_by_text("You are in the class")).to_be_visible(timeout=SLOW)
        expect(page.locator(".joined")).to_have_text("3 devices here")
        page.keyboard.press("w")
        page.get_by_role("button", name="Close the door").click()
        expect(page.get_by_text("The door is closed")).to_be_visible()
        assert not grave(page)
        assert page.evaluate(W_PRESSED) != "button"  # or the Enter of somebody who is quick would open the door again
        expect(page.locator(".joined")).to_have_text("3 here, closed")
        page.keyboard.press("Enter")
        expect(page.locator(".class-cover")).to_be_hidden()
        page.keyboard.press("j")  # to the first decision, which is covered by its question
        expect(page.get_by_role("button", name="Open the vote")).to_be_visible()
        page.keyboard.press("Enter")
        for number, learner in enumerate(learners):
            learner.locator("button.option").nth(min(number, 1)).click()
            expect(learner.get_by_text("Your vote is in")).to_be_visible()
        learners[0].reload(timeout=SLOW)  # the same browser: still one vote
        expect(learners[0].get_by_text("Your vote is in")).to_be_visible()
        expect(page.get_by_text("3 of 3 devices have voted")).to_be_visible()
        for one in (page, *learners):
            expect(one.locator(".votes")).to_have_count(0)
        assert not grave(learners[1])
        assert not grave(page)
        page.keyboard.press("Enter")
        for one in (page, *learners):
            expect(one.locator(".votes .count").nth(1)).to_have_text("2 · 67 %")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Talk with your neighbours: what")).to_be_visible()
        page.keyboard.press("Enter")
        learners[0].locator("button.option").nth(1).click()
        expect(page.get_by_text("1 of 3 devices have voted")).to_be_visible()
        page.set_viewport_size({"width": 1024, "height": 768})
        page.keyboard.press("Enter")
        expect(page.locator(".votes")).to_have_count(2 * page.locator(".option").count())
        assert page.locator(".pages").evaluate(ON_ONE_PAGE)  # both rounds are seen at once
        page.keyboard.press("Enter")
        for one in (page, *learners):
            expect(one.locator(".option.chosen")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".class-cover")).to_be_hidden()
        expect(learners[2].locator(".option")).to_have_count(0)
        expect(learners[2].get_by_text("The teacher is going on.")).to_be_visible()


def _phone(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport=PHONE)


def test_a_lesson_is_taught_on_a_projector_with_words_picture_and_vote_in_one_view(
    page: Page, browser: Browser, app: str
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("./Learn?lesson=boiler", timeout=SLOW)
    page.get_by_role("button", name="Teach this lesson").click(timeout=SLOW)
    page.get_by_role("button", name="Begin a class").click()
    code = page.locator(".big-code")
    expect(code).to_be_visible(timeout=SLOW)
    assert code.evaluate("node => parseFloat(getComputedStyle(node).fontSize) >= 60")
    address = f"{app.rstrip('/')}/Class?code={code.inner_text().replace(' ', '')}"
    with _phone(browser) as context, watched(context, app) as learner:
        learner.goto(address, timeout=SLOW)
        expect(learner.get_by_text("You are in the class")).to_be_visible(timeout=SLOW)
        title = page.locator(".class-cover h1")
        page.keyboard.press("Enter")
        for name in ("Find it yourself", "Two ways to keep a text", "ReadAgent reads", "Where page 3 ends"):
            expect(title).to_have_text(name)
            expect(page.locator(".class-note")).to_contain_text("Minutes ")
            page.keyboard.press("Enter")
        expect(title).to_contain_text("What will its gist say of 30 October 1957?")
        with page.context.expect_page() as opened:
            page.evaluate("window.open(`${location.href}&screen=room&stage=1`)")
        screen = opened.value
        screen.set_viewport_size({"width": 1024, "height": 768})
        expect(screen.locator(".class-cover .option")).to_have_count(3, timeout=SLOW)
        expect(screen.locator(".pages-pane .page").first).to_be_in_viewport()
        assert screen.locator(".pages").evaluate(ON_ONE_PAGE)
        words = screen.evaluate(LETTERS)
        assert words
        assert all(size >= 24 and not cut for size, cut in words)
        assert not grave(screen)
        heard = page.locator("body").aria_snapshot()  # what a screen reader comes to, in its order
        order = (
            'group "The class"',
            '"Page 3 is a list of dates.',
            "That a boiler of",
            '"Open the vote"',
            "Your note",
            "The pages",
        )
        assert sorted(order, key=heard.index) == [*order]
        page.keyboard.press("Enter")
        learner.locator("button.option").nth(1).click()
        expect(learner.get_by_text("Your vote is in")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator(".votes .count").nth(1)).to_have_text("1 · 100 %")
        page.keyboard.press("Enter")  # the plan has one vote on it
        expect(learner.get_by_text("What happened: That a boiler was taken over the bridge.")).to_be_visible()
        expect(page.locator(".option.chosen")).to_be_visible()
        page.keyboard.press("Enter")
        expect(title).to_have_text("The gist of page 3")
        quote = page.locator(".lesson-quote").first
        quote.hover()
        expect(page.locator(".pages-pane .page.lit")).to_have_count(1)
        page.locator(".pages-pane .page.lit").hover()
        expect(quote).to_have_class("lesson-quote lit")
        assert not grave(page)
        page.keyboard.press("Enter")
        expect(title).to_contain_text("It may open five pages.")
        page.keyboard.press("r")
        expect(page.locator(".option.chosen")).to_be_visible()
        page.keyboard.press("Enter")
        expect(title).to_have_text("Which pages to open")
        page.keyboard.press("Enter")
        expect(title).to_have_text("ReMemR1 reads")
        page.keyboard.press("Enter")
        expect(title).to_have_text("Chunk 1")
        for one in (page, screen):
            expect(one.locator(".memory-pane .memory-size")).to_be_visible()  # another recording, in the same class
        expect(learner.get_by_text(": Chunk 1")).to_be_visible()
        screen.close()


def test_on_a_projector_the_current_trial_of_a_walk_is_in_view_beside_the_words_of_its_answer(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("./Learn?lesson=qrmem", timeout=SLOW)
    page.get_by_role("button", name="Teach this lesson").click(timeout=SLOW)
    page.get_by_role("button", name="Begin a class").click()
    expect(page.locator(".big-code")).to_be_visible(timeout=SLOW)
    title = page.locator(".class-cover h1")
    shows = page.locator(".cover-foot").get_by_role("button", name="Show it without a vote")
    page.keyboard.press("Enter")
    expect(title).to_have_text("The problem")
    for _ in range(16):
        before = page.locator(".class-cover").inner_text()
        page.keyboard.press("r" if shows.is_visible() else "Enter")
        expect(page.locator(".class-cover")).not_to_have_text(before, use_inner_text=True)
        expect(title).not_to_have_text("…")
    expect(title).to_have_text("What it answered from")
    expect(page.locator(".player.staged .stage-verdict")).to_be_visible()
    for part in (".walk-axis .walk-strip", *(f".walk-band.now .walk-{name}" for name in ("title", "view", "name"))):
        expect(page.locator(part).first).to_be_in_viewport(ratio=1)
