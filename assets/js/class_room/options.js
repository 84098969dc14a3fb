// The options of a question, whole, with what was voted and chosen once that may be seen. The same list for the room and for a phone.
import { el } from "../player/dom.js";
import { votesOf } from "./class_model.js";

const ROUNDS = ["first vote", "second vote"];

const LONG = 240; // characters of an option's words, of which a phone with many options shows the beginning at first

// `vote`: what tapping an option does; without it the options are no buttons. `picked`: the learner's own option, or null. `folds`: opens
// or folds the words of an option by its number, and `unfolded` has those that are open; without it all words are there.
export function optionList(data, { vote = null, picked = null, folds = null, unfolded = new Set() } = {}) {
  const votes = votesOf(data.counts, data.options);
  return el("ol", { class: "options" }, ...data.options.map((option, n) => {
    const isLong = folds && option.text.length > LONG;
    const isOpen = unfolded.has(n);
    const whole = isLong && el("button", { type: "button", class: "whole", "aria-expanded": String(isOpen), "aria-label": `${isOpen ? "Shorten" : "Read whole"}: ${option.name}`, text: isOpen ? "Shorten" : "Read whole", on: { click: () => folds(n) } });
    return el("li", { class: isLong && !isOpen ? "folded" : "" }, item(data, option, { n, votes: votes[n], vote, picked }), whole || "");
  }));
}

function item(data, option, { n, votes, vote, picked }) {
  const { reveal, verb } = data;
  const chosen = Boolean(reveal?.chosen.includes(n));
  const known = reveal?.known[n];
  const kinds = ["option", picked === n && "picked", chosen && "chosen", reveal && !chosen && "not-chosen"].filter(Boolean).join(" ");
  const inside = [
    el("span", { class: "option-head" }, el("b", { class: "mark", text: option.mark }), el("span", { class: "name", text: option.name }), picked === n ? el("span", { class: "own", text: "your vote" }) : ""),
    (chosen || known) && el("span", { class: "told" }, chosen ? el("b", { class: "by-model", text: `● The model ${verb} this.` }) : "", known ? el("b", { class: "known", text: `◆ ${known}` }) : ""),
    option.text && el("span", { class: "words", text: option.text.replace(/\n\s*\n/g, "\n") }),
    votes.length && el("span", { class: "result" }, ...votes.map((one, round) => bar(one, round, votes.length))),
  ];
  if (!vote) return el("div", { class: kinds }, ...inside.filter(Boolean));
  return el("button", { type: "button", class: kinds, "aria-pressed": String(picked === n), on: { click: () => vote(n) } }, ...inside.filter(Boolean));
}

function bar({ votes, share }, round, of) {
  const fill = el("i", {});
  fill.style.width = `${100 * share}%`;
  return el("span", { class: "votes" }, el("small", { text: of > 1 ? ROUNDS[round] : "votes" }), el("span", { class: "track", "aria-hidden": "true" }, fill), el("span", { class: "count", text: `${votes} · ${Math.round(100 * share)} %` }));
}

// What the model said when it chose, once that is shown.
export function reasonOf({ reveal }) {
  if (!reveal?.reason) return "";
  return el("blockquote", { class: "reason" }, el("p", { text: reveal.reason }), el("small", { text: "This is what the model said. It need not be why it chose so." }));
}
