// The options of a question, whole, with what was voted and chosen once that may be seen. The same list for the room and for a phone.
import { html } from "../../vendor/preact.js";
import { chosenWords, votesOf } from "./class_model.js";

const ROUNDS = ["first vote", "second vote"];
const LONG = 240; // characters of an option's words, of which a phone with many options shows the beginning at first

// `vote`: what tapping an option does; without it the options are no buttons. `picked`: the learner's own option, or null. `folds`: opens
// or folds the words of an option by its number, and `unfolded` has those that are open; without it all words are there.
export function Options({ data, vote = null, picked = null, folds = null, unfolded = [] }) {
  const votes = votesOf(data.counts, data.options);
  return html`<ol class="options">${data.options.map((option, n) => {
    const isLong = folds && option.text.length > LONG;
    const isOpen = unfolded.includes(n);
    return html`<li key=${n} class=${isLong && !isOpen ? "folded" : option.text.length > LONG ? "long" : ""}>
      <${Option} data=${data} option=${option} n=${n} votes=${votes[n]} vote=${vote} isPicked=${picked === n} />
      ${isLong && html`<button type="button" class="whole" aria-expanded=${String(isOpen)} aria-label=${`${isOpen ? "Shorten" : "Read whole"}: ${option.name}`} onClick=${() => folds(n)}>${isOpen ? "Shorten" : "Read whole"}</button>`}
    </li>`;
  })}</ol>`;
}

function Option({ data: { reveal, verb }, option: { mark, name, text }, n, votes, vote, isPicked }) {
  const chosen = Boolean(reveal?.chosen.includes(n));
  const known = reveal?.known[n];
  const kinds = ["option", isPicked && "picked", chosen && "chosen", reveal && !chosen && "not-chosen"].filter(Boolean).join(" ");
  const inside = html`
    <span class="option-head"><b class="mark">${mark}</b><span class="name">${name}</span>${isPicked && html`<span class="own">your vote</span>`}</span>
    ${(chosen || known) && html`<span class="told">${chosen && html`<b class=${verb === "right" ? "known" : "by-model"}>● ${chosenWords(verb)}</b>`}${known && html`<b class="known">◆ ${known}</b>`}</span>`}
    ${text && html`<span class="words">${text.replace(/\n\s*\n/g, "\n")}</span>`}
    ${votes.length > 0 && html`<span class="result">${votes.map((one, round) => html`<${Votes} ...${one} round=${votes.length > 1 ? ROUNDS[round] : "votes"} />`)}</span>`}`;
  return vote ? html`<button type="button" class=${kinds} aria-pressed=${String(isPicked)} onClick=${() => vote(n)}>${inside}</button>` : html`<div class=${kinds}>${inside}</div>`;
}

const Votes = ({ votes, share, round }) => html`<span class="votes">
  <small>${round}</small><span class="track" aria-hidden="true"><i style=${{ width: `${100 * share}%` }} /></span><span class="count">${votes} · ${Math.round(100 * share)} %</span>
</span>`;

// What the model said when it chose, once that is shown.
export const Reason = ({ reveal }) => reveal?.reason && html`<blockquote class="reason"><p>${reveal.reason}</p><small>This is what the model said. It need not be why it chose so.</small></blockquote>`;

// What became of what was read since, in words.
export const After = ({ after }) => after.map((words) => html`<p class="after">${words}</p>`);
