// The nodes of a graph: as vis-network takes them, where they stand, the range they need, and their table; and the empty network.
import { el } from "../player/dom.js";

export const LABEL = 15; // pixels of a label at scale 1
const MARGIN = 44;
const ROOM_ABOVE = 34; // above the middle of a node
const ROOM_FOR_WORD = 54; // where a word may stand above it, too

// A node at its place, not styled yet; its tooltip is text.
export function unstyled(each, words) {
  const title = el("div", { class: "tip", text: [each.name, words.slice(0, 160)].filter(Boolean).join(": ") });
  const tall = { dot: each.width, stub: each.walk ? 22 : 40 }[each.kind] ?? 40;
  return { id: each.id, x: each.x, y: each.y, title, label: each.label, hidden: true, widthConstraint: { minimum: each.width, maximum: each.width }, heightConstraint: { minimum: tall, valign: "middle" } };
}

// A network without edges; these are drawn on its canvas. It needs a pointer: the table is for the keyboard, so it is no tab stop.
export function newNetwork(vis, canvas, nodes) {
  const network = new vis.Network(canvas, { nodes, edges: [] }, {
    physics: false,
    autoResize: true,
    interaction: { dragNodes: false, zoomView: false, hover: true, keyboard: false, selectConnectedEdges: false, tooltipDelay: 250 },
    nodes: { shape: "box", margin: 1, borderWidthSelected: 2, chosen: false, fixed: true, shapeProperties: { borderRadius: 8 } },
  });
  const drawing = canvas.querySelector(".vis-network");
  drawing.tabIndex = -1;
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", "The picture; the button Table shows the same in words");
  return network;
}

// Move a node to its place of the walk, or back to that of the net; without a place there it is away.
export function moveTo(each, walking) {
  [each.x, each.y] = (walking && each.walk) || each.net;
  each.away = walking ? !each.walk : each.kind === "stub" && Boolean(each.walk);
  each.walking = walking;
}

// The range that all nodes and heads need; dots alone only if there is nothing else.
export function boundsOf(nodes, heads) {
  const boxes = nodes.filter((each) => each.kind !== "dot" && !each.away);
  const all = boxes.length ? boxes : nodes;
  return {
    left: Math.min(...all.map((each) => each.x - each.width / 2)) - MARGIN,
    right: Math.max(...all.map((each) => each.x + each.width / 2)) + MARGIN,
    top: Math.min(...all.map((each) => each.y - (each.walking ? ROOM_FOR_WORD : ROOM_ABOVE)), ...heads.map(({ y }) => y - 12)),
    bottom: Math.max(...all.map((each) => each.y)) + 62,
  };
}

// The mean of the places of all nodes.
export function centreOf(nodes) {
  const mean = (axis) => nodes.reduce((sum, each) => sum + each[axis], 0) / Math.max(1, nodes.length);
  return { x: mean("x"), y: mean("y") };
}

// The nodes as a table, and its line for each of them.
export function tableOf(nodes, style, { press, picture }) {
  const lines = el("tbody");
  const rows = new Map();
  for (const each of nodes) {
    const name = el("button", { type: "button", text: each.name, on: { click: () => press(each.id) } });
    const line = el("tr", {}, el("td", { class: `row-${Math.min(8, each.row)}` }, name), el("td", { class: "state" }), el("td", { text: style.words(each, picture).slice(0, 140) }));
    rows.set(each.id, line);
    lines.append(line);
  }
  return { rows, table: el("table", {}, el("thead", {}, el("tr", {}, ...style.columns.map((text) => el("th", { scope: "col", text })))), lines) };
}

// What of an axis has to be in view with a node: its surroundings, and its parent if both fit into `room`.
export function aroundNode(each, parent, axis, room) {
  const near = Math.min(axis === "x" ? each.width / 2 + 96 : 110, room / 2);
  const alone = [each[axis] - near, each[axis] + near];
  if (!parent) return alone;
  const beside = axis === "x" ? parent.width / 2 + 12 : 40;
  const both = [Math.min(alone[0], parent[axis] - beside), Math.max(alone[1], parent[axis] + beside)];
  return both[1] - both[0] <= room ? both : alone;
}
