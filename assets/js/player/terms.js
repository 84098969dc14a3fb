// Terms of the field, marked in words that Palimpsest wrote: a button with a dotted underline, which opens the term's explanation. The
// list of terms and their explanations are Python's (components/html/terms.py), which puts the explanations on every page and says where
// in its sentences the terms stand. Words of a text, a model or a person are never marked: they do not come through here.
import { html } from "../../vendor/preact.js";
import { drawn } from "./parts.js";

// A term in words of ours. Its explanation is looked for when it is about to be used: the page may draw the player first.
export function Term({ id, words }) {
  const link = ({ currentTarget: button }) => {
    const card = document.getElementById(`term-${id}`);
    if (!card) return;
    card.style.fontSize = button.closest(".staged") ? getComputedStyle(button).fontSize : ""; // on Stage as large as all letters
    button.popoverTargetElement = card;
    button.title = card.lastChild.textContent.trim();
  };
  return html`<button type="button" class="term" onPointerEnter=${link} onPointerDown=${link} onFocus=${link}>${words}</button>`;
}

// Words of ours with their terms marked; `marks` are [start, end, id], in order.
export function OwnWords({ words, marks }) {
  if (!marks?.length) return words;
  let at = 0;
  const parts = marks.flatMap(([start, end, id]) => {
    const [mark] = /^[.,;:!?)”]*/.exec(words.slice(end)); // it stays on the term's line
    const [before, button] = [words.slice(at, start), html`<${Term} key=${start} id=${id} words=${words.slice(start, end)} />`];
    at = end + mark.length;
    return [before, mark ? html`<span class="unbroken">${button}${mark}</span>` : button];
  });
  return html`<span class="own-words">${parts}${words.slice(at)}</span>`;
}

// Where the terms stand in one of the fixed words that Python sent (a caption, a legend's line, a place with or without its number).
const marksIn = (frames, words) => frames.terms?.[words] ?? frames.terms?.[words.replace(/ [\d.,]+$/, "")];

// Such words, with their terms marked.
export const Termed = ({ frames, words }) => html`<${OwnWords} words=${words} marks=${marksIn(frames, words)} />`;

// The same for panes that make their elements themselves.
export const term = (id, words) => drawn(html`<${Term} id=${id} words=${words} />`);
export const termed = (frames, words) => (marksIn(frames, words)?.length ? drawn(html`<${Termed} frames=${frames} words=${words} />`) : words);

// Whether an explanation is open. Escape closes it, and nothing else.
export const explains = () => Boolean(document.querySelector(".term-card:popover-open"));
