// Where a graph's panel looks, as numbers: how large the picture is drawn and how far apart, the place nearest to a wanted one at which
// nothing beyond the picture is shown, and the shortest way to bring a node into view with its surroundings. Pure: no page. `half` is
// half of what the panel shows, each way.
import { apart } from "./graph_ids.js";
import { LABEL, aroundNode } from "./graph_nodes.js";

export const LEGIBLE = 13 / LABEL; // the smallest scale
export const LEGIBLE_PART = 16 / LABEL; // the smallest on Stage, of a picture that is not whole
export const LARGEST = 1.1;
export const BESIDE = 80; // what is out of view by less than this may reach into it
const HALF_TALL = 20; // of the tallest node

const AXES = [["x", "left", "right"], ["y", "top", "bottom"]];

// The scale at which all of a box fits into a panel of this size.
export function scaleToFit(box, size) {
  return Math.min(size.x / (box.right - box.left), size.y / (box.bottom - box.top));
}

// The scale on Stage: the whole picture where its labels are legible then, however much smaller than the other words; otherwise a part
// of it that is as high as the picture, with labels no larger than those. `most` is the scale at which everything fits, `tall` that at
// which its height does, `letters` that of the other words.
export function scaleOnStage(most, letters, tall) {
  return most < LEGIBLE ? Math.min(letters, Math.max(LEGIBLE_PART, tall)) : Math.min(1.5 * letters, most);
}

// The scale at which the height of a box fits into a panel of this size.
export function scaleToHeight(box, size) {
  return size.y / (box.bottom - box.top);
}

// By how much nodes are drawn apart, each way, until they fill the panel at no more than the `largest` scale and no less than the `least`.
export function spreadOf(nodes, box, size, largest = LARGEST, least = LEGIBLE) {
  const zoomed = Math.min(largest, Math.max(least, scaleToFit(box, size)));
  return {
    x: apart(nodes.map(({ x }) => x), size.x / zoomed - (box.right - box.left), 3),
    y: apart(nodes.map(({ y }) => y), size.y / zoomed - (box.bottom - box.top), 2),
  };
}

// The nearest middle to `place` that shows nothing beyond `box`; the middle of the box where all of it fits.
export function within(place, box, half) {
  return Object.fromEntries(AXES.map(([axis, low, high]) => [axis, held(place[axis], box[low], box[high], half[axis])]));
}

// Whether every node's box is in view; what is around the boxes need not be.
export function allInView(nodes, { left, right, top, bottom }) {
  return nodes.every(({ x, y, width }) => x - width / 2 >= left && x + width / 2 <= right && y - HALF_TALL >= top && y + HALF_TALL <= bottom);
}

// The middle nearest to `at` at which a node is in view with its surroundings and, where there is room, its parent.
export function reachOf(each, parent, { at, box, half }) {
  const aim = { ...at };
  for (const [axis, low, high] of AXES) {
    if (box[high] - box[low] > 2 * half[axis]) {
      const [from, to] = aroundNode(each, parent, axis, 2 * half[axis]);
      if (from < aim[axis] - half[axis]) aim[axis] = from + half[axis];
      if (to > aim[axis] + half[axis]) aim[axis] = to - half[axis];
    }
  }
  return within(aim, box, half);
}

// The middle at which one node surely is in view, and of some others as many as lie near it.
export function middleOfAll(nodes, surely, { box, half }) {
  const near = [surely, ...nodes.filter((each) => AXES.every(([axis]) => Math.abs(each[axis] - surely[axis]) < 1.5 * half[axis]))];
  const aim = {};
  for (const [axis] of AXES) {
    const all = near.map((each) => each[axis]);
    const room = Math.max(0, half[axis] - (axis === "x" ? surely.width / 2 + 12 : 40));
    aim[axis] = Math.min(surely[axis] + room, Math.max(surely[axis] - room, (Math.min(...all) + Math.max(...all)) / 2));
  }
  return within(aim, box, half);
}

function held(at, low, high, half) {
  return high - low <= 2 * half ? (low + high) / 2 : Math.min(high - half, Math.max(low + half, at));
}
