// What the rules suggest for the fate of the fact, below its field: shown with the hints, and filled in only when the annotator accepts
// it. What was accepted is marked as suggested by rule; a value that is chosen by hand has no such mark (fields.js).
import { el } from "../player/dom.js";
import { tool } from "./tool.js";

const BY_RULE = "rule"; // as readers/engine/labels/label.py has it
export const SUGGESTED_BY_RULE = "suggested by rule";

// The labels that accepting a suggestion makes: the fate and, unless the annotator chose one, the decisive step. `ids` and `current` are
// the ids and the current values of the labels, by field.
export function labelsAccepted({ fate, step, decides }, ids, current) {
  const label = (field, value) => ({ id: ids[field], kind: "reading", target: { field }, value: { value, suggested: BY_RULE } });
  const free = !current.decisive || current.decisive.suggested;
  return [label("fate", fate), ...(decides && free ? [label("decisive", { step, confidence: 2, words: current.decisive?.value.words ?? "" })] : [])];
}

// The value of the decisive step after a change by hand. That a rule suggested it holds for the step alone.
export function decisiveValue(before, change) {
  const mark = before?.suggested && !("step" in change) ? { suggested: before.suggested } : {};
  return { ...mark, value: { confidence: 2, words: "", ...before?.value, ...change } };
}

// Whether the current value of *Fate* is the suggested one, accepted as such.
export function isAccepted(suggested, fate) {
  return Boolean(fate?.suggested) && (!suggested || fate.value === suggested.fate);
}

export function suggestedFate({ accept }) {
  const words = el("p", {});
  const button = tool("Accept", "y", accept);
  const node = el("div", { class: "suggested", role: "group", "aria-label": "Suggested fate", hidden: "" }, words, button);

  // `fate` is the current value of the label, null if it has none.
  function draw({ suggested, fate, locked }) {
    const accepted = isAccepted(suggested, fate);
    node.hidden = !accepted && !suggested;
    button.hidden = accepted || locked;
    if (accepted) words.textContent = "Fate: suggested by rule, confirmed by you.";
    else if (suggested) words.textContent = `By rule: ${suggested.title}, step ${suggested.step}.`;
    node.title = suggested?.why ?? "";
  }
  return { node, draw };
}
