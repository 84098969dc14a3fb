"""The lessons that come along: what they name exists, and what they say that a model did is what it did."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from components.learn import sheet_html
from components.lessons import html, minutes, recorded, wording
from components.lessons.lesson import Lesson, LessonPart
from components.lessons.lesson_file import lessons
from components.session.samples import recordings
from components.widgets import method_drawings
from readers import get
from readers.engine.errors import NotFound
from readers.engine.record.events import Answered, Asked, Cut, Looked, Wrote
from readers.engine.record.trace import SCORE_PROMPT
from readers.engine.text import refs, tokens

METHODS = {"memwalker", "readagent", "qrmem", "memagent", "rememr1"}
PARTS = [pytest.param(part, id=f"{lesson.id}-{part.recording}-{part.step}") for lesson in lessons() for part in lesson.parts()]
PREDICTED = [
    pytest.param(part, id=f"{lesson.id}-{part.recording}-{part.step}") for lesson in lessons() for part in lesson.predictions()
]


def test_there_is_a_lesson_of_a_quarter_of_an_hour_on_each_of_the_five_methods() -> None:
    short = [lesson for lesson in lessons() if lesson.method]
    assert {lesson.method for lesson in short} == METHODS
    for lesson in short:
        assert 12 <= lesson.minutes <= 19
        assert len([part for part in lesson.predictions() if not part.repairs]) == 2
        assert len(lesson.checks) == 3
        assert [drawn for section in lesson.sections for drawn in section.drawings] == [lesson.method]
        assert method_drawings.has(lesson.method)
        _, _, worked, failed, _ = lesson.sections
        assert len(worked.parts) >= 4
        assert failed.known
        assert {recorded.reading(part.recording).run.reader for part in lesson.parts()} == {lesson.method}


@pytest.mark.parametrize("part", PARTS)
def test_every_named_part_is_a_step_of_a_recording(part: LessonPart) -> None:
    assert part.step <= len(recorded.frames(part.recording)["steps"])
    assert len(recorded.quotes(part)) == len(part.quotes)  # each stands in the text, or was written by this step


@pytest.mark.parametrize(
    "part", [part for lesson in lessons() for part in lesson.parts() if part.write], ids=lambda part: part.name
)
def test_who_is_the_model_once_has_before_them_what_it_had(part: LessonPart) -> None:
    before = recorded.before_the_model(part)
    assert part.keeps in " ".join(before)
    assert recorded.written_by_model(part) in [wrote.text for wrote in recorded.reading(part.recording).trace.wrote.values()]
    assert recorded.keeps(part, f"It says: {part.keeps}.") == "carried"
    assert recorded.keeps(part, "") == "lost"


def test_a_repair_ends_beside_the_reading_that_it_repairs() -> None:
    ended = [(part, dict(found)) for lesson in lessons() for part in lesson.parts() if (found := recorded.outcomes(part))]
    repairs = {name for part, _ in ended for name in part.repairs or (part.recording,)}
    assert repairs == {one.path.stem for one in recordings() if one.parent and get(one.reader).id in METHODS}
    walked = next(told for part, told in ended if part.recording == "memwalker-lamp-harmonium-mended")
    assert walked == {recorded.AS_IT_WAS: recorded.NO_ANSWER, "Part 2.1 opened by hand": "(D)", recorded.IN_THE_TEXT: "Eleven"}
    assert recorded.is_right("memwalker-lamp-harmonium-mended")  # a letter, of the four answers that were offered
    for part, told in ended:
        for name in part.repairs or (part.recording,):
            assert told[recorded.recording_of(name).changed] == recorded.reading(name).run.answer


def test_repairs_to_choose_from_are_forks_of_what_is_shown_and_not_all_of_them_help() -> None:
    chosen = [part for lesson in lessons() for part in lesson.parts() if part.repairs]
    assert chosen
    for part in chosen:
        assert part.prediction
        shown = recorded.recording_of(part.recording)
        assert {recorded.recording_of(name).parent for name in part.repairs} == {shown.id}
        right = [option.right for option in recorded.options(part, part.prediction)]
        assert right == [recorded.is_right(name) is True for name in part.repairs]
        assert set(right) == {True, False}
        assert not recorded.is_right(part.recording)


def test_every_fork_says_what_was_changed_and_no_other_recording_does() -> None:
    for one in recordings():
        assert bool(one.changed) == bool(one.parent)


@pytest.mark.parametrize("part", PREDICTED)
def test_what_is_right_to_predict_is_what_the_model_did(part: LessonPart) -> None:
    prediction = part.prediction
    assert prediction
    options = recorded.options(part, prediction)
    assert len(options) >= 2
    assert part.repairs or sum(option.right for option in options) == 1
    if prediction.choices or part.repairs:
        assert part.proof
    else:
        assert recorded.offer(part)


@pytest.mark.parametrize("part", PARTS)
def test_what_a_part_says_is_there_is_there_and_what_it_says_is_not_is_not(part: LessonPart) -> None:
    said, shown = _said_at(part), _shown_at(part)
    assert [words for words in part.proof if words not in said] == []
    assert all(words in recorded.reading(part.recording).document.text for words in part.absent)  # else it is nowhere to be seen
    assert shown or not part.absent
    assert [words for words in part.absent if words in said + shown] == []
    trace = recorded.reading(part.recording).trace
    wrote = [event.text for event in trace.events[: trace.steps[part.step - 1].end] if isinstance(event, Wrote)]
    assert all(words in trace.document.text for words in part.unwritten)
    assert wrote or not part.unwritten or part.step == 1
    assert [words for words in part.unwritten if any(words in text for text in wrote)] == []


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_what_a_lesson_says_was_answered_is_the_answer_of_one_of_its_recordings(lesson: Lesson) -> None:
    answers = {recorded.reading(name).run.answer or "" for part in lesson.parts() for name in part.recordings}
    answers |= {re.sub(r"^\([A-D]\) ", "", answer) for answer in answers}
    told = " ".join(words for part in lesson.parts() for words in part.words)
    assert {answer for answer in re.findall(r"answer(?:s|ed|) (?:is )?“([^”]+)”", told) if answer not in answers} == set()


def _told(lesson: Lesson) -> dict[str, list[str]]:
    """What a lesson says of its recordings, by the part or section that says it."""
    told = {section.title: list(section.words) for section in lesson.sections}
    for part in lesson.parts():
        choices = part.prediction.choices if part.prediction else ()
        told[part.name] = [*part.words, *(choice.feedback for choice in choices)]
    return told


def _recorded_words(lesson: Lesson) -> str:
    """All that was read, asked, written, replied and told in the recordings of a lesson."""
    found: list[str] = []
    for name in sorted({name for part in lesson.parts() for name in part.recordings}):
        run, document, trace, records = recorded.reading(name)
        found += [document.title, document.text, run.question]
        found += [wrote.text for wrote in trace.wrote.values()] + [record.reply or "" for record in records]
        found += [str(step["say"]) for step in recorded.frames(name)["steps"]] + list(get(run.reader).names(trace).values())
    return "\n".join(found)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_what_a_lesson_quotes_occurs_in_its_recordings(lesson: Lesson) -> None:
    words = _recorded_words(lesson)
    quoted = {(name, quote) for name, told in _told(lesson).items() for quote in re.findall("“([^”]+)”", " ".join(told))}
    assert {(name, quote) for name, quote in quoted if quote.rstrip(".,") not in words} == set()


SUMS = {"1,747", "1,530"}  # of several places, counted below


def _numbers(words: str) -> set[str]:
    return {number.rstrip(",") for number in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", words)}


def _counted(lesson: Lesson) -> set[str]:
    """The options of a lesson's recordings, and how many words and characters were read and written in them."""
    found: set[int] = set()
    for name in {part.recording for part in lesson.parts()}:
        _, document, trace, _ = recorded.reading(name)
        spans = [span for event in trace.events if isinstance(event, Cut) for span in event.spans]
        texts = [document.text[slice(*span)] for span in spans] + [wrote.text for wrote in trace.wrote.values()]
        found |= {number for text in texts for number in (len(text), len(text.split()))}
        found |= {round(len(document.text.split()), places) for places in (-2, -3)}
        options = json.loads(recorded.recording_of(name).path.read_text(encoding="utf-8"))["run"]["spec"]["options"]
        found |= {value for value in options.values() if isinstance(value, int)}
    return {f"{number:,}" for number in found}


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_a_number_in_a_lesson_is_in_its_recordings_or_counted_in_them_unless_a_paper_says_it(lesson: Lesson) -> None:
    found = _numbers(_recorded_words(lesson)) | _counted(lesson) | SUMS
    said = [words for told in _told(lesson).values() for words in re.split(r"(?<=[.?!]) ", " ".join(told))]
    assert [words for words in said if not re.search("paper|published", words) and _numbers(words) - found] == []


