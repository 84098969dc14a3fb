// The bar of a replay: which reading, Simple or Full, and light or dark.
import { el } from "../player/dom.js";

const REPLAY_DEPTHS = [["simple", "Simple"], ["full", "Full"]];
const REPLAY_THEMES = [["", "Auto", "Light or dark, as this device is set"], ["light", "Light", "Light"], ["dark", "Dark", "Dark"]];

// `show(number)` shows another reading, `turn(depth)` another depth.
export function createBar({ depth, show, turn }) {
  let now = depth;
  const note = el("p", { class: "replay-note", role: "status" });
  const list = el("select", { "aria-label": "The readings", hidden: "", on: { change: () => show(Number(list.value)) } });
  const choose = (wanted) => {
    now = wanted;
    pressed(depths, REPLAY_DEPTHS.findIndex(([name]) => name === now));
    turn(now);
  };
  const depths = el("div", { class: "replay-choice", role: "group", "aria-label": "How much to show" }, ...REPLAY_DEPTHS.map(([name, words]) => el("button", { type: "button", text: words, on: { click: () => choose(name) } })));
  const themes = el("div", { class: "replay-choice", role: "group", "aria-label": "Light or dark" }, ...REPLAY_THEMES.map(([name, words, title], n) => el("button", { type: "button", text: words, title, on: { click: () => dress(name, n) } })));

  function dress(name, number) {
    document.documentElement.style.colorScheme = name;
    document.documentElement.dataset.theme = name;
    pressed(themes, number);
  }

  // Offer readings by their names; none if there is only one.
  function offer(readings) {
    list.hidden = !readings.length;
    list.replaceChildren(...readings.map((name, number) => el("option", { value: number, text: name })));
  }

  pressed(depths, REPLAY_DEPTHS.findIndex(([name]) => name === now));
  pressed(themes, 0);
  const node = el("header", { class: "replay-bar" }, el("p", { class: "replay-name", text: "Palimpsest replay" }), list, el("span", { class: "replay-gap" }), depths, themes, note);
  return { node, offer, depth: () => now, mark: (number) => (list.value = String(number)), announce: (words) => (note.textContent = words) };
}

function pressed(group, number) {
  [...group.children].forEach((button, n) => button.setAttribute("aria-pressed", String(n === number)));
}
