// How a tree is drawn: nodes by their state, and on the canvas under and over them the walk, its numbers, and the ring around the
// current node. A net (net_marks.js) uses some of it, too.
import { stateAt } from "../player/steps.js";
import { factPath } from "./fact_marks.js";
import { NodeCard } from "./node_card.js";

export const FONT = "Source Sans, sans-serif"; // no quotes: vis-network does not accept them
const HALF = 21; // half the height of a node
const NUMBER = 18; // the height of a number in a stack

// A node's look, for vis-network. Shape and line tell states apart; colour only repeats it.
function look(each, state, here, ink) {
  const calm = { hidden: state === "hidden", borderWidth: 1.5, color: { background: ink.paper, border: ink["not-covered"] }, font: { color: ink.soft, size: 15, face: FONT }, shapeProperties: { borderDashes: false, borderRadius: 8 } };
  if (each.kind === "stub") return { ...calm, borderWidth: 1, color: { background: ink.ground, border: ink["not-covered"] }, shapeProperties: { borderDashes: [2, 3], borderRadius: 16 } };
  const font = { ...calm.font, color: ink.ink };
  if (here && each.leaf) return { ...calm, borderWidth: 2, color: { background: ink.raw, border: ink.raw }, font: { ...font, color: ink.paper } };
  if (state === "visited") return { ...calm, borderWidth: 2, color: { background: ink.paper, border: ink.raw }, font };
  if (state === "back") return { ...calm, borderWidth: 2.5, color: { background: ink.paper, border: ink.lost }, font: { ...font, color: ink.lost }, shapeProperties: { borderDashes: [5, 3], borderRadius: 8 } };
  if (state === "answer") return { ...calm, borderWidth: 3, color: { background: ink.paper, border: ink.evidence }, font };
  if (state === "offered") return { ...calm, font };
  return state === "unseen" ? { ...calm, borderWidth: 1, shapeProperties: { ...calm.shapeProperties, borderDashes: [1, 3] } } : calm;
}

// Under the nodes: the tree's edges and the walk over them, bold downwards, dashed back up, plain where something comes up with it.
function drawUnder(context, byId, edges, at, { ink, view }) {
  for (const move of edges) {
    const [from, to] = [byId.get(move.from), byId.get(move.to)];
    if (!from || !to || outside(view, from.x, to.x) || !stateAt(move.changes, at)) continue;
    if (move.kind === "tree") {
      factBandUp(context, path(from, to, false), factPath(to.facts ?? [], from.facts ?? []), ink);
      stroke(context, path(from, to, false), ink.line, 2);
      continue;
    }
    const newest = move.changes[0][0] === at;
    const back = move.kind !== "down";
    const colour = { down: ink.raw, up: ink.evidence }[move.kind] ?? ink.lost;
    const curve = path(from, to, back);
    context.globalAlpha = newest || back ? 1 : 0.75;
    context.setLineDash(move.kind === "back" ? [6, 4] : []);
    stroke(context, curve, colour, back ? 2.5 : 4);
    context.setLineDash([]);
    if (back) arrow(context, curve[2], curve[3], colour);
    context.globalAlpha = 1;
  }
}

// Broad under an edge: the way of a fact up the tree, dotted to a summary that does not say it, or not surely.
function factBandUp(context, curve, said, ink) {
  if (!said) return;
  const dotted = said !== "carried";
  Object.assign(context, { globalAlpha: 0.5, lineCap: dotted ? "round" : "butt" });
  context.setLineDash(dotted ? [0.1, 14] : []);
  stroke(context, curve, { carried: ink["stood-for"], unclear: ink.warn }[said] ?? ink.lost, 9);
  context.setLineDash([]);
  Object.assign(context, { globalAlpha: 1, lineCap: "butt" });
}

// At the lower left corner of a node; in the middle under a thin one.
function factsOnNode(each) {
  const wide = each.width;
  return { x: wide < 30 ? each.x - 8 : each.x - wide / 2 - 6, y: each.y + HALF + 1 };
}

// Whether everything between two places lies beyond the left or right edge of the view.
export function outside({ left, right }, one, other) {
  return Math.max(one, other) < left || Math.min(one, other) > right;
}

function stroke(context, [from, near, far, to], colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(...from);
  context.bezierCurveTo(...near, ...far, ...to);
  context.stroke();
}

function drawOver(context, byId, walk, at, { ink, view, sides, here, selected, refused, numbers: most }) {
  strikes(context, byId, at, { ink, view, here });
  const stacks = numbers(context, byId, walk, at, { ink, view, most });
  const now = byId.get(here);
  const beyond = [...byId.values()].filter((each) => !outside(view, each.x, each.x));
  const taken = stacks.map(({ left, top, wide, high }) => ({ left, right: left + wide, top, bottom: top + high }));
  if (now) ring(context, now, ink, stateAt(now.changes, at), { others: beyond, sides, taken, at });
  for (const { each, words, colour } of wordsBelow(beyond, at, { here, refused, ink })) {
    const wide = widthOf(context, words);
    const from = wholeIn(sides, each.x - wide / 2, wide);
    const y = each.y + HALF + 19;
    if (taken.some(({ left, right, top, bottom }) => left < from + wide + 8 && from < right + 8 && top < y + 9 && y - 9 < bottom)) continue;
    taken.push({ left: from, right: from + wide, top: y - 9, bottom: y + 9 });
    onGround(context, words, [from, y], { ink, colour });
  }
  const chosen = byId.get(selected);
  if (chosen && chosen !== now) frame(context, chosen, 4, ink.soft, 1.5, [3, 3]);
}

