// The lists of the label panel: labels so far, other annotators' labels, hints, and changes that could not be saved.
import { el, reveal } from "../player/dom.js";
import { currentValue } from "./fields.js";
import { SUGGESTED_BY_RULE } from "./suggested.js";

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
  if (kind === "step") return [`Step ${target.step}`, [`${names.code(value.code).called}, severity ${value.severity}`, value.note].filter(Boolean).join(" · ")];
  if (kind === "span") {
    const place = target.on === "text" ? SURFACES.text : `${SURFACES[target.on]} ${target.number}`;
    return [`In ${place}`, [value.code ? names.code(value.code).called : "", quote ? `“${quote}”` : "", value.note].filter(Boolean).join(" · ") || "marked"];
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

// The annotator's own labels in order of steps, each with a link to its place, undo and remove.
export function ownLabels({ outbox, names, go }) {
  const count = el("span", { class: "count" });
  const list = el("ul", { class: "so-far" });
  const node = el("section", { class: "own-labels", "aria-label": "Labelled so far" }, el("div", { class: "head" }, el("h2", { text: "Labelled so far" }), count), list);

  function draw({ locked }) {
    const ids = new Set([...outbox.labels().keys(), ...outbox.drafts().map(({ id }) => id)]);
    const rows = [...ids].map((id) => ({ ...(outbox.get(id) ?? outbox.entry(id)), value: currentValue(outbox, id) })).filter(({ value }) => value);
    rows.sort((a, b) => stepOrder(a) - stepOrder(b) || ORDER[a.kind] - ORDER[b.kind] || (a.id < b.id ? -1 : 1));
    count.textContent = rows.length ? String(rows.length) : "";
    list.replaceChildren(...rows.map((label) => line(label, locked)));
    if (!rows.length) list.replaceChildren(el("li", { class: "none", text: "Nothing yet." }));
  }

  function line(label, locked) {
    const [about, words] = describeLabel(label, names);
    const there = label.target.step || label.target.on === "text" || typeof label.value.value?.step === "number";
    const title = there ? el("button", { type: "button", class: "link", text: about, on: { click: () => go(label) } }) : el("span", { class: "about", text: about });
    const acts = el(
      "span", { class: "acts" },
      label.revision > 1 ? el("button", { type: "button", class: "tool small", text: "Undo", "aria-label": `Undo the last change: ${about}`, disabled: locked, on: { click: () => outbox.restore(label.id, label.revision - 1) } }) : null,
      el("button", { type: "button", class: "tool small", text: "Remove", "aria-label": `Remove: ${about}, ${words}`, disabled: locked, on: { click: () => outbox.remove(label.id) } }),
    );
    const holds = el("button", { type: "button", class: "tool small", text: "Still holds", "aria-label": `Still holds: ${about}, ${words}`, disabled: locked, on: { click: () => outbox.confirm(label.id) } });
    const again = label.again ? el("p", { class: "again" }, el("b", { text: "! Review: " }), label.again, " ", holds) : null;
    return el("li", {}, el("div", { class: "row" }, title, acts), el("p", { class: "label-words", text: words }), again);
  }
  return { node, draw };
}

// Other annotators' labels of this reading, where they may be seen.
export function othersLabels({ names }) {
  const list = el("ul", { class: "so-far" });
  const node = el("section", { class: "of-others", "aria-label": "Others’ labels" }, el("div", { class: "head" }, el("h2", { text: "Others’ labels" })), list);
  function draw({ others }) {
    node.hidden = !others.length;
    list.replaceChildren(...others.map((label) => {
      const [about, words] = describeLabel(label, names);
      return el("li", {}, el("p", {}, el("b", { text: label.by }), ` · ${about}`), el("p", { class: "label-words", text: words }));
    }));
  }
  return { node, draw };
}

// Automatic hints: shown only on request, and marked as hints. Those that name the panel's step are marked, and in view when it gets there.
export function hintList({ ask, go }) {
  const button = el("button", { type: "button", class: "tool wide", on: { click: ask } });
  const list = el("ul", { class: "hints" });
  const about = el("p", { class: "about", text: "by rules, no labels", title: "Made by rules from the record; they are no labels." });
  const node = el("section", { class: "hint-box", "aria-label": "Hints" }, el("div", { class: "head" }, button, about), list);
  let shown = 0;

  function draw({ hinted, hints }, step) {
    button.replaceChildren(el("span", { text: hinted ? "Hide automatic hints" : "Show automatic hints" }), el("kbd", { text: "h", "aria-hidden": "true" }));
    button.setAttribute("aria-expanded", String(hinted));
    node.className = hinted ? "hint-box on" : "hint-box";
    about.hidden = !hinted;
    const lines = hints.map((hint) => line(hint, step));
    list.replaceChildren(...lines);
    if (hinted && !hints.length) list.replaceChildren(el("li", { class: "none", text: "The record shows nothing of note." }));
    if (shown !== step) reveal(list, lines.find((_, n) => hints[n].steps.includes(step)));
    shown = step;
  }
  const line = ({ sentence, steps, known }, here) => el(
    "li", { class: steps.includes(here) ? "here" : "" }, el("b", { text: known ? "Hint, from the known answer: " : "Hint: " }), sentence,
    el("span", { class: "row links" }, ...steps.slice(0, LINKED).map((step) => el("button", { type: "button", class: "link", text: `step ${step}`, "aria-current": step === here && "step", on: { click: () => go({ target: { step } }) } }))),
  );
  return { node, draw };
}

// The step (from 1) that hints lead to from a step (from 1): the next one that any of them names, and after the last the first; null if
// none names a step.
export function hintedStepAfter(hints, step) {
  const named = hints.flatMap(({ steps }) => steps).toSorted((a, b) => a - b);
  return named.find((each) => each > step) ?? named[0] ?? null;
}

// Changes that could not be saved: a conflict between two versions of a label, or a refusal, each with its options.
export function unsavedChanges({ outbox, names }) {
  const node = el("div", { class: "blocked", role: "alert" });
  let signature = "";
  function draw() {
    const found = outbox.blocked();
    const key = JSON.stringify(found.map(({ id, stands, refused, want }) => [id, stands, refused, want?.value, outbox.get(id)?.value, outbox.get(id)?.removed]));
    if (key === signature) return;
    signature = key;
    node.replaceChildren(...found.map((entry) => (entry.stands ? conflict(entry) : refusal(entry))));
  }

  function conflict(entry) {
    const stored = outbox.get(entry.id);
    const theirs = stored && !stored.removed ? stored.value : null;
    const mine = entry.want.do === "put" ? entry.want.value : null;
    const describe = (value) => (value ? describeLabel({ ...entry, value, quote: "" }, names)[1] : "removed");
    const button = (text, which, joined) => el("button", { type: "button", class: "tool", text, on: { click: () => outbox.resolve(entry.id, which, joined) } });
    const joined = theirs && mine && joinValues(theirs, mine);
    return el(
      "section", { class: "conflict", "aria-label": "Changed twice" },
      el("p", {}, el("b", { text: `${describeLabel({ ...entry, value: mine ?? theirs ?? {}, quote: "" }, names)[0]}: ` }), "changed elsewhere while you changed it here. Nothing is lost. Which version should stay?"),
      el("dl", {}, el("dt", { text: "Elsewhere" }), el("dd", { text: describe(theirs) }), el("dt", { text: "Here" }), el("dd", { text: describe(mine) })),
      el("div", { class: "row" }, button("Keep the other version", "theirs"), button("Keep this version", "mine"), joined ? button("Keep both", "mine", joined) : null),
    );
  }

  function refusal(entry) {
    const value = entry.want.do === "put" ? entry.want.value : null;
    const [about, words] = value ? describeLabel({ ...entry, value, quote: "" }, names) : ["A change", ""];
    return el(
      "section", { class: "conflict", "aria-label": "Not saved" },
      el("p", {}, el("b", { text: `Not saved. ${about}: ` }), words),
      el("p", { text: entry.refused }),
      el("div", { class: "row" }, el("button", { type: "button", class: "tool", text: "Try again", on: { click: () => outbox.resolve(entry.id, "mine") } }), el("button", { type: "button", class: "tool", text: "Discard", on: { click: () => outbox.resolve(entry.id, "theirs") } })),
    );
  }
  return { node, draw };
}

// Both versions of a label joined into one value, if they differ in text; otherwise null.
export function joinValues(theirs, mine) {
  for (const name of ["words", "note"]) if (typeof theirs[name] === "string" && theirs[name] !== mine[name]) return { ...mine, [name]: `${theirs[name]}\n${mine[name]}`.slice(0, 4000) };
  if (typeof theirs.value === "string" && /\s/.test(theirs.value + mine.value)) return { value: `${theirs.value}\n${mine.value}`.slice(0, 4000) };
  if (theirs.value?.words !== undefined && theirs.value.words !== mine.value?.words) return { value: { ...mine.value, words: `${theirs.value.words}\n${mine.value.words}`.slice(0, 4000) } };
  return null;
}
