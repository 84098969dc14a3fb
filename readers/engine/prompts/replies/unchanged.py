"""Whether a reply says that the memory stays as it is, instead of giving one: "The memory remains unchanged."

Every sentence must say so; a text that goes on to tell something is a memory. Not here: what a reader does then.
"""

from __future__ import annotations

import re

from readers.engine.on_first_use import pattern
from readers.engine.prompts.replies.phrases import LONGEST_PHRASE, is_nothing

_MEMORY = r"(?:(?:the|my|our|this|your) )?(?:\w+ ){0,2}(?:memory|memories|notes?|summary|message)"
_SECTION = r"(?:this|the|that)(?: \w+){0,2} (?:section|part|chunk|passage|text|excerpt|segment|paragraph)s?"
_NEWS = (
    r"(?:changes?|updates?|additions?|information|info|memor(?:y|ies)|details?|facts?|content|data|evidence|clues?"
    r"|insights?|modifications?|entries|material|notes?)"
)

# The memory is the subject, and stays as it was; anything may follow as a reason.
_STAYS = pattern(
    rf"(?:{_MEMORY} (?:(?:(?:has|have|is|was|does|did|will|should|can|need)(?: \w+)? )?(?:not|n't)\b|(?:remain"
    rf"|stay|continue)s?\b|"
    r"(?:is|was|has been|will (?:remain|stay|be)|should (?:remain|stay|be)|can (?:remain|stay)|must (?:remain"
    r"|stay)|is (?:to be )?(?:kept|left))\b).{0,60}"
    r"\b(?:unchanged|the same|as (?:it (?:was|is)|is|before)|unaltered|unmodified|intact|changed?|updated?"
    r"|modif\w+|need\w*|identical|kept|left|same)\b"
    rf"|(?:keep|keeping|leave|leaving|retain|retaining) {_MEMORY} .{{0,30}}(?:as (?:it )?(?:is|was)|unchanged"
    rf"|the same|as before)"
    rf"|(?:there (?:is|are|was|were) )?no (?:\w+ ){{0,2}}(?:changes?|updates?|additions?"
    rf"|modifications?)\b.{{0,40}}(?:to|in|of|for) {_MEMORY}"
    r"|(?:das |die |mein )?(?:\w+ )?(?:gedächtnis|erinnerung|speicher|notizen)(?:inhalt)? (?:bleib\w+|ist|wird"
    r"|wurde|hat).{0,40}(?:unverändert|gleich|dasselbe|nicht|wie)"
    r"|(?:la |ma )?mémoire (?:\w+ )?(?:reste|est|demeure|n'a pas|ne change).{0,40}|(?:la "
    r"|mi )?memoria (?:\w+ )?(?:permanece|sigue|se mantiene|queda|no |rimane|resta|è |continua|fica|non ).{0,60}"
    r"|a memória (?:permanece|continua|fica|não|segue).{0,40}"
    r"|память (?:\w+ )?(?:остаётся|остается|не (?:изменилась|меняется|изменена)|без изменений|осталась|прежняя).{0,40}"
    r"|(?:这段|目前的|当前|原有|之前的)?(?:记忆|記憶)(?:内容)?(?:保持|维持|維持|仍然|没有|沒有|无|無|不|未).{0,12}|記憶(?:は|に).{0,8}(?:変わ|そのまま"
    r"|変更).{0,12}|기억(?:은|에는|이)?.{0,6}(?:변|그대로|동일).{0,12}"
    r"|(?:ال)?ذاكرة (?:لم|كما|دون|بدون|تبقى|بقيت|ظلت|لا).{0,40})",
    re.IGNORECASE,
)

