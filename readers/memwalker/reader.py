"""MemWalker: walk down a tree of summaries to the place that answers, and back up where it does not (Chen et al., 2023, arXiv
2310.05029).

Build (section 3.1, appendix A.1.1): segments cut at sentence ends, one summary each; a parent is its children's summaries put
together, compressed only when that is too long; up to one root, which is always above a segment. Walk (section 3.2): at an inner
node the model compares the children's summaries and picks one; at a leaf it sees the segment and answers or goes back up.

Where the paper is silent or contradicts itself, this reader
  - cuts segments at sentence ends, and groups evenly, so that no child is left alone beside a full group;
  - offers going back up at every node but the root, also at inner ones (the text has it, the printed prompt has not);
  - refuses a leaf that was turned back from, an inner node with nothing open below, and going up from the root: the refusal is
    recorded, the model is asked again and told so, and it counts as one of the three misreads in a row that end the walk;
  - goes back up by itself where every child is closed, and ends as exhausted at the root or after `max_steps` nodes;
  - carries the summaries on the way from the root as working memory (`visited`: of every node seen so far; `off`: none); what
    does not fit into the model's window is left out, earliest first;
  - cuts a summary that is still over the limit at a sentence end, and takes a segment's first sentences where no
    summary could be read.
Not here: the papers' sampling; the tree is the same for every question, and shared between readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeVar

from readers.engine.errors import Ended
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.prompts.reply_formats import Block, Line
from readers.engine.record.events import Chose, Cut, StepEnded, Wrote
from readers.engine.record.events import Ended as Stopped
from readers.engine.record.trace import BUILD, Trace
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Question, Text

COMMIT, BACK = -2, -1
UP, ANSWER = "back up", "answer"
FIRST_LEVEL = "level 1"
WORDS_KEPT_UNSUMMARISED = 60

_One = TypeVar("_One")

LEAF_SUMMARY = Prompt(
    id="memwalker.leaf_summary",
    task="summarise",
    template=(
        "<text>\n$segment\n</text>\n\n"
        "Write a summary of the text above as one flowing passage. Keep every person, place, date, number and event that "
        "somebody might ask about. Write nothing but the summary."
    ),
    tries=3,
    shared=True,
)

PARENT_SUMMARY = Prompt(
    id="memwalker.parent_summary",
    task="summarise",
    template=(
        "<summaries>\n$summaries\n</summaries>\n\n"
        "These are summaries of consecutive parts of one text. Make each of them much shorter, and give them back in the same "
        "order. Keep the names. Write nothing but the shortened summaries."
    ),
    tries=3,
    shared=True,
)

_REASONING = Line("reasoning", "words", "why, in a sentence or two")
_CHILD = Line("action", "number", "the number of one summary", lowest=BACK, below="summaries")
_VERDICT = Line("action", "number", "-2 or -1", lowest=COMMIT, highest=BACK)
_REPLY = Line("answer", "words", "the answer, if the action is -2", when=COMMIT)

TRIAGE = Prompt(
    id="memwalker.triage",
    task="choose",
    template=(
        "A long text was cut into parts, and each part below stands for one of them by a summary. The question is:\n\n"
        "<question>\n$question\n\n$choices\n</question>\n\n<summaries>\n$summaries\n</summaries>\n\n"
        "Which part is most likely to hold what answers the question? First compare the summaries, then decide for one number.\n"
        "$opened\n$back\n$refused\n\nReply in exactly this form:\n$format"
    ),
    reply=Block((_REASONING, _CHILD)),
    tries=3,
    max_tokens=512,
    each={
        "summaries": "Summary $number: $text",
        "opened": "Part $text was opened before, and left again.",
        "back": "If none of them can hold it, reply with the action $text to go back up.",
        "refused": "Do not choose $text: it leads nowhere that is still open.",
    },
)

LEAF = Prompt(
    id="memwalker.leaf",
    task="answer_or_decline",
    template=(
        "What is known from further up:\n<background>\n$memory\n</background>\n\n"
        "The part of the text itself:\n<text>\n$segment\n</text>\n\n"
        "<question>\n$question\n\n$choices\n</question>\n\n"
        "If the answer can be inferred from this, reply with the action -2, your reasoning and the answer "
        "(one of the choices as it stands, if there are any). If it cannot, reply with the action -1 to go back up. No other "
        "action is allowed.\n\n"
        "Reply in exactly this form:\n$format"
    ),
    reply=Block((_REASONING, _VERDICT, _REPLY)),
    tries=3,
    max_tokens=512,
    gives_way=("memory",),
)

# The paper's ablation without reasoning: weaker models choose better when they are not asked to explain.
TRIAGE_PLAIN = replace(
    TRIAGE,
    id="memwalker.triage_plain",
    template=TRIAGE.template.replace("First compare the summaries, then decide for one number.", "Decide for one number."),
    reply=Block((_CHILD,)),
)
LEAF_PLAIN = replace(
    LEAF,
    id="memwalker.leaf_plain",
    template=LEAF.template.replace("-2, your reasoning and the answer", "-2 and the answer"),
    reply=Block((_VERDICT, _REPLY)),
)


@dataclass(frozen=True)
class MemWalkerOptions:
    segment_tokens: int = option(1000, "The longest segment, in tokens; each becomes a leaf of the tree.", lowest=32)
    max_children: int = option(8, "The most parts under one node.", lowest=2)
    summary_limit_tokens: int = option(1000, "Summaries put together are compressed when they are longer than this.", lowest=32)
    working_memory: Literal["path", "visited", "off"] = option(
        "path", "What is carried along: the summaries on the way from the root, those of every node visited, or nothing."
    )
    reasoning: bool = option(True, "Ask the model for its reasoning before each decision.")
    max_steps: int | None = option(
        None, "The most nodes visited in one walk; auto is four times the depth of the tree, plus eight.", lowest=1
    )


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the tree: its summary, and its children or (for a leaf) its segment. `level` is 0 for a leaf."""

    summary: Text
    level: int
    children: tuple[Node, ...] = ()
    segment: Text | None = None


