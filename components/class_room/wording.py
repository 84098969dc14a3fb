"""What the page of a class says in Python: to people who come with a code, and about the votes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.html.words.wording import count
from readers.engine.report.values import Cell, Column, Figure, Row, Table
from readers.engine.teaching.classes import ClassQuestion, ClassSession, Keeps
from readers.engine.teaching.tally import Moved, Result, Vote
from readers.engine.text.phrases import capitalised, listed
from readers.engine.text.shorten import shorten_at_word

ClassResults = Sequence[tuple[ClassSession, Sequence[Result]]]  # what each of several classes voted
ROUNDS = ("first vote", "second vote")
SHORT = 140  # characters of an option's text in the table; the CSV has it whole
JOIN = "Join a class"
JOIN_HINT = "Type the six letters that your teacher shows. You need no account and no name."
UNKNOWN = "There is no class with this code. Check the letters: there are six, and no vowels."
WORD_HINT = "Your teacher says it in the room."
REMOVED = "Your teacher has removed this device and its votes from the class. You can join again while the door is open."
OVER = "This class has ended"
THANKS = "Thank you for taking part."
OWN = "To take home"
STAYS = "This page stays at its address, with your votes, as long as your teacher keeps the class."
REPLAY = "One page that opens with a double click, offline: every step, prompt and reply of what the class watched."
NOTHING_VOTED = "Nobody voted in this class."
KEPT = "The votes stay here until you delete the class or the reading. They hold no names."


def began(session: ClassSession) -> str:
    """When a class began, as its results are headed."""
    return f"{session.created[:10]} {session.created[11:16]} UTC"


def devices(joined: int) -> str:
    return f"{count(joined, 'device')} joined in total" if joined else "nobody joined"


def fits(most: int, by_machine: bool) -> str:
    """How many devices can join, for the teacher."""
    return f"Up to {count(most, 'device')} can join{': as many as this machine can connect' if by_machine else ''}."


def outcome(verb: str) -> str:
    """What was voted on, once it is shown; the browser's words for it are in `assets/js/class_room/class_model.js`."""
    return {"did": "what happened", "right": "the right answer"}.get(verb, f"what the model {verb}")


def chosen(verb: str) -> str:
    """What is said at an option that was chosen or is right."""
    return {"did": "This is what happened.", "right": "This is right."}.get(verb, f"The model {verb} this.")


def moved(found: Moved | None, verb: str = "chose") -> str:
    """How many changed their vote between the rounds; nothing where there was one round. `verb`: what the model did."""
    if found is None:
        return ""
    if not found.both:
        return "Nobody voted both times."
    who = f"of the {found.both} who voted both times"
    if not found.moved:
        return f"None {who} changed their vote."
    shown = outcome(verb)
    came = f"{found.to_chosen} changed to {shown}" if found.to_chosen else ""
    left = f"{found.from_chosen} left {'it' if came else shown}" if found.from_chosen else ""
    ends = ", ".join(filter(None, (came, left))) or f"none changed to {shown}"
    return f"{found.moved} {who} changed their vote: {ends}."


HERE = "The known answer is in this part of the text."
_KEEPS: Mapping[Keeps, str] = {
    "place": "",
    "carried": "These words say it.",
    "altered": "These words give it with another number.",
    "unclear": "No rule can decide whether these words state it.",
    "lost": "These words do not state it.",
}

_GIVEN: Mapping[Keeps, str] = {
    "carried": "This sentence gives the known answer.",
    "altered": "This sentence gives the known answer with another number.",
}


def keeps(question: ClassQuestion) -> dict[int, str]:
    """What is said about the known answer at the options made from its place, or at the sentences that give it, by their
    numbers."""
    if question.verb == "kept":
        return {number: _GIVEN[left] for number, left in zip(question.known or (), question.keeps, strict=True)}
    at = question.known or ()
    told = [_KEEPS[one] for one in question.keeps] or [""] * len(at)
    return {number: f"{HERE} {left}".strip() for number, left in zip(at, told, strict=True)}


def known(shown: ClassQuestion | None) -> str:
    """The known answer compared with the model's choice; nothing if no answer is known."""
    if shown is None or shown.known is None:
        return ""
    if not shown.known:  # whether other sentences of a memory give it is open
        return "" if shown.verb == "kept" else "The known answer is in none of these parts of the text."
    verb, part = ("keep", "sentence") if shown.verb == "kept" else ("choose", "part of the text")
    if set(shown.known) & set(shown.chosen):
        return f"The model {shown.verb} a {part} that has the known answer."
    return f"The model did not {verb} the {part} that has the known answer."


def with_model(found: Result) -> str:
    """How many voted for the model's choice, round by round."""
    parts = [
        f"{found.with_model(number)} of {found.voters(number)} in the {'first' if number == 1 else 'second'} vote"
        for number in range(1, len(found.rounds) + 1)
    ]
    return f"Voted for {outcome(found.question.verb)}: {', '.join(parts)}." if parts else ""


def own_votes(results: Sequence[Result], own: Sequence[Vote], unit: str) -> Table:
    """A learner's votes, a row for each question that they voted on, beside what was shown then."""
    rows = []
    for found in results:
        question = found.question
        said = {vote.round: question.options[vote.option].name for vote in own if vote.step == question.step}
        if said:
            votes = [Cell(said.get(number, "")) for number in range(1, len(ROUNDS) + 1)]
            model = Cell(listed([question.options[number].name for number in question.chosen]))
            rows.append(Row(f"{capitalised(unit)} {question.step + 1}. {question.words}", [*votes, model]))
    return Table("Your votes", [*(Column(name) for name in ROUNDS), Column("then shown")], rows, head="Question")


def result_tables(classes: ClassResults, own: str) -> list[Table]:
    """A table for each question that any of these classes on one reading voted on, a column for each class and round. `own` is
    the id of the class whose page this is."""
    steps = {found.question.step: found.question for _, results in classes for found in results if found.rounds}
    unit = next((capitalised(session.unit) for session, _ in classes), "Step")
    return [_results(steps[step], classes, own, unit) for step in sorted(steps)]


def _results(question: ClassQuestion, classes: ClassResults, own: str, unit: str) -> Table:
    voted = [
        (f"Class of {began(session)}" if session.id != own else "This class", found)
        for session, results in classes
        for found in results
        if found.rounds and (found.question.step, found.question.options) == (question.step, question.options)
    ]
    columns = [Column(whose, name, axis=(0, 1)) for whose, found in voted for name in ROUNDS[: len(found.rounds)]]
    rows = [_option(question, number, [found for _, found in voted]) for number in range(len(question.options))]
    notes = [
        " ".join(
            filter(None, (f"{whose}." if len(voted) > 1 else "", with_model(found), moved(found.moved, found.question.verb)))
        )
        for whose, found in voted
    ]
    return Table(f"{unit} {question.step + 1}. {question.words}", columns, rows, notes, head="Option")


def _option(question: ClassQuestion, number: int, results: Sequence[Result]) -> Row:
    """An option, and the share of each vote that it had."""
    option, said = question.options[number], keeps(question).get(number)
    marks = [f"● {chosen(question.verb)}"] if number in question.chosen else []
    words = [shorten_at_word(option.text, SHORT)] if option.text else []
    cells = [
        Cell(Figure(votes[number] / voters if voters else None, unit="part", of=voters))
        for found in results
        for votes, voters in zip(found.rounds, map(found.voters, range(1, len(found.rounds) + 1)), strict=True)
    ]
    return Row(f"{option.mark} {option.name}", cells, " ".join([*words, *marks, *([f"◆ {said}"] if said else [])]))
