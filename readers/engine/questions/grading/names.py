"""Names in an answer: the known name, a shorter or fuller form of it, or somebody else's. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from readers.engine.questions.grading.case import (
    Case,
    Grade,
    Mention,
    Token,
    extends_left,
    finding,
    folded,
    how,
    mentions,
    plain,
    tokens,
)
from readers.engine.questions.grading.word_lists import GENERIC, NOT_NAMES, OF_PLACES, SAME_NAMES, SMALL_IN_NAMES, TITLES
from readers.engine.questions.normalise_answer import is_figure

_YEAR_IN_BRACKETS = re.compile(r"\((?:[^()]{0,20}\D)?(\d{4})\b[^()]{0,20}\)")
_NEXT_CAPITAL = re.compile(r"[ -][A-Z][^\W\d_]+")
_HYPHENED = re.compile(r"-\w+$")  # a surname of two parts
_BRIEF = 4  # words of an answer that is hardly more than a name
_BEGINNING = 4  # letters that two words have in common so that one may be a form of the other ("Morr", "Morrish")


def is_name(known: str) -> bool:
    """Whether a known answer is a proper name: all of its words that say something have capitals."""
    there = tokens(plain(known))
    weighty = [token for token in there if token.folded not in GENERIC | SMALL_IN_NAMES]
    return (
        bool(weighty)
        and all(token.capital or is_figure(token.raw) for token in weighty)
        and any(token.capital for token in weighty)
    )


def graded(case: Case) -> Grade | None:
    """For a known name: right if the answer gives it, in full or in a form that can be nobody else's; wrong if it gives
    another."""
    if not is_name(case.bare):
        return None
    for find in (_whole, _another_form, _shortened, _part_of_place):
        if finding := find(case):
            return finding
    return _other(case)


def _whole(case: Case) -> Grade | None:
    """The name in full; or only inside a longer name, denied or hedged."""
    found = list(mentions(case.text, case.value)) or _loose(case)
    if not found:
        return None
    there = tokens(case.text)
    hows = {one.how for one in found}
    if "said" in hows and (year := _another_year(case)):
        return finding("wrong", f"It names {case.shown} of another year, {year}.")
    if "said" in hows:
        certain = len(there) <= len(case.value) + 2
        return finding("correct", f"It says the known answer, {case.shown}.", certainty="certain" if certain else "likely")
    if hows == {"longer"}:
        if len(there) <= len(case.value) + _BRIEF and not (_personal(case) and found[0].first):
            return finding("wrong", f"It names something else whose name has {case.shown} in it.")
        return finding("not_judgeable", f"The known answer, {case.shown}, is in it only as part of a longer name.")
    if "owner" in hows:
        return finding("not_judgeable", f"It names {case.shown} as the owner of something else.")
    if "hedged" in hows:
        return finding("not_judgeable", f"It names several alternatives or is unsure, and {case.shown} is one of them.")
    instead = [token for token in _named(case) if token.folded not in case.value]
    if instead:
        return finding("wrong", f"It denies the known answer, {case.shown}, and names “{_in_full(case, instead[0])}”.")
    return finding("not_judgeable", f"It may deny the known answer, {case.shown}: a “not” or “than” is next to it.")


def _another_year(case: Case) -> str:
    """The year in brackets after the name, where the known answer has another one there ("The Ferry (1962)")."""
    mine, its = _YEAR_IN_BRACKETS.findall(case.text), _YEAR_IN_BRACKETS.findall(case.known)
    return mine[0] if mine and its and its[0] not in mine else ""


def _loose(case: Case) -> list[Mention]:
    """The name without its generic words and titles: "Gorran" for "Mount Gorran"."""
    core = tuple(word for word in case.value if word not in GENERIC | TITLES)
    if not core or core == case.value or len(" ".join(core)) < 3:
        return []
    return list(mentions(case.text, core))


def _personal(case: Case) -> bool:
    """Whether the name may be a person's: two to four words with capitals, no article before them, and none that is generic."""
    there = tokens(plain(case.known))
    if not there or there[0].start > 1:
        return False
    return 2 <= len(there) <= 4 and not any(token.folded in GENERIC | OF_PLACES for token in there) and "," not in case.known


