// How a net is drawn: entities as boxes (dots if there are many), relations as thin lines, the walk bold and numbered over them.
import { stateAt } from "../player/steps.js";
import { createEntityCard } from "./entity_card.js";
import { arrow, bubble, FONT, frame, outside, ring } from "./graph_marks.js";
import { createWeighed } from "./weighed.js";

const TALL = 21; // half the height of a box

function lookOfEntity(each, state, here, ink) {
  const dot = each.kind === "dot";
  const calm = { hidden: state === "hidden", borderWidth: 1.5, color: { background: ink.paper, border: ink["not-covered"] }, font: { color: ink.soft, size: dot ? 1 : 15, face: FONT }, shapeProperties: { borderDashes: false, borderRadius: dot ? 5 : 8 } };
  if (each.kind === "stub") return { ...calm, borderWidth: 1, color: { background: ink.ground, border: ink["not-covered"] }, shapeProperties: { borderDashes: [2, 3], borderRadius: 16 } };
  const font = { ...calm.font, color: ink.ink };
  if (state === "start") return { ...calm, borderWidth: 3, color: { background: ink.ground, border: ink.ink }, font };
  if (state === "taken") return { ...calm, borderWidth: 2.5, color: { background: ink.paper, border: ink.raw }, font };
  if (state === "candidate") return { ...calm, borderWidth: 2, color: { background: ink.paper, border: ink.raw }, font, shapeProperties: { ...calm.shapeProperties, borderDashes: [4, 3] } };
  if (state === "named") return { ...calm, borderWidth: 2.5, color: { background: dot ? ink.evidence : ink.paper, border: ink.evidence }, font };
  if (state === "left") return { ...calm, borderWidth: 2, color: { background: ink.paper, border: ink.lost }, font: { ...font, color: ink.lost }, shapeProperties: { ...calm.shapeProperties, borderDashes: [5, 3] } };
  return here ? { ...calm, font } : calm;
}

function drawRelations(context, byId, edges, at, { ink, view }) {
  for (const edge of edges) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    const state = stateAt(edge.changes, at);
    if (!from || !to || !state || outside(view, from.x, to.x)) continue;
    if (edge.kind === "walk") {
      drawMove(context, from, to, edge.changes[0][0] === at, ink);
      continue;
    }
    const weighed = edge.changes.some(([step, change]) => step === at && change === "weighed");
    context.setLineDash(weighed ? [5, 4] : []);
    straight(context, from, to, weighed ? ink.raw : ink.line, weighed ? 2 : 1.25);
    context.setLineDash([]);
  }
}

function drawMove(context, from, to, newest, ink) {
  context.globalAlpha = newest ? 1 : 0.75;
  straight(context, from, to, ink.raw, 4);
  arrow(context, [from.x, from.y], edgeOf(from, to), ink.raw);
  context.globalAlpha = 1;
}

function straight(context, from, to, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

// Where a line from `from` meets the box of `to`.
function edgeOf(from, to) {
  const [across, down] = [from.x - to.x, from.y - to.y];
  const half = [to.width / 2 + 3, (to.kind === "dot" ? to.width / 2 : TALL) + 3];
  const share = Math.min(1, half[0] / Math.max(1, Math.abs(across)), half[1] / Math.max(1, Math.abs(down)));
  return [to.x + across * share, to.y + down * share];
}

function drawWalk(context, byId, walk, at, { ink, view, here, selected }) {
  for (const each of byId.values()) if (stateAt(each.changes, at) === "left" && !outside(view, each.x, each.x)) strikeOut(context, each, ink);
  for (const [move, labels] of together(walk, at)) {
    const [from, to] = [byId.get(move.from), byId.get(move.to)];
    if (!from || !to || outside(view, from.x, to.x)) continue;
    const [tip, tail] = [edgeOf(from, to), edgeOf(to, from)];
    bubble(context, labels, (tip[0] + tail[0]) / 2, (tip[1] + tail[1]) / 2, { ink, colour: ink.ink, side: 0 });
  }
  nameDots(context, byId, at, ink, view);
  const now = byId.get(here);
  if (now) ring(context, { ...now, leaf: true }, ink, "");
  const chosen = byId.get(selected);
  if (chosen && chosen !== now) frame(context, chosen, 4, ink.soft, 1.5, [3, 3]);
}

// The names of the dots that the current segment mentions, as far as they fit without overlapping.
function nameDots(context, byId, at, ink, view) {
  const named = [...byId.values()].filter((each) => each.kind === "dot" && stateAt(each.changes, at) === "named" && !outside(view, each.x, each.x));
  const taken = [...byId.values()].filter((each) => each.kind !== "dot").map((each) => [each.x - each.width / 2, each.y - TALL, each.x + each.width / 2, each.y + TALL]);
  context.font = `400 14px ${FONT}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { x, y, name } of named) {
    const text = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    const box = [x + 10, y - 9, x + 14 + context.measureText(text).width, y + 9];
    if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
    taken.push(box);
    context.fillStyle = ink.paper;
    context.fillRect(box[0], box[1], box[2] - box[0], 18);
    context.fillStyle = ink.ink;
    context.fillText(text, x + 12, y + 1);
  }
}

// The moves so far, grouped by relation.
function together(walk, at) {
  const moves = new Map();
  for (const move of walk) {
    if (!stateAt(move.changes, at)) continue;
    const key = [move.from, move.to].sort().join(" ");
    const known = moves.get(key) ?? [move, []];
    known[1].push(move.label);
    moves.set(key, known);
  }
  return moves.values();
}

function strikeOut(context, each, ink) {
  straight(context, { x: each.x - each.width / 2 + 8, y: each.y + 1 }, { x: each.x + each.width / 2 - 8, y: each.y + 1 }, ink.lost, 1.5);
}

// The style of a net of entities.
export const NET = {
  half: TALL,
  knownHere: "named where the known answer stands",
  look: lookOfEntity,
  drawUnder: drawRelations,
  drawOver: drawWalk,
  createCard: createEntityCard,
  createPanel: createWeighed,
  words: (each, picture) => picture.cards[each.id]?.relations.map(({ name, texts }) => texts[0] ?? name).join(" ") ?? "",
  field: "Find an entity by its name",
  one: "entity",
  many: "entities",
  namesAll: true,
  nothing: "No entity has these words in its name.",
  empty: "No name was found in this text, so there is no net to draw.",
  columns: ["Entity", "At this step", "Its relations begin"],
};
