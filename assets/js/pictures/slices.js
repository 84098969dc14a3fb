// How a tree of slices is drawn: a tree of parts, with the questions that went down it and the answers that came back. Its style
// beside that of any tree (graph_marks.js): the card of a slice, and the list of the questions below the tree.
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { TREE } from "./graph_marks.js";
import { NodeCardBox, percentOf } from "./node_card.js";

const NOTHING_CAME = "nothing there";
const questionWords = ({ question }) => (question ? `“${question}”` : "");

// A question at a step: not asked yet, its reader at work, or come back.
export function questionState({ began, ended }, at) {
  if (at < began) return "later";
  return ended === null || at < ended ? "at work" : "back";
}

function lookOfSlice(each, state, here, ink) {
  const drawn = TREE.look(each, state === "answered" ? "visited" : state, here, ink);
  return state === "answered" && !here ? { ...drawn, borderWidth: 2.5, color: { ...drawn.color, border: ink.evidence } } : drawn;
}

// Every question so far, as deep as its slice lies, with what came back; a press goes to the step that began it.
function SliceQuestions({ player, at, picture }) {
  const list = useRef();
  const asked = picture.asked.filter((each) => questionState(each, at) !== "later");
  useLayoutEffect(() => list.current && (list.current.scrollTop = list.current.scrollHeight), [asked.length]);
  const line = (each) => {
    const atWork = questionState(each, at) === "at work";
    const back = atWork ? "at work" : each.answer === null ? `↩ ${NOTHING_CAME}` : `↑ ${each.answer}`;
    return html`<li key=${each.number} class=${atWork ? "at-work" : each.answer === null ? "nothing" : "answered"} style=${{ "--depth": each.depth - 1 }}>
      <b>${each.number}</b><button type="button" class="name" onClick=${() => player.go(each.began)}>${each.id}</button>
      ${each.question && html`<span class="words" dir="auto" title=${each.question}>${questionWords(each)}</span>`}<span class="came-back" dir="auto" title=${atWork ? "" : each.answer}>${back}</span></li>`;
  };
  return asked.length > 0 && html`<div class="slice-questions" ref=${list} tabindex="0" role="region" aria-label="The questions asked below"><ol>${asked.map(line)}</ol></div>`;
}

// The card of one slice: where it is, and what its readers were asked and answered.
function SliceCard({ player, id, state, at, picture: { nodes, meanings, asked }, close }) {
  const { span } = nodes.find((each) => each.id === id);
  const row = (each) => {
    const came = questionState(each, at) === "at work" ? "" : each.answer === null ? `: ${NOTHING_CAME}` : `: ${each.answer}`;
    return html`<li key=${each.number} dir="auto"><button type="button" onClick=${() => player.go(each.began)}>step ${each.began + 1}</button> ${questionWords(each) || "the question of the slice above"}${came}</li>`;
  };
  return html`<${NodeCardBox} title=${id} close=${close}>
    <p class="about">${[meanings[state], `${percentOf(player.frames, span[0])}% to ${percentOf(player.frames, span[1])}% of the text`].filter(Boolean).join(" · ")}</p>
    <p class="visits"><button type="button" onClick=${() => player.show(span[0])}>Show its place in the text</button></p>
    <ul class="slice-asked">${asked.filter((each) => each.id === id && questionState(each, at) !== "later").map(row)}</ul></${NodeCardBox}>`;
}

export const SLICES = {
  ...TREE,
  knownHere: "the known answer stands here",
  builds: "",
  look: lookOfSlice,
  Card: SliceCard,
  Panel: SliceQuestions,
  words: (each, picture) => picture.texts[each.id] ?? "",
  field: "Find a slice by its question",
  one: "slice",
  many: "slices",
  nothing: "No slice was asked a question with these words.",
  empty: "There is no slice to draw.",
  columns: ["Slice", "At this step", "What its reader was asked"],
};
