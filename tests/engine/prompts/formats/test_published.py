"""The reply formats of the published loops: nothing is refused, nothing is changed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.prompts.formats.form import Parsed
from readers.engine.prompts.formats.published import ReplyWithoutRecall, WholeReply

PIECES = st.lists(
    st.sampled_from(["<recall>", "</recall>", "</think>", "<update>", "lamp", " ", "\n", "é"]), max_size=12
).map("".join)  # fmt: skip


def fields(form: WholeReply | ReplyWithoutRecall, reply: str) -> dict[str, tuple[str | int, int, int]]:
    parsed = form.parse(reply, {})
    assert isinstance(parsed, Parsed)
    return {name: tuple(field) for name, field in parsed.fields.items()}


@given(PIECES)
def test_the_memory_of_rememr1_is_the_reply_without_its_queries(reply: str) -> None:
    found = fields(ReplyWithoutRecall(), reply)
    value, start, end = found["update"]
    assert value == re.sub("<recall>.*?</recall>", "", reply, flags=re.DOTALL).strip()
    assert len(str(value)) < end - start or value == reply[start:end]
    query = re.search("<recall>(.+)</recall>", reply)
    assert found.get("recall") == ((query[1], query.start(1), query.end(1)) if query else None)


@given(PIECES)
def test_the_memory_of_memagent_is_the_reply_or_what_follows_its_thoughts(reply: str) -> None:
    value, start, end = fields(WholeReply(), reply)["text"]
    assert value == (reply.split("</think>")[-1].strip() if "</think>" in reply else reply) == reply[start:end]


@pytest.mark.parametrize(("form", "name"), [(WholeReply(), "text"), (ReplyWithoutRecall(), "update")])
def test_an_edited_reply_is_read_as_it_was_meant(form: WholeReply | ReplyWithoutRecall, name: str) -> None:
    assert fields(form, form.render({name: "a lamp"}))[name][0] == "a lamp"
    assert fields(form, form.render({name: "a lamp", "recall": "door"})).get("recall", ("door",))[0] == "door"
