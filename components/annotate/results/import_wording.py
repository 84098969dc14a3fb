"""The result of importing labels from a file, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.annotate.agreement.wording import TITLES
from components.annotate.results.html import ConflictRow
from components.html.words import wording
from readers.engine.canonical import canonical
from readers.engine.files.labels.import_labels import Clash, LabelImport
from readers.engine.labels.label import Label
from readers.engine.store import Run
from readers.engine.text.shorten import shorten_at_word

MOST_SHOWN, LONGEST = 50, 70
HIDDEN = "another label, which you may not see yet"
REMOVED = "removed here"
_WORDS = ("note", "words")  # shown last


def summary(result: LabelImport, *, dry: bool) -> str:
    """What an import did, or with `dry` would do. Each label of the file is counted once."""
    added = f"{wording.count(result.added, 'label')} {'would be' if dry else 'were'} added"
    differ = "differs" if len(result.clashes) == 1 else "differ"
    parts = [added, f"{result.same:,} already here", f"{len(result.clashes):,} {differ}"]
    if result.turns:
        parts.insert(1, f"{wording.count(result.turns, 'assignment')} too")
    return "; ".join(parts)


def left_out(result: LabelImport) -> list[str]:
    """What is not imported, and codes that are imported but unknown here, each with the reason."""
    skipped, sentences = result.skipped, []
    if skipped.lead:
        sentences.append(
            f"{wording.count(skipped.lead, 'label')} by the project’s owner {_not_imported(skipped.lead)}: they "
            "would make the owner an annotator, who no longer sees the whole project. To import them, the owner joins at the "
            "bench first."
        )
    if skipped.elsewhere:
        sentences.append(
            f"{wording.count(skipped.elsewhere, 'label')} {_not_imported(skipped.elsewhere)}: the readings are "
            "not yours to label, because others have them or you skipped them."
        )
    if skipped.standing:
        has = "has" if skipped.standing == 1 else "have"
        sentences.append(
            f"{wording.count(skipped.standing, 'assignment')} {has} another status here (open instead of done, for example) and "
            f"{'is' if skipped.standing == 1 else 'are'} not changed: the annotator finishes them at the bench."
        )
    if skipped.turns:
        sentences.append("Your file does not change which readings are finished: finish them at the bench.")
    rest = [f"{wording.count(skipped.codebooks, 'version')} of a codebook"] * bool(skipped.codebooks)
    rest += [wording.count(skipped.decisions, "decision")] * bool(skipped.decisions)
    if rest:
        sentences.append(
            f"{' and '.join(rest)} of the file {_not_imported(skipped.codebooks + skipped.decisions)}: "
            "this project keeps its own."
        )
    if result.unknown:
        named = ", ".join(shorten_at_word(code, LONGEST) for code in result.unknown[:MOST_SHOWN])
        more = f" and {len(result.unknown) - MOST_SHOWN:,} more" if len(result.unknown) > MOST_SHOWN else ""
        sentences.append(f"The codebook of this project does not have these codes; they are imported unchanged: {named}{more}.")
    return sentences


def _not_imported(number: int) -> str:
    return "is not imported" if number == 1 else "are not imported"


def conflict_rows(clashes: Sequence[Clash], runs: Mapping[str, Run]) -> list[ConflictRow]:
    """The first conflicts."""
    rows = []
    for imported, stored in clashes[:MOST_SHOWN]:
        run = runs.get(imported.run)
        here = HIDDEN if stored is None else REMOVED if stored.removed else value_text(stored)
        question = shorten_at_word(run.question, LONGEST) if run else imported.run
        rows.append(ConflictRow(question, imported.annotator, subject(imported), value_text(imported), here))
    return rows


def subject(label: Label) -> str:
    """What a label is about, in words."""
    at = label.target
    if label.kind == "reading":
        return TITLES.get(at["field"], "Note")
    if label.kind == "span":
        return f"characters {at['start']:,} to {at['end']:,}"
    step = at.get("step")
    return {"step": "Code", "note": "Note", "correction": "Correction"}[label.kind] + (f", step {step:,}" if step else "")


def value_text(label: Label) -> str:
    """The value of a label, shortened, as it is stored."""
    value = label.value.get("value", label.value)
    if isinstance(value, str):
        return shorten_at_word(value, LONGEST)
    there = sorted((name for name, one in value.items() if one != ""), key=lambda name: (name in _WORDS, name))
    parts = (f"{name} {one if isinstance(one := value[name], str) else canonical(one)}" for name in there)
    return shorten_at_word(", ".join(parts), LONGEST)
