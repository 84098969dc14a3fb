"""`questions make-sweep`, `make-needles` and `make-planted`: write questions on texts of any length to a file, to be imported."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from readers.cli.output import DONE
from readers.cli.progress import read_file
from readers.engine.errors import BadFile, BadOptions
from readers.engine.questions.benchmarks.recognise import QuestionFile
from readers.engine.questions.made import planted
from readers.engine.questions.made.needles import DEPTHS, Needles, shortened, with_needles
from readers.engine.questions.made.paragraphs import paragraph_questions, text_paragraphs
from readers.engine.questions.made.planted import Places
from readers.engine.questions.made.row import Made
from readers.engine.questions.made.sweep import LENGTHS, Sweep, lengthened, pool_of, too_short
from readers.engine.text.phrases import counted

PLANTED_DEPTHS = (0, 25, 50, 75, 100)  # percent


def make_sweep(arguments: argparse.Namespace) -> int:
    """Write the questions of a file in texts of each length."""
    files = [QuestionFile(path.name, path) for path in arguments.files]
    asked = list(paragraph_questions(files))
    if not asked:
        raise BadFile("none of these files has questions with paragraphs, one of them marked as supporting, and an answer")
    others = (read_file(path).document for path in arguments.distractors)
    pool = pool_of([*(one for each in asked for one in each.paragraphs), *text_paragraphs(others)])
    sweep = Sweep(tuple(arguments.length) or LENGTHS, arguments.seed, arguments.repeat)

    def made() -> Iterable[Made]:
        for one in asked[: arguments.questions]:
            if left_out := too_short(one, sweep):
                lengths = ", ".join(f"{length:,}" for length in left_out)
                print(f"note: {one.key}: its own paragraphs have more than {lengths} tokens; left out there", file=sys.stderr)
            yield from lengthened(one, pool, sweep)

    return _write(made(), arguments.out)


def make_needles(arguments: argparse.Namespace) -> int:
    """Write a text with needles, and the questions about them."""
    needles = Needles(arguments.kind, tuple(arguments.depth) or DEPTHS, arguments.samples, arguments.seed)
    documents = (read_file(path).document for path in arguments.files)

    def made() -> Iterable[Made]:
        for document in documents:
            for length in arguments.length or [None]:
                yield from with_needles(shortened(document, length) if length else document, needles)

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
    """Write one row at a time, beside its place until all are there."""
    beside = out.with_name(f"{out.name}.part")
    number = characters = 0
    try:
        with beside.open("w", encoding="utf-8") as file:
            for one in made:
                file.write(json.dumps(one.row, ensure_ascii=False) + "\n")
                number, characters = number + 1, characters + len(one.text)
        if not number:
            raise BadOptions("nothing was made: no question fits into a text of these lengths")
        beside.replace(out)
    except OSError as error:
        raise BadFile(f"{str(out)!r} cannot be written: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)
    print(f"{out}: {counted(number, 'question')}, {characters:,} characters of text. Import it: questions import {out}")
    return DONE
