"""A model's thoughts, taken off its reply as it arrives: what it wrote for itself before, or beside, its reply.

Some providers send thoughts in a field of their own; others leave them in the text, between tags, or with only the closing tag
because the chat template opened them. All end up in `Reply.thoughts`, so no format, replay or view reads them as the reply. A tag
that the prompt's own reply format asks for belongs to the reply and stays in it. Everything here is linear in the reply,
whatever it contains.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from readers.engine.models.call import Call, Reply

# Tags as current models write them; `_tag` adds those of Magistral, Kimi and gpt-oss.
NAMES = ("think", "thinking", "thought", "thoughts", "seed:think", "budget:thinking")


def take_thoughts(call: Call, reply: Reply) -> Reply:
    """The reply with all thoughts in its text moved to `thoughts`; the reply to an exact prompt stays as it came."""
    if call.prompt.exact:
        return reply
    shape = call.prompt.reply.describe().lower()
    inside, text = split_thoughts(reply.text, tuple(name for name in NAMES if f"<{name}>" not in shape))
    if text == reply.text:
        return reply
    return replace(reply, text=text, thoughts="\n\n".join(words for words in (reply.thoughts, inside) if words))


def split_thoughts(text: str, names: tuple[str, ...] = NAMES) -> tuple[str, str]:
    """The thoughts in a text, and the text without them.

    Thoughts are what stands between an opening and a closing tag, before a closing tag that nothing opened, and after an opening
    tag at the beginning of a line that nothing closes. A text without thoughts is returned unchanged, any other without white
    space at its beginning.
    """
    thoughts: list[str] = []
    kept: list[str] = []
    opened: re.Match[str] | None = None
    at = 0
    for tag in _tag(names).finditer(text):
        if tag.lastgroup == "opens":
            opened = opened or tag
        elif opened:
            kept.append(text[at : opened.start()])
            thoughts.append(text[opened.end() : tag.start()])
            opened, at = None, tag.end()
        else:
            thoughts += [*kept, text[at : tag.start()]]
            kept, at = [], tag.end()
    if opened and not text[text.rfind("\n", 0, opened.start()) + 1 : opened.start()].strip():
        kept.append(text[at : opened.start()])
        thoughts.append(text[opened.end() :])
        at = len(text)
    if not at:
        return "", text
    words = "\n\n".join(stripped for part in thoughts if (stripped := part.strip()))
    return words, "".join([*kept, text[at:]]).lstrip()


@cache
def _tag(names: tuple[str, ...]) -> re.Pattern[str]:
    """An opening or closing tag with one of these names, or of another notation."""
    name = "|".join(map(re.escape, names))
    opens = rf"<(?i:{name})>|\[THINK\]|◁think▷|<\|channel\|>(?:analysis|commentary)<\|message\|>"
    closes = rf"</(?i:{name})>|\[/THINK\]|◁/think▷|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>"
    return re.compile(rf"(?P<opens>{opens})|(?P<closes>{closes})")
