"""What a page of a published site loads: a value in a script that puts it under a name. Pure.

A page that was opened from a disk may load scripts and nothing else. `assets/js/site/kept.js` reads it.
"""

from __future__ import annotations

from typing import Any

from components.replay.file import packed


def script_of(name: str, value: Any) -> str:
    """The script that holds a value under a name, which is ours: letters, figures and blanks."""
    return f'(globalThis.palimpsest ??= {{}})["{name}"] = "{packed(value)}";\n'
