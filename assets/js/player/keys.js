// The keys of the player, one table of them, and the list of all keys of the page, which it opens. Who takes a key is decided in keymap.js.
import { el } from "./dom.js";
import { joinKeys, keyRowsDrawn } from "./keymap.js";
import { explains } from "./terms.js";

const SWITCHES = ".st-key-trace-switches";

// `act`: the name under which a module of the player says what the key does (`on`); the rest as keymap.js has it.
export const KEYS = [
  { act: "next", keys: ["ArrowRight"], does: "next step", held: true },
  { act: "previous", keys: ["ArrowLeft"], does: "previous step", held: true },
  { act: "first", keys: ["Home"], does: "first step" },
  { act: "last", keys: ["End"], does: "last step" },
  { act: "play", keys: [" "], does: "play or pause" },
  { act: "end", keys: ["e"], does: "show or hide the end: the answer and all that is later than the step" },
  { act: "nextDecision", keys: ["j"], does: "next decision" },
  { act: "nextPhase", keys: ["."], does: "next phase" },
  { act: "previousPhase", keys: [","], does: "start of this phase, then of the one before" },
  { act: "nextKnown", keys: ["k"], does: "next known place, while the known answer is shown" },
  { act: "fate", keys: ["d", "l"], does: "the step that decided what became of a followed place" },
  { act: "algorithm", keys: ["p"], does: "show or hide the algorithm, with the line of the step marked" },
  { act: "allSteps", keys: ["m"], does: "show or hide all steps under the map, one below another" },
  { act: "predict", keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: "1 to 9", does: "predict what the model does, while the player asks" },
  { act: "stage", keys: ["f"], does: "Stage, the whole window for a room; again to leave it" },
  { act: "leave", keys: ["Escape"], does: "close what is open: these keys, an explanation, Stage" },
  { act: "tour", keys: ["t"], does: "a tour of this page" },
  { act: "list", keys: ["?"], does: "show or hide these keys" },
];

// A switch above the player that was used by mouse keeps no key to itself, not even arrows: it gives up the focus.
function letGo({ detail, target }) {
  const at = detail > 0 && target instanceof Element && target.closest(SWITCHES);
  if (at) setTimeout(() => document.activeElement?.closest(SWITCHES) && document.activeElement.blur());
}

// `below`: another player on the page goes first until this one is used. `on(actions)` adds what keys do: `actions[act](event)`; one that
// returns false leaves its key alone.
export function createKeys(player, { below = false } = {}) {
  const actions = {};
  const others = [];
  const node = el("section", { class: "key-list", popover: "auto", tabindex: -1, autofocus: "", "aria-label": "Keys", on: { beforetoggle: ({ newState }) => newState === "open" && draw() } });
  const button = el("button", { type: "button", class: "tool keys-open", title: "All keys of this page (?)", text: "Keys" });
  button.popoverTargetElement = node;

  function on(more) {
    const unlisted = Object.keys(more).find((act) => !KEYS.some((key) => key.act === act));
    if (unlisted) throw new Error(`no key is listed for ${unlisted}`);
    Object.assign(actions, more);
  }

  function draw() {
    node.replaceChildren(el("h2", { text: "Keys" }), keyRowsDrawn(), ...others);
  }

  const closes = () => node.matches(":popover-open") || explains(); // the browser closes these
  const place = joinKeys({
    place: "player", root: player.root, below,
    keys: () => KEYS.filter(({ act }) => actions[act]).map((key) => ({ ...key, run: (event) => actions[key.act](event), when: () => key.act !== "leave" || !closes() })),
  });
  document.addEventListener("click", letGo, true); // before Streamlit ends it

  function destroy() {
    place.leave();
    document.removeEventListener("click", letGo, true);
  }
  // `add` puts a button below the list; `raise`: keys go to this player.
  return { on, add: (more) => others.push(more), node, button, list: () => node.togglePopover(), raise: place.raise, destroy };
}
