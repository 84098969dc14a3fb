"""The codebook of a project: its codes, how it grows from version to version, and which labels a change leaves behind.

Pure. Every change gives a new codebook with the next version and says what was changed; codes are never deleted, since labels
hold them: they are retired. No label is changed here: where the meaning of its code has changed since it was made, it is one to
look at again, with the reason in words. The saturation counter tells when new readings have stopped to bring new codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions
from readers.engine.labels import code as single
from readers.engine.labels.code import Code
from readers.engine.labels.label import CODES, Label, Turn
from readers.engine.labels.taxonomy import TAXONOMY

Kind = Literal["begun", "added", "renamed", "redefined", "merged", "split", "retired", "restored"]
MOST_CODES, LONGEST_REASON, LAST = 500, 2_000, 20
MEANING = ("definition", "example", "near_miss")  # what a code says; its name, group and hints help to find it


class Change(NamedTuple):
    """What made a version out of the one before: the codes it concerned, what they became, and why, in somebody's words."""

    kind: Kind
    codes: tuple[str, ...] = ()
    into: tuple[str, ...] = ()
    why: str = ""


BEGUN = Change("begun")


@dataclass(frozen=True)
class Codebook:
    """Version `version` (from 1) of a codebook, retired codes among the others, in the order in which they came."""

    codes: tuple[Code, ...]
    version: int = 1
    change: Change = BEGUN

    @property
    def in_use(self) -> tuple[Code, ...]:
        return tuple(code for code in self.codes if not code.retired)

    def find(self, id: str) -> Code | None:
        return next((code for code in self.codes if code.id == id), None)

    def get(self, id: str) -> Code:
        """Raises BadOptions for a code that is not there."""
        if (code := self.find(id)) is None:
            raise BadOptions(f"the codebook has no code {id[:40]!r}; it has {', '.join(code.id for code in self.in_use)}")
        return code

    # Changes

    def add(self, code: Code, *, why: str = "") -> Codebook:
        """With one more code."""
        return self._next(Change("added", (code.id,), why=why), fresh=[code])

    def rename(self, id: str, name: str, *, why: str = "") -> Codebook:
        """With another name for a code, which means what it meant."""
        return self._next(Change("renamed", (id,), why=why), kept=[replace(self._used(id), name=name)])

    def redefine(self, id: str, words: Mapping[str, Any], *, meaning: bool = True, why: str = "") -> Codebook:
        """With other words (`definition`, `example`, `near_miss`, `group`, `hints`) for a code. With `meaning` off, they
        say better what the code meant before, and no label needs another look."""
        code = self._used(id)
        if unknown := set(words) - {*MEANING, "group", "hints"}:
            raise BadOptions(f"a code's {sorted(unknown)[0]!r} is not changed so; {', '.join((*MEANING, 'group', 'hints'))} are")
        new = replace(code, **words)
        if meaning and any(getattr(new, name) != getattr(code, name) for name in MEANING):
            new = replace(new, changed=self.version + 1)
        return self._next(Change("redefined", (id,), why=why), kept=[new])

    def merge(self, ids: Sequence[str], into: Code | str, *, why: str = "") -> Codebook:
        """With one code instead of several: a new one, or (by its id) one that is there. That one now means more than it did."""
        target = into if isinstance(into, str) else into.id
        gone = [self._used(id) for id in dict.fromkeys(ids) if id != target]
        if not gone or len({*ids, target}) < 2 or (len(gone) < 2 and not isinstance(into, str)):
            raise BadOptions("two codes or more are merged; name them and what they become")
        version = self.version + 1
        kept = [replace(code, retired=version, into=(target,)) for code in gone]
        if isinstance(into, str):
            kept.append(replace(self._used(into), changed=version))
        fresh = [] if isinstance(into, str) else [into]
        return self._next(Change("merged", tuple(code.id for code in gone), (target,), why), kept=kept, fresh=fresh)

    def split(self, id: str, into: Sequence[Code], *, why: str = "") -> Codebook:
        """With several new codes instead of one."""
        if len(into) < 2:
            raise BadOptions(f"{id[:40]!r} is split into two codes or more; name them")
        parts = tuple(code.id for code in into)
        gone = replace(self._used(id), retired=self.version + 1, into=parts)
        return self._next(Change("split", (id,), parts, why), kept=[gone], fresh=into)

    def retire(self, id: str, *, why: str = "") -> Codebook:
        """With a code out of use, and none in its place."""
        return self._next(Change("retired", (id,), why=why), kept=[replace(self._used(id), retired=self.version + 1)])

    def restore(self, id: str, *, why: str = "") -> Codebook:
        """With a retired code in use again, meaning what it meant."""
        code = self.get(id)
        if not code.retired:
            raise BadOptions(f"{code.called!r} is in use")
        return self._next(Change("restored", (id,), why=why), kept=[replace(code, retired=0, into=())])

    def _used(self, id: str) -> Code:
        code = self.get(id)
        if code.retired:
            raise BadOptions(f"{code.called!r} was retired in version {code.retired}; restore it first")
        return code

    def _next(self, change: Change, *, kept: Sequence[Code] = (), fresh: Sequence[Code] = ()) -> Codebook:
        version = self.version + 1
        new = {code.id: code for code in kept}
        codes = [new.get(code.id, code) for code in self.codes]
        codes += [replace(code, since=version, changed=version, retired=0, into=()) for code in fresh]
        return checked(Codebook(tuple(codes), version, change._replace(why=encodable(change.why).strip())))

    # What a change leaves behind

    def look_again(self, id: str, version: int) -> str:
        """Why a label made with this code in that version should be looked at again; empty where nothing stands against it."""
        code = self.find(id)
        if code is None:
            return f"the codebook has no code {id[:40]!r}"
        if code.retired and code.into:
            became = " and ".join(self.get(other).called for other in code.into)
            return f"{code.called} became {became} in version {code.retired}"
        if code.retired:
            return f"{code.called} was retired in version {code.retired}"
        if code.changed > version:
            return f"what {code.called} means was changed in version {code.changed}, and the label is of version {version}"
        return ""

    def successors(self, id: str) -> tuple[Code, ...]:
        """The codes in use that a code became, through any number of changes; itself where it is in use."""
        found: dict[str, Code] = {}
        seen: set[str] = set()
        todo = [id]
        while todo:
            here = todo.pop(0)
            code = None if here in seen else self.find(here)
            seen.add(here)
            if code is not None and not code.retired:
                found[code.id] = code
            elif code is not None:
                todo += code.into
        return tuple(found.values())


