"""`python -m tests.facts.support`: in how many readings of the samples the text is said to support the answer.

The offline model copies sentences that share words with the question, so that it answers what the text does not say, too: there
nothing shall be said to support it. Questions are those of the samples, and `OWN`, answered by a sentence each or by none.
Other models answer in a few words, as in `SHORT`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from components.session.samples import samples
from readers import get
from readers.engine.analysis.facts.attribution import Index, attributions
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import found_by
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record.events import Answered
from readers.engine.run.execute import RunSpec, rehearse
from tests.facts.measure import Share

READERS = ("memwalker", "retrieval", "memagent")
# By sample: what the text answers, and what it does not.
OWN = (
    (
        ("How high is the lighthouse?", "Who kept the high light?", "Where did Amos Garbutt buy his telescope?",
         "How often did the iron hood come down over the high light?"),
        ("Where were the bolts cast?", "Who painted the lighthouse?", "What did Amos Garbutt pay for his telescope?",
         "What was the name of Dinah’s husband?"),
    ),
    (
        ("How much did the inquiry cost?", "When was the Interim Report issued?", "Until what year was a regatta held?",
         "How far is it round by road from one end of Wendle Bridge to the other?"),
        ("Who made the stove in the Assembly Rooms?", "What did the bicycle of Mr Mabbott cost?",
         "What colour was the Dorcas painted?", "Where was Mr Ingleby born?"),
    ),
    (
        ("When was the Town House built?", "How high is Hask Hill?", "Who founded the Lantern School?",
         "To whom did Osla Pell leave her herbarium?"),
        ("Who drew the first chart of the Aunts?", "Who bakes the biscuit in the locker?",
         "How deep is the water of the Parlour?", "Who carved the bust of Gavin Dunnet?"),
    ),
)  # fmt: skip

# By sample: short answers that the text says, and others that it does not. The rule was not set on them.
SHORT = (
    (
        (("Who wrote the best hand in Hallin?", "Rhoda"), ("How much did the sturgeon weigh?", "nineteen stone"),
         ("What did Mat Dunn’s coble lose?", "two oars"), ("Who was the shorthand writer at the inquiry?", "Mr Fenn"),
         ("When did the brig Provider come in on the Coulter?", "Martinmas in 1897")),
        (("What did Mat Dunn’s coble cost?", "twelve pounds"), ("How old was Mr Fenn?", "thirty-four"),
         ("Where was Rhoda born?", "Whitby"), ("Who painted the board by the car park?", "Mr Tindale"),
         ("What was the name of the driver of the mail cart?", "Mat Dunn"), ("When was the lighthouse built?", "1847")),
    ),
    (
        (("Who was Chairman of the Committee?", "Alderman J. R. Hebblewhite"),
         ("How many people live in Netherside?", "2,310"), ("When was the bridge built?", "1868"),
         ("Who bought the Dorcas?", "Percy Lumb"),
         ("How much did the boiler for the Netherside Laundry weigh?", "nine tons"),
         ("Who was engaged as ferryman for County Ferry No. 1?", "Thomas Ruddle")),
        (("Who drove the omnibus?", "Mr Cope"), ("What did the boiler of the Netherside Laundry cost?", "£340"),
         ("What was the name of Miss Aske’s school-cat?", "Goose"), ("When was the Corn Exchange built?", "1911"),
         ("Who planted the willow on Goose Ait?", "Mr Capstick"),
         ("Where did Mr Cullimore learn his trade?", "Stoke Amber")),
    ),
    (
        (("What was the population of Sarn in 1901?", "3,904"), ("When was the Lovage sold?", "1961"),
         ("How many people were aboard the Thrift when she went ashore?", "fifty-two"),
         ("Who was the chairman of the company from 1899 to 1926?", "Magnus Brough"),
         ("When did Thomasin Hoy die?", "1968"), ("Where was the Campion built?", "Leith")),
        (("What did the Thrift cost to build?", "£9,000"), ("Who rang the kirk bell?", "Dirk Brough"),
         ("How tall was Magnus Brough?", "six feet"), ("What was the name of the Greek who bought the Lovage?", "Magnus"),
         ("When was the roof of St Olaf’s put up?", "1788"), ("Who won the vote about the catamaran’s name?", "Squill"),
         ("How old was Barbara Cromar in 1834?", "fifty-two")),
    ),
)  # fmt: skip


class Told(NamedTuple):
    """An answer of the offline model: whose the question is, what the text has of it, and whether a sentence supports it."""

    whose: str
    has: str
    question: str
    supports: bool


def told(readers: Sequence[str] = READERS) -> Iterator[Told]:
    """Every reading that answered."""
    for sample, (answered, unanswered) in zip(samples(), OWN, strict=True):
        index = Index(sample.document)
        known = {one.question: one for one in sample.questions}
        for question in (*answered, *unanswered, *known):
            for reader in map(get, readers):
                spec = RunSpec(reader.id, reader.version, question, options=dict(sample.watched.get(reader.id, {})))
                end = rehearse(sample.document, reader, spec, Offline()).end
                if not isinstance(end, Answered) or none_given("answered", end.text):
                    continue
                found = attributions(index, question, end.text)
                supports = any(one.supports for one in found)
                if question not in known:
                    yield Told("own", "answer" if question in answered else "none", question, supports)
                    continue
                evidence = known[question].evidence
                near = "answer" if found_by([one.place for one in found], evidence) else "answer elsewhere"
                yield Told("the samples’", near if evidence else "none", question, supports)


def short_answers() -> Iterator[Told]:
    """Every answer of a few words."""
    for sample, (said, unsaid) in zip(samples(), SHORT, strict=True):
        index = Index(sample.document)
        for question, answer in (*said, *unsaid):
            supports = any(one.supports for one in attributions(index, question, answer))
            yield Told("short answers’", "answer" if (question, answer) in said else "none", question, supports)


def shares(found: Iterable[Told]) -> dict[tuple[str, str], Share]:
    counts: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for one in found:
        counts[one.whose, one.has].append(one.supports)
    return {of: Share(sum(each), len(each)) for of, each in counts.items()}


if __name__ == "__main__":
    for (whose, has), share in shares((*told(), *short_answers())).items():
        print(f"{whose} questions, the text has {has:<17} supported {share}")
