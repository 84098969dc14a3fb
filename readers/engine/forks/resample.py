"""Samples of one call: a recorded prompt repeated several times, to see how firm a choice was.

Users cannot choose this reader: it reads no document and repeats what another run asked once. It is a reader so that samples are
recorded, paid for, stopped and resumed like everything else. Their results are counted in `experiment_results.py`.
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
from readers.engine.store import Reading, Run, Store
from readers.engine.text.document import Document, Question, Text
from readers.engine.text.phrases import call_number

ID = "samples"


@dataclass(frozen=True)
class SamplesOptions:
    """`request` is what `encode_request` returns for a prompt and its parts."""

    request: str = option("", "The prompt that is asked again, with its parts, as JSON.")
    count: int = option(5, "How often it is asked.", lowest=1, highest=MAX_SAMPLES)


def encode_request(prompt: Prompt, parts: tuple[Part, ...]) -> str:
    """A prompt and its parts, as stored in the option `request`."""
    room = prompt.sized_for(parts).max_tokens
    asked = {"wording": prompt.wording, "task": prompt.task, "max_tokens": room, "parts": encode_parts(parts)}
    return json.dumps(asked, ensure_ascii=False)


class Samples(Reader):
    """Asks one recorded call again and again."""

    id = ID
    title = "Samples of one call"
    version = 2
    prompts = ()
    Options = SamplesOptions

    def read(self, document: Document, question: Question, desk: Desk, options: SamplesOptions) -> Text:
        """Repeat the call; each reply counts as it is, so a misread reply is not retried."""
        asked = json.loads(options.request)
        prompt = replace(Prompt.of_wording(asked["wording"], asked["task"]), tries=1, max_tokens=asked["max_tokens"])
        row = {part.name: part.texts for part in decode_parts(asked["parts"], document)}
        with desk.step("samples"):
            replies = desk.ask_all(prompt, (row for _ in range(options.count)))
        read = sum(isinstance(reply, Got) for reply in replies)
        return Text(f"{read} of {len(replies)} replies could be read.")


def sample_call(store: Store, reading: Reading, reader: Reader, seq: int, sampling: Sampling) -> Run:
    """Put samples of call `seq` on record, queued: of its first prompt, even if a reply to it was misread.

    Raises BadOptions for an invalid number of samples or call.
    """
    check_sampling(reading, sampling, first=seq)
    call = recorded_call(reading, reader, seq)
    if sampling.temperature is not None:
        call = replace(call, settings=replace(call.settings, temperature=sampling.temperature))
    options = {"request": encode_request(call.prompt, call.parts), "count": sampling.n}
    name = f"{call_number(seq)}, asked {sampling.n} times"
    return create_samples(store, reading, call, Samples(), options=options, most=sampling.n, name=name)
