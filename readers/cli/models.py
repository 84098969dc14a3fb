"""`models` and `doctor`: which models can be used, and whether the installation is sound."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version

from readers.cli.output import DONE
from readers.engine.faults import damaged
from readers.engine.files.runs.run_file import APP_VERSION
from readers.engine.models import catalogue
from readers.engine.models.local import weights
from readers.engine.store import Store
from readers.engine.store.migrations import copy_of
from readers.engine.text import tokens

PACKAGES = ("streamlit", "pyvis", "plotly", "litellm", "tiktoken", "networkx", "sqlite-utils")


def list_models(arguments: argparse.Namespace) -> int:
    print(f"{catalogue.OFFLINE:<46} {catalogue.OFFLINE_TITLE}; always available")
    here = catalogue.installed_local()
    for model_id in here:
        print(f"{model_id:<46} {catalogue.title(model_id)}")
    for known in weights.KNOWN:
        if known.id not in here:
            print(f"{known.id:<46} {known.title}; {known.hint}")
    print(f"{catalogue.HUMAN:<46} yourself; in the app alone, where each prompt is put to you")
    keys = catalogue.configured_keys()
    for variable, example in catalogue.PROVIDERS.values():
        print(f"{example:<46} {variable} is {'set' if keys[variable] else 'not set'}")
    print(f"{'ollama/<name>, openai/<name> --api-base URL':<46} a server of your own; a key only if it asks for one")
    print(f"\nDefault: {catalogue.default_model()}. Any other model id of litellm can be used as well.")
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
