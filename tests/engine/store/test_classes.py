"""Classes: every vote counts once and none is seen early; only their teacher leads them; two of them do not meet."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from threading import Barrier, Thread

import pytest

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, LimitReached, NotFound, ReadingError
from readers.engine.files.tables import class_csv
from readers.engine.run.execute import RunSpec, create_run
from readers.engine.store import Run, Store
from readers.engine.store.database import now
from readers.engine.teaching import codes
from readers.engine.teaching.classes import ClassQuestion, ClassSession, VoteOption
from readers.engine.teaching.tally import Ballot, Moved, shown
from tests.engine.store.test_delete import READER
from tests.support.models.scripted_models import parts_of

OPTIONS = tuple(VoteOption(str(number), f"part {number}", f"=Words of part {number}.") for number in (1, 2, 3))
REASON = "The lamp is named there."
ASKED = ClassQuestion(4, "Which part will it open?", OPTIONS, (1,), REASON, by="a model", known=(1,), keeps=("lost",))
LATER = ClassQuestion(6, "Which part now?", OPTIONS[:2], chosen=(0,))
LIMITS = codes.OWN_MACHINE
DEVICES = 200
TEACHER, *LEARNERS = (f"{number:032x}" for number in range(DEVICES + 1))
TEACHERS = (TEACHER, f"{DEVICES + 1:032x}")


@pytest.fixture
def run(store: Store) -> Run:
    """A class never opens the reading itself, so it need not have been read."""
    return create_run(store, parts_of(6), READER, RunSpec(READER.id, READER.version, "Where is word3x3?"))


@pytest.fixture
def held(store: Store, run: Run) -> ClassSession:
    return begun(store, run)


def begun(store: Store, run: Run, token: str = TEACHER, *, limits: codes.ClassLimits = LIMITS) -> ClassSession:
    return store.classes.begin(run.id, run.question, steps=9, token=token, limits=limits)


def voting(store: Store, held: ClassSession, asked: ClassQuestion = ASKED, token: str = TEACHER) -> None:
    store.classes.ask(held.code, token, asked)
    store.classes.open_vote(held.code, token)


def vote(store: Store, held: ClassSession, learner: str, option: int, round_: int = 1) -> None:
    store.classes.join(held.code, learner, LIMITS)
    store.classes.vote(held.code, learner, Ballot(ASKED.step, round_, option))


def seen(store: Store, held: ClassSession, learner: str) -> str:
    """All that the device of a learner is given, as it is sent."""
    found = store.classes.get(held.code)
    return canonical(asdict(shown(found, store.classes.result(found), store.classes.own_vote(found, learner))))


def test_a_vote_is_hidden_until_it_is_closed_and_shown_with_the_models_choice_when_that_is_revealed(
    store: Store, held: ClassSession
) -> None:
    classes, (ann, ben, cai) = store.classes, LEARNERS[:3]
    voting(store, held)
    for learner, option in ((ann, 0), (ben, 0), (cai, 1), (ann, 2)):  # Ann changes her mind
        vote(store, held, learner, option)
    for token in (ann, TEACHER):
        open_ = seen(store, held, token)
        assert '"counts":[]' in open_
        assert '"reveal":null' in open_
        assert "The lamp is named" not in open_
    assert '"mine":2' in seen(store, held, ann)
    assert '"mine":null' in seen(store, held, TEACHER)
    assert classes.voted(classes.get(held.code)) == 3
    assert classes.results(classes.get(held.code))[0].rounds == ()

    classes.close_vote(held.code, TEACHER)
    closed = seen(store, held, ben)
    assert '"counts":[[1,1,1]]' in closed
    assert '"reveal":null' in closed
    with pytest.raises(BadOptions, match="closed before"):
        vote(store, held, ben, 1)

    classes.talk(held.code, TEACHER)
    classes.open_vote(held.code, TEACHER)
    for learner, option in ((ann, 1), (ben, 0)):
        vote(store, held, learner, option, round_=2)
    assert '"counts":[]' in seen(store, held, ann)
    with pytest.raises(BadOptions, match="closed before"):
        vote(store, held, cai, 2, round_=1)  # sent from a page that has not heard of the second round
    classes.close_vote(held.code, TEACHER)
    classes.reveal(held.code, TEACHER)
    told = seen(store, held, cai)
    assert '"counts":[[1,1,1],[1,1,0]]' in told
    assert '"chosen":[1]' in told
    assert "The lamp is named" in told
    assert '"keeps":["lost"]' in told
    found = classes.result(classes.get(held.code))
    assert found
    assert found.moved == Moved(both=2, moved=1, to_chosen=1, from_chosen=0)
    assert [found.with_model(number) for number in (1, 2)] == [1, 1]


Act = Callable[[Store, ClassSession, str], object]
LEADING: dict[str, Act] = {
    "step": lambda store, held, token: store.classes.step(held.code, token, 3, ""),
    "ask": lambda store, held, token: store.classes.ask(held.code, token, ASKED),
    "open": lambda store, held, token: store.classes.open_vote(held.code, token),
    "close": lambda store, held, token: store.classes.close_vote(held.code, token),
    "talk": lambda store, held, token: store.classes.talk(held.code, token),
    "reveal": lambda store, held, token: store.classes.reveal(held.code, token),
    "loose": lambda store, held, token: store.classes.switch(held.code, token, "loose", on=True),
    "closed": lambda store, held, token: store.classes.switch(held.code, token, "closed", on=True),
    "word": lambda store, held, token: store.classes.ask_word(held.code, token, on=True),
    "remove": lambda store, held, token: store.classes.remove(held.code, token, minutes=0),
    "end": lambda store, held, token: store.classes.end(held.code, token),
    "delete": lambda store, held, token: store.classes.delete(held.code, token),
}


def test_a_learner_cannot_lead(store: Store, held: ClassSession) -> None:
    learner = LEARNERS[0]
    store.classes.join(held.code, learner, LIMITS)
    voting(store, held)
    before = store.classes.get(held.code)
    for name, act in LEADING.items():
        with pytest.raises(NotFound, match="another browser"):
            act(store, held, learner)
        assert store.classes.get(held.code) == before, name
    with pytest.raises(NotFound, match="not in the class"):
        store.classes.vote(held.code, TEACHER, Ballot(ASKED.step, 1, 0))  # who leads has no vote
    store.classes.join(held.code, TEACHER, LIMITS)
    assert store.classes.learners.joined(held) == 1


def test_acts_out_of_their_order_are_refused_and_change_nothing(store: Store, held: ClassSession) -> None:
    def refused(*names: str) -> None:
        before = store.classes.get(held.code)
        for name in names:
            with pytest.raises(BadOptions):
                LEADING[name](store, held, TEACHER)
        assert store.classes.get(held.code) == before

    refused("open", "close", "talk", "reveal")
    store.classes.ask(held.code, TEACHER, ASKED)
    refused("close", "talk")
    store.classes.open_vote(held.code, TEACHER)
    refused("open", "talk", "reveal", "step", "ask")
    with pytest.raises(BadOptions, match="no such option"):
        vote(store, held, LEARNERS[0], 3)
    store.classes.close_vote(held.code, TEACHER)
    store.classes.step(held.code, TEACHER, 2, "It went on.")  # left, and taken up again
    assert store.classes.ask(held.code, TEACHER, ASKED).state.phase == "closed"
    store.classes.open_vote(held.code, TEACHER)
    store.classes.close_vote(held.code, TEACHER)
    refused("open", "talk")  # both rounds are over
    store.classes.reveal(held.code, TEACHER)
    assert store.classes.ask(held.code, TEACHER, ASKED).state.phase == "revealed"
    refused("open", "close", "talk", "reveal")


def test_two_classes_on_one_reading_do_not_meet(store: Store, run: Run, held: ClassSession) -> None:
    other = begun(store, run, LEARNERS[9])
    ann = LEARNERS[0]
    voting(store, held)
    vote(store, held, ann, 2)
    store.classes.join(other.code, ann, LIMITS)
    assert store.classes.get(other.code).state.phase == "reading"
    assert store.classes.own_vote(store.classes.get(other.code), ann) is None
    with pytest.raises(BadOptions):
        store.classes.vote(other.code, ann, Ballot(ASKED.step, 1, 2))
    with pytest.raises(NotFound):
        store.classes.close_vote(held.code, LEARNERS[9])
    voting(store, other, token=LEARNERS[9])
    for one, token in ((held, TEACHER), (other, LEARNERS[9])):
        store.classes.close_vote(one.code, token)
    counted = [store.classes.results(store.classes.get(one.code))[0].rounds for one in (held, other)]
    assert counted == [((0, 0, 1),), ((0, 0, 0),)]
    marks = {codes.mark(one.id, ann) for one in (held, other)}
    assert len(marks) == 2  # nobody is followed from class to class
    assert [one.code for one in store.classes.of_reading(run.id, TEACHER)] == [held.code]
    dump = "\n".join(store.connection.db.iterdump())
    assert not any(token in dump for token in (TEACHER, ann))


def test_a_class_ends_and_is_deleted_and_goes_with_its_reading(store: Store, run: Run, held: ClassSession) -> None:
    voting(store, held)
    vote(store, held, LEARNERS[0], 1)
    store.classes.end(held.code, TEACHER)
    over = store.classes.get(held.code)
    assert over.is_over(now())
    assert store.classes.results(over)[0].rounds == ((0, 1, 0),)  # what was open is closed
    for name in ("step", "ask", "open", "close"):
        with pytest.raises(NotFound, match="has ended"):
            LEADING[name](store, held, TEACHER)
    with pytest.raises(NotFound, match="has ended"):
        store.classes.join(held.code, LEARNERS[1], LIMITS)
    store.classes.delete(held.code, TEACHER)
    assert store.classes.find(held.code) is None
    brief = begun(store, run, limits=LIMITS._replace(hours=0))
    with pytest.raises(NotFound, match="has ended"):
        store.classes.step(brief.code, TEACHER, 1, "")
    store.classes.forget(now())
    assert store.classes.find(brief.code) is None
    gone = begun(store, run)
    store.connection.execute("UPDATE runs SET status = 'cancelled', worker = NULL")
    store.runs.delete(run.id)
    assert store.classes.find(gone.code) is None


def test_there_are_so_many_classes_and_so_many_learners_and_no_more(store: Store, run: Run) -> None:
    few = codes.ClassLimits(classes=2, own=1, learners=2, hours=1)
    held = begun(store, run, limits=few)
    with pytest.raises(LimitReached, match="end one"):
        begun(store, run, limits=few)
    begun(store, run, LEARNERS[0], limits=few)
    with pytest.raises(LimitReached, match="wait until"):
        begun(store, run, LEARNERS[1], limits=few)
    for learner in (*LEARNERS[:2], *LEARNERS[:2]):
        store.classes.join(held.code, learner, few)
    with pytest.raises(LimitReached, match="full"):
        store.classes.join(held.code, LEARNERS[2], few)


def test_a_code_is_read_however_it_was_typed() -> None:
    code = codes.new_code()
    assert len(code) == codes.LENGTH
    assert not set(code) & set("AEIOULQY0123456789")
    for typed in (code, code.lower(), codes.spaced(code), f" {code[:3]}-{code[3:]} "):
        assert codes.read_code(typed) == code
    for wrong in ("", "ABCDEF", code[:5], f"{code}X", "%" * 6, "K" * 9_000):
        assert codes.read_code(wrong) == ""
    assert codes.is_token(codes.new_token())
    assert not any(map(codes.is_token, ("", "x" * 32, TEACHER + "0", f"{TEACHER}\n")))


def test_the_csv_has_every_count_and_nobody(store: Store, held: ClassSession) -> None:
    voting(store, held)
    for learner, option in zip(LEARNERS[:5], (0, 0, 1, 1, 1), strict=True):
        vote(store, held, learner, option)
    store.classes.close_vote(held.code, TEACHER)
    store.classes.ask(held.code, TEACHER, LATER)
    found = store.classes.get(held.code)
    written = class_csv([(found, store.classes.results(found))])
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [(row["step"], row["round"], row["votes"], row["voters"], row["chosen"], row["known"]) for row in rows] == [
        ("5", "1", "2", "5", "0", "0"), ("5", "1", "3", "5", "1", "1"), ("5", "1", "0", "5", "0", "0"),
    ]  # fmt: skip
    assert [row["text"] for row in rows] == [f"'{option.text}" for option in OPTIONS]  # whole, and no formula
    assert not any(codes.mark(held.id, learner) in written for learner in LEARNERS)


def gone(store: Store, *learners: str, of: ClassSession) -> None:
    """As if these had not been heard of since long ago."""
    for learner in learners:
        given = (codes.mark(of.id, learner),)
        store.connection.execute("UPDATE class_learners SET joined = '2020', heard = NULL WHERE learner = ?", given)


def test_a_device_that_is_gone_is_not_counted_unless_it_has_voted(store: Store, held: ClassSession) -> None:
    voting(store, held)
    ann, ben, cai = LEARNERS[:3]
    vote(store, held, ann, 0)
    for learner in (ben, cai):
        store.classes.join(held.code, learner, LIMITS)
    gone(store, ann, ben, cai, of=held)
    found, learners = store.classes.get(held.code), store.classes.learners
    assert learners.here(found) == 1  # who voted in this round is not taken out of its count
    store.classes.hear(found, cai, LIMITS)
    assert (learners.here(found), learners.joined(found)) == (2, 3)
    store.classes.close_vote(held.code, TEACHER)
    assert learners.here(store.classes.step(held.code, TEACHER, 5, "On.")) == 1


def test_leaving_and_joining_gives_no_more_votes_than_places(store: Store, run: Run) -> None:
    few = LIMITS._replace(learners=2)
    held = begun(store, run, limits=few)
    ann, ben, cai, dan = LEARNERS[:4]
    for learner in (ann, ben):
        store.classes.join(held.code, learner, few)
    gone(store, ann, of=held)
    store.classes.join(held.code, cai, few)  # in the place that Ann has left
    voting(store, held)
    with pytest.raises(LimitReached, match="was gone"):
        store.classes.vote(held.code, ann, Ballot(ASKED.step, 1, 0))
    with pytest.raises(LimitReached, match="full"):
        store.classes.hear(store.classes.get(held.code), ann, few)
    for learner in (ben, cai):
        store.classes.vote(held.code, learner, Ballot(ASKED.step, 1, 1))
    gone(store, ben, cai, of=held)  # but their votes are here
    with pytest.raises(LimitReached, match="full"):
        store.classes.join(held.code, dan, few)
    store.classes.close_vote(held.code, TEACHER)
    store.classes.talk(held.code, TEACHER)
    store.classes.open_vote(held.code, TEACHER)
    store.classes.hear(store.classes.get(held.code), ann, few)  # back, in a free place
    store.classes.vote(held.code, ann, Ballot(ASKED.step, 2, 0))
    store.classes.close_vote(held.code, TEACHER)
    assert store.classes.results(store.classes.get(held.code))[0].rounds == ((0, 2, 0), (1, 0, 0))


def test_a_class_that_was_begun_before_classes_had_doors_stands_open(store: Store, held: ClassSession) -> None:
    store.connection.execute("UPDATE classes SET state = json_remove(state, '$.closed', '$.word')")
    (written,) = store.connection.execute("SELECT state FROM classes").fetchone()
    assert "closed" not in written
    store.classes.join(held.code, LEARNERS[0], LIMITS)
    assert store.classes.switch(held.code, TEACHER, "closed", on=True).state.closed


def test_a_closed_door_keeps_those_inside_and_lets_nobody_in(store: Store, held: ClassSession) -> None:
    ann, ben = LEARNERS[:2]
    store.classes.join(held.code, ann, LIMITS)
    store.classes.switch(held.code, TEACHER, "closed", on=True)
    store.classes.switch(held.code, TEACHER, "joining", on=True)  # showing the code opens no door
    with pytest.raises(BadOptions, match="closed the door"):
        store.classes.join(held.code, ben, LIMITS)
    store.classes.join(held.code, ann, LIMITS)
    gone(store, ann, of=held)
    store.classes.hear(held, ann, LIMITS)
    assert store.classes.learners.here(held) == 1
    store.classes.switch(held.code, TEACHER, "closed", on=False)
    store.classes.join(held.code, ben, LIMITS)


def test_a_class_that_asks_for_a_word_takes_it_however_it_is_typed_and_no_other(store: Store, held: ClassSession) -> None:
    ann, ben = LEARNERS[:2]
    store.classes.join(held.code, ann, LIMITS)
    word = store.classes.ask_word(held.code, TEACHER, on=True).state.word
    for wrong in ("", word[:-1], f"{word}0", "é" * 99):
        with pytest.raises(BadOptions, match="not the word"):
            store.classes.join(held.code, ben, LIMITS, word=wrong)
    store.classes.join(held.code, ann, LIMITS)  # who is in stays in
    store.classes.join(held.code, ben, LIMITS, word=f" {word.upper().replace(' ', '-')} ")
    assert word not in seen(store, held, ben)
    assert store.classes.ask_word(held.code, TEACHER, on=True).state.word != word
    assert store.classes.ask_word(held.code, TEACHER, on=False).state.word == ""


def test_removed_devices_lose_their_votes_and_the_door_is_closed_behind_them(store: Store, held: ClassSession) -> None:
    ann, ben, cai = LEARNERS[:3]
    voting(store, held)
    vote(store, held, ann, 0)
    store.connection.execute("UPDATE class_learners SET joined = '2020'")
    for learner in (ben, cai):
        vote(store, held, learner, 1)
    since = store.classes.get(held.code).since
    assert store.classes.learners.late(held) == [(1, 2), (10, 2), (0, 3)]
    found = store.classes.remove(held.code, TEACHER, minutes=1)
    assert (found.state.closed, found.state.phase, found.since) == (True, "voting", since)  # the vote goes on, and its clock
    with pytest.raises(NotFound, match="not in the class"):
        store.classes.vote(held.code, ben, Ballot(ASKED.step, 1, 1))
    with pytest.raises(NotFound, match="not in the class"):
        store.classes.hear(found, ben, LIMITS)
    with pytest.raises(BadOptions, match="closed the door"):
        store.classes.join(held.code, ben, LIMITS)
    store.classes.close_vote(held.code, TEACHER)
    assert store.classes.results(store.classes.get(held.code))[0].rounds == ((1, 0, 0),)
    with pytest.raises(BadOptions, match="last 1 or 10"):
        store.classes.remove(held.code, TEACHER, minutes=7)
    assert store.classes.learners.joined(store.classes.remove(held.code, TEACHER, minutes=0)) == 0
    assert store.classes.results(store.classes.get(held.code))[0].rounds == ((0, 0, 0),)


def test_how_to_join_is_shown_at_first_and_between_the_questions_only(store: Store, held: ClassSession) -> None:
    assert held.state.joining
    voting(store, held)
    assert not store.classes.get(held.code).state.joining
    with pytest.raises(BadOptions, match="a question is shown"):
        store.classes.switch(held.code, TEACHER, "joining", on=True)
    store.classes.close_vote(held.code, TEACHER)
    store.classes.step(held.code, TEACHER, 5, "On.")
    assert store.classes.switch(held.code, TEACHER, "joining", on=True).state.joining


@pytest.mark.slow
def test_two_hundred_devices_of_two_classes_vote_at_once_over_a_restart_and_every_vote_counts_once_in_its_own(
    store: Store, run: Run, held: ClassSession
) -> None:
    """Two hundred threads, each with a store of its own, vote twice in a round; the second round is voted on another server."""
    other = begun(store, run, TEACHERS[1])
    both = (held, other)
    for one, teacher in zip(both, TEACHERS, strict=True):
        voting(store, one, token=teacher)
    for number in (1, 2):
        _all_vote(store, both, number)
        if number == 1:
            store.close()
            with Store() as after:  # the server was restarted with the votes open
                for one, teacher in zip(both, TEACHERS, strict=True):
                    assert after.classes.voted(after.classes.get(one.code)) == DEVICES // 2
                    after.classes.close_vote(one.code, teacher)
                    after.classes.talk(one.code, teacher)
                    after.classes.open_vote(one.code, teacher)
    with Store() as after:
        for which, (one, teacher) in enumerate(zip(both, TEACHERS, strict=True)):
            after.classes.close_vote(one.code, teacher)
            (found,) = after.classes.results(after.classes.get(one.code))
            expected = [Counter((place + number) % 3 for place in range(which, DEVICES, 2)) for number in (1, 2)]
            assert found.rounds == tuple(tuple(counts[option] for option in range(3)) for counts in expected)
            assert found.moved
            assert (found.moved.both, found.moved.moved) == (DEVICES // 2, DEVICES // 2)
            assert after.classes.learners.joined(one) == DEVICES // 2


def _all_vote(store: Store, both: Sequence[ClassSession], number: int) -> None:
    together, wrong = Barrier(DEVICES), list[ReadingError]()

    def device(place: int) -> None:
        try:
            with Store(store.path) as own:
                together.wait()
                for option in (0, (place + number) % 3):
                    vote(own, both[place % 2], LEARNERS[place], option, number)
        except ReadingError as error:
            wrong.append(error)

    threads = [Thread(target=device, args=(place,)) for place in range(DEVICES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
