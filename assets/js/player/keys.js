// The keys of the player. One table: what listens goes by it, and the list of keys on the page is made of it. The bench has keys of its
// own beside these (annotate/keys.js).
import { el } from "./dom.js";
import { pressing, typing, untaken, writing } from "./key_guard.js";
import { explains } from "./terms.js";

const SWITCHES = ".st-key-trace-switches";

// `keys`: as the browser names them. `shown`: as the list shows them. `letter`: taken wherever no letter is typed; others are left to
// widgets that move by them. `held`: holding it down repeats it.
export const KEYS = [
  { act: "next", keys: ["ArrowRight"], shown: "→", does: "next step", held: true },
  { act: "previous", keys: ["ArrowLeft"], shown: "←", does: "previous step", held: true },
  { act: "first", keys: ["Home"], shown: "Home", does: "first step" },
  { act: "last", keys: ["End"], shown: "End", does: "last step" },
  { act: "play", keys: [" "], shown: "Space", does: "play or pause", presses: true },
  { act: "end", keys: ["e"], shown: "e", does: "show or hide the end: the answer and all that is later than the step", letter: true },
  { act: "nextDecision", keys: ["j"], shown: "j", does: "next decision", letter: true },
  { act: "nextPhase", keys: ["."], shown: ".", does: "next phase", letter: true },
  { act: "previousPhase", keys: [","], shown: ",", does: "start of this phase, then of the one before", letter: true },
  { act: "nextKnown", keys: ["k"], shown: "k", does: "next known place, while the known answer is shown", letter: true },
  { act: "fate", keys: ["d", "l"], shown: "d, l", does: "the step that decided what became of a followed place", letter: true },
  { act: "algorithm", keys: ["p"], shown: "p", does: "show or hide the algorithm, with the line of the step marked", letter: true },
  { act: "predict", keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: "1 to 9", does: "predict what the model does, while the player asks", letter: true },
  { act: "stage", keys: ["f"], shown: "f", does: "Stage, the whole window for a room; again to leave it", letter: true },
  { act: "leave", keys: ["Escape"], shown: "Esc", does: "close what is open: these keys, an explanation, Stage", letter: true },
  { act: "tour", keys: ["t"], shown: "t", does: "a tour of this page", letter: true },
  { act: "list", keys: ["?"], shown: "?", does: "show or hide these keys", letter: true },
];

// A switch above the player that was used by mouse keeps no key to itself, not even arrows: it gives up the focus.
function letGo({ detail, target }) {
  const at = detail > 0 && target instanceof Element && target.closest(SWITCHES);
  if (at) setTimeout(() => document.activeElement?.closest(SWITCHES) && document.activeElement.blur());
}

// Listens for the whole page. `on(actions)` adds what keys do: `actions[act](event)`; one that returns false leaves its key alone.
export function createKeys(player) {
  const actions = {};
  const below = [];
  const node = el("section", { class: "key-list", popover: "auto", tabindex: -1, autofocus: "", "aria-label": "Keys" });
  const button = el("button", { type: "button", class: "tool keys-open", title: "All keys of this page (?)", text: "Keys" });
  button.popoverTargetElement = node;

  function on(more) {
    const unlisted = Object.keys(more).find((act) => !KEYS.some((key) => key.act === act));
    if (unlisted) throw new Error(`no key is listed for ${unlisted}`);
    Object.assign(actions, more);
    const rows = KEYS.filter(({ act }) => actions[act]).flatMap(({ shown, does }) => [el("dt", {}, el("kbd", { text: shown })), el("dd", { text: does })]);
    node.replaceChildren(el("h2", { text: "Keys" }), el("dl", {}, ...rows), ...below);
  }

  // Put a button below the list.
  function add(button) {
    below.push(button);
    node.append(button);
  }

  const lists = () => node.matches(":popover-open");

  function pressed(event) {
    const key = KEYS.find(({ act, keys }) => actions[act] && keys.includes(event.key));
    if (!key || player.idle || !untaken(event, player.root) || (event.repeat && !key.held)) return;
    const slider = event.composedPath()[0].type === "range" && event.composedPath().includes(player.root); // the stepper's own
    if (key.letter ? writing(event) : typing(event) && !slider) return;
    if (key.presses && pressing(event)) return;
    if (key.act === "leave" && (lists() || explains())) return; // the browser closes these
    if (actions[key.act](event) !== false) event.preventDefault();
  }
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", letGo, true); // before Streamlit ends it

  function destroy() {
    document.removeEventListener("keydown", pressed);
    document.removeEventListener("click", letGo, true);
  }
  return { on, add, node, button, list: () => node.togglePopover(), destroy };
}
