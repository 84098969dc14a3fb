"""`models`, `readers`, `new` and `doctor`: the available models and readers, a new reader from a template, and whether the
installation is sound.

The template is a whole reader with its test, in `assets/reader_template`. Not here: finding readers, and the rules for them
(`readers/plugins.py`).
"""

from __future__ import annotations

import argparse
import keyword
import sys
from importlib.metadata import version
from pathlib import Path

from readers import PLUGINS, READERS, get, origin, plugin_trial, plugins
from readers.cli.output import DONE, one_line
from readers.engine import APP_VERSION
from readers.engine.analysis.form_trials import first_calls, try_forms
from readers.engine.errors import BadOptions
from readers.engine.faults import damaged
from readers.engine.models import catalogue
from readers.engine.models.call import ModelSettings
from readers.engine.models.local import weights
from readers.engine.report.values import NOTHING
from readers.engine.store import Store
from readers.engine.store.migrations import copy_of
from readers.engine.text import tokens

PACKAGES = ("streamlit", "pyvis", "plotly", "litellm", "tiktoken", "networkx", "sqlite-utils")


def list_models(arguments: argparse.Namespace) -> int:
    if arguments.test:
        return _try_forms(arguments)
    print(f"{catalogue.OFFLINE:<46} {catalogue.OFFLINE_TITLE}; always available")
    here = catalogue.installed_local()
    for model_id in here:
        print(f"{model_id:<46} {catalogue.title(model_id)}")
    for known in weights.KNOWN:
        if known.id not in here:
            print(f"{known.id:<46} {known.title}; {known.hint}")
    print(f"{catalogue.HUMAN:<46} yourself; only in the app, which shows you each prompt")
    keys = catalogue.configured_keys()
    for variable, example in catalogue.PROVIDERS.values():
        print(f"{example:<46} {variable} is {'set' if keys[variable] else 'not set'}")
    print(f"{'ollama/<name>, openai/<name> --api-base URL':<46} your own server; a key only if it requires one")
    print(f"\nDefault: {catalogue.default_model()}. Any other model id of litellm can be used as well.")
    return DONE


def _try_forms(arguments: argparse.Namespace) -> int:
    """Try each form of a reader once with a model, and print a line for each as its reply comes."""
    reader, known = get(arguments.reader or READERS[0].id), catalogue.room_factor_for(arguments.test)
    form = catalogue.reply_form_for(arguments.reply_form, arguments.test, arguments.api_base)
    settings = ModelSettings(arguments.test, arguments.api_base, room_factor=known, reply_form=form)
    for row in try_forms(catalogue.open_model(arguments.test), first_calls(reader, settings)):
        came, seconds, why = (cell.content for cell in row.cells)
        print(one_line(f"{row.note:<32} {came:<16} {seconds!s:>8} s  {'' if why == NOTHING else why}".rstrip()), flush=True)
    return DONE


def doctor(arguments: argparse.Namespace) -> int:
    print(f"Palimpsest {APP_VERSION} · Python {sys.version.split()[0]}")
    for package in PACKAGES:
        print(f"  {package:<14} {version(package)}")
    print(f"Token tables: {tokens.ENCODING}, {tokens.count('offline')} token counted without a network")
    for variable, is_set in catalogue.configured_keys().items():
        print(f"  {variable:<20} {'set' if is_set else 'not set'}")
    with Store() as store:
        state = store.check()
        print(f"Database: {store.path}")
        if (copy := copy_of(store.path)).exists():
            print(f"  a copy from before its last update: {copy}")
        if state != "ok":
            raise damaged(store.path, state)
        print(f"  schema {store.schema()[-1]} · {len(store.runs.listed())} readings, {len(store.documents.listed())} documents")
        print("  sound")
    return DONE


TEMPLATE = Path(__file__).parents[2] / "assets" / "reader_template"
_NAME, _CLASS, _TITLE, _PACKAGE = "new_reader", "NewReader", "New reader", "new-reader"  # placeholders in the template
LONGEST = 40


def list_readers(arguments: argparse.Namespace) -> int:
    """Print every reader with its origin, what the offline model cannot do in the user's own, and why any are refused."""
    for reader in READERS:
        print(f"{reader.id:<16} {reader.title:<20} {origin(reader.id) or 'comes with this program'}")
    for plugin in PLUGINS:
        if plugin.problem:
            print(f"{plugin.name:<16} refused: {plugin.problem} ({plugin.origin})", file=sys.stderr)
        for remark in (*plugin.remarks, *(plugin_trial.failures(plugin.reader) if plugin.reader else ())):
            print(f"{plugin.name:<16} note: {remark}", file=sys.stderr)
    if not PLUGINS:
        print(f"\nReaders of your own go to {plugins.folder()}; start one with: python -m readers new NAME")
    return DONE


def new_reader(arguments: argparse.Namespace) -> int:
    """Write a reader from the template, with its test. Raises BadOptions."""
    name = arguments.name.strip().lower().replace("-", "_").strip("_")
    if not name.isascii() or not name.isidentifier() or keyword.iskeyword(name) or len(name) > LONGEST:
        raise BadOptions(f"a reader's name is a word in letters, digits and _, up to {LONGEST}: {arguments.name!r} is none")
    if taken := next((reader for reader in READERS if reader.id == name), None):
        raise BadOptions(f"the name {name!r} is taken: {taken.title}; choose another name")
    target = (arguments.folder or plugins.folder()) / name
    try:
        target.mkdir(parents=True)
        for path in sorted(TEMPLATE.glob("*.*")):
            (target / _named(path.name, name)).write_text(_named(path.read_text(encoding="utf-8"), name), encoding="utf-8")
    except FileExistsError:
        raise BadOptions(f"{str(target)!r} already exists: choose another name, or delete it first") from None
    except OSError as error:
        raise BadOptions(f"{str(target)!r} cannot be written: {error.strerror}") from None
    print(target)
    print(f"Its test:  python -m pytest {target}", file=sys.stderr)
    print(f"To use it: {_use(name) if arguments.folder is None else _move(target)}", file=sys.stderr)
    return DONE


def _use(name: str) -> str:
    return f"python -m readers read FILE --question ... --reader {name}, or choose it on the page Read after you restart the app"


def _move(target: Path) -> str:
    return f"move it to {plugins.folder()}, or install it: pip install {target}"


def _named(words: str, name: str) -> str:
    """Words of the template with the reader's own name."""
    parts = [part for part in name.split("_") if part]
    of_class = "".join(part.capitalize() for part in parts)
    written = words.replace(_NAME, name).replace(_CLASS, of_class).replace(_TITLE, " ".join(parts).capitalize())
    return written.replace(_PACKAGE, "-".join(parts))
