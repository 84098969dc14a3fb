// Full in a replay: the calls of the step with their prompts and replies, then the measures and the settings of the reading.
import { html, useEffect, useState } from "../../vendor/preact.js";

const CALLS_SOON = 120; // milliseconds that a step stays until its calls are drawn
const PROMPT_SOURCES = {
  template: "the prompt’s own words",
  question: "the question",
  document: "the text itself",
  model: "written by the model earlier",
  rule: "put in by the reader",
  person: "written by a person",
};
const MEASURES_LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”.";
const NO_CALL = "No call was made at this step: a rule of the reader did it.";
const NO_REPLY = "No reply came.";

// The words of a stretch: by their number in the table, or by their place in the text.
export function wordsNamed(named, words, whole) {
  return Array.isArray(named) ? whole.slice(...named) : words[named];
}

export function Full({ reading, at: wanted, ends }) {
  const [at, setAt] = useState(wanted);
  useEffect(() => {
    const waiting = setTimeout(() => setAt(wanted), CALLS_SOON);
    return () => clearTimeout(waiting);
  }, [wanted]);
  const made = reading.calls.calls.filter(({ step }) => step === at);
  return html`<section class="replay-full" aria-label="Calls, measures and settings">
    <div class="replay-section"><h2>What the model was asked</h2><span class="replay-hint">step ${at + 1} · ${made.length.toLocaleString("en")} ${made.length === 1 ? "reply" : "replies"}</span></div>
    <div class="replay-calls">${made.length ? made.map((call, n) => html`<${RecordedCall} key=${`${at} ${n}`} call=${call} first=${n === 0} reading=${reading} />`) : html`<p class="replay-empty">${NO_CALL}</p>`}</div>
    <div class="replay-two">
      <div><h2>Measures</h2>${ends ? html`<${Figures} name="Measures" rows=${reading.measures} />` : html`<p class="replay-empty">${MEASURES_LATER}</p>`}</div>
      <div><h2>Settings</h2><${Figures} name="Settings" rows=${reading.settings} /></div>
    </div>
  </section>`;
}

// One call; its words are put on the page when it is opened.
function RecordedCall({ call, first, reading }) {
  const [opened, setOpened] = useState(first);
  return html`<details class="replay-call" open=${first} onToggle=${() => setOpened(true)}>
    <summary><span class="replay-chip" title=${call.says}>${call.origin}</span>${call.facts.map(([name, value]) => html`<span>${name} <b>${value}</b></span>`)}</summary>
    ${opened && html`<${CallWords} ...${call} words=${reading.calls.words} whole=${reading.frames.text.whole} />`}
  </details>`;
}

function CallWords({ prompt, counting, reply, head, by, thoughts, words, whole }) {
  const sources = Object.keys(PROMPT_SOURCES).filter((name) => prompt.some(([source]) => source === name));
  return html`<div class="replay-sides">
    <div>
      <p class="legend">${sources.map((name) => html`<span><i class=${`key from-${name}`} />${PROMPT_SOURCES[name]}</span>`)}</p>
      <div class="replay-prompt" dir="auto" tabindex="0" role="group" aria-label="The prompt">${prompt.map(([source, named, title]) => html`<span class=${`from-${source}`} title=${words[title]}>${wordsNamed(named, words, whole)}</span>`)}</div>
      ${counting && html`<p class="replay-hint">${counting}</p>`}
    </div>
    <div>
      ${thoughts !== null && html`<details class="replay-thoughts"><summary>thoughts by ${by}; no part of the reply</summary><div class="replay-prompt" dir="auto">${words[thoughts]}</div></details>`}
      ${reply === null ? html`<p class="replay-empty">${NO_REPLY}</p>` : html`<div class="replay-reply"><p class="replay-by">${head}</p><div class="replay-prompt" dir="auto" tabindex="0" role="group" aria-label="The reply">${words[reply]}</div></div>`}
    </div>
  </div>`;
}

const Figures = ({ name, rows }) => html`<table class="replay-figures" aria-label=${name}><tbody>${rows.map(([title, value]) => html`<tr><th scope="row">${title}</th><td>${value}</td></tr>`)}</tbody></table>`;
