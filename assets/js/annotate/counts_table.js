// A table of counts. A cell with readings behind it is a button that opens them. All data is put on the page as text.
import { el } from "../player/dom.js";

const drawn = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".cells");
  const { opened, ...table } = data;
  const as = JSON.stringify(table);
  if (drawn.get(root) !== as) {
    root.replaceChildren(draw(table, (row, column) => root.ask(row, column)));
    drawn.set(root, as);
  }
  root.ask = (row, column) => setTriggerValue("open", [row, column]);
  for (const button of root.querySelectorAll("button")) {
    const here = !!opened && button.dataset.row === opened[0] && button.dataset.column === opened[1];
    button.setAttribute("aria-pressed", String(here));
  }
}

function draw({ about, corner, columns, rows }, open) {
  const heads = columns.map(({ name, note }) => el("th", { scope: "col" }, el("span", { text: name }), note && el("small", { text: note })));
  const body = rows.map((row) =>
    el("tr", {}, el("th", { scope: "row", text: row.name }), ...row.cells.map((cell, n) => el("td", {}, inside(cell, row, columns[n], open)))),
  );
  const table = el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "corner", text: corner }), ...heads)), el("tbody", {}, ...body));
  return el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": about }, table);
}

function inside(cell, row, column, open) {
  if (!cell) return el("span", { class: "none", text: "–" });
  const words = [el("span", { class: "cell-text", text: cell.text }), cell.bar && bar(cell.bar), cell.small && el("small", { text: cell.small })];
  if (!cell.opens) return el("span", { class: "still" }, ...words);
  const label = `${row.name}, ${column.name}: ${[cell.text, cell.small].filter(Boolean).join(", ")}. Show the readings`;
  const button = el("button", { type: "button", "aria-label": label, on: { click: () => open(row.key, column.key) } }, ...words);
  button.dataset.row = row.key;
  button.dataset.column = column.key;
  return button;
}

// The share as a bar, its confidence interval as a line over it.
function bar([share, low, high]) {
  const percent = (value) => `${(100 * value).toFixed(1)}%`;
  const whole = el("span", { class: "bar", "aria-hidden": "true" }, el("i", {}), el("b", {}));
  whole.firstChild.style.width = percent(share);
  whole.lastChild.style.left = percent(low);
  whole.lastChild.style.width = percent(high - low);
  return whole;
}
