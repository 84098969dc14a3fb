"""What a page of a published site loads: a value in a script that puts it under a name. Pure.

A page that was opened from a disk may load scripts and nothing else. The value is JSON, compressed, in letters and figures: no
character of it can be code. `assets/js/site/kept.js` reads it.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import Any


def script_of(name: str, value: Any) -> str:
    """The script that holds a value under a name, which is ours: letters, figures and blanks."""
    packed = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)  # 9 takes longer, for a third of a percent
    return f'(globalThis.palimpsest ??= {{}})["{name}"] = "{b64encode(packed).decode()}";\n'
