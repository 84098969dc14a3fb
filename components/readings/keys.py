"""The keys of the widgets on the Readings page. `state.key` adds what a widget depends on."""

DELETE = "delete"
LIST, TICK, TICK_ALL = "readings", "tick", "tick_all"
TAG, UNTAG, TAKE_IN, NAME, NOTE, SAVE = "tag", "untag", "take_in", "name", "note", "save"
