"""`questions`: import, list and delete question sets; and write questions on texts of any length to a file, to be imported
(`make-sweep`, `make-needles`, `make-planted`)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from readers.cli.arguments import positive
from readers.cli.output import DONE, print_json
from readers.cli.progress import read_file
from readers.engine.errors import BadFile, BadOptions
from readers.engine.ingest import IN_WORDS, Ingested
from readers.engine.questions.benchmarks.recognise import QuestionFile
from readers.engine.questions.files import is_questions
from readers.engine.questions.import_questions import ALL, MOST_PATHS, Selection, complete_set, of_benchmarks, read_questions
from readers.engine.questions.made import Made, planted
from readers.engine.questions.made.needles import DEPTHS, KINDS, with_needles
from readers.engine.questions.made.planted import FACT_KINDS, Places, shortened
from readers.engine.questions.made.sweep import LENGTHS, fitting, lengthened, paragraph_questions, pool_of, text_paragraphs
from readers.engine.questions.question_importer import TextSources
from readers.engine.store import Store
from readers.engine.store.question_sets import ListedSet
from readers.engine.text.document import Document
from readers.engine.text.phrases import counted

STORIES = "tmp"  # the folder in which NarrativeQA's script puts the stories
PLANTED_DEPTHS = (0, 25, 50, 75, 100)  # percent


def import_set(arguments: argparse.Namespace) -> int:
    selection = Selection(arguments.first, tuple(_field_value(words) for words in arguments.only))
    with Store() as store:
        stored = import_files(store, arguments.files, name=arguments.name, selection=selection)
    print(f"{stored.id}  {counted(stored.questions, 'question')} on {counted(stored.documents, 'text')}: {stored.name}")
    return DONE


def import_files(store: Store, files: Sequence[Path], *, name: str = "", selection: Selection = ALL) -> ListedSet:
    """Import files and folders as one set, and say on standard error what was recognised and skipped."""
    paths = [file for path in files for file in _files_of(path)]
    if len(paths) > MOST_PATHS:
        raise BadFile(f"{MOST_PATHS:,} files can be imported at once; give fewer")
    sources = _text_sources(store, list(dict.fromkeys(path.parent for path in paths)))
    imported = read_questions([(path.name, path) for path in paths], sources, name=name, selection=selection)
    for found in imported.recognised:
        published = f"; published with {', '.join(found.scores)}" if found.scores else ""
        amount = f"{counted(found.questions, 'question')} on {counted(found.texts, 'text')}"
        print(f"recognised: {found.name}, {amount}{published}", file=sys.stderr)
    for note in imported.notes:
        print(f"note: {note}", file=sys.stderr)
    return store.question_sets.add(complete_set(imported))


def _files_of(path: Path) -> list[Path]:
    """The file itself; of a folder those in it and below it that hold questions."""
    if not path.is_dir():
        return [path]
    files = sorted(islice((file for file in path.rglob("*") if file.is_file()), MOST_PATHS))
    found = of_benchmarks(files) or [file for file in files if is_questions(file.name)]
    if not found:
        raise BadFile(f"no file in the folder {str(path)!r} holds questions")
    return found


def _field_value(words: str) -> tuple[str, str]:
    name, sign, value = words.partition("=")
    if not sign or not name.strip():
        raise BadOptions(f"--only {words[:60]!r} is not NAME=VALUE, such as difficult=1")
    return name.strip(), value.strip()


def _text_sources(store: Store, folders: Sequence[Path]) -> TextSources:
    """Texts in the folders of the files, and those of the library."""

    def beside(name: str) -> Ingested | None:
        paths = (folder / part / name for folder in folders for part in ("", STORIES))
        path = next((path for path in paths if path.is_file()), None)
        return read_file(path) if path else None

    def library(named: str) -> list[Document]:
        return [store.documents.get(shelved.id) for shelved in store.documents.listed() if named in (shelved.id, shelved.title)]

    return TextSources(beside, library)


def list_sets(arguments: argparse.Namespace) -> int:
    with Store() as store:
        sets = store.question_sets.listed()
    if arguments.json:
        print_json([one._asdict() for one in sets])
    elif not sets:
        print("No question sets yet. Import one with: python -m readers questions import FILE")
    for one in [] if arguments.json else sets:
        when = one.created[:16].replace("T", " ")
        print(f"{one.id}  {when}  {counted(one.questions, 'question'):<16} {counted(one.documents, 'text'):<12} {one.name}")
    return DONE


def delete_set(arguments: argparse.Namespace) -> int:
    with Store() as store:
        stored = store.question_sets.get(arguments.set)
        store.question_sets.delete(stored.id)
    print(f"Deleted {stored.name!r}.")
    return DONE


# Making questions


def make_sweep(arguments: argparse.Namespace) -> int:
    """Write the questions of a file in texts of each length."""
    files = [QuestionFile(path.name, path) for path in arguments.files]
    asked = list(paragraph_questions(files))
    if not asked:
        raise BadFile("none of these files has questions with paragraphs, one of them marked as supporting, and an answer")
    others = (read_file(path).document for path in arguments.distractors)
    pool = pool_of([*(one for each in asked for one in each.paragraphs), *text_paragraphs(others)])
    lengths = sorted(set(arguments.length)) or LENGTHS

    def made() -> Iterable[Made]:
        for one in asked[: arguments.questions]:
            taken = fitting(one, lengths)
            if left_out := ", ".join(f"{length:,}" for length in lengths if length not in taken):
                print(f"note: {one.key}: its own paragraphs have more than {left_out} tokens; left out there", file=sys.stderr)
            yield from lengthened(one, pool, lengths, seed=arguments.seed, repeat=arguments.repeat)

    return _write(made(), arguments.out)


def make_needles(arguments: argparse.Namespace) -> int:
    """Write a text with needles, and the questions about them."""
    depths = arguments.depth or DEPTHS
    documents = (read_file(path).document for path in arguments.files)

    def made() -> Iterable[Made]:
        for document in documents:
            for length in arguments.length or [None]:
                text = shortened(document, length) if length else document
                yield from with_needles(text, arguments.kind, depths=depths, samples=arguments.samples, seed=arguments.seed)

    return _write(made(), arguments.out)


def make_planted(arguments: argparse.Namespace) -> int:
    """Write a text with one fact at each depth and length, and the question about it."""
    document = read_file(arguments.files[0]).document
    if arguments.sentence:
        fact = planted.written(arguments.sentence, arguments.question, arguments.answer)
    else:
        fact = planted.prepared(arguments.kind, document.text, seed=arguments.seed)
    depths, sizes = arguments.depth or PLANTED_DEPTHS, arguments.length or [planted.WHOLE]
    return _write(planted.planted_texts(document, fact, Places(tuple(depths), tuple(sizes), arguments.seed)), arguments.out)


def _write(made: Iterable[Made], out: Path) -> int:
    """Write one row at a time, to a temporary file until all are there."""
    beside = out.with_name(f"{out.name}.part")
    number = characters = 0
    try:
        with beside.open("w", encoding="utf-8") as file:
            for one in made:
                file.write(json.dumps(one.row, ensure_ascii=False) + "\n")
                number, characters = number + 1, characters + len(one.text)
        if not number:
            raise BadOptions("no questions possible: the texts are too short")
        beside.replace(out)
    except OSError as error:
        raise BadFile(f"{str(out)!r} cannot be written: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)
    print(f"{out}: {counted(number, 'question')}, {characters:,} characters of text. Import it: questions import {out}")
    return DONE


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of `questions` and of its acts."""
    sub.set_defaults(command=list_sets)
    acts = sub.add_subparsers(metavar="ACT")
    importer = acts.add_parser("import", help="import question files as one set; prints its id")
    importer.add_argument("files", nargs="+", type=Path, metavar="FILE", help="jsonl, csv or json, or a benchmark's own files "
    "or folder; texts may be given along with them")  # fmt: skip
    importer.add_argument("--name", default="", help="the name of the set")
    importer.add_argument("--first", type=positive, metavar="N", help="only the first N questions")
    importer.add_argument("--only", action="append", default=[], metavar="NAME=VALUE",
                          help="only the questions of a benchmark whose field has this value, such as difficult=1")  # fmt: skip
    importer.set_defaults(command=import_set)
    _making_arguments(acts)
    deleter = acts.add_parser("delete", help="delete a set; its texts and readings stay")
    deleter.add_argument("set", help="its id or name")
    deleter.set_defaults(command=delete_set)
    sub.add_argument("--json", action="store_true", help="as JSON")


