"""Short texts in scripts that are read from the right, or written without spaces, and a question that each answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from readers.engine.text.document import Document


class Script(NamedTuple):
    """The sentence that answers a question, the words in it that say where, and lines around it."""

    question: str
    answer: str
    where: str
    lines: tuple[str, ...]

    def document(self, paragraphs: int = 8) -> Document:
        """The lines over and over, with the answer in the middle paragraph alone."""
        made = [" ".join(line.format(n=n) for line in self.lines) for n in range(paragraphs)]
        made[paragraphs // 2] += f" {self.answer}"
        return Document.of("\n\n".join(made))


SCRIPTS: Mapping[str, Script] = {
    "Arabic": Script(
        "أين أخفى الحارس دفتر الميناء؟", "أخفى الحارس دفتر الميناء في البرج الشمالي.", "البرج الشمالي",
        ("في اليوم {n} عاد القارب بسلال من السمك.", "هبّت الرّيح من الغرب وكانت الأمواج عالية.", "كتبت ليلى الساعة كل مساء."),
    ),
    "Hebrew": Script(
        "איפה הסתיר השומר את יומן הנמל?", "השומר הסתיר את יומן הנמל במגדל הצפוני.", "במגדל הצפוני",
        ("ביום {n} חזרה הסירה עם סלים של דגים.", "הרוח נשבה ממערב, והגלים היו גבוהים מאוד.", "שָׁלוֹם, אמרה אידה בכל ערב."),
    ),
    "Japanese": Script(
        "灯台守は港の帳簿をどこに隠したか。", "灯台守は港の帳簿を北の塔に隠した。", "北の塔",
        ("{n}日目に船は籠の魚を積んで戻った。", "風は西から吹き、波は高かった。", "花子は毎晩、時刻を書いた。「はい」とか\u3099"),
    ),
    "Thai": Script(
        "ผู้ดูแลซ่อนสมุดบัญชีท่าเรือไว้ที่ไหน", "ผู้ดูแลซ่อนสมุดบัญชีท่าเรือไว้ในหอคอยทางเหนือ", "หอคอยทางเหนือ",
        ("วันที่ {n} เรือกลับมาพร้อมปลาหลายตะกร้า", "ลมพัดมาจากทิศตะวันตกและคลื่นสูงมาก", "มะลิเขียนเวลาลงในสมุดบันทึกทุกเย็น"),
    ),
    "mixed": Script(
        "Where did the keeper hide the ledger?",
        "The keeper hid the ledger (היומן, 帳簿) in the north tower 👩‍👩‍👧‍👦.", "north tower",
        ("On day {n} אידה wrote: “الريح من الغرب”.", "波は高かった 🇯🇵🇮🇱 and the boat came home.",
         "มะลิ trimmed the lamp e\u0301 very late 👩🏽‍🚒."),
    ),
}  # fmt: skip
