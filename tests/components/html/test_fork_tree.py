"""The drawing of a reading and its forks: where a line leaves another, its link, whether its answer is another; all escaped."""

from __future__ import annotations

from components.html.fork_tree import MOST_DOTS, fork_answer, fork_row, fork_tree
from components.html.words.wording import Chip

RIGHT = Chip("✓", "right", "good")


def test_a_fork_leaves_the_line_of_its_parent_where_it_was_changed() -> None:
    first = fork_row("Why?", [], fork_answer("At five.", RIGHT, same=None), link="", dots=[0.25, 0.75])
    fork = fork_row("the other way", ["step 2"], fork_answer("At six.", RIGHT, same=False), link="Trace?run=b", leaves=(3, 0.75))
    assert first.count("<b style") == 2
    assert 'aria-current="page"' in first
    assert "stem" not in first
    assert 'class="stem" style="left:75.00%;height:calc(3 * var(--fork-row))"' in fork
    assert '<a href="Trace?run=b" target="_self">the other way</a>' in fork
    assert fork_tree([first, fork]).count("<li") == 2


def test_a_line_has_its_own_steps_alone_and_of_very_many_none() -> None:
    dots = [0.1, 0.5, 0.9]
    assert fork_row("a", [], fork_answer("", RIGHT, same=None), link="", dots=dots, leaves=(1, 0.5)).count("<b style") == 1
    many = [n / 1000 for n in range(MOST_DOTS + 1)]
    assert "<b style" not in fork_row("a", [], fork_answer("", RIGHT, same=None), link="", dots=many)


def test_another_answer_is_told_from_the_same_by_sign_and_word() -> None:
    same, other = (fork_answer("At five.", RIGHT, same=alike) for alike in (True, False))
    assert ("= “At five.”" in same, "≠ “At five.”" in other) == (True, True)
    assert "another answer than the first reading" in other
    assert "✓" in other
    assert "“" not in fork_answer("", Chip("∅", "no answer", "bad"), same=False)


def test_names_answers_and_notes_are_escaped() -> None:
    bad = '"><script>x</script>'
    row = fork_row(bad, [bad], fork_answer(bad, Chip(bad, bad), same=True), link=bad)
    assert "<script>" not in row
    assert 'href="&#34;' in row
