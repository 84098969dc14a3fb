// Full in a replay: the calls of the step with their prompts and replies, then the measures and the settings of the reading.
import { el } from "../player/dom.js";

const CALLS_SOON = 120; // milliseconds that a step stays until its calls are drawn
const PROMPT_SOURCES = {
  template: "the prompt’s own words",
  question: "the question",
  document: "the text itself",
  model: "written by the model earlier",
  rule: "put in by the reader",
  person: "written by a person",
};
const MEASURES_LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”.";
const NO_CALL = "No call was made at this step: a rule of the reader did it.";
const NO_REPLY = "No reply came.";

// The words of a stretch: by their number in the table, or by their place in the text.
export function wordsNamed(named, words, whole) {
  return Array.isArray(named) ? whole.slice(...named) : words[named];
}

export function createFull(reading, depth) {
  const head = el("h2", { text: "What the model was asked" });
  const count = el("span", { class: "replay-hint" });
  const calls = el("div", { class: "replay-calls" });
  const later = el("p", { class: "replay-empty", text: MEASURES_LATER });
  const measures = table("Measures", reading.measures);
  const node = el("section", { class: "replay-full", "aria-label": "Calls, measures and settings", hidden: depth !== "full" && "" },
    el("div", { class: "replay-section" }, head, count), calls,
    el("div", { class: "replay-two" }, el("div", {}, el("h2", { text: "Measures" }), later, measures), el("div", {}, el("h2", { text: "Settings" }), table("Settings", reading.settings))));
  let waiting = 0;
  let drawn = -1;
  let last = null;

  function draw(player) {
    last = player;
    if (node.hidden) return;
    measures.hidden = !player.ends();
    later.hidden = player.ends();
    clearTimeout(waiting);
    waiting = setTimeout(() => drawn !== player.at && list(player.at), CALLS_SOON);
  }

  function list(at) {
    drawn = at;
    const made = reading.calls.calls.filter(({ step }) => step === at);
    count.textContent = `step ${at + 1} · ${made.length.toLocaleString("en")} ${made.length === 1 ? "reply" : "replies"}`;
    calls.replaceChildren(...(made.length ? made.map((call, n) => callOf(call, n === 0)) : [el("p", { class: "replay-empty", text: NO_CALL })]));
  }

  // One call; its words are put on the page when it is opened.
  function callOf(call, open) {
    const facts = call.facts.flatMap(([name, value]) => [el("span", {}, `${name} `, el("b", { text: value }))]);
    const box = el("details", { class: "replay-call" }, el("summary", {}, el("span", { class: "replay-chip", text: call.origin, title: call.says }), ...facts));
    const fill = () => box.children.length < 2 && box.append(bodyOf(call));
    box.addEventListener("toggle", fill);
    if (open) {
      box.setAttribute("open", "");
      fill();
    }
    return box;
  }

  function bodyOf({ prompt, counting, reply, by, thoughts }) {
    const { words } = reading.calls;
    const said = (named) => wordsNamed(named, words, reading.frames.text.whole);
    const parts = prompt.map(([source, named, title]) => el("span", { class: `from-${source}`, title: words[title], text: said(named) }));
    const sources = Object.keys(PROMPT_SOURCES).filter((name) => prompt.some(([source]) => source === name));
    const legend = el("p", { class: "legend" }, ...sources.map((name) => el("span", {}, el("i", { class: `key from-${name}` }), PROMPT_SOURCES[name])));
    const sent = el("div", {}, legend, el("div", { class: "replay-prompt", tabindex: 0, role: "region", "aria-label": "The prompt" }, ...parts), counting ? el("p", { class: "replay-hint", text: counting }) : null);
    const came = reply === null ? el("p", { class: "replay-empty", text: NO_REPLY }) : el("div", { class: "replay-reply" }, el("p", { class: "replay-by", text: `reply, written by ${by}` }), el("div", { class: "replay-prompt", tabindex: 0, role: "region", "aria-label": "The reply", text: words[reply] }));
    const thought = thoughts === null ? null : el("details", { class: "replay-thoughts" }, el("summary", { text: `thoughts by ${by}; no part of the reply` }), el("div", { class: "replay-prompt", text: words[thoughts] }));
    return el("div", { class: "replay-sides" }, sent, el("div", {}, thought, came));
  }

  function turn(depth) {
    node.hidden = depth !== "full";
    if (last) draw(last);
  }

  return { node, draw, turn };
}

function table(name, rows) {
  return el("table", { class: "replay-figures", "aria-label": name }, el("tbody", {}, ...rows.map(([title, value]) => el("tr", {}, el("th", { scope: "row", text: title }), el("td", { text: value })))));
}
