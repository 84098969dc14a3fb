// Where words and phrases stand in a list of texts that follow each other on a page. Pure: no page.

// Each place as [[text, offset], [text, offset]], in order; a phrase may run over several texts. Case and white space do not matter.
export function wordsWithin(texts, phrases) {
  if (!phrases.length) return [];
  const starts = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length;
  }
  const sought = phrases.toSorted((a, b) => b.length - a.length).map((phrase) => phrase.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"));
  let number = 0;
  const placed = (offset, ends) => {
    while (number + 1 < starts.length && (ends ? starts[number + 1] < offset : starts[number + 1] <= offset)) number += 1;
    return [number, offset - starts[number]];
  };
  return [...texts.join("").matchAll(new RegExp(sought.join("|"), "giu"))].map(({ 0: words, index }) => [placed(index, false), placed(index + words.length, true)]);
}
