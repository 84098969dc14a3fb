"""The loops of MemAgent and ReMemR1 as the papers and their published code describe them, for a test of what is sent.

Written anew, with nothing of the readers: slices of the checkpoint's tokens, one user message a call, one call for each slice and
one for the answer, no second try. Wording comes from outside.
"""

from __future__ import annotations

import json
import math
import re
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from tokenizers import Tokenizer


@dataclass
class Loop:
    """What one loop sends: `update` and `final` are templates for `str.format`; `room` is the room of every reply."""

    url: str
    tokenizer: Tokenizer
    update: str
    final: str
    room: int
    size: int
    model: str = "test"
    history: list[str] = field(default_factory=list)

    def memagent(self, context: str, question: str) -> str:
        memory = "No previous memory"
        for section in self._sections(context):
            reply = self._reply(self.update.format(prompt=question.strip(), chunk=section, memory=memory))
            memory = reply.split("</think>")[-1].strip() if "</think>" in reply else reply
        return self._reply(self.final.format(prompt=question.strip(), memory=memory))

    def rememr1(self, context: str, question: str) -> str:
        memory, recalled = "No previous memory", "No memory was recalled."
        for section in self._sections(context):
            words = {"prompt": question.strip(), "chunk": section, "memory": memory, "recalled_memory": recalled}
            reply = self._reply(self.update.format(**words))
            memory = re.sub("<recall>.*?</recall>", "", reply, flags=re.DOTALL).strip()
            if memory not in self.history:
                self.history.append(memory)
            query = re.search("<recall>(.+)</recall>", reply)
            recalled = str(self._nearest(query[1])) if query else "No memory was recalled."
        return self._reply(self.final.format(prompt=question.strip(), memory=memory, recalled_memory=recalled))

    def _sections(self, context: str) -> list[str]:
        ids = self.tokenizer.encode(context.strip()).ids
        return [
            self.tokenizer.decode(ids[at : at + self.size], skip_special_tokens=False) for at in range(0, len(ids), self.size)
        ]

    def _nearest(self, query: str) -> str | None:
        """TF-IDF as scikit-learn has it by default (smoothed, normed rows, words of the collection alone), and the cosine."""
        rows = [self._tokens(memory) for memory in self.history]
        vocabulary = sorted({token for row in rows for token in row})
        if not vocabulary:
            return None
        weight = [math.log((1 + len(rows)) / (1 + sum(token in row for row in rows))) + 1 for token in vocabulary]

        def vector(tokens: list[str]) -> list[float]:
            raw = [tokens.count(token) * w for token, w in zip(vocabulary, weight, strict=True)]
            length = math.sqrt(sum(x * x for x in raw))
            return [x / length for x in raw] if length else raw

        asked = vector(self._tokens(query))
        likeness = [sum(x * y for x, y in zip(asked, vector(row), strict=True)) for row in rows]
        return self.history[likeness.index(max(likeness))]

    def _tokens(self, text: str) -> list[str]:
        return [token.replace("Ġ", "") for token in self.tokenizer.encode(text.lower(), add_special_tokens=False).tokens]

    def _reply(self, content: str) -> str:
        body: dict[str, Any] = {
            "model": self.model, "messages": [{"role": "user", "content": content}],
            "temperature": 0.7, "top_p": 0.95, "max_tokens": self.room,
        }  # fmt: skip
        request = urllib.request.Request(
            f"{self.url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return str(json.load(answer)["choices"][0]["message"]["content"])
