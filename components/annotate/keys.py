"""The keys of the widgets on the Annotate page. `state.key` adds what a widget depends on."""

DELETE = "delete"
ANNOTATOR, JOIN, STAGE_ON, SIGN_IN = "annotator", "join", "stage_on", "sign_in"
PROJECT, PROJECT_FROM, PROJECT_FILES, PROJECT_ACT = "project", "project_from", "project_files", "project_act"
PROJECT_PAGE, GROUP, NOTE_TICK, BOOK = "project_page", "group", "note_tick", "book"
QUEUE, QUEUE_PAGE, DECIDE, REASON, RULE, COUNTED_BY = "queue", "queue_page", "decide", "reason", "rule", "counted_by"
CELLS, CELL_PAGE, LABELS_OUT, LABELS_IN, WITHOUT_AGAIN = "cells", "cell_page", "labels_out", "labels_in", "without_again"
IMPORTED_RUNS, GROUPING, PANEL = "_gathered", "_grouping", "_panel"