def test_the_sums_in_lessons_are_those_of_their_places() -> None:
    postcards, sarn = recorded.reading("readagent-bridge-postcards"), recorded.reading("qrmem-sarn-three-bars")
    _, *others = [event for event in postcards.trace.events if isinstance(event, Looked) and event.why]
    text = postcards.document.text
    assert sum(len(text[slice(*span)].split()) for event in others for span in event.spans) == 1_747
    segments = next(event.spans for event in sarn.trace.events if isinstance(event, Cut))
    assert sum(tokens.count(sarn.document.text[slice(*segments[number - 1])]) for number in (4, 8, 12)) == 1_530


def test_only_four_relations_of_the_net_in_the_lesson_were_put_together_with_the_question_in_mind() -> None:
    trace = recorded.reading("qrmem-sarn-three-bars").trace
    built = [event for event in trace.events[: trace.built_until] if isinstance(event, Asked)]
    assert {event.prompt for event in built} >= {"qrmem.relations", "qrmem.same"}
    pieces = {call: [piece for _, texts in call.parts for text in texts for piece in text] for call in built}
    told = [call.prompt for call, shown in pieces.items() if any(piece.origin == refs.QUESTION for piece in shown)]
    assert told == ["qrmem.merge_relations"] * 4


def _said_at(part: LessonPart) -> str:
    """What the recording says at a step: the sentence, what was written, and the answer."""
    trace = recorded.reading(part.recording).trace
    step = trace.steps[part.step - 1]
    told = [str(recorded.frames(part.recording)["steps"][part.step - 1]["say"])]
    told += [event.text for event in trace.of(step) if isinstance(event, (Wrote, Answered))]
    return "\n".join(told)


