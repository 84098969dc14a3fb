// The stepper: a track with a mark for every step, the buttons first, previous, play, next and last, and the step's sentence.
import { html, render } from "../../vendor/preact.js";
import { el, inks, sheet } from "./dom.js";
import { createLanes } from "./lanes.js";
import { Icon, holding } from "./parts.js";
import { createSentence } from "./sentence.js";
import { mayFold, nearestStep, placesOnTrack } from "./step_places.js";
import { markAt, phaseAt } from "./steps.js";
import { Termed } from "./terms.js";

const PAD = 12;
const CLOSE = 11; // pixels between steps below which plain steps get no mark
const SECONDS = 2;
const [SETTLES, HEARD] = [400, 5000]; // milliseconds until a step is read out, so that fast stepping is not, and until it was heard
const SPEEDS = [0.5, 1, 2, 4];
const WIDEST = 300; // pixels for where a step is, on two lines
const LONGER = 0.68; // of its words, what the longer line may hold: a line does not break within a term

// `others` are the buttons after the stepper's own.
export function createStepper(player, others = []) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Step", on: { input: () => pulled || player.go(Number(slider.value)) } });
  const row = el("div", { class: "row" });
  const sentence = createSentence(player);
  const live = el("p", { class: "visually-hidden", dir: "auto", "aria-live": "polite" });
  const speed = el("select", { "aria-label": "Speed", title: "Speed of playing", class: "speed", on: { change: () => timer && toggle(true) } });
  for (const times of SPEEDS) speed.append(el("option", { value: times, text: `${times}×`, selected: times === 1 && "" }));
  const node = el("div", { class: "stepper" }, row);
  let timer = 0;
  let pulled = false; // by a pointer: the place on the track counts, not the slider's value
  let unfolded = false;
  let said = null; // the sentence that was told last; that of the first step shown is not read out
  let reserved = null; // [the steps for which room is kept, that room]

  function unfold() {
    unfolded = !unfolded;
    draw(player.at);
  }

  function pull(event) {
    pulled = event.type !== "pointerup" && event.buttons === 1;
    if (!pulled || !player.frames.steps.length) return;
    const { left } = canvas.getBoundingClientRect();
    player.go(nearestStep(player.frames.steps.length, places().x, event.clientX - left));
  }
  for (const kind of ["pointerdown", "pointermove", "pointerup"]) slider.addEventListener(kind, pull);

  const places = () => placesOnTrack(player.frames.steps.length, player.frames.building, { width: canvas.clientWidth, pad: PAD, open: unfolded });

  function toggle(on = !timer) {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (player.at >= player.reach) player.go(0);
      timer = setInterval(advance, (1000 * SECONDS) / Number(speed.value));
    }
    drawRow(player.at);
  }
  function advance() {
    if (player.at >= player.reach && !player.frames.live) return toggle(false);
    player.go(player.at + 1);
    if (player.halts(true)) toggle(false);
  }

  player.keys.on({
    next: () => player.go(player.at + 1),
    previous: () => player.go(player.at - 1),
    first: () => player.go(0),
    last: () => player.go(player.last),
    play: () => toggle(),
  });

  // What step is shown, of which phase, and where in the reading.
  function whereOf(at) {
    const { steps, phases } = player.frames;
    const step = steps[at];
    if (!step) return ["no step yet"];
    return [`step ${at + 1} of ${steps.length}`, step.changed && "≠ changed here", phaseAt(phases, at)?.name, step.where].filter(Boolean);
  }

  // Room for the longest place, so that nothing moves while stepping.
  function roomOfPlaces() {
    const { steps } = player.frames;
    if (reserved?.[0] === steps) return reserved[1];
    const pen = canvas.getContext("2d");
    pen.font = "14px Source Sans, sans-serif";
    const widest = steps.reduce((most, _, n) => Math.max(most, pen.measureText(whereOf(n).join(" · ")).width), 0);
    const digits = 2 * String(steps.length).length + 8; // "step 9 of 24", with room for the last step's digits
    reserved = [steps, `--step-of: ${digits}ch; width: ${Math.min(WIDEST, Math.ceil(widest * LONGER) + 12)}px`];
    return reserved[1];
  }

  function drawRow(at) {
    const { frames, last, reach, go, staged } = player;
    const { steps, phases, building } = frames;
    const place = staged && steps[at] ? whereOf(at).slice(0, 1) : whereOf(at);
    const [group, count] = [`${phases[0]?.name ?? ""} · `, `${building} `];
    render(html`
      <${StepButton} name="First step (Home)" shape="first" off=${at <= 0} press=${() => go(0)} />
      <${StepButton} name="Previous step (left arrow)" shape="previous" off=${at <= 0} press=${() => go(at - 1)} />
      <${StepButton} name=${timer ? "Pause (space)" : "Play (space)"} shape=${timer ? "pause" : "play"} kind="main" press=${() => toggle()} />
      <${StepButton} name="Next step (right arrow)" shape="next" off=${at >= reach} press=${() => go(at + 1)} />
      <${StepButton} name="Last step (End)" shape="last" off=${at >= reach} press=${() => go(last)} />
      ${mayFold(steps.length, building) && html`<button type="button" class="tool building" aria-expanded=${unfolded} aria-label=${`${group}${building} steps`}
        title=${unfolded ? "Show these steps as one group" : "Show each of these steps on the track"} onClick=${unfold}><span class="building-name">${group}</span><span>${count}${unfolded ? "▾" : "▸"}</span></button>`}
      <div class="track" ref=${holding(canvas, slider)} />
      <p class="where" style=${roomOfPlaces()}>${place.map((words, n) => html`${n > 0 && " · "}<${Termed} frames=${frames} words=${words} />`)}</p>`, row);
  }

  function draw(at) {
    const step = player.frames.steps[at];
    if (Number(slider.max) !== player.last) slider.max = player.last;
    if (Number(slider.value) !== at) slider.value = at;
    slider.setAttribute("aria-valuetext", `${whereOf(at).join(" · ")}: ${step?.say ?? ""}`);
    drawRow(at);
    sentence.draw(step);
    track(at);
    lanes.draw(at);
    readOut(step?.say ?? "");
  }

  // Tells who listens what the step that was gone to did, and then goes: who reads on hears each sentence once, where it stands.
  function readOut(words) {
    if (words === said) return;
    clearTimeout(live.timer);
    live.textContent = "";
    if (said !== null) live.timer = setTimeout(() => announce(words), SETTLES);
    said = words;
  }
  function announce(words) {
    live.textContent = words;
    live.timer = setTimeout(() => (live.textContent = ""), HEARD);
  }

  function track(at) {
    const { steps, phases } = player.frames;
    const { context, width, height } = sheet(canvas);
    if (!width || !steps.length) return;
    const ink = inks(player.root);
    const { folded, gap, x } = places();
    const middle = height / 2;
    line(context, ink.line, x(0), x(player.last), middle);
    line(context, ink.ink, x(0), x(at), middle);
    context.setLineDash([2, 3]);
    context.lineWidth = 1.5;
    context.strokeStyle = ink.soft;
    for (const { from } of phases.slice(1)) {
      const border = (x(from) + x(from - 1)) / 2;
      context.beginPath();
      context.moveTo(border, 3);
      context.lineTo(border, height - 3);
      context.stroke();
    }
    context.setLineDash([]);
    steps.forEach((_, n) => {
      const mark = markAt(steps, n, at, player.ends());
      const plain = mark === "write" || mark === "look" || mark === "raw";
      if (n === at || n < folded) return;
      if (gap >= CLOSE) shape(context, mark, x(n), middle, n <= at, ink);
      else if (!plain) tick(context, x(n), middle, gap, n <= at ? tone(mark, ink) : ink["not-covered"]);
    });
    if (folded) fold(context, { from: x(0), to: x(folded - 1), now: x(Math.min(at, folded - 1)) }, middle, ink);
    for (const { at: stop, options } of player.frames.stops ?? []) if (stop >= folded) noted(context, x(stop), height, options ? ink.model : ink.soft);
    const changed = steps.findIndex((step) => step.changed);
    if (changed >= 0) flag(context, x(changed), ink);
    circle(context, x(at), middle, 9, ink.paper, ink.ink, 4);
    circle(context, x(at), middle, 3.5, ink.raw, ink.raw, 1);
  }

  const lanes = createLanes(player, () => ({ left: canvas.parentElement.offsetLeft - row.offsetLeft, width: canvas.parentElement.offsetWidth, x: places().x, last: player.last }));
  node.append(lanes.node, el("div", { class: "line" }, sentence.node, el("div", { class: "step-tools" }, speed, ...others)), live);
  return { node, draw, fit: sentence.fit, destroy: () => toggle(false), play: () => toggle(true) };
}

