"""ReadAgent's options, and the paper's four settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from readers.engine.errors import BadOptions
from readers.engine.models.similarity import COMPARED, SimilarityOptions, embedding_option
from readers.engine.prompts.options import Preset, option

TOKENS_A_WORD = 4


@dataclass(frozen=True)
class ReadAgentOptions(SimilarityOptions):
    mode: Literal["parallel", "sequential", "retrieval", "none"] = option(
        "parallel",
        "How pages are looked up: the model names all at once (parallel) or one after the other (sequential), the pages most "
        "like the question are taken (retrieval), or none are (gists only).",
        title="Pages are looked up",
        names={"parallel": "All at once", "sequential": "One after another", "retrieval": "By similarity", "none": "Not at all"},
    )
    pagination: Literal["model", "uniform"] = option(
        "model",
        "Where pages end: where the model would pause, or at paragraph ends after about the same number of words.",
        title="Pages end",
        names={"model": "Where it would pause", "uniform": "At even lengths"},
    )
    min_words: int = option(280, "The fewest words on a page, except the last.", lowest=1, title="Shortest page, in words")
    max_words: int = option(
        600,
        "No pause is offered after the paragraph that would make a page longer than this.",
        lowest=1,
        title="Longest page, in words",
    )
    max_lookups: int = option(
        5,
        "The most pages opened again for a question.",
        lowest=1,
        title="Most pages opened again",
        beside={"mode": ("parallel", "sequential", "retrieval")},
    )
    gist_percent: int = option(
        15, "How long a gist may be, in percent of its page's words. The paper's gists have 3 to 17.", lowest=1, highest=100,
        before=50, title="Longest gist, in % of its page"
    )  # fmt: skip
    room: Literal["lookups", "page"] = option(
        "lookups",
        "What has room next to the gists: max_lookups pages, for which gists become shorter first, and pages are merged last "
        "(lookups); or one page, for which pages are merged first, as in the paper (page).",
        before="page",
        title="Room next to the gists",
        names={"lookups": "For all pages it may open", "page": "For one page"},
        beside={"mode": ("parallel", "sequential")},
    )
    conditional: bool = option(
        False, "Show the question while gists are written. They then serve only this question.", title="Gists see the question"
    )
    previous_page: bool = option(
        False,
        "Also show the previous page when a pause is chosen; the paper found it helps with meetings.",
        title="Also show the previous page",
    )
    similarity: Literal["bm25", "tfidf", "embedding"] = option(
        "bm25",
        "Retrieval: what compares the pages with the question.",
        title="Compared by",
        names=COMPARED,
        beside={"mode": ("retrieval",)},
    )
    embedding_model: str = embedding_option()
    compared: Literal["pages", "gists"] = option(
        "pages",
        "Retrieval: what is compared with the question. The paper compares gists where pages are too long to embed.",
        title="What is compared",
        names={"pages": "Pages", "gists": "Gists"},
        beside={"mode": ("retrieval",)},
    )
    with_gists: bool = option(
        True,
        "Retrieval: also show the gists of the other pages. The paper's baselines show only the retrieved pages.",
        title="Show other pages’ gists",
        beside={"mode": ("retrieval",)},
    )

    @property
    def max_tokens(self) -> int:
        """The most tokens on a page. Ordinary text reaches the limits in words long before; one without blanks, or of rare
        characters, may not."""
        return TOKENS_A_WORD * (self.min_words + self.max_words)

    @property
    def pages_with_room(self) -> int:
        """How many pages should have room next to the gists. Pages that are retrieved have room for the best one."""
        return {"none": 0, "retrieval": 1}.get(self.mode, 1 if self.room == "page" else self.max_lookups)

    @property
    def without_gists(self) -> bool:
        """Whether the answer is from retrieved pages only."""
        return self.mode == "retrieval" and not self.with_gists

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_words > self.max_words:
            raise BadOptions(f"option 'min_words' is at most 'max_words', which is {self.max_words}, not {self.min_words}")


# The paper's four settings (table 8), by the data set of each; and its baselines on QuALITY. The share of gists is that of the
# paper's gists (100 minus the compression rate of only gists); its prompt gives no share.
PRESETS: dict[str, Preset] = {
    "QuALITY": Preset({"min_words": 280, "max_words": 600, "max_lookups": 5}),
    "QMSum": Preset({"min_words": 280, "max_words": 600, "max_lookups": 2, "previous_page": True, "gist_percent": 17}),
    "NarrativeQA books": Preset({"min_words": 500, "max_words": 3000, "max_lookups": 2, "gist_percent": 3}),
    "NarrativeQA films": Preset({"min_words": 600, "max_words": 1000, "max_lookups": 2, "gist_percent": 8}),
    "QuALITY, uniform pages": Preset({"min_words": 280, "max_words": 600, "max_lookups": 5, "pagination": "uniform"}),
    "QuALITY, BM25": Preset({"min_words": 280, "max_words": 600, "max_lookups": 4, "mode": "retrieval", "with_gists": False}),
}
