// Beside a memory: the life of every sentence, a row each, the steps from left to right. Made once; a step moves the ring and says
// which sentences are in memory now. Selecting a row shows its history; pressing it at a step goes there.
import { el, svg } from "../player/dom.js";
import { lifeRows, wordsIn } from "./life_rows.js";
import { standing, inMemory } from "./memory_layers.js";

const ROW_TALL = 12; // of the drawing in a row
const EDGE = 9;
const SHAPES = {
  came: (x) => `M${x - 4} 6h8M${x} 2v8`,
  changed: (x) => `M${x} 1l4 5l-4 5l-4 -5z`,
  back: (x) => `M${x - 4} 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
  unsure: (x) => `M${x} 1l4.5 9h-9z`,
  lost: (x) => `M${x - 4} 2l8 8M${x + 4} 2l-8 8`,
};
const MEANINGS = { came: "added", changed: "reworded, merged or split", back: "back again", unsure: "uncertain", lost: "overwritten" };

export function createLife(player, select) {
  const title = el("h3", { text: "The life of every sentence" });
  const hint = el("span", { class: "hint", text: "press one for its history" });
  const axis = el("div", { class: "life-axis", "aria-hidden": "true" });
  const rows = el("div", { class: "life-rows", role: "group", "aria-label": "The sentences, in the order in which they came" });
  const scroll = el("div", { class: "life-scroll", tabindex: 0, role: "region", "aria-label": "The life of every sentence" }, axis, rows);
  const more = el("p", { class: "more" });
  const legend = el("p", { class: "legend" });
  const node = el("section", { class: "memory-life", "aria-label": "The life of every sentence" }, el("div", { class: "head" }, title, hint), scroll, more, legend);
  let lanes = [];
  let ring = null;
  let width = 0;
  let x = () => 0;
  let brought = -1;

  const picture = () => player.frames.picture;

  function load() {
    const current = picture();
    width = rows.clientWidth;
    lanes = [];
    brought = -1;
    if (!current || !width) return;
    const count = current.snapshots.length;
    const wide = (width - 2 * EDGE) / Math.max(1, count);
    x = (n) => Math.round((EDGE + (n + 0.5) * wide) * 10) / 10;
    const found = lifeRows(current);
    ring = el("i", { class: "life-ring" });
    ring.style.width = `${Math.max(8, Math.min(wide, 26)).toFixed(1)}px`;
    lanes = found.map((row) => ({ ...row, node: lane(row, wide) }));
    rows.replaceChildren(ring, ...lanes.map((each) => each.node));
    lanes[0]?.node.setAttribute("tabindex", "0");
    axis.replaceChildren(numbers(current.snapshots, wide));
    const out = current.lanes.length - found.length;
    more.hidden = !out;
    more.textContent = `${out.toLocaleString("en")} more sentences, which were there for a short time only, are not shown.`;
    const kinds = new Set(found.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
    legend.replaceChildren(...Object.keys(SHAPES).filter((kind) => kinds.has(kind)).map((kind) => el("span", {}, sign(kind), MEANINGS[kind])));
  }

  function lane({ lane: number, stays, marks }, wide) {
    const drawing = svg("svg", { width, height: ROW_TALL, viewBox: `0 0 ${width} ${ROW_TALL}`, "aria-hidden": "true" });
    const half = Math.max(1.5, wide * 0.36);
    drawing.append(svg("path", { class: "stay", d: stays.map(([from, to]) => `M${(x(from) - half).toFixed(1)} 6H${(x(to) + half).toFixed(1)}`).join("") }));
    const between = stays.slice(1).map(([from], n) => `M${(x(stays[n][1]) + half).toFixed(1)} 6H${(x(from) - half).toFixed(1)}`);
    if (between.length) drawing.append(svg("path", { class: "between", d: between.join("") }));
    for (const { at, kind } of marks) drawing.append(svg("path", { class: `mark ${kind}`, d: SHAPES[kind](x(at)), "data-at": at }));
    const words = el("span", { class: "lane-words" });
    return el("button", { type: "button", class: "lane", tabindex: -1, "data-lane": number }, words, drawing);
  }

  function sign(kind) {
    const drawing = svg("svg", { width: 12, height: ROW_TALL, viewBox: `0 0 12 ${ROW_TALL}`, "aria-hidden": "true" });
    drawing.append(svg("path", { class: `mark ${kind}`, d: SHAPES[kind](6) }));
    return drawing;
  }

  function numbers(snapshots, wide) {
    const drawing = svg("svg", { width, height: 18, viewBox: `0 0 ${width} 18` });
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * wide >= 26) ?? 1000;
    snapshots.forEach(({ step }, n) => {
      if (n && (n + 1) % every) return;
      const label = svg("text", { x: x(n), y: 14, "text-anchor": "middle" });
      label.textContent = String(step + 1);
      drawing.append(label);
    });
    return drawing;
  }

  function draw(at) {
    const current = picture();
    if (!current) return;
    if (!lanes.length || rows.clientWidth !== width) load();
    const { number, fresh } = standing(current, at);
    const ends = player.ends?.() ?? true;
    const now = new Set(number < 0 ? [] : current.memories[number].map(([each]) => each));
    for (const each of lanes) {
      each.node.hidden = !ends && each.first > number;
      each.node.classList.toggle("now", now.has(each.lane));
      name(each, ends ? Math.max(number, each.first) : number, now.has(each.lane));
    }
    for (const each of lanes) each.node.style.setProperty("--until", ends ? "0px" : `${Math.max(0, width - x(number) - 13).toFixed(1)}px`);
    if (ring) ring.hidden = number < 0;
    if (ring && number >= 0) ring.style.left = `${(x(number) - parseFloat(ring.style.width) / 2).toFixed(1)}px`;
    if (number !== brought) bring(number, fresh, now);
    brought = number;
  }

  function name(each, number, there) {
    const words = wordsIn(picture(), each.lane, number);
    if (each.words === words && each.there === there) return;
    Object.assign(each, { words, there });
    each.node.firstChild.textContent = words;
    each.node.title = words;
    each.node.setAttribute("aria-label", `${words} (${there ? "" : "not "}${inMemory(picture())} now)`);
  }

  // Show what was written at this step, else what is in memory.
  function bring(number, fresh, now) {
    const written = fresh ? lanes.find(({ marks }) => marks.some(({ at }) => at === number)) : null;
    const first = written ?? lanes.find(({ lane: each }) => now.has(each));
    if (!first) return;
    const top = first.node.offsetTop - axis.offsetHeight;
    if (top < scroll.scrollTop || top + first.node.offsetHeight > scroll.scrollTop + scroll.clientHeight - 60) scroll.scrollTop = Math.max(0, top - 8);
  }

  // The step nearest to where a row was pressed at which its sentence was in memory, or lost.
  function stepAt(each, clientX) {
    const place = clientX - each.node.querySelector("svg").getBoundingClientRect().left;
    const shown = each.stays.flatMap(([from, to]) => [...Array(to - from + 1).keys()].map((n) => from + n)).concat(each.marks.map(({ at }) => at));
    const known = shown.filter((n) => (player.ends?.() ?? true) || n <= (picture().here[player.at] ?? -1));
    return known.sort((a, b) => Math.abs(x(a) - place) - Math.abs(x(b) - place))[0];
  }

  rows.addEventListener("click", (event) => {
    const pressed = event.target.closest?.(".lane");
    const each = lanes.find(({ node: own }) => own === pressed);
    if (!each) return;
    const at = event.target.closest("svg") ? stepAt(each, event.clientX) : undefined;
    if (at !== undefined) player.go(picture().snapshots[at].step);
    select(each.lane);
  });
  rows.addEventListener("keydown", (event) => {
    const shown = lanes.map(({ node: own }) => own).filter((own) => !own.hidden);
    const now = shown.indexOf(event.target.closest?.(".lane"));
    const to = shown[{ ArrowDown: now + 1, ArrowUp: now - 1 }[event.key]];
    if (!to) return;
    shown[now]?.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
    event.preventDefault();
    event.stopPropagation();
  });

  const mark = (chosen) => lanes.forEach(({ lane: each, node: own }) => own.setAttribute("aria-pressed", String(each === chosen)));

  return { node, load, draw, mark };
}
