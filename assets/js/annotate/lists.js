// The lists of the label panel: labels so far, other annotators' labels, hints, and changes that could not be saved.
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { reveal } from "../player/dom.js";
import { PROPOSED_BY_MODEL, Proposed, SUGGESTED_BY_RULE } from "./suggested.js";

const SURFACES = { text: "the text", prompt: "the prompt of call", reply: "the reply of call", wrote: "written text" };
const LINKED = 8; // steps of a hint that have a link
const CONFIDENCE = { 1: "a guess", 2: "fairly sure", 3: "sure" };

// A label in a few words: [what it refers to, what it says]. `names` knows the titles of fields and codes.
export function describeLabel({ id, kind, target, value, quote, edited }, names) {
  if (kind === "decision") return names.decision({ id, value });
  if (kind === "reading") {
    const words = target.field === "decisive" ? describeDecisive(value.value) : names.value(target.field, value.value);
    return [names.field(target.field), value.suggested ? `${words} · ${SUGGESTED_BY_RULE}` : words];
  }
  if (kind === "step") return [`Step ${target.step}`, [`${names.code(value.code).called}${value.severity ? `, severity ${value.severity}` : ""}`, value.note, value.suggested && PROPOSED_BY_MODEL].filter(Boolean).join(" · ")];
  if (kind === "span") {
    const place = target.on === "text" ? SURFACES.text : `${SURFACES[target.on]} ${target.number}`;
    return [`In ${place}`, [value.code ? names.code(value.code).called : "", quote ? `“${quote}”` : "", value.note, value.suggested && PROPOSED_BY_MODEL].filter(Boolean).join(" · ") || "marked"];
  }
  if (kind === "correction") return [`Step ${target.step}, what would have been right`, [edited, value.words].filter(Boolean).join(" · ")];
  return [target.step ? `Note on step ${target.step}` : "Note on the reading", value.words];
}

function describeDecisive({ step, confidence, words }) {
  const where = typeof step === "number" ? `step ${step}` : step === "none" ? "no step" : "while building";
  return [`${where}, ${CONFIDENCE[confidence]}`, words].filter(Boolean).join(" · ");
}

const ORDER = { reading: 0, step: 1, note: 2, correction: 3, span: 4 };
const stepOrder = ({ kind, target }) => target.step ?? (kind === "reading" ? -1 : kind === "span" ? 1e9 : 0);

const Head = ({ title, children }) => html`<div class="head"><h2>${title}</h2>${children}</div>`;

// The annotator's own labels in order of steps, each with a link to its place, undo and remove. `acts`: what undoes (`restore`), removes
// and confirms one.
export function OwnLabels({ labels, names, locked, go, acts }) {
  const rows = labels.toSorted((a, b) => stepOrder(a) - stepOrder(b) || ORDER[a.kind] - ORDER[b.kind] || (a.id < b.id ? -1 : 1));
  return html`
    <${Head} title="Labelled so far"><span class="count">${rows.length || ""}</span></${Head}>
    <ul class="so-far">
      ${rows.map((label) => html`<${OwnLabel} key=${label.id} ...${{ label, names, locked, go, acts }} />`)}
      ${!rows.length && html`<li class="none">Nothing yet.</li>`}
    </ul>`;
}

function OwnLabel({ label, names, locked, go, acts }) {
  const [about, words] = describeLabel(label, names);
  const there = label.target.step || label.target.on === "text" || typeof label.value.value?.step === "number";
  const button = (text, says, act) => html`<button type="button" class="tool small" aria-label=${says} disabled=${locked} onClick=${act}>${text}</button>`;
  return html`<li>
    <div class="row">
      ${there ? html`<button type="button" class="link" onClick=${() => go(label)}>${about}</button>` : html`<span class="about">${about}</span>`}
      <span class="acts">
        ${label.revision > 1 && button("Undo", `Undo the last change: ${about}`, () => acts.restore(label.id, label.revision - 1))}
        ${button("Remove", `Remove: ${about}, ${words}`, () => acts.remove(label.id))}
      </span>
    </div>
    <p class="label-words">${words}</p>
    ${label.again && html`<p class="again"><b>! Review: </b>${label.again} ${button("Still holds", `Still holds: ${about}, ${words}`, () => acts.confirm(label.id))}</p>`}
  </li>`;
}

// Other annotators' labels of this reading, where they may be seen.
export const OthersLabels = ({ others, names }) => html`
  <${Head} title="Others’ labels" />
  <ul class="so-far">${others.map((label) => {
    const [about, words] = describeLabel(label, names);
    return html`<li><p><b>${label.by}</b> · ${about}</p><p class="label-words">${words}</p></li>`;
  })}</ul>`;