# There is nothing to add; each of these must be a sentence alone.
_NOTHING_NEW = pattern(
    rf"(?:(?:there (?:is|are|was|were) |i (?:found|find|see|saw) |{_SECTION} (?:has|have|had|contains?|contained"
    rf"|provides?|provided|adds?|added|offers?|gives?|brings?|yields?|includes?|introduces?|mentions?|holds?) )?"
    rf"(?:no|not any|nothing|none|zero)\b(?: \w+){{0,4}}? ?(?:{_NEWS}|new|relevant|added?|changed?|changes|useful"
    rf"|helpful|update|keep|remember|of (?:relevance|note|use|importance))\b"
    r"(?:(?: (?:was|were|is|are|has been|have been|to|in|from|of|for|that|which|about|related|relevant"
    r"|pertaining|regarding|on|found|added|needed|required|necessary|with|here|at|by|could|can)\b).{0,140})?"
    rf"|(?:nothing|none)(?: .{{0,80}})? (?:{_SECTION}|section)"
    rf"|{_SECTION} (?:does not|doesn't|did not|didn't|do not|is not|isn't|was not|has not|lacks|is irrelevant"
    rf"|is unrelated|is not relevant)\b.{{0,160}}"
    r"|(?:the )?(?:same|identical)(?: memory)? (?:as|to|with) (?:the |my )?(?:before|previous|old|last|above"
    r"|earlier|existing|current|prior)\b.{0,40}|same|unchanged|(?:it|memory|everything) (?:(?:remains|stays"
    r"|is) )?(?:unchanged|the same|as before)|as before|no change|not changed|not updated"
    r"|stays? the same|remains? (?:unchanged|the same)"
    r"|(?:keep|see|use|refer to|retain) (?:the )?(?:previous|old|existing|current|same|prior|earlier"
    r"|as is)\b.{0,30}|no previous memory|no (?:memory|update)(?: yet)?"
    r"|nichts neues?.{0,40}|keine? (?:neuen?|weiteren?|relevanten?|wesentlichen?)? ?(?:\w+ )?(?:änderung"
    r"|information|angabe|erkenntnis|hinweis|aktualisierung|ergänzung|fakten|inhalt)\w*.{0,80}|unverändert"
    r"|(?:wie|siehe) (?:zuvor|vorher|oben|bisher)|(?:es gibt|dieser abschnitt enthält) (?:nichts|keine).{0,80}"
    r"|(?:il n'y a )?(?:aucune?|pas de|pas d'|rien)\b ?(?:\w+ )?(?:information|modification|changement"
    r"|mise à jour|élément|nouveau|nouvelle|nouveauté|à ajouter|ajout|donnée|de nouveau)\w*.{0,80}|inchangée?"
    r"|comme avant|idem"
    r"|(?:no hay|no se|ningun[ao]?|sin|não há|nenhuma?|sem|nessun[ao]?|non ci sono"
    r"|senza)\b ?(?:\w+ ){0,2}(?:información|informaciones|cambios?|novedad\w*|nuev\w+|actualizaci\w+"
    r"|informaç\w+|mudanças?|alteraç\w+|novidades?|informazion\w+|modific\w+|cambiament\w+|novità"
    r"|aggiornament\w+).{0,80}|(?:nada|niente|nulla) (?:nuevo|de nuevo|que (?:añadir|agregar)|novo|de novo"
    r"|di nuovo|da aggiungere).{0,40}|igual que antes|invariata|inalterada|sin cambios"
    r"|нет (?:новой|новых|изменений|никаких|дополнительн\w+|релевантн\w+)?.{0,60}(?:информаци|сведени|изменени"
    r"|данны|нового)\w*.{0,40}|без изменений|ничего нового.{0,40}|изменений нет|нов\w+ (?:информации|сведений"
    r"|данных) нет|как (?:раньше|прежде)|не изменилась"
    r"|(?:本段|这一段|这部分|该段|本节|此段|文中|这里)?(?:中)?(?:没有|沒有|无|無|未|暂无|不)(?:包含|提供|提到|发现|出现|有|任何|新增?|需要|相关|變化|变化|更新|增加|添加"
    r"|改变|变更|变){1,4}(?:的)?(?:新|相关|有用)?(?:的)?(?:信息|內容|内容|变化|更新|记忆|資訊|线索|变更|事实)?.{0,14}|保持不变|保持不變|不变|不變|同上|与之前相同"
    r"|和之前一样|无需更新"
    r"|変更(?:は)?(?:なし|ありません|ない)|新しい情報は(?:ありません|ない|なし)|変わりません|特に(?:なし|ありません)"
    r"|変化なし|변경 ?(?:사항)? ?없음|변화 ?없음"
    r"|새로운 정보(?:는|가)? ?없.{0,6}|동일|그대로"
    r"|(?:لا|لم) (?:توجد|يوجد|تتغير|ترد|يرد)? ?.{0,12}(?:معلومات|تغيير|جديد|تحديث).{0,40}|لا جديد|(?:بدون|دون"
    r"|بلا) تغيير|كما هي|كما كانت)\Z",
    re.IGNORECASE,
)
_ABOUT = pattern(
    rf"(?:{_SECTION}|it|as|because|since|hence|therefore|so|thus|i|we|der abschnitt|dieser abschnitt"
    rf"|cette section|ce passage|esta sección|本段|这一段)\b.{{0,200}}\Z",
    re.IGNORECASE,
)
_SENTENCE = pattern(r"(?<=[.!?。！？])[\s)\]\"”]*|[\n;；]+|,\s*(?:and |so |thus |hence |therefore,? ){1,2}", re.IGNORECASE)
_EDGES = " \t\r\n.!。！?？()（）[]【】{}<>*_`\"'“”‘’:：,，;-–—"


def says_unchanged(text: str) -> bool:
    """Whether a text says that nothing changes in the memory, and nothing else."""
    if len(text) > LONGEST_PHRASE:
        return False
    if is_nothing(text):
        return True
    sentences = [sentence for part in _SENTENCE.split(text) if (sentence := part.strip(_EDGES))]
    stays = [bool(_STAYS.match(sentence)) for sentence in sentences]
    quiet = [stay or bool(_NOTHING_NEW.match(sentence)) for stay, sentence in zip(stays, sentences, strict=True)]
    if any(stays):
        quiet = [known or bool(_ABOUT.match(sentence)) for known, sentence in zip(quiet, sentences, strict=True)]
    return bool(sentences) and all(quiet)
