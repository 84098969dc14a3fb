// The line in which keys wait while the bench is between two states: the next reading loads, or a save must be through before a finish,
// an undo or hints. They are applied in their order once a panel has settled, and so never act on a reading that is about to go.
// Not here: what a key means (keys.js).
import { pressing, writing } from "../player/key_guard.js";

const GONE = 3000; // milliseconds in which the next panel comes after the one that opened it has gone
const WAITING = ["Enter", "Escape", "Backspace", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]; // and all letters

const JOINED = "palimpsest.keys"; // a panel takes the keys; `line` is the one that it joined

// One line and one listener for all panels of a script, since one goes while the next one comes. The bench and the table have a script
// each: when a panel of the one comes, the line of the other, whose panel has gone, no longer waits for one.
export const joinLine = createLine();

export function createLine() {
  let panel = null; // the one that keys go to; null between two
  let waiting = [];
  let applying = false;
  let timer = 0;
  const own = {};

  // `joining`: its `root`, `onKey(event)`, `settled()` and `changed()`, which hears when the number of waiting keys has changed.
  function join(joining) {
    window.dispatchEvent(Object.assign(new Event(JOINED), { line: own }));
    if (!panel && !timer) {
      window.addEventListener("keydown", pressed, true);
      window.addEventListener(JOINED, taken);
    }
    clearTimeout(timer);
    timer = 0;
    panel = joining;

    // `coming`: another panel takes its place. Without one, keys do not wait.
    function leave(coming) {
      if (panel !== joining) return;
      panel = null;
      if (coming) timer = setTimeout(close, GONE);
      else close();
    }
    return { apply, refuse, leave, waiting: () => waiting.length };
  }

  function taken({ line }) {
    if (line === own || panel?.root.isConnected) return;
    clearTimeout(timer);
    panel = null;
    close();
  }

  function close() {
    timer = 0;
    waiting = [];
    window.removeEventListener("keydown", pressed, true);
    window.removeEventListener(JOINED, taken);
  }

  const settled = () => panel !== null && panel.root.isConnected && panel.settled();

  function pressed(event) {
    if (applying || !mayWait(event) || (settled() && !waiting.length)) return void panel?.onKey(event);
    event.preventDefault();
    event.stopImmediatePropagation(); // Streamlit has shortcuts of its own
    if (event.repeat) return;
    waiting.push({ key: event.key, shiftKey: event.shiftKey });
    panel?.changed();
  }

  // Keys of fields, links and buttons elsewhere on the page do not wait, nor do the browser's shortcuts.
  function mayWait(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return false;
    const owned = writing(event) || ((event.key === "Enter" || event.key === " ") && pressing(event));
    const here = !owned || (panel && event.composedPath().includes(panel.root));
    return here && (WAITING.includes(event.key) || [...event.key].length === 1);
  }

  function apply() {
    if (applying || !waiting.length) return;
    applying = true;
    try {
      while (waiting.length && settled()) pressAgain(waiting.shift());
    } finally {
      applying = false;
    }
    panel?.changed();
  }

  // The reading stays, and keys after `key` were meant for the next one: they are dropped, unless `key` was pressed again. How many were.
  function refuse(key) {
    const dropped = waiting[0]?.key === key ? 0 : waiting.length;
    if (dropped) waiting = [];
    return dropped;
  }
  return join;
}

// Do what the key would have done: its shortcut or, in a field, its letter.
function pressAgain({ key, shiftKey }) {
  let at = document.activeElement ?? document.body;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const event = new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, composed: true, cancelable: true });
  if (!at.dispatchEvent(event)) return;
  const lines = at.matches("textarea");
  if (lines || at.matches("input[type=text]")) {
    if (key === "Backspace") document.execCommand("delete");
    else if (lines && key === "Enter") document.execCommand("insertText", false, "\n");
    else if ([...key].length === 1) document.execCommand("insertText", false, key);
  } else if (key === "Enter" && at.matches("button")) at.click();
}
