// The fields of the label panel: free text, choices, and the codes of a step. Each shows an unsaved draft before the saved value, and
// passes every change to the outbox at once.
import { html, render } from "../../vendor/preact.js";
import { el } from "../player/dom.js";
import { Meaning } from "./codes.js";
import { decisiveValue } from "./suggested.js";

const TYPING = 700; // milliseconds without a keystroke after which text is saved

// A label's current value: the draft in flight, else the saved one; null if there is neither.
export function currentValue(outbox, id) {
  const draft = outbox.draft(id);
  if (draft?.do === "put") return draft.value;
  if (draft?.do === "remove") return null;
  const stored = outbox.get(id);
  return stored && !stored.removed ? stored.value : null;
}

// All labels as they are now, drafts included, each with its current value.
export function ownNow(outbox) {
  const ids = new Set([...outbox.labels().keys(), ...outbox.drafts().map(({ id }) => id)]);
  return [...ids].map((id) => ({ ...(outbox.get(id) ?? outbox.entry(id)), value: currentValue(outbox, id) })).filter(({ value }) => value);
}

// A text field for a label. `about()` returns the label for this step ({id, kind, target}), or null if none can be written; `toValue` and
// `toText` turn text into its value and back. Emptying the field removes the label, unless `keeps(id)` says that it holds more.
export function textField({ outbox, title, key, about, toValue, toText, longest, rows = 2, keeps = () => false }) {
  const field = el("textarea", { rows, maxlength: longest, on: { input: typed, blur: () => outbox.flush({ now: true }) } });
  const name = el("span", { class: "name", text: title });
  const node = el("label", { class: "field words" }, el("span", { class: "name-line" }, name, key ? el("kbd", { text: key, "aria-hidden": "true" }) : null), field);
  let here = "";

  function typed() {
    const spec = about();
    if (!spec) return;
    if (field.value.trim() || keeps(spec.id)) outbox.put({ ...spec, value: toValue(field.value) }, TYPING);
    else outbox.remove(spec.id, TYPING);
  }

  function draw({ locked = false } = {}) {
    const spec = about();
    node.hidden = !spec;
    field.readOnly = locked;
    if (!spec) return;
    const value = currentValue(outbox, spec.id);
    const saved = value ? toText(value) : "";
    if (field.value !== saved && !(here === spec.id && field.value.trim() === saved.trim())) field.value = saved;
    here = spec.id;
  }
  return { node, field, draw, rename: (to) => (name.textContent = to) };
}

// What would have been right at this step: free text, and above it the edit made below the player, as Python describes it.
export function correctionField({ outbox, about, longest, choose }) {
  const edited = (id) => { const stored = outbox.get(id); return (stored && !stored.removed && stored.edited) || ""; };
  const right = textField({ outbox, title: "What would have been right here", key: "r", about, longest, toValue: (typed) => ({ words: typed }), toText: (value) => value.words, keeps: (id) => edited(id) !== "" });
  const line = el("p", { class: "edited" });
  const lead = el("span", {});
  const button = el("button", { class: "tool wide", type: "button", "data-key": "x", title: "Choose below the player what would have been right, and continue from it", on: { click: choose } }, lead, el("kbd", { text: "x", "aria-hidden": "true" }));
  const node = el("div", { class: "field correction" }, line, right.node); // the button stands elsewhere, beside the one that marks words

  function draw({ locked, offered }) {
    const spec = about();
    const correction = spec ? edited(spec.id) : "";
    line.hidden = !correction;
    line.textContent = correction ? `Your correction: ${correction}` : "";
    right.draw({ locked });
    button.hidden = !spec || !offered;
    lead.textContent = correction ? "See what it changes" : "Correct this step";
  }
  return { node, button, draw, field: right.field };
}

// The id of an annotator's correction of a step. `correction_id` in readers/engine/labels/label.py makes the same one.
export const correctionId = (seed, step) => `${seed.slice(0, 24)}${step.toString(16).padStart(8, "0")}`;

// A choice of one value for the whole reading.
export function choiceField({ outbox, field, id }) {
  const pick = el("select", { on: { change: changed } }, el("option", { value: "", text: "not set" }), ...field.values.map(([value, text]) => el("option", { value, text })));
  const node = el("label", { class: "field", title: field.about }, el("span", { class: "name-line" }, el("span", { class: "name", text: field.title }), el("kbd", { text: field.key, "aria-hidden": "true" })), pick);

  function changed() {
    if (pick.value) outbox.put({ id, kind: "reading", target: { field: field.name }, value: { value: pick.value } });
    else outbox.remove(id);
  }
  function draw({ locked }) {
    pick.disabled = locked;
    pick.value = currentValue(outbox, id)?.value ?? "";
  }
  return { node, field: pick, draw };
}

