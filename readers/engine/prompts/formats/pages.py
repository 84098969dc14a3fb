"""Which pages to look up: a list of them, or one page or STOP.

A request counts, not a mention: a page in the form, after a verb of looking up, on its own line or under its own heading. Two
requests that differ are unreadable unless the last one says that it corrects the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import (
    NOTHING_SHOWN,
    WHY,
    Choice,
    Field,
    Form,
    FormField,
    Parsed,
    Shown,
    Unreadable,
    numbers,
)
from readers.engine.prompts.formats.labels import either, label, said
from readers.engine.prompts.formats.phrases import is_refusal
from readers.engine.prompts.formats.plain import Plain, Stated, corrects, settled

_PAGE = rf"(?:{either('page')}|страниц\w*|стр\.|第|صفح\w*)"
_AND = r"(?:,|;|/|&|and|und|et|y|e|и|和|与|及|و|as well as|plus)"
_DASH = "-\u2010-\u2015\u2212"
_ONE = (
    rf"(?:{_PAGE}[ \t]*(?:no\.?|number|nr\.?|#)?[ \t]*)?"
    rf"[\[<(\"]{{0,3}}#?\d{{1,6}}(?!\w|\.\d)[\])>\"]{{0,3}}(?:[ \t]*(?:页|頁|ページ))?"
)
_TO = rf"(?:[ \t]*[{_DASH}][ \t]*|[ \t]+(?:to|through|till|until|bis|à|a|al|до|至|到)[ \t]+)"
_SPAN = rf"{_ONE}(?:{_TO}{_ONE})?"
# Pages in a row, as in "Pages 4 and 9", "3-5", "Page [3] and Page [11]".
_SPANS = rf"{_SPAN}(?:[ \t]*(?:{_AND}[ \t]*){{1,2}}{_SPAN}){{0,200}}"
_ROW = pattern(_SPANS, re.IGNORECASE)
_ONLY_PAGES = pattern(rf"\W*{_SPANS}\W*\Z", re.IGNORECASE)
_LONGEST_ROW = 400
_PAGE_FIRST = pattern(_PAGE, re.IGNORECASE)
_PAGE_BEFORE = pattern(rf"{_PAGE}[ \t]*\Z", re.IGNORECASE)
_ONLY_PAGE = pattern(rf"[\s\[(<\"]*+(?:{_PAGE}[\s\[(<\"]*)?", re.IGNORECASE)
_RANGE = pattern(rf"(\d{{1,6}})[\])>\"]{{0,3}}{_TO}(?:{_PAGE}[ \t]*)?[\[<(\"]{{0,3}}(\d{{1,6}})", re.IGNORECASE)
_LONGEST_RANGE = 100
_BRACKETS = pattern(r"\[([^\[\]\n]{0,2000})\]")
_WORDS_IN_BRACKETS = pattern(rf"\b(?:{_PAGE}|and|und|et|y|e|и|to|bis|no|number)\b|[和与及至到页第、]", re.IGNORECASE)
_NONE = rf"(?:{either('nothing')}|no pages?|n/?a|empty|-)"
_NONE_IN_BRACKETS = pattern(rf"\s*+(?:{_NONE}\s*)?\Z", re.IGNORECASE)

_LOOK = rf"(?:{either('look')})"
_REQUEST = pattern(rf"{_LOOK}(?:\b|(?<=[^\x00-\x7f]))[^.\n!?]{{0,60}}?(?={_PAGE}\b|{_PAGE}\d|\[)", re.IGNORECASE)
_LABEL = pattern(rf"^[ \t]*(?:{label('page', 'answer', 'action')}[ \t]*:\s*)+", re.IGNORECASE | re.MULTILINE)
_AND_ANOTHER = pattern(rf"\]?[^.!?\n\[]{{0,80}}?{_AND}[ \t]+(?:{_PAGE})?[ \t\[]*", re.IGNORECASE)
_NOT = pattern(said("wrong"), re.IGNORECASE)
_OR = pattern(r"\b(?:or|either|oder|entweder|ou|o|или)\b|或|还是|또는|أو", re.IGNORECASE)
_OR_AFTER = pattern(rf"[\s)\]]*(?:\b(?:or|oder|ou|o|или)\b|或者?|还是)\s*(?:{_PAGE})?\s*[\[<(]?\s*\d", re.IGNORECASE)
_ANOTHER = (-1,)  # replaced by a list joined by "or"
# A sentence that denies, and is of pages or of looking them up.
_DENIED = rf"{said('none', 'nothing', 'wrong')}(?![ \t]*(?:sure|know|certain|clear))"
_NO_PAGES = pattern(
    rf"(?:\A|(?<=[.!?:\n,]))[^.!?\n\[\d]{{0,60}}?{_DENIED}[^.!?\n\[\d]{{0,60}}?(?:{_PAGE}|{_LOOK})", re.IGNORECASE
)
_NONE_ALONE = pattern(
    rf"\W*(?:{label('page', 'answer')}\W*)?(?:{_NONE})\W*\Z"
    r"|[^\n.]{0,80}\bwithout (?:looking|reading|opening)[^\n.]{0,20} any",
    re.IGNORECASE,
)
_LISTED = pattern(
    rf"^[ \t]*(?:\d{{1,2}}[.)][ \t]+)?({_PAGE}[ \t]*#?[\[<(]{{0,3}}\d{{1,6}}[\])>]{{0,3}})(?=[ \t]*(?:$|[{_DASH}:,(.]))",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Pages(Form):
    """`I want to look up Page [2, 5] to ...`: any number of pages, or none, and why (Lee et al., 2024, parallel look-up).

    The reader checks which pages exist, and how many are allowed.
    """

    kind = "pages"
    main = "pages"

    def describe(self) -> str:
        return "I want to look up Page [N, N] to ..."

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        limit, part = "".join(shown.texts("limit")), shown.counted.part if shown.counted else ""
        most = f"Up to {limit}, the most important one first; none if you know enough." if limit else "None if you know enough."
        pages = FormField("pages", "several", "Pages to open", shown.numbered(), needed=False, help=most, numbers=True, part=part)
        return pages, WHY

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        if is_refusal(plain.text.strip()):
            return Unreadable("it declines to name pages; reply with numbers in square brackets, such as [2, 5], or [] for none")
        exact = _exact(plain, _EXACT_PAGES)
        places = [Stated(tuple(numbers(exact[1])), *exact.span(1))] if exact else _strongest(plain)
        found = settled(plain.text, places)
        if found is None:
            several = len({place.value for place in places}) > 1
            none = "it has no list of pages in square brackets, such as [2, 5], or [] for none"
            return Unreadable("it names several lists of pages" if several else none)
        assert isinstance(found.value, tuple)
        words = reply[found.start : found.end]
        value = words if tuple(numbers(words)) == found.value else ", ".join(map(str, found.value))
        return Parsed({"pages": Field(value, found.start, found.end)} | _reason(plain, found.end))

    def render(self, values: Mapping[str, str | int]) -> str:
        why = " ".join(re.sub(r"[\[\]]", " ", str(values.get("reasoning", ""))).split())
        return f"I want to look up Page [{values['pages']}]" + (f": {why}" if why else "")


# A reply in exactly the form, no matter what its reason says.
_EXACT_PAGES = pattern(r"\A\s*I want to look up Page \[([\d, ]*)\](?::[^\n]*)?\s*\Z")
_EXACT_PAGE = pattern(r"\A\s*(Page \d{1,9}|STOP)(?:: [^\n]*)?\s*\Z")


def _exact(plain: Plain, form: re.Pattern[str]) -> re.Match[str] | None:
    """The match of a reply that has just this form, and does not correct itself; None for any other reply."""
    found = form.match(plain.reply)
    return found if found and not corrects(plain.reply[found.end(1) :]) else None


def _strongest(plain: Plain) -> list[Stated]:
    """The requests of a reply if there are any, else its mentions in brackets, else its statement that no page is needed. A
    mention joined to a request by "or" counts as much."""
    requested: list[tuple[Stated, bool]] = []
    for place, sure in _requested(plain):
        last = requested[-1] if requested else None
        if last and last[1] and _AND_ANOTHER.fullmatch(plain.text, last[0].end, place.start):
            sure, (before, start, _) = True, requested.pop()[0]
            place = Stated((*before, *place.value), start, place.end)  # type: ignore[misc]
        requested.append((place, sure))
    strong = [place for place, sure in requested if sure]
    if strong:
        return [place for place, sure in requested if sure or _OR.search(plain.text, max(0, place.start - 40), place.start)]
    if requested:
        return [place for place, _ in requested]
    listed = _list_of_pages(plain)
    if listed:
        return [listed]
    none = _NONE_ALONE.match(plain.text) or _NO_PAGES.search(plain.text)
    return [Stated((), none.end(), none.end())] if none else []


def _requested(plain: Plain) -> Iterator[tuple[Stated, bool]]:
    """Lists of pages, and whether each is asked for (or only mentioned, in brackets)."""
    text, at = plain.text, 0
    if len(text.strip()) < _LONGEST_ROW and _ONLY_PAGES.match(text):
        yield Stated(_listed(text), len(text) - len(text.lstrip()), len(text.rstrip())), True
        return
    labelled = {mark.end() for mark in _LABEL.finditer(text)}
    asked = labelled | {mark.end() for mark in _REQUEST.finditer(text)}
    marks = [(mark, form is _ROW) for form in (_BRACKETS, _ROW) for mark in form.finditer(text)]
    for mark, row in sorted(marks, key=lambda found: (found[0].start(), -found[0].end())):
        start = mark.start()
        inner = mark[0] if row else mark[1]
        if start < at or inner.count("[") != inner.count("]") or not (row or _is_list(inner)):
            continue
        before = text[_sentence_start(text, start) : start]
        named = bool(_PAGE_BEFORE.search(before[-24:]) or _PAGE_FIRST.match(inner.strip()))
        sure = any(place in asked and _ONLY_PAGE.fullmatch(text, place, start) for place in range(max(0, start - 12), start + 1))
        introduced = named or sure or not before.strip() or before.rstrip().endswith(":")
        taken = introduced if not row or "[" in inner else sure and (named or start in labelled)
        if taken and not (inner.strip() and _NOT.search(before)):
            at = mark.end()
            yield Stated(_listed(inner), *(mark.span() if row else mark.span(1))), sure
            if _OR_AFTER.match(text, at):
                yield Stated(_ANOTHER, at, at), sure


def _is_list(inner: str) -> bool:
    """Whether brackets hold page numbers, or say that there are none."""
    if _NONE_IN_BRACKETS.match(inner):
        return True
    rest = _WORDS_IN_BRACKETS.sub(" ", inner)
    return bool(numbers(rest)) and not re.search(rf"[^{_DASH}\s\d,;&/]", rest)


def _listed(words: str) -> tuple[int, ...]:
    """The pages of a list in order, ranges written out."""

    def written_out(found: re.Match[str]) -> str:
        first, last = int(found[1]), int(found[2])
        return ", ".join(map(str, range(first, last + 1))) if first <= last < first + _LONGEST_RANGE else found[0]

    return tuple(numbers(_RANGE.sub(written_out, words)))


def _list_of_pages(plain: Plain) -> Stated | None:
    """Pages that begin the items of a list, under words that ask for them, or with nothing else in the reply."""
    items = list(_LISTED.finditer(plain.text))
    if not items:
        return None
    lead = plain.text[: items[0].start()]
    last_line = lead.rstrip().rpartition("\n")[2]
    asked = re.search(_LOOK, lead, re.IGNORECASE) or (last_line.endswith(":") and re.search(_PAGE, last_line, re.IGNORECASE))
    only = len(items) == sum(map(bool, map(str.strip, plain.text.splitlines())))
    if not asked and not only:
        return None
    return Stated(tuple(dict.fromkeys(n for item in items for n in numbers(item[1]))), items[0].start(1), items[-1].end(1))


def _sentence_start(text: str, at: int) -> int:
    return max(text.rfind(mark, max(0, at - 300), at) for mark in (".", "!", "?", "\n", ";", ":")) + 1


_STOPS = pattern(
    r"(?:^|(?<=[.!?:])[ \t])[ \t]*(?:\d[.)][ \t]+)?[\"'(\[<]*(?:STOP\b"
    r"|(?i:stop)(?=[\"')\]>]*[ \t]*(?:[.!,:;]|$)))(?!\w)(?![ \t]*[/|]|[ \t]+(?:or|oder|ou|o|или)\b)"
    r"|\bSTOP[\"')\]>.!}]*[ \t]*$|\b(?i:i['’ ](?:(?!not )\w+ ){1,4}?stop)\b",
    re.MULTILINE,
)
_NUMBERED = (
    rf"(?i:{_PAGE})[ \t]*(?i:no\.?|number|nr\.?)?:?[ \t]*"
    rf"[\[<(\"]{{0,3}}#?[ \t]*(\d{{1,9}})(?!\w|\.\d|[ \t]*[{_DASH}][ \t]*\d)[\])>\"]{{0,3}}"
)
_MORE = (
    rf"(?![ \t]*(?:,|/|&|[{_DASH}] then|then|\||and|or|und|oder|et|ou|y|o|и|или|和|或者?|还是)[ \t]*(?:(?i:{_PAGE})|STOP\b|\d))"
)
_PAGE_LINE = pattern(
    rf"^[ \t]*(?:\d{{1,2}}[.)][ \t]+)?[\"'(<\[]*{_NUMBERED}{_MORE}(?=[ \t]*(?:$|[{_DASH}:,.;(]|(?i:because|since"
    rf"|to|for|as|weil|denn|car|porque|pour|para|потому|чтобы|لأن)\b|[^\x00-\x7f]))",
    re.MULTILINE,
)
_PAGE_ASKED = pattern(rf"{_LOOK}\b(?:(?!stop\b)[^.\n!?]){{0,40}}?{_NUMBERED}{_MORE}", re.IGNORECASE)
_PAGE_LABELLED = pattern(
    rf"{label('answer', 'action', 'page')}[ \t]*(?::|is\b)\s*[\"'(]*(?:{_NUMBERED}|\[?(\d{{1,9}})\]?(?!\w|\.\d)){_MORE}",
    re.IGNORECASE,
)
_OR_BEFORE = pattern(r"(?:\b(?:or|oder|ou|o|или)|或|/|\|)[ \t]*\Z", re.IGNORECASE)
_NUMBER_ALONE = pattern(r"[\s\[<(\"'#]*(\d{1,9})[\s\])>\"'.!]*\Z")


@dataclass(frozen=True)
class PageOrStop(Form):
    """`Page 7` or `STOP`, and why (Lee et al., 2024, sequential look-up). The field `action` is the page, or -1 to stop."""

    kind = "page_or_stop"
    main = "action"

    def describe(self) -> str:
        return "Page N (or STOP), and why"

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        offered = (*shown.numbered(), Choice(-1, "STOP", "open no more, and answer", "stop here"))
        part = shown.counted.part if shown.counted else ""
        return FormField("action", "one", "Page to open", offered, numbers=True, part=part), WHY

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        if is_refusal(plain.text.strip()):
            return Unreadable("it says neither 'Page' with a number nor 'STOP'")
        exact = _exact(plain, _EXACT_PAGE)
        only = exact and Stated(next(iter(numbers(exact[1])), -1), *exact.span(1))
        places = [only] if only else list(_actions(plain))
        found = settled(plain.text, places)
        if found is None:
            return Unreadable("it names several pages" if places else "it says neither 'Page' with a number nor 'STOP'")
        return Parsed({"action": Field(int(found.value), found.start, found.end)} | _reason(plain, found.end))  # type: ignore[arg-type]

    def render(self, values: Mapping[str, str | int]) -> str:
        why = " ".join(str(values.get("reasoning", "")).split())
        return ("STOP" if int(values["action"]) < 0 else f"Page {values['action']}") + (f": {why}" if why else "")


def _actions(plain: Plain) -> Iterator[Stated]:
    """What a reply decides for: pages on a line of their own or asked for, and STOP. The first page of a sentence with several
    does not count."""
    text = plain.text
    alone = _NUMBER_ALONE.match(text)
    if alone:
        yield Stated(int(alone[1]), *alone.span(1))
        return
    first = _PAGE_LINE.match(text) or _STOPS.match(text)
    for mark in _STOPS.finditer(text):
        before = text[_sentence_start(text, mark.start()) : mark.start()]
        if not _NOT.search(before) and not _OR_BEFORE.search(before):
            yield Stated(-1, mark.start(), mark.end())
    seen = set()
    for asked in (_PAGE_LABELLED, _PAGE_LINE, _PAGE_ASKED):
        for mark in asked.finditer(text):
            group = 1 if mark[1] else 2
            start = mark.start(group)
            before = text[_sentence_start(text, mark.start()) : start]
            reason = first and asked is _PAGE_ASKED and mark.start() > first.end()
            if start not in seen and not reason and not _NOT.search(before) and not _done(before):
                seen.add(start)
                yield Stated(int(mark[group]), start, mark.end())


def _done(before: str) -> bool:
    """Whether the words before a page say that it was read already, or that it is one of two."""
    return bool(re.search(r"\b(?:have|had|'ve|already)\b|\beither\b", before, re.IGNORECASE))


def _reason(plain: Plain, start: int) -> dict[str, Field]:
    """The rest of the line after a decision, as the field `reasoning`; no field if it is empty."""
    reply = plain.reply
    end = reply.find("\n", start)
    end = len(reply) if end < 0 else end
    while start < end and (reply[start] in " \t.,:;*_)]>$}-–—：，。、；】" or not plain.text[start].strip()):
        start += 1
    found = plain.field(start, end)
    return {"reasoning": found} if found.value else {}
