"""The keys of the widgets of the planted-fact lab. `state.key` adds what a widget depends on."""

KIND, SENTENCE, QUESTION, ANSWER, SEED = "lab_kind", "lab_sentence", "lab_question", "lab_answer", "lab_seed"
DEPTHS, SIZES, PREVIEW = "lab_depths", "lab_sizes", "lab_preview"
READERS, MODELS, OPTION, START = "lab_readers", "lab_models", "lab_option", "lab_start"
ESTIMATE, PRICED = "lab_estimate", "_lab_priced"
CSV, JSON, SHARE = "lab_csv", "lab_json", "lab_share"
