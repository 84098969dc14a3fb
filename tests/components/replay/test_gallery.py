"""A gallery: a front page without a script, relative links to replays that are there, and everything from outside as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from components.replay.gallery import FRONT, gallery, shipped
from components.replay.reading import Replayed
from readers.cli import main
from readers.engine.store import Store
from tests.components.replay.test_replay import RECORDINGS, Parsed, recorded
from tests.hostile.payloads import MARKUP


def test_the_front_page_links_to_every_replay_and_says_what_it_is() -> None:
    shown = [replace(recorded(path), watch="Watch the third step.") for path in RECORDINGS[:4]]
    files = dict(gallery(shown))
    front = Parsed(files[FRONT])
    links = [about["href"] for tag, about in front.elements if tag == "a"]
    assert links == [name for name in files if name != FRONT]
    assert len(set(links)) == 4
    assert not [link for link in links if link is None or ":" in link or "/" in link]
    words = "".join(data for _, _, data in front.inside)
    for one in shown:
        run = one.reading.run
        assert run.question in words
        assert one.reading.document.title in words
        assert (run.answer or "It ended without an answer.")[:100] in words
    assert words.count("Watch the third step.") == 4
    assert not front.code("script")
    assert sum(tag == "svg" for tag, _ in front.elements) == 8  # the method and the map of each


@pytest.mark.parametrize("words", ["".join(MARKUP), "</li></ul></main><script>window.hurt=1</script>"])
def test_words_from_outside_are_text_on_the_front_page(words: str) -> None:
    one = recorded(RECORDINGS[0])
    run = replace(one.reading.run, question=f"Who {words}?", answer=words)
    hurt = Replayed(one.reading._replace(run=run), one.prompts)
    (_, harmless), (_, page) = ([*gallery([replace(each, watch="x")])][-1] for each in (one, hurt))
    kept = [[(tag, sorted(about)) for tag, about in Parsed(each).elements] for each in (harmless, page)]
    assert kept[0] == kept[1]


def test_the_recordings_that_are_shipped_can_be_shown() -> None:
    found = shipped()
    assert len(found) >= len(RECORDINGS)
    assert all(one.watch and one.known for one in found)


def test_the_command_writes_a_new_folder_and_leaves_another_alone(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "ferry.txt"
    text.write_text("Hester rows at noon.\n\nNobody swims.", encoding="utf-8")
    assert main(["read", str(text), "--question", "Who rows?"]) == 0
    (run,) = store.runs.listed()
    folder = tmp_path / "site" / "replays"
    assert main(["gallery", str(folder), run.id]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["01-memwalker-who-rows.html", "index.html"]
    capsys.readouterr()
    assert main(["gallery", str(folder), run.id]) == 2
    assert "new or empty" in capsys.readouterr().err
