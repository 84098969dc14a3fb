"""The keys of the widgets on the Questions page. `state.key` adds what a widget depends on."""

SET_DELETE, SET_PAGE, BATCH_DELETE = "set_delete", "set_page", "batch_delete"
BATCH_PROJECT, BATCH_ONLY, BATCH_PAGE, BATCH_TRAINING = "batch_project", "batch_only", "batch_page", "batch_training"
BATCH_FOLLOW, BATCH_STAGE, BATCH_GROUPING = "batch_follow", "batch_stage", "batch_grouping"
BATCH_TELLING, BATCH_FLOW, BATCH_COUNTS = "batch_telling", "batch_flow", "batch_counts"
