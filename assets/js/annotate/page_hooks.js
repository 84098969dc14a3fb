// What the label panel learns from the page around it: which words are selected, and whether somebody is there.

const AWAKE = 60000; // milliseconds after a person's last action during which time counts
const TELL_TIME = 60000;
const GROWS = 1500; // milliseconds in which an opened box fills
const NO_PLAYER = 10000; // milliseconds after which it does not come
const MOVES = ["pointermove", "keydown", "wheel"];

export const short = (words) => (words.length > 120 ? `${words.slice(0, 119)}…` : words);

// Reports words selected in a prompt, a reply or a model-written text, which Python draws below the player. Offsets count characters.
export function selectedOnPage(found) {
  function look() {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    const from = range.startContainer;
    const box = (from instanceof Element ? from : from.parentElement)?.closest(".prompt, .reply .words");
    const about = box && /st-key-(call|reply|wrote)-at-(\d+)/.exec(box.closest('[class*="-at-"]')?.className ?? "");
    if (!about) return;
    const before = document.createRange();
    before.setStart(box, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const start = [...before.toString()].length;
    const inside = range.cloneRange(); // a triple click selects into the next paragraph
    if (!box.contains(range.endContainer)) inside.setEnd(box, box.childNodes.length);
    const words = inside.toString();
    if (!words.trim()) return;
    found({ on: { call: "prompt", reply: "reply", wrote: "wrote" }[about[1]], number: Number(about[2]), start, end: start + [...words].length, words });
  }
  document.addEventListener("selectionchange", look);
  return () => document.removeEventListener("selectionchange", look);
}

// Press a switch in the head of the reading, if it is there: the known answer, Simple or Full.
const pressOnPage = (selector) => document.querySelector(`.st-key-trace-switches ${selector}`)?.click();
export const pressKnown = () => pressOnPage('input[type="checkbox"]');
export const pressDepth = () => pressOnPage('[role="radio"][aria-checked="false"]');

// Opens a closed box below the player and scrolls to it.
export function openBelow(place) {
  const box = document.querySelector(`${place} details`);
  const head = box?.querySelector("summary");
  if (!head) return;
  if (!box.open) head.click();
  head.focus({ preventScroll: true });
  const show = () => box.scrollIntoView({ block: "start" });
  const grown = new ResizeObserver(show); // its content arrives from Python a moment later
  grown.observe(box);
  setTimeout(() => grown.disconnect(), GROWS);
}

// Counts time on task: while the page is visible, its reading open, and somebody active. The returned function stops it.
export function countTime({ open, add, spent, tell }) {
  let moved = performance.now();
  const awake = () => (moved = performance.now());
  for (const kind of MOVES) window.addEventListener(kind, awake, { passive: true, capture: true });
  const clock = setInterval(() => {
    if (document.visibilityState === "visible" && performance.now() - moved < AWAKE && open()) add(1000);
    if (spent() >= TELL_TIME) tell();
  }, 1000);
  return () => {
    clearInterval(clock);
    for (const kind of MOVES) window.removeEventListener(kind, awake, { capture: true });
  };
}

// Whether the player beside the panel has said where it is, or does not come: then the panel works without it. `came()` is called once.
export function waitForPlayer(came) {
  let there = false;
  const now = () => {
    clearTimeout(timer);
    there = true;
    came();
  };
  const timer = setTimeout(now, NO_PLAYER);
  return Object.assign(() => there, { now, end: () => clearTimeout(timer) });
}
