"""The codebook of a project: its codes, how it grows from version to version, and which labels a change leaves behind.

Pure. Every change returns a new codebook with the next version and records what was changed. Codes are never deleted, because
labels refer to them: they are retired. A change never alters a label; when the meaning of its code has changed since it was made,
the label needs a review, and the reason is given in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from readers.engine.canonical import canonical, digest, encodable
from readers.engine.errors import BadOptions
from readers.engine.labels.codes import (
    LONGEST_NAME,
    MOST_VERSIONS,
    Code,
    check_parents,
    checked_code,
    code_from_json,
    code_to_json,
    with_valid_parents,
)
from readers.engine.labels.label import Label

Kind = Literal["begun", "added", "renamed", "redefined", "merged", "split", "retired", "restored", "undone", "imported"]
MOST_CODES, LONGEST_REASON = 500, 2_000
_TAXONOMY = Path(__file__).with_name("taxonomy.json")
MEANING = ("definition", "example", "near_miss")  # what a code says
FINDING = ("group", "hints", "parent")  # search words in addition to its name


class Source(NamedTuple):
    """Where codes came from: the project's name, the version of its codebook and when that was made (ISO 8601), and the SHA-256
    of all its codes (`codes_hash`)."""

    project: str
    version: int
    at: str
    hash: str


class Change(NamedTuple):
    """How a version differs from the previous one: the codes it changed, what they became, and why, in an annotator's words.
    Codes that came from another codebook have their `source`."""

    kind: Kind
    codes: tuple[str, ...] = ()
    into: tuple[str, ...] = ()
    why: str = ""
    source: Source | None = None


BEGUN = Change("begun")


@dataclass(frozen=True)
class Codebook:
    """Version `version` (from 1) of a codebook: all its codes, retired ones included, in the order in which they were added."""

    codes: tuple[Code, ...]
    version: int = 1
    change: Change = BEGUN

    @property
    def in_use(self) -> tuple[Code, ...]:
        return tuple(code for code in self.codes if not code.retired)

    def find(self, code_id: str) -> Code | None:
        return next((code for code in self.codes if code.id == code_id), None)

    def find_folded(self, code_id: str) -> Code | None:
        """The code of this id, however it is capitalized."""
        return next((code for code in self.codes if code.id.casefold() == code_id.casefold()), None)

    def get(self, code_id: str) -> Code:
        """Raises BadOptions for an unknown code."""
        if (code := self.find(code_id)) is None:
            raise BadOptions(f"the codebook has no code {code_id[:40]!r}; it has {', '.join(code.id for code in self.in_use)}")
        return code

    # Changes; each returns the next version

    def include(self, codes: Sequence[Code], source: Source) -> Codebook:
        """Add codes of another codebook."""
        if not codes:
            raise BadOptions("there is no code to import; this codebook has them all")
        return self._next(Change("imported", tuple(code.id for code in codes), source=source), fresh=codes)

    def add(self, code: Code, *, why: str = "") -> Codebook:
        """Add a code."""
        return self._next(Change("added", (code.id,), why=why), fresh=[code])

    def rename(self, code_id: str, name: str, *, why: str = "") -> Codebook:
        """Rename a code; its meaning stays."""
        return self._next(Change("renamed", (code_id,), why=why), kept=[replace(self._used(code_id), name=name)])

    def redefine(self, code_id: str, words: Mapping[str, Any], *, meaning: bool = True, why: str = "") -> Codebook:
        """Change the words of a code: `definition`, `example`, `near_miss`, `group`, `hints`; or its `parent`. With `meaning`
        off, they only explain the same meaning better, and no label has to be reviewed."""
        code = self._used(code_id)
        if unknown := set(words) - {*MEANING, *FINDING}:
            changeable = ", ".join((*MEANING, *FINDING))
            raise BadOptions(f"a code's {sorted(unknown)[0]!r} cannot be changed this way; only {changeable} can")
        new = replace(code, **words)
        if meaning and any(getattr(new, name) != getattr(code, name) for name in MEANING):
            new = replace(new, changed=self.version + 1)
        return self._next(Change("redefined", (code_id,), why=why), kept=[new])

    def merge(self, ids: Sequence[str], into: Code | str, *, why: str = "") -> Codebook:
        """Replace several codes by one: a new code, or the id of an existing one, which now means more than it did."""
        target = into if isinstance(into, str) else into.id
        gone = [self._used(code_id) for code_id in dict.fromkeys(ids) if code_id != target]
        if not gone or len({*ids, target}) < 2 or (len(gone) < 2 and not isinstance(into, str)):
            raise BadOptions("merging needs two codes or more; name them and what they become")
        version = self.version + 1
        kept = [replace(code, retired=version, into=(target,)) for code in gone]
        if isinstance(into, str):
            kept.append(replace(self._used(into), changed=version))
        fresh = [] if isinstance(into, str) else [into]
        return self._next(Change("merged", tuple(code.id for code in gone), (target,), why), kept=kept, fresh=fresh)

    def split(self, code_id: str, into: Sequence[Code], *, why: str = "") -> Codebook:
        """Replace a code by several new ones."""
        if len(into) < 2:
            raise BadOptions(f"splitting {code_id[:40]!r} needs two new codes or more; name them")
        parts = tuple(code.id for code in into)
        gone = replace(self._used(code_id), retired=self.version + 1, into=parts)
        return self._next(Change("split", (code_id,), parts, why), kept=[gone], fresh=into)

    def retire(self, code_id: str, *, why: str = "") -> Codebook:
        """Retire a code without a replacement."""
        return self._next(Change("retired", (code_id,), why=why), kept=[replace(self._used(code_id), retired=self.version + 1)])

    def restore(self, code_id: str, *, why: str = "") -> Codebook:
        """Bring a retired code back into use, with its old meaning."""
        code = self.get(code_id)
        if not code.retired:
            raise BadOptions(f"{code.called!r} is in use already")
        return self._next(Change("restored", (code_id,), why=why), kept=[replace(code, retired=0, into=())])

    def _used(self, code_id: str) -> Code:
        code = self.get(code_id)
        if code.retired:
            raise BadOptions(f"{code.called!r} was retired in version {code.retired}; restore it first")
        return code

    def _next(self, change: Change, *, kept: Sequence[Code] = (), fresh: Sequence[Code] = ()) -> Codebook:
        version = self.version + 1
        new = {code.id: code for code in kept}
        codes = [new.get(code.id, code) for code in self.codes]
        codes += [replace(code, since=version, changed=version, retired=0, into=()) for code in fresh]
        if change.kind in ("merged", "split", "retired", "restored", "imported"):
            moved = dict.fromkeys(change.codes, change.into[0]) if change.kind == "merged" else {}
            codes = with_valid_parents(codes, moved)
        return checked(Codebook(tuple(codes), version, change._replace(why=encodable(change.why).strip())))

    # Labels to review

    def review_reason(self, code_id: str, version: int) -> str:
        """Why a label with this code, made under that version, should be reviewed; empty if it need not be."""
        code = self.find(code_id)
        if code is None:
            return f"the codebook has no code {code_id[:40]!r}"
        if code.retired and code.into:
            became = " and ".join(self.get(other).called for other in code.into)
            return f"{code.called} became {became} in version {code.retired}"
        if code.retired:
            return f"{code.called} was retired in version {code.retired}"
        if code.changed > version:
            return f"the meaning of {code.called} was changed in version {code.changed}, and the label is from version {version}"
        return ""

    def successors(self, code_id: str) -> tuple[Code, ...]:
        """The codes in use that replaced a code, through any number of changes; the code itself if it is in use."""
        found: dict[str, Code] = {}
        seen: set[str] = set()
        todo = [code_id]
        while todo:
            here = todo.pop(0)
            code = None if here in seen else self.find(here)
            seen.add(here)
            if code is not None and not code.retired:
                found[code.id] = code
            elif code is not None:
                todo += code.into
        return tuple(found.values())


def to_review(book: Codebook, labels: Iterable[Label]) -> list[tuple[Label, str]]:
    """The labels of steps and spans that should be reviewed, each with the reason."""
    found = []
    for label in labels:
        if label.code is not None and not label.removed and (why := book.review_reason(label.code, label.codebook)):
            found.append((label, why))
    return found


def begun(codes: Iterable[Code], source: Source | None = None) -> Codebook:
    """The first version of a codebook, with those of these codes that are in use."""
    fresh = [replace(code, since=1, changed=1, into=()) for code in codes if not code.retired]
    return checked(Codebook(tuple(with_valid_parents(fresh, {})), 1, Change("begun", source=source)))


@cache
def preset() -> Codebook:
    """The first version of a project's codebook, unless it begins without codes: what can go wrong at one step of a reading.

    Each code of `taxonomy.json` has a definition, an example, a near miss (what looks like it and is another code) and, for the
    readers it applies to, where to look. They are offered for mapping after open coding, not as a checklist: a project normally
    keeps 8 to 12 of them. Nearest published lists: MAST (2503.13657), TRAIL (2505.08638), AgentErrorTaxonomy (2509.25370), the
    seven failure points of Barnett et al. (2024), BooookScore (2310.00785), FABLES (2404.01261).
    """
    return from_json(1, json.loads(_TAXONOMY.read_text(encoding="utf-8")))


# As JSON data


def codes_hash(codes: Iterable[Code]) -> str:
    """The SHA-256 of codes, the same wherever they are stored."""
    return digest(canonical([code_to_json(code) for code in codes]))


def to_json(book: Codebook) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The codes and the change, as JSON data."""
    change = book.change
    told: dict[str, Any] = {"kind": change.kind, "codes": list(change.codes), "into": list(change.into), "why": change.why}
    told |= {"source": change.source._asdict()} if change.source else {}
    return [code_to_json(code) for code in book.codes], told


