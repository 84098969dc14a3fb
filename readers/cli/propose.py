"""`project propose`: a model proposes codes for the readings of a project for which it has not, one by one."""

from __future__ import annotations

import argparse
from typing import Any

from readers import get
from readers.cli.arguments import timeout_argument
from readers.cli.output import DONE, print_json
from readers.engine.analysis import proposals
from readers.engine.analysis.proposals import Proposals
from readers.engine.labels.project import Project
from readers.engine.models import catalogue
from readers.engine.models.call import ModelSettings
from readers.engine.models.model import Retry
from readers.engine.store import Store
from readers.engine.text.phrases import counted


def propose_command(arguments: argparse.Namespace) -> int:
    """Ask the model about each reading, and print what it proposed as it comes."""
    window, factor = catalogue.window_for(arguments.model), catalogue.room_factor_for(arguments.model)
    settings = ModelSettings(arguments.model, arguments.api_base, window=window, room_factor=factor)
    told = []
    with Store() as store:
        project = find_project(store, arguments.project)
        asking = proposals.begin(store, project, settings)
        model = Retry(catalogue.open_model(arguments.model, timeout=arguments.timeout))
        for run in asking.runs:
            told.append(asking.ask(store, run, get, model))
            if not arguments.json:
                print(told[-1].sentence, flush=True)
    if arguments.json:
        print_json({"project": project.id, "annotator": asking.annotator, "readings": [_as_json(one) for one in told]})
    else:
        print(f"{asking.annotator} has proposed codes for {counted(len(told), 'further reading')}.")
    return DONE


def _as_json(found: Proposals) -> dict[str, Any]:
    return {"run": found.run, "codes": found.codes, "spans": len(found.labels) - found.codes, "left_out": found.left_out}


def find_project(store: Store, name: str) -> Project:
    """The project of this id or name. Raises NotFound."""
    return next((one for one in store.projects.listed() if one.name == name), None) or store.projects.get(name)


def add_arguments(sub: argparse.ArgumentParser) -> None:
    sub.set_defaults(command=propose_command)
    sub.add_argument("project", help="its id or name")
    sub.add_argument("--model", default=catalogue.default_model(), metavar="MODEL", help="a language model")
    sub.add_argument("--api-base", metavar="URL", help="the server of the model, if it is not its provider's own")
    sub.add_argument("--json", action="store_true", help="as JSON")
    timeout_argument(sub)
