"""What came of taking labels in from a file, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.annotate.disagreements import TITLES, short
from components.html import wording
from readers.engine.canonical import canonical
from readers.engine.files.import_labels import Clash, LabelImport
from readers.engine.labels.label import Label
from readers.engine.store import Run

MOST_SHOWN = 50
HIDDEN = "another label, which you may not see yet"
_WORDS = ("note", "words")  # come last
REMOVED = "it was removed here"


def told(result: LabelImport, *, dry: bool) -> str:
    """Each label of the file is counted once."""
    added = f"{wording.count(result.added, 'label')} {'would be' if dry else 'were'} added"
    say = "says" if len(result.clashes) == 1 else "say"
    parts = [added, f"{result.same:,} {'are' if dry else 'were'} here already", f"{len(result.clashes):,} {say} something else"]
    if result.turns:
        parts.insert(1, f"{wording.count(result.turns, 'turn')} too")
    return "; ".join(parts)


def left_out(result: LabelImport) -> list[str]:
    """What of the file is not taken in, and what is taken in and has no meaning here, each with its reason."""
    left, told = result.skipped, []
    if left.lead:
        told.append(
            f"{wording.count(left.lead, 'label')} of who leads the project {_stay(left.lead)}: with them the lead would be an "
            "annotator, and see the whole project no more. To have them in, the lead joins on the bench first."
        )
    if left.elsewhere:
        told.append(
            f"{wording.count(left.elsewhere, 'label')} {_stay(left.elsewhere)}: on readings that are not yours to label, because "
            "others have them or you passed them over."
        )
    if left.standing:
        stands = "stands" if left.standing == 1 else "stand"
        told.append(
            f"{wording.count(left.standing, 'turn')} {stands} otherwise here (done in the file and open here, say) and "
            f"{'is' if left.standing == 1 else 'are'} not changed: whoever labelled finishes them on the bench."
        )
    if left.turns:
        told.append("Which readings are finished is not taken in from your file: finish them on the bench.")
    rest = [f"{wording.count(left.codebooks, 'version')} of a codebook"] * bool(left.codebooks)
    rest += [wording.count(left.decisions, "decision")] * bool(left.decisions)
    if rest:
        told.append(f"{' and '.join(rest)} of the file {_stay(left.codebooks + left.decisions)}: those of this project stand.")
    if result.unknown:
        named = ", ".join(short(code) for code in result.unknown[:MOST_SHOWN])
        more = f" and {len(result.unknown) - MOST_SHOWN:,} more" if len(result.unknown) > MOST_SHOWN else ""
        told.append(f"The codebook of this project does not have these codes, and they come in as they are: {named}{more}.")
    return told


def _stay(number: int) -> str:
    return "is not taken in" if number == 1 else "are not taken in"


def clash_rows(clashes: Sequence[Clash], runs: Mapping[str, Run]) -> list[tuple[str, str, str, str, str]]:
    """The first of them: reading, annotator, about what, what the file says, what is here."""
    rows = []
    for imported, stored in clashes[:MOST_SHOWN]:
        run = runs.get(imported.run)
        here = HIDDEN if stored is None else REMOVED if stored.removed else said(stored)
        rows.append((short(run.question) if run else imported.run, imported.annotator, about(imported), said(imported), here))
    return rows


def about(label: Label) -> str:
    """What a label is about, in words."""
    at = label.target
    if label.kind == "reading":
        return TITLES.get(at["field"], "Note")
    if label.kind == "span":
        return f"characters {at['start']:,} to {at['end']:,}"
    step = at.get("step")
    return {"step": "Code", "note": "Note", "correction": "Correction"}[label.kind] + (f", step {step:,}" if step else "")


def said(label: Label) -> str:
    """What a label says, short, in the words it is kept in."""
    value = label.value.get("value", label.value)
    if isinstance(value, str):
        return short(value)
    there = sorted((name for name, one in value.items() if one != ""), key=lambda name: (name in _WORDS, name))
    return short(", ".join(f"{name} {one if isinstance(one := value[name], str) else canonical(one)}" for name in there))
