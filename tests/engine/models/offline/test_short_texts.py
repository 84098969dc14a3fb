"""Texts of two sentences, as a newcomer writes them: what a sentence says in the question's words is answered."""

from __future__ import annotations

import pytest

from readers.baselines import Whole
from readers.engine.models.offline import Offline
from readers.engine.record.events import Answered
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document
from readers.memwalker import MemWalker

DECLINED = ""

SAID = {
    "Doris kept the lamp. It cost 98 pounds.": {
        "Who kept the lamp?": "Doris",
        "What did Doris keep?": "the lamp",
        "How much did the lamp cost?": "98 pounds",
        "When was the lamp lit?": DECLINED,
        "Where did Doris buy the lamp?": DECLINED,
        "Who stole the ship?": DECLINED,
    },
    "Tom bought a red bicycle. Anna painted it green.": {
        "Who bought a bicycle?": "Tom",
        "Who painted the bicycle?": "Anna",
        "How much did the bicycle cost?": DECLINED,
        "How many bicycles did Anna sell?": DECLINED,
    },
    "Rose baked the bread. The bread was eaten by noon.": {"Who baked the bread?": "Rose", "Who ate the butter?": DECLINED},
    "The old miller owned two horses. His name was Samuel.": {
        "Who owned two horses?": "miller",
        "How many horses did the miller own?": "two",
    },
    "Marta lives in Lisbon. Her brother lives in Oslo.": {
        "Who lives in Lisbon?": "Marta",
        "Where does Marta live?": "Lisbon",
        "How many children does Marta have?": DECLINED,
    },
    "The train left at nine. Nobody was on it.": {"When did the train leave?": "nine", "Who drove the train?": DECLINED},
    "Peter broke the window on Tuesday. He paid for it in May.": {
        "Who broke the window?": "Peter",
        "When did Peter break the window?": "Tuesday",
        "How much did the window cost?": DECLINED,
    },
    "Bill wrote a letter to Susan. She never answered.": {
        "Who wrote to Susan?": "Bill",
        "To whom did Bill write a letter?": "Susan",
        "In which year did Bill write to Susan?": DECLINED,
    },
    "My grandmother was born in 1921. She died in 1999.": {"When was my grandmother born?": "1921"},
    "The bridge is 300 metres long. It was built by Ines Carvalho.": {
        "Who built the bridge?": "Ines Carvalho",
        "How long is the bridge?": "300 metres",
        "When was the bridge opened?": DECLINED,
    },
    "The cat is called Milo. It sleeps on the piano.": {"What is the cat called?": "Milo", "Where does the cat sleep?": "piano"},
    "Mr Lee sold 40 apples. Each apple cost 50 cents.": {
        "Who sold 40 apples?": "Mr Lee",
        "How many apples did Mr Lee sell?": "40",
        "How much did each apple cost?": "50 cents",
    },
    "London has nine million people. Paris has two million.": {"How many people live in Paris?": "two million"},
    "A tall woman opened the gate. The dog ran out.": {
        "Who opened the gate?": "A tall woman",
        "When did the dog run out?": DECLINED,
    },
    "Grace found a purse under the bridge. There were 12 coins in it.": {
        "Who found the purse?": "Grace",
        "Where did Grace find the purse?": "under the bridge",
        "How many coins were in the purse?": "12",
    },
    "Captain Ruiz sank the ship. The crew swam ashore.": {"Who sank the ship?": "Ruiz", "Who swam ashore?": "The crew"},
    "Ahmed and Li won the race. The prize was a gold watch.": {
        "Who won the race?": "Ahmed and Li",
        "What was the prize?": "gold watch",
        "Where was the race held?": DECLINED,
    },
    "Snow fell in Norway. The schools were closed.": {
        "What fell in Norway?": "Snow",
        "Where did snow fall?": "Norway",
        "Who closed the schools?": DECLINED,
    },
    "In 1987, Oliver opened a bakery in York. It closed after six years.": {
        "Who opened a bakery in York?": "Oliver",
        "When did Oliver open a bakery?": "1987",
        "How many bakers worked there?": DECLINED,
    },
    "Nobody knows who moved the stone. Farmers sold the land.": {
        "Who moved the stone?": DECLINED,
        "Who sold the land?": "Farmers",
    },
    "Emma teaches music at the school. Lucas plays the drums.": {"Who teaches music?": "Emma", "Who plays the drums?": "Lucas"},
    "Tom plays the piano. He is good at it.": {"Who plays the piano?": "Tom", "Who plays the trumpet?": DECLINED},
    "Ivan carried the trunk upstairs. It weighed forty kilos.": {
        "Who carried the trunk?": "Ivan",
        "Where did Ivan carry the trunk?": "upstairs",
        "Who stole the trunk?": DECLINED,
    },
    "Our teacher lost her keys. Ben found them under the desk.": {
        "Who lost her keys?": "teacher",
        "Who found the keys?": "Ben",
    },
    "Ben sold it to a bank. The money was gone by May.": {"Who sold the car?": "Ben"},
    "Jack drank the milk. Jill ate the cake.": {"What did Jill eat?": "the cake", "Who drank the wine?": DECLINED},
    "The ship sank near Malta. Three sailors survived.": {
        "How many sailors survived?": "Three",
        "Who owned the ship?": DECLINED,
    },
    "Two thieves entered the museum. They took a golden mask.": {
        "Who entered the museum?": "Two thieves",
        "What did they take?": "golden mask",
    },
    "Mozart was born in Salzburg. He died in Vienna.": {"Where was Mozart born?": "Salzburg", "Where did he die?": "Vienna"},
    "Eleanor inherited the farm from her uncle. She sold it to a bank.": {
        "From whom did Eleanor inherit the farm?": "her uncle",
        "To whom did she sell it?": "a bank",
        "From whom did Eleanor buy the mill?": DECLINED,
    },
    "Maud waved to her uncle. Everybody left the theatre.": {
        "Who left the theatre?": "Everybody",
        "Who built the theatre?": DECLINED,
    },
    "Anna plays the violin. Her brother listens.": {"Who plays the trumpet?": DECLINED, "What does Anna play?": "violin"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "question", "expected"), [(text, *row) for text, asked in SAID.items() for row in asked.items()]
)
@pytest.mark.parametrize("reader", [MemWalker(), Whole()], ids=lambda reader: reader.id)
def test_what_a_sentence_says_in_the_question_s_words_is_answered(
    reader: Reader, text: str, question: str, expected: str
) -> None:
    end = rehearse(Document.of(text), reader, RunSpec(reader.id, reader.version, question), Offline()).end
    answer = end.text if isinstance(end, Answered) else ""
    if expected:
        assert expected in answer
    else:
        assert answer in ("", "The text does not say.")
