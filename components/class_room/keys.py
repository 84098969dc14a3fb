"""The keys of the widgets on the page of a class. `state.key` adds what a widget depends on."""

ROOM, SCREEN, DEVICE, STAGE = "class_room", "class_screen", "class_device", "class_stage"
DONE, STEPS_ALONE = "_class_done", "_class_alone"
CODE, WORD, DELETE, TABLE = "class_code", "class_word", "class_delete", "class_table"
