// The algorithm beside the reading: the method's lines as the paper has them, those that the step ran with its values filled in, and the
// last of them marked. A line leads to the next step that runs it; a switch shows the Python function that does it. Which lines a step
// ran is the reader's to say (readers/engine/record/pseudo_code.py).
import { el } from "./dom.js";
import { keepOnDevice, onDevice } from "./on_device.js";
import { lineAt, nextRunOf } from "./steps.js";

const CHOICE = "algorithm"; // "shown" or "hidden", once a person chose

// `shown`: whether it is shown where nobody has chosen yet. `changed` gives the other panes their new size.
export function createAlgorithm(player, { offered, shown }, changed) {
  let open = chosen(shown);
  let python = false;
  let drawn = null; // the algorithm that the lines are made of
  const lines = el("ol", { class: "algorithm-lines", on: { keydown: move } });
  const box = el("div", { class: "algorithm-box" }, lines);
  const about = el("p", { class: "algorithm-about" });
  const place = el("p", { class: "algorithm-place" });
  const code = el("code", {});
  const source = el("div", { class: "algorithm-python", hidden: "" }, place, el("pre", { tabindex: 0, role: "region", "aria-label": "The Python source" }, code));
  const turner = el("button", { type: "button", class: "tool", text: "Python", "aria-pressed": "false", title: "Show the Python function that does this line", on: { click: () => turn() } });
  const node = el("section", { class: "card pane algorithm-pane", hidden: "", "aria-label": "The algorithm" }, el("div", { class: "head" }, el("h2", { text: "Algorithm" }), turner), box, source, about);
  const button = el("button", { type: "button", class: "tool algorithm-open", hidden: "", text: "Algorithm", on: { click: () => show(!open) } });

  if (offered) player.keys.on({ algorithm: () => Boolean(player.frames.algorithm) && !player.staged && show(!open) });

  function chosen(otherwise) {
    const choice = onDevice(CHOICE);
    return choice ? choice === "shown" : otherwise;
  }

  function show(on) {
    open = on;
    keepOnDevice(CHOICE, on ? "shown" : "hidden");
    changed();
    return true;
  }

  // The page shows it at first, or no more: another depth was chosen.
  function follow(otherwise) {
    const before = open;
    open = chosen(otherwise);
    if (open !== before) changed();
  }

  function turn() {
    python = !python;
    turner.setAttribute("aria-pressed", String(python));
    box.hidden = python;
    source.hidden = !python;
    changed();
  }

  function line({ words, depth }, n) {
    const go = el("button", { type: "button", class: "algorithm-line", title: "Go to the next step that runs this line", on: { click: () => goTo(n) } }, el("span", { class: "number", text: String(n + 1) }), el("span", { class: "words", text: words }));
    go.dataset.depth = depth;
    return el("li", {}, go);
  }

  function goTo(n) {
    const found = nextRunOf(player.frames.steps, n, player.at);
    if (found === undefined) player.announce?.("No step of this reading runs this line.");
    else player.go(found);
  }

  // Up and down go from line to line.
  function move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...lines.querySelectorAll("button")];
    const at = all.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
  }

  function make(algorithm) {
    drawn = algorithm;
    lines.replaceChildren(...algorithm.lines.map(line));
  }

  function draw(at) {
    const { algorithm, steps } = player.frames;
    button.hidden = !offered || !algorithm;
    node.hidden = !offered || !algorithm || !open;
    button.setAttribute("aria-expanded", String(!node.hidden));
    button.title = `${open ? "Hide" : "Show"} the algorithm beside the reading (p)`;
    if (node.hidden) return;
    if (drawn !== algorithm) make(algorithm);
    const ran = new Map(steps[at]?.ran ?? []);
    const now = lineAt(steps[at]);
    [...lines.children].forEach((item, n) => {
      item.className = n === now ? "now ran" : ran.has(n) ? "ran" : "";
      item.querySelector(".words").textContent = ran.get(n) || algorithm.lines[n].words;
      n === now ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current");
    });
    tell(algorithm, now);
    if (now !== undefined && !python) bringIntoView(lines.children[now]);
  }

  // The section of the marked line, and the Python function that does it.
  function tell(algorithm, now) {
    const here = algorithm.lines[now];
    about.textContent = here ? `Line ${now + 1}: ${here.section} · ${algorithm.paper}` : `This step has no line · ${algorithm.paper}`;
    const { name, file, from, text } = algorithm.sources[here?.source ?? 0];
    place.textContent = `${name}, ${file}, line ${from}`;
    if (code.textContent !== text) code.textContent = text;
  }

  function bringIntoView(item) {
    const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
    if (inner.top < outer.top) box.scrollTop += Math.floor(inner.top - outer.top);
    else if (inner.bottom > outer.bottom) box.scrollTop += Math.ceil(inner.bottom - outer.bottom);
  }

  return { node, button, draw, follow };
}
