"""Replies that pick one of several: a label between paragraphs, one of a few words, one action with its argument.

A pick joined to another ("<2> or <4>") or contradicted later does not count. Not here: pages (`pages.py`), choices by letter
(`letters.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import NOTHING_SHOWN, WHY, Choice, Field, Form, FormField, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.json_text import stated_in_json
from readers.engine.prompts.formats.labels import JOIN, blocks, in_figures, label, labelled, said, words
from readers.engine.prompts.formats.letters import is_one
from readers.engine.prompts.formats.phrases import is_echo, is_nothing, is_placeholder, says_none
from readers.engine.prompts.formats.plain import Plain, Stated, settled

_NUMBER = r"[<\[(]?[ \t]*(\d{1,9})(?![\w]|\.\d)[ \t]*[>\])]?"
_LABELLED = pattern(
    rf"{label('break_point')}[ \t:]*(?:\w+[ \t]+){{0,3}}?(?:is|at|after|label|answer:)?[ \t:#]*(?:label|number)?[ \t]*#?{_NUMBER}"
    rf"|^[ \t]*{label('break_point')}[ \t]*:?[ \t]*\n\s*{_NUMBER}",
    re.IGNORECASE | re.MULTILINE,
)
_MARKED = pattern(r"<[ \t]*(\d{1,9})[ \t]*>|\blabel[ \t]*#?(\d{1,9})(?![\w]|\.\d)", re.IGNORECASE)
_STATED = pattern(rf"{label('answer')}[ \t]*(?:is|:)[ \t]*{_NUMBER}[ \t.]*$", re.IGNORECASE | re.MULTILINE)
_ALONE = pattern(r"\s*(?:(?:label|answer|number)\s*+(?::\s*+)?)*[<\[(#]*(\d{1,9})[\s)\]>.!]*\Z", re.IGNORECASE)
_SECOND = pattern(
    rf"[ \t]*(?:{JOIN}|[-–—]|[.,][ \t]+(?:or|alternatively|possibly|maybe),?)[ \t]*(?:label[ \t]*)?{_NUMBER}", re.IGNORECASE
)
_NOT = pattern(said("wrong"), re.IGNORECASE)


@dataclass(frozen=True)
class BreakPoint(Form):
    """`Break point: <3>`: one of the labels, from 1, before the texts of a part (Lee et al., 2024, pagination)."""

    part: str
    kind = "label"
    main = "label"

    def describe(self) -> str:
        return "Break point: <N>"

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        texts = enumerate(shown.texts(self.part), 1)
        offered = tuple(Choice(n, f"<{n}>", words if words.strip() else "the end of the stretch") for n, words in texts)
        return (FormField("label", "one", "Pause before", offered),)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        places = list(_labels(plain))
        found = settled(plain.text, places)
        if found is None:
            return Unreadable("it names several labels" if places else "it names no label, such as <1>")
        most = sizes.get(self.part, 0)
        if not 1 <= int(found.value) <= most:  # type: ignore[arg-type]
            return Unreadable(f"its label <{found.value}> was not offered; the labels are <1> to <{most}>")
        return Parsed({"label": Field(int(found.value), found.start, found.end)})  # type: ignore[arg-type]

    def render(self, values: Mapping[str, str | int]) -> str:
        return f"Break point: <{values['label']}>"


def _labels(plain: Plain) -> Iterator[Stated]:
    """The labels that a reply names: after `Break point:`, else in brackets, else on their own."""
    text = plain.text
    alone = _ALONE.match(text)
    patterns = (_LABELLED, _MARKED, _STATED)
    marks = [alone] if alone else next((places for pattern in patterns if (places := list(pattern.finditer(text)))), [])
    for mark in marks:
        if _NOT.search(text, max(0, mark.start() - 12), mark.start()):
            continue
        group = 1 if mark[1] else 2
        yield Stated(int(mark[group]), *mark.span(group))
        second = _SECOND.match(text, mark.end())
        if second:
            yield Stated(int(second[1]), *second.span(1))


@dataclass(frozen=True)
class OneOf(Form):
    """One of these words, in any case: at the beginning of a sentence and before a mark, after "Answer:", or as all that follows
    the last colon. The same words in other languages count, too."""

    words: tuple[str, ...]
    kind = "one_of"
    main = "answer"

    def describe(self) -> str:
        return " | ".join(self.words)

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return (FormField("answer", "one", "Answer", tuple(Choice(words, words) for words in self.words)),)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        found = settled(plain.text, self._places(plain))
        if found is None:
            return Unreadable(f"it begins with none of {', '.join(self.words)}")
        wrote, meant = reply[found.start : found.end], str(found.value)
        return Parsed({"answer": Field(wrote if wrote.lower() == meant else meant, found.start, found.end)})

    def _places(self, plain: Plain) -> Iterator[Stated]:
        meant = {said: word.lower() for word in self.words for said in (*words(word), word.lower())}
        said = "|".join(sorted(map(re.escape, meant), key=len, reverse=True))
        begins = (
            rf"(?:(?:^|(?<=[.!?])[ \t])[ \t\"'“„«(]{{0,40}}(?:i(?:'m| am) (?=not|un)|i(?:'d| would)? (?:say|answer|think):? "
            rf"|(?:most )?\w+ly,? |(?:so|therefore|thus|hence),? )?"
            rf"|{label('answer')}[ \t]*(?::|\bis\b:?|ist\b|est\b|es\b|是)[\s:\"'“„«(]{{0,40}}|:[ \t]+(?=[^:]{{1,40}}\Z))({said})"
        )
        ends = rf"(?=[ \t\"'”“»)]*(?:$|[.,;:!(—–}}](?![ \t]*\d)|-[ \t]))(?!,[ \t]*(?!\1\b)(?:{said})\b)"
        found = list(re.finditer(begins + ends, plain.text, re.IGNORECASE | re.MULTILINE))
        if not found and all(word.isupper() for word in self.words):
            marks = list(re.finditer(rf"\b({'|'.join(self.words)})\b", plain.text))
            found = [] if any(_NOT.search(plain.text, max(0, mark.start() - 25), mark.start()) for mark in marks) else marks
        for mark in found:
            yield Stated(meant[mark[1].lower()], *mark.span(1))


# One action


@dataclass(frozen=True)
class Act:
    """One action: its word, what it does (the words after "which"), its argument, and whether it needs one: words, none, either,
    or the numbers of parts."""

    word: str
    does: str
    hint: str = ""
    takes: Literal["words", "nothing", "either", "parts"] = "words"


_NAMES = ("reasoning", "action", "argument")
_IN_JSON = {name: words(name) for name in _NAMES} | {"action": (*words("action"), "name")}
_ONE_NUMBER = r"(?:(?:and|und|part|parts|slice|no\.?)[ \t]*)*#?\d{1,9}(?![.,]?\d)"
_ALL = r"(?:all|every|each)\b(?:[ \t]+parts?)?(?=[ \t]*:)"
_NUMBERS = pattern(
    rf"[\s\"'“(\[]*(?:({_ONE_NUMBER}(?:[ \t]*(?:,|&|and|-|–|to)[ \t]*{_ONE_NUMBER})*)|{_ALL})[\])]*", re.IGNORECASE
)
_AFTER_NUMBERS = pattern(r"[ \t]*(?:\([^()\n]{0,80}\))?[\s:;.,–—-]*(?:(?:sub-?)?question[ \t]*:)?[\s]*", re.IGNORECASE)
_RANGE = pattern(r"(\d{1,9})(?:[ \t]*(?:-|–|to)[ \t]*(?:part[ \t]*)?#?(\d{1,9}))?")
_MOST_NUMBERS = 100


@dataclass(frozen=True)
class OneAction(Form):
    """`Reason: …`, `Action: (one of these)`, `Argument: …`, each on its line. `part` is the prompt's part whose texts are named
    by number, from 1, in an action that takes parts."""

    acts: tuple[Act, ...]
    part: str = ""
    kind = "one_action"
    main = "argument"
    markers = (r"^(?:[^\S\n]|[>*_])*(?:reason|action|argument)(?:[^\S\n]|[*_])*:",)

    def describe(self) -> str:
        # The list looks unlike the form: small models copy its lines in place of the form where both are a word and a colon.
        form = [f"Reason: {_WHY}", f"Action: ({self._words()})", f"Argument: {_WHAT}"]
        return "\n".join([*(_line(act) for act in self.acts), "", "Reply with these lines alone, filled in:", "", *form])

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        acts = tuple(Choice(act.word, act.word, act.does) for act in self.acts)
        numbered = tuple(Choice(n, f"part {n}", words) for n, words in enumerate(shown.texts(self.part), 1))
        asked = [FormField("action", "one", "Action", acts)]
        for act in self.acts:
            chosen, hint = ("action", act.word), f"{act.hint}.".capitalize()
            if act.takes == "parts":
                asked.append(FormField("parts", "several", "Parts", numbered, when=chosen))
            if act.takes != "nothing":
                asked.append(FormField("argument", "line", "With", needed=act.takes == "words", help=hint, when=chosen))
        return (*asked, WHY)

    def _words(self) -> str:
        *first, last = [act.word for act in self.acts]
        return f"{', '.join(first)} or {last}" if first else last

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        stated = [self._without_echoes(found) for found in self._stated(plain) if "action" in found]
        if not stated:
            return Unreadable("it has no line 'Action:' with one of the actions")
        if not all(self._act(found["action"]) for found in stated):
            return Unreadable(f"its action is not one of {self._words()}")
        last = settled(plain.text, map(_as_stated, stated))
        if last is None:
            return Unreadable("it has several actions, and there is room for one")
        return self._checked(next(found for found in reversed(stated) if found["action"].start == last.start), sizes)

    def _stated(self, plain: Plain) -> list[dict[str, Field]]:
        """The fields of each action in a reply: in JSON, under headings, or as a line that begins with its word."""
        in_json = stated_in_json(plain.reply, _IN_JSON)
        found = in_json if any("action" in one for one in in_json) else list(_headed(plain)) or self._bare(plain)
        return [self._split(plain, one) for one in found]

    def _bare(self, plain: Plain) -> list[dict[str, Field]]:
        """A reply of one line that begins with the word of an action."""
        whole = plain.field(0, len(plain.text))
        began = self._word.match(plain.text, whole.start, whole.end)
        alone = "\n" not in str(whole.value)
        return [{"action": plain.field(whole.start, whole.end)}] if began and alone else []

    @cached_property
    def _word(self) -> re.Pattern[str]:
        words = "|".join(sorted((re.escape(act.word) for act in self.acts), key=len, reverse=True))
        return re.compile(rf"[\W_]*(?:the[ \t]+|i(?:'ll|[ \t]+will)[ \t]+)?({words})(?!\w)", re.IGNORECASE)

    @cached_property
    def _joined(self) -> re.Pattern[str]:
        """Another action's word after the first: no choice was made."""
        return re.compile(
            rf"[\W_]*(?:(?:or|and)[\W_]+)?(?:{'|'.join(re.escape(act.word) for act in self.acts)})(?!\w)", re.IGNORECASE
        )

    def _split(self, plain: Plain, found: dict[str, Field]) -> dict[str, Field]:
        """The word of the action, and what follows it on its line as the argument if there is no other: `search(lamp)`."""
        line = found.get("action")
        began = self._word.match(str(line.value)) if line else None
        if line is None or began is None or self._joined.match(str(line.value), began.end()):
            return found
        word = Field(began[1].lower(), line.start + began.start(1), line.start + began.end(1))
        rest = re.compile(r"(?:[ \t]*[:(\[=–—-]+|[ \t]+(?:for|is|into)\b:?)?[ \t]*").match(str(line.value), began.end())
        inline = plain.field(line.start + (rest.end() if rest else began.end()), line.end)
        inline = _without_bracket(plain, inline, opened="(" in (rest[0] if rest else ""))
        return {**found, "action": word} | ({"parts" if "argument" in found else "argument": inline} if inline.value else {})

    def _without_echoes(self, found: Mapping[str, Field]) -> dict[str, Field]:
        shown = [_WHY, _WHAT, *(words for act in self.acts for words in (act.does, act.hint, _line(act)) if words)]
        return {
            name: field
            for name, field in found.items()
            if name == "action" or (field.value and not is_placeholder(str(field.value)) and not is_echo(str(field.value), shown))
        }

    def _act(self, field: Field) -> Act | None:
        return next((act for act in self.acts if act.word == field.value), None)

    def _checked(self, found: Mapping[str, Field], sizes: Mapping[str, int]) -> Parsed | Unreadable:
        act = self._act(found["action"])
        assert act is not None
        fields = {name: field for name, field in found.items() if name not in ("argument", "parts")}
        argument = found.get("argument")
        if act.takes == "nothing" or (argument and act.takes != "words" and is_nothing(str(argument.value))):
            argument = None
        if act.takes == "parts":
            return _with_parts(fields, found.get("parts"), argument, sizes.get(self.part, 0))
        if argument and not is_one(str(argument.value), sizes):
            return Unreadable("its argument names several of the choices")
        if act.takes == "words" and (argument is None or says_none(str(argument.value))):
            return Unreadable(f"it has no line 'Argument:' with {act.hint or 'words'}")
        return Parsed(fields | ({"argument": argument} if argument else {}))

    def render(self, values: Mapping[str, str | int]) -> str:
        given = {name: " ".join(str(value).split()) for name, value in values.items() if value}
        argument = ": ".join(given[name] for name in ("parts", "argument") if name in given)
        lines = [("Reason", given.get("reasoning", "")), ("Action", given["action"]), ("Argument", argument)]
        return "\n".join(f"{name}: {words}" for name, words in lines if words)

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "acts": [[act.word, act.does, act.hint, act.takes] for act in self.acts]}

    @classmethod
    def stored(cls, data: Mapping[str, Any]) -> OneAction:
        return cls(tuple(Act(*act) for act in data["acts"]), data["part"])


