"""The keys of the widgets on the Models page. `state.key` adds what a widget depends on."""

MODEL, TRY, OFFLINE, LOCAL_START, LOCAL_STOP, FORGET = "model", "try", "offline", "local-start", "local-stop", "forget"
BE_MODEL = "be_model"
TAKES_TEXT, TAKES_READER = "takes-text", "takes-reader"
