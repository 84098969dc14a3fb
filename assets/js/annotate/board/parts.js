// The parts of the board: a note, and a box of notes. All words are put on the page as text.
import { el } from "../../player/dom.js";

// A note as a list item with its box for selecting. `point(id)`, `select(id)` and `drag(id)` say what the mouse did.
export function noteItem({ id, words, by, place, run, step }, colour, { point, select, drag }) {
  const box = el("input", { type: "checkbox", tabindex: -1, "aria-label": "Select this note", on: { change: () => select(id), click: (event) => event.stopPropagation() } });
  const to = `Trace?${new URLSearchParams(step ? { run, at: step } : { run })}`;
  const link = el("a", { href: to, target: "_blank", rel: "noopener", draggable: "false", text: place, on: { click: (event) => event.stopPropagation() } });
  const about = el("p", { class: "of" }, el("span", { class: "by", text: by }), link);
  const node = el(
    "li",
    { class: `note by-${colour}`, draggable: "true", on: { click: () => point(id), dragstart: dragged } },
    box, el("div", {}, el("p", { class: "words", text: words }), about),
  );
  function dragged(event) {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", ""); // some browsers drag only what has data
    drag(id);
  }
  return { node, box };
}

// Fill the box of a group; number 0 is the tray of notes without a group. `count` is of all its notes, `shown` of those listed.
export function groupBox(box, { name, number, count, shown, code = "", makeCode = null, rename }, nodes) {
  const listed = shown === count ? count.toLocaleString("en") : `${shown.toLocaleString("en")} of ${count.toLocaleString("en")}`;
  const title = el("h3", { text: number ? name : "No group yet" });
  const key = number && number < 10 ? el("kbd", { text: String(number), "aria-hidden": "true" }) : null;
  const change = number ? el("button", { type: "button", class: "link", "aria-label": `Rename or merge ${name}`, text: "Rename", on: { click: rename } }) : null;
  const coded = code ? el("span", { class: "coded", text: `code ${code}` }) : null;
  const toCode = makeCode ? el("button", { type: "button", class: "link", "aria-label": `Make ${name} a code`, text: "Code", on: { click: makeCode } }) : null;
  box.setAttribute("aria-label", `${number ? name : "No group yet"}, ${count} notes`);
  const empty = nodes.length ? null : el("p", { class: "none", text: number ? "None of its notes matches." : "Every note has a group." });
  box.replaceChildren(el("header", {}, el("div", {}, key, title), el("div", { class: "facts" }, el("span", { class: "number", text: `${listed} ${count === 1 ? "note" : "notes"}` }), coded, toCode, change)), el("ul", {}, ...nodes), ...(empty ? [empty] : []));
}
