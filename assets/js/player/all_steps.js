// All steps of a reading, under the map: a row each, from the first down, and the text from left to right as on the map. Solid is what the
// step's prompts held raw, hatched what stood behind the texts in them, an outline what it opened without showing it raw. A row goes to its step; rows of later steps are faint, or not there
// while the end is hidden. Of very many steps, several share a row.
import { html, render, useMemo } from "../../vendor/preact.js";
import { el } from "./dom.js";
import { markAt } from "./steps.js";

const MOST_STEP_ROWS = 120;
const TALLEST = 22; // pixels of a row
const ALL_ROWS = 420; // pixels of all rows
const WORDED = 17; // pixels from which on a row has words
const NUMBERED = 15; // pixels between two numbers
const DRAWN_APART = 600; // of this many stretches of a text, places closer than one are drawn as one
const ROW_MARKS = { back: "↩", answer: "◆", ended: "✕", warn: "!" };

// The rows of so many steps: the first and the last step of each.
export function stepRowsOf(count) {
  const each = Math.max(1, Math.ceil(count / MOST_STEP_ROWS));
  return Array.from({ length: Math.ceil(count / each) }, (_, n) => ({ from: n * each, to: Math.min(count, (n + 1) * each) - 1 }));
}

// Where these steps had the text raw, where behind what they were shown, and what else they opened; in order, as coarse as it is drawn.
export function stripsOf(steps, chars) {
  const places = (of) => joinedPlaces(steps.flatMap(of), chars / DRAWN_APART);
  return { raw: places(({ raw, focus }) => (raw ? focus : [])), through: places(({ through = [] }) => through), opened: places(({ raw, focus }) => (raw ? [] : focus)) };
}

function joinedPlaces(places, near) {
  const made = [];
  for (const [start, end] of places.toSorted((a, b) => a[0] - b[0])) {
    const last = made.at(-1);
    if (last && start - last[1] <= near) last[1] = Math.max(last[1], end);
    else made.push([start, end]);
  }
  return made;
}

// `changed` gives the other panes their new size.
export function createAllSteps(player, offered, changed) {
  let open = false;
  const node = el("section", { class: "card pane all-steps", hidden: "", "aria-label": "All steps of the reading" });
  const button = el("button", { type: "button", class: "tool all-steps-open", hidden: "", text: "All steps", on: { click: () => show(!open) } });
  if (offered) player.keys.on({ allSteps: () => !player.staged && show(!open) });

  function show(on) {
    open = on;
    changed();
    return true;
  }

  function draw(at) {
    const { steps } = player.frames;
    button.hidden = !offered || steps.length < 2;
    node.hidden = button.hidden || !open || player.staged;
    button.setAttribute("aria-expanded", String(!node.hidden));
    button.title = `${open ? "Hide" : "Show"} all steps under the map, one below another (m)`;
    const worded = ALL_ROWS / stepRowsOf(steps.length).length >= WORDED;
    player.root.classList.toggle("with-all-steps", !node.hidden);
    player.root.classList.toggle("with-worded-steps", !node.hidden && worded);
    if (!node.hidden) render(html`<${AllSteps} frames=${player.frames} at=${at} ends=${player.ends()} known=${player.known} worded=${worded} go=${player.go} />`, node);
  }

  return { node, button, draw };
}

function AllSteps({ frames, at, ends, known, worded, go }) {
  const { steps, text, marks } = frames;
  const chars = Math.max(1, text.chars);
  const rows = useMemo(() => stepRowsOf(steps.length).map((row) => ({ ...row, ...stripsOf(steps.slice(row.from, row.to + 1), chars) })), [steps]);
  const now = rows.findIndex(({ to }) => at <= to);
  const tall = Math.min(TALLEST, ALL_ROWS / rows.length);
  const every = [1, 2, 5, 10, 20, 50].find((some) => some * tall >= NUMBERED);
  const places = [...(ends ? [...marks.evidence.map((place) => [place, "stated"]), ...(marks.nearest ?? []).map((place) => [place, "nearest"])] : []), ...(known?.evidence ?? []).map((place) => [place, "nearest"])];
  const press = (event) => {
    const to = { ArrowUp: now - 1, ArrowLeft: now - 1, ArrowDown: now + 1, ArrowRight: now + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(rows[Math.min(rows.length - 1, Math.max(0, to))].from);
  };
  return html`<div class="head"><h2>All steps</h2><span>${rows[0].to ? `a row for every ${(rows[0].to + 1).toLocaleString("en")} steps` : "a row for each step"}, the text from left to right · press one to go there</span></div>
    <div class=${`all-rows${ends ? "" : " hides"}`} style=${{ "--row-tall": `${tall}px` }} tabindex="0" role="slider" aria-orientation="vertical" aria-label="All steps" aria-valuemin="1" aria-valuemax=${steps.length} aria-valuenow=${at + 1} aria-valuetext=${`step ${at + 1}: ${steps[at]?.say ?? ""}`} onKeyDown=${press}>
      ${rows.map((row, n) => {
        const state = n === now ? "now" : n < now ? "past" : "later";
        const shown = state === "now" && at < row.to ? { ...row, ...stripsOf(steps.slice(row.from, at + 1), chars) } : row; // of its later steps nothing
        return html`<${RowOfSteps} key=${n} row=${shown} step=${worded && steps[row.from]} numbered=${n % every === 0} state=${state} mark=${worded ? markAt(steps, row.from, at, ends) : ""} chars=${chars} go=${go} />`;
      })}
      <div class="answer-places" aria-hidden="true">${places.map(([[start, end], kind]) => html`<i class=${kind} style=${{ left: `${(50 * (start + end)) / chars}%` }} />`)}</div>
    </div>`;
}

function RowOfSteps({ row, step, numbered, state, mark, chars, go }) {
  const place = (kind) => ([start, end]) => html`<i class=${kind} style=${{ left: `${(100 * start) / chars}%`, width: `${(100 * (end - start)) / chars}%` }} />`;
  return useMemo(
    () => html`<div class=${`step-row ${state}`} onClick=${() => go(row.from)}>
      <b>${numbered && row.from + 1}${ROW_MARKS[mark] && html`<i class=${`row-mark ${mark}`}>${ROW_MARKS[mark]}</i>`}</b>
      <span class="row-where" title=${step.where}>${step.where}</span>
      <span class="row-strip">${row.through.map(place("through"))}${row.raw.map(place("raw"))}${row.opened.map(place("opened"))}</span>
      <span class="row-say" dir="auto" title=${step.say}>${step.say}</span>
    </div>`,
    [row, step, numbered, state, mark, chars],
  );
}
