// The end of a reading, shown from the first step on or hidden until its last. Hidden, nothing on the page is later than the step: the
// panes ask `player.ends()`, Python is told, and the page's own answer and figures follow `data-end` of the document (trace.css).
import { el } from "./dom.js";
import { setInAddress } from "./page_address.js";

// Whether what comes later may be shown at a step. `bound`: no step after one before the last may be shown yet.
export function endIsShown({ hides, at, last, live, bound = false }) {
  return (!hides && !bound) || live || at >= last;
}

// `offered`: whether this player has the switch; without it, the end is always shown. `usual`: what the address need not say.
// `changed` draws everything again.
export function createEnding(player, { offered, hides, usual = "shown" }, changed) {
  let hidden = offered && hides;
  const button = el("button", { type: "button", class: "tool end-switch", hidden: !offered && "", on: { click: () => turn() } });
  const bound = () => player.reach < player.last;
  const shown = () => endIsShown({ hides: hidden, at: player.at, last: player.last, live: player.frames.live, bound: bound() });

  function turn() {
    if (bound()) return;
    hidden = !hidden;
    const now = hidden ? "hidden" : "shown";
    setInAddress("end", now === usual ? "" : now);
    changed();
  }

  if (offered) player.keys.on({ end: turn });

  function draw() {
    if (!offered) return;
    button.hidden = Boolean(player.frames.live) || bound();
    button.textContent = hidden ? "Show the end" : "Hide the end";
    button.title = hidden ? "Show the answer and what comes later (e)" : "Show nothing that is later than the step (e)";
    document.documentElement.dataset.end = shown() ? "shown" : "hidden";
  }

  function destroy() {
    if (offered) delete document.documentElement.dataset.end;
  }

  return { button, draw, shown, hides: () => hidden, destroy };
}
