"""Where a sentence is put into a text that no longer says it."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.matcher import Match
from readers.engine.analysis.facts.mending_edits import with_sentence

TEXT = "The mill stood. The boat was seen. It rained."
NEAR = Match("altered", 0.6, 16, 34)


@pytest.mark.parametrize(
    ("text", "near", "instead", "made"),
    [
        (TEXT, NEAR, False, "The mill stood. The boat was seen. The boat sank. It rained."),
        (TEXT, NEAR, True, "The mill stood. The boat sank. It rained."),
        (TEXT, Match("lost"), False, f"{TEXT} The boat sank."),
        (TEXT, NEAR._replace(share=0.1), True, f"{TEXT} The boat sank."),
        ("  ", NEAR, False, "The boat sank."),
    ],
)
def test_it_stands_beside_what_rests_on_it_or_at_the_end(text: str, near: Match, instead: bool, made: str) -> None:
    assert with_sentence(text, "The boat sank.", near, instead=instead) == made
