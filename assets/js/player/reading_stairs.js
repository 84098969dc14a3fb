// Above the reading map, for a reader that goes through the text once: one stair per step, and look-backs as arcs.
import { el, inks, sheet } from "./dom.js";

const LIFT = 6; // room above the stairs for the ring
const ROOM_OF_ARCS = 8; // more room for arcs
const MANY_BENDS = 80; // above this number, arcs have no arrowheads

export function createStairs(player) {
  const node = el("canvas", { class: "stairs", "aria-hidden": "true", hidden: "" });
  let known = null;
  let backs = []; // for each memory: the one it looked back to, or -1

  function draw(at) {
    const { picture, text } = player.frames;
    const visible = picture?.kind === "memory";
    node.hidden = !visible;
    if (!visible) return;
    if (known !== picture) [known, backs] = [picture, looksBack(picture.snapshots)];
    const looking = backs.some((back) => back >= 0);
    const lift = LIFT + (looking ? ROOM_OF_ARCS : 0);
    node.classList.toggle("looking-back", looking);
    const { context, width, height } = sheet(node);
    if (!width) return;
    const ink = inks(player.root);
    const { snapshots, here } = picture;
    const number = here[at] ?? -1;
    const x = (offset) => (offset / Math.max(1, text.chars)) * width;
    const rise = Math.min(7, (height - lift - 6) / Math.max(1, snapshots.length - 1));
    const y = (n) => lift + 3 + n * rise;
    stairs(context, { snapshots, x, y }, { from: 0, to: number, colour: ink.raw, wide: 3 });
    if (player.ends()) stairs(context, { snapshots, x, y }, { from: number + 1, to: snapshots.length - 1, colour: ink["not-covered"], wide: 1 });
    if (number < 0) return;
    const middle = (n) => x((snapshots[n].span[0] + snapshots[n].span[1]) / 2);
    const ends = (n) => [{ x: middle(n), y: y(n) }, { x: middle(backs[n]), y: y(backs[n]) }];
    context.strokeStyle = ink.model;
    context.globalAlpha = 0.45;
    context.lineWidth = 1;
    context.beginPath();
    const before = backs.flatMap((back, n) => (back >= 0 && n <= number ? [n] : []));
    for (const n of before) bend(context, ends(n), before.length <= MANY_BENDS);
    context.stroke();
    context.globalAlpha = 1;
    if (snapshots[number].step !== at) return; // an answer is read nowhere
    if (backs[number] >= 0) {
      context.lineWidth = 2.5;
      context.beginPath();
      bend(context, ends(number), true);
      context.stroke();
    }
    const [start, end] = snapshots[number].span;
    context.lineWidth = 2.5;
    context.strokeStyle = ink.ink;
    context.strokeRect(x(start) + 0.5, y(number) - 4, Math.max(6, x(end) - x(start) - 1), 8);
  }

  return { node, draw };
}

function stairs(context, { snapshots, x, y }, { from, to, colour, wide }) {
  if (to < from) return;
  context.strokeStyle = colour;
  context.lineWidth = wide;
  context.beginPath();
  for (let n = from; n <= to; n++) {
    const [start, end] = snapshots[n].span;
    context.moveTo(x(start) + 1, y(n));
    context.lineTo(Math.max(x(start) + 2, x(end) - 1), y(n));
  }
  context.stroke();
}

function looksBack(snapshots) {
  const byStep = new Map(snapshots.map(({ step }, n) => [step, n]));
  return snapshots.map(({ callback }) => byStep.get(callback?.recalled) ?? -1);
}

// An arc back to an earlier stair, with an arrowhead.
function bend(context, [from, to], head) {
  const top = Math.min(from.y, to.y) - 4 - Math.min(ROOM_OF_ARCS + LIFT, 6 + Math.abs(from.x - to.x) / 20); // of the handles: the arc stays below
  context.moveTo(from.x, from.y - 4);
  context.bezierCurveTo(from.x, top, to.x, top, to.x, to.y - 5);
  if (!head) return;
  context.moveTo(to.x - 4, to.y - 10);
  context.lineTo(to.x, to.y - 5);
  context.lineTo(to.x + 5, to.y - 9);
}
