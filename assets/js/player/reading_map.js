// The reading map: the whole text from left to right, and for each stretch whether the model saw it raw, saw a summary or memory of it,
// or neither. A click, or the keys when it has the focus, goes to a place.
import { el, inks, sheet } from "./dom.js";
import { outOfView, placeByKey, placeInWords } from "./places.js";
import { createStairs } from "./reading_stairs.js";
import { stateAt } from "./steps.js";
import { term } from "./terms.js";

const TOP = 7;
const BAR = 15;
const NARROWEST = 4; // pixels of the place of a step

// `beside`: what stands right of it.
export function createMap(player, beside) {
  const stairs = createStairs(player);
  const through = { memory: `through a ${player.frames.picture?.called ?? "memory"}`, calls: "through an earlier reply" }[player.frames.kind] ?? "through a summary";
  const canvas = el("canvas", { class: "map", tabindex: 0, role: "slider", "aria-label": "Reading map: a place in the text", "aria-valuemin": 0, "aria-valuemax": 100 });
  const size = el("span", { class: "size" });
  const known = el("span", { hidden: "" }, el("i", { class: "key known" }), "known place");
  const distractor = el("span", { hidden: "" }, el("i", { class: "key distractor", text: "▽" }), term("distractor", "distractor"));
  const evidence = el("span", {}, el("i", { class: "key evidence" }), term("evidence", "evidence"));
  const nearest = el("span", {}, el("i", { class: "key nearest" }), "nearest to the answer, which need not be stated there");
  const left = el("span", { hidden: "" }, el("i", { class: "key left" }), "has left the view");
  const next = el("span", { hidden: "" }, el("i", { class: "key next" }), "for a later call");
  const stoodFor = el("span", {}, el("i", { class: "key stood-for" }), through);
  const before = el("span", {}, el("i", { class: "key raw before" }), "at an earlier step");
  const legend = el("p", { class: "legend" },
    el("span", {}, el("i", { class: "key raw" }), el("span", { class: "own-words" }, "shown ", term("raw", "raw"))),
    before, left, next,
    stoodFor,
    el("span", {}, el("i", { class: "key none" }), "not covered"),
    evidence, nearest, known, distractor, size);
  let cursor = 0;
  let placed = null; // a place chosen by hand; kept until the step changes in another way
  let drawn = -1;

  const chars = () => Math.max(1, player.frames.text.chars);
  const offsetAt = (event) => Math.floor(((event.clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth) * chars());
  const goTo = (offset) => {
    player.goToPlace(offset);
    placed = offset;
    draw(player.at);
  };
  canvas.addEventListener("click", (event) => goTo(offsetAt(event)));
  canvas.addEventListener("mousemove", (event) => (canvas.title = describe(offsetAt(event))));
  canvas.addEventListener("keydown", (event) => {
    const place = placeByKey(event.key, cursor, chars());
    if (place === null) return;
    cursor = place;
    event.preventDefault();
    event.stopPropagation();
    goTo(cursor);
  });
  const describe = (offset) => placeInWords(player.frames, offset, player.at, through);

  function draw(at) {
    const { context, width } = sheet(canvas);
    if (!width) return;
    const ink = inks(player.root);
    const { text, cells, marks, steps } = player.frames;
    const x = (offset) => (offset / chars()) * width;
    context.strokeStyle = ink["not-covered"];
    context.lineWidth = 1;
    context.strokeRect(0.5, TOP + 0.5, width - 1, BAR - 1);
    const hatched = hatch(context, ink["stood-for"]);
    for (const [start, end, state] of stretchesCovered(cells, at, chars() / width)) {
      context.fillStyle = state === 2 ? ink.raw : hatched;
      context.globalAlpha = state === 2 ? 0.55 : 0.8;
      const left = Math.round(x(start)); // whole pixels: neighbours neither overlap nor leave a gap
      context.fillRect(left, TOP, Math.max(1, Math.round(x(end)) - left), BAR);
    }
    context.globalAlpha = 1;
    ticks(context, text.landmarks, x, ink);
    for (const cut of steps[at]?.cuts ?? []) cutLine(context, x(cut), ink);
    here(context, steps[at], x, ink, at < player.frames.building);
    const gone = outOfView(player.frames, at);
    for (const [start, end] of gone) strike(context, x(start), x(end), ink);
    const brought = player.frames.picture?.aims?.[at];
    for (const [start, end] of brought?.fresh ? brought.spans : []) drawRing(context, ringOnMap(x(start), Math.max(4, x(end) - x(start)), x(chars())), ink, true);
    const [found, near] = player.ends() ? [marks.evidence, marks.nearest ?? []] : [[], []];
    for (const [start, end] of found) diamond(context, x((start + end) / 2), ink, { solid: true });
    for (const [start, end] of near) diamond(context, x((start + end) / 2), ink, { dashes: [3, 2] });
    for (const [start, end] of player.known?.evidence ?? []) diamond(context, x((start + end) / 2), ink);
    for (const [start, end] of player.known?.distractors ?? []) triangle(context, x((start + end) / 2), ink);
    stairs.draw(at);
    if (at !== drawn) placed = null;
    drawn = at;
    cursor = placed ?? steps[at]?.focus[0]?.[0] ?? cursor;
    if (placed !== null) pin(context, x(placed), ink);
    canvas.setAttribute("aria-valuenow", Math.round((100 * cursor) / chars()));
    canvas.setAttribute("aria-valuetext", describe(cursor));
    evidence.hidden = !found.length;
    nearest.hidden = !near.length;
    const now = steps[at]?.raw ? steps[at].focus : [];
    before.hidden = !cells.some(([from, to, changes]) => stateAt(changes, at) === 2 && !now.some(([start, end]) => start <= from && to <= end));
    stoodFor.hidden = !cells.some(([, , changes]) => stateAt(changes, at) === 1);
    left.hidden = !gone.length;
    next.hidden = !brought?.fresh;
    known.hidden = !player.known?.evidence.length;
    distractor.hidden = !player.known?.distractors?.length;
    size.textContent = [text.size, text.landmarks.length ? "headings as ticks" : "", "click to go there"].filter(Boolean).join(" · ");
  }

  // Where the reader is: ringed, and solid if it reads there raw. While it builds, the first place is the one that was opened; the others
  // are what else the prompt held.
  function here(context, step, x, ink, builds) {
    for (const [n, [start, end]] of (step?.focus ?? []).entries()) {
      const from = x(start);
      const wide = Math.max(NARROWEST, x(end) - from);
      const ringed = !(builds && n);
      const around = ringOnMap(from, wide, x(chars()));
      if (step.raw) {
        context.fillStyle = ink.raw;
        context.fillRect(from, TOP, Math.min(wide, x(chars()) - from), BAR);
        if (ringed) context.fillRect(withinRing(from, wide, around)[0], TOP, withinRing(from, wide, around)[1], BAR);
      }
      if (!ringed) continue;
      drawRing(context, around, ink);
    }
  }

  return { node: el("div", { class: "map-box" }, el("div", {}, stairs.node, canvas), beside), legend, draw };
}

// The stretches that were covered at a step, each with its state; neighbours that are alike are one, so that no joint shows, also where
// there is less than a `pixel` of characters between them.
export function stretchesCovered(cells, at, pixel) {
  const made = [];
  for (const [start, end, changes] of cells) {
    const [state, last] = [stateAt(changes, at), made.at(-1)];
    if (state && last?.[2] === state && start - last[1] < pixel) last[1] = end;
    else if (state) made.push([start, end, state]);
  }
  return made;
}

// The ring around a place on a map of this width: whole, with the place within it also at either end of the text.
export function ringOnMap(from, wide, width) {
  const left = Math.max(1.5, Math.min(from - 3, width - 1.5 - NARROWEST - 6));
  return { left, wide: Math.min(width - 1.5, Math.max(from + wide + 3, left + NARROWEST + 6)) - left };
}

// Where a place is drawn within its ring: it ends where it ends, also where the ring was moved into the map, and is wide enough to be seen.
export function withinRing(from, wide, ring) {
  const [first, last] = [ring.left + 3, ring.left + ring.wide - 3];
  const left = Math.min(Math.max(from, first), last - NARROWEST);
  return [left, Math.max(NARROWEST, Math.min(from + wide, last) - left)];
}

// A ring around a place; one for a later call is dashed, also where it lies on that of the step.
function drawRing(context, { left, wide }, ink, later = false) {
  context.lineWidth = 2.5;
  context.beginPath();
  context.roundRect(left, TOP - 5, wide, BAR + 10, 3);
  for (const [colour, dashes] of later ? [[ink.paper, []], [ink.ink, [3, 3]]] : [[ink.ink, []]]) {
    context.strokeStyle = colour;
    context.setLineDash(dashes);
    context.stroke();
  }
  context.setLineDash([]);
}

// Where a part begins, at the step that cut the text.
function cutLine(context, x, ink) {
  context.fillStyle = ink.ink;
  context.fillRect(Math.max(0, x - 0.75), TOP - 4, 1.5, BAR + 8);
}

function ticks(context, landmarks, x, ink) {
  context.fillStyle = ink.soft;
  for (const [at] of landmarks) context.fillRect(x(at), TOP + BAR + 2, 1.5, 7);
}

// Through what has left the view, with paper around the line: the step that put it out may have read it raw.
function strike(context, from, to, ink) {
  context.fillStyle = ink.paper;
  context.fillRect(from + 1, TOP + BAR / 2 - 2.5, to - from - 2, 5);
  context.fillStyle = ink.lost;
  context.fillRect(from + 1, TOP + BAR / 2 - 1, to - from - 2, 2);
}

// The place chosen by hand: a line across the bar with a head below it.
function pin(context, x, ink) {
  context.fillStyle = ink.ink;
  context.fillRect(x - 1, TOP - 5, 2, BAR + 10);
  context.beginPath();
  context.moveTo(x, TOP + BAR + 1);
  context.lineTo(x + 5, TOP + BAR + 10);
  context.lineTo(x - 5, TOP + BAR + 10);
  context.fill();
}

// Solid where the answer is stated, dashed where the text is only nearest to it, hollow at a known place.
function diamond(context, x, { evidence: colour, paper }, { solid = false, dashes = [] } = {}) {
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x + 7, 8);
  context.lineTo(x, 16);
  context.lineTo(x - 7, 8);
  context.closePath();
  context.fillStyle = solid ? colour : paper;
  context.strokeStyle = solid ? paper : colour;
  context.lineWidth = 1.5;
  context.fill();
  context.setLineDash(dashes);
  context.stroke();
  context.setLineDash([]);
}

// Hollow and on its point: a place that speaks for a wrong answer.
function triangle(context, x, ink) {
  context.beginPath();
  context.moveTo(x - 7, 1);
  context.lineTo(x + 7, 1);
  context.lineTo(x, 14);
  context.closePath();
  context.fillStyle = ink.paper;
  context.strokeStyle = ink.warn;
  context.lineWidth = 1.75;
  context.fill();
  context.stroke();
}

let pattern = { colour: "", made: null };

function hatch(context, colour) {
  if (pattern.colour !== colour) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    for (const shift of [-8, 0, 8]) {
      pen.beginPath();
      pen.moveTo(shift - 1, 9);
      pen.lineTo(shift + 9, -1);
      pen.stroke();
    }
    pattern = { colour, made: context.createPattern(tile, "repeat") };
  }
  return pattern.made;
}
