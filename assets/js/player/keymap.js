// The keys of the page, all in one place: every island (the tour, a class, bench, table or board, the player) joins with its keys and what
// they do, one listener asks the islands in their order who takes a key, and the list of keys (`keyRows`) is made of the same. Keys that
// come while the bench is between two states wait, and are applied in their order once it has settled; so none acts on a reading that is
// about to go. Each island has a script of its own: the map is kept on the window, which all of them share.
import { html } from "../../vendor/preact.js";
import { el } from "./dom.js";

const PLACES = ["tour", "class", "desk", "player"]; // in the order in which they are asked; each place has one island at a time
const MAP = "palimpsestKeys";
const KEY_TAKEN = 200; // milliseconds in which a button shows that its key was taken
const GONE = 3000; // milliseconds in which the next island comes after the one that opened it has gone
const KEY_NAMES = { ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc" };
const MOVING = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", " "]; // sliders, tabs and the like move by them
const PRESSING = ["Enter", " "];
const WAITING = ["Enter", "Escape", "Backspace", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]; // and all letters

const LISTS = '[role="listbox"],[role="combobox"],[role="menu"],[role="option"],[role="spinbutton"]'; // letters and arrows are theirs
const MOVED = '[role="slider"],[role="radio"],[role="tab"]'; // only arrows are theirs
const WRITTEN_IN = "textarea,select,[contenteditable]";

// Put an island in its place. `keys()` are what it takes: `keys` as the browser names them; `run(event)`, which leaves the key alone by
// returning false; `does`, the words for the list (without them it is not listed); `shown`, if the list shows them otherwise than by their
// names; `held`: holding it down repeats it; `when(event)`; `always`: even from a field. `covers(event)`: whether a key that it does not
// take is kept from the islands below. `asleep()`: it takes none now. `fields`: Escape leaves its fields, and its lists keep only up, down
// and digits. With `settled()` keys wait while it is not; `changed()` hears how many wait. `below`: another one in its place goes first.
// `about`: what it is about; keys pressed while it is drawn anew wait for it.
export function joinKeys(island) {
  window[MAP] ??= createKeymap();
  return window[MAP].join(island);
}

// What the keys of the page do, the topmost island first: [keys as they are shown, words], without keys that another one takes before.
export function keyRows() {
  const taken = new Set();
  return (window[MAP]?.asked() ?? []).flatMap((island) => island.keys().flatMap(({ keys, shown, does, when }) => {
    const own = keys.filter((key) => !taken.has(key));
    if (!when) for (const key of keys) taken.add(key);
    if (!does || !own.length) return [];
    return [[shown && own.length === keys.length ? shown : own.map((key) => KEY_NAMES[key] ?? key).join(", "), does]];
  }));
}

export const keyRowsDrawn = () => el("dl", {}, ...keyRows().flatMap(([key, does]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: does })]));

export const KeyRows = () => html`<dl>${keyRows().map(([key, does]) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>`;