_WHY, _WHAT = "(why, in a few words)", "(what to do it with)"


def _line(act: Act) -> str:
    """What the form says of an action."""
    return f"- {act.word}, which {act.does}" + (f"; its argument is {act.hint}" if act.hint else "")


def _headed(plain: Plain) -> Iterator[dict[str, Field]]:
    """The fields under the labels of a reply. An action after an action begins another one."""
    for block in blocks(labelled(plain.text, plain.reply, _NAMES), begins="reasoning"):
        yield {mark.name: _unwrapped(plain, plain.paragraph(mark.value, mark.end)) for mark in block}


def _unwrapped(plain: Plain, field: Field) -> Field:
    """A value without the brackets that the form puts around a value."""
    said = str(field.value)
    whole = said.startswith("(") and said.find(")") == len(said) - 1
    return plain.field(field.start + 1, field.end - 1) if whole else field


def _without_bracket(plain: Plain, field: Field, *, opened: bool) -> Field:
    words = str(field.value)
    return plain.field(field.start, field.start + words.rfind(")")) if opened and words.rstrip().endswith(")") else field


def _as_stated(found: Mapping[str, Field]) -> Stated:
    """An action with its argument, as one value."""
    words = f"{found['action'].value} {found['argument'].value if 'argument' in found else ''}"
    return Stated(" ".join(words.casefold().split()), found["action"].start, max(field.end for field in found.values()))


