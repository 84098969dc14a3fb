// The nodes of a graph: as vis-network takes them, whether they are seen, and the range they need; and the empty network.
import { el } from "../player/dom.js";
import { stateAt } from "../player/steps.js";

export const LABEL = 15; // pixels of a label at scale 1
const MARGIN = 44;
const ROOM_ABOVE = 34; // above the middle of a node
const NODE_TALL = { stub: 22, entity: 28 }; // pixels of a node's height; otherwise 40

// A node at its place, not styled yet.
export function unstyled(each) {
  const tall = NODE_TALL[each.kind] ?? 40;
  return { id: each.id, x: each.x, y: each.y, label: each.label, hidden: true, widthConstraint: { minimum: each.width, maximum: each.width }, heightConstraint: { minimum: tall, valign: "middle" } };
}

// A node's tooltip, as text.
export const tipOf = (each, words) => el("div", { class: "tip", text: [each.name, words.slice(0, 160)].filter(Boolean).join(": ") });

// Whether a node is drawn at a step.
export const seen = (each, at) => (stateAt(each.changes, at) ?? "hidden") !== "hidden";

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

// The range that all nodes need.
export function boundsOf(all) {
  return {
    left: Math.min(...all.map((each) => each.x - each.width / 2)) - MARGIN,
    right: Math.max(...all.map((each) => each.x + each.width / 2)) + MARGIN,
    top: Math.min(...all.map((each) => each.y)) - ROOM_ABOVE,
    bottom: Math.max(...all.map((each) => each.y)) + 62,
  };
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
