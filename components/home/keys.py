"""The keys of the widgets on the Home page. `state.key` adds what a widget depends on."""

START = "start"
WATCH = "watch"
SHOWING = "showing"
METHOD = "method"
DRAWING = "drawing"
