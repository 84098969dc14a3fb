"""Below the player, while a fact is followed: ask a model whether a text still says it, at this step or in the whole life.

Its verdict is shown next to that of the matcher. Not here: the question, and the run that asks it
(`readers/engine/forks/judge.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from components.html import markup
from components.html.words.work_words import price_words
from components.session import access, flash, process_cache, state
from components.trace import inquiry
from components.trace.inquiry import Inquiry
from readers import get
from readers.engine.analysis.facts.fates import called
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.matcher import BY_ITS_WORDS
from readers.engine.errors import ReadingError
from readers.engine.forks import judge, rater
from readers.engine.forks.experiments import Experiment
from readers.engine.forks.judge import JUDGED, Judged, Pair, judge_says
from readers.engine.forks.rater import Rated
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.questions.scores import RATED
from readers.engine.store import Reading
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised, listed
from readers.engine.text.shorten import shorten_at_word

TITLE = "Does it still say this? Ask a model"
ABOUT = "One call for each text: “does this still say it?” The verdict is shown next to the word match; it does not replace it."
NO_JUDGE = "A judge must be a language model: the offline model only compares words, like the rules."
NOTHING_HERE = "No text derived from it was written or shown at this step."
NOT_RESTING = "not derived from it, as far as was found"
_EXCERPT = 120
Said = Mapping[tuple[Span, int], Sequence[Judged]]


def show_judge(reading: Reading, at: int, followed: Sequence[Followed], *, later: bool) -> None:
    """Draw the panel for step `at` (from 0) and the facts that are followed, closed at first. Without `later`, nothing after the
    step is shown."""
    box = st.expander(TITLE, key=state.key("judge", reading.run.id), on_change="rerun")
    if not box.open:
        return
    with box:
        st.caption(ABOUT)
        try:
            _panel(reading, at, _chosen(reading, followed), later=later)
        except ReadingError as error:
            flash.error(error)


def _chosen(reading: Reading, followed: Sequence[Followed]) -> Followed:
    """Draw the choice of a fact, if there are several."""
    if len(followed) == 1:
        return followed[0]
    text = reading.document.text
    number = st.selectbox(
        "Which fact",
        range(len(followed)),
        format_func=lambda n: f"“{shorten_at_word(text[slice(*followed[n].fact)], _EXCERPT)}”",
        key=state.key("judge", "one_sample", reading.run.id),
    )
    return followed[number]


def _panel(reading: Reading, at: int, one: Followed, *, later: bool) -> None:
    with access.opened() as store:
        said = judge.all_judged(store, reading.run.id)
    numbers = sorted(one.life.texts)
    here = _at(one, at)
    st.html(_verdicts([_line(reading, one, number, said) for number in here] or [NOTHING_HERE]))
    others = [number for number in numbers if later and number not in here and (one.fact, number) in said]
    if others:
        st.html(_verdicts([_line(reading, one, number, said) for number in others], head="At other steps"))
    choice = state.model_choice()
    if choice.offline or choice.human:
        st.html(markup.aside(NO_JUDGE))
        st.page_link("pages/8_Models.py", label="Choose a model")
        return
    st.html(markup.aside(_measured(choice.id)))
    with st.container(horizontal=True, gap="small"):
        _offer(reading, "Ask about this step", judge.pairs_of(reading.trace, one.fact, here))
        if numbers != here:
            _offer(reading, "Ask about every text", judge.pairs_of(reading.trace, one.fact, numbers))


def _at(one: Followed, at: int) -> list[int]:
    """The texts that carried or lost the fact at a step: those written there, otherwise those shown."""
    moments = [moment for moment in one.life.moments if moment.step == at]
    telling = [moment for moment in moments if moment.written] or moments
    found = (refs.written(moment.ref) for moment in telling)
    return sorted({number for number in found if number is not None})


def _line(reading: Reading, one: Followed, number: int, said: Said) -> str:
    names = get(reading.run.reader).names(reading.trace)
    text = capitalised(called(refs.wrote(number), reading.trace, names))
    match = one.life.texts.get(number)  # none if the judge was asked when the known answer, or another matcher, had found one
    judges = judge_says(said.get((one.fact, number), ()))
    return f"{text}: {'; '.join(filter(None, (BY_ITS_WORDS[match.verdict] if match else NOT_RESTING, judges)))}."


def _offer(reading: Reading, what: str, pairs: Sequence[Pair]) -> None:
    """Draw the button that asks about these texts, with its cost."""
    if not pairs:
        return
    choice = state.model_choice()
    price = judge.price(pairs, choice.id)
    label = f"{what}: {price_words(price)}"
    if st.button(markup.plain(label), key=state.key("judge", what, reading.run.id)):
        room = {"window": process_cache.window_of_choice(choice), "room_factor": process_cache.room_factor_of(choice.id)}
        served = [ServedModel(choice.id, choice.api_base)]
        inquiry.begin(reading, served, lambda store: [judge.ask_judge(store, reading, pairs, {**choice.terms, **room})])


def _measured(model: str) -> str:
    """How often a model agreed with people's labels, if that was measured here."""
    found = judge.find_figures(model)
    if found is None or not found.agreed.of:
        return f"How often {catalogue.title(model)} is right as a judge has not been measured on this machine."
    return f"As a judge {catalogue.title(model)} agreed with the labels of {found.agreed.right} of {found.agreed.of} pairs here."


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    said = _said(experiment)
    counts = [(words, sum(one.verdict == verdict for one in said)) for verdict, words in JUDGED.items()]
    verdicts = listed(f"{words}: {n}" for words, n in counts if n)
    return "a model judged whether texts still say it", verdicts or "no verdict has come"


