"""The keys of the widgets on the Compare page. `state.key` adds what a widget depends on."""

KNOWN = "known"
CANCEL = "compare-cancel"
COMPARED, COMPARE, PAIR, LISTED, TICKED = "compared", "compare", "pair", "compare-listed", "compare-ticked"
