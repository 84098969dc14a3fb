"""Every style sheet is used, once."""

from __future__ import annotations

from components.html import styles

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
