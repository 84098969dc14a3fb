// Words on the canvas of a net that cover nothing: a label goes to the first of several places that no box and no earlier label has.
// Also which nodes are seen at a step, and which relation is under the pointer.
import { stateAt } from "../player/steps.js";
import { seen } from "./graph_nodes.js";

export const TALL = 14; // half the height of a box
export const tallOf = ({ kind }) => (kind === "segment" ? 20 : TALL);
const NEAR = 9; // pixels from a line at which the pointer is on it
const ALONG = [0.5, 0.4, 0.6, 0.32, 0.68];
const ASIDE = [0, -16, 16, -33, 33];

// The boxes of all nodes seen at a step: left, top, right, bottom.
export function boxesAt(byId, at) {
  return [...byId.values()].filter((each) => seen(each, at)).map((each) => boxOf(each));
}

export function boxOf(each) {
  return [each.x - each.width / 2, each.y - tallOf(each), each.x + each.width / 2, each.y + tallOf(each)];
}

export const overlaps = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

// Whether a line between two points goes through a box.
export function passes([x1, y1], [x2, y2], [left, top, right, bottom]) {
  const shares = (from, to, low, high) => (from === to ? [low < from && from < high ? 0 : 1, 1] : [(low - from) / (to - from), (high - from) / (to - from)].sort((one, other) => one - other));
  const [x, y] = [shares(x1, x2, left, right), shares(y1, y2, top, bottom)];
  return Math.max(0, x[0], y[0]) < Math.min(1, x[1], y[1]);
}

// The box of a label of this size between two points that covers none of `taken`; null if there is none.
export function freeBetween([x1, y1], [x2, y2], [wide, high], taken) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const across = [-(y2 - y1) / long, (x2 - x1) / long];
  for (const aside of ASIDE) {
    for (const along of ALONG) {
      const x = x1 + (x2 - x1) * along + across[0] * aside;
      const y = y1 + (y2 - y1) * along + across[1] * aside;
      const box = [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
      if (!taken.some((other) => overlaps(box, other))) return box;
    }
  }
  return null;
}

// The box of a label of this size beside an entity that covers none of `taken`; null if there is none.
export function freeBeside(each, [wide, high], taken) {
  const places = [[each.x, each.y + tallOf(each) + 8 + high / 2], [each.x, each.y - tallOf(each) - 8 - high / 2], [each.x - each.width / 2 - 12 - wide / 2, each.y], [each.x + each.width / 2 + 12 + wide / 2, each.y]];
  const boxes = places.map(([x, y]) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2]);
  return boxes.find((box) => !taken.some((other) => overlaps(box, other))) ?? null;
}

// The whole words of the relation under a point at a step; "" if there is none.
export function wordsAt({ x, y }, byId, edges, at) {
  if ([...byId.values()].some((each) => seen(each, at) && overlaps([x, y, x, y], boxOf(each)))) return ""; // an entity has its own
  const wordsOf = (edge) => edge.words ?? saidAt(edge, at).map(([words]) => words).join(" · ");
  const near = edges.findLast((edge) => wordsOf(edge) && stateAt(edge.changes, at) && distance(x, y, byId.get(edge.from), byId.get(edge.to), at) < NEAR);
  return near ? wordsOf(near) : "";
}

// What is said of a pair at a step: [words, ref, from which step, until which].
export const saidAt = ({ said = [] }, at) => said.filter(([, , since, until]) => since <= at && at < (until ?? Infinity));

function distance(x, y, from, to, at) {
  if (!from || !to || !seen(from, at) || !seen(to, at)) return Infinity;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const share = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - from.x - share * dx, y - from.y - share * dy);
}
