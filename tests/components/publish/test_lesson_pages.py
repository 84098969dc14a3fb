"""Lessons in a site: their pages say all that the lessons say, and show readings that are in the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from components.lessons import recorded
from components.lessons.lesson import Lesson
from components.lessons.lesson_file import lessons
from components.publish import lesson_pages, shipped
from components.publish.contents import SiteContents
from components.publish.site import files
from readers.cli import main
from readers.engine.store import Store
from tests.components.publish.test_site import batch as batch
from tests.components.publish.test_site import of, value_in
from tests.components.replay.test_replay import Parsed

Made = dict[str, bytes]


@pytest.fixture(scope="module")
def contents() -> SiteContents:
    return shipped.with_lessons(shipped.shipped())


@pytest.fixture(scope="module")
def made(contents: SiteContents) -> Made:
    return dict(files(contents))


def page_of(lesson: Lesson, made: Made) -> str:
    return made[f"lessons/{lesson.id}/index.html"].decode()


def said_in(lesson: Lesson) -> Iterator[str]:
    """Every sentence of a lesson for its learners."""
    yield from lesson.goals
    for section in lesson.sections:
        yield from (section.title, *section.words)
        for part in section.parts:
            yield from (part.name, *part.words, *(words for words, *_ in recorded.quotes(part)))
            if part.prediction:
                yield part.prediction.ask
                for option in recorded.options(part, part.prediction):
                    yield from (option.words, option.feedback)
            if part.write:
                yield part.write
        for check in section.checks:
            yield check.ask
            for choice in check.choices:
                yield from (choice.words, choice.feedback)


def plain(words: str) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", "", words)).split())


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_a_page_says_all_that_its_lesson_says(lesson: Lesson, made: Made) -> None:
    page = plain(page_of(lesson, made))
    assert not [words for words in said_in(lesson) if plain(words) not in page]
    notes = [words for section in lesson.sections for words in (*section.notes, *(stage.what for stage in section.plan))]
    assert not [words for words in notes if plain(words) in page]  # what only the teacher reads


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_each_part_is_a_step_of_a_reading_in_the_site(lesson: Lesson, made: Made) -> None:
    parts = [about for tag, about in Parsed(page_of(lesson, made)).elements if tag == "article"]
    for about, part in zip(parts, lesson.parts(), strict=True):
        shown = value_in(made[f"reading/{about['data-reading']}/data.js"])
        assert int(str(about["data-at"])) + 1 == part.step <= len(shown["frames"]["steps"])
        assert shown["question"] == recorded.reading(part.recording).run.question


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_what_follows_a_choice_is_hidden_and_there_once_for_each_choice(lesson: Lesson, made: Made) -> None:
    parts = page_of(lesson, made).split("<article ")[1:]
    for words, part in zip(parts, lesson.parts(), strict=True):
        waits = bool(part.prediction or part.write)
        assert ('class="lesson-told" hidden' in words) is waits
        if part.repairs:
            assert words.count('class="lesson-tried" hidden') == len(part.repairs)
        elif part.prediction:
            options = recorded.options(part, part.prediction)
            rights = re.findall(r'class="lesson-revealed" data-right="(\w*)" hidden', words)
            assert rights == ["yes" if one.right else "" for one in options]
    feedback = page_of(lesson, made).count('class="lesson-feedback"')
    assert feedback == sum(len(check.choices) for check in lesson.checks)


def test_a_batch_with_lessons_has_their_recordings_beside_its_table(store: Store, batch: str) -> None:
    plain_site, with_lessons = dict(files(of(store, batch))), dict(files(shipped.with_lessons(of(store, batch))))
    added = {path for path in with_lessons if path.endswith("data.js")} - {
        path for path in plain_site if path.endswith("data.js")
    }
    wanted = {name for lesson in lessons() for part in lesson.parts() for name in part.recordings}
    assert len(added) == len(wanted)
    table = [len(re.findall("site-cell", site["index.html"].decode())) for site in (plain_site, with_lessons)]
    assert table[0] == table[1]
    assert "4 readings" in with_lessons["index.html"].decode()
    assert f'href="{lesson_pages.LIST}"' in with_lessons["index.html"].decode()
    assert not [path for path in plain_site if path.startswith("lessons/")]


def test_no_recording_is_there_twice(contents: SiteContents) -> None:
    again = shipped.with_lessons(contents)
    assert [one.content for one in again.readings] == [one.content for one in contents.readings]


def test_the_gallery_is_small(made: Made) -> None:
    assert sum(map(len, made.values())) < 8_000_000


def test_the_command_refuses_lessons_without_texts(
    store: Store, batch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["publish", batch, "--lessons", "--no-text", "-o", str(tmp_path / "site")]) == 2
    assert "lessons show whole texts" in capsys.readouterr().err
