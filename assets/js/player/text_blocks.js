// A paragraph or block of the text as elements: words with their marks, and what of a block are signs (`## `, ` | `, a fence). Every
// character stays in its paragraph, signs too, so that offsets are those of the text; a style sheet does not draw the signs.
import { el } from "./dom.js";
import { runsOf } from "./places.js";

const DISTRACTOR = "This place speaks for a wrong answer.";
const AROUND = { bullet: "list", number: "list", header: "table", row: "table", rule: "table" };
const ROLES = { heading: "heading", bullet: "listitem", number: "listitem", header: "row", row: "row", rule: "row" };
const CELLS = { header: "columnheader", row: "cell", rule: "cell" };

// How deep the headings of these blocks are at least, no deeper than `most`: a text of plain headings has no first or second level.
export const shallowest = (blocks, most = Infinity) => blocks.reduce((least, [kind, , , depth]) => (kind === "heading" ? Math.min(least, depth) : least), most);

// The element of a paragraph (`paragraphsOf` in places.js) with these marks. `top`: the depth of the text's shallowest headings, which
// come below the pane's own.
export function paragraphNode({ start, text, kind, depth, words }, marks, top = 1) {
  const heading = kind === "heading";
  const about = { dir: CELLS[kind] ? undefined : "auto", "data-start": start, "data-kind": kind, "data-depth": depth || undefined, role: ROLES[kind], "aria-level": heading ? Math.min(6, depth - Math.min(top, depth) + 3) : undefined };
  if (!kind) return el("p", about, ...runs(text, start, marks));
  const piece = (from, to) => runs(text.slice(from - start, to - start), from, marks);
  const signs = (from, to) => from < to && el("span", { class: "sign" }, ...piece(from, to));
  const end = start + text.length;
  const parts = (words.length ? words : [[end, end]]).map(([from, to], n, all) => {
    const inside = [signs(all[n - 1]?.[1] ?? start, from), ...piece(from, to), n + 1 === all.length && signs(to, end)].filter(Boolean);
    return CELLS[kind] ? [el("span", { class: "cell", role: CELLS[kind], dir: "auto" }, ...inside)] : inside;
  });
  return el("p", about, ...parts.flat());
}

// The elements of these paragraphs, each list and table in a box of its own, and a line where a page begins: `page` tells which one does
// at a paragraph, by its number. Its name is no text, so that offsets are not moved by it.
export function boxed(paragraphs, page = () => undefined) {
  const found = [];
  for (const [n, { node, kind }] of paragraphs.entries()) {
    const around = AROUND[kind];
    const begun = page(n);
    if (begun) found.push(el("div", { class: "page-begins", "data-page": begun, role: "note", "aria-label": begun }));
    if (!around) found.push(node);
    else if (found.at(-1)?.dataset.kind === around) found.at(-1).append(node);
    else found.push(el("div", { "data-kind": around, role: around, ...(around === "table" ? { dir: "auto", tabindex: 0 } : {}) }, node));
  }
  return found;
}

function runs(text, start, marks) {
  const numberAt = (place) => marks.find((mark) => mark.number && mark.start === place)?.number;
  const markOf = (run) => el("mark", { class: run.kinds.join(" "), text: run.text, "data-start": run.start, "data-number": numberAt(run.start), title: run.kinds.includes("distractor") && DISTRACTOR });
  return runsOf(text, start, marks).map((run) => (run.kinds.length ? markOf(run) : document.createTextNode(run.text)));
}
