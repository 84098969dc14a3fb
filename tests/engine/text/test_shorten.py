"""Text is shortened to one line, at a word, or in the middle, and left alone if it is short enough."""

from __future__ import annotations

from readers.engine.text.shorten import shorten, shorten_at_word, shorten_middle, truncate, truncate_at_word


def test_a_short_text_is_only_put_on_one_line() -> None:
    assert shorten(" a\n b ", 3) == shorten_at_word(" a\n b ", 3) == "a b"
    assert shorten_middle("a.txt", 5) == "a.txt"


def test_a_long_text_ends_with_an_ellipsis() -> None:
    assert shorten("The lamp was lit", 9) == "The lamp …"
    assert shorten("The lamp was lit", 10) == "The lamp w …"
    assert shorten_at_word("The lamp was lit", 10) == "The lamp …"
    assert shorten_at_word("Unbroken", 4) == "Unbr …"


def test_line_breaks_are_kept_where_only_the_end_goes() -> None:
    assert truncate("The\nlamp", 8) == "The\nlamp"
    assert truncate("The\nlamp was lit", 9) == "The\nlamp …"
    assert truncate_at_word("The\nlamp was lit", 7) == "The …"
    assert truncate_at_word("The\nlamp was lit", 8) == "The\nlamp …"


def test_a_long_name_keeps_its_ending() -> None:
    name = f"{'a' * 100}.epub"
    assert shorten_middle(name, 60) == f"{'a' * 40}…{'a' * 14}.epub"
