// What a lesson says beside its picture. A phrase that names a part of the text, and a quotation, light their mark in the picture as long
// as they are touched; and a mark that is touched lights its phrases.
import { html } from "../../vendor/preact.js";
import { tell } from "../player/bus.js";

const PART_KINDS = "page|part|chunk|segment";
const PART_NUMBER = "\\d+(?:\\.\\d+)*";
const NAMED_PARTS = new RegExp(`\\b(${PART_KINDS})s? (?:${PART_NUMBER}(?:, | and | to )?)+`, "gi");

// Words cut into runs, each with the mark that it names, or none: "segments 4 and 8" names two.
export function phrasesOf(words, marks) {
  const runs = [];
  let from = 0;
  for (const { 0: found, 1: kind, index } of words.matchAll(NAMED_PARTS)) {
    for (const { 0: number, index: at } of found.matchAll(new RegExp(PART_NUMBER, "g"))) {
      const mark = marks[`${kind.toLowerCase()} ${number}`];
      if (!mark) continue;
      const begins = /\d/.test(found.slice(0, at)) ? index + at : index; // the first has the word before it
      runs.push({ text: words.slice(from, begins), mark: null }, { text: words.slice(begins, index + at + number.length), mark });
      from = index + at + number.length;
    }
  }
  return [...runs, { text: words.slice(from), mark: null }].filter(({ text }) => text);
}

export const sameMark = (one, other) => Boolean(one && other) && one[0] === other[0] && one[1] === other[1];

export function LessonWords({ run, words, quotes, marks, lit }) {
  const touching = (mark, at) => {
    const light = () => tell(run, "light", { mark });
    const dark = () => tell(run, "light", { mark: null });
    return { onPointerEnter: light, onFocus: light, onPointerLeave: dark, onBlur: dark, onClick: () => (light(), tell(run, "show", { place: at ?? mark[0] })) };
  };
  const phrase = ({ text, mark }) => (mark ? html`<button type="button" class=${sameMark(mark, lit) ? "phrase lit" : "phrase"} ...${touching(mark)}>${text}</button>` : text);
  return html`${words.map((each) => html`<p class="lesson-words">${phrasesOf(each, marks).map(phrase)}</p>`)}
    ${quotes.map(({ words: said, where, byModel, at, mark }) => html`<figure class=${`lesson-quote${byModel ? " by-model" : ""}${sameMark(mark, lit) ? " lit" : ""}`} tabindex=${mark ? 0 : undefined} ...${mark ? touching(mark, at) : {}}>
      <figcaption>${where}</figcaption><blockquote dir="auto">${said}</blockquote></figure>`)}`;
}
