// How far a learner is in a lesson of a published site, as the address keeps it: the same form as on the page Learn. Pure: no page.
// `shape` is what a lesson has, by section: { parts: [{ predicts, writes }], checks }, with the number of choices of each prediction
// (0: none) and of each question.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const NOT_CHOSEN = "-";

const places = (shape) => ({
  predicted: shape.flatMap(({ parts }, s) => parts.flatMap(({ predicts }, n) => (predicts ? [[`${s}.${n}`, predicts]] : []))),
  answered: shape.flatMap(({ checks }, s) => checks.map((choices, n) => [`${s}.${n}`, choices])),
});

// Where an address puts a learner: `part` is "2.3", the third part of the second section; `chosen` has a sign for each prediction, a dot,
// and one for each question. What it cannot say, such as a part that is not there, it does not say.
export function progressIn({ part, chosen }, shape) {
  const [, section, at] = /^([1-9]\d?)(?:\.([1-9]\d?))?$/.exec(part ?? "") ?? [];
  const there = Number(section ?? 1) - 1;
  const progress = { section: there < shape.length ? there : 0, at: new Map(), predicted: new Map(), answered: new Map(), written: new Map(), tried: new Map() };
  if (there < shape.length && at && Number(at) <= shape[there].parts.length) progress.at.set(there, Number(at) - 1);
  const [predicted = "", answered = ""] = (chosen ?? "").split(".");
  const { predicted: asked, answered: checks } = places(shape);
  for (const [signs, of, into] of [[predicted, asked, progress.predicted], [answered, checks, progress.answered]]) {
    of.forEach(([place, choices], n) => {
      const choice = DIGITS.indexOf(signs[n] ?? NOT_CHOSEN);
      if (choice >= 0 && choice < choices) into.set(place, choice);
    });
  }
  for (const [place, choice] of progress.predicted) progress.tried.set(place, [choice]); // of repairs, the first that was tried
  return progress;
}

// What the address says of a learner's progress; empty words where there is nothing to say.
export function inAddressOf({ section, at, predicted, answered }, shape) {
  const part = at.get(section) ?? 0;
  const signs = (of, chosen) => of.map(([place]) => (chosen.has(place) ? DIGITS[chosen.get(place)] : NOT_CHOSEN)).join("");
  const found = places(shape);
  const chosen = `${signs(found.predicted, predicted)}.${signs(found.answered, answered)}`;
  return { part: part ? `${section + 1}.${part + 1}` : section ? String(section + 1) : "", chosen: /[^-.]/.test(chosen) ? chosen : "" };
}

// Whether a part is still to be predicted or written, or not all of its repairs were tried.
export function waitsAt({ predicted, written, tried }, shape, section, part) {
  const { predicts, writes, repairs } = shape[section].parts[part];
  if (repairs && new Set(tried.get(`${section}.${part}`)).size < repairs) return true;
  return Boolean((predicts && !predicted.has(`${section}.${part}`)) || (writes && !written.has(`${section}.${part}`)));
}

// How it went, in two sentences. `right(kind, place, choice)`: whether a choice was right.
export function resultInWords({ predicted, answered }, shape, right) {
  const found = places(shape);
  const rightly = (kind, chosen) => [...chosen].filter(([place, choice]) => right(kind, place, choice)).length;
  const of = found.predicted.length;
  const made = predicted.size;
  const missing = made === of ? "" : `; ${of - made} not made`;
  return [
    made ? `You predicted ${rightly("predicted", predicted)} of ${made} as it happened${missing}.` : `You made none of the ${of} predictions.`,
    answered.size === found.answered.length ? `You answered ${rightly("answered", answered)} of ${answered.size} questions rightly.` : `You answered ${answered.size} of ${found.answered.length} questions.`,
  ];
}

// Whether a text that a learner wrote keeps a fact, as far as a page can tell: its words stand there, or they do not.
export function keptInWords(words, fact) {
  const plain = (text) => text.toLowerCase().split(/\s+/).join(" ");
  return plain(words).includes(plain(fact)) ? `It has “${fact}”.` : `It does not have “${fact}” in these words.`;
}
