"""Where the document, the question and the choices are in the words of a chat request: named rules, one function each. Pure.

Benchmarks put a whole text and its question into one message, each in its own layout. A rule recognises one layout and takes it
apart; it returns None for any other. `take_apart` asks them in order. Nothing is guessed: a message that no rule recognises is
refused, with a list of recognised layouts. Not here: HTTP (`server.py`), and reading the text (`answer.py`).

The layouts, as published: LongBench v2 (`prompts/0shot.txt` in THUDM/LongBench), MemAgent (`taskutils/memory_eval/utils/boxed.py`
and `openai_api.py`), RULER (`scripts/data/synthetic/constants.py`) and LongBench v1 (`LongBench/config/dataset2prompt.json`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from readers.engine.errors import BadOptions
from readers.engine.questions.answers import chosen, letter

MAX_QUESTION = 10_000  # characters; more is a text that no rule took apart well

_OPEN, _CLOSE = "<text>", "</text>"
_CHOICES_BEGIN = re.compile(r"^[ \t]*(?:choices|options)[ \t]*:[ \t]*$", re.IGNORECASE | re.MULTILINE)
_CHOICE = re.compile(r"^[ \t]*\(?([A-Z])[).:][ \t]+(?=\S)", re.MULTILINE)
# What an instruction says of its reply's form: words in quotation marks with a place for the answer, or a box.
_FORM = re.compile(r"[\"“]([^\"”\n]{0,120})\((?:insert|your)\b[^()\n]{0,60}\)([^\"”\n]{0,120})[\"”]", re.IGNORECASE)
_BOX = re.compile(r"\\boxed\s*\{")
_HOW_TO_REPLY = re.compile(
    r"(?:format your (?:response|answer|reply)|let[’']s think|step by step|(?:put|give|write) (?:the|your) (?:final )?answer"
    r"|only (?:give|reply|answer|output)|do not (?:output|provide|explain)|answer(?: directly)?:)",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r"[^\n:?]{0,80}\bquestion\b[^\n:?]{0,20}:[ \t]*", re.IGNORECASE)
# The last line that says "Question:"; the lines before and after it are the document and the beginning of a reply.
_QUESTION_LINE = re.compile(r"^[ \t]*(?:question|query)[ \t]*:[ \t]*(?=\S)", re.IGNORECASE | re.MULTILINE)
_REPLY_BEGINS = re.compile(r"(?<!\s)\s+(?:Answer|Reply)[ \t]*:.*\Z", re.DOTALL)
_FIRST_NUMBERED = re.compile(r"^(?:document|passage|paragraph) 1:[ \t]*$", re.IGNORECASE | re.MULTILINE)
_INSTRUCTION = re.compile(
    r"\b(?:answer|read|memori[sz]e|track|you are given|summari[sz]e|write)\b.*\b(?:text|documents?|passages?|article|story|"
    r"question|query|transcript|report|words)\b|\b(?:hidden|below|following|given)\b.*\b(?:text|documents?|passages?|words)\b",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"[ \t]*the following (?:is|are)\b[^\n]{0,80}", re.IGNORECASE)
_LABEL = re.compile(r"[ \t]*(?:story|article|transcript|text|context|document|passage)[ \t]*:\s*", re.IGNORECASE)
_MOST_INSTRUCTION = 600  # characters of a line that instructs a model; a longer one is text
_FIELD = re.compile(r"\{(document|context|question|input|choices)\}")
_SAME_AS = {"context": "document", "input": "question"}


@dataclass(frozen=True)
class DocumentQuestion:
    """What a request asks: of this document this question, found by this rule. `before` and `after` come before and after the
    answer in the reply that the client's instruction asks for."""

    rule: str
    document: str
    question: str
    choices: tuple[str, ...] = ()
    before: str = ""
    after: str = ""

    def reply(self, answer: str) -> str:
        """The answer in the form that the client's script looks for: a choice by its letter, in brackets."""
        index = chosen(answer, self.choices)
        if not self.before and not self.after:
            return answer
        return f"{self.before}{answer if index is None else self._letter(index)}{self.after}"

    def _letter(self, index: int) -> str:
        return letter(index) if self.before.endswith("{") else f"({letter(index)})"


@dataclass(frozen=True)
class RequestWords:
    """The words of a request: those of its messages, and those in separate fields."""

    messages: tuple[str, ...]
    document: str | None = None
    question: str | None = None
    choices: tuple[str, ...] = ()
    template: str | None = None


