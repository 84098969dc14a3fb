"""Work that a visitor begins and that goes on beside the pages: readings and batches, files of readings, following evidence.

Not here: doing it (`readers/engine`), and showing how far it is (`widgets/progress`).
"""
