// The head of a reading in a replay: its question, its answer or why there is none, who read what, its figures, and the known answer
// behind a switch, if the file has it.
import { html, useState } from "../../vendor/preact.js";

const LONG_ANSWER = 240; // characters of an answer that has three lines until it is pressed

// `reveal(known)` shows the known places in the player, or hides them (null); `told`: whether they are shown at first.
export function Head({ question, choices, about, changed, answer, chips, known, told: toldFirst, reveal }) {
  const [told, setTold] = useState(toldFirst);
  const turn = () => {
    setTold(!told);
    reveal(told ? null : known);
  };
  return html`<section class="replay-head" aria-label="The question and the answer">
    ${question && html`<h1 dir="auto">${question}</h1>`}
    ${choices.length > 0 && html`<ul class="replay-options">${choices.map((choice, n) => html`<li dir="auto"><span dir="ltr">(${String.fromCharCode(65 + n)})</span> ${choice}</li>`)}</ul>`}
    <${Answer} ...${answer} />
    <div class="replay-line">
      <p class="replay-about" dir="auto">${[...about, changed && `Changed: ${changed}`].filter(Boolean).map((words, n) => html`${n > 0 && " · "}<bdi>${words}</bdi>`)}</p>
      <p class="replay-chips">
        ${chips.map(({ mark, word, tone, meaning }) => html`<span class=${`replay-chip ${tone}`} title=${meaning || null}>${mark && html`<span aria-hidden="true">${mark} </span>`}${word}</span>`)}
        ${known && html`<button type="button" class="tool" aria-pressed=${told} onClick=${turn}>Known answer</button>`}
      </p>
    </div>
    ${known && told && html`<div class="replay-known"><p class="replay-by">known answer, by the author of the question</p><p dir="auto">${known.words}</p><p class="replay-verdict">${known.verdict}</p></div>`}
  </section>`;
}

function Answer({ none, tone, words, by, where, mark, supported }) {
  if (none) return html`<div class=${`replay-answer none ${tone}`}>${none.map((sentence) => html`<p dir="auto">${sentence}</p>`)}</div>`;
  const said = html`<p class="replay-words" dir="auto">${words}</p>`;
  return html`<div class="replay-answer">
    ${words.length > LONG_ANSWER ? html`<details class="replay-long"><summary title="Show all of it, or three lines">${said}</summary></details>` : said}<p class="replay-by">answer, written by ${by}</p>
    ${where && html`<p class=${supported ? "replay-where" : "replay-where unsupported"}><span aria-hidden="true">${mark} </span>${where}</p>`}
  </div>`;
}
