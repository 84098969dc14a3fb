// The end of a reading, shown from the first step on or hidden until its last. Hidden, nothing on the page is later than the step: the
// panes ask `player.ends()`, Python is told, and the page's own answer and figures follow `data-end` of the document (trace.css).
import { el } from "./dom.js";
import { setInAddress } from "./page_address.js";

// Whether what comes later may be shown at a step.
export function endIsShown({ hides, at, last, live }) {
  return !hides || live || at >= last;
}

// `offered`: whether this player has the switch; without it, the end is always shown. `usual`: what the address need not say.
// `changed` draws everything again.
export function createEnding(player, { offered, hides, usual = "shown" }, changed) {
  let hidden = offered && hides;
  const button = el("button", { type: "button", class: "tool end-switch", hidden: !offered && "", on: { click: () => turn() } });
  const shown = () => endIsShown({ hides: hidden, at: player.at, last: player.last, live: player.frames.live });

  function turn() {
    hidden = !hidden;
    const now = hidden ? "hidden" : "shown";
    setInAddress("end", now === usual ? "" : now);
    changed();
  }

  if (offered) player.keys.on({ end: turn });

  function draw() {
    if (!offered) return;
    button.hidden = Boolean(player.frames.live);
    button.textContent = hidden ? "Show the end" : "Hide the end";
    button.title = hidden ? "Show the answer and what comes later (e)" : "Show nothing that is later than the step (e)";
    document.documentElement.dataset.end = shown() ? "shown" : "hidden";
  }

  function destroy() {
    if (offered) delete document.documentElement.dataset.end;
  }

  return { button, draw, shown, hides: () => hidden, destroy };
}
