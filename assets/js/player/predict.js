// Predicting: before a step whose stop has `options`, the player halts, shows them whole, takes a prediction, then shows the step and
// counts how often it was foreseen. The frames' `stops` say where (components/player/stops.py). What was chosen is kept for
// as long as the player is there. Told on the bus: "predicted", { at, option, foreseen, of, right }: `option` is null where it was skipped.
import { tell } from "./bus.js";
import { el } from "./dom.js";
import { listed } from "./listed.js";

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
  const head = el("h2", { tabindex: -1 });
  const count = el("span", { role: "status" });
  const list = el("ol", { class: "predict-options" });
  const told = el("p", { class: "predict-told" });
  const whole = el("button", { type: "button", class: "tool", text: "Show the texts whole", on: { click: () => shorten(false) } });
  const skip = el("button", { type: "button", class: "tool", text: "Show it without predicting", on: { click: () => answer(null) } });
  const node = el("section", { class: "card pane predict", "aria-label": "Your prediction", hidden: "" }, el("div", { class: "head" }, head, count), told, list, el("p", { class: "predict-ways" }, whole, " ", skip));
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

  function draw() {
    const made = (stops() ?? []).find(({ at, options }) => options && at === player.at && answered.has(at));
    const shown = asking ?? made;
    player.root.classList.toggle("predicting", Boolean(asking));
    node.hidden = !shown;
    if (!shown) return (list.at = -1);
    if (!asking) whole.hidden = true;
    count.textContent = countInWords(countOf(stops(), answered));
    head.textContent = asking ? shown.asks : `What the model ${shown.verb}`;
    told.textContent = asking ? `Step ${shown.at + 1}. Choose one, and the step is shown.` : said(shown, answered.get(shown.at));
    skip.hidden = list.hidden = !asking;
    if (!asking || list.at === shown.at) return;
    list.at = shown.at;
    list.replaceChildren(...shown.options.map(optionOf));
    shorten(shown.options.length > MANY && shown.options.some(({ text }) => text));
    head.focus({ preventScroll: true });
  }

  function shorten(short) {
    list.className = short ? "predict-options short" : "predict-options";
    whole.hidden = !short;
  }

  function optionOf({ mark, name, text }, number) {
    const words = [el("b", { text: name }), text ? el("span", { class: "predict-text", text }) : null];
    return el("li", {}, el("button", { type: "button", class: "predict-option", on: { click: () => answer(number) } }, el("span", { class: "mark", text: mark }), el("span", {}, ...words)));
  }

  return { node, draw, halt, any, asks: () => Boolean(asking), waits: () => Boolean(askedBetween(stops(), answered, player.at, Infinity)), halted: (playing) => (played = playing) };
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
