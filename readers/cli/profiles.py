"""`profiles`: list, save and delete models on their terms by name; and `--profile`, with which other commands take one.

A profile holds no key. What a command is told in its own arguments goes before what the profile says. Not here: what a profile
holds (`engine/models/profiles.py`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from readers.cli.output import DONE, one_line, print_json
from readers.engine.errors import BadOptions
from readers.engine.models.loading import load_for
from readers.engine.models.profiles import CAPS, Profile
from readers.engine.store import Store


def list_profiles(arguments: argparse.Namespace) -> int:
    with Store() as store:
        names = store.profiles.names()
        rows = []
        for name in names:
            try:
                rows.append({"name": name, **store.profiles.get(name).to_json()})
            except BadOptions as error:
                rows.append({"name": name, "problem": str(error)})
    if arguments.json:
        print_json(rows)
        return DONE
    if not rows:
        print("No profiles yet. Save one with: python -m readers profiles add NAME --model ID ...")
    for row in rows:
        terms = [f"{key.replace('_', ' ')} {value}" for key, value in row.items() if key not in ("name", "id", "problem")]
        print(one_line(f"{row['name']}: {row.get('problem') or ', '.join([row['id'], *terms])}"))
    return DONE


def add_profile(arguments: argparse.Namespace) -> int:
    given = {name: value for name, value in _fields(arguments).items() if value is not None}
    profile = Profile(arguments.model, **given, name=arguments.name)
    with Store() as store:
        saved = store.profiles.change(profile) if arguments.replace else store.profiles.add(profile)
    if arguments.json:
        print_json({"name": saved.name, **saved.to_json()})
    else:
        print(f"Saved {saved.name!r}. Its key comes from the environment; none is saved.")
    return DONE


def delete_profile(arguments: argparse.Namespace) -> int:
    with Store() as store:
        store.profiles.delete(arguments.name)
    if arguments.json:
        print_json({"deleted": arguments.name})
    else:
        print(f"Deleted {arguments.name!r}. Readings that it read keep what it held.")
    return DONE


def _fields(arguments: argparse.Namespace) -> dict[str, Any]:
    names = set(Profile.__dataclass_fields__) - {"id", "name", "at_once"}
    return {**{name: getattr(arguments, name, None) for name in names}, "at_once": arguments.concurrency}


def with_profile(parser: argparse.ArgumentParser, argv: Sequence[str] | None, *, calls: bool = False) -> argparse.Namespace:
    """The arguments, completed by the profile that they name; if the command `calls` its model, what that needs is loaded soon.
    Raises NotFound, and BadOptions for a profile and a model."""
    arguments = parser.parse_args(argv)
    if not getattr(arguments, "profile", ""):
        return arguments
    if arguments.model:
        raise BadOptions("--profile says which model reads; leave --model out, or give the model without a profile")
    with Store() as store:
        profile = store.profiles.get(arguments.profile)
    load_for([profile.id] if calls else [])
    terms = {name: getattr(profile, name) for name in ("api_base", "window", "reply_tokens", "timeout", *CAPS)}
    sampling: dict[str, Any] = {"temperature": profile.temperature, "top_p": profile.top_p}
    sampling |= {} if profile.reply_form == "auto" else {"reply_form": profile.reply_form}
    arguments.parser.set_defaults(**terms, concurrency=profile.at_once, price=profile.price, profile_sampling=sampling)
    complete = parser.parse_args(argv)
    complete.profile = profile.name
    complete.model = [profile.id] if isinstance(arguments.model, list) else profile.id
    return complete


def caps(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits of a reading, as its spec holds them."""
    return {name: value for name in CAPS if (value := getattr(arguments, name, None)) is not None}