def _shown_at(part: LessonPart) -> str:
    """What the model was shown at a step, apart from the question."""
    trace = recorded.reading(part.recording).trace
    step = trace.steps[part.step - 1]
    calls = [event for event in trace.of(step) if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]
    shown = [texts for call in calls for name, texts in call.parts if name not in ("question", "choices")]
    pieces = [piece for texts in shown for text in texts for piece in text]
    texts = {"document": trace.document.text, **{refs.wrote(n): wrote.text for n, wrote in trace.wrote.items()}}
    return "\n".join(texts.get(piece.origin, "")[piece.begin : piece.stop] for piece in pieces)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_quotations_of_a_failure_have_their_place_in_the_text(lesson: Lesson) -> None:
    for section in lesson.sections:
        for name in {part.recording for part in section.parts if section.known}:
            found = recorded.evidence(name)
            assert found
            assert found["evidence"]
            assert found["lives"]


def test_a_query_to_the_past_is_no_stated_reason() -> None:
    told = {(part.recording, part.step): recorded.stated_reason(part) for lesson in lessons() for part in lesson.predictions()}
    assert "to ..." in told.values()
    assert not [reason for (name, _), reason in told.items() if name.startswith("rememr1") and reason]


def test_a_place_of_the_text_that_was_offered_is_there_whole() -> None:
    part = next(part for lesson in lessons() if lesson.method == "readagent" for part in lesson.predictions())
    assert part.prediction
    (right,) = [option for option in recorded.options(part, part.prediction) if option.right]
    assert right.text == "Section 4. Evidence: The Closing"
    assert all(
        option.text in recorded.reading(part.recording).document.text for option in recorded.options(part, part.prediction)
    )


