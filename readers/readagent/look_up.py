"""Opening pages again for a question, and answering from them and the gists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from readers.engine.errors import PromptTooLong
from readers.engine.prompts.formats.form import numbers
from readers.engine.prompts.prompt import Prompt
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text.document import Question, Text
from readers.readagent.narrative import LOOK_UP_PHASE, NO_PAGE, STOP, Action
from readers.readagent.options import ReadAgentOptions
from readers.readagent.pages import Page
from readers.readagent.prompts import ANSWER, ANSWER_CHOICE, ANSWER_PAGES, ANSWER_PAGES_CHOICE, LOOK_UP, LOOK_UP_NEXT

REFUSALS = 2
# Why a requested page is not opened.
OUT_OF_RANGE, REPEATED, OVER_THE_CAP, OVER_THE_WINDOW = "out of range", "repeated", "over the cap", "over the window"


@dataclass
class OpenedPages:
    """The numbers of the opened pages, in the order they were asked for."""

    pages: Sequence[Page]
    numbers: list[int] = field(default_factory=list)

    @property
    def memory(self) -> list[Text]:
        """The gists, with each opened page in place of its gist."""
        return [page.raw if number in self.numbers else page.gist for number, page in enumerate(self.pages)]

    @property
    def gists(self) -> list[Text]:
        return [page.gist for page in self.pages]


class Answering:
    """One look-up and one answer, over finished pages and gists."""

    def __init__(
        self, pages: Sequence[Page], question: Question, desk: Desk[Action], options: ReadAgentOptions, *, spare: int = 0
    ) -> None:
        self.desk = desk
        self.options = options
        self.question = question
        self.opened = OpenedPages(pages)
        self.spare = spare  # tokens that stay free beside the gists, for a page
        self.too_long = PromptTooLong("")

    def answer(self) -> Text | PromptTooLong:
        """The answer; or by how much the gists, with room for a page, exceed the model's window."""
        if self.options.mode != "none":
            with self.desk.step(LOOK_UP_PHASE):
                look_up = {"parallel": self._parallel, "sequential": self._sequential, "retrieval": self._retrieve}
                fits = look_up[self.options.mode]()
            if not fits:
                return self.too_long
        with self.desk.step("answer"):
            while (got := self._ask_for_answer()) is None and self.opened.numbers:
                self._put_back()
                if not self.opened.numbers and self._needs_a_page:
                    break
        if got is None and self.options.without_gists:
            raise self.too_long
        if got is None:
            return self.too_long
        if isinstance(got, Unread):
            raise got.no_answer
        return got

    @property
    def _needs_a_page(self) -> bool:
        """After a retrieval the gists become shorter before they answer alone."""
        return self.options.mode == "retrieval" and (self.options.without_gists or self.spare > 0)

    def _ask_for_answer(self) -> Got | Unread | None:
        choices = bool(self.question.choices)
        if self.options.without_gists:
            pages = [self.opened.pages[number].raw for number in sorted(self.opened.numbers)]
            return self._ask(ANSWER_PAGES_CHOICE if choices else ANSWER_PAGES, segments=pages)
        return self._ask(ANSWER_CHOICE if choices else ANSWER, memory=self.opened.memory)

    def _ask(self, prompt: Prompt, **parts: Text | Iterable[Text]) -> Got | Unread | None:
        """None if the prompt does not fit into the model's window."""
        try:
            return self.desk.ask(prompt, question=self.question.asked, choices=self.question.offered, **parts)
        except PromptTooLong as too_long:
            self.too_long = too_long
            return None

    def _parallel(self) -> bool:
        """Open all pages that one reply asks for. False if the gists do not fit."""
        with self.desk.step("request"):
            prompt = replace(LOOK_UP, spare=self.spare)
            got = self._ask(prompt, gists=self.opened.gists, limit=Text(str(self.options.max_lookups)))
            if got is None:
                return False
            if isinstance(got, Unread):
                self.desk.choose("fallback", NO_PAGE, self.opened.gists, f"no request could be read: {got.problems[-1]}")
                return True
            why = got.field("reasoning").text
            asked = numbers(got.field("pages").text)
            for number in asked:
                self._take(number, why)
            if not asked:
                self.desk.choose("stop", NO_PAGE, self.opened.gists, why)
        for number in self.opened.numbers:
            self._look(number, why)
        return True

    def _retrieve(self) -> bool:
        """Open the pages most like the question; of equals the first in the text. They always fit, or are put back."""
        pages = self.opened.pages
        with self.desk.step("scores"):
            compared = [page.raw if self.options.compared == "pages" else page.gist for page in pages]
            scores = self.desk.score(self.question.asked, compared, by=self.options.scorer)
            self.desk.choose("score", self.options.scorer, self.opened.gists, " ".join(map(str, scores)))
            ranked = sorted(range(len(pages)), key=lambda number: (-scores[number], number))[: self.options.max_lookups]
            why = {number: f"rank {rank} of {len(pages)}, score {scores[number]:.4f}" for rank, number in enumerate(ranked, 1)}
            for number in ranked:
                self._take(number, why[number])
        for number in ranked:
            self._look(number, why[number])
        return True

    def _sequential(self) -> bool:
        """Open one page at a time, each chosen with the earlier ones in view. False if the gists do not fit."""
        refused: list[Text] = []
        turn = 0
        while len(self.opened.numbers) < self.options.max_lookups and len(refused) < REFUSALS:
            turn += 1
            with self.desk.step(f"request {turn}"):
                got = self._next(refused)
                if got is None and not self.opened.numbers:
                    return False
                if got is None:
                    self._put_back()
                if not isinstance(got, Got) or got.number("action") < 0:
                    return self._stop(got)
                number, why = got.number("action"), got.field("reasoning").text
                taken = self._take(number, why)
                refused = [] if taken else [*refused, Text(str(number))]
                if len(refused) == REFUSALS:
                    self.desk.choose("fallback", STOP, because=f"{REFUSALS} requests in a row could not be followed")
            if taken:
                self._look(number, why)
        return True

    def _next(self, refused: Sequence[Text]) -> Got | Unread | None:
        return self._ask(
            replace(LOOK_UP_NEXT, spare=0 if self.opened.numbers else self.spare),
            memory=self.opened.memory,
            opened=[Text(str(number)) for number in self.opened.numbers],
            refused=refused,
            limit=Text(str(self.options.max_lookups - len(self.opened.numbers))),
        )

    def _stop(self, got: Got | Unread | None) -> bool:
        if isinstance(got, Unread):
            self.desk.choose("fallback", STOP, (*self.opened.gists, STOP), f"no request could be read: {got.problems[-1]}")
        elif got is not None:
            self.desk.choose("stop", STOP, (*self.opened.gists, STOP), got.field("reasoning").text)
        return True

    def _take(self, number: int, why: str) -> bool:
        """Accept a page for opening, or drop it with the reason."""
        among: Sequence[Text | str] = self.opened.gists
        if self.options.mode == "sequential":
            among = [*among, STOP]
        if number >= len(self.opened.pages):
            self.desk.choose("drop", f"page {number}", among, OUT_OF_RANGE)
        elif number in self.opened.numbers:
            self.desk.choose("drop", self.opened.pages[number].gist, among, REPEATED)
        elif len(self.opened.numbers) == self.options.max_lookups:
            self.desk.choose("drop", self.opened.pages[number].gist, among, OVER_THE_CAP)
        else:
            self.opened.numbers.append(number)
            self.desk.choose("look_up", self.opened.pages[number].gist, among, why)
            return True
        return False

    def _look(self, number: int, why: str) -> None:
        with self.desk.step(f"page {number}"):
            self.desk.look(self.opened.pages[number].raw, why)

    def _put_back(self) -> None:
        """Close the page that was asked for last: with it, the prompt does not fit into the model's window."""
        page = self.opened.pages[self.opened.numbers.pop()]
        self.desk.choose("put_back", page.gist, because=OVER_THE_WINDOW)