def _another_form(case: Case) -> Grade | None:
    """Another name of the same country, initials for given names, a middle name more or less, or the words in another order."""
    text = " ".join(token.folded for token in tokens(case.text))
    for names in SAME_NAMES:
        if any(folded(name) == case.value for name in names) and any(
            re.search(rf"\b{' '.join(folded(name))}\b", text) for name in names
        ):
            return finding("correct", f"It says the known answer, {case.shown}, by another name.")
    if _in_another_order(case):
        return finding("correct", f"It says the known answer, {case.shown}, in another form.")
    if not _personal(case):
        return None
    there = tokens(case.text)
    for at in (n for n, token in enumerate(there) if token.folded == case.value[-1]):
        given = _given_names(case.text, at)
        if given and "-".join([*given, case.value[-1]]) in plain(case.known).casefold():
            return finding("correct", f"It gives the known answer, {case.shown}, by the surname.")
        if (
            given
            and _same_length(case, given)
            and _same_person(given, list(case.value[:-1]))
            and how(case.text, at, at + 1) != "denied"
        ):
            return finding("correct", f"It says the known answer, {case.shown}, in another form.")
    return None


def _same_length(case: Case, given: Sequence[str]) -> bool:
    """Whether a surname of two parts is named with both."""
    return not _HYPHENED.search(case.known) or len(given) == len(case.value) - 1


def _in_another_order(case: Case) -> bool:
    """Whether the answer is the words of the name in another order, or names two people by one surname ("Ada and Leo Orr")."""
    core = [word for word in case.value if word not in GENERIC]
    there = tokens(case.text)
    if len(core) < 2:
        return False
    if len(there) <= len(case.value) + 1 and sorted(core) == sorted(
        token.folded for token in there if token.folded not in GENERIC
    ):
        return True
    return any(
        token.folded == core[0] and n + 4 <= len(there) and there[n + 1].folded == "and" and there[n + 3].folded == core[-1]
        for n, token in enumerate(there)
    )


def _given_names(text: str, at: int) -> list[str]:
    """The capital words directly before a surname."""
    there = tokens(text)
    given: list[str] = []
    while at and extends_left(text, at, at + 1) and there[at - 1].end + 2 >= there[at].start:
        at -= 1
        given.insert(0, there[at].folded)
    return given


def _same_person(given: Sequence[str], known: Sequence[str]) -> bool:
    """Whether given names or initials can be those of the known name: the first ones equal, and no other is contradicted."""
    if len(given) == 1 and len(given[0]) > 1 and len(given[0]) == len(known) and given[0] == "".join(one[0] for one in known):
        return True  # "JP"
    first = given[0] == known[0] or (len(given[0]) == 1 and known[0].startswith(given[0]))
    if not first or given == known:
        return first and given == known
    shorter, longer = sorted((list(given), list(known)), key=len)
    return all(
        any(
            one == other or (len(one) == 1 and other.startswith(one)) or (len(other) == 1 and one.startswith(other))
            for other in longer
        )
        for one in shorter
    )


def _shortened(case: Case) -> Grade | None:
    """Only the given name or the surname, if nobody else in the question has it."""
    if not _personal(case):
        return None
    words = [word for word in case.value if word not in TITLES]
    for word in (words[0], words[-1]):
        for one in mentions(case.text, (word,)):
            before = _given_names(case.text, one.first)
            if before and word == words[-1]:
                return _of_another(case, before)
            if one.how != "said":
                continue
            if word in case.question_words:
                return finding(
                    "not_judgeable", f"It gives a part of the name {case.shown} that somebody in the question also has."
                )
            return finding("correct", f"It gives the known answer, {case.shown}, by a part of the name.")
    return None