// The curve of a move: along the tree's edge, or left of it if it goes back.
function path(from, to, back) {
  const down = to.y >= from.y;
  const start = [from.x - (back ? 8 : 0), from.y + (down ? HALF : -HALF)];
  const end = [to.x - (back ? Math.min(16, to.width / 3) : 0), to.y + (down ? -HALF : HALF)];
  const reach = (end[1] - start[1]) * 0.45;
  const aside = back ? -22 : 0;
  return [start, [start[0] + aside, start[1] + reach], [end[0] + aside, end[1] - reach], end];
}

export function arrow(context, from, to, colour) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(...to);
  for (const turn of [-0.45, 0.45]) context.lineTo(to[0] - 11 * Math.cos(angle + turn), to[1] - 11 * Math.sin(angle + turn));
  context.closePath();
  context.fill();
}

// The walk's numbers, above the lower node of each move: right of its middle going down, left of it going back.
// Several moves along one edge stand over one another. Older numbers that newer ones would lie over are left out; the table has all.
function numbers(context, byId, walk, at, { ink, view, most }) {
  const bubbles = new Map();
  for (const move of walk) {
    const [from, to] = [byId.get(move.from), byId.get(move.to)];
    if (!from || !to || outside(view, from.x, to.x) || !stateAt(move.changes, at)) continue;
    const back = move.kind === "back";
    const low = from.y > to.y ? from : to;
    const key = `${move.from} ${move.to}`;
    const bubble = bubbles.get(key) ?? { x: low.x, y: low.y - HALF - 17, back, labels: [] };
    bubble.labels.push(move.label);
    bubbles.set(key, bubble);
  }
  const stacks = [...bubbles.values()].map((each) => ({ ...each, ...extentOf(context, each, stacked(each.labels, most)) }));
  const shown = withRoom(stacks);
  for (const each of shown) stack(context, each, { ink, colour: each.back ? ink.lost : ink.ink });
  return shown;
}

// Of what would lie over one another the newest, by the last number of each.
export function withRoom(stacks) {
  const newest = [...stacks].sort((one, other) => other.labels.at(-1) - one.labels.at(-1));
  const meets = (one, other) => one.left < other.left + other.wide && other.left < one.left + one.wide && one.top < other.top + other.high && other.top < one.top + one.high;
  return newest.reduce((kept, each) => (kept.some((other) => meets(each, other)) ? kept : [...kept, each]), []);
}

// The numbers of the moves over one edge, one over another from the newest down: all, if there are at most so many (the picture keeps room
// for them), otherwise the first ones and the newest.
export function stacked(labels, most) {
  const shown = labels.length > most ? [...labels.slice(0, most - 2), "⋮", labels.at(-1)] : labels;
  return shown.toReversed();
}

// Where a stack of numbers stands on a point: left of it for moves that go back, else right of it.
function extentOf(context, { x, y, back }, lines) {
  context.font = `700 15px ${FONT}`;
  const wide = Math.max(23, ...lines.map((line) => context.measureText(line).width + 11));
  const high = NUMBER * lines.length + 4;
  return { lines, wide, high, left: back ? x - wide - 0.5 : x + 0.5, top: y + 11 - high };
}

