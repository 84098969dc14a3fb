// What stands folded on the table: what the annotators agree on and what they wrote beside their answers.
import { el } from "../../player/dom.js";

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
  return { node, fill, toggle: () => void (node.open = !node.open) };
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