def _of_another(case: Case, given: Sequence[str]) -> Grade:
    """The finding for the known surname with other given names."""
    if set(given) & set(case.value) or any(_akin(one, case.value[0]) for one in given):
        return finding(
            "not_judgeable", f"It has a name that is like {case.shown}, and no rule can decide whether it is the same."
        )
    return finding("wrong", f"It names somebody else with a part of the name {case.shown}.")


def _part_of_place(case: Case) -> Grade | None:
    """For a known answer with a comma ("Callow, Ostland"), the first part is enough; the rest is partly right."""
    first, comma, rest = case.known.partition(",")
    if not comma or " and " in rest:
        return None
    if any(one.how == "said" for one in mentions(case.text, folded(first))):
        return finding("correct", f"It says “{first.strip()}”, which the known answer, {case.shown}, begins with.")
    if any(one.how == "said" for one in mentions(case.text, folded(rest))):
        return finding("partly", f"It says “{rest.strip()}”, a part of the known answer, {case.shown}.")
    return None


def _other(case: Case) -> Grade:
    """The finding where the known name is not in the answer in any form."""
    there = tokens(case.text)
    brief = len(there) <= _BRIEF
    new = [token for token in _named(case) if token.folded not in case.question_words]
    core = [word for word in case.value if word not in GENERIC | TITLES] or list(case.value)
    if elsewhere := _namesake_place(case):
        return finding("wrong", f"It names “{elsewhere}”, and not the known answer, {case.shown}.")
    if any(_akin(token.folded, word) for token in there for word in core):
        if brief and all(token.folded in case.value or token.folded in GENERIC for token in there):
            return finding("partly", f"It gives a part of the known answer, {case.shown}.")
        return finding(
            "not_judgeable", f"It has a word like those of the known answer, {case.shown}, and no rule can decide more."
        )
    if new:
        return finding("wrong", f"It names “{_in_full(case, new[0])}”, and not the known answer, {case.shown}.")
    if there and all(token.folded in case.question_words | GENERIC | TITLES for token in there):
        return finding("wrong", f"It says no more than the question, and not the known answer, {case.shown}.")
    if brief and there and all(is_figure(token.folded) for token in there):
        return finding("wrong", f"It gives a number, and the known answer is {case.shown}.")
    return finding("not_judgeable", f"It does not name the known answer, {case.shown}, and no rule can decide what it means.")


def _namesake_place(case: Case) -> str:
    """Another place of the same name, distinguished from the known place by its first word ("Lower Marn" for "Upper Marn")."""
    if case.value[0] not in OF_PLACES:
        return ""
    for before, token in pairwise(tokens(case.text)):
        if token.folded == case.value[-1] and before.folded in OF_PLACES and before.folded not in case.value:
            return case.text[before.start : token.end]
    return ""


def _in_full(case: Case, token: Token) -> str:
    """The whole name that a word of the answer begins."""
    end = token.end
    while more := _NEXT_CAPITAL.match(case.text, end):
        end = more.end()
    return case.text[token.start : end]


def _named(case: Case) -> list[Token]:
    """The words of the answer that are names."""
    there = tokens(case.text)
    known = GENERIC | TITLES | NOT_NAMES
    return [token for n, token in enumerate(there) if token.folded not in known and _names(there, n, brief=len(there) <= _BRIEF)]


def _names(there: Sequence[Token], n: int, *, brief: bool) -> bool:
    """Whether a word is a name: a capital within a sentence, or at the beginning of a brief answer or before another capital."""
    opens = n == 0 or there[n - 1].sentence != there[n].sentence
    if not there[n].capital:
        return False
    follows = n + 1 < len(there) and there[n + 1].capital and there[n + 1].sentence == there[n].sentence
    return not opens or (brief and (follows or len(there) == 1)) or (follows and there[n + 1].start - there[n].end == 1)


def _akin(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) >= _BEGINNING and word[:_BEGINNING] == other[:_BEGINNING])
