// The memory's size by step against its limit, with the look-backs as arcs above. Drawn once; a step only moves the ring.
import { el, svg } from "../player/dom.js";
import { holdsKnown } from "../player/places.js";
import { factMarks, factsOf, factWords } from "./fact_marks.js";
import { HOPS, hopMarks, hopWords } from "./memory_hops.js";

const BARS = 46;
const ARCS = 30;
const STRIP = 13; // of the marks of one followed fact, under the bars
const FOOT = 1.25; // of the height of its numbers
const MANY_ARCS = 80; // above this number, arcs are drawn fainter

export function createChart(player) {
  const node = el("div", { class: "memory-size", tabindex: 0, role: "slider", "aria-label": "The size of the memory by step" });
  let drawing = null;
  let ring = null;
  let now = null;
  let diamonds = null; // of the chunks in which the known answer stands
  let x = () => 0;
  let width = 0;
  let facts = []; // those that are drawn
  let factsDrawn = "";

  const picture = () => player.frames.picture;
  const snapshotAt = (event) => {
    const { left } = node.getBoundingClientRect();
    const { snapshots } = picture();
    const wide = (width - 2) / snapshots.length;
    return Math.min(snapshots.length - 1, Math.max(0, Math.floor((event.clientX - left - 1) / wide)));
  };
  node.addEventListener("click", (event) => picture() && player.go(picture().snapshots[snapshotAt(event)].step));
  node.addEventListener("mousemove", (event) => {
    if (!picture()) return;
    const number = snapshotAt(event);
    node.title = player.ends() || number <= (picture().here[player.at] ?? -1) ? describe(number) : "";
  });
  node.addEventListener("keydown", (event) => {
    if (!picture()) return;
    const { snapshots, here } = picture();
    const to = { ArrowLeft: here[player.at] - 1, ArrowRight: here[player.at] + 1, Home: 0, End: snapshots.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    player.go(snapshots[Math.min(snapshots.length - 1, Math.max(0, to))].step);
  });

  function describe(number) {
    const { snapshots, limit, hops } = picture();
    const { step, tokens, truncated, callback } = snapshots[number];
    const back = callback && callback.recalled !== null ? `looked back to step ${callback.recalled + 1}` : "";
    const known = holdsKnown(player.known, [snapshots[number].span]) && "the known answer stands in this chunk";
    const carries = factWords(marksOf(number));
    return [`step ${step + 1}`, known, carries, `${tokens.toLocaleString("en")}${limit ? ` of ${limit.toLocaleString("en")}` : ""} tokens`, hops && hopWords(hops[number]), truncated && "cut at the limit", back].filter(Boolean).join(" · ");
  }

  function load() {
    node.replaceChildren();
    const current = picture();
    width = node.clientWidth;
    drawing = null;
    if (!current || !width) return;
    const { snapshots, limit } = current;
    const top = snapshots.some(({ callback }) => callback && callback.recalled !== null) ? ARCS : 8;
    const wide = (width - 2) / snapshots.length;
    const most = Math.max(1, limit ?? 0, ...snapshots.map(({ tokens }) => tokens));
    const height = (tokens) => Math.max(1, (BARS * tokens) / most);
    const number = new Map(snapshots.map(({ step }, n) => [step, n]));
    x = (n) => 1 + (n + 0.5) * wide;
    const gap = Math.min(3, wide * 0.25);
    const bars = snapshots.map(({ tokens }, n) => `M${(1 + n * wide + gap / 2).toFixed(2)} ${top + BARS}v${-height(tokens).toFixed(1)}h${(wide - gap).toFixed(2)}V${top + BARS}z`);
    const letters = player.staged ? parseFloat(getComputedStyle(player.root).fontSize) : 13;
    facts = factsOf(player);
    const { hops } = current;
    const foot = top + BARS + (hops ? HOPS : 0);
    const tall = foot + facts.length * STRIP + Math.ceil(FOOT * letters);
    drawing = svg("svg", { width, height: tall, viewBox: `0 0 ${width} ${tall}`, "aria-hidden": "true" });
    drawing.append(svg("path", { class: "bars", d: bars.join("") }));
    const cut = snapshots.flatMap(({ truncated }, n) => (truncated ? [`M${(x(n) - 4).toFixed(1)} ${top - 1}h8l-4 6z`] : []));
    if (limit) drawing.append(svg("path", { class: "limit", d: `M0 ${top + BARS - (BARS * limit) / most}H${width}` }));
    if (cut.length) drawing.append(svg("path", { class: "cut", d: cut.join("") }));
    ring = svg("rect", { class: "ring", y: top - 3, width: Math.max(7, wide), height: BARS + 5, rx: 3 });
    now = svg("path", { class: "arc now", d: "" });
    const arcs = snapshots.flatMap(({ callback }, n) => (callback && number.has(callback.recalled) ? [{ n, d: bow(n, number.get(callback.recalled), top) }] : []));
    drawing.arcs = arcs;
    drawing.before = svg("path", { class: arcs.length > MANY_ARCS ? "arc many" : "arc", d: arcs.map(({ d }) => d).join("") });
    drawing.append(drawing.before);
    diamonds = svg("path", { class: "known", d: "" });
    if (hops) drawing.append(...hopMarks(hops, { x, wide, top: top + BARS }));
    drawing.append(...carriers(foot, wide), ring, now, diamonds, ...numbers(snapshots, { wide, y: tall - 3, letters }));
    drawing.number = number;
    drawing.top = top;
    node.append(drawing);
    node.setAttribute("aria-valuemin", 1);
    node.setAttribute("aria-valuemax", snapshots.length);
  }

  // The marks of a memory and its chunk, as at the step that wrote it.
  const marksOf = (number) => factMarks(facts, [picture().snapshots[number].ref, picture().snapshots[number].chunk], picture().snapshots[number].step, player.ends());

  // For each followed fact a strip under the bars: solid where its chunk was read, hatched while the memory says it, struck where it no
  // longer does, ringed where its fate was decided.
  function carriers(top, wide) {
    const found = new Map();
    const add = (kind, d) => found.set(kind, (found.get(kind) ?? "") + d);
    const [long, tall] = [Math.max(2, wide - Math.min(3, wide * 0.25)), STRIP - 4];
    for (let n = 0; facts.length && n < picture().snapshots.length; n++) {
      for (const { n: row, shape, raw, died } of marksOf(n)) {
        const [left, y] = [x(n) - long / 2, top + row * STRIP + 3];
        if (shape !== "none") add(shape.replace(" ", "-"), `M${left.toFixed(1)} ${y}h${long.toFixed(1)}v${tall}h${(-long).toFixed(1)}z`);
        if (shape === "lost" && wide > 9) add("lost-sign", `M${x(n) - 3} ${y + 2}l6 6m0 -6l-6 6`);
        if (raw) add("raw", `M${left.toFixed(1)} ${y}h${(long / 3).toFixed(1)}v${tall}h${(-long / 3).toFixed(1)}z`);
        if (died) add("died", `M${x(n) - 9} ${y + tall / 2}a9 8 0 1 0 18 0a9 8 0 1 0 -18 0`);
      }
    }
    const order = ["carried", "altered", "unclear", "lost", "raw", "left-out", "died", "lost-sign"];
    return order.filter((kind) => found.has(kind)).map((kind) => svg("path", { class: `carrier ${kind}`, d: found.get(kind) }));
  }

  // An arc from the step that looked back to the recalled one, with an arrowhead.
  function bow(from, to, top) {
    const [a, b] = [x(from), x(to)];
    const lift = Math.min(top - 6, 10 + Math.abs(a - b) / 8);
    const foot = top - 4;
    return `M${a.toFixed(1)} ${foot}C${a.toFixed(1)} ${(foot - lift * 1.3).toFixed(1)} ${b.toFixed(1)} ${(foot - lift * 1.3).toFixed(1)} ${b.toFixed(1)} ${foot}m-4 -6l4 6l5 -5`;
  }

  function numbers(snapshots, { wide, y, letters }) {
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * wide >= 2 * letters) ?? 1000;
    return snapshots.flatMap(({ step }, n) => {
      if (n && (n + 1) % every) return [];
      const label = svg("text", { x: Math.min(width - 14, Math.max(5, x(n))).toFixed(1), y, "text-anchor": "middle" });
      label.textContent = String(step + 1);
      return [label];
    });
  }

  function draw(at) {
    if (!drawing || node.clientWidth !== width || factsChanged()) load();
    if (!drawing) return;
    const { snapshots, here } = picture();
    const number = here[at] ?? -1;
    drawing.style.visibility = number < 0 && !player.ends() ? "hidden" : "";
    const foot = drawing.top + BARS;
    diamonds.setAttribute("d", snapshots.flatMap(({ span }, n) => (holdsKnown(player.known, [span]) ? [`M${x(n).toFixed(1)} ${foot - 15}l7 7l-7 7l-7 -7z`] : [])).join(""));
    ring.setAttribute("visibility", number < 0 ? "hidden" : "visible");
    node.setAttribute("aria-valuenow", number + 1);
    node.setAttribute("aria-valuetext", number < 0 ? "nothing yet" : describe(number));
    if (number < 0) return;
    ring.setAttribute("x", (x(number) - Number(ring.getAttribute("width")) / 2).toFixed(1));
    const { callback, step } = snapshots[number];
    const back = step === at && callback ? drawing.number.get(callback.recalled) : undefined;
    drawing.style.clipPath = player.ends() ? "" : `inset(-12px ${Math.max(0, width - x(number) - Number(ring.getAttribute("width")) / 2 - 2).toFixed(1)}px 0 0)`;
    const known = player.ends() ? drawing.arcs : drawing.arcs.filter(({ n }) => n <= number); // a later arc would reach back to here
    if (known.length !== drawing.known) drawing.before.setAttribute("d", known.map(({ d }) => d).join(""));
    drawing.known = known.length;
    now.setAttribute("d", back === undefined ? "" : bow(number, back, drawing.top));
  }

  // A fact was added or left, or the end is shown now.
  function factsChanged() {
    const key = `${player.ends()} ${factsOf(player).map(({ fact, carriers: found }) => [fact, Object.keys(found.marks).length])}`;
    const changed = key !== factsDrawn;
    factsDrawn = key;
    return changed && Boolean(facts.length || factsOf(player).length);
  }

  return { node, load, draw, carries: () => facts.length > 0, marked: () => Boolean(diamonds?.getAttribute("d")) };
}
