// An opened page beside its gist: why this page, what the gist kept of it, and what it adds, as aligned by
// components/player/pictures/readagent.py.
import { el } from "../player/dom.js";

const WORDS_NAMED = 8;

// `by` says who wrote the gist.
export function gistBesidePage(beside, by) {
  return el("div", { class: "beside" },
    el("ul", { class: "why" }, ...whyThisPage(beside).map((text) => el("li", { text }))),
    el("section", {}, el("h5", { text: `The gist, ${by}` }), el("p", { class: "gist-words" }, ...markedRuns(beside.gist))),
    el("section", {}, el("h5", { text: "The page itself" }), el("p", { class: "page-words" }, ...markedRuns(beside.page))),
    el("p", { class: "words-key" }, ...wordsKey(beside)));
}

// The sentences about why this page was opened and what came of it; those made by rule say so.
export function whyThisPage({ why, by_rule, met, adds }) {
  const counting = /\d/.test(why) ? " (The model counts pages from 0.)" : "";
  const reason = why && (by_rule ? `Taken by rule: ${why}.` : `Why this page, as the model said: “${why}”${counting}`);
  const gist = met.length ? `Its gist met the question in: ${namedWords(met)}.` : "No rarer word of the question is in its gist.";
  const more = adds.length ? `What the page adds of the question: ${namedWords(adds)}.` : "";
  return [reason, [gist, more].filter(Boolean).join(" ")].filter(Boolean);
}

function namedWords(words) {
  return words.length > WORDS_NAMED ? `${words.slice(0, WORDS_NAMED).join(", ")} …` : words.join(", ");
}

function markedRuns(found) {
  return found.map(([text, kind]) => (kind ? el("mark", { class: kind, text }) : document.createTextNode(text)));
}

function wordsKey({ gist, page, rare, kept }) {
  const has = (side, kind) => side.some((run) => run[1] === kind);
  const words = [`By an alignment of words, the gist kept ${kept} of the page’s ${rare} rarer words · `, el("mark", { class: "kept", text: "in both" })];
  if (has(page, "met")) words.push(" · ", el("mark", { class: "met", text: "of the question, only in the page" }));
  if (has(gist, "own")) words.push(" · ", el("mark", { class: "own", text: "not in the page" }));
  return words;
}
