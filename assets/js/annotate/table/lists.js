// What stands folded on the table: what the annotators agree on, what they wrote beside their answers, and the list of keys.
import { el } from "../../player/dom.js";

const TABLE_KEYS = [
  ["1 2 …", "take this annotator’s side, of the whole reading or of the current item"],
  ["b", "both: every code that somebody gave"],
  ["↑ ↓", "choose an item; Esc goes back to the whole reading"],
  ["o", "another value for the item"],
  ["x", "withdraw the decision on the item"],
  ["s", "look at the step, then at the next one named"],
  ["← →", "previous step, next step"],
  ["j , .", "next decision; start of this phase or of the one before, next phase"],
  ["k l", "next known place; the step that decided what became of it (while the known answer is shown)"],
  ["g z", "show or hide the known answer; Simple or Full"],
  ["r", "reason for the decisions on this reading"],
  ["u", "undo"],
  ["a", "show or fold what they agree on"],
  ["n", "show or fold notes"],
  ["Enter", "next reading with something to decide"],
  ["[ ]", "previous reading, following reading"],
  ["p", "open or close this panel (on a narrow page)"],
  ["?", "show or hide these keys"],
];

export function tableKeys() {
  const rows = TABLE_KEYS.flatMap(([key, about]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: about })]);
  const node = el("section", { class: "key-list", hidden: "", "aria-label": "Keys" }, el("h2", { text: "Keys" }), el("dl", {}, ...rows));
  return { node, toggle: (on = node.hidden) => (node.hidden = !on) };
}

function folded(title, key) {
  const head = el("span", {});
  const list = el("ul", { class: "so-far" });
  const node = el("details", { class: "folded" }, el("summary", {}, head, el("kbd", { text: key, "aria-hidden": "true" })), list);
  let drawn = "";
  // Draw rows again only if they changed. `count` is said in the title.
  function fill(rows, count, line) {
    const now = JSON.stringify(rows);
    if (now === drawn) return;
    drawn = now;
    head.textContent = `${title}: ${count}`;
    node.hidden = !count;
    list.replaceChildren(...rows.map(line));
  }
  return { node, fill, toggle: () => (node.open = !node.open) };
}

// What the annotators agree on.
export function agreedList({ look }) {
  const { node, fill, toggle } = folded("Agreed", "a");
  const line = ({ title, words, by, step }) =>
    el("li", {}, el("p", {}, step ? el("button", { type: "button", class: "link", text: title, on: { click: () => look(step) } }) : el("span", { class: "about", text: title })), el("p", { class: "label-words", text: by ? `${words} (${by} alone)` : words }));
  return { node, toggle, draw: ({ agreed }) => fill(agreed, agreed.length, line) };
}

// Notes, corrections and marked words, by annotator.
export function notesList({ look, show }) {
  const { node, fill, toggle } = folded("Notes and marks", "n");
  const line = ({ name, value, facts, words, step, place }) => {
    const go = step ? () => look(step) : place ? () => show(place) : null;
    const title = go ? el("button", { type: "button", class: "link", text: value, on: { click: go } }) : el("span", { class: "about", text: value });
    return el("li", {}, el("p", {}, el("b", { text: `${name} · ` }), title, facts ? el("span", { class: "facts", text: ` ${facts}` }) : null), words ? el("p", { class: "label-words", text: words }) : null);
  };
  function draw({ notes }) {
    const rows = notes.flatMap(({ name, labels }) => labels.map((label) => ({ name, ...label })));
    fill(rows, rows.length, line);
  }
  return { node, toggle, draw };
}