def _making_arguments(acts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sweep = acts.add_parser("make-sweep", help="write each question's paragraphs among others, in texts of 7K to 3.5M tokens")
    sweep.add_argument("files", nargs="+", type=Path, metavar="FILE", help="questions with marked paragraphs, such as HotpotQA's")
    sweep.add_argument(
        "--distractors", action="append", default=[], type=Path, metavar="TEXT", help="a text to take distractors from"
    )
    sweep.add_argument("--questions", type=positive, metavar="N", help="only the first N questions")
    sweep.add_argument("--repeat", action="store_true", help="reuse distractors if they run out")
    sweep.set_defaults(command=make_sweep)
    needles = acts.add_parser(
        "make-needles", help="write texts with sentences inserted at chosen depths, and questions about them"
    )
    needles.add_argument("files", nargs="+", type=Path, metavar="TEXT", help=IN_WORDS)
    needles.add_argument(
        "--kind",
        choices=KINDS,
        default="one",
        help="one in each text, several, a scattered chain, or one that is contradicted later",
    )
    needles.add_argument(
        "--depth", action="append", default=[], type=float, metavar="PERCENT", help="0 to 100 in tens if not given"
    )
    needles.add_argument("--samples", type=positive, default=1, metavar="N", help="different needles for each depth")
    needles.set_defaults(command=make_needles)
    planted = acts.add_parser("make-planted", help="write texts with the same fact at each depth, and its question")
    planted.add_argument("files", nargs=1, type=Path, metavar="TEXT", help=IN_WORDS)
    planted.add_argument(
        "--kind", choices=FACT_KINDS, default="one", help="once, in two sentences, contradicted later, in a table, in a footnote"
    )
    planted.add_argument("--sentence", default="", help="a fact of your own, with --question and --answer")
    planted.add_argument("--question", default="", help="the question that the sentence answers")
    planted.add_argument("--answer", default="", help="the right answer")
    planted.add_argument(
        "--depth", action="append", default=[], type=float, metavar="PERCENT", help="0, 25, 50, 75 and 100 if not given"
    )
    planted.set_defaults(command=make_planted)
    for maker in (sweep, needles, planted):
        maker.add_argument(
            "--length", action="append", default=[], type=positive, metavar="TOKENS", help="may be given several times"
        )
        maker.add_argument("--seed", type=int, default=0, metavar="N")
        maker.add_argument("-o", "--out", type=Path, required=True, metavar="OUT", help="a file that ends in .jsonl")
