"""A lesson's sheet to print, as one HTML file: for the teacher first, then leaves for each learner. Pure, nothing is fetched.

The teacher's part has the goals, the timing, what to do in each section, the votes to expect with boxes to count in, and all
answers. The learner's has the questions with boxes for their votes, and no answers: a leaf for each section, since a question
often says what came before it. The text of a lesson is a file of its own (`text_to_print`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from components.html import styles
from components.learn.html import paragraphs
from components.learn.lesson import Choice, Lesson, LessonSection, Part, Question
from readers.engine.text.phrases import counted

VOTE_ONCE = "Vote alone. Then comes what the model did."
VOTE_AGAIN = "Vote alone, then talk, then vote again. Last comes what the model did."
VOTE_AS_BOXED = "Vote alone. Where there is a second box, talk and vote again. Last comes what the model did."
LOST = "Where was the answer lost? Name the reading and the step."
Offered = Mapping[Part, Sequence[Choice]]  # what can be predicted at each part that is predicted


def sheet(lesson: Lesson, title: str, offered: Offered) -> str:
    """The sheet of a lesson. `title` is the lesson's on the page; `offered` has the options of every prediction."""
    return _page(title, f"{_teacher(lesson, title, offered)}{_learner(lesson, title, offered)}")


def text_to_print(title: str, text: str) -> str:
    """The text that a class searches, in two columns, with nothing marked."""
    return _page(title, f'<section class="text">{paragraphs(text)}</section>')


def _page(title: str, body: str) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    style = styles.sheet("learn_sheet")
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title><style>{style}</style>'
    )
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _teacher(lesson: Lesson, title: str, offered: Offered) -> str:
    goals = "".join(f"<li>{escape(goal)}</li>" for goal in lesson.goals)
    sections = "".join(_section(section, offered) for section in lesson.sections)
    return (
        f'<section class="teacher"><p class="small">For the teacher · {lesson.minutes} minutes</p><h1>{escape(title)}</h1>'
        f"<p>{escape(lesson.about)}</p><h2>Goals</h2><ul>{goals}</ul>{_before(lesson)}<h2>Timing</h2>{_timing(lesson)}"
        f"{sections}</section>"
    )


def _before(lesson: Lesson) -> str:
    """What to have ready, and how a vote goes: the same for every lesson."""
    told = (
        f"Print {len(_leaves(lesson))} leaves for each learner, on one side each. Hand a leaf out when its section begins, "
        "or when the plan says so: a later one gives away what happened before.",
        "Put the lesson on the projector. After the last vote choose on the screen what most have voted for: only then is it "
        "shown what the model did.",
    )
    return f"<h2>Before the lesson</h2><ul>{''.join(f'<li>{words}</li>' for words in told)}</ul>"


def _leaves(lesson: Lesson) -> list[LessonSection]:
    """The sections on which learners vote or answer."""
    return [section for section in lesson.sections if section.checks or any(part.prediction for part in section.parts)]


def _timing(lesson: Lesson) -> str:
    """When each section, and each stage of its plan, begins and ends, in minutes from the start, and what the screen shows."""
    rows, at = [], 0
    for section in lesson.sections:
        title = f"<b>{escape(section.title)}</b> <span class=small>{_asked_in(section)}</span>"
        rows.append(f'<tr><td class="time">{_from(at, section.minutes)}</td><td colspan="2">{title}</td></tr>')
        until = at
        for stage in section.plan:
            time, until = _from(until, stage.minutes), until + stage.minutes
            told = f'<td class="time">{time}</td><td>{escape(stage.what)}</td><td class="screen">{escape(stage.screen)}</td>'
            rows.append(f'<tr class="stage">{told}</tr>')
        at += section.minutes
    screen = "On the screen" if any(stage.screen for section in lesson.sections for stage in section.plan) else ""
    head = f"<thead><tr><th>Minutes</th><th>Section</th><th>{screen}</th></tr></thead>"
    return f"<table>{head}<tbody>{''.join(rows)}</tbody></table>"


def _from(at: int, minutes: int) -> str:
    return f"{at} to {at + minutes}"


def _asked_in(section: LessonSection) -> str:
    predictions = sum(part.prediction is not None for part in section.parts)
    told = [counted(predictions, "prediction")] if predictions else []
    return ", ".join([*told, *([counted(len(section.checks), "question")] if section.checks else [])])


