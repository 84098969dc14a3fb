// The controls between two players: a button that goes to where the readings diverge, and the switch that locks them together. While
// locked, stepping or scrolling one player by hand moves the other; while free, each moves on its own.
import { html, render } from "../../vendor/preact.js";
import { hear, tell } from "../player/bus.js";

const FREE = "Free: each player steps and scrolls independently.";
const SCROLLS = "Scrolling one text by hand scrolls the other.";

export function createPart(root, { runs, part }) {
  const go = () => {
    runs.forEach((run, n) => part[n] !== null && tell(run, "go", { at: part[n], by: "part" }));
    tell(runs[0], "reveal");
  };
  render(html`<button type="button" class="tool there" onClick=${go}>Go there in both players</button>`, root);
  return { end: () => {} };
}

export function createLock(root, { runs, counts, same, rule }) {
  const at = {};
  let on = true;
  let used = runs[0];
  const beside = (run, step) => stepBeside(step, runs[0] === run ? counts : counts.toReversed(), same);
  const other = (run) => (run === runs[0] ? runs[1] : runs[0]);

  function moved({ run, at: step, by }) {
    at[run] = step;
    if (on && !by) tell(other(run), "go", { at: beside(run, step), by: "lock" });
  }

  function lock(wanted) {
    on = wanted;
    const choice = (words, locks) => html`<button type="button" class="tool" aria-pressed=${on === locks} onClick=${() => lock(locks)}>${words}</button>`;
    render(html`
      <div class="lock" role="group" aria-label="Stepping and scrolling">${choice("Locked together", true)}${choice("Free", false)}</div>
      <p class="rule" role="status">${on ? `${rule} ${SCROLLS}` : FREE}</p>`, root);
    if (on && at[used] !== undefined) tell(other(used), "go", { at: beside(used, at[used]), by: "lock" });
  }

  const ears = runs.map((run) => hear(run, { at: moved, used: () => (used = run), scrolled: ({ place }) => on && tell(other(run), "scroll", { place }) }));
  lock(true);
  for (const run of runs) tell(run, "where");
  return { end: () => ears.forEach((end) => end()) };
}

// The other reading's step for a step of one: the same number, or the same share of the way. The pair is the number of steps of each.
export function stepBeside(step, [mine, others], same) {
  if (same) return step;
  return step >= mine - 1 ? others - 1 : Math.round((step / (mine - 1)) * (others - 1));
}
