"""Where the document and the question are in a chat request: each rule takes its own layout apart, and no other."""

from __future__ import annotations

import pytest

from readers.cli.serve import layouts
from readers.cli.serve.layouts import DocumentQuestion, RequestWords, take_apart
from readers.engine.errors import BadOptions

STORY = "The ferry leaves at noon.\n\nThe harbour master keeps a grey parrot called Doris.\nQuestion: a bridge? Nobody knows."
ASKED = "What is the parrot called?"
SHORT = "The parrot of the harbour master is called Doris, and it is grey."

# The layouts of the published prompts, in words of our own.
LONGBENCH_V2 = (
    f"Here is a text; a question follows.\n\n<text>\n{STORY}\n</text>\n\nThis is the question: {ASKED}\nChoices:\n"
    "(A) Doris\n(B) Boris,\nits brother\n(C) Morris\n(D) Polly\n\n"
    'Format your response as follows: "My choice is (insert answer here)".'
)
MEMAGENT_BOXED = f"Read this.\n\n<text>\n{STORY}\n</text>\n\n{ASKED}\n\nYour answer goes into \\boxed{{}}."
MEMAGENT = (
    f"Read this.\n\n<text>\n{STORY}\n</text>\n\n{ASKED}\n\n"
    'Format your response as follows: "So the answer is (insert answer here)".'
)
DOCUMENTS = f"Document 1:\nA harbour\n{STORY}\n\nDocument 2:\nAnother\nNo parrots here."
RULER_QA = (
    f"Answer from the given documents alone.\n\nThe following are given documents.\n\n{DOCUMENTS}\n\n"
    f"Answer the question by the given documents.\n\nQuestion: {ASKED} Answer:"
)
RULER_NEEDLES = f"A number is hidden in the following text. Remember it.\n{SHORT}\n{ASKED} The parrot in the text is called"
RULER_TRACKING = f"Track what is assigned in the following text.\n\n{SHORT}\nQuestion: {ASKED} Answer: By the text, it is"
LONGBENCH = (
    f"You are given a story and a question about it.\n\nStory: {SHORT}\n\n"
    f"Now answer the question by the story.\n\nQuestion: {ASKED}\n\nAnswer:"
)


def of(message: str) -> DocumentQuestion:
    return take_apart(RequestWords((message,)))


@pytest.mark.parametrize(
    ("message", "rule", "document"),
    [
        (LONGBENCH_V2, "text_tags", STORY),
        (MEMAGENT, "text_tags", STORY),
        (MEMAGENT_BOXED, "text_tags", STORY),
        (RULER_QA, "numbered_documents", DOCUMENTS),
        (RULER_NEEDLES, "last_line", SHORT),
        (RULER_TRACKING, "question_line", SHORT),
        (LONGBENCH, "question_line", SHORT),
        (f"{SHORT}\n\nQuestion: {ASKED}", "question_line", SHORT),
    ],
)
def test_a_published_layout_is_taken_apart(message: str, rule: str, document: str) -> None:
    found = of(message)
    assert (found.rule, found.document, found.question) == (rule, document, ASKED)


def test_choices_are_read_from_below_the_question_and_the_answer_goes_back_by_its_letter() -> None:
    found = of(LONGBENCH_V2)
    assert found.choices == ("Doris", "Boris,\nits brother", "Morris", "Polly")
    assert found.reply("Morris") == "My choice is (C)"
    assert found.reply("It had no name at all.") == "My choice is It had no name at all."


def test_the_answer_goes_back_in_the_form_that_is_asked_for() -> None:
    assert of(MEMAGENT).reply("Doris") == "So the answer is Doris"
    assert of(MEMAGENT_BOXED).reply("Doris") == "\\boxed{Doris}"
    assert of(RULER_QA).reply("Doris") == "Doris"


def test_a_text_that_has_the_tags_in_it_ends_at_the_last_one() -> None:
    inside = "Pages have tags: <text>one</text> and another.\n</text>\nThere."
    assert of(f"Read.\n<text>\n{inside}\n</text>\n{ASKED}").document == inside


def test_a_text_in_the_first_message_and_the_question_in_the_last() -> None:
    system = f"Answer from the given documents.\nThe following are given documents.\n\n{DOCUMENTS}"
    found = take_apart(RequestWords((system, f"Question: {ASKED}\nAnswer:")))
    assert (found.rule, found.document, found.question) == ("numbered_documents", DOCUMENTS, ASKED)


def test_a_field_of_its_own_goes_before_every_layout() -> None:
    found = take_apart(RequestWords((LONGBENCH_V2, f"{ASKED}\n(A) Doris\n(B) Boris"), document=STORY))
    assert (found.rule, found.document, found.question) == ("document_field", STORY, ASKED)
    assert found.choices == ("Doris", "Boris")
    with_fields = take_apart(RequestWords(("anything",), STORY, ASKED, ("Doris", "Boris")))
    assert (with_fields.question, with_fields.choices) == (ASKED, ("Doris", "Boris"))


def test_a_template_says_where_everything_is() -> None:
    template = 'Q: {question}\nWords of the book: {document}\nThe end.\nOf these: {choices}\nSay "It is (your answer)".'
    text = f"{STORY}\nThe end.\nof the chapter"
    message = template.replace("{question}", ASKED).replace("{document}", text).replace("{choices}", "A. Doris\nB. Boris")
    found = take_apart(RequestWords((message,), template=template))
    assert (found.rule, found.document, found.question, found.choices) == ("template", text, ASKED, ("Doris", "Boris"))
    assert found.reply("Boris") == "It is (B)"
    assert take_apart(RequestWords((f"{SHORT}||{ASKED}",), template="{context}||{input}")).question == ASKED


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{document} and no more", "needs {document} and {question}"),
        ("{document}{question}", "needs words between"),
        ("{document}|{question}|{document}", "once each"),
        ("Text: {document}\nAsked: {question}", "does not follow the template"),
    ],
)
def test_a_template_that_does_not_fit_is_refused_in_words(template: str, words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        take_apart(RequestWords(("Text, but nothing else",), template=template))


@pytest.mark.parametrize(
    "message", ["", "Hello!", f"{SHORT} What is it?", f"Question: {ASKED}", f"Answer the question.\nQuestion: {ASKED}"]
)
def test_what_no_rule_recognises_is_refused_with_what_would_be(message: str) -> None:
    with pytest.raises(BadOptions, match="`document`"):
        of(message)


@pytest.mark.parametrize("message", [f"<text>\n \n</text>\n{ASKED}", f"<text>\n{STORY}\n</text>\n"])
def test_an_empty_text_or_question_is_named(message: str) -> None:
    with pytest.raises(BadOptions, match=r"the (text|question) is empty"):
        of(message)


def test_a_question_as_long_as_a_text_is_no_question() -> None:
    with pytest.raises(BadOptions, match="10,000"):
        of(f"<text>\n{SHORT}\n</text>\n{'word ' * 4000}")


def test_every_rule_leaves_a_plain_message_alone() -> None:
    assert [rule("Good morning to everybody.") for rule in layouts.LAYOUTS] == [None] * 4
