"""Samples of one call: a recorded prompt asked again and again, to see how firm a choice was.

Not one of the readers that a person chooses: it reads no document, and asks what another reading asked once. It is a reader so
that samples are recorded, paid for, stopped and resumed like everything else. What came of them is counted in
`engine/outcomes.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from readers.engine.forks.experiments import MAX_SAMPLES, Sampling, check_sampling, create_samples, recorded_call
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.journal import decode_parts, encode_parts
from readers.engine.run.desk import Desk, Got
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.store.reading import Reading
from readers.engine.text.document import Document, Question, Text

ID = "samples"


@dataclass(frozen=True)
class SamplesOptions:
    """`request` is what `request_of` makes of a prompt and its parts."""

    request: str = option("", "The prompt that is asked again, with its parts, as JSON.")
    count: int = option(5, "How often it is asked.", lowest=1, highest=MAX_SAMPLES)


def encode_request(prompt: Prompt, parts: tuple[Part, ...]) -> str:
    """A prompt and what fills it, as the option `request` holds them."""
    asked = {"wording": prompt.wording, "task": prompt.task, "max_tokens": prompt.max_tokens, "parts": encode_parts(parts)}
    return json.dumps(asked, ensure_ascii=False)


class Samples(Reader):
    """Asks one recorded call again and again."""

    id = ID
    title = "Samples of one call"
    version = 1
    prompts = ()
    Options = SamplesOptions

    def read(self, document: Document, question: Question, desk: Desk, options: SamplesOptions) -> Text:
        """Ask as often as is wanted; each reply stands for itself, so none is asked for again."""
        asked = json.loads(options.request)
        prompt = replace(Prompt.of_wording(asked["wording"], asked["task"]), tries=1, max_tokens=asked["max_tokens"])
        row = {part.name: part.texts for part in decode_parts(asked["parts"], document)}
        with desk.step("samples"):
            replies = desk.ask_all(prompt, (row for _ in range(options.count)))
        read = sum(isinstance(reply, Got) for reply in replies)
        return Text(f"{read} of {len(replies)} replies could be read.")


def sample_call(store: Store, reading: Reading, reader: Reader, seq: int, trials: Sampling) -> Run:
    """Put samples of call `seq` of a reading by `reader` on record, queued; its first prompt, also where a reply was misread.

    Raises BadOptions for a number of samples or a call that cannot be.
    """
    check_sampling(reading, trials, first=seq)
    call = recorded_call(reading, reader, seq)
    if trials.temperature is not None:
        call = replace(call, settings=replace(call.settings, temperature=trials.temperature))
    options = {"request": encode_request(call.prompt, call.parts), "count": trials.n}
    return create_samples(store, reading, call, reader=Samples(), options=options)
