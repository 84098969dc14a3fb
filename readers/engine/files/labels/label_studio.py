"""Export labels to Label Studio: one task per run, one annotation per annotator, and the matching labelling setup.

Every result has its complete labels in its `meta`, so nothing is lost that Label Studio cannot represent: the codes of a run's
steps become one multiple choice, and labels on a prompt, reply or written text become words. The annotator is also in `meta`,
because Label Studio assigns imported annotations to the importing user. Export only: changes made there cannot be imported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import quoteattr

from readers.engine.canonical import canonical
from readers.engine.files.labels.export_labels import SCHEMA, Export, LabelledReading, words_of
from readers.engine.labels.label import VALUES, Label, Turn
from readers.engine.labels.project import settings_json
from readers.engine.store import Store

_TEXT, _READING = "text", "reading"
_NO_CODE = "no code"
_AREAS = ("words", "decisive", "correction", "elsewhere")


def as_label_studio(export: Export, store: Store) -> str:
    """A JSON list of tasks for Label Studio's import. A task contains the text if one of its labels is a span of it."""
    by_run: dict[str, list[Label]] = defaultdict(list)
    for label in export.labels:
        by_run[label.run].append(label)
    turns = {(turn.run, turn.annotator): turn for turn in sorted(export.turns, key=lambda turn: turn.stage)}
    meta = _meta(export)
    texts: dict[str, str] = {}
    tasks = []
    for reading in export.readings:
        labels = by_run[reading.id]
        if any(label.target.get("on") == _TEXT for label in labels) and reading.document not in texts:
            texts[reading.document] = store.documents.get(reading.document).text
        text = texts.get(reading.document, "") if any(label.target.get("on") == _TEXT for label in labels) else ""
        tasks.append({"data": _data(reading, text), "meta": meta, "annotations": _annotations(labels, turns, text)})
    return canonical(tasks)


def setup(export: Export) -> str:
    """The labelling setup (XML) for the tasks, with the codes of the current codebook if the viewer may see them, then those of
    labels whose code has left it: Label Studio refuses a label that is not in the setup."""
    book = export.codebooks[-1].codes if export.codebooks else []
    listed = [str(code.get("id")) for code in book if isinstance(code, dict)] if isinstance(book, list) else []
    codes = list(dict.fromkeys([*listed, *sorted({label.code for label in export.labels if label.code})]))
    labels = "".join(f"<Label value={_quoted(code)}/>" for code in (*codes, _NO_CODE))
    choices = "".join(f"<Choice value={_quoted(code)}/>" for code in codes)
    fields = "".join(
        f'<Choices name="{name}" toName="{_READING}" choice="single">'
        + "".join(f'<Choice value="{value}"/>' for value in values)
        + "</Choices>"
        for name, values in VALUES.items()
    )
    areas = "".join(f'<TextArea name="{name}" toName="{_READING}"/>' for name in _AREAS)
    return (
        f'<View><Text name="{_READING}" value="$question"/><Text name="{_TEXT}" value="$text"/>'
        f'<Labels name="spans" toName="{_TEXT}">{labels}</Labels>'
        f'<Choices name="codes" toName="{_READING}" choice="multiple">{choices}</Choices>{fields}{areas}</View>'
    )


def _meta(export: Export) -> dict[str, Any]:
    versions = [book._asdict() for book in export.codebooks]
    return {
        "schema": SCHEMA,
        "project": {"id": export.project.id, "name": export.project.name},
        "settings": settings_json(export.project.settings),
        "protocol": export.protocol,
        "codebook": {"version": export.latest, "now": versions[-1:]},
    }


def _data(reading: LabelledReading, text: str) -> dict[str, str]:
    return {
        "reading": reading.id, "question": reading.question, "answer": reading.answer, "reader": reading.reader,
        "model": reading.model, "title": reading.title, "document": reading.document, "text": text,
    }  # fmt: skip


def _annotations(labels: Iterable[Label], turns: dict[tuple[str, str], Turn], text: str) -> list[dict[str, Any]]:
    by_whom: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        by_whom[label.annotator].append(label)
    results = []
    for name, own in sorted(by_whom.items()):
        turn = turns.get((own[0].run, name))
        results.append(
            {
                "result": _results(own, text),
                "was_cancelled": bool(turn and turn.standing == "skipped"),
                "ground_truth": False,
                "lead_time": turn.ms / 1_000 if turn else None,
                "meta": {"annotator": name, "turn": turn.standing if turn else ""},
            }
        )
    return results


def _results(own: Iterable[Label], text: str) -> list[dict[str, Any]]:
    """One result for each span of the text, and one for all labels in the same field of the setup."""
    results: dict[tuple[str, ...], dict[str, Any]] = {}
    for label in own:
        name, to, kind, value = _shape(label, text)
        key = (name, label.id) if kind == "labels" else (name,)
        result = results.setdefault(
            key,
            {"id": label.id, "from_name": name, "to_name": to, "type": kind, "value": value, "meta": {"text": [], "labels": []}},
        )
        if result["value"] is not value:
            (name_of_value,) = value
            result["value"][name_of_value] = list(dict.fromkeys([*result["value"][name_of_value], *value[name_of_value]]))
        result["meta"]["text"] += [words] if (words := words_of(label)) else []
        result["meta"]["labels"].append(
            {
                "id": label.id, "kind": label.kind, "annotator": label.annotator, "target": label.target, "value": label.value,
                "codebook": label.codebook, "revision": label.revision, "at": label.at,
            }
        )  # fmt: skip
    return list(results.values())


def _shape(label: Label, text: str) -> tuple[str, str, str, dict[str, Any]]:
    """A label's names, type and value in Label Studio."""
    field = label.target.get("field")
    if label.target.get("on") == _TEXT:
        start, end = label.target["start"], label.target["end"]
        return "spans", _TEXT, "labels", {"start": start, "end": end, "text": text[start:end], "labels": [label.code or _NO_CODE]}
    if label.kind == "step":
        return "codes", _READING, "choices", {"choices": [label.code]}
    if field in VALUES:
        return str(field), _READING, "choices", {"choices": [label.value["value"]]}
    if field == "decisive":
        return "decisive", _READING, "textarea", {"text": [str(label.value["value"]["step"])]}
    if label.kind == "span":
        where = f"{label.target['on']} {label.target['number']}, characters {label.target['start']} to {label.target['end']}"
        return "elsewhere", _READING, "textarea", {"text": [f"{where}: {label.code or _NO_CODE} {words_of(label)}".strip()]}
    return ("correction" if label.kind == "correction" else "words"), _READING, "textarea", {"text": [words_of(label)]}


def _quoted(value: str) -> str:
    """A quoted XML attribute, with a question mark for characters that XML cannot contain."""
    return quoteattr("".join(sign if sign.isprintable() else "?" for sign in value))