class MemWalker:
    """Walks down a tree of summaries to the segment that answers the question, and back up where it finds nothing."""

    id, title, version = "memwalker", "MemWalker", 1
    prompts = (LEAF_SUMMARY, PARENT_SUMMARY, TRIAGE, LEAF, TRIAGE_PLAIN, LEAF_PLAIN)
    Options = MemWalkerOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {}

    def read(self, document: Document, question: Question, desk: Desk, options: MemWalkerOptions) -> Text:
        with desk.step(BUILD):
            root = build(document, desk, options)
        with desk.step("walk"):
            return Walk(root, question, desk, options).run()

    def view(self, trace: Trace) -> dict[str, Any]:
        return view(trace)

    def names(self, trace: Trace) -> dict[str, str]:
        return names(trace)


def build(document: Document, desk: Desk, options: MemWalkerOptions) -> Node:
    """The tree, level by level; each level's summaries are asked for at once."""
    with desk.step("segments"):
        segments = desk.cut(document, split.segments(document.text, options.segment_tokens))
    with desk.step(FIRST_LEVEL):
        prompt = replace(LEAF_SUMMARY, max_tokens=options.summary_limit_tokens)
        replies = desk.ask_all(prompt, ({"segment": segment} for segment in segments))
        level = [
            Node(_summary(desk, reply, instead=_opening(segment), limit=options.summary_limit_tokens), 0, segment=segment)
            for segment, reply in zip(segments, replies, strict=True)
        ]
    while level[0].level == 0 or len(level) > 1:
        with desk.step(f"level {level[0].level + 2}"):
            level = _parents(level, desk, options)
    return level[0]


