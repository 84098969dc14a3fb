// The page of a comparison in a published site: what is compared, two players, where they part, tables of all, and what may be added.
import { html, useState } from "../../vendor/preact.js";
import { holding } from "../player/parts.js";
import { Head } from "../replay/head.js";
import { tell } from "../player/bus.js";
import { nameOf, offered, sharedEnd, tableOf } from "./beside.js";

const MOST_OFFERED = 12; // readings to add; a search finds the others
const NONE_CHOSEN = "Choose the readings to put beside each other.";
const ONE_CHOSEN = "Choose another reading to put beside it.";
const NOT_LISTED = "Either it was left out when the site was made, or its address was cut short.";
const NOT_LOADED = "Its data cannot be loaded: the files of this site were moved apart.";
const COUNTED = [["Measures", "measures"], ["Settings", "settings"]];

// `readings`: those that are compared, with their data; `missing`: names that are no reading's; `lost`: readings without data. `boxes` of
// the two players (none for fewer than two readings), `pair`: which two these are. `choose(ids)` and `turn(pair)` change it.
export function Beside({ listed, readings: all, missing, lost, pair, parted, boxes, top, choose, turn }) {
  const shared = sharedEnd(all);
  const readings = all.map((one) => ({ ...one, way: one.way.slice(0, one.way.length - shared.length) }));
  const asked = readings.map(({ question }) => listed.questions[question]);
  const [questions, texts, choices] = ["question", "text", "choices"].map((of) => [...new Set(asked.map((one) => one[of]))]);
  const ids = readings.map(({ id }) => id);
  return html`
    ${missing.map((id) => html`<p class="site-missing" role="alert">There is no reading “${id}” in this site. ${NOT_LISTED}</p>`)}
    ${lost.map((one) => html`<p class="site-missing" role="alert">${nameOf(one)} cannot be shown. ${NOT_LOADED}</p>`)}
    <h1 dir="auto">${questions.length === 1 ? questions[0] : "Compare readings"}</h1>
    ${questions.length === 1 && html`<p class="site-facts"><bdi>${texts.join(" · ")}</bdi>${shared}</p>`}
    ${readings.length > 0 && html`<${Chosen} listed=${listed} readings=${readings} several=${questions.length > 1} chooses=${choices.length > 1} top=${top} leave=${(id) => choose(ids.filter((one) => one !== id))} />`}
    ${boxes && readings.length > 2 && html`<${ChoosePair} readings=${readings} pair=${pair} turn=${turn} />`}
    ${boxes && html`<${Players} key=${pair.map((n) => ids[n]).join()} pair=${pair} readings=${readings} boxes=${boxes} asks=${questions.length > 1} />`}
    ${boxes && parted && html`<${Parting} key=${`parting ${pair.map((n) => ids[n]).join()}`} pair=${pair} parted=${parted} box=${boxes.part} />`}
    ${boxes && html`<${Tables} readings=${readings} top=${top} />`}
    <${Adding} listed=${listed} readings=${readings} add=${(id) => choose([...ids, id])} />`;
}

const Chip = ({ chip: [mark, word, tone] }) => html`<span class=${`replay-chip ${tone}`}>${mark && html`<span aria-hidden="true">${mark} </span>`}${word}</span>`;

// What is compared, each with the way to it and away from it.
function Chosen({ listed, readings, several, chooses, top, leave }) {
  const given = ({ choices }) => (choices ? `with ${choices} choices` : "without choices");
  return html`<ol class="site-chosen" aria-label="Readings that are compared">${readings.map((one, n) => html`<li key=${one.id}>
    <span class="site-number" aria-hidden="true">${n + 1}</span>
    <a href=${`${top}reading/${one.id}/index.html#at=${one.at + 1}`}>${nameOf(one)}</a> <${Chip} chip=${one.chip} />
    <button type="button" class="tool" aria-label=${`Leave out reading ${n + 1}, ${nameOf(one)}`} onClick=${() => leave(one.id)}>Leave out</button>
    ${several && html`<small dir="auto">${listed.questions[one.question].question}</small>`}
    ${chooses && html`<small>${given(listed.questions[one.question])}</small>`}
    ${one.changed && html`<small dir="auto">${one.changed}</small>`}
  </li>`)}</ol>`;
}

function ChoosePair({ readings, pair, turn }) {
  const select = (label, mine, other, put) => html`<label>${label} <select value=${mine} onChange=${({ target }) => turn(put(Number(target.value)))}>
    ${readings.map((one, n) => n !== other && html`<option key=${one.id} value=${n}>${n + 1} · ${nameOf(one)}</option>`)}</select></label>`;
  return html`<div class="site-pair-choice" role="group" aria-label="Which two are in the players">
    ${select("In the players:", pair[0], pair[1], (n) => [n, pair[1]])} ${select("beside", pair[1], pair[0], (n) => [pair[0], n])}</div>`;
}

