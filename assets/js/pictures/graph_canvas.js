// The drawing of a graph: nodes at fixed places and what is drawn under and over them, with vis-network, and its camera. How a node looks
// and what is drawn beside it is the picture's style. Not here: what stands around the drawing (graph.js).
import { el, inks } from "../player/dom.js";
import { holdsKnown } from "../player/places.js";
import { isLit } from "../player/parts.js";
import { stateAt } from "../player/steps.js";
import { drawFactBadges } from "./fact_badges.js";
import { factKey, factMarks, factsOf } from "./fact_marks.js";
import { BESIDE, LARGEST, LEGIBLE, allInView, middleOfAll, reachOf, scaleOnStage, scaleToFit, scaleToHeight, spreadOf, within } from "./graph_camera.js";
import { FONT } from "./graph_marks.js";
import { LABEL, boundsOf, newNetwork, seen, tipOf, unstyled } from "./graph_nodes.js";
import { markKnownBoxes } from "./known_mark.js";
import { createSmallMap } from "./small_map.js";


// What stands in the drawing's place at a step that has no node yet: where to look for what the step did. `segments` are those of a net.
export function wordsForNothing(step, segments = []) {
  const parts = segments.length || step?.cuts?.length;
  const where = step?.cuts?.length ? " Lines in the text and on the map show where they begin." : "";
  const [one, nothing] = segments.length ? ["segment", "no name is drawn yet: those of each segment come at its own step."] : ["part", `nothing is written of ${parts === 1 ? "it" : "them"} yet.`];
  return parts ? `${parts} ${one}${parts === 1 ? "" : "s"} so far, and ${nothing}${where}` : "Nothing has been drawn yet at this step.";
}

// The parts that the text is cut into, beside each other, each as wide as it is long; segments with their numbers.
function partsOf(step, segments = [], chars) {
  const parts = segments.length ? segments.map(({ number, span }) => [span[0], number]) : (step?.cuts ?? []).map((start) => [start, ""]);
  const part = ([start, text], n) => el("i", { style: `flex-grow: ${(parts[n + 1]?.[0] ?? chars) - start}`, text });
  return parts.length ? [el("span", { class: "cut-parts", "aria-hidden": "true" }, ...parts.map(part))] : [];
}

// A frame around a node that is lit.
function drawLit(context, { x, y, width }, half, ink) {
  context.strokeStyle = ink.raw;
  context.lineWidth = 5;
  context.strokeRect(x - width / 2 - 5, y - half - 5, width + 10, 2 * half + 10);
}

