"""The islands' scripts at addresses of their own, so that a browser fetches each once and keeps it.

What a component's definition holds travels with every page that draws it, and a script that came so is compiled anew each time.
So a component is given a line that imports its script. An address has the script's hash: another script has another address, and
what lies at one never changes. Not here: the answer to a request (`components/server/scripts.py`).
"""

from __future__ import annotations

import json
from hashlib import sha256

FOLDER = "scripts"  # the last one of every address; what is before it, a proxy's path for instance, only the page knows
# A browser does not ask again for an address that failed once: a script that did not come is asked for under another.
_IMPORTING = """\
const script = new URL(PATH, window.__streamlit?.BACKEND_BASE_URL ?? document.baseURI).href;
async function imported(tries = 0) {
  try {
    return await import(tries ? `${script}?again=${tries}` : script);
  } catch (error) {
    if (tries === 5) throw error;
    await new Promise((rested) => setTimeout(rested, 300 * 2 ** tries));
    return imported(tries + 1);
  }
}
export default async (component) => (await imported()).default(component);
"""
_kept: dict[str, bytes] = {}


def keep(name: str, words: str) -> str:
    """Keep a script; the name of its file."""
    content = words.encode()
    file = f"{name}-{sha256(content).hexdigest()[:16]}.js"
    _kept[file] = content
    return file


def find(file: str) -> bytes | None:
    """The script that was kept under this name of a file."""
    return _kept.get(file)


def importing(file: str) -> str:
    """The script of a component that has its default export from a file. It runs from a blob, to which no address is relative."""
    return _IMPORTING.replace("PATH", json.dumps(f"{FOLDER}/{file}"))