def test_an_option_that_was_offered_is_there_whole() -> None:
    part = next(part for lesson in lessons() if lesson.method == "memwalker" for part in lesson.predictions())
    assert part.prediction
    texts = [option.text for option in recorded.options(part, part.prediction)]
    trace = recorded.reading(part.recording).trace
    assert len(texts) == 3
    assert set(texts) <= {wrote.text for wrote in trace.wrote.values()}
    assert max(len(text) for text in texts) > 800


def test_the_lesson_for_a_class_takes_45_minutes_and_compares_two_methods_on_one_question() -> None:
    (lesson,) = [lesson for lesson in lessons() if not lesson.method]
    assert lesson.minutes == 45
    shown = [recorded.reading(part.recording).run for part in lesson.parts()]
    assert {run.reader for run in shown} >= {"readagent", "rememr1"}
    assert len({run.question for run in shown}) == 1
    assert all(part.prediction and part.prediction.votes for part in lesson.predictions())
    assert all(section.notes and section.plan for section in lesson.sections)
    told = " ".join(stage.what for section in lesson.sections for stage in section.plan)
    assert all(word in told for word in ("Predict", "vote alone", "Talk", "Vote again", "show", "Compare", "Discuss"))
    assert wording.takes(lesson) == "45 minutes with a class, about 25 minutes alone"


def _boiler() -> Lesson:
    return next(lesson for lesson in lessons() if lesson.id == "boiler")


def test_a_leaf_for_learners_gives_nothing_away_of_what_comes_before_the_next() -> None:
    lesson = _boiler()
    offered = {part: recorded.options(part, part.prediction) for part in lesson.predictions() if part.prediction}
    leaves = sheet_html.sheet(lesson, lesson.title, offered).split('<div class="leaf">')[1:]
    titles = ("ReadAgent reads", "ReMemR1 reads", "Repair them", "What would the others do?", "Three questions")
    for leaf, title in zip(leaves, titles, strict=True):
        assert f"<h1>{title}</h1>" in leaf
    assert "Thirty-nine tons" not in leaves[0]  # what comes of the second reading
    assert "Section 4" not in leaves[1]  # the memory after chunk 2, which is predicted on this leaf
    assert [sheet_html.LOST in leaf for leaf in leaves] == [False] * 4 + [True]


def test_the_plan_hands_out_every_leaf_before_its_first_vote() -> None:
    leaves = [section for section in _boiler().sections if section.checks or any(part.prediction for part in section.parts)]
    for number, section in enumerate(leaves, 1):
        plan = " ".join(stage.what for stage in section.plan)
        assert plan.count("leaf") == 1
        assert f"Hand out leaf {number}." in plan.split("vote")[0]


def test_five_minutes_of_the_plan_may_be_left_out_and_the_teachers_sheet_says_which() -> None:
    lesson = _boiler()
    spare = [stage for section in lesson.sections for stage in section.plan if stage.spare]
    assert sum(stage.minutes for stage in spare) == 5
    assert not [stage for stage in spare if "leaf" in stage.what or "ote" in stage.what]  # no vote falls out
    offered = {part: recorded.options(part, part.prediction) for part in lesson.predictions() if part.prediction}
    assert sheet_html.sheet(lesson, lesson.title, offered).count(sheet_html.SPARE) == len(spare)


def test_the_plan_names_every_part_on_the_screen_in_its_order() -> None:
    for section in _boiler().sections:
        assert all(stage.screen for stage in section.plan)
        shown = "; ".join(stage.screen for stage in section.plan)
        places = [shown.index(part.name) for part in section.parts]
        assert places == sorted(places)


def test_a_second_vote_is_on_the_sheet_where_the_plan_has_one_and_only_there() -> None:
    lesson = _boiler()
    offered = {part: recorded.options(part, part.prediction) for part in lesson.predictions() if part.prediction}
    teacher, *leaves = sheet_html.sheet(lesson, lesson.title, offered).split('<div class="leaf">')
    again = [sum("Vote again" in stage.what for stage in section.plan) for section in lesson.sections]
    assert again == [0, 0, 1, 0, 1, 0, 0]
    assert teacher.count("second vote") == sum(again)
    assert [leaf.count("second vote") for leaf in leaves] == again[2:]
    how = (sheet_html.VOTE_AS_BOXED, sheet_html.VOTE_ONCE, sheet_html.VOTE_AS_BOXED, sheet_html.VOTE_ONCE)
    assert all(f"<p>{words}</p>" in leaf for words, leaf in zip(how, leaves, strict=False))
    short = next(each for each in lessons() if each.method)
    options = {part: recorded.options(part, part.prediction) for part in short.predictions() if part.prediction}
    assert sheet_html.VOTE_AGAIN in sheet_html.sheet(short, short.title, options)


