"""Recursive reading, our variant of Recursive Language Models (Zhang, Kraska and Khattab, 2025, arXiv 2512.24601).

In the paper the text is a variable in a Python environment. The model gets its length, writes code that looks into it, and from
that code calls models on pieces of it; their answers are values there (section 2). Peeking, searching by pattern, cutting into
parts with a call on each, and putting answers together were seen to emerge without instruction. In the experiments the models
below only answer (a depth of one).

Here no code is run. A reader over a slice of the text sees the question and how long its slice is, and chooses one action a call:
*peek* at a stretch, *search* for words, *split* the slice and see how each part begins, *ask* a question about some of the parts,
each of which a fresh reader answers in the same way, or *answer*. A slice of at most `slice_tokens` is shown as a whole, and
answered from directly; so is a longer slice at the `depth` limit, where no reader can be asked about its parts. So this reader
  - offers *answer* once a stretch of the slice was seen or a part was asked about, *split* until it is split, and *ask* from
    then on; at the `depth` limit, where a slice is over the model's window, neither of these. Below the whole text, *nothing*
    says that the answer is not there;
  - asks a reader for each part named, one after another; without a new question, they get the question that the asking reader was
    asked;
  - refuses an action that was done in the same slice before, and does not offer that action again until another has done
    something new;
  - searches for the question's words where no reply could be read; the second time, it answers from what was seen;
  - answers from what was seen after `max_actions` actions in a slice, and once `max_calls` calls were made, of which each open
    slice keeps one back for that; by default they are enough to read every slice once;
  - takes an unreadable verdict on a slice as *nothing*, and ends without an answer where that is the whole text.
Not here: values that a program computes, such as counts over all parts; calls at the same time; answers as long as the text.
"""

from __future__ import annotations

from readers.engine.errors import Ended
from readers.engine.prompts.options import PartSize
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Span, Text
from readers.recursive.narrative import Action, RecursiveCode, RecursiveNarrative
from readers.recursive.prompts import LAST, LEAF, NEXT
from readers.recursive.slices import PRESETS, WHOLE, RecursiveOptions, SliceQuestion, TextSlice
from readers.recursive.state import RecursiveState
from readers.recursive.visit import SharedReading


class Recursive(Reader):
    """Looks into the text and asks fresh readers about its parts, who do the same (a variant of ours: no code is run)."""

    id, title, version = "recursive", "Recursive reading", 2
    prompts = (NEXT, LEAF, LAST)
    Options = RecursiveOptions
    narrative = RecursiveNarrative()
    pseudo_code = RecursiveCode()
    State = RecursiveState
    presets = PRESETS
    part_size = PartSize("slice_tokens", "slice")

    def read(self, document: Document, question: Question, desk: Desk[Action], options: RecursiveOptions) -> Text:
        whole = TextSlice(WHOLE, Span(0, len(document.text)), depth=0)
        with desk.step("recursion"):
            answer = SharedReading(document, desk, options).answer(whole, SliceQuestion(question.asked, question.offered))
        if answer is None:
            raise Ended("no_answer", "nothing that was seen of the text answers the question")
        return answer