function Players({ readings, pair, boxes, asks }) {
  return html`<div ref=${holding(boxes.lock)} />
    <div class="site-two">${pair.map((n, side) => html`<section key=${readings[n].id} aria-label=${`Reading ${n + 1}`}>
      <h2><span class="site-number" aria-hidden="true">${n + 1}</span> ${nameOf(readings[n])}</h2>
      ${asks && html`<p class="site-question" dir="auto">${readings[n].data.question}</p>`}
      <${ReadingHead} data=${readings[n].data} />
      <div ref=${holding(boxes.players[side])} />
    </section>`)}</div>`;
}

function ReadingHead({ data }) {
  const reveal = (known) => tell(data.frames.run, "sent", { what: { known } });
  return html`<${Head} ...${data} about=${[]} question="" choices=${[]} told=${false} reveal=${reveal} />`;
}

// Where the two part, in sentences.
function Parting({ pair, parted, box }) {
  const { lead, sides, note, at } = parted;
  return html`<section class="parting" aria-label="Where they part"><h2>Where they part</h2>
    <p class="lead-sentence">${lead}</p>
    ${sides.length > 0 && html`<div class="sides">${sides.map(([said, words], n) => html`<div><h3>Reading ${pair[n] + 1}${at && `, step ${at[n] + 1}`}</h3><p dir="auto">${said}</p>${words && html`<blockquote dir="auto">${words}</blockquote>`}</div>`)}</div>`}
    ${note && html`<p class="site-soft">${note}</p>`}
    <div ref=${holding(box)} />
  </section>`;
}

// Measures and settings of all, beside each other.
function Tables({ readings, top }) {
  const [only, setOnly] = useState(false);
  const answers = readings.map(({ data }) => [["Answer", data.answer.words ?? data.answer.none.join(" ")], ...(data.known ? [["Against the known answer", data.known.verdict]] : [])]);
  return html`<label class="site-only"><input type="checkbox" checked=${only} onChange=${() => setOnly(!only)} /> Show only what differs (≠)</label>
    <${Versus} title="Answers" rows=${tableOf(answers)} readings=${readings} top=${top} />
    ${COUNTED.map(([title, of]) => html`<${Versus} key=${of} title=${title} rows=${tableOf(readings.map(({ data }) => data[of])).filter(({ differs }) => differs || !only)} readings=${readings} top=${top} />`)}`;
}

function Versus({ title, rows, readings, top }) {
  return html`<h2>${title}</h2><div class="site-wide" tabindex="0" role="region" aria-label=${title}><table class=${`versus of-${readings.length}`}>
    <thead><tr><td class="mark"></td><th class="about" scope="col">${title}</th>${readings.map((one, n) => html`<th scope="col"><a href=${`${top}reading/${one.id}/index.html`}>${n + 1} · ${nameOf(one)}</a></th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr class=${row.differs ? "differs" : ""}><td class="mark">${row.differs && html`<span aria-hidden="true">≠</span><span class="visually-hidden">differs</span>`}</td><th scope="row">${row.title}</th>${row.values.map((value) => html`<td dir="auto">${value ?? "–"}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

// The readings that may be added: those of the same question first.
function Adding({ listed, readings, add }) {
  const [words, setWords] = useState("");
  const asked = new Set(readings.map(({ question }) => question));
  const found = offered(listed, readings.map(({ id }) => listed.readings.find((one) => one.id === id)), words);
  const shown = found.slice(0, MOST_OFFERED);
  const more = found.length - shown.length;
  return html`<section class="site-adding" aria-label="Add a reading"><h2>Add a reading</h2>
    ${readings.length < 2 && html`<p>${readings.length ? ONE_CHOSEN : NONE_CHOSEN}</p>`}
    <label>Search <input type="search" value=${words} onInput=${({ target }) => setWords(target.value)} placeholder="words of a question, a text or a reader" /></label>
    <ul>${shown.map((one) => html`<li key=${one.id}><button type="button" class="tool" aria-label=${`Add ${nameOf(one)}: ${listed.questions[one.question].question}`} onClick=${() => add(one.id)}>Add</button>
      <span>${nameOf(one)} <${Chip} chip=${one.chip} /> ${asked.has(one.question) ? html`<small dir="auto">${one.changed ? `the same question; ${one.changed}` : "the same question"}</small>` : html`<small dir="auto">${listed.questions[one.question].question} · <bdi>${listed.questions[one.question].text}</bdi></small>`}</span></li>`)}</ul>
    <p class="site-soft" role="status">${found.length === 0 ? (words ? "No reading has these words." : "There is no other reading in this site.") : more > 0 ? `${more.toLocaleString("en")} more: search to find them.` : ""}</p>
  </section>`;
}
