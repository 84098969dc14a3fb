// Stage: a reading over the whole window, for a room. Question, one sentence, picture and text, at the last step the answer and how it
// compares with what is known, and the stepper at the foot; nothing else. The key f, a button and `stage=1` in the address open it; f and Esc leave it. How it looks is in assets/css/stage.css.
import { setInAddress, inAddress } from "./page_address.js";
import { el } from "./dom.js";

const LONG = 150; // letters of an answer from which on it is set smaller, below its verdict
const SIDES = [["both", "Both"], ["picture", "Picture"], ["text", "Text"]]; // what stands beside each other, and what the button says

// `staging` has the question at the top and the ending (components/player/mount.py). Without it Stage is not offered, and f stays free
// for the page around the player.
export function createStage(player, staging, changed) {
  const { root } = player;
  const question = staging?.question ?? "";
  const ending = el("div", { class: "ending", hidden: "" });
  const heading = el("h1", { class: "stage-question", dir: "auto", text: question, hidden: !question && "" });
  const open = el("button", { type: "button", class: "tool stage-open", title: "Stage (f): the whole window, for a room", text: "Stage", on: { click: () => show(true) } });
  const sides = el("button", { type: "button", class: "tool stage-sides", on: { click: () => turn() } });
  const leave = el("button", { type: "button", class: "tool stage-leave", "aria-label": "Leave Stage (f or Esc)", title: "Leave Stage (f or Esc)", text: "✕", on: { click: () => show(false) } });
  let side = 0;
  let focused = null; // what had the focus before
  let drawn = "[false,[]]"; // what the ending was made of

  function show(on) {
    if (player.staged === on || !question) return;
    player.staged = on;
    root.classList.toggle("staged", on);
    on ? cover() : uncover();
    setInAddress("stage", on ? "1" : "");
    changed();
  }

  // The browser's top layer lies over all parts of the page, however they are stacked.
  function cover() {
    focused = root.getRootNode().activeElement ?? document.activeElement;
    root.setAttribute("popover", "manual");
    root.showPopover?.();
    root.tabIndex = -1;
    root.focus({ preventScroll: true });
    document.addEventListener("focusin", hold);
  }

  function uncover() {
    document.removeEventListener("focusin", hold);
    if (root.hidePopover && root.matches(":popover-open")) root.hidePopover();
    root.removeAttribute("popover");
    root.removeAttribute("tabindex");
    focused?.focus?.({ preventScroll: true });
  }

  // What lies under the stage cannot be reached by Tab; what a page has put over it can (room.js).
  function hold(event) {
    const inside = event.composedPath().some((node) => node === root || node.dataset?.aboveStage !== undefined);
    if (!inside) root.focus({ preventScroll: true });
  }

  function turn(to = (side + 1) % SIDES.length) {
    if (to === side && root.dataset.sides) return;
    side = to;
    const [name, words] = SIDES[side];
    root.dataset.sides = name;
    sides.textContent = words;
    const next = SIDES[(side + 1) % SIDES.length][1].toLowerCase();
    sides.title = `Shown: ${words.toLowerCase()}; press for ${next}`;
    if (player.staged) changed();
  }

  turn(0);
  if (question) player.keys.on({ stage: () => show(!player.staged), leave: () => player.staged && show(false) });

  // Show the ending at the last step, and only there, and at the step that decided what became of a followed fact, that; whether any
  // of it came or went.
  function draw() {
    const ended = Boolean(staging?.ending) && isAtEnd(player);
    const fates = player.staged ? fatesAt(player.facts?.() ?? [], player.at, player.ends()) : [];
    const shown = JSON.stringify([ended, fates.map(({ fact }) => fact)]);
    if (drawn === shown) return false;
    drawn = shown;
    ending.hidden = !ended && !fates.length;
    ending.replaceChildren(ended ? endingOf(staging.ending, fates) : fates.length ? fatesOf(fates) : "");
    root.classList.toggle("ended", ended);
    root.classList.toggle("fated", fates.length > 0);
    return player.staged;
  }

  return {
    heading,
    ending,
    draw,
    turnTo: (name) => turn(SIDES.findIndex(([each]) => each === name)),
    tools: question ? [open, sides, leave] : [],
    followAddress: () => show(inAddress("stage") === "1"),
    destroy() {
      if (player.staged) uncover();
    },
  };
}

// Whether the answer is shown on Stage: at the last step of a reading that has ended.
export function isAtEnd({ staged, at, last, frames }) {
  return Boolean(staged) && !frames.live && at >= last;
}

// The followed facts whose fate was decided at this step, where the end may be shown.
export function fatesAt(facts, at, ends) {
  return ends ? facts.filter(({ fate }) => fate?.step === at) : [];
}

// What became of these facts: the words of each, its fate in a word or two, and the sentence that says how.
export function fatesOf(fates) {
  return el("section", { class: "stage-end", tabindex: 0, "aria-label": "What became of what is followed" }, ...fates.map(fateOf));
}

function fateOf({ words, fate }) {
  return el("p", { class: "stage-fate" }, el("q", { dir: "auto", text: words }), el("b", { class: fate.end, text: `${fate.kind}.` }), ` ${fate.sentence}`);
}

// The answer, whole, or why there is none; beside it, or before a long one, the verdict and, where that is not "right", the known answer;
// below it what became of facts whose fate was decided by it.
export function endingOf({ words, by, mark, verdict, tone, known }, fates = []) {
  return el("section", { class: words.length > LONG ? "stage-end long" : "stage-end", tabindex: 0, "aria-label": "The answer" },
    el("div", { class: by ? "stage-answer by-model" : "stage-answer" }, el("p", { class: "words", dir: "auto", text: words }), by && el("small", { text: by })),
    el("p", { class: "stage-verdict" }, el("b", { class: `verdict ${tone}`, text: `${mark} ${verdict}` }), known && el("span", { class: "known", text: `known answer: ${known}` })),
    ...fates.map(fateOf));
}
