"""What a subject has to say, as data: tables of figures and words. A page, a terminal and a file show the same report.

Pure. A report is made by its subject (`report.py` there); nothing here knows a subject.
"""
