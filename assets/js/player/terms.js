// Terms of the field, marked in words that Palimpsest wrote: a button with a dotted underline, which opens the term's explanation. The
// list of terms and their explanations are Python's (components/html/terms.py), which puts the explanations on every page and says where
// in its sentences the terms stand. Words of a text, a model or a person are never marked: they do not come through here.
import { el } from "./dom.js";

// A term in words of ours. Its explanation is looked for when it is about to be used: the page may draw the player first.
export function term(id, words) {
  const link = () => {
    const card = document.getElementById(`term-${id}`);
    if (!card) return;
    card.style.fontSize = button.closest(".staged") ? getComputedStyle(button).fontSize : ""; // on Stage as large as all letters
    button.popoverTargetElement = card;
    button.title = card.lastChild.textContent.trim();
  };
  const button = el("button", { type: "button", class: "term", text: words, on: { pointerenter: link, pointerdown: link, focus: link } });
  return button;
}

// Words of ours with their terms marked; `marks` are [start, end, id], in order.
export function withTerms(words, marks) {
  if (!marks?.length) return words;
  const parts = [];
  let at = 0;
  for (const [start, end, id] of marks) {
    const [mark] = /^[.,;:!?)”]*/.exec(words.slice(end)); // it stays on the term's line
    const button = term(id, words.slice(start, end));
    parts.push(words.slice(at, start), mark ? el("span", { class: "unbroken" }, button, mark) : button);
    at = end + mark.length;
  }
  return el("span", { class: "own-words" }, ...parts, words.slice(at));
}

// One of the fixed words that Python sent (a caption, a legend's line, a place with or without its number), with its terms marked.
export const termed = (frames, words) => withTerms(words, frames.terms?.[words] ?? frames.terms?.[words.replace(/ [\d.,]+$/, "")]);

// Put such words into an element, if they are not there already: what has the focus keeps it.
export function showTermed(node, frames, words) {
  if (node.textContent !== words) node.replaceChildren(termed(frames, words));
}

// Whether an explanation is open. Escape closes it, and nothing else.
export const explains = () => Boolean(document.querySelector(".term-card:popover-open"));
