"""A lesson's sheet to print, as one HTML file: for the teacher first, then leaves for each learner. Pure, nothing is fetched.

The teacher's part has the goals, the timing, what to do in each section, the votes to expect with boxes to count in, and all
answers. The learner's has the questions with boxes for their votes, and no answers: a leaf for each section, since a question
often says what came before it. The text of a lesson is a separate file (`text_to_print`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from components.html import styles
from components.lessons import minutes
from components.lessons.html import paragraphs
from components.lessons.lesson import Lesson, LessonChoice, LessonPart, LessonQuestion, LessonSection
from readers.engine.text.phrases import counted

VOTE_ONCE = "Vote alone. Then see what the model did."
VOTE_AGAIN = "Vote alone, discuss, then vote again. Last, see what the model did."
VOTE_AS_BOXED = "Vote alone. If there is a second box, discuss and vote again. Last, see what the model did."
SPARE = "(may be left out if time is short)"
LOST = "Where was the answer lost? Name the reading and the step."
Offered = Mapping[LessonPart, Sequence[LessonChoice]]  # what can be predicted at each part that is predicted


def sheet(lesson: Lesson, title: str, offered: Offered) -> str:
    """The sheet of a lesson. `title` is the lesson's on the page; `offered` has the options of every prediction."""
    return _page(title, _teacher(lesson, title, offered) + _learner(lesson, title, offered))


def text_to_print(title: str, text: str) -> Markup:
    """The text that a class searches, in two columns, with nothing marked."""
    return _page(title, Markup('<section class="text">{}</section>').format(paragraphs(text)))


def _page(title: str, body: str) -> Markup:
    policy = Markup("default-src 'none'; style-src 'unsafe-inline'")
    style = Markup(styles.sheet("learn_sheet"))
    head = Markup(
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{}">'
        '<meta name="viewport" content="width=device-width"><title>{}</title><style>{}</style>'
    ).format(policy, title, style)
    return Markup('<!doctype html><html lang="en"><head>{}</head><body>{}</body></html>\n').format(head, body)


def _teacher(lesson: Lesson, title: str, offered: Offered) -> Markup:
    goals = Markup("").join(Markup("<li>{}</li>").format(goal) for goal in lesson.goals)
    clock = minutes.of_class(lesson)
    sections = Markup("").join(
        _section(section, ends - begins, offered) for section, (begins, ends) in zip(lesson.sections, clock, strict=True)
    )
    return Markup(
        '<section class="teacher"><p class="small">For the teacher · {} minutes</p><h1>{}</h1><p>'
        "{}</p><h2>Goals</h2><ul>{}</ul>{}<h2>Timing</h2>{}{}</section>"
    ).format(clock[-1][1], title, lesson.about, goals, _before(lesson), _timing(lesson), sections)


def _before(lesson: Lesson) -> Markup:
    """What to have ready, and how a vote goes: the same for every lesson."""
    told = (
        f"Print the {len(_leaves(lesson))} leaves for each learner on one side: they come two to a page; cut them apart. Hand "
        "out each leaf when its section begins, or when the plan says so: a later leaf gives away what happened before.",
        "Put the lesson on the projector. After the last vote, choose on the screen what most voted for: only then does it "
        "show what the model did.",
    )
    return Markup("<h2>Before the lesson</h2><ul>{}</ul>").format(
        Markup("").join(Markup("<li>{}</li>").format(words) for words in told)
    )


def _leaves(lesson: Lesson) -> list[LessonSection]:
    """The sections on which learners vote or answer."""
    return [section for section in lesson.sections if section.checks or any(part.prediction for part in section.parts)]


def _timing(lesson: Lesson) -> Markup:
    """When each section, and each stage of its plan, begins and ends, in minutes from the start, and what the screen shows."""
    rows = []
    for section, (begins, ends) in zip(lesson.sections, minutes.of_class(lesson), strict=True):
        title = Markup("<b>{}</b> <span class=small>{}</span>").format(section.title, _asked_in(section))
        rows.append(Markup('<tr><td class="time">{}</td><td colspan="2">{}</td></tr>').format(_from(begins, ends), title))
        until = begins
        for stage in section.plan:
            time, until = _from(until, until + stage.minutes), until + stage.minutes
            spare = Markup(" <span class=small>{}</span>").format(SPARE) if stage.spare else ""
            told = Markup('<td class="time">{}</td><td>{}{}</td><td class="screen">{}</td>').format(
                time, stage.what, spare, stage.screen
            )
            rows.append(Markup('<tr class="stage">{}</tr>').format(told))
    screen = "On the screen" if any(stage.screen for section in lesson.sections for stage in section.plan) else ""
    head = Markup("<thead><tr><th>Minutes</th><th>Section</th><th>{}</th></tr></thead>").format(screen)
    return Markup("<table>{}<tbody>{}</tbody></table>").format(head, Markup("").join(rows))


def _from(begins: int, ends: int) -> str:
    return f"{begins} to {ends}"


