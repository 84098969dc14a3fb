// The head of a reading in a replay: its question, its answer or why there is none, who read what, its figures, and the known answer
// behind a switch, if the file has it.
import { el } from "../player/dom.js";

// `reveal(known)` shows the known places in the player, or hides them (null).
export function createHead({ question, choices, about, changed, answer, chips, known }, reveal) {
  const given = answer.none ? noAnswer(answer) : theAnswer(answer);
  const told = el("div", { class: "replay-known", hidden: "" });
  const node = el("section", { class: "replay-head", "aria-label": "The question and the answer" },
    el("h1", { text: question }),
    choices.length ? el("ol", { class: "replay-options" }, ...choices.map((choice) => el("li", { text: choice }))) : null,
    given,
    el("div", { class: "replay-line" }, el("p", { class: "replay-about", text: [...about, changed && `Changed: ${changed}`].filter(Boolean).join(" · ") }), el("p", { class: "replay-chips" }, ...chips.map(chip), known ? el("button", { type: "button", class: "tool", "aria-pressed": "false", text: "Known answer", on: { click: (event) => turn(event.currentTarget) } }) : null)),
    told,
  );

  function turn(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    told.hidden = !on;
    told.replaceChildren(...(on ? [el("p", { class: "replay-by", text: "known answer, by the author of the question" }), el("p", { text: known.words }), el("p", { class: "replay-verdict", text: known.verdict })] : []));
    reveal(on ? known : null);
  }

  return { node };
}

function theAnswer({ words, by, where, mark, supported }) {
  const place = where ? el("p", { class: supported ? "replay-where" : "replay-where unsupported" }, el("span", { "aria-hidden": "true", text: `${mark} ` }), where) : null;
  return el("div", { class: "replay-answer" }, el("p", { class: "replay-words", text: words }), el("p", { class: "replay-by", text: `answer, written by ${by}` }), place);
}

function noAnswer({ none, tone }) {
  return el("div", { class: `replay-answer none ${tone}` }, ...none.map((sentence) => el("p", { text: sentence })));
}

function chip({ mark, word, tone, meaning }) {
  return el("span", { class: `replay-chip ${tone}`, title: meaning || undefined }, mark ? el("span", { "aria-hidden": "true", text: `${mark} ` }) : null, word);
}
