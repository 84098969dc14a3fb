"""The life of every sentence of a memory: each way of going on, and that every sentence has exactly one place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from readers.engine.analysis import sentence_history
from readers.engine.analysis.sentence_history import HOWS, NOWHERE, Over, SentenceHistories, sentence_histories, sentences

SURVEY = "The survey of the point was made in the spring of 1811 by Edmund Rusk."
DEBT = "Rusk owed Hester Vane forty pounds for lodging and drawing."
CHEST = "The letters lie in the chest at Carrow."
BUOY = "The bell buoy was moved in June."
LIGHT = "Nine sailors drowned under the lighthouse that winter."


def memory(*sentences: str) -> str:
    return " ".join(sentences)


def hows(found: SentenceHistories, at: int) -> list[str]:
    return [place.how for place in found.memories[at]]


def lanes(found: SentenceHistories, at: int) -> list[int]:
    return [place.lane for place in found.memories[at]]


def test_what_stays_word_for_word_is_the_same_version() -> None:
    found = sentence_histories([memory(SURVEY, DEBT), memory(SURVEY, DEBT)])
    assert hows(found, 0) == ["new", "new"]
    assert hows(found, 1) == ["verbatim", "verbatim"]
    assert lanes(found, 0) == lanes(found, 1)
    assert [len(lane.versions) for lane in found.lanes] == [1, 1]
    assert found.over[1] == []


def test_a_sum_of_money_ends_no_sentence_that_goes_on() -> None:
    whole = "The glass came to £388 4s. for the whole roof, and 2 fr. 50 for putty."
    assert [text for text, _ in sentences(f"{whole} It cost £388 4s. Nobody paid.")] == [
        whole,
        "It cost £388 4s.",
        "Nobody paid.",
    ]


def test_other_white_space_is_the_same_sentence() -> None:
    found = sentence_histories([SURVEY, SURVEY.replace(" of the ", "  of\tthe ")])
    assert hows(found, 1) == ["verbatim"]


def test_a_changed_number_is_a_new_version_and_the_old_one_is_written_over() -> None:
    found = sentence_histories([memory(SURVEY, DEBT), memory(SURVEY, DEBT.replace("forty", "fifty"))])
    assert hows(found, 1) == ["verbatim", "reworded"]
    assert [version.text for version in found.lanes[1].versions] == [DEBT, DEBT.replace("forty", "fifty")]
    assert found.over[1] == [Over(lane=1, version=0, after=1)]
    assert found.lanes[1].lost is None


def test_two_made_one_are_merged_and_the_shorter_one_ends_there() -> None:
    found = sentence_histories(
        [
            memory(SURVEY, DEBT, CHEST),
            memory(
                "Rusk owed Hester Vane forty pounds for lodging and drawing, and the letters lie in the chest at Carrow.", SURVEY
            ),
        ]
    )
    assert hows(found, 1)[0] == "merged"
    assert lanes(found, 1) == [1, 0]
    assert found.lanes[2].gone == [(1, 1)]
    assert found.lanes[2].lost == 1


def test_one_made_two_is_split_and_the_second_part_knows_whence() -> None:
    whole = "Rusk owed Hester Vane forty pounds for lodging and the letters lie in the chest at Carrow."
    found = sentence_histories([whole, "Rusk owed Hester Vane forty pounds for lodging. The letters lie in the chest at Carrow."])
    assert hows(found, 1) == ["split", "split"]
    assert found.lanes[0].versions[1].text == "Rusk owed Hester Vane forty pounds for lodging."
    assert found.lanes[1].parent == 0


def test_what_leaves_its_order_has_moved_and_the_others_have_not() -> None:
    found = sentence_histories([memory(SURVEY, DEBT, CHEST, BUOY), memory(BUOY, SURVEY, DEBT, CHEST)])
    assert hows(found, 1) == ["moved", "verbatim", "verbatim", "verbatim"]
    assert found.over[1] == []


def test_a_dropped_sentence_is_lost_after_its_neighbour_and_restored_on_its_own_lane() -> None:
    found = sentence_histories(
        [memory(SURVEY, DEBT, CHEST), memory(SURVEY, CHEST), memory(SURVEY, CHEST, BUOY), memory(SURVEY, DEBT, BUOY)]
    )
    assert found.over[1] == [Over(lane=1, version=0, after=0)]
    assert found.lanes[1].gone == [(1, NOWHERE)]
    assert lanes(found, 3) == [0, 1, 3]
    assert hows(found, 3) == ["verbatim", "restored", "verbatim"]
    assert found.lanes[1].lost is None
    assert found.lanes[2].lost == 3


def test_a_dropped_sentence_comes_back_in_other_words() -> None:
    found = sentence_histories(
        [memory(SURVEY, DEBT), SURVEY, memory(SURVEY, "Rusk still owed Hester Vane the forty pounds for drawing and lodging.")]
    )
    assert lanes(found, 2) == [0, 1]
    assert hows(found, 2) == ["verbatim", "restored"]


def test_two_old_sentences_about_as_good_make_it_uncertain() -> None:
    anna, peter, somebody = (f"{who} Holm carried the lantern into the boathouse." for who in ("Anna", "Peter", "Somebody"))
    found = sentence_histories([memory(anna, peter), somebody])
    assert hows(found, 1) == ["uncertain"]
    assert hows(sentence_histories([memory(anna, peter), LIGHT, somebody]), 2) == ["uncertain"]


def test_what_is_only_perhaps_a_sentence_from_before_has_a_life_of_its_own_and_that_one_ends() -> None:
    weak = "Hester Vane wanted forty pounds from her ungrateful surveyor."
    found = sentence_histories([DEBT, weak, memory(weak, DEBT)])
    assert [[version.how for version in lane.versions] for lane in found.lanes] == [["new", "restored"], ["uncertain"]]
    assert (found.lanes[0].gone, found.lanes[1].parent) == ([(1, NOWHERE)], 0)
    assert found.lost(1) == [DEBT]


def test_a_weak_likeness_is_uncertain_and_none_is_new() -> None:
    weak = "Hester Vane wanted forty pounds from her ungrateful surveyor."
    assert sentence_history.POSSIBLE <= sentence_history.alike(DEBT, weak) < sentence_history.SURE
    assert hows(sentence_histories([DEBT, weak]), 1) == ["uncertain"]
    found = sentence_histories([DEBT, LIGHT])
    assert hows(found, 1) == ["new"]
    assert found.lanes[0].lost == 1


def test_sentences_without_spaces_are_matched_by_their_characters() -> None:
    found = sentence_histories(["灯台守は帳簿を隠した。船は六月に沈んだ。", "灯台守は古い帳簿を隠した。船は六月に沈んだ。"])
    assert hows(found, 1) == ["reworded", "verbatim"]


def test_marks_of_a_list_belong_to_what_follows_and_breaks_are_kept() -> None:
    found = sentence_history.sentences("Facts:\n1. Rusk owes.\n2. Vane waits.\n\nNothing else.")
    assert [tuple(sentence) for sentence in found] == [
        ("Facts:", 0),
        ("1. Rusk owes.", 1),
        ("2. Vane waits.", 1),
        ("Nothing else.", 2),
    ]


def test_an_empty_memory_loses_everything() -> None:
    found = sentence_histories([memory(SURVEY, DEBT), "", SURVEY])
    assert [over.lane for over in found.over[1]] == [0, 1]
    assert found.memories[1] == []
    assert hows(found, 2) == ["restored"]


POOL = [
    SURVEY,
    DEBT,
    CHEST,
    BUOY,
    LIGHT,
    DEBT.replace("forty", "fifty"),
    "1.",
    "…",
    f"{SURVEY[:-1]} and {DEBT}",
    "灯台守は帳簿を隠した。",
    "\n\n",
]


def test_two_that_are_each_made_of_the_same_two_share_no_sentence() -> None:
    both = f"{DEBT[:-1]} and the letters lie in the chest at Carrow."
    found = sentence_histories([memory(DEBT, CHEST), memory(both, both)])
    assert lanes(found, 1) == [0, 2]
    assert hows(found, 1) == ["merged", "new"]


def test_two_equal_ones_are_not_both_split_into_the_same_two() -> None:
    both = f"{DEBT[:-1]} and the letters lie in the chest at Carrow."
    found = sentence_histories([memory(both, both), memory(DEBT, CHEST)])
    assert lanes(found, 1) == [0, 2]
    assert hows(found, 1) == ["split", "split"]
    assert found.lanes[2].parent == 0
    assert found.lanes[1].lost == 1


PARTS = (SURVEY, DEBT, CHEST, BUOY)
joined = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map(lambda parts: " and ".join(p[:-1] for p in parts) + ".")


@given(st.lists(st.lists(st.tuples(joined, st.integers(1, 3)), max_size=4), min_size=2, max_size=5))
def test_a_memory_never_has_a_lane_twice_however_often_its_sentences_are_doubled(rows: list[list[tuple[str, int]]]) -> None:
    found = sentence_histories([" ".join(" ".join([text] * times) for text, times in row) for row in rows])
    for at in range(len(rows)):
        assert len(set(lanes(found, at))) == len(lanes(found, at))


memories = st.lists(st.lists(st.sampled_from(POOL) | st.text(max_size=30), max_size=6).map(" ".join), max_size=6)


@given(memories)
def test_every_sentence_of_every_memory_has_exactly_one_place(texts: list[str]) -> None:
    found = sentence_histories(texts)
    seen: set[tuple[int, int]] = set()
    for at, (text, row) in enumerate(zip(texts, found.memories, strict=True)):
        assert [found.lanes[place.lane].versions[place.version].text for place in row] == [
            each for each, _ in sentence_history.sentences(text)
        ]
        here = lanes(found, at)
        assert len(here) == len(set(here))
        assert all(place.how in HOWS for place in row)
        before = set(lanes(found, at - 1)) if at else set()
        gone = {n for n, lane in enumerate(found.lanes) if any(gone == at for gone, _ in lane.gone)}
        assert gone == before - set(here)
        began = {place.lane for place in row if found.lanes[place.lane].came == at}
        assert began == set(here) - before - {place.lane for place in row if found.lanes[place.lane].came < at}
        assert all(place.how in ("new", "split", "uncertain") for place in row if place.lane in began)
        for place in row:
            version = found.lanes[place.lane].versions[place.version]
            assert version.at == at or place.how == "verbatim"
            seen.add((place.lane, place.version))
    assert seen == {(n, v) for n, lane in enumerate(found.lanes) for v in range(len(lane.versions))}
    assert all(lane.parent == NOWHERE or lane.parent < n for n, lane in enumerate(found.lanes))


@given(st.text(max_size=200))
def test_the_sentences_hold_all_that_is_not_white_space(text: str) -> None:
    assert "".join("".join(each.split()) for each, _ in sentence_history.sentences(text)) == "".join(text.split())
