// Words of a text, marked: which of them are in a list of words, and of which kind. Pure: no page.

const A_WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu;

// The text in runs { text, kind }, in order; `kinds` are lists of words in lower case, by name. A word of several kinds has the first;
// words of one kind with only blanks between them share a run; what is in no list has the kind "".
export function wordRuns(text, kinds) {
  const kindOf = new Map(Object.entries(kinds).toReversed().flatMap(([kind, words]) => words.map((word) => [word, kind])));
  const runs = [];
  let at = 0;
  const add = (words, kind) => {
    if (!words) return;
    const [between, before] = [runs.at(-1), runs.at(-2)];
    if (kind && before?.kind === kind && between.kind === "" && !between.text.trim()) {
      runs.pop();
      before.text += between.text + words;
    } else if (between?.kind === kind) between.text += words;
    else runs.push({ text: words, kind });
  };
  for (const match of text.matchAll(A_WORD)) {
    const kind = kindOf.get(match[0].toLowerCase());
    if (!kind) continue;
    add(text.slice(at, match.index), "");
    add(match[0], kind);
    at = match.index + match[0].length;
  }
  add(text.slice(at), "");
  return runs;
}