def take_apart(words: RequestWords) -> DocumentQuestion:
    """The document and the question of a request, by the first rule that recognises its layout. Raises BadOptions."""
    found = document_field(words) or by_template(words) or _by_layout(words.messages)
    if found is None:
        raise BadOptions(
            f"no text and question were found in the messages. Send the text in a field `document` and the question as the last "
            f"message; or give a `template` with {{document}} and {{question}}; or use one of the layouts that are known: {KNOWN}"
        )
    if not found.document.strip() or not found.question.strip():
        what = "question" if found.document.strip() else "text"
        raise BadOptions(f"the {what} is empty in what the rule {found.rule!r} found; check the layout of the message")
    if len(found.question) > MAX_QUESTION:
        raise BadOptions(
            f"the question that the rule {found.rule!r} found has {len(found.question):,} characters, and may have "
            f"{MAX_QUESTION:,}: check the layout of the message, or send the text in a field `document`"
        )
    return replace(found, document=found.document.strip("\n"), question=found.question.strip())


def document_field(words: RequestWords) -> DocumentQuestion | None:
    """A field `document` next to the messages; the question is the field `question`, else the last message. A field `choices` may
    list its choices; otherwise they are looked for below the question."""
    if words.document is None:
        return None
    asked = words.question if words.question is not None else (words.messages or ("",))[-1]
    question, choices = (asked, words.choices) if words.choices else _choices_of(asked)
    return DocumentQuestion("document_field", words.document, question, choices)


def by_template(words: RequestWords) -> DocumentQuestion | None:
    """A layout that the client or the server gives: {document} and {question}, and {choices} if it has them, with the words
    between. Raises BadOptions for a template that cannot take a message apart, and for a message that does not follow it."""
    if words.template is None:
        return None
    names, between = _fields_of(words.template)
    message = (words.messages or ("",))[-1]
    values = _values_between(message, names, between)
    if values is None:
        raise BadOptions(
            "the last message does not follow the template: it must begin with the template's beginning, end with its end, and "
            "have the words between its fields in the same order"
        )
    question, choices = values["question"], _choices_in(values.get("choices", ""))
    if not choices:
        question, choices = _choices_of(question)
    before, after = _form_of(words.template)
    return DocumentQuestion("template", values["document"], question, choices, before, after)


def text_tags(message: str) -> DocumentQuestion | None:
    """LongBench v2 and MemAgent: the text between <text> and </text>, below it the question, its choices, and how to reply."""
    begins, ends = message.find(_OPEN), message.rfind(_CLOSE)
    if begins < 0 or ends < begins:
        return None
    below = message[ends + len(_CLOSE) :].strip()
    question, choices = _choices_of(_without_instruction(below))
    lead_in = _LEAD_IN.match(question)
    question = question[lead_in.end() :] if lead_in else question
    return DocumentQuestion("text_tags", message[begins + len(_OPEN) : ends].strip("\n"), question, choices, *_form_of(below))


def numbered_documents(message: str) -> DocumentQuestion | None:
    """RULER's questions and LongBench's: numbered documents or passages, from the line of the first, and a line "Question:"."""
    asked, first = _question_begins(message), _FIRST_NUMBERED.search(message)
    if asked is None or first is None or first.start() >= asked:
        return None
    return _with_question("numbered_documents", message[first.start() : asked], message[asked:])


def question_line(message: str) -> DocumentQuestion | None:
    """LongBench and RULER: an instruction in the first line, the text, perhaps the instruction again, and a line "Question:"."""
    asked = _question_begins(message)
    if asked is None:
        return None
    found = _with_question("question_line", _without_opening_instruction(message[:asked]), message[asked:])
    return found if len(found.document.strip()) > len(found.question) else None


def last_line(message: str) -> DocumentQuestion | None:
    """RULER's needles: an instruction in the first line, the text, and a question in the last line, perhaps with the beginning of
    the reply after its question mark."""
    instruction, _, below = message.strip().partition("\n")
    text, _, last = below.rpartition("\n")
    question, mark, _ = last.partition("?")
    if not mark or not text.strip() or not _is_instruction(instruction):
        return None
    return DocumentQuestion("last_line", text, f"{question}?")


LAYOUTS: tuple[Callable[[str], DocumentQuestion | None], ...] = (text_tags, numbered_documents, question_line, last_line)
KNOWN = (
    "LongBench v2’s and MemAgent’s (the text between <text> and </text>, the question below), LongBench’s and RULER’s (an "
    "instruction, the text, a line that begins with `Question:`), and RULER’s needles (the question in the last line)"
)


def _by_layout(messages: Sequence[str]) -> DocumentQuestion | None:
    """By the layout of the last message; otherwise by the layout of all messages together, since some put the text into the
    first."""
    joined = "\n\n".join(messages)
    for message in dict.fromkeys([*messages[-1:], joined]):
        found = next((asked for rule in LAYOUTS if (asked := rule(message)) is not None), None)
        if found:
            return found
    return None


