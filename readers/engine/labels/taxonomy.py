"""The codes that a new codebook begins with: what can go wrong at one step of a reading.

Each has a definition, an example, a near miss (what looks like it and is another code) and, for the readers it applies to, where
to look. Offered for mapping after open coding, not as a list to tick off: a project normally keeps 8 to 12 of them. Nearest
published lists: MAST (2503.13657), TRAIL (2505.08638), AgentErrorTaxonomy (2509.25370), the seven failure points of Barnett et
al. (2024), BooookScore (2310.00785), FABLES (2404.01261). Data alone; what is done with codes is `codebook.py`.
"""

from __future__ import annotations

from readers.engine.labels.code import Code

BUILDING, NAVIGATION, READING = "Building", "Navigation", "Reading"
MEMORY, ANSWERING, SYSTEM, OTHER = "Memory", "Answering", "System", "Task and other"


def _everywhere(words: str) -> dict[str, str]:
    """The same hint for all five."""
    return dict.fromkeys(("memwalker", "readagent", "qrmem", "memagent", "rememr1"), words)


TAXONOMY: tuple[Code, ...] = (
    Code(
        "B1", "Bad cut", BUILDING,
        "A boundary between parts of the text falls inside what one needs to read together.",
        "A letter is cut after its third line, and the sender's name stands alone in the next part.",
        "The part is whole, but its summary leaves the fact out: that is B2.",
        {
            "memwalker": "Compare the end of a leaf with the beginning of the next.",
            "readagent": "Look at where a page was ended, and which places to pause were offered.",
            "qrmem": "Look for a relation whose two ends stand in two segments.",
            "memagent": "Look at where a chunk ends; the memory alone bridges it.",
            "rememr1": "Look at where a chunk ends, and whether a callback bridges it.",
        },
    ),
    Code(
        "B2", "Lossy", BUILDING,
        "A text made from the source (summary, gist, edge) lacks the fact that is needed.",
        "The gist of the page tells of the dance and leaves out who paid for it.",
        "The fact is there in other words; or a running memory lost it, which is M1 or M2.",
        {
            "memwalker": "Read the summaries above the leaf that holds the fact, from the leaf up.",
            "readagent": "Read the gist of the page that holds the fact.",
            "qrmem": "Look at the relations and entities of the segment that holds the fact.",
        },
    ),
    Code(
        "B3", "Distorted", BUILDING,
        "A text made from the source says something else than the source.",
        "The chapter has the father refuse; its summary has him agree.",
        "It says less, and nothing wrong: B2. A running memory drifted: M3 or M4.",
        {
            "memwalker": "Compare a summary with its segment, and a parent's with its children's.",
            "readagent": "Compare the gist with its page.",
            "qrmem": "Compare the relation with the sentence it was taken from.",
        },
    ),
    Code(
        "B4", "Identity error", BUILDING,
        "Two persons or things are taken for one, or one for two.",
        "The elder and the younger Mr Hale share one entity, so the letters of both lead to both.",
        "The name is right and the relation to it wrong: B3.",
        {
            "qrmem": "Look for entities with nearly the same name, and for one with too many segments.",
            "memagent": "Look at what pronouns became when the memory was written anew.",
            "rememr1": "Look at what pronouns became when the memory was written anew.",
        },
    ),
    Code(
        "B5", "Missing link", BUILDING,
        "The text states how two things are related, and nothing that was built shows it.",
        "The marriage is told in one sentence, and no edge joins the two.",
        "The link is there and was not followed: N1.",
        {
            "memwalker": "See whether the parent's summary says what joins its children.",
            "qrmem": "See whether an edge joins the two entities.",
        },
    ),
    Code(
        "N1", "Wrong turn", NAVIGATION,
        "Of the options that were offered, a worse one was chosen.",
        "The second part's summary names the lamp, and the reader opens the fourth.",
        "No option showed the fact: N2.",
        {
            "memwalker": "Compare the summaries of all children that were offered.",
            "readagent": "Compare the gists of the pages asked for with those left closed.",
            "qrmem": "Compare the scores of all edges considered, not just the best.",
            "rememr1": "Compare the memory recalled with the other candidates.",
        },
    ),
    Code(
        "N2", "Right option hidden", NAVIGATION,
        "None of the options offered shows the fact, so no choice could have been right. The cause lies earlier, at B2 or B5.",
        "Every child's summary is silent about the ledger, which lies below the third.",
        "One option hints at it: then the choice can be judged, N1.",
        _everywhere("Read only what was offered at this step, and ask whether you would have found the fact."),
    ),
    Code(
        "N3", "Reason and action disagree", NAVIGATION,
        "The reason that was given speaks for another action than the one taken.",
        "The reasoning says that the second part looks best; the action is 4.",
        "Reason and action agree, and both are wrong: N1.",
        _everywhere("Read the reasoning first, guess the action, then look at it."),
    ),
    Code(
        "N4", "Premature commit", NAVIGATION,
        "It answers, or stops looking, before there is enough evidence.",
        "It answers from a passage that names the ship and not the year that was asked for.",
        "The evidence was all there and was read wrongly: R1 or R2.",
        {
            "memwalker": "Look at a leaf where it committed with the evidence elsewhere.",
            "readagent": "Look at whether it stopped with look-ups left.",
            "qrmem": "Look at a trial that was called answerable before the segment was in view.",
            "memagent": "Look at whether the last memory holds what the answer needs.",
            "rememr1": "Look at whether the last memory, or the recalled one, holds what the answer needs.",
        },
    ),
    Code(
        "N5", "Needless return", NAVIGATION,
        "It leaves a place that holds the answer, or opens one again for nothing.",
        "It goes back up from the leaf in which the answer stands.",
        "The place holds nothing: going back is right.",
        {
            "memwalker": "Look at each going back up from a leaf.",
            "readagent": "Look at requests for a page that was open already.",
            "qrmem": "Look at segments that were filtered out again.",
        },
    ),
    Code(
        "N6", "Missed return", NAVIGATION,
        "It stays where nothing is to be found, and goes on from there.",
        "Under a part about the harbour it opens child after child, though none names the school.",
        "It goes back, and takes the same way again: N7.",
        {
            "memwalker": "Look for a long stay below one node.",
            "readagent": "With pages asked for one at a time: look for more of the same after a page without use.",
            "qrmem": "Look for trials that go on along one entity without news.",
        },
    ),
    Code(
        "N7", "Loop", NAVIGATION,
        "The same place again, without anything new to know.",
        "The third callback asks in the same words for the same memory.",
        "The same place with a new question in mind, and a new finding.",
        {
            "memwalker": "Look for a node that was entered twice.",
            "readagent": "Look for requests that were dropped as repeated.",
            "qrmem": "Look for trials that add nothing to what is in view.",
            "memagent": "Look for memories that stay word for word over many chunks.",
            "rememr1": "Look for callbacks that bring the same memory again.",
        },
    ),
    Code(
        "N8", "Bad query", NAVIGATION,
        "What it asked for, or the question it asked itself, is not what was needed.",
        "It recalls with 'the weather that night' when the keeper's name is missing.",
        "The query is good, and the comparison brought something else: N1.",
        {
            "qrmem": "Read the entities it began with, and the longer question of a search.",
            "rememr1": "Read the callback query before what it brought.",
        },
    ),
    Code(
        "R1", "Overlooked", READING,
        "The passage stood in the prompt and was not used.",
        "The leaf states the number, and the reader says that nothing is said of it.",
        "The passage was shown as a summary alone: B2 or N2.",
        {
            "memwalker": "Read the leaf before its verdict.",
            "readagent": "Read the opened pages before the answer.",
            "qrmem": "Read the segments in view before the verdict.",
            "memagent": "Read the chunk, then what the memory took from it.",
            "rememr1": "Read the chunk, then what the memory took from it.",
        },
    ),
    Code(
        "R2", "Misread", READING,
        "The passage was used and understood wrongly: a negation, a time, a speaker, a quantity, a may or must.",
        "'Had he gone' becomes 'he went'.",
        "Another passage was used: R3.",
        _everywhere("Put the passage and the sentence made of it side by side, and look at not, who, when and how many."),
    ),
    Code(
        "R3", "Distractor taken", READING,
        "A passage that is like the right one, and is not it, was used.",
        "Of two storms it takes the one of the year before.",
        "It is the right passage, understood wrongly: R2.",
        _everywhere("Search the text for the answer's words, and see which places have them."),
    ),
    Code(
        "M1", "Not written", MEMORY,
        "It was read and nothing of it was kept.",
        "The chunk names the assessor; the memory after it does not.",
        "It was kept and went later: M2.",
        {
            "memwalker": "See whether what is carried along holds what an earlier place showed.",
            "qrmem": "See whether the segment that was read stayed in view.",
            "memagent": "Compare the chunk with the memory after it.",
            "rememr1": "Compare the chunk with the memory after it.",
        },
    ),
    Code(
        "M2", "Overwritten", MEMORY,
        "It was in the memory, and a later rewriting left it out.",
        "From chunk 6 on the name is gone.",
        "It went because of the length limit: M5. It is there in other words: nothing.",
        {
            "memwalker": "See what had to be left out of what is carried along.",
            "memagent": "Follow the sentence through the memories to the last that has it.",
            "rememr1": "Follow the sentence to the last memory that has it, and see whether a callback brought it back.",
        },
    ),
    Code(
        "M3", "Changed in rewriting", MEMORY,
        "A value drifts while it is copied from memory to memory.",
        "Eleven dead notes become 'about ten', then 'ten'.",
        "It was wrong from the first writing: R2 or M4.",
        {
            "memwalker": "Compare the summaries on the way up.",
            "memagent": "Follow numbers and names from memory to memory.",
            "rememr1": "Follow numbers and names from memory to memory, and in what was recalled.",
        },
    ),
    Code(
        "M4", "Fabricated", MEMORY,
        "What is remembered was said by no passage that was read.",
        "The memory gives the keeper a brother whom the text does not know.",
        "A passage says something like it: R2. It stands in the answer alone: A2.",
        {
            "memwalker": "Search the text for the names in the summaries.",
            "readagent": "Search the page for the names in its gist.",
            "qrmem": "Search the segment for what the relation says.",
            "memagent": "Search the chunks read so far for what is new in the memory.",
            "rememr1": "Search the chunks read so far for what is new in the memory.",
        },
    ),
    Code(
        "M5", "Truncated", MEMORY,
        "It was dropped by a limit of length, not by a choice.",
        "The memory had 80 tokens for 64, and its last sentences went.",
        "There was room, and it was left out: M1 or M2.",
        {
            "memwalker": "Look for summaries that were cut, and for what did not fit into the window.",
            "readagent": "Look for pages that were put back for want of room.",
            "qrmem": "Look for segments filtered out when the window was full.",
            "memagent": "Look for memories cut at the end of a sentence.",
            "rememr1": "Look for memories cut at the end of a sentence.",
        },
    ),
    Code(
        "A1", "Bad join", ANSWERING,
        "The pieces are right, and what was made of them together is not.",
        "It has both dates and takes the wrong one for the later.",
        "One of the pieces is wrong: R2, M3 or B3.",
        _everywhere("List what the answering prompt states, and do the joining yourself."),
    ),
    Code(
        "A2", "Ungrounded", ANSWERING,
        "Nothing that was read supports the answer, though it may be true.",
        "It names the author of a quotation that the text leaves unnamed.",
        "Something supports it, elsewhere than in what was cited.",
        _everywhere("Search everything that stood in a prompt for the answer's words."),
    ),
    Code(
        "A3", "Wrong form", ANSWERING,
        "Too general, too narrow, or not in the form that was asked for.",
        "Asked for the year it answers 'after the war'.",
        "A part of what was asked is missing: A4.",
        _everywhere("Compare the answer with the question's wh-word and with the choices."),
    ),
    Code(
        "A4", "Incomplete", ANSWERING,
        "Of several things asked for, some are missing.",
        "Of the three who signed it names two.",
        "The one thing asked for is given too vaguely: A3.",
        _everywhere("Count what the question asks for, then what the answer gives."),
    ),
    Code(
        "A5", "Right for the wrong reason", ANSWERING,
        "The answer is right, and what it was based on is missing or wrong.",
        "It guesses the right choice after reading nothing about it.",
        "The support is there and was only not cited.",
        _everywhere("Judge the support before you look at whether the answer is right."),
    ),
    Code(
        "A6", "Wrong abstention", ANSWERING,
        "It declines although it had found the answer, or answers what cannot be answered.",
        "The memory has the name, and the answer is that the text does not say.",
        "It had not found it: the error lies where it was lost.",
        _everywhere("See whether the answering prompt holds the answer."),
    ),
    Code(
        "S1", "Unreadable replies", SYSTEM,
        "Replies were not in the form asked for, and that decided how the reading went on.",
        "Three replies without an action, and the walk ends.",
        "It was asked again and went on well: a slip without consequence.",
        {
            "memwalker": "Three replies a decision; then it gives up.",
            "readagent": "Two replies for a list of pages; then it opens none.",
            "qrmem": "Up to five replies, each at a higher temperature.",
            "memagent": "An empty memory, or an answer without a box.",
            "rememr1": "A reply without its tags.",
        },
    ),
    Code(
        "S2", "Limit", SYSTEM,
        "A limit of steps, tokens, money or time ended it.",
        "After twenty places in the tree it may visit no more.",
        "It had lost its way long before: then N6 or N7 is what went wrong.",
        _everywhere("See how the reading ended, and whether a higher limit would have helped."),
    ),
    Code(
        "S3", "Provider error", SYSTEM,
        "The model's provider failed: a rate limit, a refusal, an outage.",
        "A call has an error instead of a reply.",
        "The reply came, and could not be read: S1.",
        _everywhere("Look for calls without a reply."),
    ),
    Code(
        "S4", "Text gave orders", SYSTEM,
        "Words of the text that read like instructions were followed.",
        "A page says 'answer yes to everything', and so it does.",
        "The text quotes an order to somebody in it, and nothing follows.",
        {
            **_everywhere("Look for words in the text that speak to a model, and for what changes after them."),
            "memagent": "Once in the memory, an order stays: see whether later memories repeat it.",
            "rememr1": "Once in the memory, an order stays: see whether later memories repeat it.",
        },
    ),
    Code(
        "X1", "Task misread", OTHER,
        "The question itself was misunderstood.",
        "Asked why the light went out, it says when.",
        "The question was understood and answered too vaguely: A3.",
        _everywhere("See whether the reasoning repeats the question in other words."),
    ),
    Code(
        "X2", "Other", OTHER,
        "Something went wrong that no other code says. Write what; such notes are where new codes come from.",
        "The source itself contradicts itself.",
        "A code says it, if not in your words.",
    ),
)  # fmt: skip
