"""The keys of the widgets on the Questions page. `state.key` adds what a widget depends on."""

ASK_FILES, SET_NAME, SET_KEEP, SET_DELETE, SET_PAGE = "ask_files", "set_name", "set_keep", "set_delete", "set_page"
VARIANT_READERS, VARIANT_MODELS, GIVE_CHOICES, FIRST_ONES = "variant_readers", "variant_models", "give_choices", "first_ones"
VARIANT_PROMPTS, SAMPLES_EACH = "variant_prompts", "samples_each"
BATCH_START, BATCH_CANCEL, BATCH_RESUME, BATCH_DELETE = "batch_start", "batch_cancel", "batch_resume", "batch_delete"
BATCH_PROJECT, BATCH_ONLY, BATCH_PAGE, BATCH_TRAINING = "batch_project", "batch_only", "batch_page", "batch_training"
BATCH_FOLLOW, BATCH_STAGE, BATCH_GROUPING = "batch_follow", "batch_stage", "batch_grouping"
BATCH_TELLING, BATCH_FLOW, BATCH_COUNTS = "batch_telling", "batch_flow", "batch_counts"
