"""The lessons in a site: the list of them, and a page for each, with its words, predictions and questions, and the player. Pure.

All that a lesson says stands on its page; a script (`assets/js/site/lesson.js`) shows it section by section and part by part, and
moves the player beside it. What comes after a choice is hidden until it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from components.lessons import html, recorded, wording
from components.lessons.lesson import Lesson, LessonChoice, LessonPart, LessonQuestion, LessonSection
from components.lessons.lesson_file import lessons
from components.publish.contents import PublishedReading
from components.publish.drawings import method
from components.publish.shell import SitePage, joined
from components.replay.file import NO_SCRIPT
from readers import get
from readers.engine.report.html import table

LIST = "lessons/index.html"
NAME = "Lessons"
TOP = "../../"
LEAD = (
    "A problem, an idea, a recorded reading to watch, predictions before you see what the model did, a text to write in its "
    "place, a failure with its repair, and questions. Nothing that you choose or write leaves this page."
)


@dataclass(frozen=True)
class _InSite:
    """The readings of a site that lessons show, by the name of the recording."""

    readings: Mapping[str, PublishedReading]

    def place(self, recording: str, step: int) -> Markup:
        """A reading and its step (from 1), as attributes, in which steps count from 0."""
        return Markup('data-reading="{}" data-at="{}"').format(self.readings[recording].reading.content, step - 1)

    def of(self, lesson: Lesson) -> list[PublishedReading]:
        return [self.readings[name] for part in lesson.parts() for name in part.recordings]


def pages(recordings: Mapping[str, str], published: Sequence[PublishedReading]) -> Iterator[SitePage]:
    """The list, then each lesson. `recordings` are the content ids of the recordings that lessons show, by name; none is no
    lesson."""
    if not recordings:
        return
    ids = {one.reading.content: one for one in published}
    shown = _InSite({name: ids[content] for name, content in recordings.items()})
    yield _list()
    for lesson in lessons():
        yield _page(lesson, shown)


def _title(lesson: Lesson) -> str:
    return f"{get(lesson.method).title}: {wording.inside(lesson.title)}" if lesson.method else lesson.title


def _drawing(lesson: Lesson) -> str:
    """The reader whose drawing stands for a lesson."""
    return next(one for section in lesson.sections for one in section.drawings)


def _list() -> SitePage:
    rows = Markup("").join(
        Markup('<li><a class="gallery-card" href="{}/index.html"><span class="gallery-drawing">{}</span>'
               '<span class="gallery-words"><b class="gallery-question">{}</b><span>{}</span>'
               '<span class="gallery-facts">{}</span></span></a></li>').format(
            lesson.id, method(_drawing(lesson)), _title(lesson), lesson.about, wording.takes(lesson)
        )
        for lesson in lessons()
    )  # fmt: skip
    body = Markup('<h1>{}</h1>\n<p class="gallery-lead">{}</p>\n<section class="gallery"><ul>{}</ul></section>')
    return SitePage(LIST, NAME, body.format(NAME, LEAD, rows))


def _page(lesson: Lesson, shown: _InSite) -> SitePage:
    body = Markup(
        '<div class="site-main" id="lesson" data-top="{}" data-title="{}">\n<h1>{}</h1>\n<p class="site-facts">{}</p>\n'
        "<noscript><p>{}</p></noscript>\n{}\n"
        '<div class="lesson-two"><div class="lesson-words">\n{}\n{}\n{}\n</div>\n'
        '<div class="lesson-stage" hidden></div></div></div>'
    ).format(
        TOP, lesson.title, _title(lesson), wording.takes(lesson), NO_SCRIPT, _ways(lesson),
        joined(_section(lesson, number, shown) for number in range(len(lesson.sections))), _ending(lesson), _onward(),
    )  # fmt: skip
    drawn = any(one.drawn for one in shown.of(lesson))
    about = {"og:type": "article", "og:title": _title(lesson), "og:description": lesson.about}
    return SitePage(
        f"lessons/{lesson.id}/index.html",
        _title(lesson),
        body,
        ["terms", *(["network"] if drawn else []), "player"],  # type: ignore[list-item]
        (),
        "reading",
        about,
    )


def _ways(lesson: Lesson) -> Markup:
    """The sections, each a press away."""
    buttons = joined(
        Markup('<button type="button" data-section="{}">{}</button>').format(number, wording.section(lesson, number))
        for number in range(len(lesson.sections))
    )
    return Markup('<nav class="lesson-sections" aria-label="Sections of this lesson">{}</nav>').format(buttons)


def _section(lesson: Lesson, number: int, shown: _InSite) -> Markup:
    section = lesson.sections[number]
    goals = html.goals(lesson.goals) if number == 0 and lesson.goals else ""
    intro = Markup('<div class="lesson-intro">{}{}{}</div>').format(
        _drawings(section), html.prose(section.words) if section.words else "", goals
    )
    parts = joined(_part(section, place, shown) for place in range(len(section.parts)))
    return Markup(
        '<section class="lesson-section" data-known="{}" data-onward="{}" hidden>\n<h2>{}</h2>\n{}\n{}\n{}\n</section>'
    ).format(
        "yes" if section.known else "",
        wording.onward(section.title),
        section.title,
        intro,
        parts,
        joined(map(_check, section.checks)),
    )


def _drawings(section: LessonSection) -> Markup:
    several = len(section.drawings) > 1
    return joined(
        Markup('<figure class="lesson-drawing">{}{}</figure>').format(html.drawn(get(one).title) if several else "", method(one))
        for one in section.drawings
    )


def _part(section: LessonSection, number: int, shown: _InSite) -> Markup:
    part = section.parts[number]
    asked = ""
    if number and not (part.write and part.step <= recorded.frames(part.recording)["building"]):
        # who writes while building knows no question yet
        asked = html.question(recorded.reading(part.recording).run.question, recorded.offered(part.recording))
    tried = _tried(part, shown)
    told = html.beside(part.words, recorded.quotes(part))
    above = {recorded.recording_of(name).changed for name in part.repairs}
    if ended := [one for one in recorded.outcomes(part) if one[0] not in above]:
        told += html.written([(whose, words, "", whose != recorded.IN_THE_TEXT) for whose, words in ended])
    return Markup(
        '<article class="lesson-part" {} data-onward="{}" hidden>{}{}{}<div class="lesson-told"{}>{}</div></article>\n'
    ).format(
        shown.place(part.recording, part.step), wording.onward(part.name), asked,
        html.part(number + 1, len(section.parts), part.name), tried,
        Markup(" hidden") if tried else "", told,
    )  # fmt: skip


def _tried(part: LessonPart, shown: _InSite) -> Markup:
    """What a learner is to do before they see what the part says; empty for nothing."""
    if part.prediction and part.repairs:
        return _repairs(part, part.prediction, shown)
    return _predict(part, part.prediction) if part.prediction else _write(part) if part.write else Markup()


def _repairs(part: LessonPart, prediction: LessonQuestion, shown: _InSite) -> Markup:
    """The recorded repairs to try, each with what came of it."""
    rows = joined(
        Markup('<div class="lesson-repair" {} data-right="{}">{}<div class="lesson-tried" hidden>{}</div>{}</div>').format(
            shown.place(name, recorded.last_step(name)), "yes" if recorded.is_right(name) else "",
            Markup('<div class="lesson-untried">{}</div>').format(html.repair(changed, None, shown=False)),
            html.repair(changed, (recorded.answer_of(name), bool(recorded.is_right(name))), shown=False),
            Markup('<button type="button" class="tool" aria-label="Try this: {}">Try this</button>').format(changed),
        )
        for name in part.repairs
        for changed in [recorded.recording_of(name).changed]
    )  # fmt: skip
    return Markup('<div class="lesson-repairs">{}{}</div>').format(html.asked(prediction.ask), rows)


def _predict(part: LessonPart, prediction: LessonQuestion) -> Markup:
    """What is to be predicted, and for each choice what is said to those who chose it."""
    options = recorded.options(part, prediction)
    model, reason = recorded.chosen(part, prediction), recorded.stated_reason(part)
    found = recorded.offer(part)
    whole = Markup('<p class="site-soft">{}</p>').format(wording.PREDICTED[found.verb if found else "chose"])
    revealed = joined(
        Markup('<div class="lesson-revealed" data-right="{}" hidden>{}</div>').format(
            "yes" if one.right else "", html.revealed(one.right, one.words, model, one.feedback, reason)
        )
        for one in options
    )
    return Markup('<form class="lesson-predict">{}{}{}<button type="submit" class="lesson-main">{}</button></form>{}').format(
        html.asked(prediction.ask), whole if any(one.text for one in options) else "",
        _choices("What will it do?", options, hidden=True), "Lock in my prediction", revealed,
    )  # fmt: skip


def _choices(legend: str, options: Iterable[LessonChoice], *, hidden: bool = False) -> Markup:
    rows = joined(
        Markup(
            '<div class="lesson-option"><label><input type="radio" name="choice" value="{}"> <span>{}</span></label>{}</div>'
        ).format(
            number,
            one.words,
            Markup('<div class="words" dir="auto">{}</div>').format(html.paragraphs(one.text)) if one.text else "",
        )
        for number, one in enumerate(options)
    )
    kind = Markup(' class="visually-hidden"') if hidden else ""
    return Markup("<fieldset><legend{}>{}</legend>{}</fieldset>").format(kind, legend, rows)


def _write(part: LessonPart) -> Markup:
    """What is to be written in the model's place; afterwards both texts are beside each other."""
    model = recorded.written_by_model(part)
    both = [
        ("You", "", "", False),
        (f"The model: {len(model.split()):,} words", model, wording.kept(recorded.keeps(part, model), part.keeps), True),
    ]
    return Markup(
        '<form class="lesson-write" data-fact="{}">{}<label>What you write in the model’s place'
        '<textarea name="words" rows="6" maxlength="2000"></textarea></label>'
        '<button type="submit" class="lesson-main">Show what the model wrote</button></form>'
        '<div class="lesson-both" hidden>{}</div>'
    ).format(part.keeps, html.to_write(part.write, recorded.before_the_model(part)), html.written(both))


