"""What stands for a place in the text: its sentence."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.follow import sentence_around
from readers.engine.text import split
from readers.engine.text.document import Document, Span


def test_a_sentence_found_by_its_words_has_those_beside_it_only_if_the_words_reach_into_them() -> None:
    document = Document.of(f"Above.\n\n One came. Two went. Three stayed.\n\n{'word ' * 300}.", title="T")
    found = sentence_around(document, Span(document.text.index("came"), document.text.index("went")))
    assert document.text[slice(*found)] == "One came. Two went."
    inside = Span(document.text.index("word word"), document.text.index("word word") + 700)
    assert sentence_around(document, inside) == inside


def test_of_a_text_without_paragraphs_only_what_is_around_a_place_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "The keeper lit the lamp at nine.\n"
    document, looked = Document.of(line * 3_000), list[Span]()
    cut = split.sentences
    monkeypatch.setattr(split, "sentences", lambda text, within: looked.append(within) or cut(text, within))
    start = 1_500 * len(line)
    assert sentence_around(document, Span(start + 4, start + 20)) == Span(start, start + len(line) - 1)
    assert sum(span.end - span.start for span in looked) < 2_000
    assert sentence_around(Document.of("word " * 3_000), Span(7_000, 7_004)) == Span(7_000, 7_004)
