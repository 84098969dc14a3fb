"""The keys of the widgets on the Evaluate page. `state.key` adds what a widget depends on."""

SCORE, AGAINST, SLICE, WHICH, PAGE, FIGURE = "eval_score", "eval_against", "eval_slice", "eval_which", "eval_page", "eval_figure"
SAVE, PROJECT, MEASURES = "eval_save", "eval_project", "eval_measures"
SOURCE, SET, RECIPE, SCORES = "eval_source", "eval_set", "eval_recipe", "eval_scores"
WHOSE, FOLLOW = "eval_whose", "eval_follow"
RATING, KIND, RATE = "eval_rating", "eval_kind", "eval_rate"
