"""Every style sheet is used, once."""

from __future__ import annotations

import re

from components.html import styles
from tests.support.paths import ROOT

# In shadow trees of their own; some share one.
COMPONENTS = (
    "algorithm",
    "board",
    "class_room",
    "class_vote",
    "player",
    "replay",
    "gallery",
    "learn_sheet",
    "stage",
    "showing",
    "drawing",
    "glossary",
    "label_panel",
    "lifeline",
    "mark_words",
    "table",
    "tour",
)


def test_every_sheet_is_the_pages_or_a_components() -> None:
    assert sorted(path.stem for path in styles.ROOT.iterdir()) == sorted((*styles.PAGE, *COMPONENTS))


def test_the_page_gets_its_sheets_in_order_as_one_element() -> None:
    whole = styles.page_style()
    assert whole.startswith("<style>")
    places = [whole.index(styles.sheet(name)) for name in styles.PAGE]
    assert places == sorted(places)
    assert whole.count("<") == 2


def test_the_paragraphs_of_a_memory_have_a_class_that_nothing_else_lays_out() -> None:
    [name] = re.findall(r'el\("p", \{ class: [^}]*"([\w-]+)" \}', (ROOT / "assets/js/pictures/memory_words.js").read_text())
    rules = [each for path in styles.ROOT.glob("*.css") for each in re.findall(r"([^{}]+)\{", path.read_text())]
    laid_out = [rule for rule in rules if re.search(rf"\.{name}(?![\w-])", rule)]
    assert laid_out
    assert all(".memory-words" in rule for rule in laid_out)