// Automatic hints, and what a model proposes (`proposals`: as `Proposed` takes them): shown only on request, and marked as such. Those that
// name the step `here` are marked, and in view when it gets there.
export function Hints({ hinted, hints, here, ask, go, proposals }) {
  const count = proposals.proposed.length;
  const asked = !count ? "automatic hints" : hinted ? "hints" : "hints and proposals";
  const list = useRef(null);
  useLayoutEffect(() => reveal(list.current, list.current.querySelectorAll(".here")[0]), [here]);
  return html`
    <div class="head">
      <button type="button" class="tool wide" data-key="h" aria-expanded=${String(hinted)} onClick=${ask}><span>${hinted ? "Hide" : "Show"} ${asked}</span><kbd aria-hidden="true">h</kbd></button>
      <p class="about" title="Made by rules from the record, or proposed by a model; they are no labels." hidden=${!hinted}>${count ? "no labels until accepted" : "by rules, no labels"}</p>
    </div>
    <ul class="hints" ref=${list}>
      ${hints.map(({ sentence, steps, known }) => html`<li class=${steps.includes(here) ? "here" : ""}>
        <b>${known ? "Hint, from the known answer: " : "Hint: "}</b>${sentence}
        <span class="row links">${steps.slice(0, LINKED).map((step) => html`<button type="button" class="link" aria-current=${step === here ? "step" : null} onClick=${() => go({ target: { step } })}>step ${step}</button>`)}</span>
      </li>`)}
      ${hinted && html`<${Proposed} ...${{ ...proposals, here, go }} />`}
      ${hinted && !hints.length && !count && html`<li class="none">The record shows nothing of note.</li>`}
    </ul>`;
}

// The step (from 1) that hints lead to from a step (from 1): the next one that any of them names, and after the last the first; null if
// none names a step.
export function hintedStepAfter(hints, step) {
  const named = hints.flatMap(({ steps }) => steps).toSorted((a, b) => a - b);
  return named.find((each) => each > step) ?? named[0] ?? null;
}

// Changes that could not be saved: a conflict between two versions of a label, or a refusal, each with its options. `stored(id)` is the
// version that the server has; `resolve(id, which, joined)` keeps one.
export const Unsaved = ({ blocked, stored, names, resolve }) => blocked.map((entry) => html`<${entry.stands ? Conflict : Refusal} key=${entry.id} ...${{ entry, stored: stored(entry.id), names, resolve }} />`);

function Conflict({ entry, stored, names, resolve }) {
  const theirs = stored && !stored.removed ? stored.value : null;
  const mine = entry.want.do === "put" ? entry.want.value : null;
  const describe = (value) => (value ? describeLabel({ ...entry, value, quote: "" }, names)[1] : "removed");
  const button = (text, which, both) => html`<button type="button" class="tool" onClick=${() => resolve(entry.id, which, both)}>${text}</button>`;
  const joined = theirs && mine && joinValues(theirs, mine);
  return html`<section class="conflict" aria-label="Changed twice">
    <p><b>${describeLabel({ ...entry, value: mine ?? theirs ?? {}, quote: "" }, names)[0]}: </b>changed elsewhere while you changed it here. Nothing is lost. Which version should stay?</p>
    <dl><dt>Elsewhere</dt><dd>${describe(theirs)}</dd><dt>Here</dt><dd>${describe(mine)}</dd></dl>
    <div class="row">${button("Keep the other version", "theirs")}${button("Keep this version", "mine")}${joined && button("Keep both", "mine", joined)}</div>
  </section>`;
}

function Refusal({ entry, names, resolve }) {
  const value = entry.want.do === "put" ? entry.want.value : null;
  const [about, words] = value ? describeLabel({ ...entry, value, quote: "" }, names) : ["A change", ""];
  return html`<section class="conflict" aria-label="Not saved">
    <p><b>Not saved. ${about}: </b>${words}</p><p>${entry.refused}</p>
    <div class="row"><button type="button" class="tool" onClick=${() => resolve(entry.id, "mine")}>Try again</button><button type="button" class="tool" onClick=${() => resolve(entry.id, "theirs")}>Discard</button></div>
  </section>`;
}

// Both versions of a label joined into one value, if they differ in text; otherwise null.
export function joinValues(theirs, mine) {
  for (const name of ["words", "note"]) if (typeof theirs[name] === "string" && theirs[name] !== mine[name]) return { ...mine, [name]: `${theirs[name]}\n${mine[name]}`.slice(0, 4000) };
  if (typeof theirs.value === "string" && /\s/.test(theirs.value + mine.value)) return { value: `${theirs.value}\n${mine.value}`.slice(0, 4000) };
  if (theirs.value?.words !== undefined && theirs.value.words !== mine.value?.words) return { value: { ...mine.value, words: `${theirs.value.words}\n${mine.value.words}`.slice(0, 4000) } };
  return null;
}
