"""Notices about a text: where it speaks to a model, what stands in it many times, and what in it is not the work itself.

A notice says what it is, where, what it means for a reading and what can be done about it. None is an error: a text about
language models may quote such words. Patterns are strict, because a notice that is wrong teaches to ignore the next one;
instructions in other words are not found. Pure, and linear in the text. Not here: whether a reply obeyed
(`analysis/hints_from_text.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, pstdev
from typing import Literal

import regex

from readers.engine.on_first_use import unicode_pattern
from readers.engine.text import split
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised, some, times

Kind = Literal["to_model", "repeated", "page_line", "boilerplate"]
MOST_PLACES = 50  # of a notice


@dataclass(frozen=True)
class Notice:
    """`what` and `why` are sentences: what was found, and what it means for a reading; `todo` is what can be done. The first
    `places` of `count`, in the order of the text."""

    kind: Kind
    what: str
    why: str
    todo: str
    places: tuple[Span, ...]
    count: int

    @property
    def title(self) -> str:
        return _TITLES[self.kind]


_TITLES: dict[Kind, str] = {
    "to_model": "The text speaks to a model",
    "boilerplate": "A licence in the text",
    "page_line": "Lines on each page",
    "repeated": "Repeated passages",
}


def notices(text: str) -> tuple[Notice, ...]:
    """Every notice about a text, the gravest kind first."""
    return tuple(notice for look in (_to_model, _boilerplate, _page_lines, _repeated) for notice in look(text))


def _notice(kind: Kind, places: list[Span], what: str, why: str, todo: str) -> Notice:
    return Notice(kind, what, why, todo, tuple(places[:MOST_PLACES]), len(places))


# Where a text speaks to a model

MODELS = r"(?:(?:large\s)?language\smodels|A\.?I\.?\s(?:models|assistants|systems|agents)|LLMs|chat\s?bots)"
MODEL = rf"(?:{MODELS}|(?:large\s)?language\smodel|A\.?I\.?(?:\s(?:model|assistant|system|agent))?|LLM|chat\s?bot|ChatGPT)"
_SET_ASIDE = r"(?:ignore|disregard|forget|override|bypass|do\snot\sfollow|don['’]t\sfollow)\s"
_EARLIER = r"(?:previous|prior|above|preceding|earlier|foregoing|original|initial|existing|system)"
_OF_OTHERS = r"(?:about|all|any|of|the|my|your|these|those|other)"
# "Ignore all previous instructions", in the languages that most texts are in. With each pattern stands what every match of it
# contains in lower case, so that only the text around that is looked at with care.
_IGNORE = (
    ("instruction|prompt|directions|directive|guideline|commands|rules|messages|context",
     rf"{_SET_ASIDE}(?:{_OF_OTHERS}\s){{0,4}}{_EARLIER}\s"
     r"(?:instructions?|prompts?|directions|directives|guidelines|commands|rules|messages|context)\b"
     rf"|{_SET_ASIDE}(?:all|any)\s(?:of\s)?(?:(?:the|your|my|other)\s)?(?:instructions|prompts)\b"
     rf"|{_SET_ASIDE}(?:all\s)?(?:the|your)\s(?:instructions|prompt|directions)\s(?:above|before\sthis|you\s(?:were|have\sbeen)\sgiven)\b"),
    ("anweisung|instruktion|befehl|vorgabe",
     r"(?:ignoriere|vergiss|missachte|ignorieren\ssie|vergessen\ssie)\s(?:bitte\s)?(?:(?:alle|die|deine|ihre|sämtliche)\s)?"
     r"\w*(?:vorherig|bisherig|vorig|früher|obig|vorangegangen)\w*\s(?:anweisung|instruktion|befehl|vorgabe)\w*"),
    ("précédentes|antérieures|ci-dessus",
     r"(?:ignor(?:e|ez|er)|oublie[rz]?)\s(?:toutes?\s)?(?:les|tes|vos|ces)\s(?:instructions|consignes|directives)\s"
     r"(?:précédentes|antérieures|ci-dessus)"),
    ("instrucciones|órdenes|indicaciones",
     r"(?:ignor[ae]|ignoren|olvid[ae]|olviden)\s(?:todas\s)?(?:las|tus|sus|estas)\s(?:instrucciones|órdenes|indicaciones)\s"
     r"(?:anteriores|previas)"),
    ("istruzioni|indicazioni|direttive",
     r"(?:ignor[ai]|ignorate|dimentica(?:te)?)\s(?:tutte\s)?(?:le|tutte)\s(?:istruzioni|indicazioni|direttive)\s"
     r"(?:precedenti|sopra)"),
    ("instruções|ordens|orientações",
     r"(?:ignor[ea]|ignorem|esqueça)\s(?:todas\s)?(?:as|suas)\s(?:instruções|ordens|orientações)\s(?:anteriores|prévias|acima)"),
    ("instructies|aanwijzingen|opdrachten",
     r"(?:negeer|vergeet)\s(?:alle\s)?(?:de\s)?(?:vorige|voorgaande|eerdere|bovenstaande)\s"
     r"(?:instructies|aanwijzingen|opdrachten)"),
    ("instruktioner|anvisningar", r"ignorera\s(?:alla\s)?(?:de\s)?(?:tidigare|föregående)\s(?:instruktioner|anvisningar)"),
    ("instrukcj|polece",
     r"(?:zignoruj|ignoruj|zapomnij\so)\s(?:wszystkie\s|wszystkich\s)?(?:poprzednie|wcześniejsze|poprzednich)\s"
     r"(?:instrukcj|polece)\w+"),
    ("instrukce|pokyny|příkazy",
     r"(?:ignoruj(?:te)?|zapomeň(?:te)?\sna)\s(?:všechny\s)?(?:předchozí|předešlé)\s(?:instrukce|pokyny|příkazy)"),
    ("инструкции|указания|команды",
     r"(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?)\s(?:все\s)?(?:предыдущие|прежние|вышеуказанные)\s"
     r"(?:инструкции|указания|команды)"),
    ("інструкції|вказівки",
     r"(?:ігноруй(?:те)?|проігноруй(?:те)?|забудь(?:те)?)\s(?:усі\s|всі\s)?попередні\s(?:інструкції|вказівки)"),
    ("talimatları|yönergeleri|komutları",
     r"önceki\s(?:tüm\s|bütün\s)?(?:talimatları|yönergeleri|komutları)\s(?:yok\ssay|görmezden\sgel|unut)"),
    ("instruksi|perintah|petunjuk",
     r"(?:abaikan|lupakan)\s(?:semua\s)?(?:instruksi|perintah|petunjuk)\s(?:sebelumnya|di\satas)"),
    ("hướng dẫn|chỉ dẫn|lệnh",
     r"bỏ\squa\s(?:tất\scả\s)?(?:các\s)?(?:hướng\sdẫn|chỉ\sdẫn|lệnh)\s(?:trước|ở\strên)"),
    ("التعليمات|الأوامر|التوجيهات", r"(?:تجاهل|انس)ي?\s(?:جميع\s|كل\s)?(?:التعليمات|الأوامر|التوجيهات)\s(?:السابقة|أعلاه)"),
    ("הוראות|הנחיות|פקודות", r"(?:התעלם|התעלמי|התעלמו)\sמ(?:כל\s)?ה?(?:הוראות|הנחיות|פקודות)\sה?(?:קודמות|לעיל)"),
    ("निर्देशों|आदेशों", r"(?:पिछले|पूर्व)\s(?:सभी\s)?(?:निर्देशों|आदेशों)\s(?:को|की)\s(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|उपेक्षा)"),
)  # fmt: skip
# The same in scripts without spaces, in which no word ends before.
_IGNORE_UNSPACED = (
    ("指令|指示|说明|說明|提示|命令",
     r"(?:忽略|无视|無視|忘记|忘記|不要理会)(?:掉)?(?:你)?(?:所有|全部|一切)?(?:的)?(?:以上|之前|先前|此前|前面|上述)(?:的)?"
     r"(?:所有|全部|一切)?(?:的)?(?:指令|指示|说明|說明|提示|命令)"),
    ("指示|命令|プロンプト|指令",
     r"(?:これまで|以前|上記|前|先|今まで)の(?:すべての|全ての|全)?(?:指示|命令|プロンプト|指令)(?:を|は)?(?:すべて|全て)?"
     r"(?:無視|忘れ)"),
    ("지시|명령|지침|프롬프트",
     r"(?:이전|위|앞)(?:의)?\s?(?:모든\s?)?(?:지시|명령|지침|프롬프트)(?:\s?사항)?(?:을|를|은|는)?\s?(?:모두\s?)?(?:무시|잊)"),
    ("คำสั่ง|คำแนะนำ", r"(?:เพิกเฉยต่อ|ไม่ต้องสนใจ|ละเว้น)(?:คำสั่ง|คำแนะนำ)(?:ทั้งหมด)?(?:ก่อนหน้า|ข้างต้น)"),
)  # fmt: skip
_ADDRESS = (
    "language model| ai|a.i.|llm|chatbot|chat bot|chatgpt|you are now",
    r"(?:attention|note|notice|message|instructions?)\s?(?::|to|for)?\s(?:any\s|all\s|the\s|an?\s)?"
    rf"{MODEL}(?:\s(?:reading|processing|that|who|which|summari[sz]ing)\b[^.:\n]{{0,60}}+)?\s?+[:,—–]"
    rf"|if\syou\sare\s(?:an?\s|the\s)?{MODEL}\b(?=[^.\n]{{0,80}}[,:])"
    r"|you\sare\snow\s(?:DAN|ChatGPT|in\sdeveloper\smode|an?\s(?:unrestricted|uncensored)\b)",
)
# The signs between which chat templates put who speaks, and a line that begins as the system's message does.
_MARKERS = (
    "_turn>|inst]|sys>>|<system|<assistant|<user|system|assistant:|instruction",
    r"<\|[a-z][a-z_]{2,30}\|>|</?start_of_turn>|<end_of_turn>|\[/?INST\]|<</?SYS>>|<(?:system|assistant|user)_(?:prompt|message)>"
    r"|^[ \t]*\#{2,4}[ \t]*(?:instruction|system|assistant)s?[ \t]*:"
    r"|^[ \t]*(?:system[ \t](?:prompt|message|note)|\[system\])[ \t]*:"
    r"|^[ \t]*system[ \t]*:[ \t]*(?=(?:you|ignore|do\snot|don['’]t|never|always|answer|reply|respond|from\snow)\b)",
)
_STEMS = {stem for stems, _ in (*_IGNORE, *_IGNORE_UNSPACED, _ADDRESS, _MARKERS) for stem in stems.split("|") if stem} | {"<|"}
_TO_MODEL = unicode_pattern(
    rf"(?P<marker>{_MARKERS[1]})|(?<![\p{{L}}\p{{N}}])(?:{'|'.join(pattern for _, pattern in (*_IGNORE, _ADDRESS))})"
    rf"|{'|'.join(pattern for _, pattern in _IGNORE_UNSPACED)}",
    regex.IGNORECASE | regex.MULTILINE | regex.VERSION1,
)
_BEFORE, _AFTER = 160, 200  # characters around a stem, more than any match has


def _windows(text: str) -> Iterator[Span]:
    """Where in the text a match may be, in order and apart."""
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters have two in lower case
        yield Span(0, len(text))
        return
    found: list[int] = []
    letters = set(lowered)
    for stem in (stem for stem in _STEMS if letters.issuperset(stem)):
        at = lowered.find(stem)
        while at >= 0:
            found.append(at)
            at = lowered.find(stem, at + _AFTER // 2)
    start, end = 0, -1
    for at in sorted(found):
        if at - _BEFORE > end >= 0:
            yield Span(start, end)
        if at - _BEFORE > end:
            start = lowered.rfind(" ", 0, max(0, at - _BEFORE)) + 1
        end = min(len(text), at + _AFTER)
    if end >= 0:
        yield Span(start, end)


def _to_model(text: str) -> Iterator[Notice]:
    spoken: list[Span] = []
    markers: list[Span] = []
    for match in (match for window in _windows(text) for match in _TO_MODEL.finditer(text, *window)):
        (markers if match["marker"] else spoken).append(Span(*match.span()))
    if spoken:
        yield _notice(
            "to_model", spoken, f"Words like an instruction to a model stand in it {times(len(spoken))}.",
            "A model may obey it, and what it replies then comes from the text’s author and not from the question.",
            "Look at the replies of the step that showed it. *Leave out*, on Trace, shows whether the answer depends on it.",
        )  # fmt: skip
    if markers:
        yield _notice(
            "to_model", markers, f"Signs by which a chat model tells who speaks stand in it {times(len(markers))}.",
            "A server that does not make them harmless lets the text speak as the user or as the system.",
            "If the text does not need them, take them out of the file. “What the model was asked” shows what was sent.",
        )  # fmt: skip


# What is not the work itself

_GUTENBERG = unicode_pattern(
    r"^[ \t]*\*{3}\s?(?P<side>START|END)\sOF\s(?:THE|THIS)\sPROJECT\sGUTENBERG[^\n]*$|^[ \t]*\*END\*THE\sSMALL\sPRINT![^\n]*$",
    regex.MULTILINE,
)
_LICENCE = unicode_pattern(
    r"Permission\sis\shereby\sgranted,\sfree\sof\scharge|Licensed\sunder\sthe\s(?:Apache|MIT|GNU|BSD|Mozilla|Eclipse)\b"
    r"|This\sprogram\sis\sfree\ssoftware|Redistribution\sand\suse\sin\ssource\sand\sbinary"
    r"|This\s(?:e-?book|eBook)\sis\sfor\sthe\suse\sof\sanyone\sanywhere|Produced\sby\s[^\n]{2,120}\sDistributed\sProofread"
    r"|(?:licen[sc]ed\sunder|under\s(?:a|the)\sterms\sof\s(?:a|the))\s(?:a\s|the\s)?Creative\sCommons"
    r"|All\srights\sreserved\.|No\spart\sof\sthis\s(?:book|publication)\smay\sbe\sreproduced",
)
_EDGE = 6_000  # characters at the beginning and at the end in which a licence is looked for


def _boilerplate(text: str) -> Iterator[Notice]:
    start, end = 0, len(text)
    for match in _GUTENBERG.finditer(text):
        if match["side"] == "END":
            end = min(end, match.start())
        else:
            start = match.end()
    edges = [span for span in (Span(0, start), Span(end, len(text))) if span.end > span.start]
    if edges:
        size = sum(span.end - span.start for span in edges)
        yield _notice(
            "boilerplate", edges, f"Project Gutenberg’s header or licence is in the text: {size:,} characters.",
            "It is read, summarised and counted like the work itself, and may be taken for what the text is about.",
            "Take it out of the file before you add it.",
        )  # fmt: skip
        return
    found = [Span(*match.span()) for match in _LICENCE.finditer(text) if not _EDGE < match.start() < len(text) - _EDGE]
    if found:
        yield _notice(
            "boilerplate", found, f"A licence or a note of rights stands at the beginning or the end, {times(len(found))}.",
            "It is read, summarised and counted like the text itself.", "Take it out of the file if no question is about it.",
        )  # fmt: skip


# What stands in a text many times

_DIGITS = unicode_pattern(r"\d+")
_LINE, _LETTERS = unicode_pattern(r"[^\n]+"), unicode_pattern(r"\p{L}{3}|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_SHORT, _PAGE = 100, (400, 9_000)  # characters of a line that may head a page, and of a page
_FEWEST_PAGES, _EVEN, _MOST_OF_TEXT = 6, 0.35, 0.6
_LONG, _FEWEST = 160, 3  # characters of a paragraph that is no refrain or call, and how often it comes


def _page_lines(text: str) -> Iterator[Notice]:
    """Lines that come again after about as much text each time, through most of it, whatever number they have."""
    places: dict[str, list[Span]] = {}
    for match in _LINE.finditer(text):
        line = match[0].strip()
        if len(line) <= _SHORT and _LETTERS.search(line):
            places.setdefault(_DIGITS.sub("#", line.casefold()), []).append(Span(*match.span()))
    heads = [(line, spans) for line, spans in places.items() if _is_even(spans, len(text))]
    spans = sorted(span for _, some_spans in heads for span in some_spans)
    if spans:
        first = text[spans[0].start : spans[0].end].strip()
        yield _notice(
            "page_line", spans, f"A line such as “{first}” stands on each page: {some(len(spans), 'line')}.",
            "It cuts sentences that run over a page, and is found as often as what is looked for.",
            "Take such lines out of the file, or add the text in another form (epub, html).",
        )  # fmt: skip


def _is_even(spans: list[Span], length: int) -> bool:
    if len(spans) < _FEWEST_PAGES or spans[-1].end - spans[0].start < _MOST_OF_TEXT * length:
        return False
    gaps = [after.start - before.start for before, after in pairwise(spans)]
    return _PAGE[0] <= mean(gaps) <= _PAGE[1] and pstdev(gaps) <= _EVEN * mean(gaps)


def _repeated(text: str) -> Iterator[Notice]:
    places: dict[str, list[Span]] = {}
    for span in split.paragraphs(text):
        words = " ".join(text[span.start : span.end].split())
        if len(words) >= _LONG:
            places.setdefault(words.casefold(), []).append(span)
    again = [spans for spans in places.values() if len(spans) >= _FEWEST]
    if again:
        spans = sorted(span for some_spans in again for span in some_spans)
        size = sum(sum(span.end - span.start for span in some_spans[1:]) for some_spans in again)
        most = max(map(len, again))
        yield _notice(
            "repeated", spans, f"{capitalised(some(len(again), 'paragraph'))} stand"
            f"{'s' if len(again) == 1 else ''} in the text again and again, up to {times(most)}: {size:,} characters.",
            "Parts that are alike take calls and room in a memory, and a search among them finds the same words again.",
            "If they came by mistake, keep one of each in the file.",
        )  # fmt: skip
