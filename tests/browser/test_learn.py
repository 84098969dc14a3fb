"""A lesson in the browser: its parts move the player, and a prediction comes before its step."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import grave, grave_in_both


def test_the_parts_of_a_lesson_move_the_player(page: Page) -> None:
    page.goto("./Learn?lesson=memwalker&part=4")
    where = page.locator(".stepper .where")
    expect(where).to_contain_text("step 6 of 8", timeout=30_000)
    expect(page.locator(".text-pane mark.known").first).to_be_attached()  # the place of the known answer
    for name in ("It turns back", "It cannot let go", "Part 2.1 is chosen by hand"):
        page.get_by_role("button", name=f"Next: {name}").click()
    expect(where.filter(has_text="step 8 of 9")).to_be_visible()  # the fork
    expect(where).to_have_count(1)  # until then the player of the reading before is still there
    assert "at=" not in page.url

    page.get_by_text("3 A worked reading").click()
    expect(where.filter(has_text="step 1 of 7")).to_be_visible()
    expect(where).to_have_count(1)
    for name in ("Summarise each part", "Be the model: a summary"):
        page.get_by_role("button", name=f"Next: {name}").click()
    assert not grave(page)
    page.get_by_label("What you write").fill("A gun, a lamp, and eleven notes that are dead.")
    page.get_by_role("button", name="Show what the model wrote").click()
    expect(page.get_by_text("It does not have “eleven notes”.")).to_be_visible()
    for name in ("Put neighbours together", "Choose a part"):
        page.get_by_role("button", name=f"Next: {name}").click()
    expect(where).to_contain_text("step 4 of 7")  # the step before the one that is predicted
    page.keyboard.press("End")
    page.keyboard.press("e")
    expect(where).to_contain_text("step 4 of 7")  # and no later one is shown
    expect(page.get_by_role("button", name="Show the end")).to_have_count(0)
    assert not grave_in_both(page)
    heard = page.locator("main").aria_snapshot()  # what a screen reader comes to, in its order
    order = [
        '"MemWalker: a walk through summaries"',
        "Sections of this lesson",
        '"Choose a part"',
        "Before you see it.",
        '"I say part 1"',
    ]
    places = [
        heard.index(words) for words in (*order, '"I say part 3"', "The reading of this lesson", '"The steps of the reading"')
    ]
    assert places == sorted(places)
    page.get_by_role("button", name="I say part 2").click()
    expect(where).to_contain_text("step 5 of 7")
    expect(page.get_by_text(re.compile("As you predicted"))).to_be_visible()
    expect(page.get_by_role("button", name="Show the end")).to_be_visible()

    page.reload()
    expect(page.get_by_text(re.compile("As you predicted"))).to_be_visible(timeout=30_000)
    expect(where).to_contain_text("step 5 of 7")


def test_the_next_section_begins_at_its_top_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("./Learn?lesson=boiler&part=2")
    page.get_by_role("button", name="Next: ReadAgent reads").click(timeout=30_000)
    expect(page.get_by_role("heading", name="Where page 3 ends")).to_be_in_viewport()
    expect(page.locator(".st-key-learn-sections")).to_be_in_viewport()


def test_the_next_part_and_what_comes_of_a_prediction_are_in_view_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("./Learn?lesson=boiler&part=6")
    page.get_by_role("button", name="Next: MemWalker chooses a part").click(timeout=30_000)
    expect(page.get_by_role("heading", name="MemWalker chooses a part")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="QRMeM")).to_have_count(0)  # the drawings belong to the first part
    page.get_by_role("button", name="I say part 3").click()
    expect(page.get_by_text(re.compile("As you predicted"))).to_be_in_viewport()


def test_the_drawings_of_two_methods_stand_beside_their_words_on_a_projector(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("./Learn?lesson=boiler&part=2")
    expect(page.locator(".st-key-learn-drawing")).to_be_in_viewport(ratio=1, timeout=30_000)


def test_a_page_says_in_our_words_that_the_server_does_not_answer_until_it_does(page: Page) -> None:
    page.goto("./Learn?lesson=boiler&part=7")
    expect(page.get_by_text("Both readings were wrong.")).to_be_visible(timeout=30_000)
    state = "state => document.querySelector('.stApp').dataset.testConnectionState = state"
    page.evaluate(state, "PINGING_SERVER")
    expect(page.get_by_role("alert").get_by_text("Not connected.")).to_be_visible(timeout=15_000)
    page.evaluate(state, "CONNECTED")
    expect(page.locator(".not-connected")).to_have_count(0)


def test_repairs_are_tried_one_by_one_and_the_last_one_is_shown_below(page: Page) -> None:
    page.goto("./Learn?lesson=memagent&part=4.4")
    where = page.locator(".stepper .where")
    expect(where).to_contain_text("step 4 of 10", timeout=30_000)
    for tried in range(1, 4):
        expect(page.get_by_role("button", name="Next: Three questions")).to_be_disabled()
        page.get_by_role("button", name="Try this").first.click()
        expect(page.locator(".learn-option .answer")).to_have_count(tried)
        expect(where.filter(has_text="step 10 of 10")).to_be_visible()
        expect(where).to_have_count(1)
    expect(page.get_by_role("button", name="Next: Three questions")).to_be_enabled()
    expect(page.locator(".step-sentence")).to_contain_text("“Nothing”")
    page.get_by_role("button", name="Show this reading").nth(1).click()
    expect(page.locator(".step-sentence")).to_contain_text("“bright new bolt holes”")
    assert not grave_in_both(page)


def test_the_words_of_a_part_and_its_picture_are_in_one_view(page: Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto("./Learn?lesson=memwalker&part=4.3")
    for place in (".learn-part", ".st-key-learn-ways", ".graph-pane .stage"):
        expect(page.locator(place)).to_be_in_viewport(ratio=1, timeout=30_000)
    page.goto("./Learn?lesson=qrmem&part=4.2")
    expect(page.locator(".walk-axis")).to_be_in_viewport(ratio=1, timeout=30_000)
    expect(page.locator(".st-key-learn-ways")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 900, "height": 900})
    words, player = page.locator(".st-key-learn-walk"), page.locator(".player")
    expect(player).to_be_visible()
    below = [one.bounding_box() or {"y": 0, "height": 0} for one in (words, player)]
    assert below[0]["y"] + below[0]["height"] <= below[1]["y"]
