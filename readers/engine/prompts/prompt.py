"""Prompts: templates with named parts, rendered to the message that a model sees.

A template has `$name` parts. A part is a `Text`, or a sequence of texts, each formatted by the part's `each` line. `$format` is
the reply format's own description. Text that fills a part is untrusted: anything in it that looks like a delimiter of the
template or a marker of the reply format is broken up, so that a document cannot close its fence or pass for a reply.

Nothing here calls a model. Not here: the formats of replies (`formats/`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import Template
from typing import Any, Literal, NamedTuple

from readers.engine.canonical import canonical, digest
from readers.engine.errors import BadOptions
from readers.engine.prompts.formats import stored_form
from readers.engine.prompts.formats.as_json import AsJson
from readers.engine.prompts.formats.form import Choice, CountedFrom0, Form, FormField, Shown
from readers.engine.prompts.formats.free_text import Free
from readers.engine.text import tokens
from readers.engine.text.document import Text

Task = Literal[
    "summarise", "choose", "choose_many", "answer_or_decline", "answer", "update_memory", "entities", "relate", "question",
    "merge", "elaborate", "pause", "shorten", "act", "judge", "score",
]  # fmt: skip

FORMAT = "format"
NOTATION = 64  # tokens of a reply for the keys and signs of JSON
LEAST_REPLY = 32  # tokens; no reply gets less room, however short the text is that it shortens
NEXT_MESSAGE = "\x1e"
TOOL = "tool"
FREE = Free()


# A fence around a part in a template: a tag, or three or more of the same mark. A number of a text in `each`: a tag.
_FENCE = re.compile(r"</?[A-Za-z_]+>|\"{3,}|`{3,}|#{3,}|={3,}|-{3,}")
_NUMBERED = re.compile(r"<([A-Za-z ]*)\$(?:number|ordinal)>")
_FROM_0 = re.compile(r"(?<![A-Za-z])([A-Za-z]*) ?\$number")


def name_of(prompt_id: str) -> str:
    """A prompt's name in words: “leaf summary” for the id `reader.leaf_summary`."""
    return prompt_id.partition(".")[2].replace("_", " ") or prompt_id


class Part(NamedTuple):
    """The texts that fill `$name`, in order. A part that is a span of the document is stored by offsets."""

    name: str
    texts: tuple[Text, ...]


