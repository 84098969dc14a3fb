"""New reader: a reader of your own. Palimpsest finds it by the name READER."""

from .reader import NewReader

READER = NewReader
