// An opened page beside its gist: why this page, what the gist kept of it, and what it adds, as aligned by
// components/player/pictures/readagent.py.
import { html } from "../../vendor/preact.js";

const WORDS_NAMED = 8;

// `by` says who wrote the gist, `chosen` who asked for the page.
export function GistBesidePage({ beside, by, chosen }) {
  const { gist, page, rare, kept } = beside;
  const has = (side, kind) => side.some((run) => run[1] === kind);
  return html`<div class="beside">
    <ul class="why">${whyThisPage(beside, chosen).map((text) => html`<li>${text}</li>`)}</ul>
    <section><h5>The gist, ${by}</h5><p class="gist-words" dir="auto">${gist.map(MarkedRun)}</p></section>
    <section><h5>The page itself</h5><p class="page-words" dir="auto">${page.map(MarkedRun)}</p></section>
    <p class="words-key">By an alignment of words, the gist kept ${kept} of the page’s ${rare} rarer words · <mark class="kept">in both</mark>
      ${has(page, "met") && html` · <mark class="met">of the question, only in the page</mark>`}${has(gist, "own") && html` · <mark class="own">not in the page</mark>`}</p>
  </div>`;
}

const MarkedRun = ([text, kind]) => (kind ? html`<mark class=${kind}>${text}</mark>` : text);

// The sentences about why this page was opened and what came of it; those made by rule say so.
export function whyThisPage({ why, by_rule, met, adds }, chosen = "the model") {
  const counting = /\d/.test(why) && chosen === "the model" ? " (The model counts pages from 0.)" : "";
  const reason = why && (by_rule ? `Taken by rule: ${why}.` : `Why this page, as ${chosen} said: “${why}”${counting}`);
  const gist = met.length ? `Its gist met the question in: ${namedWords(met)}.` : "No rarer word of the question is in its gist.";
  const more = adds.length ? `What the page adds of the question: ${namedWords(adds)}.` : "";
  return [reason, [gist, more].filter(Boolean).join(" ")].filter(Boolean);
}

function namedWords(words) {
  return words.length > WORDS_NAMED ? `${words.slice(0, WORDS_NAMED).join(", ")} …` : words.join(", ");
}
