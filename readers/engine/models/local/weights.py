"""The weights in PALIMPSEST_HOME/models: a small catalogue of known files, and any other GGUF file put there by its own name.

A known model goes by its short id (`local/smollm2`), any other file by its name (`local/NAME-OF-FILE`, without `.gguf`). Not
here: fetching weights (`fetch.py`) and serving them (`server.py`).
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from readers.engine.errors import BadOptions
from readers.engine.home import home

PREFIX = "local/"
INSTALL_HINT = "run 'make local-model' once (about 130 MB) and restart the app"
# Tokens that the server holds for one call. A model's own tokenizer may count more tokens than ours, so readers use less.
SERVED_WINDOW = 8192
WINDOW = SERVED_WINDOW * 7 // 8


@dataclass(frozen=True)
class Known:
    """A model of the catalogue: where its weights come from, and how they are checked."""

    name: str
    title: str
    file: str
    sha256: str
    licence: str


SMOLLM2 = Known(
    name="smollm2",
    title="SmolLM2-135M",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
)
KNOWN = (SMOLLM2,)


@dataclass(frozen=True)
class LocalWeights:
    """One file of weights on this machine. `name` is the model's id without `local/`."""

    name: str
    title: str
    path: Path

    @property
    def id(self) -> str:
        return PREFIX + self.name


def folder() -> Path:
    """Where weights are looked for; it may not exist."""
    return home() / "models"


def has_llama() -> bool:
    """Whether llama.cpp is installed (`make local-model` installs it)."""
    return importlib.util.find_spec("xllamacpp") is not None


def installed() -> list[LocalWeights]:
    """The models that can be used here: those of the catalogue first, then other files by name. Empty without llama.cpp."""
    if not has_llama():
        return []
    known = {one.file: one for one in KNOWN}
    files = sorted(folder().glob("*.gguf"), key=lambda path: (path.name not in known, path.name.casefold()))
    return [_weights(path, known.get(path.name)) for path in files if path.is_file()]


def _weights(path: Path, known: Known | None) -> LocalWeights:
    return LocalWeights(known.name, known.title, path) if known else LocalWeights(path.stem, path.stem, path)


def find(model_id: str) -> LocalWeights:
    """The weights of a local model. Raises BadOptions if they are not here."""
    there = installed()
    found = next((one for one in there if one.id == model_id), None)
    if found:
        return found
    if any(model_id == PREFIX + one.name for one in KNOWN):
        raise BadOptions(f"the model {model_id!r} is not installed on this machine: {INSTALL_HINT}")
    here = ", ".join(repr(one.id) for one in there) or "none yet"
    raise BadOptions(
        f"there is no model {model_id!r} on this machine, which has {here}; put its GGUF file into {str(folder())!r}, or "
        f"{INSTALL_HINT}"
    )


def title(model_id: str) -> str:
    """The display name of a local model, installed or not."""
    name = model_id.removeprefix(PREFIX)
    return f"{next((one.title for one in KNOWN if one.name == name), name)}, on this machine"