def _parents(level: list[Node], desk: Desk, options: MemWalkerOptions) -> list[Node]:
    groups = list(even_groups(level, options.max_children))
    joined = [Text.join("\n\n", (child.summary for child in group)) for group in groups]
    limit = options.summary_limit_tokens
    long = [tokens.count(text.text) > limit for text in joined]
    prompt = replace(PARENT_SUMMARY, max_tokens=limit)
    rows = ({"summaries": [child.summary for child in group]} for group, too_long in zip(groups, long, strict=True) if too_long)
    replies = iter(desk.ask_all(prompt, rows))
    parents = []
    for group, text, too_long in zip(groups, joined, long, strict=True):
        openings = Text.join(" ", (_opening(child.summary) for child in group))
        summary = _summary(desk, next(replies), instead=openings, limit=limit) if too_long else desk.write("summary", text)
        parents.append(Node(summary, level[0].level + 1, children=tuple(group)))
    return parents


def even_groups(nodes: list[Node], most: int) -> Iterator[list[Node]]:
    """Consecutive groups of at most `most`, as few as there can be, whose sizes differ by one at most."""
    return _grouped(nodes, -(-len(nodes) // most))


def _grouped(nodes: list[_One], groups: int) -> Iterator[list[_One]]:
    """So many consecutive groups, as even as they can be."""
    for number in range(groups):
        yield nodes[number * len(nodes) // groups : (number + 1) * len(nodes) // groups]


def _summary(desk: Desk, reply: Got | Unread, *, instead: Text, limit: int) -> Text:
    """Write the summary that was got, cut at a sentence end if it is over the limit; or `instead`, recorded as a fallback."""
    if isinstance(reply, Unread):
        desk.choose("fallback", "first sentences", because=f"no summary could be read: {reply.problems[-1]}")
        return desk.write("summary", instead)
    whole = split.segments(reply.text, limit)[0]
    if whole.end < len(reply):
        desk.choose("truncate", f"{whole.end} of {len(reply)} characters", because=f"the summary was over {limit} tokens")
    return desk.write("summary", reply[: whole.end].strip())


def _opening(text: Text) -> Text:
    """The first sentences, some sixty words of them; all of it where there is no sentence end."""
    end = 0
    for sentence in split.sentences(text.text):
        end = sentence.end
        if len(text.text[:end].split()) >= WORDS_KEPT_UNSUMMARISED:
            break
    return text[:end].strip() or text[:end]


class Walk:
    """One walk: where it is, what it has turned back from, and how many replies it has misread in a row."""

    def __init__(self, root: Node, question: Question, desk: Desk, options: MemWalkerOptions) -> None:
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
        """At an inner node: go down into one child, or back up."""
        back = len(self.path) > 1
        offered: list[Text | str] = [*(child.summary for child in here.children), *([UP] if back else [])]
        self.desk.look(here.summary)
        if not any(self._open(child) for child in here.children):
            if not back:
                raise Ended("exhausted", "every part of the text was opened, and none answered the question")
            return self._back(offered, "every part below was opened and left again")
        refused: list[Text] = []
        tries = TRIAGE.tries
        while tries > 0:
            got = self._compare(here, refused, tries)
            action, reasoning = got.number("action"), got.field("reasoning").text
            if action == BACK and back:
                return self._back(offered, reasoning)
            if action != BACK and self._open(here.children[action]):
                return self._enter(here.children[action], offered, reasoning)
            self.desk.choose(
                "refuse", UP if action == BACK else here.children[action].summary, offered, _why_refused(action, here)
            )
            refused.append(Text(str(action)))
            tries -= got.attempt + 1
        raise Ended(
            "no_answer",
            f"{TRIAGE.tries} replies in a row could not be followed; the last one chose {refused[-1]}, which is closed",
        )

    def _compare(self, here: Node, refused: list[Text], tries: int) -> Got:
        """Ask which child to open. Raises Ended when no reply can be read."""
        got = self.desk.ask(
            replace(TRIAGE if self.options.reasoning else TRIAGE_PLAIN, tries=tries),
            question=self.question.asked,
            choices=self.question.offered,
            summaries=[child.summary for child in here.children],
            opened=[Text(str(number)) for number, child in enumerate(here.children) if child in self.visited],
            back=[Text(str(BACK))] if len(self.path) > 1 else [],
            refused=refused,
        )
        if isinstance(got, Unread):
            raise _gave_up(got)
        return got

    def _leaf(self, here: Node, segment: Text) -> Text | None:
        """At a leaf: the answer, or None after going back up."""
        self.desk.look(segment)
        got = self.desk.ask(
            LEAF if self.options.reasoning else LEAF_PLAIN,
            memory=self._memory(),
            segment=segment,
            question=self.question.asked,
            choices=self.question.offered,
        )
        if isinstance(got, Unread):
            raise _gave_up(got)
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

    def _open(self, node: Node) -> bool:
        """Whether a leaf that was not turned back from lies at or below the node."""
        return node not in self.closed if node.segment is not None else any(self._open(child) for child in node.children)

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


def _gave_up(unread: Unread) -> Ended:
    return Ended("no_answer", f"{len(unread.problems)} replies in a row could not be read; the last one: {unread.problems[-1]}")


def _why_refused(action: int, here: Node) -> str:
    if action == BACK:
        return "there is nothing above the root"
    return "it was opened and left again" if here.children[action].segment is not None else "nothing below it is open any more"


def view(trace: Trace) -> dict[str, Any]:
    """The tree and the walk, from the events alone: `nodes` by the number of their summary, and every decision at a node.

    How many summaries there are of each level says which stand under which, so that one that a person wrote has its children too,
    whatever its words rest on.
    """
    nodes: list[dict[str, Any]] = []
    cut = next((event for event in trace.events if isinstance(event, Cut)), Cut(()))
    below: list[dict[str, Any]] = [{"start": start, "end": end} for start, end in cut.spans]
    for level, wrote in enumerate(_levels(trace)):
        groups = _grouped(below, len(wrote)) if level else ([segment] for segment in below)
        made = [
            {
                "id": str(summary.n),
                "level": level,
                "children": [child["id"] for child in group] if level else [],
                "start": group[0]["start"],
                "end": group[-1]["end"],
                "summary": summary.text,
            }
            for summary, group in zip(wrote, groups, strict=False)
        ]
        nodes += made
        below = made
    return {"nodes": nodes, "walk": list(_walk(trace, nodes))}


def _levels(trace: Trace) -> Iterator[list[Wrote]]:
    """The summaries of each level, from the leaves up. Of a level above them all or none: half of it would be no level."""
    for step in trace.steps:
        happened = trace.events[step.start : step.end]
        wrote = [event for event in happened if isinstance(event, Wrote) and event.role == "summary"]
        whole = any(isinstance(event, StepEnded) for event in happened)
        if wrote and step.phase == BUILD and (whole or step.names[-1] == FIRST_LEVEL):
            yield wrote


def _walk(trace: Trace, nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every decision at a node, with where it led."""
    path = [nodes[-1]["id"]] if nodes else [""]
    for step in trace.steps:
        if step.phase != "walk":
            continue
        for event in trace.events[step.start : step.end]:
            if not isinstance(event, Chose):
                continue
            at = {"step": step.number, "node": path[-1]}
            if event.action == "enter":
                path.append(event.picked.removeprefix("wrote:"))
            elif event.action == "revert":
                path.pop()
            refused = event.action == "refuse"
            to = event.picked.removeprefix("wrote:") if refused else path[-1]
            yield {**at, "action": "refused" if refused else event.action, "to": to, "reasoning": event.because}
    if isinstance(trace.end, Stopped):
        yield {"step": len(trace.steps) - 1, "node": path[-1], "action": "stop", "to": path[-1], "reasoning": trace.end.reason}


def names(trace: Trace) -> dict[str, str]:
    """What to call each node: `the whole text`, `part 2`, `part 2.1` ..., by the ref of its summary, a leaf also by that of its
    segment."""
    nodes = {node["id"]: node for node in view(trace)["nodes"]}
    todo = [(list(nodes)[-1], "the whole text", "part ")] if nodes else []
    called: dict[str, str] = {}
    while todo:
        id, name, below = todo.pop()
        called[f"wrote:{id}"] = name
        if not nodes[id]["children"]:
            called[f"document:{nodes[id]['start']}-{nodes[id]['end']}"] = name
        todo.extend((child, f"{below}{number}", f"{below}{number}.") for number, child in enumerate(nodes[id]["children"], 1))
    return called
