// How a net is drawn: segments of the text and entities as boxes, relations as thin lines, the walk bold over them, with numbers and
// words. What is written on it covers no name (net_labels.js).
import { stateAt } from "../player/steps.js";
import { EntityCard } from "./entity_card.js";
import { drawFactBadges, widthOfBadges } from "./fact_badges.js";
import { factPath } from "./fact_marks.js";
import { arrow, FONT, outside } from "./graph_marks.js";
import { seen } from "./graph_nodes.js";
import { boxesAt, boxOf, freeBeside, freeBetween, overlaps, passes, saidAt, tallOf, wordsAt } from "./net_labels.js";
import { createWalk } from "./walk.js";
import { Weighed } from "./weighed.js";

const HALO = 10; // pixels between the box of an entity and a line that goes past under it
const HIGH = 20; // of a label on an edge
const ABOUT = ["named", "start", "taken", "candidate"]; // states of entities that a step is about

function lookOfNode(each, state, here, ink) {
  const segment = each.kind === "segment";
  const calm = { hidden: state === "hidden", borderWidth: 1.5, color: { background: ink.paper, border: segment ? ink["not-covered"] : ink.line }, font: { color: segment ? ink.ink : ink.soft, size: 15, face: FONT }, shapeProperties: { borderDashes: false, borderRadius: segment ? 4 : 14 } };
  const font = { ...calm.font, color: ink.ink };
  const bordered = (border, borderWidth, about = {}) => ({ ...calm, borderWidth, color: { background: ink.paper, border }, font, ...about });
  const dashed = (...dashes) => ({ shapeProperties: { ...calm.shapeProperties, borderDashes: dashes } });
  if (state === "shown") return { ...bordered(ink.raw, 2), color: { background: ink.raw, border: ink.raw }, font: { ...font, color: ink.paper } };
  if (state === "start") return bordered(ink.ink, 3);
  if (state === "taken") return bordered(ink.raw, 2.5);
  if (state === "candidate") return bordered(ink.raw, 2, dashed(4, 3));
  if (state === "named") return bordered(ink.evidence, 2.5);
  if (state === "left") return bordered(ink.lost, 2, { font: { ...font, color: ink.lost }, ...dashed(5, 3) });
  return here ? bordered(ink.ink, 1.5) : calm;
}

// What a step is about: the segment or the entity where it is, and the entities that it names, weighs or reached.
function focusOfNet(byId, at) {
  return [...byId.values()].filter((each) => each.kind === "entity" && ABOUT.includes(stateAt(each.changes, at)));
}

function drawRelations(context, byId, edges, at, { ink, view }) {
  const drawn = [...byId.values()].filter((each) => seen(each, at));
  for (const edge of edges) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (!from || !to || !stateAt(edge.changes, at) || outside(view, from.x, to.x) || !seen(from, at) || !seen(to, at)) continue;
    context.save();
    keepApart(context, from, to, drawn);
    drawEdge(context, edge, { from, to, at, ink });
    context.restore();
  }
}

// A line that passes under the box of another entity ends before it, or it would look like a relation of that entity.
function keepApart(context, from, to, drawn) {
  const [left, top, right, bottom] = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x), Math.max(from.y, to.y)];
  for (const each of drawn) {
    const box = boxOf(each);
    if (each === from || each === to || !overlaps(box, [left, top, right, bottom]) || !passes([from.x, from.y], [to.x, to.y], box)) continue;
    context.beginPath();
    context.rect(left - 20, top - 20, right - left + 40, bottom - top + 40);
    context.rect(box[0] - HALO, box[1] - HALO, box[2] - box[0] + 2 * HALO, box[3] - box[1] + 2 * HALO);
    context.clip("evenodd");
  }
}

function drawEdge(context, edge, { from, to, at, ink }) {
  const found = edge.changes[0][0] === at;
  if (edge.kind === "walk") return drawMove(context, from, to, found, ink);
  if (edge.kind === "stands") return drawStanding(context, from, to, at, { ink, found });
  const weighed = edge.changes.some(([step, change]) => step === at && change === "weighed");
  if (factPath(edge.facts ?? [], edge.facts ?? [])) factBand(context, from, to, ink["stood-for"]);
  context.setLineDash(weighed ? [5, 4] : []);
  const fresh = edge.kind === "relation" && edge.made.includes(at); // what a step wrote of a pair, not a pair of new names
  straight(context, from, to, weighed ? ink.raw : fresh ? ink.evidence : ink.line, weighed || fresh ? 2 : 1.25);
  context.setLineDash([]);
}

