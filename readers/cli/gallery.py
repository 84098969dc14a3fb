"""`gallery`: write a folder of replays with a front page. Not here: what the pages hold (`components/replay`)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from readers.cli.output import ANSWERED
from readers.cli.readings.show import known_answer
from readers.engine.errors import BadOptions
from readers.engine.store import Store

if TYPE_CHECKING:
    from components.replay.gallery import GalleryReading


def write_gallery(arguments: argparse.Namespace) -> int:
    # Imported only here: the player's pictures load what no other command needs.
    from components.replay.gallery import FRONT, gallery, shipped

    folder: Path = arguments.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadOptions(f"{str(folder)!r} is there already; name a folder that is new or empty")
    shown = _stored(arguments.run) if arguments.run else shipped()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, page in gallery(shown):
            (folder / name).write_text(page, encoding="utf-8")
    except OSError as error:
        raise BadOptions(f"{str(folder)!r} cannot be written: {error.strerror}") from None
    print(folder / FRONT)
    return ANSWERED


def _stored(named: list[str]) -> list[GalleryReading]:
    from components.replay.gallery import GalleryReading
    from components.replay.reading import replayed

    with Store() as store:
        runs = [store.runs.get(one) for one in named]
        return [GalleryReading(replayed(store, run.id, known=known_answer(store, run))) for run in runs]
