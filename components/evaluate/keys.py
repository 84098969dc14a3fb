"""The keys of the widgets on the Evaluate page. `state.key` adds what a widget depends on."""

SCORE, AGAINST, SLICE, WHICH, PAGE, FIGURE = "eval_score", "eval_against", "eval_slice", "eval_which", "eval_page", "eval_figure"
SAVE, PROJECT, MEASURES = "eval_save", "eval_project", "eval_measures"
