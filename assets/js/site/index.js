// Entry point of a site's front page: searches, filters and sorts the table of questions by readers. What is chosen is kept in the
// address, after its `#`. Without this script the page is the whole table.
import { inAddress, keepAfterHash, setInAddress } from "../player/page_address.js";
import { chosenRows, sortedRows } from "./rows.js";

const KEPT = ["words", "text", "outcome", "fate", "by", "sort"];
const NONE = "No question matches. Clear the search, or choose “all”.";

// A row of the table as data: its words in lower case, its text, and its cells by column.
function rowOf(node, number) {
  const cells = [...node.querySelectorAll("td")].map((cell) => [...cell.querySelectorAll("a.site-cell")].map((link) => ({ link, ...link.dataset })));
  const answers = cells.flat().map(({ link }) => link.title);
  return { node, number, words: `${node.textContent} ${answers.join(" ")}`.toLowerCase(), question: node.querySelector("th").textContent, text: node.dataset.text, cells };
}

function startIndex(form, table) {
  keepAfterHash();
  const body = table.tBodies[0];
  const rows = [...body.rows].map(rowOf);
  const heads = [...table.tHead.rows[0].cells];
  const count = form.querySelector(".site-count");
  const all = count.textContent;
  const none = Object.assign(document.createElement("p"), { className: "site-none", textContent: NONE, hidden: true });
  table.after(none);

  let ordered = "null outcome"; // by what the rows on the page are sorted: as they came

  const wanted = () => Object.fromEntries([...form.elements].filter(({ name }) => name).map(({ name, value }) => [name, value]));

  function draw() {
    const asked = wanted();
    const [column, way] = (inAddress("sort") ?? "").split("-");
    const shown = sortedRows(chosenRows(rows, asked), { column: column === "" ? null : Number(column), down: way !== "up", by: asked.by ?? "outcome" });
    const kept = new Set(shown.map(({ row }) => row));
    for (const row of rows) row.node.hidden = !kept.has(row);
    for (const { row, out } of shown) for (const cell of row.cells.flat()) cell.link.classList.toggle("out", out.has(cell));
    const order = `${inAddress("sort")} ${asked.by}`;
    if (order !== ordered) body.append(...shown.map(({ row }) => row.node), ...rows.filter((row) => !kept.has(row)).map(({ node }) => node));
    ordered = order;
    count.textContent = shown.length === rows.length ? all : `${shown.length.toLocaleString("en")} of ${all}`;
    none.hidden = shown.length > 0;
    heads.forEach((head, n) => head.setAttribute("aria-sort", String(n) === column ? (way === "up" ? "ascending" : "descending") : "none"));
  }

  function sort(n) {
    const now = inAddress("sort");
    const next = now === `${n}-down` ? `${n}-up` : now === `${n}-up` ? "" : `${n}-down`;
    setInAddress("sort", next);
    draw();
  }

  heads.forEach((head, n) => {
    const button = head.querySelector("button");
    button.disabled = false;
    button.addEventListener("click", () => sort(n));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    for (const [name, value] of Object.entries(wanted())) setInAddress(name, name === "by" && value === "outcome" ? "" : value);
    draw();
  });
  for (const field of form.elements) if (KEPT.includes(field.name) && inAddress(field.name)) field.value = inAddress(field.name);
  form.hidden = false;
  draw();
}

if (globalThis.document) startIndex(document.querySelector(".site-tools"), document.querySelector(".site-table"));
