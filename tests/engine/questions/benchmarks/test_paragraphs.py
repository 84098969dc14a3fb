"""HotpotQA, 2WikiMultiHopQA, MuSiQue and the length sweeps made of HotpotQA are recognised, with their evidence."""

from __future__ import annotations

from typing import Any

from readers.engine.text.document import Span
from tests.engine.questions.benchmarks.reading import fields, lines, listed, quoted, read, usable

HOTPOT: dict[str, Any] = {
    "_id": "5a01", "question": "Who keeps the lamp of the pier at Orrin?", "answer": "Mette Falk",
    "type": "bridge", "level": "hard", "supporting_facts": [["Orrin", 1], ["Long Pier", 0]],
    "context": [
        ["Long Pier", ["The Long Pier has one lamp, kept by Mette Falk.", " It is of iron."]],
        ["Falk", ["Falk is a name."]],
        ["Orrin", ["Orrin is a town.", " Its only pier is the Long Pier."]],
    ],
}  # fmt: skip
TWO_WIKI = {
    **HOTPOT, "_id": "2w", "type": "compositional", "evidences": [["Orrin", "pier", "Long Pier"]],
    "context": [["Orrin", ["Orrin is a town.", "Its only pier is the Long Pier."]], HOTPOT["context"][0]],
}  # fmt: skip
MUSIQUE = {
    "id": "2hop__11_22", "question": "Who keeps it?", "answer": "Mette Falk", "answer_aliases": ["M. Falk"], "answerable": True,
    "paragraphs": [
        {"idx": 0, "title": "Falk", "paragraph_text": "Falk is a name.", "is_supporting": False},
        {"idx": 1, "title": "Orrin", "paragraph_text": "The lamp at Orrin is kept by Mette Falk.", "is_supporting": True},
    ],
    "question_decomposition": [{"id": 11, "question": "?", "answer": "Orrin", "paragraph_support_idx": 1}],
}  # fmt: skip


def test_hotpotqa_gives_its_paragraphs_and_the_supporting_sentences_as_evidence() -> None:
    found = read(listed(HOTPOT, {**HOTPOT, "_id": "5a02", "supporting_facts": [["Nowhere", 0]]}), "hotpot_dev_distractor_v1.json")
    asked, without = usable(found)
    assert (asked.key, asked.answers, asked.answerable) == ("5a01", ("Mette Falk",), True)
    assert quoted(found, asked) == ["The Long Pier has one lamp, kept by Mette Falk.", "Its only pier is the Long Pier."]
    assert fields(asked) == {"benchmark": "HotpotQA", "scores": "exact_match, f1", "type": "bridge", "level": "hard"}
    assert found.set.documents[0].text.startswith(
        "Long Pier\n\nThe Long Pier has one lamp, kept by Mette Falk. It is of iron.\n\nF"
    )
    assert without.evidence == ()
    assert found.notes[0] == "HotpotQA: 1 of 2 questions name supporting facts that are not among their paragraphs (row 2)."
    assert found.recognised == (("HotpotQA", ("exact_match", "f1"), 2, 1),)


def test_hotpotqa_in_columns_is_the_same() -> None:
    titles, sentences = zip(*HOTPOT["context"], strict=True)
    facts = {"title": ["Orrin", "Long Pier"], "sent_id": [1, 0]}
    row = {**HOTPOT, "context": {"title": titles, "sentences": sentences}, "supporting_facts": facts, "id": "5a01"}
    del row["_id"]
    assert read(lines(row), "validation.jsonl").set.id == read(listed(HOTPOT), "dev.json").set.id


def test_2wiki_is_told_from_hotpotqa_and_its_sentences_are_parted() -> None:
    found = read(listed(TWO_WIKI, indent=1), "dev.json")
    (asked,) = usable(found)
    assert fields(asked)["benchmark"] == "2WikiMultiHopQA"
    assert "Orrin is a town. Its only pier is the Long Pier." in found.set.documents[0].text
    assert len(asked.evidence) == 2


def test_musique_has_aliases_hops_and_unanswerable_twins() -> None:
    twin = {**MUSIQUE, "answerable": False, "paragraphs": MUSIQUE["paragraphs"][:1]}
    found = read(lines(MUSIQUE, twin), "musique_full_v1.0_dev.jsonl")
    asked, unanswerable = usable(found)
    assert (asked.answers, fields(asked)["hops"]) == (("Mette Falk", "M. Falk"), "2")
    assert quoted(found, asked) == ["The lamp at Orrin is kept by Mette Falk."]
    assert (unanswerable.answers, unanswerable.answerable, unanswerable.key) == ((), False, "2hop__11_22 (unanswerable)")


def test_a_test_set_without_answers_is_imported_and_counted() -> None:
    row = {name: value for name, value in HOTPOT.items() if name not in ("answer", "supporting_facts")}
    found = read(listed(row), "hotpot_test.json")
    assert usable(found)[0].answerable is None
    assert "HotpotQA: 1 of 1 questions have no known answer (row 1)." in found.notes


def test_ruler_hqa_has_its_documents_and_rememr1s_marks_the_evidence() -> None:
    text = "Document 1:\nFalk\nFalk is a name.\n\nDocument 2:\nOrrin\nThe lamp is kept by Mette Falk."
    row = {"context": text, "input": "Who keeps it?", "answers": ["Mette Falk"], "num_docs": 2, "index": 7}
    marked = {**row, "evidence_idx": [1], "level": "hard", "type": "bridge", "id": "5a01", "is_ordered": True, "min_distance": 1}
    found = read(listed(row, marked), "eval_50.json")
    asked, known = usable(found)
    assert (asked.key, asked.answers, asked.evidence) == ("7", ("Mette Falk",), ())
    assert quoted(found, known) == ["Orrin\nThe lamp is kept by Mette Falk."]
    assert fields(known) | {"scores": "", "benchmark": ""} == {
        "benchmark": "", "scores": "", "num_docs": "2", "index": "7", "level": "hard", "type": "bridge", "is_ordered": "true",
        "min_distance": "1",
    }  # fmt: skip


def test_ruler_hqa_that_counts_paragraphs_takes_them_from_hotpotqas_file() -> None:
    row = {"context": [2, 1], "input": "Who keeps it?", "answers": ["Mette Falk"], "num_docs": 2, "index": 0}
    alone = read(listed(row), "eval_12800.json")
    assert "give that file as well" in str(alone.problems[0])
    found = read(listed(row), "eval_12800.json", ("hotpot_dev_distractor_v1.json", listed(HOTPOT)))
    usable(found)
    assert found.set.documents[0].text == (
        "Document 1:\nOrrin\nOrrin is a town. Its only pier is the Long Pier.\n\n"
        "Document 2:\nLong Pier\nThe Long Pier has one lamp, kept by Mette Falk. It is of iron."
    )
    assert "outside the given HotpotQA file" in str(
        read(listed({**row, "context": [9]}), "e.json", ("h.json", listed(HOTPOT))).problems
    )


def test_evidence_of_a_repeated_sentence_is_where_it_is_marked() -> None:
    row = {**HOTPOT, "context": [["A", ["Same."]], ["B", ["Same.", " Other."]]], "supporting_facts": [["B", 0]]}
    assert usable(read(listed(row), "h.json"))[0].evidence == (Span(13, 18),)
