"""Texts of one thing over and over, as long as one likes: work that does not grow with its input alone shows on these."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from readers.memwalker.prompts import LEAF

Shapes = Mapping[str, Callable[[int], str]]

TEXTS: Shapes = {
    "one long word": lambda n: "a" * n,
    "one long line of words": lambda n: "lamp " * (n // 5),
    "sentences": lambda n: "The lamp is lit. " * (n // 17),
    "short lines": lambda n: "lamp\n" * (n // 5),
    "short paragraphs": lambda n: "lamp\n\n" * (n // 6),
    "spaces": lambda n: " " * n,
    "blank lines": lambda n: "\n" * n,
    "blank lines of spaces": lambda n: (" " * 99 + "\n") * (n // 100),
    "blank lines before a mark": lambda n: "\n" * n + " \u0301",
    "dots": lambda n: "." * n,
    "dots in quotes": lambda n: '."' * (n // 2),
    "dots and quotes": lambda n: "." + '"' * n,
    "dots and spaces": lambda n: ". " * (n // 2),
    "dots, spaces and marks": lambda n: ". \u0301" * (n // 3),
    "abbreviations": lambda n: "Mr. " * (n // 4),
    "initials": lambda n: "A. " * (n // 3),
    "rules": lambda n: "#" * n,
    "digits": lambda n: "7" * n,
    "NULs": lambda n: "\x00" * n,
    "lone surrogates": lambda n: "\ud800" * n,
    "carriage returns": lambda n: "\r\n" * (n // 2),
    "Chinese": lambda n: "字" * n,
    "Chinese sentences": lambda n: "字字字字。" * (n // 5),
    "Hebrew": lambda n: "שלום " * (n // 5),
    "Arabic without spaces": lambda n: "ا" * n,
    "Hindi": lambda n: "क्" * (n // 2),
    "Korean letters": lambda n: "\u1100" * n,
    "one letter under many marks": lambda n: "a" + "\u0301\u0316" * (n // 2),
    "people joined for ever": lambda n: "👩\u200d" * (n // 2),
    "families": lambda n: "👩‍👩‍👧‍👦" * (n // 7),
    "flags": lambda n: "🇩" * n,
    "everything": lambda n: "a\u0301 b字。👩‍👩‍👧‍👦" * (n // 13),
}

STRUCTURED: Shapes = {
    "items": lambda n: "- a\n" * (n // 4),
    "stars": lambda n: "* " * (n // 2),
    "rows": lambda n: "a | b\n\n" * (n // 7),
    "bars": lambda n: " |" * (n // 2),
    "tables": lambda n: "|a|b|\n|-|-|\n" * (n // 12),
    "rules": lambda n: "|:-" * (n // 3) + "\n|",
    "fences": lambda n: "```\n" * (n // 4),
    "numbered lines": lambda n: "1. Aa\n\n" * (n // 7),
    "short paragraphs": lambda n: "lamp\n\n" * (n // 6),
}

REPLIES: Shapes = {
    "nothing but spaces": lambda n: " " * n,
    "nothing but line ends": lambda n: "\n" * n,
    "NULs": lambda n: "\x00" * n,
    "lone surrogates": lambda n: "\ud800" * n,
    "one word": lambda n: "a" * n,
    "hashes": lambda n: "#" * n,
    "rules": lambda n: "###\n" * (n // 4),
    "rules that are none": lambda n: "### x\n" * (n // 6),
    "hashes and spaces": lambda n: "#" * (n // 2) + " " * (n // 2) + "x",
    "stars": lambda n: "*" * n,
    "stars and spaces before a heading": lambda n: "* " * (n // 2) + "Action: 1",
    "a heading and spaces": lambda n: "Action" + " " * n + "1",
    "a heading and stars": lambda n: "Action" + "*_" * (n // 2) + "1",
    "headings": lambda n: "Action: 1\n" * (n // 10),
    "headings without a value": lambda n: "Action:\n" * (n // 8),
    "headings on one line": lambda n: "Action: " * (n // 8),
    "headings that are none": lambda n: "> Reasoning\n" * (n // 12),
    "a number of many digits": lambda n: "Action: " + "7" * n,
    "numbers": lambda n: "Action: " + "-1 " * (n // 3),
    "numbers and dots": lambda n: "Action: " + "1." * (n // 2),
    "dots after a number": lambda n: "Action: 1" + "." * n,
    "dots after numbers": lambda n: "Action: " + ("1" + "." * 999 + " ") * (n // 1001),
    "minus signs": lambda n: "Action: " + "-" * n + "1",
    "the format, again and again": lambda n: LEAF.reply.describe() * (n // len(LEAF.reply.describe())),
    "a good reply after a long thought": lambda n: "Reasoning: " + "hm, " * (n // 4) + "\nAction: 1",
    "brackets": lambda n: "{" * n,
    "quotes and backslashes": lambda n: '\\"' * (n // 2),
    "tags": lambda n: "<text>" * (n // 6),
    "open tags": lambda n: "<" * n,
}

MEMORY_REPLIES: Shapes = {
    "openings": lambda n: "<update>" * (n // 8),
    "closings": lambda n: "</update>" * (n // 9),
    "empty blocks": lambda n: "<update></update>" * (n // 17),
    "thoughts never closed": lambda n: "<thinking>" * (n // 10),
    "thoughts in thoughts": lambda n: "<thinking>" * (n // 21) + "</thinking>" * (n // 21),
    "queries in an update": lambda n: "<update>" + "<recall>a</recall>" * (n // 18) + "</update>",
    "less than": lambda n: "<" * n,
    "boxes": lambda n: "\\boxed{" * (n // 7),
    "boxes in boxes": lambda n: "\\boxed{" * (n // 8) + "}" * (n // 8),
    "a box and spaces": lambda n: "\\boxed" + " " * n,
    "braces": lambda n: "\\boxed{" + "{" * (n // 2) + "}" * (n // 2),
    "backslashes": lambda n: "\\" * n,
    "thoughts of another kind": lambda n: "</think>" * (n // 8),
}

FENCED: Shapes = {
    "words": lambda n: "the lamp " * (n // 9),
    "spaces": lambda n: " " * n,
    "line ends": lambda n: "\n" * n,
    "tags": lambda n: "<text>" * (n // 6),
    "open tags": lambda n: "<" * n,
    "hashes": lambda n: "#" * n,
    "quotes": lambda n: '"' * n,
    "stars": lambda n: "*" * n,
    "headings": lambda n: "Action:\n" * (n // 8),
    "headings and spaces": lambda n: "Action" + " " * n,
    "spaces before a heading": lambda n: " >*_" * (n // 4) + "Action:",
}

NAMES: Shapes = {
    unit.strip() or "line ends": lambda n, unit=unit: unit * (n // len(unit))  # type: ignore[misc]
    for unit in ("Aa of ", "Aa and ", "one-", "Hester Tarrel came on Friday. ", "\n", "1,000 ", "A. ", "A" * 50)
}

SEARCHED: Shapes = {
    "one word": lambda n: "a" * n,
    "spaces": lambda n: " " * n,
    "hashes": lambda n: "#" * n,
    "short paragraphs": lambda n: "a\n\n" * (n // 3),
    "line ends": lambda n: "\n" * n,
}

ODD_ANSWERS: Shapes = {
    "spaces in a sentence": lambda n: "answer" + " " * n + "!",
    "hundreds": lambda n: "hundred and " * (n // 12),
    "one word": lambda n: "a" * n,
    "slashes": lambda n: "/ " * (n // 2),
    "brackets": lambda n: "(" * n,
    "millions": lambda n: "5 million " * (n // 10),
}
