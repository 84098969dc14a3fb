// Stage: a reading over the whole window, for a room. Question, one sentence, picture and text, and the stepper at the foot; nothing
// else. The key f, a button and `stage=1` in the address open it; f and Esc leave it. How it looks is in assets/css/stage.css.
import { setInAddress, inAddress } from "./page_address.js";
import { el } from "./dom.js";

const SIDES = [["both", "Both"], ["picture", "Picture"], ["text", "Text"]]; // what stands beside each other, and what the button says

// `question` stands at the top; without one the stage is not offered, and f stays free for the page around the player.
export function createStage(player, question, changed) {
  const { root } = player;
  const heading = el("h1", { class: "stage-question", text: question, hidden: !question && "" });
  const open = el("button", { type: "button", class: "tool stage-open", title: "Stage (f): the whole window, for a room", text: "Stage", on: { click: () => show(true) } });
  const sides = el("button", { type: "button", class: "tool stage-sides", on: { click: () => turn() } });
  const leave = el("button", { type: "button", class: "tool stage-leave", "aria-label": "Leave Stage (f or Esc)", title: "Leave Stage (f or Esc)", text: "✕", on: { click: () => show(false) } });
  let side = 0;
  let focused = null; // what had the focus before

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

  // What lies under the stage cannot be reached by Tab.
  function hold(event) {
    if (!event.composedPath().includes(root)) root.focus({ preventScroll: true });
  }

  function turn(to = (side + 1) % SIDES.length) {
    side = to;
    const [name, words] = SIDES[side];
    root.dataset.sides = name;
    sides.textContent = words;
    const next = SIDES[(side + 1) % SIDES.length][1].toLowerCase();
    sides.title = `Shown: ${words.toLowerCase()}; press for ${next}`;
    if (player.staged) changed();
  }

  function keys(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.repeat || !root.isConnected) return;
    const on = event.composedPath()[0];
    if (on instanceof Element && on.matches("input:not([type=range]),textarea,select,[contenteditable]")) return;
    if (event.key === "f") show(!player.staged);
    else if (event.key === "Escape" && player.staged) show(false);
    else return;
    event.preventDefault();
  }

  turn(0);
  if (question) document.addEventListener("keydown", keys);

  return {
    heading,
    tools: question ? [open, sides, leave] : [],
    // Open it at once if the address says so.
    begin: () => inAddress("stage") === "1" && show(true),
    destroy() {
      document.removeEventListener("keydown", keys);
      if (player.staged) uncover();
    },
  };
}
