"""Whether an answer says that there is no answer: the only place that decides it, for display, measures and grades.

The record of such a reading is unchanged: its outcome is `answered`, because the model gave a reply in the form that was asked
for. It is shown and measured as *no answer given* (`shown_outcome`). A rule over English words in whole sentences: an answer that
says more may still be an answer, and counts as one. Pure. Not here: whether that is right (`grading/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from readers.engine.on_first_use import pattern
from readers.engine.questions.answers import chosen

NONE_GIVEN = "none_given"

_THING = (
    r"(?:text|passage|document|story|article|context|excerpt|book|novel|report|author|part|page|segment|section|chunk|piece|"
    r"paragraph|note|summar(?:y|ie)|gist|memor(?:y|ie)|stor(?:y|ie)|information|material|content)s?"
)
_WHICH = r"(?: (?:in view|in front of me|provided|given|shown|read|available|above|here|itself|so far))*"
_TEXT = (
    rf"(?:(?:the|this|that|these|those|my) )?(?:(?:given|provided|current|retrieved|selected|whole|available) )*"
    rf"{_THING}{_WHICH}(?: of (?:the|this) (?:text|book|story|document))?"
)
_HOW = r"(?:explicitly |directly |actually |specifically |clearly |ever |really )?"
_TOLD = r"(?:stated|said|told|mentioned|answered|specified|given|provided|known|clear|disclosed|revealed)"
_NOT = r"(?:do(?:es)? not|do(?:es)?n[’']t|did not|didn[’']t|never)"
_ANSWER = r"(?:information|answers?|details?|mention|indication)"
_NONE = pattern(
    r"(?i)\W*(?:(?:sorry|unfortunately|well)\W+)?(?:(?:based on|according to|from) [\w ]{1,40}, )?(?:"
    rf"{_TEXT} {_NOT} {_HOW}(?:"
    r"(?:say|tell|state|mention|give|answer|provide|specify|specifie|indicate|reveal|disclose|explain|name)s?\b"
    rf"|(?:contain|include|have|offer)s? (?:any |the |this |that |an |enough |sufficient |relevant )*{_ANSWER}\b)"
    rf"|{_TEXT} (?:contain|include|ha|give|provide|offer|make)(?:s|ve)? no (?:relevant )?{_ANSWER}\b"
    rf"|(?:(?:it|this|that|the answer) )?(?:(?:is|was) (?:not|never|nowhere)|isn[’']t|wasn[’']t) {_HOW}{_TOLD}"
    r"(?=\W*$|\W+(?:in|from|by|anywhere|here|exactly|wh\w+|how|if)\b)"
    r"|(?:(?:it|this|that|the answer|the question) )?(?:can ?not|can[’']t|could not) be "
    r"(?:answered|told|known|determined|found|inferred|said|established)\b"
    rf"|i (?:do not|don[’']t|can ?not|can[’']t|could not|couldn[’']t) {_HOW}(?:know|tell|say|determine|answer|find|infer)\b"
    rf"|there(?: is|[’']s) (?:no|not any|not enough|insufficient) (?:{_ANSWER}|way to (?:know|tell))\b"
    r"|(?:no (?:answer|information)|unanswerable|unknown|n/?a|not (?:stated|mentioned|given|known|specified|available|provided))"
    r"(?: (?:is given|can be given|given|available|provided|stated|found))?(?: (?:in|by|from) the \w+)?\W*$)"
)
# Words with which a sentence says more than that there is no answer.
_GOES_ON = pattern(
    r"(?i)\b(?:but|however|al?though|though|except|only|while|yet|instead|nevertheless|still|maybe|perhaps|probably|possibly|likely"
    r"|presumably|seems?|suggests?|implie[sd]|appears?|guess)\b"
)
_SENTENCES = pattern(r"(?<=[.!?;:])\s+|\n+")


def says_none(answer: str) -> Literal["", "no more", "and more"]:
    """Whether an answer says that there is none, and whether it says more, which may be an answer."""
    sentences = [" ".join(one.split()) for one in _SENTENCES.split(answer.strip()) if one.strip()]
    if not sentences or not _NONE.match(sentences[0]):
        return ""
    whole = all(_NONE.match(one) and not _GOES_ON.search(one) for one in sentences)
    return "no more" if whole else "and more"


def none_given(outcome: str | None, answer: str | None, *, choices: Sequence[str] = ()) -> bool:
    """Whether a reading that is recorded as answered says that there is no answer, and no more. One of the `choices` is an
    answer, no matter what its words say."""
    return outcome == "answered" and says_none(answer or "") == "no more" and chosen(answer or "", choices) is None


def shown_outcome(outcome: str | None, answer: str | None, *, choices: Sequence[str] = ()) -> str | None:
    """The outcome as it is shown and measured: the recorded one, or `none_given`."""
    return NONE_GIVEN if none_given(outcome, answer, choices=choices) else outcome
