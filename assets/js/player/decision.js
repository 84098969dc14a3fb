// The decision card: the options at this step, the choice, the stated reason, and what was misread or refused.
import { html, useState } from "../../vendor/preact.js";
import { FactBadges } from "../pictures/fact_badges.js";
import { factMarks } from "../pictures/fact_marks.js";
import { quotedBy } from "./dom.js";
import { Term, Termed } from "./terms.js";

export function Decision({ frames, at, facts, ends }) {
  const made = frames.steps[at]?.decision;
  if (!made || (frames.kind === "memory" && !made.notes.length)) return null; // a memory's picture shows the look-back and why
  const options = frames.kind === "memory" ? [] : made.options;
  const { reason, by_model: byModel, by = "the model", counting, notes } = made;
  const author = byModel ? `written by ${by}` : "a rule of the reader";
  const beside = notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<${DecisionNote} ...${note} frames=${frames} />`)}</ul>`;
  if (!options.length) return html`<div class="decision"><div><div class="head"><h2>Notes on this step</h2><span>${made.at && `at ${made.at}`}</span></div>${beside}</div></div>`;
  const refused = made.action === "refused";
  return html`<div class="decision">
    <div>
      <div class="head"><h2>${refused ? "What it could choose from" : "The decision"}</h2><span>${made.at && `at ${made.at}`}</span></div>
      <ol class="options">
        ${options.map((option, n) => html`<${Option} key=${`${at} ${n}`} ...${option} text=${frames.texts[option.ref]} marks=${factMarks(facts, [option.ref], at, ends)} />`)}
      </ol>
    </div>
    <div>
      ${!refused && html`<div>
        <div class="head"><h2><${Term} id="stated-reason" words="Stated reason" /></h2><span>${reason && author}</span></div>
        <div class=${byModel ? `quoted ${quotedBy(by)}` : "quoted"}><p dir="auto">${reason || noReason(made)}</p></div>
        ${counting && reason && html`<p class="counting">${counting}</p>`}
      </div>`}
      ${beside}
    </div>
  </div>`;
}

// What was misread or refused: the rule, the reply that broke it, and what may help.
function DecisionNote({ head, text, reply, help, frames }) {
  return html`<li><b>! <${Termed} frames=${frames} words=${head} /></b> <bdi>${text}</bdi>${reply && html`<q class="reason" dir="auto">${reply}</q>`}${help && html`<p class="counting">${help}</p>`}</li>`;
}

// One option; its text unfolds below it. What became of it stands at its end, and is heard before its text, which may be long.
function Option({ mark, name, picked, note, struck, text, marks }) {
  const [open, setOpen] = useState(false);
  const row = html`<span class="mark">${mark}</span>
    <span class="title"><bdi class=${struck ? "name struck" : "name"}>${name}</bdi>${note && html`<span class="visually-hidden"> ${note}${text && ": "}</span>`}<${FactBadges} marks=${marks} />${text && html`<small dir="auto"> ${text}</small>`}</span>
    <span class="about" aria-hidden="true">${note}</span>`;
  return html`<li class=${[picked && "picked", open && "open"].filter(Boolean).join(" ")}>
    ${text ? html`<button class="option" type="button" aria-expanded=${open} title="Show more" onClick=${() => setOpen(!open)}>${row}</button>` : html`<div class="option">${row}</div>`}
  </li>`;
}

// Why there is no stated reason for a choice.
export function noReason({ by_model: byModel, asked_why: askedWhy }) {
  if (!byModel) return "A rule of the reader chose.";
  return askedWhy ? "The reply gave none." : "The prompt asked for none.";
}