function createKeymap() {
  let islands = []; // in each place, the one that joined or was used last stands first
  let desk = null; // the island that keys wait for; null between two
  let waiting = [];
  let applying = false;
  let timer = 0;
  let same = ""; // what the next island must be about for keys to wait for it; empty if anything
  let page = ""; // of the island for which keys wait

  function join(island) {
    islands = island.below ? [...islands, island] : [island, ...islands];
    if (island.settled) {
      clearTimeout(timer);
      timer = 0;
      if (same && island.about !== same) waiting = [];
      same = "";
      desk = island;
      page = here();
    }
    // `coming`: another island takes its place. Without one, keys wait only for an island about the same, which may be drawn anew at any
    // time. In both cases only on the island's page.
    function leave(coming = false) {
      islands = islands.filter((one) => one !== island);
      if (desk !== island) return;
      desk = null;
      same = coming ? "" : (island.about ?? "");
      if (coming || same) timer = setTimeout(close, GONE);
      else close();
    }
    const raise = () => (islands = [island, ...islands.filter((one) => one !== island)]);
    return { leave, raise, apply, refuse, waiting: () => waiting.length };
  }

  function close() {
    clearTimeout(timer);
    timer = 0;
    waiting = [];
  }

  const here = () => window.location?.pathname;
  const asked = () => PLACES.flatMap((place) => islands.find((one) => one.place === place && one.root.isConnected) ?? []);

  // What is pressed, before anything on the page hears of it: all but the player, in which a focused picture may use the key itself.
  function early(event) {
    if (timer && page !== here()) close();
    if (!applying && (desk || timer) && mayWait(event) && (!settled() || waiting.length)) return wait(event);
    for (const island of asked()) if (island.place !== "player" && offer(island, event)) return event.stopImmediatePropagation(); // Streamlit has shortcuts of its own
  }
  function late(event) {
    for (const island of asked()) if (island.place === "player") offer(island, event);
  }

  // Whether the island keeps the key from those below it.
  function offer(island, event) {
    if (!untaken(event) || island.asleep?.()) return false;
    if (island.fields && writing(event) && isIn(event, island.root)) return inField(event, island.root);
    const key = island.keys().find((one) => one.keys.includes(event.key) && mayTake(one, event, island.root));
    const button = key && buttonOf(island.root, event.key); // before it runs: then the key may stand on another one
    if (key && key.run(event) !== false) {
      event.preventDefault();
      showTaken(button?.isConnected ? button : buttonOf(island.root, event.key));
      return true;
    }
    return Boolean(!typing(event) && island.covers?.(event));
  }

  // Keys that wait

  const settled = () => desk !== null && desk.root.isConnected && desk.settled();

  function wait(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat) return;
    waiting.push({ key: event.key, shiftKey: event.shiftKey });
    desk?.changed();
  }

  // Keys of fields, links and buttons elsewhere on the page do not wait, nor do the browser's shortcuts.
  function mayWait(event) {
    if (!untaken(event)) return false;
    const owned = writing(event) || (PRESSING.includes(event.key) && pressing(event));
    return (!owned || Boolean(desk && isIn(event, desk.root))) && (WAITING.includes(event.key) || [...event.key].length === 1);
  }

  function apply() {
    if (applying || !waiting.length) return;
    applying = true;
    try {
      while (waiting.length && settled()) pressAgain(waiting.shift());
    } finally {
      applying = false;
    }
    desk?.changed();
  }

  // The reading stays, and keys after `key` were meant for the next one: they are dropped, unless `key` was pressed again. How many were.
  function refuse(key) {
    const dropped = waiting[0]?.key === key ? 0 : waiting.length;
    if (dropped) waiting = [];
    return dropped;
  }

  window.addEventListener("keydown", early, true);
  document.addEventListener("keydown", late);
  return { join, asked };
}

// When a key may be a shortcut

// Nobody took the key yet, and it is no shortcut of the browser's.
const untaken = (event) => !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey;

const isIn = (event, root) => event.composedPath().includes(root);

function mayTake({ when, held, always }, event, root) {
  if ((event.repeat && !held) || (when && !when(event))) return false;
  if (always) return true;
  if (PRESSING.includes(event.key) && pressing(event)) return false;
  const slider = event.composedPath()[0].type === "range" && isIn(event, root); // the stepper's own
  return MOVING.includes(event.key) ? slider || !typing(event) : !writing(event);
}

// The focused element uses keys itself: a field, or a widget with arrow keys. A switch is neither: only Space is its own (`pressing`).
const typing = (event) => focusMatches(event, `input:not([type=checkbox]),${WRITTEN_IN}`) || ownedBy(event, `${MOVED},${LISTS}`);

// Letters belong to the focused element.
const writing = (event) => focusMatches(event, `input:not([type=range],[type=checkbox],[type=radio]),${WRITTEN_IN}`) || ownedBy(event, LISTS);

// Space or Enter presses the focused element.
function pressing(event) {
  const at = event.composedPath()[0];
  return at instanceof Element && Boolean(at.closest("button,a,summary,[role=button],input[type=checkbox]"));
}

function focusMatches(event, selector) {
  const at = event.composedPath()[0];
  return at instanceof Element && at.matches(selector);
}

const ownedBy = (event, selector) => event.composedPath().some((each) => each instanceof Element && each.matches(selector));

// In an island's fields

// Escape leaves a field, so that keys are shortcuts again. The browser would choose from a list by the first letter of a value, and so save
// it, where somebody meant the next field: a list keeps up, down and digits, and any other key leaves it and means what it means elsewhere.
function inField(event, root) {
  const field = event.composedPath()[0];
  const list = field.matches?.("select");
  const { key, shiftKey, repeat } = event;
  const goesOn = list && (["ArrowLeft", "ArrowRight"].includes(key) || (key !== " " && [...key].length === 1));
  if (!goesOn && key !== "Escape" && !(list && key === "Enter")) return false;
  event.preventDefault();
  if (goesOn && /^\d$/.test(key)) chooseFrom(field, Number(key));
  else field.blur();
  if (goesOn && !/^\d$/.test(key)) root.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, repeat, bubbles: true, composed: true, cancelable: true }));
  return goesOn;
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

const buttonOf = (root, key) => [...root.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);

function showTaken(button) {
  if (!button) return;
  button.classList.add("taken");
  setTimeout(() => button.classList.remove("taken"), KEY_TAKEN);
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
