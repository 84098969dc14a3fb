"""The codes that a new codebook begins with: what can go wrong at one step of a reading.

`taxonomy.json` gives each code a definition, an example, a near miss (what looks like it and is another code) and, for the
readers it applies to, where to look. The codes are offered for mapping after open coding, not as a checklist: a project normally
keeps 8 to 12 of them.
Nearest published lists: MAST (2503.13657), TRAIL (2505.08638), AgentErrorTaxonomy (2509.25370), the seven failure points of
Barnett et al. (2024), BooookScore (2310.00785), FABLES (2404.01261).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from readers.engine.labels.codes.codebook import Codebook, from_json

_CODES = Path(__file__).with_name("taxonomy.json")


@cache
def preset() -> Codebook:
    """The first version of a project's codebook, unless it begins without codes."""
    return from_json(1, json.loads(_CODES.read_text(encoding="utf-8")))