def _with_parts(fields: dict[str, Field], beside: Field | None, argument: Field | None, most: int) -> Parsed | Unreadable:
    """The numbers at the beginning of an argument, and the words after them, or the numbers `beside` the action."""
    words = str(argument.value) if argument else ""
    named = _NUMBERS.match(in_figures(words))
    where = argument if named else beside
    named = named or _NUMBERS.match(in_figures(str(beside.value) if beside else ""))
    if where is None or named is None:
        return Unreadable("its argument does not begin with the number of a part")
    numbers = list(dict.fromkeys(part_numbers(named[1]))) if named[1] else [*range(1, most + 1)]
    wrong = next((number for number in numbers if not 1 <= number <= most), None)
    if wrong is not None:
        return Unreadable(f"its part {wrong} is not one of the {most} parts")
    fields["parts"] = Field(", ".join(map(str, numbers)), where.start + named.start(), where.start + named.end())
    after = _AFTER_NUMBERS.match(words, named.end() if where is argument else 0)
    rest = Field.between(words, after.end() if after else named.end(), len(words))
    if rest.value and argument:
        fields["argument"] = Field(rest.value, argument.start + rest.start, argument.start + rest.end)
    return Parsed(fields)


def part_numbers(words: str) -> list[int]:
    """The numbers in `2, 5` or `parts 3 to 6`, in their order; of a very long range the first hundred."""
    found: list[int] = []
    for match in _RANGE.finditer(words):
        first, last = int(match[1]), int(match[2] or match[1])
        found += range(first, min(last, first + _MOST_NUMBERS) + 1)
    return found
