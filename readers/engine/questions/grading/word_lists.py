"""The words that the rules of grading know, by what they are for: all lists in one place. English.

Words are as `case.folded_word` leaves them: without capitals, apostrophes and the "s" at the end of a longer word.
"""

from __future__ import annotations

from readers.engine.text.words import term


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = word_set("a an the")
AUXILIARY = word_set("is was are were did does do has had have could can would will")
DENYING = word_set("not cannot never nor neither than instead without unlike no") | {
    f"{word}nt" for word in AUXILIARY | {"ca", "wo"} if word != "can"
}
TITLES = word_set(
    "mr mrs ms miss dr prof rev gen col capt lt hon sir lord lady king queen prince princess duke duches duchess baron baroness"
    " count countess councillor nurse judge inspector colonel general"
    " captain major lieutenant sergeant admiral president chancellor minister professor reverend father mother saint st pope"
    " bishop emperor empress chief director actor actress composer engineer author writer singer"
)
# What kind of place, body or work a name belongs to: with or without these words, it is the same.
GENERIC = word_set(
    "river lake mount mountain city town village county island isle street state province district region country sea bay of"
    " film movie novel book album song band group company corporation inc ltd co magazine newspaper club team opera"
)
# Words that may open a sentence with a capital letter, but are not part of a following name.
OPENERS = word_set(
    "in at on from to by of for with and or but when while because since it he she they his her its their this that these those"
    " is was are were as so thus therefore hence both only after before during under near around about between yes no born died"
    " located according answer if then also although however we i there here who which what where not"
)
MONTHS = word_set("january february march april may june july august september october november december")
# Capital words that are not names of persons, places or works.
NOT_NAMES = MONTHS | word_set("monday tuesday wednesday thursday friday saturday sunday i text answer document yes no")
# Words that names of places and papers begin with or have in them, and names of people seldom.
OF_PLACES = word_set("new old upper lower north south east west great little port fort san los las el time post new daily weekly")
SMALL_IN_NAMES = word_set("and in for de la von van to at on")
# Words that a sentence is not about.
FUNCTION = word_set(
    "a an the is are was were be been being do did does has have had in on at of to by for from with and or as it its he his she"
    " her they their that this there because so when while where which who whom what into out up both one"
)
# Different names of the same country or city.
SAME_NAMES = (
    ("us", "usa", "united states", "united states of america", "america", "american"),
    ("uk", "united kingdom", "great britain", "britain", "british"),
    ("ussr", "soviet union", "soviet"),
    ("nyc", "new york city", "new york"),
)
# Words of one kind: another one of the kind is another answer.
KINDS = tuple(
    {term(word): word for word in line.split()}
    for line in (
        "mother father son daughter brother sister uncle aunt nephew niece cousin grandfather grandmother grandson granddaughter"
        " husband wife",
        "red blue green yellow black white brown grey purple orange pink",
        "north south east west",
        "bass baritone tenor alto soprano",
        "spring summer autumn winter",
        "head hand arm leg foot knee wrist ankle shoulder neck nose eye ear",
    )
)
# Words of comparisons that go one way, and those that go the other.
POLES = tuple(
    (word_set(one), word_set(other))
    for one, other in (
        (
            "first earlier earliest before older oldest precede preceded prior sooner predate predated",
            "last later latest after younger youngest newer newest recent recently",
        ),
        ("longer longest long", "shorter shortest short"),
        ("larger largest bigger biggest more most greater greatest", "smaller smallest less least fewer fewest"),
        ("higher highest taller tallest", "lower lowest smaller"),
        ("farther further", "closer nearer"),
        ("better best", "worse worst"),
    )
)
# Two such words, one in the question and the other in the answer, contradict each other.
CONTRARIES = tuple(
    (term(one), term(other))
    for one, other in (
        ("older", "younger"), ("longer", "shorter"), ("larger", "smaller"), ("bigger", "smaller"), ("higher", "lower"),
        ("taller", "shorter"), ("earlier", "later"), ("before", "after"), ("more", "fewer"), ("more", "less"), ("win", "lose"),
        ("win", "lost"), ("won", "lost"), ("same", "different"), ("alive", "dead"), ("open", "closed"), ("first", "last"),
    )
)  # fmt: skip
# Words that express a time without a date.
OF_TIME = word_set(
    "winter spring summer autumn year month week day century decade after before during when later earlier ago same time since"
    " until today yesterday morning night evening"
)
# Words that make a number another one than its figures.
FRACTIONS = word_set("half quarter third dozen score")
# Words that express a number without figures.
VAGUE = FRACTIONS | word_set("double twice couple several few many pair single once none both hundreds thousands millions")
# Words after a number that are not its unit.
AFTER_NUMBERS = word_set("and of to in or from than at on by for with the a until is was")
ORDINALS = word_set("st nd rd th")
# Units by kind: how many of the smallest of its kind each is.
_UNITS: dict[str, dict[str, str]] = {
    "length": {"mm millimetre millimeter": "1", "cm centimetre centimeter": "10", "m metre meter": "1000",
               "km kilometre kilometer": "1000000"},
    "miles": {"mile mi": "1"},
    "feet": {"inch in": "1", "foot feet ft": "12", "yard yd": "36"},
    "time": {"s sec second": "1", "min minute": "60", "h hr hour": "3600", "day": "86400", "week": "604800"},
    "years": {"month": "1", "year yr": "12", "decade": "120", "century": "1200"},
    "mass": {"mg milligram": "1", "g gram": "1000", "kg kilogram kilo": "1000000", "tonne": "1000000000"},
    "pounds": {"ounce oz": "1", "pound lb": "16", "stone st": "224"},
    "tons": {"ton": "1"},
    "share": {"percent pct": "1"},
    "pence": {"penny pence d p": "1", "shilling": "12"},
}  # fmt: skip
# Kinds of units of one dimension, between which the rules do not convert.
DIMENSIONS = (word_set("length miles feet"), word_set("mass pounds tons"), word_set("time years"))
UNITS = {
    term(name): (kind, int(size)) for kind, units in _UNITS.items() for names, size in units.items() for name in names.split()
}
# Words with which an answer affirms, denies or refers to itself, as stems: they do not show where it comes from.
OF_ANSWERS = frozenset(
    map(
        term,
        word_set(
            "yes no true false based information provided given listed list question answer text story passage document context"
            " summary summaries page memory mention mentioned film movie"
        ),
    )
)
