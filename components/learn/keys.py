"""The keys of the widgets on the page Learn. `state.key` adds what a widget depends on."""

PROGRESS = "_lesson"
SECTION, NEXT_SECTION, AGAIN = "lesson_section", "lesson_next", "lesson_again"
BACK, ONWARD = "lesson_back", "lesson_onward"
GUESS, LOCK, ANSWER = "lesson_guess", "lesson_lock", "lesson_answer"
STAGE, GOTO, REPORTS = "lesson_stage", "lesson_goto", "lesson_reports"
DRAWING, SHEET, TEXT, TOP, OPEN = "lesson_drawing", "lesson_sheet", "lesson_text", "lesson_top", "lesson_open"
GLOSSARY = "glossary"
