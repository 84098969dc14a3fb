// Cards beside a memory: the history of one sentence, and the look-back of a step with the memory that it recalled.
import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { quotedBy, tellMore, writtenBy } from "../player/dom.js";
import { Term } from "../player/terms.js";
import { FactBadges } from "./fact_badges.js";
import { factMarks } from "./fact_marks.js";
import { wordsIn } from "./life_rows.js";
import { laneIn, recalledBefore, standing, stepOf, wordsOf } from "./memory_layers.js";
import { AtStep, difference } from "./memory_words.js";

const BEST = 5;
const EVENTS = { new: "added", reworded: "reworded", merged: "merged with another", restored: "came back", moved: "moved to another place" };

export function SentenceHistory({ frames, at, ends, go, show, lane, close }) {
  const { picture, text } = frames;
  const about = picture.lanes[lane];
  const { number } = standing(picture, at);
  const entries = [...about.v.map((version, n) => ({ at: version[0], version, n })), ...about.gone.map(([when, into]) => ({ at: when, into }))]
    .sort((a, b) => a.at - b.at || (a.version ? 1 : -1)).filter((entry) => ends || entry.at <= number);
  const passed = entries.findLast((entry) => entry.at <= number);
  const source = about.v.find((version) => version[4])?.[4]; // the passage that the sentence most likely came from, found by its words
  return html`<section class="history" aria-label="The life of a sentence" tabindex="-1">
    <div class="head"><h3>The life of this sentence</h3><button type="button" class="tool" aria-label="Close the history" onClick=${close}>✕</button></div>
    <ol class="life">${entries.map((entry) => {
      const { name, event, words } = entry.version ? writtenVersion(picture, about, entry) : goneVersion(picture, entry);
      return html`<li class=${name} data-at=${entry.at} aria-current=${entry === passed ? "step" : undefined}><${AtStep} picture=${picture} number=${entry.at} go=${go} /><span class="event"> ${event} </span>${words && html`<q dir="auto">${words}</q>`}</li>`;
    })}</ol>
    <p class="source">${!source ? "No sentence of the chunk that introduced its words is similar to it." : html`<span class="label">Most similar in the text: </span>${text.whole && html`<q class="original" dir="auto">${text.whole.slice(...source).replace(/\s+/g, " ").trim()}</q>`} <button type="button" class="tool" onClick=${() => show(source[0])}>Show it in the text</button>`}</p>
  </section>`;
}

function writtenVersion(picture, about, { version: [at, text, how, changes], n }) {
  const kind = picture.hows[how];
  const split = about.parent >= 0 && n === 0 ? "split off a longer sentence" : "split in two";
  const event = kind === "split" ? split : kind === "uncertain" ? html`added; perhaps <q dir="auto">${wordsIn(picture, about.parent, at - 1)}</q> in new words:` : EVENTS[kind];
  return { name: `how-${kind}`, event, words: changes && kind !== "new" ? difference(picture.texts[text], changes) : picture.texts[text] };
}

function goneVersion(picture, { at, into }) {
  if (into < 0) return { name: "how-gone", event: "overwritten" };
  return { name: "how-gone", event: "merged into:", words: picture.texts[picture.lanes[into].v.findLast(([from]) => from <= at)[1]] };
}