def _check(check: LessonQuestion) -> Markup:
    """A question with its choices, and after an answer what there is to say of it and of the others."""
    told = joined(
        Markup('<div class="lesson-feedback" data-right="{}" hidden>{}{}</div>').format(
            "yes" if one.right else "", html.feedback(one.right, one.feedback),
            html.others([(other.words, other.feedback) for other in check.choices if other is not one]),
        )
        for one in check.choices
    )  # fmt: skip
    return Markup('<form class="lesson-check">{}{}</form>\n').format(_choices(check.ask, check.choices), told)


def _ending(lesson: Lesson) -> Markup:
    """How it went, after the last section; of a lesson on several methods also what became of the fact in each reading."""
    found = ""
    if not lesson.method:
        names = dict.fromkeys(part.recording for part in lesson.parts())
        made = recorded.found_and_used(names)
        found = Markup("<h2>{}</h2>{}").format(made.title, table(made))
    return Markup(
        '<section class="lesson-ending" aria-label="How it went" hidden>{}<div class="learn-result"></div>'
        '<p><a href="../index.html">All lessons</a> <button type="button" class="tool">Take it again</button></p></section>'
    ).format(found)


def _onward() -> Markup:
    return Markup(
        '<div class="lesson-onward"><button type="button" class="tool" data-way="back">Back</button>'
        '<button type="button" class="lesson-main" data-way="onward"></button>'
        '<a class="lesson-whole" hidden>Open this reading whole</a></div>'
    )
