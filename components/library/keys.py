"""The keys of the widgets on the Library page. `state.key` adds what a widget depends on."""

START = "start"
FILTER, ADD_SOURCE, ADD, TITLE, DELETE = "filter", "add_source", "add", "title", "delete"
FIND, HITS, HEADING, TURN = "find", "hits", "heading", "turn"
PLANT, DEPTH, ASKED, RIGHT, KEEP = "plant", "depth", "asked", "right", "keep"
MARK, FOLLOWED, MORE = "mark", "_followed", "_more"
PLACE = "_at"