// What the model looked for at a step and what that recalled, and the recalled memory that stood before it: each memory once.
export function LookBack({ frames, at, ends, facts, go }) {
  const { picture } = frames;
  const box = useRef();
  useLayoutEffect(() => void tellMore(box.current));
  const { number, fresh } = standing(picture, at);
  const asked = fresh ? picture.snapshots[number].callback : null;
  const { looked, had } = recalledBefore(picture, at);
  if (!asked && had === null) return null;
  const byStep = (step) => picture.snapshots.findIndex((snapshot) => snapshot.step === step);
  const button = (step) => html`<${AtStep} picture=${picture} number=${byStep(step)} go=${go} />`;
  const memory = (step) => html`<${Recalled} key=${step} frames=${frames} picture=${picture} there=${byStep(step)} number=${number} marks=${factMarks(facts, [picture.snapshots[byStep(step)]?.ref], at, ends)} />`;
  const author = asked?.by_model ? `the query, written by ${frames.steps[picture.snapshots[number].step]?.by ?? "the model"}` : `the question itself was the query${picture.unused_queries ? "; its own queries are not used here" : ""}`;
  const distance = asked?.distance === 1 ? "one step" : `${asked?.distance} steps`;
  const same = had !== null && had === asked?.recalled;
  return html`<section class="recall" aria-label="The look-back of this step" tabindex="0" ref=${box} onScroll=${({ currentTarget }) => tellMore(currentTarget)}>
    ${asked && html`<h3>${asked.recalled !== null || asked.began ? html`It <${Term} id="callback" words="looked back" />` : asked.by_model ? "It asked to look back" : "Nothing to look back to yet"}</h3><p class=${`quoted ${quotedBy(author)}`}><small>${author}</small><q dir="auto">${asked.query}</q></p>`}
    ${asked && asked.recalled === null && html`<p>${asked.began ? `The most similar memory was the one with which it began, which is empty.${aboutEqual(asked.scores)}` : "There was no earlier memory to look back to."}</p>`}
    ${asked && asked.recalled !== null && html`<p>The most similar memory was that of ${button(asked.recalled)}, ${distance} back. The model sees it at the next step.${aboutEqual(asked.scores)}</p>`}
    ${had !== null && html`<p class="recalled-from">${same ? "It also saw this memory" : html`At this step the model also saw the memory of ${button(had)}`}: it had looked back at step ${stepOf(picture, looked)}.</p>`}
    ${had !== null && !same && memory(had)}
    ${asked && asked.recalled !== null && html`${memory(asked.recalled)}<${Candidates} key=${number} callback=${asked} button=${button} />`}
  </section>`;
}

// All memories that were compared, best first, a few at a time.
function Candidates({ callback: { steps, scores, recalled, words: told }, button }) {
  const [all, showAll] = useState(false);
  const rows = ranked(steps, scores, told);
  const most = Math.max(1, ...scores);
  return html`<details class="candidates">
    <summary>${rows.length === 1 ? "The one memory compared, with its score" : `The ${rows.length} memories compared, with their scores`}</summary>
    <table class="scores"><thead><tr><th>memory of</th><th>score</th><td /><td /></tr></thead>
      <tbody>${rows.slice(0, all ? rows.length : BEST).map(({ step, score, words }) => html`<tr key=${step} class=${step === recalled ? "picked" : undefined}>
        <td>${button(step)}</td><td>${words}</td><td class="bar">${score > 0 && html`<i class="score" style=${{ width: `${((100 * score) / most).toFixed(1)}%` }} />`}</td><td>${step === recalled && "recalled"}</td>
      </tr>`)}</tbody>
    </table>
    ${rows.length > BEST && !all && html`<button type="button" class="tool" onClick=${() => showAll(true)}>Show all ${rows.length}</button>`}
  </details>`;
}

// The recalled memory, with the sentences marked that are no longer in memory.
function Recalled({ frames, picture, there, number, marks }) {
  const author = writtenBy(frames, picture.snapshots[there]?.ref);
  const rows = new Set(picture.memories[number].map(([lane]) => lane));
  const sentences = picture.memories[there].map(([lane, version]) => ({ words: wordsOf(picture, lane, version), missing: !rows.has(laneIn(picture, lane, number)) }));
  const missing = sentences.filter((sentence) => sentence.missing).length;
  const lost = missing ? `${missing} of its sentences ${missing === 1 ? "is" : "are"} no longer in memory (marked)` : "all its sentences are still in memory";
  return html`<details open><summary>The memory of step ${stepOf(picture, there)}${quotedBy(author) !== "by-model" && `, ${author}`} · ${lost} <${FactBadges} marks=${marks} /></summary>
    <p class=${`quoted ${quotedBy(author)} earlier`} dir="auto">${sentences.flatMap(({ words, missing: gone }) => [html`<span class=${gone ? "missing" : ""}>${words}</span>`, " "])}</p>
  </details>`;
}

// The memories that were compared, best score first, ties by step.
export function ranked(steps, scores, words = []) {
  return steps.map((step, n) => ({ step, score: scores[n], words: words[n] })).sort((a, b) => b.score - a.score || a.step - b.step);
}

// What to add where no score is above 0.
export const aboutEqual = (scores) => (scores.every((score) => score === 0) ? " All scores are 0; ties go to the earliest." : "");
