// Predicting: before a step whose stop has `options`, the player halts, shows them whole, takes a prediction, then shows the step and
// counts how often it was foreseen. The frames' `stops` say where (components/player/stops.py). What was chosen is kept for
// as long as the player is there. Told on the bus: "predicted", { at, option, foreseen, of, right }: `option` is null where it was skipped.
import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { tell } from "./bus.js";
import { listed } from "./listed.js";
import { createPane } from "./parts.js";

const QUOTED = 60; // characters of a sentence of a memory, which is gone from the page once it is predicted
const MANY = 6; // options, above which each is shown by its beginning

// The first stop to predict that a move forward would pass and nobody has answered yet.
export function askedBetween(stops, answered, from, to) {
  return (stops ?? []).find(({ at, options }) => options && !answered.has(at) && from < at && at <= to);
}

// How many predictions were made, how many of them were right, and how many are to come.
export function countOf(stops, answered) {
  const asked = (stops ?? []).filter(({ options }) => options);
  const made = asked.filter(({ at }) => typeof answered.get(at) === "number");
  return { of: made.length, right: made.filter(({ at, options }) => options[answered.get(at)].picked).length, left: asked.filter(({ at }) => !answered.has(at)).length };
}

export function countInWords({ of, right, left }) {
  const told = of ? `You foresaw ${right} of ${of}.` : "";
  return [told, left ? `${left} to come.` : ""].filter(Boolean).join(" ");
}

export function createPredict(player, { resume }) {
  const answered = new Map(); // by step: the number of the option, or null where it was skipped
  let asking = null;
  let played = false; // whether the reading played when it halted here

  const stops = () => player.frames.stops;
  const any = () => (stops() ?? []).some(({ options }) => options);

  // The step to show instead of `step`: the one before a step that is to be predicted first.
  function halt(step) {
    asking = askedBetween(stops(), answered, player.at, step) ?? null;
    return asking ? asking.at - 1 : step;
  }

  function answer(option) {
    const { at, options } = asking;
    answered.set(at, option);
    asking = null;
    player.go(at);
    const { of, right } = countOf(stops(), answered);
    tell(player.frames.run, "predicted", { at, option, foreseen: option !== null && options[option].picked, of, right });
    if (played) resume();
    played = false;
  }

  // A digit chooses, while there is something to choose.
  function digit({ key }) {
    if (!asking || Number(key) > asking.options.length) return false;
    answer(Number(key) - 1);
  }
  if (any()) player.keys.on({ predict: digit });

  function Predict({ at }) {
    const count = html`<span role="status">${countInWords(countOf(stops(), answered))}</span>`;
    if (asking) return html`<${Question} key=${asking.at} stop=${asking} count=${count} answer=${answer} />`;
    const made = answered.has(at) && (stops() ?? []).find((stop) => stop.options && stop.at === at);
    return made ? html`<div class="head"><h2>What the model ${made.verb}</h2>${count}</div><p class="predict-told" dir="auto">${said(made, answered.get(at))}</p>` : null;
  }

  const { node, draw: drawPane } = createPane(player, Predict, { class: "card pane predict", "aria-label": "Your prediction" });
  function draw(at) {
    player.root.classList.toggle("predicting", Boolean(asking));
    drawPane(at);
  }

  return { node, draw, halt, any, asks: () => Boolean(asking), waits: () => Boolean(askedBetween(stops(), answered, player.at, Infinity)), halted: (playing) => (played = playing) };
}

// What is asked before a step, and the options.
function Question({ stop: { at, asks, options }, count, answer }) {
  const [short, setShort] = useState(options.length > MANY && options.some(({ text }) => text));
  const head = useRef();
  useLayoutEffect(() => head.current.focus({ preventScroll: true }), []);
  return html`
    <div class="head"><h2 tabindex="-1" ref=${head}>${asks}</h2>${count}</div>
    <p class="predict-told">Step ${at + 1}. Choose one, and the step is shown.</p>
    <ol class=${short ? "predict-options short" : "predict-options"}>
      ${options.map(({ mark, name, text }, n) => html`<li><button type="button" class="predict-option" onClick=${() => answer(n)}>
        <span class="mark">${mark}</span><span><b dir="auto">${name}</b>${text && html`<span class="predict-text" dir="auto">${text}</span>`}</span>
      </button></li>`)}
    </ol>
    <p class="predict-ways">
      ${short && html`<button type="button" class="tool" onClick=${() => setShort(false)}>Show the texts whole</button>`}${" "}
      <button type="button" class="tool" onClick=${() => answer(null)}>Show it without predicting</button>
    </p>`;
}
// What was predicted and what the model chose, in a sentence or two.
export function said({ options, verb }, number) {
  const called = ({ name, text }) => (verb === "kept" ? `“${text.length > QUOTED ? `${text.slice(0, QUOTED).replace(/\s+\S*$/, "")} …` : text}”` : name);
  const chosen = options.filter(({ picked }) => picked).map(called);
  const it = `It ${verb} ${listed(chosen)}.`;
  if (number === null || number === undefined) return it;
  const { picked } = options[number];
  const name = called(options[number]);
  if (!picked) return `You said ${name}. ${it}`;
  return chosen.length > 1 ? `You said ${name}, and it is among what it ${verb}: ${listed(chosen)}.` : `You said ${name}, and so it did.`;
}