def test_who_predicted_wrongly_is_told_what_the_model_answered() -> None:
    (answer,) = [part for part in _boiler().predictions() if part.name == "Its answer"]
    assert answer.prediction
    assert answer.proof[0] in answer.words[0]  # the right choice does not name it


def test_repairs_are_proposed_before_the_screen_shows_what_was_tried() -> None:
    (repair,) = [section for section in _boiler().sections if section.title == "Repair them"]
    unchanged = {part.recording for section in _boiler().sections[:3] for part in section.parts}
    assert repair.parts[0].recording in unchanged
    assert repair.parts[0].prediction is None
    assert not re.search("page|memory", wording.onward(repair.parts[1].name))  # the button that stands there meanwhile


def test_the_text_of_a_class_is_printed_whole_with_nothing_marked() -> None:
    page = sheet_html.text_to_print("A <b>", "One & two.\n\nThree.")
    assert "<p>One &amp; two.</p><p>Three.</p>" in page
    assert "<title>A &lt;b&gt;</title>" in page


def test_a_class_is_told_when_a_section_begins_and_ends() -> None:
    assert wording.clock(_boiler(), 0) == "With a class: minutes 0 to 5 of 45."
    assert wording.clock(_boiler(), 2) == "With a class: minutes 10 to 19 of 45."


def test_what_is_quoted_says_where_it_stands_and_who_wrote_it() -> None:
    parts = [part for lesson in lessons() if lesson.method == "readagent" for part in lesson.parts()]
    shown = {one[0]: one for part in parts for one in recorded.quotes(part)}
    gist, text = shown["30 Oct 1957: Boiler taken over bridge."], shown["Section 4. Evidence: The Closing"]
    assert gist[1:3] == ("the gist of page 3, written by the model", True)
    page = recorded.reading("readagent-bridge-boiler").document.text[slice(*(gist[3] or ()))]
    assert "weighing nine tons" in page
    (memory,) = [one for part in _boiler().parts() if part.name.startswith("It is overwritten") for one in recorded.quotes(part)]
    assert memory[1] == "the memory after chunk 4, written by the model"
    _, where, by_model, place = text
    assert place
    assert where.startswith("the text, from word ")
    assert not by_model
    assert html.beside(["<b>"], [text]).count("<blockquote>") == 1
    with pytest.raises(NotFound, match="stands neither"):
        recorded.quotes(replace(parts[0], quotes=("no such words",)))


def _text_of(html: str, class_name: str) -> str:
    inside = html.split(f'<section class="{class_name}">')[1].split("</section>")[0]
    return unescape(re.sub(r"<[^>]+>", " ", inside))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_sheet_tells_the_teacher_all_and_the_learners_no_answer(lesson: Lesson) -> None:
    offered = {part: recorded.options(part, part.prediction) for part in lesson.predictions() if part.prediction}
    page = sheet_html.sheet(lesson, lesson.title, offered)
    teacher, learner = _text_of(page, "teacher"), _text_of(page, "learner")
    begins, ends = minutes.of_class(lesson)[-1]
    assert f"{begins} to {ends}" in teacher
    for part, options in offered.items():
        assert part.prediction
        for words in (teacher, learner):
            assert part.prediction.ask in words
            assert all(option.words in words for option in options)
        assert part.prediction.votes in teacher
        assert part.words[0] in teacher
        assert part.words[0] not in learner
    for check in lesson.checks:
        assert all(choice.words in learner and choice.feedback in teacher for choice in check.choices)
        assert not any(choice.feedback in learner for choice in check.choices)
    assert all(note in teacher for section in lesson.sections for note in section.notes)
    assert all(stage.what in teacher and stage.what not in learner for section in lesson.sections for stage in section.plan)
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
