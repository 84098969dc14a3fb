"""`publish`: write readings as a site, a folder of static files for any web server or for none.

The folder is made beside its place and moved there when it is whole. Not here: what a site has (`components/publish`).
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from readers.cli.output import ANSWERED
from readers.cli.progress import draw
from readers.cli.propose import find_project
from readers.cli.show import known_answer
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.project import Project
from readers.engine.store import Store
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import counted

if TYPE_CHECKING:
    from components.publish.contents import SiteContents
    from components.publish.private import Inspection


def publish(arguments: argparse.Namespace) -> int:
    # Imported only here: a site's pages load modules that no other command needs.
    from components.publish.private import Inspection
    from components.publish.site import files

    folder: Path = arguments.out
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadOptions(f"{str(folder)!r} already exists; name a folder that is new or empty")
    inspection = Inspection()
    with Store() as store:
        contents = replace(_contents(store, arguments), address=_address(arguments.url), authors=arguments.author)
        contents = replace(contents, title=arguments.title or contents.title)
        made = files(contents, lambda n, of: draw(f"Writing · {n:,} of {counted(of, 'reading')}"), look=inspection.look)
        written = _write(folder, made, lambda: _check(inspection, checked=arguments.checked))
    draw("")
    print(f"{written / 1_000_000:.1f} MB; open it with a browser, or put the folder on a web server", file=sys.stderr)
    print(folder / "index.html")
    return ANSWERED


def _contents(store: Store, arguments: argparse.Namespace) -> SiteContents:
    from components.publish import shipped

    if arguments.lessons and arguments.no_text:
        raise BadOptions("lessons show whole texts; leave out --lessons or --no-text")
    contents = replace(_readings(store, arguments), texts=not arguments.no_text)
    return shipped.with_lessons(contents) if arguments.lessons or not (arguments.what or arguments.no_text) else contents


def _readings(store: Store, arguments: argparse.Namespace) -> SiteContents:
    from components.publish import gather, gather_batch, shipped

    named: Sequence[str] = arguments.what
    if not named:
        return shipped.shipped()
    known = lambda run: known_answer(store, run)  # noqa: E731
    if len(named) == 1 and (batch := _batch(store, named[0])):
        return gather_batch.of_batch(store, batch, known)
    if len(named) == 1 and (project := _project(store, named[0])):
        return gather.of_project(store, project, known, names=arguments.names)
    runs = [store.runs.get(one) for one in named]
    return gather.of_runs(store, runs, known, title=gather.TITLE)


def _address(url: str) -> str:
    """The address of the top of the site, with a slash at its end. Raises BadOptions for what is no address of a site."""
    if url and not re.fullmatch(r"https?://[^\s/?#\"'<>]+(?:/[^\s?#\"'<>]*)?", url):
        raise BadOptions(f"--url {url!r} is not where a site can be: name its address, such as https://lab.example.org/readings/")
    return f"{url.rstrip('/')}/" if url else ""


def _batch(store: Store, named: str) -> Batch | None:
    try:
        return store.batches.get(named)
    except NotFound:
        return None


def _project(store: Store, named: str) -> Project | None:
    try:
        return find_project(store, named)
    except NotFound:
        return None


def _check(inspection: Inspection, *, checked: bool) -> None:
    """List what looks private. Raises BadOptions unless it is said to be `checked`."""
    for line in inspection.lines:
        print(f"note: {line}", file=sys.stderr)
    if inspection.found and not checked:
        what = "This looks" if len(inspection.found) == 1 else f"{len(inspection.found):,} things look"
        raise BadOptions(f"{what} private (above), and nothing was written; add --checked to publish it all the same")


def _write(folder: Path, files: Iterable[tuple[str, bytes]], check: Callable[[], None]) -> int:
    """Write the files, and return their bytes; the folder appears when it is whole and `check` did not raise."""
    size = 0
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as made:
            for path, words in files:
                file = Path(made) / "site" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(words)
                size += len(words)
            check()
            if folder.exists():
                folder.rmdir()
            shutil.move(Path(made) / "site", folder)
    except OSError as error:
        raise BadOptions(f"{str(folder)!r} cannot be written: {error.strerror}") from None
    return size