def _asked_in(section: LessonSection) -> str:
    predictions = sum(part.prediction is not None for part in section.parts)
    told = [counted(predictions, "prediction")] if predictions else []
    return ", ".join([*told, *([counted(len(section.checks), "question")] if section.checks else [])])


def _section(section: LessonSection, takes: int, offered: Offered) -> Markup:
    notes = Markup("").join(Markup('<p class="note">{}</p>').format(note) for note in section.notes)
    asked = Markup("").join(_answered(part, offered[part]) for part in section.parts if part.prediction)
    checks = Markup("").join(_check_answered(check) for check in section.checks)
    return Markup("<h2>{} <span class=small>{} min</span></h2>{}{}{}").format(section.title, takes, notes, asked, checks)


def _answered(part: LessonPart, options: Sequence[LessonChoice]) -> Markup:
    """A prediction with what the model did and the votes to expect."""
    prediction = part.prediction
    assert prediction
    listed = Markup("").join(
        Markup("<tr><td{}>{}{}</td>{}</tr>").format(
            " class=right" if option.right else "",
            option.words,
            " (so it was)" if option.right else "",
            Markup("<td></td>") * len(_votes(prediction)),
        )
        for option in options
    )
    columns = Markup("").join(Markup('<th class="tally">{}</th>').format(vote) for vote in _votes(prediction))
    head = Markup("<thead><tr><th></th>{}</tr></thead>").format(columns)
    votes = Markup("<p><i>Votes to expect:</i> {}</p>").format(prediction.votes) if prediction.votes else ""
    told = Markup("").join(Markup("<p>{}</p>").format(words) for words in part.words)
    name = Markup("{} <span class=small>step {}</span>").format(part.name, part.step)
    asked = Markup("<h3>{}</h3><p>{}</p>").format(name, prediction.ask)
    return Markup('<div class="ask">{}<table>{}<tbody>{}</tbody></table>{}{}</div>').format(asked, head, listed, votes, told)


def _check_answered(check: LessonQuestion) -> Markup:
    listed = Markup("").join(
        Markup("<li{}>{} <span class=small>{}</span></li>").format(
            " class=right" if choice.right else "", choice.words, choice.feedback
        )
        for choice in check.choices
    )
    return Markup('<div class="check"><h3>{}</h3><ul>{}</ul></div>').format(check.ask, listed)


def _learner(lesson: Lesson, title: str, offered: Offered) -> Markup:
    """A leaf for each section with a vote or questions."""
    leaves, numbers = _leaves(lesson), {part: number for number, part in enumerate(lesson.predictions(), 1)}
    told = ""
    for at, section in enumerate(leaves, 1):
        head = Markup('<p class="small">{} · leaf {} of {}</p><h1>{}</h1>').format(title, at, len(leaves), section.title)
        asked = Markup("").join(_to_vote(numbers[part], part, offered[part]) for part in section.parts if part.prediction)
        how = Markup("<p>{}</p>").format(_how(section)) if asked else ""
        checks = Markup("").join(_to_answer(check) for check in section.checks)
        lost = Markup("<h3>{}</h3>{}").format(LOST, Markup("<div class=line></div>") * 3) if at == len(leaves) else ""
        told += Markup('<div class="leaf">{}{}{}{}{}</div>').format(head, how, asked, checks, lost)
    return Markup('<section class="learner">{}</section>').format(told)


def _votes(prediction: LessonQuestion) -> Sequence[str]:
    """The votes that a class has on a prediction."""
    return ("vote",) if prediction.once else ("first vote", "second vote")


def _how(section: LessonSection) -> str:
    """How a leaf is voted on: as often as its predictions have boxes."""
    once = {part.prediction.once for part in section.parts if part.prediction}
    if len(once) > 1:
        return VOTE_AS_BOXED
    return VOTE_ONCE if once == {True} else VOTE_AGAIN


def _to_vote(number: int, part: LessonPart, options: Sequence[LessonChoice]) -> Markup:
    prediction = part.prediction
    assert prediction
    columns = (*_votes(prediction), "the model")
    boxes = Markup('<td class="vote">☐</td>') * len(columns)
    rows = Markup("").join(Markup("<tr><td>{}{}</td>{}</tr>").format(option.words, _whole(option), boxes) for option in options)
    head = Markup("<thead><tr><th></th>{}</tr></thead>").format(
        Markup("").join(Markup("<th>{}</th>").format(column) for column in columns)
    )
    asked = Markup("<h3>{}. {}</h3>").format(number, prediction.ask)
    return Markup('<div class="ask">{}<table>{}<tbody>{}</tbody></table></div>').format(asked, head, rows)


def _whole(option: LessonChoice) -> Markup:
    return Markup('<div class="offered">{}</div>').format(option.text) if option.text else Markup()


def _to_answer(check: LessonQuestion) -> Markup:
    listed = Markup("").join(Markup("<p>☐ {}</p>").format(choice.words) for choice in check.choices)
    return Markup('<div class="check"><h3>{}</h3>{}</div>').format(check.ask, listed)
