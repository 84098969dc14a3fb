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

  turn(0);
  if (question) player.keys.on({ stage: () => show(!player.staged), leave: () => player.staged && show(false) });

  return {
    heading,
    tools: question ? [open, sides, leave] : [],
    // Open it at once if the address says so.
    begin: () => inAddress("stage") === "1" && show(true),
    destroy() {
      if (player.staged) uncover();
    },
  };
}