def flagged(book: Codebook, labels: Iterable[Label]) -> list[tuple[Label, str]]:
    """The labels of steps and spans that should be looked at again, each with the reason. None of them is changed."""
    found = []
    for label in labels:
        if label.code is not None and not label.removed and (why := book.look_again(label.code, label.codebook)):
            found.append((label, why))
    return found


# As data


def preset() -> Codebook:
    """What a project begins with, unless it begins with none: the whole taxonomy."""
    return checked(Codebook(TAXONOMY))


def to_json(book: Codebook) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The codes and the change, as JSON data."""
    change = book.change
    told = {"kind": change.kind, "codes": list(change.codes), "into": list(change.into), "why": change.why}
    return [single.to_json(code) for code in book.codes], told


def from_json(version: int, codes: Any, *, change: Any = None) -> Codebook:
    """The codebook whose codes and change `to_json` wrote. Raises BadOptions for anything else."""
    if not isinstance(codes, list):
        raise BadOptions("a codebook is a list of codes")
    return checked(Codebook(tuple(single.from_json(code) for code in codes), version, _change(change or {"kind": "begun"})))


def _change(data: Any) -> Change:
    if not isinstance(data, Mapping) or data.get("kind") not in get_args(Kind):
        raise BadOptions(f"the change of a codebook is one of {', '.join(get_args(Kind))}")
    lists = [data.get("codes", ()), data.get("into", ())]
    if not all(isinstance(ids, (list, tuple)) and all(isinstance(id, str) for id in ids) for ids in lists):
        raise BadOptions("the change of a codebook names codes by their ids")
    return Change(data["kind"], tuple(lists[0]), tuple(lists[1]), str(data.get("why", "")))


def checked(book: Codebook) -> Codebook:
    """The codebook with every code checked. Raises BadOptions: an id or name used twice, too many codes, too long a reason."""
    codes = tuple(single.checked(code) for code in book.codes)
    if len(codes) > MOST_CODES:
        raise BadOptions(f"a codebook has up to {MOST_CODES} codes, retired ones among them, and this has {len(codes)}")
    if len(book.change.why) > LONGEST_REASON:
        raise BadOptions(f"the reason of a change has up to {LONGEST_REASON:,} characters; shorten it")
    _once("id", [code.id for code in codes])
    _once("name", [code.name for code in codes if not code.retired])
    known = {code.id for code in codes}
    for code in codes:
        if missing := set(code.into) - known:
            raise BadOptions(f"{code.called!r} went into {sorted(missing)[0]!r}, which the codebook does not have")
    return replace(book, codes=codes)


def _once(what: str, given: Sequence[str]) -> None:
    seen: set[str] = set()
    for words in given:
        folded = words.casefold()
        if folded in seen:
            raise BadOptions(f"two codes have the {what} {words!r}; give one of them another")
        seen.add(folded)


# Saturation


class Saturation(NamedTuple):
    """Of the last `of` readings, `new` brought a code that no earlier one had: `which`. `codes` are all so far."""

    new: int
    of: int
    codes: int
    which: tuple[str, ...]

    @property
    def told(self) -> str:
        if not self.of:
            return "No reading has been coded yet."
        last = "the one reading so far" if self.of == 1 else f"the last {self.of} readings"
        brought = f"{self.new} of {last} brought a new code" if self.of > 1 else f"{last} brought {len(self.which)} new codes"
        return f"{brought[0].upper()}{brought[1:]}; there are {self.codes} in all."


def coded(labels: Iterable[Label], turns: Iterable[Turn]) -> list[tuple[str, ...]]:
    """The codes of each reading, for the saturation counter, wherever it stands: on the codebook's page and among the results.

    A reading counts once somebody is done with it in the stage of the codes, in the order in which that first was so. Its codes
    are those that annotators who are done with it gave, at steps and on spans alike, each once and in the order in which they
    were given; so a code that an annotator still ponders does not count, and neither does one that was taken back. What was
    decided on, and how many annotators agree, does not matter: a new code is new whoever gave it.
    """
    closed: dict[str, str] = {}
    done: set[tuple[str, str]] = set()
    for turn in turns:
        if turn.stage == CODES and turn.standing == "done":
            done.add((turn.run, turn.annotator))
            closed[turn.run] = min(closed.get(turn.run, turn.closed), turn.closed)
    given: dict[str, dict[str, None]] = {run: {} for run in sorted(closed, key=lambda run: (closed[run], run))}
    for label in sorted(labels, key=lambda label: (label.at, label.id)):
        if (label.run, label.annotator) in done and label.code is not None and not label.removed:
            given[label.run][label.code] = None
    return [tuple(codes) for codes in given.values()]


def saturation(readings: Iterable[Collection[str]], *, last: int = LAST) -> Saturation:
    """How many of the last readings brought something new. `readings` holds what each was given (codes, or the groups of one's
    own notes), in the order in which they were worked on."""
    seen: dict[str, None] = {}
    news: list[tuple[str, ...]] = []
    for given in readings:
        fresh = tuple(code for code in dict.fromkeys(given) if code not in seen)
        seen.update(dict.fromkeys(fresh))
        news.append(fresh)
    recent = news[-last:]
    return Saturation(sum(map(bool, recent)), len(recent), len(seen), tuple(code for fresh in recent for code in fresh))
