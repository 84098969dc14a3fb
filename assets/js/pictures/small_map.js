// The whole picture as a small map, under a panel that shows only a part of it: a mark for every node, and a frame around the part in
// view. It is drawn to fill its strip, so it is no smaller copy; a click or a pull on it moves the view there.
import { el, sheet } from "../player/dom.js";

const MARGINS = 3; // pixels free at each side
const SMALLEST = { wide: 2, high: 3 }; // of a mark

// `moveTo` gets a place of the picture: the middle of what is to be in view.
export function createSmallMap(moveTo) {
  const canvas = el("canvas", { class: "whole-map", hidden: "", "aria-hidden": "true", title: "The whole picture; click to go there" });
  let range = null;

  const pull = (event) => {
    if (event.type === "pointermove" && event.buttons !== 1) return;
    const box = canvas.getBoundingClientRect();
    moveTo(placeOn(range, { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }));
  };
  for (const kind of ["pointerdown", "pointermove"]) canvas.addEventListener(kind, pull);

  // `view`: left, right, top and bottom of what the panel shows; `colourOf` gives a node's colour.
  function draw(nodes, { bounds, view, here, colourOf, ink }) {
    if (canvas.hidden) return;
    range = bounds;
    const { context, width, height } = sheet(canvas);
    const x = (at) => MARGINS + (width - 2 * MARGINS) * share(at, bounds.left, bounds.right);
    const y = (at) => MARGINS + (height - 2 * MARGINS) * share(at, bounds.top, bounds.bottom);
    for (const each of nodes) {
      const half = each.width / 2;
      const [left, right] = [x(each.x - half), x(each.x + half)];
      context.fillStyle = each.id === here ? ink.ink : colourOf(each);
      context.fillRect(left, y(each.y) - SMALLEST.high / 2, Math.max(SMALLEST.wide, right - left - 1), SMALLEST.high);
    }
    if (!nodes.length) return;
    context.strokeStyle = ink.ink;
    context.lineWidth = 1.5;
    const [left, top] = [Math.max(1, x(view.left)), Math.max(1, y(view.top))];
    context.strokeRect(left, top, Math.min(width - 1, x(view.right)) - left, Math.min(height - 1, y(view.bottom)) - top);
  }

  return { node: canvas, draw };
}

function share(at, from, to) {
  return (at - from) / Math.max(1, to - from);
}

// The place of a picture under a point of its map, both by their shares of the width and the height.
export function placeOn(range, { x, y }) {
  return { x: range.left + x * (range.right - range.left), y: range.top + y * (range.bottom - range.top) };
}