@dataclass(frozen=True)
class Prompt:
    """One kind of request to a model.

    `tries` is the number of attempts before the call counts as unread; `warmer` is added to the temperature for each attempt
    after the first, up to 1 (a run's own temperature over 1 is kept); `max_tokens` limits the reply; `no_longer_than` names the
    part that the reply shortens, so that it gets at most that part's tokens; `spare` is how many tokens of the model's window
    stay free in addition to prompt and reply, for what the next prompt adds; `shared` lets later runs on the same text reuse the
    reply; `exact` sends the texts and `max_tokens` unchanged, and takes the reply as received, cut off or not: for models that
    were trained on exactly that; `gives_way` names the parts whose earliest texts are dropped, one by one, if the prompt exceeds
    the model's window; `each` gives the line for each text of a part (`$text`, `$number` from 0, `$ordinal` from 1). `roles` are
    those of a chat: the template is its messages, with `NEXT_MESSAGE` between them; without any it is one message of the user.
    """

    id: str
    task: Task
    template: str
    reply: Form = FREE
    tries: int = 2
    warmer: float = 0.0
    max_tokens: int = 1024
    no_longer_than: str = ""
    spare: int = 0
    shared: bool = False
    exact: bool = False
    gives_way: tuple[str, ...] = ()
    each: Mapping[str, str] = field(default_factory=dict)
    roles: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.id, self.template))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the template's parts, without `$format`, in order of appearance."""
        names = [m["named"] or m["braced"] for m in Template.pattern.finditer(self.template) if m["named"] or m["braced"]]
        return tuple(dict.fromkeys(name for name in names if name != FORMAT))

    @property
    def counted_from_0(self) -> CountedFrom0 | None:
        """The part whose texts the prompt numbers from 0; None if there is none."""
        found = ((name, _FROM_0.search(line)) for name, line in self.each.items() if name in self.names)
        return next((CountedFrom0(name, match[1]) for name, match in found if match), None)

    def shown(self, parts: Iterable[Part]) -> Shown:
        """What the prompt shows with these parts, which the fields of its reply refer to."""
        return Shown({part.name: tuple(text.text for text in part.texts) for part in parts}, self.counted_from_0)

    def fields(self, parts: Iterable[Part]) -> tuple[FormField, ...]:
        """The fields of a reply to the prompt with these parts."""
        return self.reply.fields(self.shown(parts))

    def options(self, parts: Iterable[Part]) -> tuple[Choice, ...]:
        """The options that the prompt offers; none if the reply is only words."""
        return tuple(choice for field in self.fields(parts) if field.when is None for choice in field.choices)

    @property
    def numbered(self) -> str:
        """The part whose texts a reply names by their numbers from 0; empty if there is none."""
        return next((field.part for field in self.fields(()) if field.part), "")

    def edited(self, template: str) -> Prompt:
        """The prompt with another template. Raises BadOptions for a missing or unknown part, or a stray `$`."""
        if not Template(template).is_valid():
            raise BadOptions(
                f"prompt {self.id!r}: there is a single '$'; write '$$' for a dollar sign, or name a part: {self._places()}"
            )
        other = replace(self, template=template)
        missing = [f"${name}" for name in self.names if name not in other.names]
        unknown = [f"${name}" for name in other.names if name not in self.names]
        if missing:
            raise BadOptions(f"prompt {self.id!r} lacks {', '.join(missing)}; it needs {self._places()}")
        if unknown:
            raise BadOptions(f"prompt {self.id!r} has no part {', '.join(unknown)}; it has {self._places()}")
        return other

    def exactly(self, reply: Form, *, max_tokens: int) -> Prompt:
        """The prompt as one exact request, whose reply has this form and room for this many tokens."""
        return replace(self, reply=reply, max_tokens=max_tokens, tries=1, exact=True)

    def held(self, *, nulls: bool = False) -> Prompt:
        """The prompt whose reply is data that a server can hold a model to. One that asks for a text alone, in no form, stays as
        it is, and so does one that is exact or scored; nothing in their replies has to be told apart. `nulls`: as in `AsJson`."""
        if self.exact or self.task == "score" or not self.reply.describe() or isinstance(self.reply, AsJson):
            return self
        shows_form = any(FORMAT in (m["named"], m["braced"]) for m in Template.pattern.finditer(self.template))
        template = self.template if shows_form else f"{self.template}\n\n${FORMAT}"
        return replace(self, template=template, reply=AsJson(self.reply, nulls=nulls), max_tokens=self.max_tokens + NOTATION)

    def unheld(self) -> Prompt:
        """The prompt whose reply is in words."""
        if not isinstance(self.reply, AsJson):
            return self
        return replace(self, reply=self.reply.form, max_tokens=self.max_tokens - NOTATION)

    @property
    def schema(self) -> AsJson | None:
        """The form of a reply that is data."""
        return self.reply if isinstance(self.reply, AsJson) else None

    def _places(self) -> str:
        return ", ".join(f"${name}" for name in self.names)

    def parts(self, given: Mapping[str, Text | Iterable[Text]]) -> tuple[Part, ...]:
        """The parts in the template's order. Raises TypeError for a missing or unknown part, or a bare string: a bug in the
        reader."""
        if set(given) != set(self.names):
            raise TypeError(f"prompt {self.id!r} takes the parts {sorted(self.names)}, not {sorted(given)}")
        return tuple(Part(name, _texts(self.id, name, given[name])) for name in self.names)

    def sized_for(self, parts: Iterable[Part]) -> Prompt:
        """The prompt with room for a reply to these parts."""
        size = next(
            (sum(tokens.count(text.text) for text in part.texts) for part in parts if part.name == self.no_longer_than), None
        )
        return self if size is None else replace(self, max_tokens=min(self.max_tokens, max(LEAST_REPLY, size)))

    def render(self, parts: Iterable[Part]) -> str:
        """The text that the model sees. The same parts give the same text in every process."""
        return "".join([stretch.text for stretch in self.stretches(parts)])

    def messages(self, parts: Iterable[Part]) -> list[dict[str, str]]:
        """The rendered messages."""
        if not self.roles:
            return [{"role": "user", "content": self.render(parts)}]
        contents: list[list[str]] = [[]]
        for stretch in self._stretches(parts):
            first, *others = [stretch.text] if stretch.part else stretch.text.split(NEXT_MESSAGE)
            contents[-1].append(first)
            contents += [[text] for text in others]
        sent = ["user" if role == TOOL else role for role in self.roles]  # a server takes a tool's result only with its own marks
        return [{"role": role, "content": "".join(texts)} for role, texts in zip(sent, contents, strict=True)]

    def stretches(self, parts: Iterable[Part]) -> list[Stretch]:
        """The rendered text, split by source: each stretch belongs to the template, or to one text of one part. The messages of a
        chat begin with their roles."""
        found = self._stretches(parts)
        if not self.roles:
            return found
        names = iter(self.roles)
        heads = [Stretch(f"[{next(names)}]\n"), *found]
        return [one if one.part else Stretch(re.sub(NEXT_MESSAGE, lambda _: f"\n\n[{next(names)}]\n", one.text)) for one in heads]

    def _stretches(self, parts: Iterable[Part]) -> list[Stretch]:
        by_name = {part.name: part.texts for part in parts}
        out: list[Stretch] = []
        for words, name in self._layout:
            if words:
                out.append(words)
            if name:
                out.extend(self._filled(name, by_name[name]))
        return out

    @cached_property
    def _layout(self) -> tuple[tuple[Stretch | None, str], ...]:
        """The template's own words, each with the name of the part that follows."""
        layout: list[tuple[Stretch | None, str]] = []
        at, words = 0, ""
        for place in Template.pattern.finditer(self.template):
            words += self.template[at : place.start()]
            at = place.end()
            name = place["named"] or place["braced"]
            if name is None:
                words += "$"
            elif name == FORMAT:
                words += self.reply.describe()
            else:
                layout.append((Stretch(words) if words else None, name))
                words = ""
        words += self.template[at:]
        return (*layout, (Stretch(words) if words else None, ""))

    def _filled(self, name: str, texts: tuple[Text, ...]) -> Iterator[Stretch]:
        before, _, after = self.each.get(name, "$text").partition("$text")
        for number, text in enumerate(texts):
            lead = ("\n\n" if number else "") + _numbered(before, number)
            if lead:
                yield Stretch(lead)
            if text.text:
                yield Stretch(self.harmless(text.text), name, number)
            if after:
                yield Stretch(_numbered(after, number))

    def harmless(self, text: str) -> str:
        """The text with every delimiter of this prompt and every marker of its reply format broken up by a space or a dash;
        unchanged in an exact prompt."""
        return text if self.exact else self._markers.sub(lambda found: _broken(found[0]), text)

    @cached_property
    def _markers(self) -> re.Pattern[str]:
        around = "\n".join(self.each.values())
        found = _FENCE.findall("\n".join([self.template, around, self.reply.describe()]))
        fences = {re.escape(fence) if fence[0] == "<" else re.escape(fence[0]) + "{3,}" for fence in found}
        fences |= {"<\\s*" + "\\s*".join([*tag.split(), "\\d+"]) + "\\s*>" for tag in _NUMBERED.findall(around)}
        return re.compile(
            "|".join([*sorted(fences, key=lambda f: (-len(f), f)), *self.reply.markers]) or r"(?!)", re.IGNORECASE | re.MULTILINE
        )

    @cached_property
    def wording(self) -> dict[str, Any]:
        """Everything that determines the rendered text and the parsing of the reply, as JSON data: the prompt's part of a call's
        key."""
        exact = {"exact": True} if self.exact else {}
        roles = {"roles": list(self.roles)} if self.roles else {}
        return {
            "id": self.id,
            "template": self.template,
            "each": dict(self.each),
            "reply": self.reply.to_json(),
            **exact,
            **roles,
        }

    @cached_property
    def canonical_wording(self) -> str:
        return canonical(self.wording)

    @classmethod
    def of_wording(cls, wording: Mapping[str, Any], task: Task) -> Prompt:
        """The prompt with a stored wording, which renders the same. Its limits and number of tries are not stored."""
        reply, exact = stored_form(wording["reply"]), bool(wording.get("exact"))
        roles = tuple(wording.get("roles", ()))
        return cls(wording["id"], task, wording["template"], reply, exact=exact, each=wording["each"], roles=roles)

    @cached_property
    def hash(self) -> str:
        return digest(canonical({**self.wording, "task": self.task}))[:16]


class Stretch(NamedTuple):
    """Consecutive characters of a rendered prompt from one source. `part` is empty for the template's own words."""

    text: str
    part: str = ""
    number: int = 0


def _numbered(words: str, number: int) -> str:
    return words.replace("$number", str(number)).replace("$ordinal", str(number + 1))


def _texts(prompt: str, name: str, given: Text | Iterable[Text]) -> tuple[Text, ...]:
    texts = (given,) if isinstance(given, Text) else tuple(given) if not isinstance(given, str) else ()
    if isinstance(given, str) or not all(isinstance(text, Text) for text in texts):
        raise TypeError(
            f"part {name!r} of prompt {prompt!r} must be a Text or a sequence of Texts, so that it is known where it comes from"
        )
    return texts


def _broken(marker: str) -> str:
    """`<update>` becomes `< update>`, `\\boxed` becomes `\\ boxed`, `Action:` becomes `- Action :` (a heading begins its line),
    `###` becomes `# # #`."""
    if marker.startswith(("<", "\\")):
        return f"{marker[0]} {marker[1:]}"
    if marker.endswith(":"):
        return f"- {marker[:-1]} :"
    return " ".join(marker)