// In which segment an entity stands: as the step found it, and of segments in view; other lines would hide the net.
function drawStanding(context, entity, segment, at, { ink, found }) {
  const state = stateAt(entity.changes, at);
  const named = state === "named" && found;
  if (!(named || (["start", "taken"].includes(state) && stateAt(segment.changes, at) === "shown"))) return;
  context.setLineDash([1, 5]);
  straight(context, entity, segment, named ? ink.evidence : ink.raw, 1.5);
  context.setLineDash([]);
}

function drawMove(context, from, to, newest, ink) {
  context.globalAlpha = newest ? 1 : 0.75;
  straight(context, from, to, ink.raw, 4);
  arrow(context, [from.x, from.y], edgeOf(from, to), ink.raw);
  context.globalAlpha = 1;
}

// Broad under a relation that says a followed fact.
function factBand(context, from, to, colour) {
  context.globalAlpha = 0.5;
  straight(context, from, to, colour, 9);
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
  const half = [to.width / 2 + 3, tallOf(to) + 3];
  const share = Math.min(1, half[0] / Math.max(1, Math.abs(across)), half[1] / Math.max(1, Math.abs(down)));
  return [to.x + across * share, to.y + down * share];
}

function drawWalk(context, byId, walk, at, { ink, view, sides, here, selected, edges }) {
  const taken = [...boxesAt(byId, at), ...beyond(sides)];
  const unseen = (from, to) => !from || !to || outside(view, from.x, to.x) || !seen(from, at) || !seen(to, at);
  for (const each of byId.values()) if (stateAt(each.changes, at) === "left" && seen(each, at) && !outside(view, each.x, each.x)) strikeOut(context, each, ink);
  for (const edge of edges) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (edge.facts?.length && stateAt(edge.changes, at) && !unseen(from, to)) factsOnRelation(context, edge.facts, { from, to }, { ink, taken });
  }
  for (const [move, labels] of [...together(walk, at)].reverse()) {
    const [from, to] = [byId.get(move.from), byId.get(move.to)];
    if (!unseen(from, to)) onEdge(context, { from, to, numbers: labels, words: move.changes[0][0] === at ? move.short : "" }, { ink, taken });
  }
  const walked = new Set(walk.filter((move) => stateAt(move.changes, at)).map((move) => pairOf(move)));
  for (const edge of edges.filter((each) => !walked.has(pairOf(each)))) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    const weighed = edge.kind === "relation" && edge.short && edge.changes.some(([step, change]) => step === at && change === "weighed");
    if (weighed && !unseen(from, to)) onEdge(context, { from, to, numbers: [], words: edge.short }, { ink, taken });
  }
  const now = byId.get(here);
  if (now && seen(now, at)) ringAround(context, now, ink, taken);
  const chosen = byId.get(selected);
  if (chosen && chosen !== now) frameNode(context, chosen, { gap: 4, colour: ink.soft, width: 1.5, dashes: [3, 3] });
}

function frameNode(context, each, { gap, colour, width, dashes = [] }) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dashes);
  context.beginPath();
  context.roundRect(each.x - each.width / 2 - gap, each.y - tallOf(each) - gap, each.width + 2 * gap, 2 * (tallOf(each) + gap), 8 + gap);
  context.stroke();
  context.setLineDash([]);
}

// On a relation, the numbers of its moves and its words, as far as there is room: both, the numbers alone, or nothing.
function onEdge(context, { from, to, numbers, words = "" }, { ink, taken }) {
  const [tip, tail] = [edgeOf(from, to), edgeOf(to, from)];
  const number = numbers.length > 3 ? `${numbers[0]} … ${numbers.at(-1)}` : numbers.join(", ");
  const wide = number ? Math.max(22, measured(context, number, 700) + 11) : 0;
  for (const said of words ? [words, ""] : [""]) {
    if (!said && !number) return;
    const long = said ? measured(context, said, 400) + 10 : 0;
    const box = freeBetween(tail, tip, [wide + long, HIGH + 2], taken);
    if (!box) continue;
    taken.push(box);
    pill(context, box, { number, wide, said, ink });
    return;
  }
}

