"""QMSum, SQuALITY, SummScreen and GovReport are recognised: all references, and QMSum's relevant turns as evidence."""

from __future__ import annotations

from typing import Any

from tests.engine.questions.benchmarks.reading import fields, lines, listed, quoted, read, usable

MEETING: dict[str, Any] = {
    "topic_list": [{"topic": "Lamp", "relevant_text_span": [["0", "1"]]}],
    "general_query_list": [{"query": "Summarize the meeting.", "answer": "It was about a lamp."}],
    "specific_query_list": [
        {"query": "What did Ann say?", "answer": "That it is out.", "relevant_text_span": [["0", "0"], ["2", "3"]]},
        {"query": "And Ben?", "answer": "Nothing.", "relevant_text_span": [["7", "9"]]},
    ],
    "meeting_transcripts": [
        {"speaker": "Ann", "content": "The lamp is out .\r\n"}, {"speaker": "Ben", "content": "Cafe\u0301 ?"},
        {"speaker": "Ann", "content": "Yes ."}, {"speaker": "Ben", "content": "OK ."},
    ],
}  # fmt: skip


def test_a_meeting_of_qmsum_has_general_and_specific_queries_with_their_turns() -> None:
    found = read(listed(MEETING)[1:-1], "ES2004a.json")
    general, specific, last = usable(found)
    (meeting,) = found.set.documents
    assert (meeting.title, meeting.text) == ("ES2004a", "Ann: The lamp is out .\n\nBen: Café ?\nAnn: Yes .\nBen: OK .\n")
    assert (general.evidence, fields(general)["type"], general.answers) == ((), "general", ("It was about a lamp.",))
    assert quoted(found, specific) == ["Ann: The lamp is out .\n", "Ann: Yes .\nBen: OK ."]
    assert (specific.key, fields(specific)["scores"]) == ("ES2004a, 2", "rouge_1, rouge_2, rouge_l")
    assert last.evidence == ()
    assert found.notes[0] == (
        "QMSum: 1 of 3 questions have relevant turns that their meeting does not have (line 1, query 3)."
    )  # fmt: skip


def test_meetings_in_lines_are_told_apart_by_their_line() -> None:
    other = {**MEETING, "meeting_transcripts": MEETING["meeting_transcripts"][:1]}
    assert [one.title for one in read(lines(MEETING, other), "val.jsonl").set.documents] == ["val, line 1", "val, line 2"]


def test_squality_keeps_all_four_references() -> None:
    told = [{"worker_id": str(n), "uid": "x", "response_text": f"Version {n}."} for n in range(4)]
    row = {
        "metadata": {"passage_id": "63833", "uid": "ea", "license": "This eBook"}, "document": "\nThe Lamp\n\nIt was out.",
        "questions": [{"question_text": "What is the plot?", "question_number": 1, "responses": told}],
    }  # fmt: skip
    found = read(lines(row), "dev.jsonl")
    (asked,) = usable(found)
    assert asked.answers == ("Version 0.", "Version 1.", "Version 2.", "Version 3.")
    assert (asked.key, fields(asked)["question_number"], found.set.documents[0].title) == ("63833, 1", "1", "The Lamp")


def test_an_episode_of_summscreen_is_asked_for_its_recap() -> None:
    row = {
        "Recap": ["Ann finds it .", "Ben leaves ."],
        "Transcript": ["[A pier]", "Ann : Here !"],
        "filename": "The_Pier_01x02.json",
    }
    found = read(lines(row), "fd_dev.json")
    (asked,) = usable(found)
    assert (asked.answers, found.set.documents[0].text) == (("Ann finds it .\nBen leaves .",), "[A pier]\nAnn : Here !")
    assert (asked.key, fields(asked)["show"]) == ("The_Pier_01x02", "The_Pier")


def test_reports_of_both_agencies_are_flattened_in_order() -> None:
    below = {"section_title": "Oil", "paragraphs": ["p2"], "subsections": []}
    top = {
        "section_title": "",
        "paragraphs": [],
        "subsections": [{"section_title": "Lamps", "paragraphs": ["p1"], "subsections": [below]}],
    }
    crs = {"id": "RL1", "title": "Of lamps", "released_date": "2014-02-07", "reports": top, "summary": ["s1", "s2"]}
    shown = [{"section_title": "What was found", "paragraphs": ["s3"]}]
    gao = {"id": "GAO-1", "title": "Of piers", "report": top["subsections"], "highlight": shown, "fastfact": ["f"], "url": "u"}
    found = read(listed(crs)[1:-1], "RL1.json", ("GAO-1.json", listed(gao, indent=1)[1:-1]))
    first, second = usable(found)
    assert [one.text for one in found.set.documents] == ["Lamps\n\np1\n\nOil\n\np2"]
    assert (first.answers, second.answers, fields(second)["agency"]) == (("s1\n\ns2",), ("s3",), "gao")
    assert found.set.name == "GovReport"
    flat = read(lines({"report": "Long.", "summary": "Short."}), "test.jsonl")
    assert usable(flat)[0].answers == ("Short.",)


def test_sections_nested_as_deep_as_json_may_be_are_read() -> None:
    section: dict[str, Any] = {"section_title": "end", "paragraphs": []}
    for _ in range(400):
        section = {"section_title": "s", "paragraphs": [], "subsections": [section]}
    found = read(lines({"id": "x", "title": "t", "reports": section, "summary": ["s"]}), "x.json")
    usable(found)
    assert found.set.documents[0].text.endswith("end")