// `press` gets the id of a node that was pressed, or null; `selected` gives that of the node whose card is open.
export function createGraphCanvas(player, style, { press, selected }) {
  const canvas = el("div", { class: "canvas" });
  const map = createSmallMap((place) => network.moveTo({ position: within(place, bounds(), half()), animation: false }));
  const waiting = el("p", { class: "none" });
  const later = el("p", { class: "none later", hidden: "" });
  const node = el("div", { class: "stage" }, canvas, map.node, waiting, later);
  let network = null;
  let nodes = null;
  let byId = new Map();
  let painted = new Map();
  let scale = null; // chosen by the person, or null
  let followed = -1;
  let larger = false; // than the panel: some of it is out of view
  let fitted = -1; // the height of the panel that it was fitted to

  const picture = () => player.frames.picture;
  const here = () => picture()?.here[player.at] ?? null;
  const bounds = () => boundsOf([...byId.values()]);

  function load() {
    const current = picture();
    waiting.hidden = Boolean(current?.nodes.length);
    waiting.textContent = player.frames.live ? "The picture will grow here as the reading proceeds." : style.empty;
    canvas.hidden = !current?.nodes.length;
    if (!current) return;
    byId = new Map(current.nodes.map((each) => [each.id, { ...each }]));
    painted = new Map();
    followed = fitted = -1;
    if (!network) start();
    nodes.clear();
    nodes.add(current.nodes.map(unstyled));
  }

  function start() {
    nodes = new player.vis.DataSet();
    network = newNetwork(player.vis, canvas, nodes);
    network.on("click", (event) => press(event.nodes[0] ?? null));
    network.on("hoverNode", ({ node: id }) => {
      canvas.style.cursor = "pointer";
      player.touch(byId.get(id)?.span ?? null);
    });
    network.on("blurNode", () => {
      canvas.style.cursor = "";
      player.touch(null);
    });
    canvas.addEventListener("mousemove", ({ offsetX, offsetY }) => {
      const words = style.wordsAt?.(network.DOMtoCanvas({ x: offsetX, y: offsetY }), byId, picture()?.edges ?? [], player.at) ?? "";
      if (canvas.title !== words) canvas.title = words;
    });
    network.on("beforeDrawing", (context) => style.drawUnder(context, byId, picture().edges, player.at, { ink: inks(player.root), view: view(BESIDE) }));
    network.on("afterDrawing", (context) => {
      const ink = inks(player.root);
      const { edges } = picture();
      style.drawOver(context, byId, edges.filter(({ label }) => label), player.at, { ink, view: view(BESIDE), sides: view(), here: here(), selected: selected(), edges, numbers: picture().numbers, refused: picture().refused?.[player.at] ?? [] });
      const drawn = [...byId.values()].filter((each) => seen(each, player.at));
      markKnownBoxes(context, drawn, { known: player.known, spansOf, half: style.half, ink });
      for (const each of drawn) if (each.span && isLit(player.lit, ...each.span)) drawLit(context, each, style.half, ink);
      for (const each of drawn) if (each.facts?.length) drawFactBadges(context, each.facts, { ...style.factsAt(each), ink, font: FONT });
      const colourOf = (each) => style.look(each, stateAt(each.changes, player.at), false, ink).color.border;
      map.draw(drawn, { bounds: bounds(), view: view(), here: here(), colourOf, ink });
    });
  }

  // Bring the lit node into view.
  function light(mark) {
    const there = [...byId.values()].find((each) => each.span && isLit(mark, ...each.span) && seen(each, player.at));
    if (there) reach(there.id);
  }

  // Half of what is in view, each way, and what is in view with so much beside it.
  const size = () => ({ x: canvas.clientWidth, y: canvas.clientHeight });
  const half = () => ({ x: size().x / 2 / network.getScale(), y: size().y / 2 / network.getScale() });
  function view(beside = 0) {
    const [middle, { x, y }] = [network.getViewPosition(), half()];
    return { left: middle.x - x - beside, right: middle.x + x + beside, top: middle.y - y, bottom: middle.y + y };
  }

  // The places in the text that a node stands for.
  const spansOf = (each) => picture().cards?.[each.id]?.spans ?? [each.span];

  // What is known of nodes and relations at a step: the marks of followed facts, the place of the known answer.
  function mark(at) {
    const facts = factsOf(player);
    for (const each of [...byId.values(), ...picture().edges]) each.facts = each.refs ? factMarks(facts, each.refs, at, player.ends()) : [];
    for (const each of byId.values()) each.known = holdsKnown(player.known, spansOf(each));
  }

  function draw(at) {
    if (!fits()) fit();
    const changed = paint(at);
    later.hidden = !byId.size || [...byId.values()].some((each) => seen(each, at));
    const [step, segments] = [player.frames.steps[at], picture()?.segments];
    later.replaceChildren(...partsOf(step, segments, player.frames.text.chars), wordsForNothing(step, segments));
    map.node.style.visibility = later.hidden ? "" : "hidden";
    if (changed.length) nodes.update(changed);
    else network.redraw();
    if (at !== followed) follow();
    followed = at;
  }

  // What of each node differs from how it was last drawn, for vis-network.
  function paint(at) {
    const ink = inks(player.root);
    const changed = [];
    for (const each of byId.values()) {
      const state = stateAt(each.changes, at) ?? "hidden";
      const label = each.labels ? (stateAt(each.labels, at) ?? "") : each.label;
      const words = seen(each, at) ? style.words(each, picture(), at) : "";
      const key = `${state} ${label} ${words}${each.id === here() ? " here" : ""} ${factKey(each.facts)}${each.known ? " known" : ""}`;
      if (painted.get(each.id) === key) continue;
      painted.set(each.id, key);
      changed.push({ id: each.id, label, title: tipOf(each, words), ...style.look(each, state, each.id === here(), ink) });
    }
    return changed;
  }

  // The camera: the whole graph if it stays legible, else the current node in view. Whether all of it is in view.
  function fit(whole = false) {
    if (!byId.size || !canvas.clientWidth) return;
    map.node.hidden = true;
    sized();
    let box = bounds();
    let most = scaleToFit(box, size());
    if (whole) scale = Math.min(LARGEST, most);
    const scaled = () => (player.staged ? onStage(box) : (scale ?? Math.min(LARGEST, Math.max(LEGIBLE, most))));
    if (most < scaled()) {
      map.node.hidden = false; // it takes some of the panel's height
      sized();
      box = bounds();
      most = scaleToFit(box, size());
    }
    const chosen = scaled();
    const current = player.staged && byId.get(here()); // on Stage it starts around the current node
    const middle = current ? { x: current.x, y: current.y } : { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    network.moveTo({ position: middle, scale: chosen, animation: false });
    byId.has(selected()) ? reach(selected()) : follow();
    larger = !allInView([...byId.values()], view());
    fitted = canvas.clientHeight;
  }

  const lettersOnStage = () => parseFloat(getComputedStyle(player.root).fontSize) / LABEL; // as large as the other words

  const onStage = (box) => scaleOnStage(scaleToFit(box, size()), lettersOnStage(), scaleToHeight(box, size()));

  // The panel has another size now.
  function sized() {
    network.setSize("100%", "100%");
    network.redraw();
    if (style.fills) fill();
  }

  // Draw the nodes apart until they fill the panel.
  function fill() {
    const all = [...byId.values()];
    for (const each of all) Object.assign(each, (each.laidOut ??= { x: each.x, y: each.y }));
    const box = bounds();
    const by = player.staged ? spreadOf(all, box, size(), lettersOnStage(), onStage(box)) : spreadOf(all, box, size());
    for (const each of all) Object.assign(each, { x: each.x * by.x, y: each.y * by.y });
    nodes.update(all.map(({ id, x, y }) => ({ id, x, y })));
  }

  function zoom(by) {
    scale = network.getScale() * by;
    fit();
  }

  // Bring the current node into view; of a net, what the step is about around it.
  function follow() {
    const each = byId.get(here());
    if (!each || !canvas.clientWidth) return;
    const about = style.focus?.(byId, player.at) ?? [];
    if (!about.length) return reach(each.id);
    network.moveTo({ position: middleOfAll(about, each, { box: bounds(), half: half() }), animation: false });
  }

  // Move just enough to show a node with its surroundings and, where there is room, its parent.
  function reach(id) {
    const each = byId.get(id);
    if (!each || !canvas.clientWidth) return;
    const at = network.getViewPosition();
    const aim = reachOf(each, byId.get(picture().parents?.[id]), { at, box: bounds(), half: half() });
    if (Math.abs(aim.x - at.x) + Math.abs(aim.y - at.y) > 1) network.moveTo({ position: aim, animation: false });
    else network.redraw();
  }

  const fits = () => canvas.clientHeight === fitted;
  const ofGraph = { fits, nodes: () => [...byId.values()], has: (id) => byId.has(id), get: (id) => byId.get(id), larger: () => larger };
  return { node, load, mark, draw, fit, zoom, reach, light, destroy: () => network?.destroy(), ...ofGraph };
}
