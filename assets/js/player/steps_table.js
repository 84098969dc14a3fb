// Every step as a table: the text version of all pictures, and the search in a reading.
import { el, reveal } from "./dom.js";
import { phaseAt, stepsWith } from "./steps.js";

export function createTable(player) {
  const field = el("input", { type: "search", placeholder: "Find in this reading", "aria-label": "Find in this reading", on: { input: () => rows() } });
  const count = el("span", { class: "count", role: "status" });
  const body = el("tbody");
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...["Step", "Where", "What happened"].map((name) => el("th", { scope: "col", text: name })))), body);
  const title = el("summary", {});
  const node = el("details", { class: "card pane steps" }, title, el("div", { class: "find" }, field, count), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The steps" }, table));
  node.addEventListener("toggle", () => node.open && rows());
  let shownRows = new Map();
  let drawn = null; // the last step that is listed
  const until = () => (player.ends() ? player.last : player.at);

  function rows() {
    const { steps, phases, texts } = player.frames;
    const found = stepsWith(field.value, steps, texts, until());
    drawn = until();
    shownRows = new Map(found.map((n) => [n, row(steps[n], n, phaseAt(phases, n)?.name)]));
    body.replaceChildren(...shownRows.values());
    const among = Math.min(steps.length, until() + 1);
    count.textContent = field.value.trim() ? `${found.length} of ${among} steps` : "";
    current();
  }

  function row(step, n, phase) {
    const go = el("button", { type: "button", class: "go", text: String(n + 1), "aria-label": `Go to step ${n + 1}`, on: { click: () => player.go(n) } });
    const reasons = step.reasons.map((reason) => el("q", { class: "reason", text: reason }));
    if (reasons.length && step.decision?.counting) reasons.push(el("small", { class: "counting", text: ` ${step.decision.counting}` }));
    return el("tr", { on: { click: () => player.go(n) } }, el("td", {}, go), el("td", { text: step.where || phase || "" }), el("td", {}, step.changed ? el("b", { text: "≠ changed here: " }) : "", step.say, ...reasons));
  }

  function current() {
    for (const [n, line] of shownRows) line.toggleAttribute("aria-current", n === player.at);
    if (!field.value) reveal(table.parentElement, shownRows.get(player.at)); // a search keeps its scroll position
  }

  function draw() {
    const all = player.frames.steps.length;
    title.textContent = all === 1 ? "The one step in words" : all ? `All ${all} steps in words` : "The steps will appear here in words";
    if (!player.ends()) title.textContent = "The steps so far in words";
    if (node.open) (shownRows.size === until() + 1 || field.value) && shownRows.size && drawn === until() ? current() : rows();
  }

  return { node, draw };
}
