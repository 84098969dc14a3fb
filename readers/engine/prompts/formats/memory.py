"""Reply formats of readers that overwrite a memory: the memory itself, and tagged blocks.

A reply that only says that the memory is unchanged has no memory and the field `unchanged`, which holds the reply's words. The
limit of a memory is checked while parsing, so the model is asked again for one that is too long as after any misread reply, but
it is `usable` on the last try. Thoughts are taken off before. Every search is linear in the reply.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import NOTHING_SHOWN, Field, Form, FormField, Parsed, Shown, Unreadable, unthought
from readers.engine.prompts.formats.free_text import body, is_instruction
from readers.engine.prompts.formats.json_text import fields_named
from readers.engine.prompts.formats.labels import either, labelled, said, words
from readers.engine.prompts.formats.phrases import LONGEST_PHRASE, is_echo, is_nothing, is_placeholder, is_refusal
from readers.engine.prompts.formats.plain import Plain, Stated, settled
from readers.engine.text import tokens

UNCHANGED = "unchanged"
_NAMES = "thinking|update|recall"
_TAG = pattern(rf"<(/?)({_NAMES})>", re.IGNORECASE)
_LOOSE_TAG = pattern(rf"<\s*(/?)\s*({_NAMES})\s*>", re.IGNORECASE)
_LIKE_A_TAG = pattern(rf"(?:<|\[|&lt;)\s*(/?)\s*({_NAMES}|(?:new_|updated_)?memory)\s*(?:>|\]|&gt;)", re.IGNORECASE)

# A sentence is about the memory if it names it early; it says that there is no news in its beginning or of the section.
_MEMORY = pattern(rf".{{0,30}}?{said('memory')}", re.IGNORECASE)
_SAME = pattern(said("same"), re.IGNORECASE)
_NO = pattern(said("none", "nothing"), re.IGNORECASE)
_NEWS = pattern(said("news", "same"), re.IGNORECASE)
_SECTION = pattern(said("section"), re.IGNORECASE)
_LACKS = pattern(rf".{{0,20}}?{said('section')} {said('none')}", re.IGNORECASE)
_BEGINS = pattern(rf"(?:{either('there')})?\W*{said('none', 'nothing')}", re.IGNORECASE)
_LONGEST_WORDLESS = 4  # words of a sentence that is nothing but "the same as before"
_SENTENCE = pattern(r"(?<=[.!?。！？])[\s)\]\"”]*|[\n;；]+|,\s*(?:and |so |thus |hence |therefore,? ){1,2}", re.IGNORECASE)
_ENDED = pattern(r"[.!?。！？…][\s\"'”’»)\]*_]{0,4}\Z")
_EDGES = " \t\r\n.!。！?？()（）[]【】{}<>*_`\"'“”‘’:：,，;-–—"


RECALL = FormField("recall", "line", "What to look for in an earlier memory", needed=False, help="Empty if nothing is missing.")


def _the_new(name: str, called: str, limit: int, shown: Shown) -> FormField:
    """The field of a memory, which may begin with the memory so far."""
    begin = "".join(shown.texts("memory"))
    return FormField(name, "words", f"The new {called}", help=f"At most {limit:,} tokens.", begin=begin, long=True, limit=limit)


@dataclass(frozen=True)
class Memory(Form):
    """The whole reply is the new memory, of at most `limit` tokens (Yu et al., 2025). A longer memory is usable. `called` is its
    name in the prompt."""

    limit: int
    called: str = "memory"
    kind = "memory"
    earlier: ClassVar[Mapping[str, Any]] = {"called": "memory"}
    main = "text"

    def describe(self) -> str:
        return f"plain text of at most {self.limit} tokens (some {tokens.in_words(self.limit)} words)"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        if not reply.strip():
            return Unreadable("it was empty")
        return _memory(body(reply), "text", self.limit, shown=self.describe(), called=self.called)

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return (_the_new("text", self.called, self.limit, shown),)

    def render(self, values: Mapping[str, str | int]) -> str:
        return unthought(values["text"])


@dataclass(frozen=True)
class MemoryBlocks(Form):
    """`<thinking>`, one `<update>` with the new memory of at most `limit` tokens, and at most one `<recall>` query (Shi et al.,
    2025).

    Blocks inside `<thinking>` do not count; several updates must agree, or the last one corrects the others. Without an
    `<update>`, the reply without the other blocks is usable. `format_error` says what was malformed.
    """

    limit: int
    kind = "memory_blocks"
    main = "update"

    def describe(self) -> str:
        thinking, update, recall = self._hints()
        return f"<thinking>{thinking}</thinking>\n<update>{update}</update>\n<recall>{recall}</recall>"

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        thinking = FormField("thinking", "words", "Thinking", needed=False, help="What the section adds. Not part of the memory.")
        return thinking, _the_new("update", "memory", self.limit, shown), RECALL

    def _hints(self) -> tuple[str, str, str]:
        words = tokens.in_words(self.limit)
        return (
            "what the section adds, in a sentence or two",
            f"the whole memory as it is to be from now on, at most {self.limit} tokens (some {words} words)",
            "what to look for in an earlier memory; leave this block out where nothing is missing",
        )

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        found = _other_form(reply)
        error = ""
        if found is None:
            tag = _TAG if any(mark[2].lower() == "update" for mark in _TAG.finditer(reply)) else _LIKE_A_TAG
            blocks = _TaggedBlocks(reply, tag)
            found, error = blocks.found, blocks.problem()
            if "update" not in found and (whole := blocks.whole()):
                found, error = {**found, "update": [whole]}, ""
        _, shown, asked = self._hints()
        fields = _query(found.get("recall", []), asked)
        if error:
            fields["format_error"] = Field(error, 0, len(reply.rstrip()))
        updates = [field for field in found.get("update", []) if not is_echo(str(field.value), [shown])]
        if not found.get("update"):
            return self._without_update(blocks.rest(), error, fields=fields)
        last = settled(reply, [Stated(" ".join(str(field.value).split()), field.start, field.end) for field in updates])
        if last is None:
            return Unreadable("its <update> blocks differ" if updates else "its <update> block repeats the form")
        update = next(field for field in updates if field.start == last.start)
        if not update.value:
            return Unreadable("its <update> block is empty")
        return _memory(update, "update", self.limit, shown=shown, others=fields)

    def _without_update(self, rest: Field, error: str, *, fields: Mapping[str, Field]) -> Parsed | Unreadable:
        """A reply without an update: nothing to use, a statement that nothing changes, or words that are usable."""
        if not rest.value:
            return Unreadable(error or "it was empty")
        read = _memory(rest, "update", self.limit, shown=self._hints()[1], others=fields)
        if isinstance(read, Unreadable):
            return Unreadable(error or read.problem, read.usable)
        return read if UNCHANGED in read.fields else Unreadable(error, read)

    def render(self, values: Mapping[str, str | int]) -> str:
        said = {name: _untagged(unthought(value)) for name, value in values.items()}
        thoughts = f"<thinking>{said['thinking']}</thinking>\n" if said.get("thinking") else ""
        query = f"\n<recall>{said['recall']}</recall>" if said.get("recall") else ""
        return f"{thoughts}<update>{said['update']}</update>{query}"


def _memory(
    found: Field, name: str, limit: int, *, shown: str, called: str = "memory", others: Mapping[str, Field] | None = None
) -> Parsed | Unreadable:
    """The memory in a field, under its name, unless it is not a memory. `shown` is its placeholder in the form; `others` are the
    other fields."""
    lead, _, rest = str(found.value).partition("\n")
    if rest.strip() and lead.rstrip().endswith((":", "：")) and says_unchanged(lead):
        found = Field(rest.strip(), found.end - len(rest.lstrip()), found.end)
    words = str(found.value)
    if not words:
        return Unreadable("there is no text in it")
    if is_placeholder(words) or is_instruction(words) or is_echo(words, [shown]):
        return Unreadable(f"it repeats the form and has no {called} of its own")
    if says_unchanged(words):
        return Parsed({**(others or {}), UNCHANGED: found})
    if is_refusal(words):
        return Unreadable(f"it declines, or asks for something, instead of giving the {called}")
    parsed = Parsed({**(others or {}), name: found})
    size = tokens.count(words)
    return parsed if size <= limit else Unreadable(f"the {called} in it has {size} tokens, and there is room for {limit}", parsed)


def _query(found: list[Field], shown: str) -> dict[str, Field]:
    """The last query that is one."""
    real = [
        field for field in found if field.value and not is_nothing(str(field.value)) and not is_echo(str(field.value), [shown])
    ]
    return {"recall": real[-1]} if real else {}


def _other_form(reply: str) -> dict[str, list[Field]] | None:
    """The update and the query of a reply in JSON, or under headings instead of tags; None if it has neither."""
    if _TAG.search(reply):
        return None
    given = [fields for fields in fields_named(reply, {name: words(name) for name in ("update", "recall")}) if "update" in fields]
    if given:
        found: dict[str, list[Field]] = {"update": [], "recall": []}
        for fields in given:
            for name, value in fields.items():
                found[name].append(Field((value.text or "").strip(), value.start, value.end))
        return found
    return _headed(reply)


def _headed(reply: str) -> dict[str, list[Field]] | None:
    marks = labelled(Plain(reply).text, reply, ("thinking", "update", "recall"), alone=False)
    if not any(mark.name == "update" for mark in marks) or (
        len(marks) == 1 and (reply[: marks[0].start].strip() or _LIKE_A_TAG.search(reply))
    ):
        return None
    found: dict[str, list[Field]] = {"update": [], "recall": []}
    for mark in marks:
        if mark.name != "thinking":
            found[mark.name].append(body(reply, start=_after_marks(reply, mark.value), end=mark.end))
    return found


def _after_marks(reply: str, at: int) -> int:
    """The position after bold marks that belong to a heading."""
    found = re.compile(r"[ \t]*[*_]*[ \t]*[:：]?[*_]*").match(reply, at)
    return found.end() if found else at


class _TaggedBlocks:
    """The tagged blocks of a reply; `found` has the well-formed ones of each name, outside `<thinking>`."""

    def __init__(self, reply: str, tag: re.Pattern[str]) -> None:
        self._reply = reply
        self._tag = tag
        self._opened: dict[str, tuple[int, int]] = {}
        self._dropped: list[tuple[int, int]] = []  # spans outside the memory: blocks of thoughts and queries, and every tag
        inside = self._read()
        self._dropped.sort(key=lambda stretch: (stretch[0], -stretch[1]))
        self.found = {name: [self._without(*stretch) for stretch in stretches] for name, stretches in inside.items()}

    def _read(self) -> dict[str, list[tuple[int, int]]]:
        """The spans inside the blocks of each name. An update that is not closed ends where a query begins."""
        tags = [(_tag_name(m[2]), bool(m[1]), m.start(), m.end()) for m in self._tag.finditer(self._reply)]
        thoughts_end = max((start for name, closes, start, _ in tags if name == "thinking" and closes), default=-1)
        update_end = max((start for name, closes, start, _ in tags if name == "update" and closes), default=-1)
        recall_end = max((start for name, closes, start, _ in tags if name == "recall" and closes), default=-1)
        inside: dict[str, list[tuple[int, int]]] = {}
        for name, closes, start, end in tags:
            if "thinking" in self._opened and not (name == "thinking" and closes):
                continue
            self._dropped.append((start, end))
            if name == "recall" and not closes and "update" in self._opened and update_end < start < recall_end:
                inside.setdefault("update", []).append((self._opened.pop("update")[1], start))
            if not closes and (name != "thinking" or start < thoughts_end):
                self._opened[name] = (start, end)
            elif closes and name in self._opened:
                began, inner = self._opened.pop(name)
                if name != "thinking":
                    inside.setdefault(name, []).append((inner, start))
                if name != "update":
                    self._dropped.append((began, end))
        return inside

    def _without(self, start: int, end: int) -> Field:
        """The text between two positions, without the blocks and tags in it."""
        parts, at = [], start
        first = bisect_left(self._dropped, (start, -1))
        for number in range(first, len(self._dropped)):
            begin, stop = self._dropped[number]
            if begin >= end:
                break
            if at <= begin and stop <= end:
                parts.append(self._reply[at:begin])
                at = stop
        parts.append(self._reply[at:end])
        if len(parts) == 1:
            return body(self._reply, start=start, end=end)
        return Field("\n".join(piece.strip() for piece in parts if piece.strip()), start, end)

    def rest(self) -> Field:
        """The reply without thoughts, queries and tags."""
        return self._without(0, len(self._reply))

    def whole(self) -> Field | None:
        """The memory of a reply whose update is not closed, or has no tag behind thoughts that are closed, if it ends as a
        sentence does and so is not cut off."""
        tag, begins = self._opened.get("update", (0, 0))
        own_line = not self._reply[:tag].rpartition("\n")[2].strip() and bool(
            begins or not (self._opened or re.search("update>", self._reply))
        )
        rest = self._without(begins, len(self._reply))
        return rest if self._dropped and own_line and _ENDED.search(str(rest.value)) else None

    def problem(self) -> str:
        """What is malformed, as a clause; empty if nothing is."""
        if "update" not in self.found:
            return "its <update> block is not closed" if "update" in self._opened else "it has no <update> block"
        return "its <recall> block is not closed" if "recall" in self._opened and "recall" not in self.found else ""


def _tag_name(wrote: str) -> str:
    return "update" if wrote.lower().endswith("memory") else wrote.lower()


def _untagged(words: str) -> str:
    """The words with their tags in other brackets, so that they are not parsed."""
    return _LOOSE_TAG.sub(lambda tag: f"«{tag[0][1:-1]}»", words)


def says_unchanged(text: str) -> bool:
    """Whether a text says that nothing changes in the memory, and nothing else."""
    if len(text) > LONGEST_PHRASE:
        return False
    if is_nothing(text):
        return True
    sentences = [sentence for part in _SENTENCE.split(text) if (sentence := part.strip(_EDGES))]
    stays = any(map(_stays, sentences))
    return bool(sentences) and all(
        _stays(sentence) or _no_news(sentence) or (stays and bool(_SECTION.search(sentence))) for sentence in sentences
    )


def _stays(sentence: str) -> bool:
    """Whether a sentence says that the memory stays as it was."""
    about = _MEMORY.match(sentence)
    return bool(about and (_SAME.search(sentence) or (_NO.search(sentence) and _NEWS.search(sentence))))


def _no_news(sentence: str) -> bool:
    """Whether a sentence says that there is nothing new: all is the same, there is no news, or none in the section."""
    if _LACKS.match(sentence) or (_SAME.search(sentence) and len(sentence.split()) <= _LONGEST_WORDLESS):
        return True
    no = _BEGINS.match(sentence) or (_SECTION.search(sentence) and _NO.search(sentence))
    return bool(no and _NEWS.search(sentence))