function stack(context, { lines, left, top, wide, high }, { ink, colour }) {
  context.font = `700 15px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(left, top, wide, high, 11);
  context.fill();
  context.fillStyle = ink.ground;
  lines.forEach((line, n) => context.fillText(line, left + wide / 2, top + 3 + NUMBER * (n + 0.5)));
}

function strikes(context, byId, at, { ink, view, here }) {
  for (const each of byId.values()) {
    if (outside(view, each.x, each.x) || each.kind !== "node" || each.id === here || stateAt(each.changes, at) !== "back") continue;
    context.strokeStyle = ink.lost;
    context.lineWidth = 1.5;
    context.font = `15px ${FONT}`;
    const [words = "", below] = (stateAt(each.labels ?? [], at) ?? "").split("\n");
    const free = below ? 0 : context.measureText(words).width / 2 + 3; // a line through a lone number would hide it
    const reach = Math.min(each.width / 2 - 8, free + 26);
    context.beginPath();
    for (const side of reach > free ? [-1, 1] : []) {
      context.moveTo(each.x + side * free, each.y + 1);
      context.lineTo(each.x + side * reach, each.y + 1);
    }
    context.stroke();
  }
}

export function frame(context, each, gap, colour, width, dashes = []) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dashes);
  context.beginPath();
  context.roundRect(each.x - each.width / 2 - gap, each.y - HALF - gap, each.width + 2 * gap, 2 * (HALF + gap), 8 + gap);
  context.stroke();
  context.setLineDash([]);
}

// The ring around the current node; one that has children has a word for it beside it where no other node is, else above it, whole between
// the sides of the view. A leaf has its words below it.
function ring(context, each, ink, state, { others, sides, taken, at }) {
  frame(context, each, roomForRing(each, others), ink.ink, 3);
  if (each.leaf) return;
  const words = [nameWithoutRoom(each, at), WHERE_IT_IS[state] ?? "here, now"].filter(Boolean).join(" · ");
  onGround(context, words, beside(each, widthOf(context, words), others, { sides, taken }), { ink, colour: colourOfState(state, ink) });
}

// How far the ring is from its node: its line, 3 wide, lies over no neighbour.
export function roomForRing(each, others) {
  const beside = others.filter((other) => other !== each && other.id !== each.id && Math.abs(other.y - each.y) < HALF);
  const room = Math.min(...beside.map((other) => Math.abs(other.x - each.x) - (other.width + each.width) / 2));
  return Math.max(2, Math.min(6, room - 2));
}

// The name of a node that has no room for it; empty for others.
function nameWithoutRoom(each, at) {
  return !each.labels || stateAt(each.labels, at)?.trim() ? "" : each.name.replace(/^part /, "");
}

const WHERE_IT_IS = { back: "↩ turned back", answer: "◆ answered here" };
const colourOfState = (state, ink) => ({ back: ink.lost, answer: ink.evidence })[state] ?? ink.ink;

// What stands below nodes, the most important first: that the reader is at a leaf, what was refused, and the names of nodes without room
// for theirs, of those that the walk came to last. Words without room are left out: a node's tooltip and the table name it, too.
export function wordsBelow(nodes, at, { here, refused, ink }) {
  const found = nodes.flatMap((each) => {
    const state = stateAt(each.changes, at);
    if (!state || state === "hidden" || each.kind !== "node") return [];
    const choices = refused.filter(({ id }) => id === each.id).map(({ words }) => `✕ ${words}`);
    const isHere = each.id === here && each.leaf;
    const name = ["built", "unseen"].includes(state) || (each.id === here && !each.leaf) ? "" : nameWithoutRoom(each, at);
    const words = [name, isHere && (WHERE_IT_IS[state] ?? "here, now"), ...choices].filter(Boolean).join(" · ");
    const since = each.changes.findLast(([step]) => step <= at)[0];
    const rank = isHere ? 0 : choices.length ? 1 : state === "offered" ? 3 : 2;
    return words ? [{ each, words, rank, since, colour: isHere ? colourOfState(state, ink) : choices.length ? ink.lost : colourOfState(state, ink) }] : [];
  });
  return found.sort((one, other) => one.rank - other.rank || other.since - one.since);
}

function widthOf(context, words) {
  context.font = `600 15px ${FONT}`;
  return context.measureText(words).width;
}

function onGround(context, words, [x, y], { ink, colour }) {
  const wide = widthOf(context, words);
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = ink.paper;
  context.fillRect(x - 3, y - 9, wide + 6, 18);
  context.fillStyle = colour;
  context.fillText(words, x, y + 1);
}

// Where words of this width lie over no other node and nothing else that is `taken`, whole in view: right of a node, left of it, or above it
// beside its numbers.
export function beside(each, wide, others, { sides, taken = [] }) {
  const gap = each.width / 2 + 14;
  const boxes = others.filter((other) => other !== each).map(({ x, y, width }) => ({ left: x - width / 2, right: x + width / 2, top: y - HALF, bottom: y + HALF }));
  const above = [0, 1, 2].map((line) => each.y - HALF - 16 - NUMBER * line);
  const places = [[each.x + gap, each.y], [each.x - gap - wide, each.y], ...above.flatMap((y) => [[each.x + 30, y], [each.x - 30 - wide, y]])];
  const free = ([from, y]) => wholeIn(sides, from, wide) === from && ![...boxes, ...taken].some(({ left, right, top, bottom }) => left < from + wide && from < right && top < y + 8 && y - 8 < bottom);
  return places.find(free) ?? [wholeIn(sides, each.x + 30, wide), above[0]];
}

// Where words that would begin at `from` begin, so that they are whole between the sides of the view.
function wholeIn({ left, right }, from, wide) {
  return Math.max(left, Math.min(from, right - wide));
}

// The style of a tree of parts.
export const TREE = {
  half: HALF,
  knownHere: "the known answer stands here",
  builds: "The tree it builds",
  look,
  drawUnder,
  drawOver,
  factsAt: factsOnNode,
  Card: NodeCard,
  fills: true,
  words: (each, picture) => picture.texts[each.id] ?? "",
  field: "Find a part by its words",
  one: "part",
  many: "parts",
  nothing: "No part's summary has these words.",
  empty: "There is no tree to draw.",
  columns: ["Part", "At this step", "Its summary begins"],
};
