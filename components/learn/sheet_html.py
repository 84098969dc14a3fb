"""A lesson's sheet to print, as one HTML file: for the teacher first, then for each learner. Pure, nothing is fetched.

The teacher's part has the goals, the timing, what to do in each section, the votes to expect, and all answers. The learner's has
the questions with boxes for two votes, and no answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from components.html import styles
from components.learn.lesson import FATE, Check, Lesson, Option, Part, Section
from readers.engine.text.phrases import counted

Offered = Mapping[Part, Sequence[Option]]  # what can be predicted at each part that is predicted


def sheet(lesson: Lesson, title: str, offered: Offered) -> str:
    """The sheet of a lesson. `title` is the lesson's on the page; `offered` has the options of every prediction."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    style = styles.sheet("learn_sheet")
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title><style>{style}</style>'
    )
    body = f"{_teacher(lesson, title, offered)}{_learner(lesson, title, offered)}"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _teacher(lesson: Lesson, title: str, offered: Offered) -> str:
    goals = "".join(f"<li>{escape(goal)}</li>" for goal in lesson.goals)
    sections = "".join(_section(section, offered) for section in lesson.sections)
    return (
        f'<section class="teacher"><p class="small">For the teacher · {lesson.minutes} minutes</p><h1>{escape(title)}</h1>'
        f"<p>{escape(lesson.about)}</p><h2>Goals</h2><ul>{goals}</ul><h2>Timing</h2>{_timing(lesson)}{sections}</section>"
    )


def _timing(lesson: Lesson) -> str:
    """When each section, and each stage of its plan, begins and ends, in minutes from the start."""
    rows, at = [], 0
    for section in lesson.sections:
        title = f"<b>{escape(section.title)}</b>"
        rows.append(f'<tr><td class="time">{_from(at, section.minutes)}</td><td>{title}</td><td>{_asked_in(section)}</td></tr>')
        until = at
        for stage in section.plan:
            time, until = _from(until, stage.minutes), until + stage.minutes
            rows.append(f'<tr class="stage"><td class="time">{time}</td><td colspan="2">{escape(stage.what)}</td></tr>')
        at += section.minutes
    return f"<table><thead><tr><th>Minutes</th><th>Section</th><th></th></tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _from(at: int, minutes: int) -> str:
    return f"{at} to {at + minutes}"


def _asked_in(section: Section) -> str:
    votes = sum(part.prediction is not None for part in section.parts)
    told = [counted(votes, "vote")] if votes else []
    return ", ".join([*told, *([counted(len(section.checks), "question")] if section.checks else [])])


def _section(section: Section, offered: Offered) -> str:
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in section.notes)
    asked = "".join(_answered(part, offered[part]) for part in section.parts if part.prediction)
    checks = "".join(_check_answered(check) for check in section.checks)
    return f"<h2>{escape(section.title)} <span class=small>{section.minutes} min</span></h2>{notes}{asked}{checks}"


def _answered(part: Part, options: Sequence[Option]) -> str:
    """A prediction with what the model did and the votes to expect."""
    prediction = part.prediction
    assert prediction
    listed = "".join(
        f'<li class="right">{escape(option.name)} (so it was)</li>' if option.right else f"<li>{escape(option.name)}</li>"
        for option in options
    )
    votes = f"<p><i>Votes to expect:</i> {escape(prediction.votes)}</p>" if prediction.votes else ""
    told = "".join(f"<p>{escape(words)}</p>" for words in part.words if FATE not in words)
    step = f"step {part.step}" if part.step else "the last step"
    name = f"{escape(part.name)} <span class=small>{step}</span>"
    return f'<div class="ask"><h3>{name}</h3><p>{escape(prediction.ask)}</p><ul>{listed}</ul>{votes}{told}</div>'


def _check_answered(check: Check) -> str:
    listed = "".join(
        f"<li{' class=right' if choice.right else ''}>{escape(choice.words)} "
        f"<span class=small>{escape(choice.feedback)}</span></li>"
        for choice in check.choices
    )
    return f'<div class="check"><h3>{escape(check.ask)}</h3><ul>{listed}</ul></div>'


def _learner(lesson: Lesson, title: str, offered: Offered) -> str:
    predictions = "".join(_to_vote(number, part, offered[part]) for number, part in enumerate(lesson.predictions(), 1))
    checks = "".join(_to_answer(check) for check in lesson.checks)
    return (
        f'<section class="learner"><p class="small">For learners</p><h1>{escape(title)}</h1><h2>Before you see it</h2>'
        f"<p>Vote alone, then talk, then vote again. Last comes what the model did.</p>{predictions}<h2>Afterwards</h2>{checks}"
        "<h3>Where was the answer lost? Name the reading and the step.</h3>"
        f"{'<div class=line></div>' * 3}</section>"
    )


def _to_vote(number: int, part: Part, options: Sequence[Option]) -> str:
    prediction = part.prediction
    assert prediction
    boxes = '<td class="vote">☐</td>' * 3
    rows = "".join(f"<tr><td>{escape(option.name)}{_whole(option)}</td>{boxes}</tr>" for option in options)
    head = "<thead><tr><th></th><th>first vote</th><th>second vote</th><th>the model</th></tr></thead>"
    asked = f"<h3>{number}. {escape(prediction.ask)}</h3>"
    return f'<div class="ask">{asked}<table>{head}<tbody>{rows}</tbody></table></div>'


def _whole(option: Option) -> str:
    return f'<div class="offered">{escape(option.text)}</div>' if option.text else ""


def _to_answer(check: Check) -> str:
    listed = "".join(f"<p>☐ {escape(choice.words)}</p>" for choice in check.choices)
    return f'<div class="check"><h3>{escape(check.ask)}</h3>{listed}</div>'