def from_json(version: int, codes: Any, *, change: Any = None) -> Codebook:
    """The codebook from what `to_json` wrote. Raises BadOptions for anything else."""
    if not isinstance(codes, list):
        raise BadOptions("a codebook is a list of codes")
    return checked(Codebook(tuple(code_from_json(code) for code in codes), version, _change(change or {"kind": "begun"})))


def _change(data: Any) -> Change:
    if not isinstance(data, Mapping) or data.get("kind") not in get_args(Kind):
        raise BadOptions(f"the change of a codebook is one of {', '.join(get_args(Kind))}")
    lists = [data.get("codes", ()), data.get("into", ())]
    if not all(isinstance(ids, (list, tuple)) and all(isinstance(code_id, str) for code_id in ids) for ids in lists):
        raise BadOptions("the change of a codebook names codes by their ids")
    source = source_from_json(data["source"]) if data.get("source") is not None else None
    return Change(data["kind"], tuple(lists[0]), tuple(lists[1]), str(data.get("why", "")), source)


def source_from_json(data: Any) -> Source:
    """Where codes came from. Raises BadOptions, naming the field."""
    if not isinstance(data, Mapping):
        raise BadOptions(f"the source of codes has {', '.join(Source._fields)}")
    for name in ("project", "at", "hash"):
        words = data.get(name)
        if not isinstance(words, str) or len(words) > LONGEST_NAME or not words.isprintable():
            raise BadOptions(
                f"{name!r} of the source of codes is text of up to {LONGEST_NAME} characters, not {repr(words)[:40]}"
            )
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version <= MOST_VERSIONS:
        raise BadOptions(f"'version' of the source of codes is a whole number from 1, not {version!r:.40}")
    return Source(encodable(data["project"]), version, encodable(data["at"]), encodable(data["hash"]))


def checked(book: Codebook) -> Codebook:
    """The codebook with every code checked. Raises BadOptions for a repeated id or name, too many codes, or a reason that is too
    long."""
    codes = tuple(checked_code(code) for code in book.codes)
    if len(codes) > MOST_CODES:
        raise BadOptions(f"a codebook has up to {MOST_CODES} codes, retired ones included, and this has {len(codes)}")
    if len(book.change.why) > LONGEST_REASON:
        raise BadOptions(f"the reason of a change has up to {LONGEST_REASON:,} characters; shorten it")
    _once("id", [code.id for code in codes])
    _once("name", [code.name for code in codes if not code.retired])
    known = {code.id for code in codes}
    for code in codes:
        if missing := set(code.into) - known:
            raise BadOptions(f"{code.called!r} was replaced by {sorted(missing)[0]!r}, which the codebook does not have")
    check_parents(codes)
    return replace(book, codes=codes)


def _once(what: str, given: Sequence[str]) -> None:
    seen: set[str] = set()
    for words in given:
        folded = words.casefold()
        if folded in seen:
            raise BadOptions(f"two codes have the {what} {words!r}; give one of them another")
        seen.add(folded)