def _show(reading: Reading, experiment: Experiment) -> None:
    """Draw every verdict of a judging next to that of the words."""
    said = _said(experiment)
    facts = list(dict.fromkeys(one.fact for one in said))
    for one in process_cache.followed(reading, facts):
        own = {(one.fact, each.number): [each] for each in said if each.fact == one.fact}
        words = shorten_at_word(reading.document.text[slice(*one.fact)], _EXCERPT)
        st.html(_verdicts([_line(reading, one, number, own) for _, number in own], head=f"“{words}”"))


def _said(experiment: Experiment) -> list[Judged]:
    made = inquiry.recorded(experiment)
    return judge.judged(made.run, made.trace)


def _verdicts(lines: Sequence[str], *, head: str = "") -> str:
    """Texts, each with what its words say and what a judge says."""
    body = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'{f"<p><b>{escape(head)}</b></p>" if head else ""}<ul class="verdicts">{body}</ul>'


INQUIRY = Inquiry(judge.ID, "A model is judging whether texts still say it", _described, _show)


def _rating_described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    found = _rating(experiment)
    model = catalogue.title(str(experiment.runs[0].spec["model"]))
    return f"{model} rated the answer", scores_said(found) if found else "no rating has come"


def scores_said(found: Rated) -> str:
    """The scores of a rating in a clause: `LR-1: 0, LR-2: 1`."""
    return ", ".join(f"{RATED[name].title}: {one.value or 0:g}" for name, one in found.scores.items())


def _show_rating(reading: Reading, experiment: Experiment) -> None:
    """Draw every reply of a rating in its own words."""
    found = _rating(experiment)
    words = [one.capitalize() if one else "could not be read" for one in found.words] if found else []
    st.html(markup.aside(f"Its replies: {', '.join(words)}." if words else "No rating has come."))


def _rating(experiment: Experiment) -> Rated | None:
    made = inquiry.recorded(experiment)
    return rater.rated(made.run, made.trace)


RATING = Inquiry(rater.ID, "A model is rating the answer", _rating_described, _show_rating)
