"""The keys of the widgets on the Compare page. `state.key` adds what a widget depends on."""

KNOWN, FACTS = "known", "compare-facts"
CANCEL, WATCHED = "compare-cancel", "_watched"
COMPARED, COMPARE, PAIR, LISTED, TICKED = "compared", "compare", "pair", "compare-listed", "compare-ticked"
