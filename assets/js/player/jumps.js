// Keys that go to a step by what is there: the next decision, the next phase and the one before, and the known places one after the
// other. Where there is none, the text's pane says so.
import { knownPlaces } from "./places.js";
import { decisionAfter, phaseAfter, phaseBefore, stepAtPlace } from "./steps.js";

export function listenForJumps(player, text) {
  let last = -1; // the number of the known place that was gone to last
  const go = (step, otherwise) => (step === undefined ? text.announce(otherwise) : player.go(step));

  function toKnown() {
    const places = knownPlaces(player.known);
    if (!places.length) return text.announce("No known place is shown.");
    last = (last + 1) % places.length;
    const [start] = places[last];
    const found = stepWith(start);
    if (found) player.go(found.step);
    const seen = found?.raw ? "The model had it raw in view at this step." : "It was never opened on its own.";
    text.announce(`Known place${places.length > 1 ? ` ${last + 1} of ${places.length}` : ""}. ${seen}`);
    text.show(start);
  }

  // A step of the walk or the answer that had the place raw in view, rather than one of building.
  function stepWith(start) {
    const { steps, building } = player.frames;
    const walked = stepAtPlace(steps.map((step, n) => (n < building ? { focus: [] } : step)), start, player.at);
    return walked?.raw ? walked : stepAtPlace(steps, start, player.at);
  }

  player.keys.on({
    nextPhase: () => go(phaseAfter(player.frames.phases, player.at), "This is the last phase."),
    previousPhase: () => go(phaseBefore(player.frames.phases, player.at), "This is the first step."),
    nextDecision: () => go(decisionAfter(player.frames.steps, player.at), "No later step has a decision."),
    nextKnown: () => toKnown(),
  });
}
