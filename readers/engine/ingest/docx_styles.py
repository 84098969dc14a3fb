"""The styles of a Word document: what each is called, and whether its paragraphs are headings, and how deep.

A style says so by the name of one of Word's own heading styles, by its outline level, or by the style it is based on. Not here:
the outline level that a paragraph has for itself (`docx.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml import etree

_BODY_TEXT = 9  # the outline level of what is no heading
_MOST_BASES = 10  # how far a style is followed to those it is based on


class Style(NamedTuple):
    """`name`: the same in every language of Word, in lower case; `depth`: of the headings in this style, 0 if they are none."""

    name: str = ""
    depth: int = 0

    @property
    def may_be_title(self) -> bool:
        return self.name == "title" or self.name.startswith("heading")


NO_STYLE = Style()


def styles(root: etree._Element) -> dict[str, Style]:
    """The styles by their ids."""
    found: dict[str, Style] = {}
    bases: dict[str, str] = {}
    for style in root.iter("{*}style"):
        key = next((value for name, value in style.attrib.items() if name.endswith("}styleId")), "")
        name, level, base = (_said(style, tag) for tag in ("name", "outlineLvl", "basedOn"))
        found[key] = Style(name.lower(), depth_of_level(level) if level else _depth_in(name.lower()))
        if base and not level:
            bases[key] = base
    return {key: style._replace(depth=_depth(key, found, bases)) for key, style in found.items()}


def depth_of_level(level: str) -> int:
    """An outline level, which counts from 0, as the depth of a heading; 0 for body text."""
    number = int(level) if level.isdecimal() and len(level) == 1 else _BODY_TEXT
    return number + 1 if number < _BODY_TEXT else 0


def val(attributes: Mapping[str, str]) -> str:
    """What a property is set to; empty if nothing is said."""
    return next((value for key, value in attributes.items() if key.endswith("}val")), "")


def _said(style: etree._Element, tag: str) -> str:
    return next((val(dict(element.attrib)) for element in style.iter(f"{{*}}{tag}")), "")


def _depth(key: str, found: Mapping[str, Style], bases: Mapping[str, str]) -> int:
    """The depth of a style's headings: its own, or that of the nearest style it is based on."""
    for _ in range(_MOST_BASES):
        depth = found.get(key, NO_STYLE).depth
        if depth or key not in bases:
            return depth
        key = bases[key]
    return 0


def _depth_in(name: str) -> int:
    """The depth in the name of one of Word's own heading styles, `heading 2`; 0 for any other."""
    number = name.removeprefix("heading ")
    return int(number) if number != name and number.isdecimal() and len(number) == 1 else 0
