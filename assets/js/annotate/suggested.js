// What the rules suggest for the fate of the fact, below its field, and what a model proposes for steps, among the hints: shown with the
// hints, and filled in only when the annotator accepts it. What was accepted is marked as suggested by rule, or proposed by a model; a
// value that is chosen by hand has no such mark (fields.js).
import { html } from "../../vendor/preact.js";
import { el } from "../player/dom.js";
import { idOf } from "./outbox.js";
import { Tool, tool } from "./tool.js";

const [BY_RULE, BY_MODEL] = ["rule", "model"]; // as readers/engine/labels/label.py has them
export const SUGGESTED_BY_RULE = "suggested by rule";
export const PROPOSED_BY_MODEL = "proposed by a model";

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

// Proposals of a model

const about = ({ kind, target: { step, on, number, start, end }, value }) => JSON.stringify([kind, step, on, number, start, end, value.code]);

// Those of `proposed` that the annotator has not given, no matter how.
export function stillProposed(proposed, own) {
  const given = new Set(own.map(about));
  return proposed.filter((one) => !given.has(about(one)));
}

// Those that are accepted at a step (from 1): its codes, and the words that the model marked with them.
export function proposedAt(proposed, step) {
  const codes = proposed.filter(({ target }) => target.step === step).map(({ value }) => value.code);
  return proposed.filter(({ kind, target, value }) => target.step === step || (kind === "span" && codes.includes(value.code)));
}

// The annotator's label that accepting a proposal makes.
export function labelProposed(seed, { kind, target, value }) {
  const { step, on, number, start, end } = target;
  const id = kind === "step" ? idOf(seed, "step", step, value.code) : idOf(seed, "span", on, number ?? "", start, end, value.code);
  return { id, kind, target, value: { ...value, note: "", suggested: BY_MODEL } };
}

// The proposals as items among the hints. `open`: those that are not given yet; `describe` says what one is about, and what it says.
export const Proposed = ({ proposed, open, here, describe, accept, go, locked }) => proposed.map((one) => {
  const [place, words] = describe({ ...one, value: { ...one.value, severity: 0 } }); // that is the annotator's
  const offered = one.target.step === here && open.includes(one) && !locked;
  return html`<li class=${one.target.step === here ? "here" : ""}>
    <b>Proposed by ${one.by.replace(/^model: /, "")}: </b>${words}
    <span class="row links"><button type="button" class="link" onClick=${() => go(one)}>${place}</button>${offered && html`<${Tool} text="Accept" by="y" act=${accept} kind="tool small" />`}${!open.includes(one) && html`<span class="given">✓ given</span>`}</span>
  </li>`;
});
