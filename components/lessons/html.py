"""HTML of a lesson. Pure. Everything that is not markup of this module is escaped by markupsafe."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from components.html.terms import explained


def card(title: str, about: str, facts: str) -> Markup:
    """A lesson to choose."""
    return Markup('<div class="learn-card"><h3>{}</h3><p>{}</p><p class="size">{}</p></div>').format(
        title, explained(about), facts
    )


def prose(words: Sequence[str]) -> Markup:
    """Paragraphs of a lesson, with their terms explained once."""
    seen: set[str] = set()
    told = Markup("").join(Markup("<p>{}</p>").format(explained(each, seen=seen)) for each in words)
    return Markup('<div class="learn-prose">{}</div>').format(told)


def drawn(title: str) -> Markup:
    """Whose drawing is below, if there are several."""
    return Markup('<p class="learn-drawn">{}</p>').format(title)


def goals(words: Sequence[str]) -> Markup:
    """What a learner can do afterwards."""
    told = Markup("").join(Markup("<li>{}</li>").format(each) for each in words)
    return Markup('<div class="learn-goals"><p>After it you can:</p><ul>{}</ul></div>').format(told)


def part(number: int, of: int, name: str) -> Markup:
    """The head of a named part of a reading."""
    return Markup('<div class="learn-part"><p class="learn-count">Part {} of {}</p><h2>{}</h2></div>').format(number, of, name)


def beside(words: Sequence[str], quoted: Sequence[tuple[str, str, bool, object]]) -> Markup:
    """Paragraphs of a lesson, and next to them the words that they discuss, with their place and whether a model wrote them."""
    told = Markup("").join(
        Markup("<figure{}><figcaption>{}</figcaption><blockquote>{}</blockquote></figure>").format(
            " class=by-model" if by_model else "", where, said
        )
        for said, where, by_model, _ in quoted
    )
    return (
        Markup('<div class="learn-beside">{}<div class="quoted">{}</div></div>').format(prose(words), told)
        if quoted
        else prose(words)
    )


def question(words: str, answers: str = "") -> Markup:
    """The question of the reading that is watched, and the answers that were offered with it, if any were."""
    offered = Markup("<br><small>{}</small>").format(answers) if answers else ""
    return Markup('<p class="learn-question">{}{}</p>').format(words, offered)


def to_write(words: str, texts: Sequence[str]) -> Markup:
    """What a learner is to write in the model's place, and what the model had before it."""
    told = Markup("").join(Markup('<div class="learn-before" tabindex="0">{}</div>').format(paragraphs(text)) for text in texts)
    return Markup('<p class="learn-ask"><b>Be the model.</b> {}</p>{}').format(words, told)


def written(columns: Sequence[tuple[str, str, str, bool]]) -> Markup:
    """Texts beside each other, each with whose it is, what became of the fact in it (if it is told), and whether a model wrote
    it."""
    told = Markup("").join(
        Markup("<figure{}><figcaption>{}</figcaption><blockquote>{}</blockquote>{}</figure>").format(
            " class=by-model" if by_model else "", whose, paragraphs(words), paragraphs(kept)
        )
        for whose, words, kept, by_model in columns
    )
    return Markup('<div class="learn-beside written">{}</div>').format(told)


def asked(words: str) -> Markup:
    """The question of a prediction."""
    return Markup('<p class="learn-ask"><b>Before you see it.</b> {}</p>').format(words)


def paragraphs(text: str) -> Markup:
    """A text unchanged, a paragraph for each line that is not blank."""
    return Markup("").join(Markup("<p>{}</p>").format(each) for each in text.split("\n") if each.strip())


def option(name: str, text: str, *, long: bool) -> Markup:
    """What the model was offered, whole; its text was written by the model. A `long` one has more of the width than others."""
    told = paragraphs(text)
    words = Markup("<div class=words>{}</div>").format(told) if told else ""
    return Markup('<div class="learn-option{}"><h3>{}</h3>{}</div>').format(" long" if long else "", name, words)


def repair(changed: str, outcome: tuple[str, bool] | None, *, shown: bool) -> Markup:
    """A repair to try, and after it the answer to which it came and whether that is right. `shown`: it is the one below."""
    head = Markup("<h3>{}</h3>").format(changed)
    if outcome is not None:
        answer, right = outcome
        tone, mark, word = ("good", "◆", "What the text says") if right else ("lost", "✕", "Not what the text says")
        below = Markup('<p class="shown">The reading below.</p>') if shown else Markup()
        verdict = Markup('<p class="verdict"><span aria-hidden="true">{}</span> {}</p>').format(mark, word)
        head += Markup('<div class="learn-told {}">{}<p class="answer">{}</p>{}</div>').format(tone, verdict, answer, below)
    return Markup('<div class="learn-option">{}</div>').format(head)


def revealed(right: bool, yours: str, model: str, feedback: str, reason: str) -> Markup:
    """The prediction, what the model did, and its stated reason."""
    tone, mark, word = ("good", "◆", "As you predicted") if right else ("lost", "✕", "Not as you predicted")
    told = Markup("<p>You said: <b>{}</b>. The model: <b>{}</b>.</p>").format(yours, model)
    told += Markup("<p>{}</p>").format(feedback) if feedback else ""
    told += Markup('<p class="learn-reason">The model said: “{}”</p>').format(reason) if reason else ""
    return Markup('<div class="learn-told {}"><p class="verdict"><span aria-hidden="true">{}</span> {}</p>{}</div>').format(
        tone, mark, word, told
    )


def feedback(right: bool, words: str) -> Markup:
    """What a learner sees after an answer."""
    tone, mark, word = ("good", "◆", "Right") if right else ("lost", "✕", "Not quite")
    return Markup(
        '<div class="learn-told {}"><p class="verdict"><span aria-hidden="true">{}</span> {}</p><p>{}</p></div>'
    ).format(tone, mark, word, words)


def others(choices: Sequence[tuple[str, str]]) -> Markup:
    """What there is to say of the answers that were not chosen, folded."""
    told = Markup("").join(Markup("<dt>{}</dt><dd>{}</dd>").format(words, said) for words, said in choices)
    return Markup('<details class="learn-others"><summary>The other answers</summary><dl>{}</dl></details>').format(told)


def result(lines: Sequence[str]) -> Markup:
    """How it went."""
    return Markup('<div class="learn-result">{}</div>').format(
        Markup("").join(Markup("<p>{}</p>").format(each) for each in lines)
    )