// A button that may do nothing at a step: not `disabled`, which would lose the focus.
const StepButton = ({ name, shape, off, kind = "", press }) =>
  html`<button type="button" class=${`step-button ${kind}`} aria-label=${name} title=${name} aria-disabled=${off} onClick=${press}><${Icon} name=${shape} /></button>`;

function line(context, colour, from, to, y) {
  context.strokeStyle = colour;
  context.lineWidth = 4;
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to, y);
  context.stroke();
}

function circle(context, x, y, radius, fill, stroke, width) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.fill();
  context.stroke();
}

// The mark of a step: square = written, circle = opened, cross = turned back or ended, diamond = answered, triangle = warning.
function shape(context, mark, x, y, past, ink) {
  const colour = past ? tone(mark, ink) : ink["not-covered"];
  context.strokeStyle = colour;
  context.fillStyle = past && mark !== "write" && mark !== "look" ? colour : ink.paper;
  context.lineWidth = 2;
  context.beginPath();
  if (mark === "write") context.rect(x - 5, y - 5, 10, 10);
  else if (mark === "answer") polygon(context, [[x, y - 8], [x + 8, y], [x, y + 8], [x - 8, y]]);
  else if (mark === "warn") polygon(context, [[x, y - 7], [x + 7, y + 6], [x - 7, y + 6]]);
  else if (mark === "back" || mark === "ended") {
    context.lineWidth = 3;
    context.moveTo(x - 6, y - 6);
    context.lineTo(x + 6, y + 6);
    context.moveTo(x + 6, y - 6);
    context.lineTo(x - 6, y + 6);
  } else context.arc(x, y, 6, 0, 2 * Math.PI);
  if (mark !== "back" && mark !== "ended") context.fill();
  context.stroke();
}