// On a relation, what it says of the facts that are followed.
function factsOnRelation(context, facts, { from, to }, { ink, taken }) {
  const long = widthOfBadges(facts);
  const ends = [edgeOf(to, from), edgeOf(from, to)];
  const [left, top, right, bottom] = freeBetween(...ends, [long + 8, 26], taken) ?? [(from.x + to.x - long) / 2 - 4, (from.y + to.y) / 2 - 13, 0, (from.y + to.y) / 2 + 13];
  drawFactBadges(context, facts, { x: left + 4, y: (top + bottom) / 2, ink, font: FONT });
  taken.push([left, top, Math.max(right, left + long + 8), bottom]);
}

function measured(context, words, weight) {
  context.font = `${weight} 15px ${FONT}`;
  return context.measureText(words).width;
}

function pill(context, [left, top, right], { number, wide, said, ink }) {
  const middle = top + HIGH / 2 + 1;
  context.textBaseline = "middle";
  if (said) {
    context.fillStyle = ink.paper;
    context.beginPath();
    context.roundRect(left, top, right - left, HIGH + 2, 11);
    context.fill();
    context.font = `400 15px ${FONT}`;
    context.textAlign = "left";
    context.fillStyle = number ? ink.ink : ink.soft;
    context.fillText(said, left + wide + 5, middle + 1);
  }
  if (!number) return;
  context.fillStyle = ink.ink;
  context.beginPath();
  context.roundRect(left, top, wide, HIGH + 2, 11);
  context.fill();
  context.font = `700 15px ${FONT}`;
  context.textAlign = "center";
  context.fillStyle = ink.ground;
  context.fillText(number, left + wide / 2, middle + 1);
}

// The ring around the current entity, with a word for it where there is room.
function ringAround(context, each, ink, taken) {
  frameNode(context, each, { gap: 6, colour: ink.ink, width: 3 });
  const words = "here, now";
  const box = freeBeside(each, [measured(context, words, 600) + 6, 18], taken.filter((other) => !(other[0] < each.x && each.x < other[2] && other[1] < each.y && each.y < other[3])));
  if (!box) return;
  context.fillStyle = ink.paper;
  context.fillRect(box[0], box[1], box[2] - box[0], 18);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = ink.ink;
  context.fillText(words, box[0] + 3, box[1] + 10);
}

// What is beyond the edges of the view: no word may be cut there.
const beyond = ({ left, right, top, bottom }) => [[-Infinity, -Infinity, left, Infinity], [right, -Infinity, Infinity, Infinity], [-Infinity, -Infinity, Infinity, top], [-Infinity, bottom, Infinity, Infinity]];

const pairOf = (edge) => [edge.from, edge.to].sort().join(" ");

// The moves so far, grouped by relation.
function together(walk, at) {
  const moves = new Map();
  for (const move of walk) {
    if (!stateAt(move.changes, at)) continue;
    const key = pairOf(move);
    const known = moves.get(key) ?? [move, []];
    known[1].push(move.label);
    moves.set(key, known);
  }
  return moves.values();
}

function strikeOut(context, each, ink) {
  straight(context, { x: each.x - each.width / 2 + 8, y: each.y + 1 }, { x: each.x + each.width / 2 - 8, y: each.y + 1 }, ink.lost, 1.5);
}

// The style of a net of segments and entities.
export const NET = {
  half: 14,
  knownHere: "named where the known answer stands",
  look: lookOfNode,
  focus: focusOfNet,
  drawUnder: drawRelations,
  drawOver: drawWalk,
  factsAt: (each) => ({ x: each.x - each.width / 2 - 6, y: each.y + tallOf(each) + 1 }),
  Card: EntityCard,
  Panel: Weighed,
  createWalk,
  wordsAt,
  words: (each, picture, at) => picture.cards[each.id]?.relations.flatMap((each) => saidAt(each, at).slice(0, 1)).map(([words]) => words).join(" ") ?? "",
  field: "Find an entity by its name",
  one: "entity",
  many: "entities",
  nothing: "No entity has these words in its name.",
  empty: "No name was found in this text, so there is no net to draw.",
  columns: ["Entity", "At this step", "Its relations begin"],
};
