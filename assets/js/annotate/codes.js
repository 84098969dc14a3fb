// Choosing a code, and for the highlighted code its meaning, an example, a near miss and a hint on where to look in this reader. All of it
// comes from a codebook written by people, and is put on the page as text.
import { html } from "../../vendor/preact.js";
import { createPicker } from "./picker.js";

const BARE = { id: "", name: "mark without a code", group: "", bare: true };

// `chosen(code)` is called with a code, or with null for a mark without a code; `closed()` if nothing was chosen.
export function createCodes({ chosen, closed }) {
  const picker = createPicker({
    kind: "codes-open", part: "code", list: "Codes", field: { "aria-label": "Find a code", placeholder: "type a letter or a word", spellcheck: false },
    rowsOf: ({ codes, typed, without }) => [...matching(codes, typed), ...(without && !typed ? [BARE] : [])],
    none: ({ codes }) => (codes.length ? "No code matches." : "The codebook has no codes yet."),
    Row: ({ row, before }) => html`<b>${row.id}</b><span>${row.name}</span>${before?.group !== row.group && html`<small>${row.group}</small>`}`,
    Below: ({ row }) => html`<div class="code-about" aria-live="polite"><${Meaning} code=${row} /></div>`,
    chosen: (code) => chosen(code.bare ? null : code), closed,
  });
  // `first` is the id of the code to highlight; `without` offers a mark without a code.
  const open = (codes, { first = "", ...about }) => picker.open({ codes, isFirst: ({ id }) => id && id === first, ...about });
  return { ...picker, open };
}

const LETTERS = 3; // a word this long is also looked for in what codes mean; a shorter one is in nearly all of it

// The codes in use that contain every word typed: first those with an id or name that starts with the first word, then the others that
// have them in their own name or group or in the name of the code they stand under, last those that have them in their meaning.
export function matching(codes, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = codes.filter((code) => !code.retired);
  if (!words.length) return offered;
  const has = (texts) => (word) => texts.some((text) => text?.toLowerCase().includes(word));
  const inMeaning = ({ definition, example, near }) => (word) => word.length >= LETTERS && has([definition, example, near])(word);
  const rank = (code) => {
    const { id, name, group, under } = code;
    const named = has([id, name, group, under]);
    if (words.every(named)) return [id, name].some((text) => text.toLowerCase().startsWith(words[0])) ? 0 : 1;
    return words.every((word) => named(word) || inMeaning(code)(word)) ? 2 : 3;
  };
  const ranks = offered.map(rank);
  return [0, 1, 2].flatMap((wanted) => offered.filter((_, n) => ranks[n] === wanted));
}

// What a code means, as far as the codebook says.
export function Meaning({ code }) {
  if (!code || code.bare) return null;
  const rows = [["Under", code.under], ["", code.definition], ["For example", code.example], ["Near miss", code.near], ["In this reader", code.hint]];
  return rows.filter(([, words]) => words).map(([name, words]) => html`<p>${name && html`<b>${name}: </b>`}${words}</p>`);
}