function tone(mark, ink) {
  return { write: ink["stood-for"], raw: ink.raw, look: ink.raw, back: ink.lost, answer: ink.evidence, ended: ink.lost, warn: ink.warn }[mark];
}

// A closed group of steps: one box, filled as far as they are done.
function fold(context, { from, to, now }, y, ink) {
  context.fillStyle = ink.paper;
  context.strokeStyle = ink["stood-for"];
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(from - 7, y - 9, to - from + 14, 18, 4);
  context.fill();
  context.stroke();
  context.globalAlpha = 0.35;
  context.fillStyle = ink["stood-for"];
  context.fillRect(from - 6, y - 8, now - from + 12, 16);
  context.globalAlpha = 1;
}

// A small triangle pointing down at the step that a fork changed.
function flag(context, x, ink) {
  context.fillStyle = ink.model;
  context.beginPath();
  polygon(context, [[x - 6, 0], [x + 6, 0], [x, 7]]);
  context.fill();
}

// A small triangle pointing up below a step with a note, a pause, or a choice to predict.
function noted(context, x, height, colour) {
  context.fillStyle = colour;
  context.beginPath();
  polygon(context, [[x - 5, height], [x + 5, height], [x, height - 6]]);
  context.fill();
}

// For steps so close together that shapes would overlap.
function tick(context, x, y, gap, colour) {
  const wide = Math.min(3, Math.max(1, gap * 0.6));
  context.globalAlpha = gap < 1 ? 0.35 : 1;
  context.fillStyle = colour;
  context.fillRect(x - wide / 2, y - 8, wide, 16);
  context.globalAlpha = 1;
}

function polygon(context, points) {
  points.forEach(([x, y], n) => (n ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}