def _section(section: LessonSection, offered: Offered) -> str:
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in section.notes)
    asked = "".join(_answered(part, offered[part]) for part in section.parts if part.prediction)
    checks = "".join(_check_answered(check) for check in section.checks)
    return f"<h2>{escape(section.title)} <span class=small>{section.minutes} min</span></h2>{notes}{asked}{checks}"


def _answered(part: Part, options: Sequence[Choice]) -> str:
    """A prediction with what the model did and the votes to expect."""
    prediction = part.prediction
    assert prediction
    listed = "".join(
        f"<tr><td{' class=right' if option.right else ''}>{escape(option.words)}{' (so it was)' if option.right else ''}</td>"
        f"{'<td></td>' * len(_votes(prediction))}</tr>"
        for option in options
    )
    columns = "".join(f'<th class="tally">{vote}</th>' for vote in _votes(prediction))
    head = f"<thead><tr><th></th>{columns}</tr></thead>"
    votes = f"<p><i>Votes to expect:</i> {escape(prediction.votes)}</p>" if prediction.votes else ""
    told = "".join(f"<p>{escape(words)}</p>" for words in part.words)
    name = f"{escape(part.name)} <span class=small>step {part.step}</span>"
    asked = f"<h3>{name}</h3><p>{escape(prediction.ask)}</p>"
    return f'<div class="ask">{asked}<table>{head}<tbody>{listed}</tbody></table>{votes}{told}</div>'


def _check_answered(check: Question) -> str:
    listed = "".join(
        f"<li{' class=right' if choice.right else ''}>{escape(choice.words)} "
        f"<span class=small>{escape(choice.feedback)}</span></li>"
        for choice in check.choices
    )
    return f'<div class="check"><h3>{escape(check.ask)}</h3><ul>{listed}</ul></div>'


def _learner(lesson: Lesson, title: str, offered: Offered) -> str:
    """A leaf for each section with a vote or questions."""
    leaves, numbers = _leaves(lesson), {part: number for number, part in enumerate(lesson.predictions(), 1)}
    told = ""
    for at, section in enumerate(leaves, 1):
        head = f'<p class="small">{escape(title)} · leaf {at} of {len(leaves)}</p><h1>{escape(section.title)}</h1>'
        asked = "".join(_to_vote(numbers[part], part, offered[part]) for part in section.parts if part.prediction)
        how = f"<p>{_how(section)}</p>" if asked else ""
        checks = "".join(_to_answer(check) for check in section.checks)
        lost = f"<h3>{LOST}</h3>{'<div class=line></div>' * 3}" if at == len(leaves) else ""
        told += f'<div class="leaf">{head}{how}{asked}{checks}{lost}</div>'
    return f'<section class="learner">{told}</section>'


def _votes(prediction: Question) -> Sequence[str]:
    """The votes that a class has on a prediction."""
    return ("vote",) if prediction.once else ("first vote", "second vote")


def _how(section: LessonSection) -> str:
    """How a leaf is voted on: as often as its predictions have boxes."""
    once = {part.prediction.once for part in section.parts if part.prediction}
    if len(once) > 1:
        return VOTE_AS_BOXED
    return VOTE_ONCE if once == {True} else VOTE_AGAIN


def _to_vote(number: int, part: Part, options: Sequence[Choice]) -> str:
    prediction = part.prediction
    assert prediction
    columns = (*_votes(prediction), "the model")
    boxes = '<td class="vote">☐</td>' * len(columns)
    rows = "".join(f"<tr><td>{escape(option.words)}{_whole(option)}</td>{boxes}</tr>" for option in options)
    head = f"<thead><tr><th></th>{''.join(f'<th>{column}</th>' for column in columns)}</tr></thead>"
    asked = f"<h3>{number}. {escape(prediction.ask)}</h3>"
    return f'<div class="ask">{asked}<table>{head}<tbody>{rows}</tbody></table></div>'


def _whole(option: Choice) -> str:
    return f'<div class="offered">{escape(option.text)}</div>' if option.text else ""


def _to_answer(check: Question) -> str:
    listed = "".join(f"<p>☐ {escape(choice.words)}</p>" for choice in check.choices)
    return f'<div class="check"><h3>{escape(check.ask)}</h3>{listed}</div>'
