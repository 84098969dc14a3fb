"""What the page of a class says in Python: to whoever comes with a code, and about what was voted. Pure."""

from __future__ import annotations

from components.html.wording import count
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import Moved, Result

JOIN = "Join a class"
JOIN_HINT = "Type the six letters that your teacher shows. No account and no name are needed."
UNKNOWN = "There is no class with this code. Look at the letters again: there are six, and no vowels."
OVER = "This class has ended"
THANKS = "Thank you for taking part. You can close this page."
NOTHING_VOTED = "Nothing was voted in this class."
KEPT = "The votes stay here until you delete the class or the reading. They hold no names."


def began(session: ClassSession) -> str:
    """When a class began, as its results are headed."""
    return f"{session.created[:10]} {session.created[11:16]} UTC"


def devices(joined: int) -> str:
    return f"{count(joined, 'device')} joined" if joined else "nobody joined"


def moved(found: Moved) -> str:
    """How many changed their vote between the rounds."""
    if not found.both:
        return "Nobody voted in both rounds."
    if not found.moved:
        return f"{count(found.both, 'learner')} voted in both rounds, and nobody changed their vote."
    ends = f"{found.to_chosen} to what the model chose, {found.from_chosen} away from it"
    return f"{found.moved} of {found.both} who voted in both rounds changed their vote: {ends}."


def with_model(found: Result) -> str:
    """How many voted for what the model chose, round by round."""
    parts = [
        f"{'first' if number == 1 else 'second'} vote {found.with_model(number)} of {found.voters(number)}"
        for number in range(1, len(found.rounds) + 1)
    ]
    return f"With the model: {', '.join(parts)}." if parts else ""
