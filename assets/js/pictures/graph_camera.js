// Where a graph's panel looks, as numbers: the place nearest to a wanted one at which nothing beyond the picture is shown, and the
// shortest way to bring a node into view with its surroundings. Pure: no page. `half` is half of what the panel shows, each way.
import { aroundNode } from "./graph_nodes.js";

const AXES = [["x", "left", "right"], ["y", "top", "bottom"]];

// The nearest middle to `place` that shows nothing beyond `box`; the middle of the box where all of it fits.
export function within(place, box, half) {
  return Object.fromEntries(AXES.map(([axis, low, high]) => [axis, held(place[axis], box[low], box[high], half[axis])]));
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

function held(at, low, high, half) {
  return high - low <= 2 * half ? (low + high) / 2 : Math.min(high - half, Math.max(low + half, at));
}