def _question_begins(message: str) -> int | None:
    """Where the last line "Question:" begins."""
    lines = list(_QUESTION_LINE.finditer(message))
    return lines[-1].start() if lines else None


def _with_question(rule: str, text: str, below: str) -> DocumentQuestion:
    """A text, and a line "Question:" with all below it; without an instruction at the text's end and the beginning of a reply."""
    words = _REPLY_BEGINS.sub("", f"{_QUESTION_LINE.sub('', below, count=1).strip()}\n").strip()
    question, choices = _choices_of(_without_instruction(words))
    return DocumentQuestion(rule, _without_closing_instruction(text), question, choices, *_form_of(below))


def _choices_of(asked: str) -> tuple[str, tuple[str, ...]]:
    """The question without its choices, and those: lettered lines below it, with or without a line that says so."""
    begin = _CHOICES_BEGIN.search(asked) or next((one for one in _CHOICE.finditer(asked) if one[1] == "A"), None)
    if begin is None:
        return asked, ()
    choices = _choices_in(asked[begin.start() :])
    return (asked[: begin.start()].strip(), choices) if len(choices) > 1 and asked[: begin.start()].strip() else (asked, ())


def _choices_in(block: str) -> tuple[str, ...]:
    """The choices of a block of lettered lines: (A), (B), ... in order. A choice ends before the next, or at an empty line."""
    found: list[re.Match[str]] = []
    for begin in _CHOICE.finditer(block):
        if ord(begin[1]) - ord("A") == len(found):
            found.append(begin)
    ends = [one.start() for one in found[1:]] + [len(block)][: len(found)]
    return tuple(block[one.end() : end].partition("\n\n")[0].strip() for one, end in zip(found, ends, strict=True))


def _without_instruction(below: str) -> str:
    """The part below a text without the last paragraph, if that says how to reply."""
    paragraphs = re.split(r"\n[ \t]*\n", below)
    while len(paragraphs) > 1 and (
        _HOW_TO_REPLY.search(paragraphs[-1]) or _BOX.search(paragraphs[-1]) or _FORM.search(paragraphs[-1])
    ):
        paragraphs.pop()
    return "\n\n".join(paragraphs)


def _without_opening_instruction(text: str) -> str:
    first, _, below = text.lstrip().partition("\n")
    if _is_instruction(first) and below.strip():
        text = below.lstrip("\n")
    following = _FOLLOWING.match(text)
    text = text[following.end() :].lstrip() if following else text
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def _without_closing_instruction(text: str) -> str:
    """Without the last paragraph, if it is a single line that asks a model to answer."""
    above, empty, last = text.rstrip().rpartition("\n\n")
    return above if empty and above.strip() and "\n" not in last.strip() and _is_instruction(last) else text.rstrip()


def _is_instruction(line: str) -> bool:
    return len(line) <= _MOST_INSTRUCTION and bool(_INSTRUCTION.search(line))


def _form_of(instruction: str) -> tuple[str, str]:
    """The text before and after the answer in the reply that an instruction asks for; empty if it asks for none."""
    if _BOX.search(instruction):
        return "\\boxed{", "}"
    form = _FORM.search(instruction)
    return (form[1], form[2]) if form else ("", "")


def _fields_of(template: str) -> tuple[list[str], list[str]]:
    """The fields of a template in order, and the words before, between and after them. Raises BadOptions."""
    parts = _FIELD.split(template.strip())
    names = [_SAME_AS.get(name, name) for name in parts[1::2]]
    if sorted(set(names) - {"choices"}) != ["document", "question"] or len(set(names)) != len(names):
        raise BadOptions("a template needs {document} and {question} once each, and may have {choices} once")
    if not all(words.strip() for words in parts[2:-1:2]):
        raise BadOptions("a template needs words between its fields to separate them")
    return names, parts[::2]


def _values_between(message: str, names: Sequence[str], between: Sequence[str]) -> dict[str, str] | None:
    """The values of a template's fields. Words before the document are looked for from the beginning, those after it from the
    end: the document itself may contain them."""
    message = message.strip()
    first, last = between[0].lstrip(), between[-1].rstrip()
    if len(message) < len(first) + len(last) or not message.startswith(first) or not message.endswith(last):
        return None
    rest, values, at = message[len(first) : len(message) - len(last)], {}, names.index("document")
    for name, words in zip(names[:at], between[1:], strict=False):
        values[name], found, rest = rest.partition(words)
        if not found:
            return None
    for name, words in zip(reversed(names[at + 1 :]), reversed(between[at + 1 : -1]), strict=True):
        rest, found, values[name] = rest.rpartition(words)
        if not found:
            return None
    return {**values, "document": rest}
