"""MemWalker: walk down a tree of summaries to the segment that answers, and back up from one that does not (Chen et al., 2023,
arXiv 2310.05029).

Build (section 3.1, appendix A.1.1): the text is cut into segments at sentence ends, and each gets a summary. A parent joins its
children's summaries, and compresses them only if together they are too long. There is one root, always above the leaves. Walk
(section 3.2): at an inner node the model compares the children's summaries and picks one; at a leaf it sees the segment, and
answers or goes back up.

Where the paper is silent or contradicts itself, this reader
  - cuts segments at sentence ends, and groups them evenly, so that no group has a single child; white space at the end belongs
    to the segment before it;
  - also shows the choices where summaries are compared, and marks the children that were opened before (the printed prompt has
    only the question and the summaries);
  - offers going back up at every node except the root, also at inner ones (the paper's text does, its printed prompt does not);
  - refuses a leaf that it went back from, an inner node with nothing open below, and going up from the root. It records the
    refusal and asks again; the new prompt asks the model not to choose that number, and a sentence saying that replaces the
    summary. Three refusals or misreads in a row end the walk;
  - at temperature 0 also refuses an inner node that the model went back from, because the same prompt would get the same reply.
    So no prompt of a walk is asked twice. At higher temperatures it may return and choose differently;
  - goes back up without a call if every child is closed, and ends as exhausted at the root or after `max_steps` nodes;
  - carries the summaries on the path from the root as working memory (`visited`: those of all nodes seen so far; `off`: none);
    what does not fit into the model's window is left out, earliest first;
  - says in words how long a summary may be: half of its segment, and for a parent the limit on joined summaries and an equal
    share of it for each child. A summary that is still over its limit is cut at a sentence end; a parent's is instead joined from
    its children's, each cut to its share, so that every leaf has words in the level above;
  - uses a segment's first sentences if no summary could be read.
With `tree="headings"`, which is our addition, a node represents a section of the text under its heading, and its subsections are
below it; a summary begins with its heading. A section over the limit is cut into segments; parts over `max_children` are grouped.
Not here: the paper's sampling. The tree is the same for every question, and shared between readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readers.engine.errors import Ended
from readers.engine.prompts.options import PartSize
from readers.engine.record.trace import BUILD
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text
from readers.memwalker.narrative import ANSWER, UP, Action, MemWalkerCode, MemWalkerNarrative
from readers.memwalker.options import PRESETS, MemWalkerOptions
from readers.memwalker.prompts import BACK, COMMIT, LEAF, LEAF_PLAIN, LEAF_SUMMARY, PARENT_SUMMARY, TRIAGE, TRIAGE_PLAIN
from readers.memwalker.state import MemWalkerState
from readers.memwalker.tree import Node, build, shown

# The replacement of a summary that was chosen although nothing is open there.
LEFT = Text("This part was opened and left again. Choose another one.")


class MemWalker(Reader):
    """Walks down a tree of summaries to the segment that answers the question, and back up where it finds nothing."""

    id, title, version = "memwalker", "MemWalker", 3
    prompts = (LEAF_SUMMARY, PARENT_SUMMARY, TRIAGE, LEAF, TRIAGE_PLAIN, LEAF_PLAIN)
    Options = MemWalkerOptions
    narrative = MemWalkerNarrative()
    pseudo_code = MemWalkerCode()
    State = MemWalkerState
    presets = PRESETS
    part_size = PartSize("segment_tokens", "segment")

    def read(self, document: Document, question: Question, desk: Desk[Action], options: MemWalkerOptions) -> Text:
        with desk.step(BUILD):
            root = build(document, desk, options)
        with desk.step("walk"):
            return Walk(root, question, desk, options).run()


class Walk:
    """One walk: its path, the nodes it visited, and those that it went back from and may not open again."""

    def __init__(self, root: Node, question: Question, desk: Desk[Action], options: MemWalkerOptions) -> None:
        self.desk = desk
        self.options = options
        self.question = question
        self.path = [root]
        self.visited: list[Node] = [root]
        self.closed: set[Node] = set()
        self.max_steps = options.max_steps or 4 * (root.level + 1) + 8

    def run(self) -> Text:
        for _ in range(self.max_steps):
            here = self.path[-1]
            with self.desk.step(self._where()):
                if here.segment is None:
                    self._triage(here)
                elif answer := self._leaf(here, here.segment):
                    return answer
        raise Ended("exhausted", f"it had been at {self.max_steps} places in the tree, which is as far as one reading goes")

    def _triage(self, here: Node) -> None:
        """At an inner node: enter one child, or go back up."""
        offered: list[Text | str] = [*(child.summary for child in here.children), *([UP] if self._is_below_root() else [])]
        self.desk.look(here.summary)
        if not any(self._is_open(child) for child in here.children):
            if not self._is_below_root():
                raise Ended("exhausted", "no part is left to open, and none that was opened answered the question")
            return self._back(offered, "every part below was opened and left again")
        refused: list[Text] = []
        tries = TRIAGE.tries
        while tries > 0:
            got = self._compare(here, refused, tries)
            action, reasoning = got.number("action"), got.field("reasoning").text
            if action == BACK and self._is_below_root():
                if got.repeats:
                    self.closed.add(here)
                return self._back(offered, reasoning)
            if action != BACK and self._is_open(here.children[action]):
                return self._enter(here.children[action], offered, reasoning)
            why = self._why_refused(action, here)
            self.desk.choose("refuse", UP if action == BACK else here.children[action].summary, offered, why)
            refused.append(Text(str(action)))
            tries -= got.attempt + 1
        last = "went back" if action == BACK else "chose a part"
        raise Ended("no_answer", f"{TRIAGE.tries} replies in a row could not be followed; the last one {last}, but {why}")

    def _compare(self, here: Node, refused: list[Text], tries: int) -> Got:
        """Ask which child to open, without the summaries of children refused here: a small model would choose them again
        regardless of instructions. Raises Ended if no reply can be read."""
        got = self.desk.ask(
            replace(TRIAGE if self.options.reasoning else TRIAGE_PLAIN, tries=tries),
            question=self.question.asked,
            choices=self.question.offered,
            summaries=[LEFT if Text(str(number)) in refused else child.summary for number, child in enumerate(here.children)],
            opened=[Text(str(number)) for number, child in enumerate(here.children) if child in self.visited],
            back=[Text(str(BACK))] if self._is_below_root() else [],
            refused=refused,
        )
        if isinstance(got, Unread):
            raise got.no_answer
        return got

    def _leaf(self, here: Node, segment: Text) -> Text | None:
        """At a leaf: the answer, or None after going back up."""
        self.desk.look(segment)
        got = self.desk.ask(
            LEAF if self.options.reasoning else LEAF_PLAIN,
            memory=self._memory(),
            segment=shown(segment, self.options),
            question=self.question.asked,
            choices=self.question.offered,
        )
        if isinstance(got, Unread):
            raise got.no_answer
        if got.number("action") == COMMIT:
            self.desk.choose("commit", ANSWER, (ANSWER, UP), got.field("reasoning"))
            return got.field("answer")
        self.closed.add(here)
        self._back([ANSWER, UP], got.field("reasoning").text)
        return None

    def _enter(self, child: Node, offered: Sequence[Text | str], reasoning: str) -> None:
        self.desk.choose("enter", child.summary, offered, reasoning)
        self.path.append(child)
        if child not in self.visited:
            self.visited.append(child)

    def _back(self, offered: Sequence[Text | str], reasoning: str) -> None:
        self.desk.choose("revert", UP, offered, reasoning)
        self.path.pop()

    def _is_below_root(self) -> bool:
        """Whether there is a node to go back up to."""
        return len(self.path) > 1

    def _is_open(self, node: Node) -> bool:
        """Whether the node may be opened: it is not closed, and it is a leaf or has a child that may be opened."""
        return node not in self.closed and (node.segment is not None or any(self._is_open(child) for child in node.children))

    def _why_refused(self, action: int, here: Node) -> str:
        if action == BACK:
            return "there is nothing above the root"
        return "it was opened and left again" if here.children[action] in self.closed else "nothing below it is open any more"

    def _memory(self) -> list[Text]:
        """The working memory at a leaf, earliest first."""
        if self.options.working_memory == "off":
            return []
        return [
            node.summary
            for node in (self.path if self.options.working_memory == "path" else self.visited)
            if node is not self.path[-1]
        ]

    def _where(self) -> str:
        """`root`, or the numbers of the children on the way down, from 1: `2.1`."""
        numbers = [parent.children.index(child) + 1 for parent, child in zip(self.path, self.path[1:], strict=False)]
        return ".".join(map(str, numbers)) or "root"
