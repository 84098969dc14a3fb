// How the marks of followed facts are drawn in a picture: the marks of the lifelines, on a page and on a canvas. Solid: raw before the
// model; hatched: a text says it; ≠ ? ✕: with another value, cannot be told, no longer; in a ring: its fate was decided here.
import { html } from "../../vendor/preact.js";
import { el } from "../player/dom.js";
import { drawn } from "../player/parts.js";
import { factWords } from "./fact_marks.js";

const BADGE_WIDE = 16; // of a badge on a canvas
const BADGE_TALL = 14;
const BADGE_RING = 12; // the radius of the ring around one
const BADGE_SIGNS = { altered: "≠", unclear: "?", lost: "✕" };

// The line of a legend; pictures that make their elements themselves hide it while nothing is marked.
export const FactKeyLine = () => html`<span class="fact-key"><i class="life-mark carried" /><i class="life-mark lost" />what carries the followed fact</span>`;

export function factKeyLine() {
  return el("span", { class: "fact-key", hidden: "", "data-from": 0 }, el("i", { class: "life-mark carried" }), el("i", { class: "life-mark lost" }), "what carries the followed fact");
}

// The badges of some marks, on what carries the facts.
export function FactBadges({ marks }) {
  if (!marks.length) return null;
  const words = factWords(marks);
  return html`<span class="fact-marks" role="img" aria-label=${words} title=${words}>${marks.map(({ n, of, shape, raw, died }) =>
    html`<span class=${`fact-mark${died ? " died" : ""}`}>${of > 1 && html`<b data-n=${n + 1} />`}<i class=${`life-mark ${shape.replace(" ", "-")}${raw ? " and-raw" : ""}`} /></span>`)}</span>`;
}

// The same for pictures that make their elements themselves.
export const factBadges = (marks) => (marks.length ? drawn(html`<${FactBadges} marks=${marks} />`) : "");

// The badges on a canvas, from a place to the right; returns their box: left, top, right, bottom.
export function drawFactBadges(context, marks, { x, y, ink, font }) {
  let left = x;
  for (const mark of marks) {
    if (mark.of > 1) left += badgeNumber(context, mark.n + 1, left, y, { ink, font });
    if (mark.died) badgeRing(context, left + BADGE_WIDE / 2, y, ink);
    oneBadge(context, mark, left, y, { ink, font });
    left += BADGE_WIDE + (mark.died ? BADGE_RING : 4);
  }
  return [x, y - BADGE_RING, left, y + BADGE_RING];
}

export const widthOfBadges = (marks) => marks.reduce((sum, { of, died }) => sum + BADGE_WIDE + (died ? BADGE_RING : 4) + (of > 1 ? 10 : 0), -4);

function badgeNumber(context, words, x, y, { ink, font }) {
  Object.assign(context, { font: `700 12px ${font}`, textAlign: "left", textBaseline: "middle", fillStyle: ink.paper });
  context.fillRect(x - 1, y - 7, 10, 14);
  context.fillStyle = ink.ink;
  context.fillText(String(words), x, y + 1);
  return 10;
}

function badgeRing(context, x, y, ink) {
  context.beginPath();
  context.arc(x, y, BADGE_RING, 0, 2 * Math.PI);
  Object.assign(context, { fillStyle: ink.paper, strokeStyle: ink.ink, lineWidth: 2.5 });
  context.fill();
  context.stroke();
}

function oneBadge(context, { shape, raw }, x, y, { ink, font }) {
  if (shape === "none") return;
  const top = y - BADGE_TALL / 2;
  const colour = { raw: ink.raw, carried: ink["stood-for"], unclear: ink.warn }[shape] ?? ink.lost;
  if (raw) {
    context.fillStyle = ink.raw;
    context.fillRect(x - 6, top, 5, BADGE_TALL);
  }
  context.save();
  context.beginPath();
  context.roundRect(x, top, BADGE_WIDE, BADGE_TALL, 3);
  context.fillStyle = shape === "raw" ? ink.raw : ink.paper;
  context.fill();
  if (shape === "carried") risingLines(context, [x - BADGE_TALL, top], { step: 5, until: BADGE_WIDE + BADGE_TALL, colour });
  if (shape === "left out") risingLines(context, [x, top], { step: BADGE_WIDE, until: 1, colour });
  context.restore();
  Object.assign(context, { strokeStyle: colour, lineWidth: 1.5 });
  context.setLineDash(shape === "lost" ? [3, 2] : []);
  context.beginPath();
  context.roundRect(x, top, BADGE_WIDE, BADGE_TALL, 3);
  context.stroke();
  context.setLineDash([]);
  if (!BADGE_SIGNS[shape]) return;
  Object.assign(context, { font: `700 12px ${font}`, textAlign: "center", textBaseline: "middle", fillStyle: colour });
  context.fillText(BADGE_SIGNS[shape], x + BADGE_WIDE / 2, y + 1);
}

// Rising lines within the shape that is being drawn.
function risingLines(context, [x, top], { step, until, colour }) {
  context.clip();
  Object.assign(context, { strokeStyle: colour, lineWidth: 2 });
  for (let along = 0; along < until; along += step) {
    context.beginPath();
    context.moveTo(x + along, top + BADGE_TALL);
    context.lineTo(x + along + BADGE_TALL, top);
    context.stroke();
  }
}
