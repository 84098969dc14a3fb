"""The words for what an answer stands on: of replies only counts are told, of words only what words can tell."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import get_args

from components.trace import mend
from components.trace import stands_on as page
from readers.engine.analysis.facts.attribution import Attribution
from readers.engine.analysis.facts.matcher import BY_ITS_WORDS, Verdict
from readers.engine.analysis.facts.mending import result
from readers.engine.forks.experiment_results import RULE_OF_CHOICES
from readers.engine.forks.group_search import Count, End, Group, SearchResult
from readers.engine.forks.judge import JUDGED, Judged, judge_says
from readers.engine.forks.stands_on import (
    EARLIER_RULE,
    PromptSentence,
    Tried,
    TriedGroup,
    Tries,
    ending,
    group_sentence,
    noise,
    rule,
    sentence,
    where,
)
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run
from readers.engine.text.document import Span

OF_REPLIES = re.compile(r"changed the answer in \d+ of \d+|the answer changed in \d+ of \d+")
OF_WORDS = re.compile(r"\b(supports?|nearest)\b", re.IGNORECASE)
ANSWERED = Run("a", "d", "memagent", "What was paid?", {}, "finished", outcome="answered", answer="A lamp.")
PLACES = (PromptSentence("text", 0, 0, 5, "document:10-15"), PromptSentence("text", 0, 5, 9, "wrote:3"))


def group(size: int, came: Count, *, together: bool) -> TriedGroup:
    return TriedGroup(PLACES[:size], ("a",) * size, came, together, "")


def nearest(supports: bool) -> Attribution:
    return Attribution(Span(0, 5), Span(10, 15), 0.5, supports)


def told() -> list[str]:
    """Every sentence about replies."""
    said = []
    for size, came, together in product((1, 2), (Count(3, 3), Count(1, 5)), (True, False)):
        said.append(group_sentence(group(size, came, together=together and size > 1)))
    for end in get_args(End):
        for unchanged, groups in product((Count(0, 3), Count(1, 5), Count(3, 5)), ((), (Group((1, 2), Count(3, 3), True),))):
            found = SearchResult(unchanged, Count(0, 3), groups, end, 7)
            said += [sentence(found), noise(found), ending(Tried(found, (), 12, 60))]
    return said


def test_the_rule_of_a_search_is_the_one_that_judged_it() -> None:
    search = Run("a", "d", Tries.id, "?", {"version": Tries.version, "choices": ("A lamp", "A bell")}, "finished")
    assert rule(search) == RULE_OF_CHOICES
    assert rule(replace(search, spec={**search.spec, "version": 1})) == EARLIER_RULE


def test_what_replies_show_is_told_in_counts_and_in_no_other_words() -> None:
    for words in told():
        assert not OF_WORDS.search(words), words
        assert not re.search(r"\b(because|caused?|proves?|relies|rests|uses|used it)\b", words), words
        if re.search(r"\bchanged\b", words) and "change it" not in words:
            assert OF_REPLIES.search(words), words


def test_what_would_mend_a_fate_is_told_without_any_of_these_words_and_what_it_brought_in_counts() -> None:
    for known in (None, KnownAnswer("?", answers=("Forty pounds",))):
        said = result(ANSWERED, [ANSWERED], [ANSWERED], known=known)
        assert re.fullmatch(r"(the answer changed|answered rightly) in \d of 1; unchanged \d of 1", said)
    for words in (mend.TITLE, mend.WHAT):
        for pattern in (OF_WORDS, OF_REPLIES, re.compile(r"\b(saw|carried)\b")):
            assert not pattern.search(words), words


def test_what_words_show_says_so_and_nothing_of_changed_answers() -> None:
    both = [nearest(supports).said_of("the answer") for supports in (True, False)]
    assert both == [
        "Supports the answer, by its words",
        "Nearest to the answer by its words, which need not mean that it is stated there",
    ]
    assert not any("chang" in words for words in both)
    assert nearest(True).said_of("the answer", model="some/embedder") == both[0]
    fused = nearest(False).said_of("the answer", model="some/embedder")
    assert fused.startswith("Nearest to the answer by its words and the embeddings of some/embedder, which need not mean")
    assert not OF_REPLIES.search(page.compared("some/embedder", 1, 2))


def test_what_a_judge_says_is_told_as_what_it_says_and_as_nothing_else() -> None:
    for verdict in JUDGED:
        words = judge_says([Judged(Span(0, 5), 3, "offline/extractive", verdict)])
        assert words.startswith("the judge offline model (no neural network) says: ")
        assert not any(each.search(words) for each in (OF_REPLIES, OF_WORDS, re.compile(r"\b(saw|carried|lost)\b"))), words
    for own in get_args(Verdict):
        assert "by its words" in BY_ITS_WORDS[own]
        assert "says" not in BY_ITS_WORDS[own]


def test_where_a_sentence_stood_is_raw_or_carried() -> None:
    raw, carried = (where(one, "the memory after chunk 2") for one in PLACES)
    assert (raw, carried) == ("characters 10 to 15 of the text, raw", "carried by the memory after chunk 2")
    assert not any(OF_REPLIES.search(words) or OF_WORDS.search(words) for words in (raw, carried))


def test_a_pair_is_called_together_only_where_each_was_tried_alone() -> None:
    only, both = (group_sentence(group(2, Count(3, 3), together=together)) for together in (True, False))
    assert only == "leaving out 2 sentences, only together, changed the answer in 3 of 3"
    assert both == "leaving out 2 sentences together changed the answer in 3 of 3"
