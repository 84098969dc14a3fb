"""Opening pages again for a question, and answering from them and the gists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from readers.engine.errors import PromptTooLong
from readers.engine.prompts.formats.form import numbers
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.scores import best_first
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text.document import Question, Text
from readers.readagent.narrative import LOOK_UP_PHASE, NO_PAGE, STOP, Action
from readers.readagent.options import ReadAgentOptions
from readers.readagent.pages import Page
from readers.readagent.prompts import ANSWER, ANSWER_CHOICE, ANSWER_PAGES, ANSWER_PAGES_CHOICE, LOOK_UP, LOOK_UP_NEXT

REFUSALS = 2
# Why a requested page is not opened.
OUT_OF_RANGE, REPEATED, OVER_THE_CAP, OVER_THE_WINDOW = "out of range", "repeated", "over the cap", "over the window"


class Answering:
    """One look-up and one answer, over finished pages and gists."""

    def __init__(
        self, pages: Sequence[Page], question: Question, desk: Desk[Action], options: ReadAgentOptions, *, spare: int = 0
    ) -> None:
        self.desk = desk
        self.options = options
        self.question = question
        self.pages = pages
        self.opened: list[int] = []  # the numbers of the opened pages, in the order they were asked for
        self.spare = spare  # tokens that stay free next to the gists, for a page
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
            while (got := self._ask_for_answer()) is None and self.opened:
                self._put_back()
                if not self.opened and self._needs_a_page:
                    break
        if got is None and self.options.without_gists:
            raise self.too_long
        if got is None:
            return self.too_long
        if isinstance(got, Unread):
            raise got.no_answer
        return got

    @property
    def memory(self) -> list[Text]:
        """The gists, with each opened page in place of its gist."""
        return [page.raw if number in self.opened else page.gist for number, page in enumerate(self.pages)]

    @property
    def gists(self) -> list[Text]:
        return [page.gist for page in self.pages]

    @property
    def _needs_a_page(self) -> bool:
        """After a retrieval the gists become shorter before they answer by themselves."""
        return self.options.mode == "retrieval" and (self.options.without_gists or self.spare > 0)

    def _ask_for_answer(self) -> Got | Unread | None:
        choices = bool(self.question.choices)
        if self.options.without_gists:
            pages = [self.pages[number].raw for number in sorted(self.opened)]
            return self._ask(ANSWER_PAGES_CHOICE if choices else ANSWER_PAGES, segments=pages)
        return self._ask(ANSWER_CHOICE if choices else ANSWER, memory=self.memory)

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
            got = self._ask(prompt, gists=self.gists, limit=Text(str(self.options.max_lookups)))
            if got is None:
                return False
            if isinstance(got, Unread):
                self.desk.choose("fallback", NO_PAGE, self.gists, f"no request could be read: {got.problems[-1]}")
                return True
            why = got.field("reasoning").text
            asked = numbers(got.field("pages").text)
            for number in asked:
                self._take(number, why)
            if not asked:
                self.desk.choose("stop", NO_PAGE, self.gists, why)
        for number in self.opened:
            self._look(number, why)
        return True

    def _retrieve(self) -> bool:
        """Open the pages most like the question; of equals the first in the text. They always fit, or are put back."""
        pages = self.pages
        with self.desk.step("scores"):
            compared = [page.raw if self.options.compared == "pages" else page.gist for page in pages]
            scores = self.desk.score(self.question.asked, compared, by=self.options.scorer)
            self.desk.choose("score", self.options.scorer, self.gists, " ".join(map(str, scores)))
            ranked = best_first(scores)[: self.options.max_lookups]
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
        while len(self.opened) < self.options.max_lookups and len(refused) < REFUSALS:
            turn += 1
            with self.desk.step(f"request {turn}"):
                got = self._next(refused)
                if got is None and not self.opened:
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
            replace(LOOK_UP_NEXT, spare=0 if self.opened else self.spare),
            memory=self.memory,
            opened=[Text(str(number)) for number in self.opened],
            refused=refused,
            limit=Text(str(self.options.max_lookups - len(self.opened))),
        )

    def _stop(self, got: Got | Unread | None) -> bool:
        if isinstance(got, Unread):
            self.desk.choose("fallback", STOP, (*self.gists, STOP), f"no request could be read: {got.problems[-1]}")
        elif got is not None:
            self.desk.choose("stop", STOP, (*self.gists, STOP), got.field("reasoning").text)
        return True

    def _take(self, number: int, why: str) -> bool:
        """Accept a page for opening, or drop it with the reason."""
        among: Sequence[Text | str] = self.gists
        if self.options.mode == "sequential":
            among = [*among, STOP]
        if number >= len(self.pages):
            self.desk.choose("drop", f"page {number}", among, OUT_OF_RANGE)
        elif number in self.opened:
            self.desk.choose("drop", self.pages[number].gist, among, REPEATED)
        elif len(self.opened) == self.options.max_lookups:
            self.desk.choose("drop", self.pages[number].gist, among, OVER_THE_CAP)
        else:
            self.opened.append(number)
            self.desk.choose("look_up", self.pages[number].gist, among, why)
            return True
        return False

    def _look(self, number: int, why: str) -> None:
        with self.desk.step(f"page {number}"):
            self.desk.look(self.pages[number].raw, why)

    def _put_back(self) -> None:
        """Close the page that was asked for last: with it, the prompt does not fit into the model's window."""
        page = self.pages[self.opened.pop()]
        self.desk.choose("put_back", page.gist, because=OVER_THE_WINDOW)
