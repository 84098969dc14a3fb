"""Words of a model that are not a value: courtesies, refusals, placeholders, an echo of the form, "nothing".

In the languages that models answer in here most. Phrases are sought only at the beginning or the end of a text, or must be
all of it, so that a story may use the same words. Every search looks at a bounded number of characters. Not here: decoration
(`plain.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.labels import ENDS, either, words

_OPENING = 400  # characters at the beginning that may hold an opening
_TAIL = 400  # characters at the end that may hold a courtesy
_MOST_SENTENCES = 5
_QUOTES = '"“”„«»‘'  # words of somebody in a story are not a courtesy of the model

_COURTESY = pattern(
    rf"[\W_]*(?:{either('courtesy')}|(?:i )?hope (?:this|that|it)\b.{{0,40}}help"
    r"|would you like (?:me|to|more|any|another)\b|do you (?:want|need) (?:me|any|more)\b"
    r"|if you (?:have|need|want|would like|'d like|wish)\b.{0,80}(?:question|help|else|let me|know|ask|further|more)"
    r"|(?:please )?(?:send|provide|share|give me|paste) (?:me )?(?:the )?next\b)",
    re.IGNORECASE | re.DOTALL,
)
_LAST_SENTENCE = pattern(
    r"(?:\A|(?<=[.!?…。！？:：\n>*`\"”])(?=\s)|(?<=[。！？\n]))\s*([^.!?…。！？\n]+[.!?…。！？]*[\s\"”)*_`]*)\Z"
)
_TEXT = (
    r"(?:memor(?:y|ies)|summar(?:y|ies)|gist|message|version|notes?|answer|question|text|response|reply|description"
    r"|zusammenfassung|antwort|gedächtnis|résumé|mémoire|réponse|resumen|memoria|respuesta|riassunto|risposta|resumo|резюме|摘要|记忆)"
)
_LAST_PARAGRAPH = pattern(r"(?:\n[ \t]*\n|\n(?=[ \t]*[(\[*_-])|(?<=[.!?\"”])[ \t]+(?=[(\[]))[ \t]*([^\n]+)\Z")
# What a last paragraph says of the text before it: how long it is, what it rests on or leaves out, how sure the model is.
_ABOUT_TEXT = pattern(
    r"[\W_]*(?:(?:(?:total |approximate )?(?:word|token|character)s?(?: count)?|length|wortzahl|wortanzahl|nombre de mots|字数)"
    r"[*_]*[ \t]*[:：=~]"
    r"|(?:about |approx(?:imately|\.)? |ca\. |roughly )?~?\d[\d.,]*(?: of \d+)? ?"
    r"(?:words?|tokens?|characters?|wörter|mots|palabras|слов\w*|字)\b[^.\n]{0,60}\W*\Z"
    r"|(?:key changes?|changes made|confidence|sources?|references?|quelle|source|fuente|konfidenz|置信度)[*_]*[ \t]*[:：]"
    rf"|(?:(?:please )?note|notes|hinweis|anmerkung|remarque|nota|примечание|注)\b[*_]*(?:[ \t]*[:：]| that).*"
    rf"(?:\b(?:this|the|current|new|each|dieser?|cette?|est[ae]) (?:\w+ )?"
    rf"(?:{_TEXT}|section|passage|excerpt|limit|block|paragraph)\b"
    r"|\b(?:words?|tokens?|as requested|i(?:'ve| have)?|instructions?)\b)"
    rf"|(?:this|the above|the)(?: \w+){{0,2}} {_TEXT} (?:\w+ly )?(?:keeps?|retains?|captures?|brings?|combines?|preserves?"
    r"|covers?|condenses?|maintains?|reflects?|focus(?:es)?|adds?|includes?|stays?|contains?|omits?|removes?|asks?|uses?|aims?"
    r"|is (?:kept|within|under|based|about|around|approximately)|has been|was (?:kept|shortened|updated|condensed))\b"
    rf"|i(?:'ve|’ve| have| kept| removed| omitted| tried| shortened| condensed)\b.*\b{_TEXT}"
    r"|nothing is missing\b)",
    re.IGNORECASE,
)


def without_closing(text: str) -> int:
    """The end of a text without the courtesies at its end, and without a last paragraph that is about the text."""
    end = len(text)
    for _ in range(_MOST_SENTENCES):
        tail = max(0, end - _TAIL)
        note = _LAST_PARAGRAPH.search(text[tail:end].rstrip())
        if note and text[: tail + note.start()].strip() and _ABOUT_TEXT.match(note[1]):
            end = tail + note.start()
            continue
        found = _LAST_SENTENCE.search(text[tail:end])
        if not found or found[1].lstrip()[:1] in _QUOTES or not _COURTESY.match(found[1]):
            break
        end = tail + found.start()
    return end


_SURE = rf"(?:{either('sure')})"
_HELLO = pattern(
    rf"[ \t*_]*(?:dear|to|for)[ \t]+(?:the[ \t]+)?next[ \t]\w+[ \t]*[,:][*_]*\s*"
    rf"|[ \t*_]*{_SURE}(?:[ \t]*[,，][^\n.!:：。！]{{0,60}})?[ \t]*[.!。！]+[*_]*\s*"
    r"|[ \t*_]*i(?:(?:'d|’d| would) be (?:happy|glad)|(?:'m|’m| am) ready) to[^\n.!:]{0,80}[.!]+\s*",
    re.IGNORECASE,
)
_WORK = rf"(?:{either('work')}){ENDS}"
_HERE = pattern(
    rf"[ \t*_]*(?:{_SURE}[ \t]*[,，!:]?[ \t]*)?(?:here(?:'s|’s| is| are)|below (?:is|are)|the following (?:is|are)"
    rf"|this is|hier (?:ist|sind|die|das)|voici"
    rf"|aquí (?:está|están|tienes|tiene)|esta es|este es|aqui está|ecco|вот|ниже|以下(?:是|为)|下面是|这是"
    rf"|以下は|다음은|إليك|فيما يلي)"
    rf"(?:[^\n:：]{{0,120}}[:：][*_]*[ \t]*\n\s*|[^\n:：]{{0,80}}{_WORK}"
    rf"(?:[^\n:：]{{0,80}}[:：][*_]*\s*|[^\n:：.]{{0,80}}\.[*_]*[ \t]*\n\s*))",
    re.IGNORECASE,
)
_HEADING = pattern(
    rf"[ \t]*(?:#{{1,6}}[ \t]+)?[*_]*[ \t]*(?:(?:{either('heads')})[ \t]*){{0,8}}"
    rf"{_WORK}(?:[ \t]+(?:of|for|from|to|du|de|des|der|del|zum|zur)[ \t][^\n:：*_]{{0,60}}"
    rf"|[ \t]*\([^()\n]{{0,60}}\)|[ \t]+(?:actualizada|mise à jour"
    rf"|final|text|question|update))?",
    re.IGNORECASE,
)
_AFTER_HEADING = pattern(r"[ \t]*[*_]*[ \t]*[:：][*_]*\s*|[*_]+[ \t]*(?:\n|\Z)\s*")
_AFTER_MARKED = pattern(r"[ \t]*[*_]*[ \t]*[:：]?[*_]*[ \t]*(?:\n|\Z)\s*")


def without_opening(text: str, start: int = 0) -> int:
    """The start of a text without "Sure! Here is the summary:" or a heading such as "New memory:" before it."""
    lead = text[start : start + _OPENING]
    at = len(lead) - len(lead.lstrip())
    hello = _HELLO.match(lead, at)
    while hello:
        at = hello.end()
        hello = _HELLO.match(lead, at)
    here = _HERE.match(lead, at)
    at = here.end() if here else at
    head = _HEADING.match(lead, at)
    if head:
        marked = head[0].lstrip().startswith("#")
        after = (_AFTER_MARKED if marked else _AFTER_HEADING).match(lead, head.end())
        at = after.end() if after else at
    return start + at


_CANNOT = rf"(?:i|we)(?:'m|’m|[ \t]am|[ \t]are)?[ \t]?(?:{either('cannot')})[ \t]+(?:{either('asked for')})\b"
_ASKS = rf"(?:(?:could|can|would)[ \t]you[ \t](?:please[ \t])?|please[ \t]|kindly[ \t])(?:{either('hand over')})\b"
_WILL = rf"i(?:['’]ll|[ \t]will|(?:['’]|[ \t]a)m going to)[ \t](?:now[ \t])?(?:{either('asked for')}|write)\b[^:]{{0,80}}\Z"
_OFFERS = (
    r"(?:how|what|which|should|shall|do|would)\b[^.!?]{0,80}"
    r"\b(?:you[ \t](?:like|want|prefer)|(?:should|shall)[ \t]i|i[ \t]should)\b[^.!?]{0,200}\?"
)
_LACKS = r"(?:i|we) (?:don't|don’t|do not) (?:have|see|find) (?:any |the |a |access|enough)"
_REFUSAL = pattern(
    rf"[\W_]*(?:{_CANNOT}|{_ASKS}|{_OFFERS}|{_WILL}|{_LACKS}|{either('refusal')})(?![^.]{{0,3}}[\"”])", re.IGNORECASE | re.DOTALL
)
LONGEST_PHRASE = 500


def is_refusal(text: str) -> bool:
    """Whether a short text only says that the model will not or cannot do it, or asks for the text."""
    if len(text) > LONGEST_PHRASE:
        return False
    at = 0
    while hello := _HELLO.match(text, at):
        at = hello.end()
    return bool(_REFUSAL.match(text, at))


_PLACEHOLDER = pattern(
    r"(?:[\s.…·_*?-]|etc)*\Z"
    r"|your (?:(?:new|updated?|final|full|whole|own|short(?:ened)?) ){0,2}(?:memory|answer|summary|gist|text|query|reasoning"
    r"|choice)(?: (?:goes )?here)?[.]?\Z"
    r"|names? of (?:the |an? |each )?(?:entity|entities|first|second)(?: \w+)?\Z"
    r"|[\[<({]{1,2}(?=[^\])}>]{3,60}[\]>)}])[ \t]*(?:(?:your|the|new|updated?|insert|put|write|here|goes|final"
    r"|memory|message|for|next|worker|section|answer|summary|gist|text|shortened|choice|letter|query|full|whole|of|a|to|be|"
    r"question|reply|response|placeholder|value|reason(?:ing)?|entit(?:y|ies)|names?|relations?|parts?|pages?|numbers?|how|many|antwort|hier|ici|réponse|aquí|respuesta|答案|摘要|记忆"
    r"|[.…_ -])[ \t]*)+[\]>)}]{1,2}\Z",
    re.IGNORECASE,
)
_NOTHING = pattern(
    rf"(?:{either('empty')}|-+|–+|—+"
    r"|(?:none|nothing)(?: (?:is|was))?(?: (?:else|more|missing|needed|required|necessary|to (?:recall"
    r"|look (?:for|up)|search|add|report)|at (?:all|this (?:time|point))|for now|here|yet)){0,3}"
    r"|no (?:further |additional |more |earlier |previous |other )?(?:query|quer(?:y|ies)|recall|need|callback"
    r"|memory|look-?up|search|information)"
    r"(?: (?:is )?(?:needed|required|necessary|to recall|missing|at this time))?|nothing (?:is|was) missing"
    r"|there is nothing.{0,40}|(?:leave|left) (?:this|the)?.{0,12}(?:block |it )?out.{0,40}"
    r"|(?:nichts|aucune?|rien) .{0,20})\Z",
    re.IGNORECASE,
)
_CLAUSE = pattern(r"[ \t][-–—][ \t]|[.;:,][ \t]+")
_SHELL = " \t\r\n.。!！,，;；:*_`\"'“”‘’[]【】()（）{}<>"


def is_placeholder(text: str) -> bool:
    """Whether a text is dots, or a slot such as `[your answer]` that was not filled."""
    return len(text) <= LONGEST_PHRASE and bool(_PLACEHOLDER.match(text.strip()))


def is_nothing(text: str) -> bool:
    """Whether a text says "none", "n/a", "nothing is missing", a dash or the like, and nothing else."""
    parts = [part.strip(_SHELL) for part in _CLAUSE.split(text.strip(_SHELL))] if len(text) <= LONGEST_PHRASE else []
    return bool(parts) and (is_placeholder(text) or all(_NOTHING.match(part or "-") for part in parts))


_NO_ANSWER = pattern(
    r"none of (?:the|these|them)\b.{0,40}\Z"
    rf"|(?:(?:the |this |these )?(?:{either('section', 'memory')}|it|i|answer|question)\b.{{0,40}}?)?"
    r"\b(?:not|n't|n’t|cannot|never|un)[ \t]?(?:be )?(?:\w+[ \t]){0,2}?"
    r"(?:sa(?:y|id)|stated?|mention(?:ed)?|giv(?:e|en)|know|known|specif(?:y|ied)|answer(?:ed|able)?|determined?|tell|told"
    r"|clear|contain(?:ed)?|provided?|certain|found|available|applicable)\b.{0,60}\Z",
    re.IGNORECASE,
)


def says_none(text: str) -> bool:
    """Whether an answer says that there is none, and is no answer: "(none)", "the text does not say"; "no" may be one."""
    bare = text.strip(_SHELL)
    return bare.casefold() not in words("no") and (is_nothing(text) or bool(_NO_ANSWER.match(bare)))


_WORDS = pattern(r"[^\W_]+")


def is_echo(text: str, shown: Iterable[str]) -> bool:
    """Whether a text is what the form shows in this place, or a stretch of it."""
    said = " ".join(_WORDS.findall(text.casefold())) if len(text) <= 4 * LONGEST_PHRASE else ""
    wholes = [" ".join(_WORDS.findall(hint.casefold())) for hint in shown]
    return bool(said) and any(said == whole or (len(said.split()) > 3 and f" {said} " in f" {whole} ") for whole in wholes)