// The decisive step: a step, none, or the building phase; how sure the annotator is, and why.
export function decisiveField({ outbox, id, longest, steps }) {
  const target = { field: "decisive" };
  const now = () => currentValue(outbox, id)?.value ?? null;
  const changed = (change) => decisiveValue(currentValue(outbox, id), change);
  const set = (change) => outbox.put({ id, kind: "reading", target, value: changed(change) });
  let at = 0;
  const lead = el("span", {});
  const mark = el("button", { class: "tool wide", type: "button", "data-key": "d", title: "The step where the reading went wrong", on: { click: () => toggle() } }, lead, el("kbd", { text: "d", "aria-hidden": "true" }));
  const other = el("select", { "aria-label": "Decisive step, or none", on: { change: elsewhere } });
  const sure = el("select", { "aria-label": "How sure", on: { change: () => set({ confidence: Number(sure.value) }) } }, ...[["1", "a guess"], ["2", "fairly sure"], ["3", "sure"]].map(([value, text]) => el("option", { value, text })));
  const why = textField({
    outbox, title: "Why", key: "w", longest, keeps: () => true,
    about: () => (now() ? { id, kind: "reading", target } : null),
    toValue: (typed) => changed({ words: typed }),
    toText: (value) => value.value.words,
  });
  const row = el("div", { class: "row two" }, other, sure);
  const node = el("div", { class: "field decisive" }, mark, row, why.node);

  function toggle() {
    if (now()?.step === at + 1) outbox.remove(id);
    else set({ step: at + 1 });
  }
  function elsewhere() {
    if (other.value === "") outbox.remove(id);
    else set({ step: /^\d+$/.test(other.value) ? Number(other.value) : other.value });
  }
  function draw({ locked, step }) {
    at = step;
    const value = now();
    const here = value?.step === at + 1;
    lead.textContent = here ? `Step ${at + 1} is the decisive step` : `Mark step ${Math.max(1, at + 1)} as decisive`;
    mark.setAttribute("aria-pressed", String(here));
    mark.disabled = locked || !steps;
    for (const each of [other, sure]) each.disabled = locked || (each === sure && !value);
    const values = [["", "decisive: not set"], ["none", "no step"], ["building", "while building"], ...(typeof value?.step === "number" ? [[String(value.step), `step ${value.step}`]] : [])];
    other.replaceChildren(...values.map(([given, text]) => el("option", { value: given, text })));
    other.value = value ? String(value.step) : "";
    sure.value = String(value?.confidence ?? 2);
    why.draw({ locked });
  }
  return { node, draw, toggle, why };
}

// The codes of one step, each with a severity and a note. The number keys apply to the current code.
export function stepCodeList({ outbox, codeOf, longest }) {
  const SEVERITIES = ["minor", "moderate", "severe"];
  const rows = new Map();
  const node = el("ul", { class: "step-codes", "aria-label": "Codes of this step" });
  let current = "";
  let here = [];

  function row(id) {
    const name = el("b");
    const button = (n) => el("button", { type: "button", class: "severity", text: String(n), title: SEVERITIES[n - 1], on: { click: () => severity(n, id) } });
    const grades = [1, 2, 3].map(button);
    const note = textField({
      outbox, title: "Note on this code", key: "v", longest, rows: 1, keeps: () => true,
      about: () => spec(id), toValue: (typed) => ({ ...currentValue(outbox, id), note: typed }), toText: (value) => value.note,
    });
    const grade = el("span", { class: "grade-word", "aria-hidden": "true" }); // what the number means
    note.node.firstChild.lastChild.before(grade);
    const tip = el("div", { class: "tip", role: "note" });
    const gone = el("button", { type: "button", class: "tool small", text: "Remove", on: { click: () => outbox.remove(id) } });
    const line = el("li", { on: { focusin: () => choose(id), pointerdown: () => choose(id) } }, el("div", { class: "row" }, el("span", { class: "code-name", tabindex: 0 }, name), el("span", { class: "grades", role: "group", "aria-label": "Severity" }, ...grades), gone), tip, note.node);
    return { line, name, grades, grade, note, tip, gone };
  }
  const spec = (id) => {
    const known = outbox.get(id) ?? outbox.entry(id);
    return known && currentValue(outbox, id) ? { id, kind: "step", target: known.target } : null;
  };

  function choose(id) {
    current = id;
    for (const [each, { line }] of rows) line.classList.toggle("current", each === id);
  }
  function severity(n, id = current) {
    const value = id && currentValue(outbox, id);
    if (value) outbox.put({ ...spec(id), value: { ...value, severity: n } });
    return Boolean(value);
  }

  function draw({ locked, ids }) {
    here = ids;
    for (const id of [...rows.keys()]) if (!ids.includes(id)) rows.delete(id);
    for (const id of ids) if (!rows.has(id)) rows.set(id, row(id));
    const lines = ids.map((id) => rows.get(id).line);
    if (lines.length !== node.children.length || lines.some((line, n) => node.children[n] !== line)) node.replaceChildren(...lines);
    for (const id of ids) {
      const { name, grades, grade, note, tip, gone } = rows.get(id);
      const value = currentValue(outbox, id);
      const code = codeOf(value.code);
      name.textContent = code.called;
      render(html`<${Meaning} code=${code} />`, tip);
      grades.forEach((grade, n) => { grade.setAttribute("aria-pressed", String(value.severity === n + 1)); grade.setAttribute("aria-label", `Severity ${n + 1}, ${SEVERITIES[n]}, of ${code.called}`); grade.disabled = locked; });
      grade.textContent = `severity: ${SEVERITIES[value.severity - 1] ?? "not set"}`;
      gone.disabled = locked;
      gone.setAttribute("aria-label", `Remove ${code.called}`);
      note.rename(`Note on ${code.id || code.called}`);
      note.draw({ locked });
    }
    choose(ids.includes(current) ? current : (ids.at(-1) ?? ""));
  }
  return { node, draw, choose, severity, noteField: () => rows.get(current)?.note.field, any: () => here.length > 0 };
}
