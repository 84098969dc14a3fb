// The keyboard shortcuts of the bench, and the list of them. No key is taken while somebody types words, nor with Ctrl, Alt or the command
// key. A list keeps up, down and digits; every other key leaves it and means what the list of keys says.
import { el } from "../player/dom.js";
import { pressing, untaken, writing } from "../player/key_guard.js";
import { joinLine } from "./key_line.js";

// The player has those for stepping and for going to decisions, phases and places (player/keys.js).
export const KEYS = [
  ["← →", "previous step, next step", "all"],
  ["j", "next decision", "all"],
  [", .", "start of this phase or of the one before, next phase", "all"],
  ["k", "next known place, while the known answer is shown", "codes"],
  ["l", "the step that decided what became of a known fact, while the known answer is shown", "codes"],
  ["i", "next automatic hint", "codes"],
  ["y", "accept the fate that the hints suggest", "codes"],
  ["c", "give this step a code (or press Shift and its first letter)", "codes"],
  ["1 2 3", "severity of the code: minor, moderate, severe", "codes"],
  ["v", "note on the code", "codes"],
  ["d", "mark or unmark this step as decisive", "codes"],
  ["w", "why it is decisive", "codes"],
  ["o e p t", "outcome, support, path, fate of the fact; then 1 2 3 … to choose from the list, 0 to clear", "codes"],
  ["n", "note on this step", "all"],
  ["a", "note on the whole reading", "all"],
  ["m", "mark the selected words; without a selection, find words to mark", "all"],
  ["r", "what would have been right at this step", "all"],
  ["x", "correct this step below the player and continue from it", "codes"],
  ["h", "show or hide automatic hints", "codes"],
  ["g", "show or hide the known answer", "codes"],
  ["z", "Simple or Full", "all"],
  ["u", "undo", "all"],
  ["f", "finish this reading", "all"],
  ["s", "skip this reading, with a reason", "all"],
  ["Enter or ]", "next reading", "all"],
  ["[", "previous reading", "all"],
  ["b", "open or close this panel (on a narrow page)", "all"],
  ["Esc", "leave a field or a list", "all"],
  ["?", "show or hide these keys", "all"],
];

const TAKEN = 200; // milliseconds in which a button shows that its key was taken

// `actions[key]()` does what a key stands for; `letter(upper)` opens the codes at a letter. While the panel is not `settled()`, keys wait;
// `changed()` hears of it. Returns its place in the line of keys.
export function listenToKeys({ root, actions, letter, asleep, settled = () => true, changed = () => {} }) {
  function onKey(event) {
    if (!untaken(event, root) || asleep()) return;
    if (writing(event)) return inList(event) ? inOwnList(event) : leaveField(event); // arrows are not among these keys
    if (event.key === "Enter" && (pressing(event) || event.repeat)) return;
    const upper = /^[A-Z]$/.test(event.key) && event.shiftKey;
    const action = upper ? null : actions[event.key];
    if (!action && !(upper && letter)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // Streamlit has shortcuts of its own
    if (!action) return letter(event.key);
    showTaken(event.key);
    action();
  }

  function showTaken(key) {
    const button = [...root.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    button?.classList.add("taken");
    setTimeout(() => button?.classList.remove("taken"), TAKEN);
  }

  const inList = (event) => event.composedPath()[0].matches?.("select") && event.composedPath().includes(root);

  // The browser would choose by the first letter of a value, and so save it, where somebody meant the next field.
  function inOwnList(event) {
    const list = event.composedPath()[0];
    const step = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!step && (event.key === " " || [...event.key].length > 1)) return leaveField(event);
    event.preventDefault();
    event.stopImmediatePropagation();
    if (/^\d$/.test(event.key)) return chooseFrom(list, Number(event.key));
    list.blur();
    const { key, shiftKey, repeat } = event;
    root.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, repeat, bubbles: true, composed: true, cancelable: true }));
  }

  // Leave a field of this panel, so that keys are shortcuts again.
  function leaveField(event) {
    const field = event.composedPath()[0];
    const leaving = event.key === "Escape" || (event.key === "Enter" && field.matches?.("select"));
    if (!leaving || !event.composedPath().includes(root)) return;
    event.preventDefault();
    field.blur();
  }
  return joinLine({ root, onKey, settled, changed });
}

// The value of a list with this number, counted from 1 without the empty one, which is 0. A number that no value has does nothing.
function chooseFrom(list, number) {
  const empty = [...list.options].findIndex(({ value }) => value === "");
  const chosen = number ? [...list.options].filter(({ value }) => value !== "")[number - 1] : list.options[empty];
  if (!chosen || chosen.disabled) return;
  list.blur();
  if (list.value === chosen.value) return;
  list.value = chosen.value;
  list.dispatchEvent(new Event("change"));
}

export function keyList() {
  const rows = el("dl", {});
  const node = el("section", { class: "key-list", popover: "manual", "aria-label": "Keys" }, el("h2", { text: "Keys" }), rows);
  function draw({ codes }) {
    rows.replaceChildren(...KEYS.filter(([, , when]) => when === "all" || codes).flatMap(([key, about]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: about })]));
  }
  return { node, draw, toggle: (on) => node.togglePopover(on) };
}
