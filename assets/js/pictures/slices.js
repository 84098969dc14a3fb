// How a tree of slices is drawn: a tree of parts, with the questions that went down it and the answers that came back. Its style
// beside that of any tree (graph_marks.js): the card of a slice, and the list of the questions below the tree.
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { TREE } from "./graph_marks.js";
import { NodeCardBox, RefusedHere, percentOf } from "./node_card.js";

const NOT_BEGUN = "asked, not begun";
const NOTHING_CAME = "no answer came back";
const PASSED_DOWN = "the question of the slice above";
const questionWords = ({ question }) => (question ? `“${question}”` : "");

// A question at a step: not asked yet, asked, its reader at work, or come back.
export function questionState({ step, began, ended }, at) {
  if (at < step) return "later";
  if (began === null || at < began) return "asked";
  return ended === null || at < ended ? "at work" : "back";
}

function lookOfSlice(each, state, here, ink) {
  const drawn = TREE.look(each, state === "answered" ? "visited" : state, here, ink);
  if (state === "asked") return { ...drawn, borderWidth: 2, color: { ...drawn.color, border: ink.raw }, shapeProperties: { ...drawn.shapeProperties, borderDashes: [4, 3] } };
  return state === "answered" && !here ? { ...drawn, borderWidth: 4, color: { ...drawn.color, border: ink.evidence } } : drawn;
}

// Every question so far, as deep as its slice lies, with what came back; a press goes to the step that began it.
function SliceQuestions({ player, at, picture }) {
  const list = useRef();
  const asked = picture.asked.filter((each) => questionState(each, at) !== "later");
  useLayoutEffect(() => list.current && (list.current.scrollTop = list.current.scrollHeight), [asked.length]);
  const line = (each) => {
    const state = questionState(each, at);
    const atWork = state !== "back";
    const back = state === "asked" ? NOT_BEGUN : atWork ? "at work" : each.answer === null ? `↩ ${NOTHING_CAME}` : `↑ ${each.answer}`;
    return html`<li key=${each.number} class=${atWork ? "at-work" : each.answer === null ? "nothing" : "answered"} style=${{ "--depth": each.depth - 1 }}>
      <b>${each.number}</b><button type="button" class="name" onClick=${() => player.go(each.began ?? each.step)}>${each.id}</button>
      ${each.question && html`<span class="words" dir="auto" title=${each.question}>${questionWords(each)}</span>`}<span class="came-back" dir="auto" title=${atWork ? "" : each.answer}>${back}</span></li>`;
  };
  return asked.length > 0 && html`<div class="slice-questions" ref=${list} tabindex="0" role="region" aria-label="The questions asked below"><ol>${asked.map(line)}</ol></div>`;
}

// What is asked at a step: of the slices that it asks about, of the one whose reader is at work, or of the whole text.
function SliceNow({ at, picture: { asked, here } }) {
  const asking = asked.filter(({ step }) => step === at);
  const atWork = asked.findLast(({ id, began, ended }) => id === here[at] && began !== null && began <= at && (ended === null || at <= ended));
  const [head, question] = asking.length ? [`It asks ${asking.map(({ id }) => id).join(", ")}`, asking[0].question] : [`Asked of ${here[at]}`, atWork?.question];
  return html`<p class="slice-now">${head}: ${question ? html`<q dir="auto">${question}</q>` : asking.length ? "the question that it was asked" : atWork ? PASSED_DOWN : "the question itself"}</p>`;
}

// The card of one slice: where it is, and what its readers were asked and answered.
function SliceCard({ player, id, state, at, picture: { nodes, meanings, asked, refused }, close }) {
  const { span } = nodes.find((each) => each.id === id);
  const row = (each) => {
    const state = questionState(each, at);
    const came = state === "asked" ? `: ${NOT_BEGUN}` : state === "at work" ? "" : each.answer === null ? `: ${NOTHING_CAME}` : `: ${each.answer}`;
    return html`<li key=${each.number} dir="auto"><button type="button" onClick=${() => player.go(each.began ?? each.step)}>step ${(each.began ?? each.step) + 1}</button> ${questionWords(each) || PASSED_DOWN}${came}</li>`;
  };
  return html`<${NodeCardBox} title=${id} close=${close}>
    <p class="about">${[meanings[state], `${percentOf(player.frames, span[0])}% to ${percentOf(player.frames, span[1])}% of the text`].filter(Boolean).join(" · ")}</p>
    <p class="visits"><button type="button" onClick=${() => player.show(span[0])}>Show its place in the text</button></p>
    <${RefusedHere} ...${{ player, id, at, refused }} />
    <ul class="slice-asked">${asked.filter((each) => each.id === id && questionState(each, at) !== "later").map(row)}</ul></${NodeCardBox}>`;
}

export const SLICES = {
  ...TREE,
  knownHere: "the known answer stands here",
  builds: "",
  look: lookOfSlice,
  Card: SliceCard,
  Now: SliceNow,
  Panel: SliceQuestions,
  words: (each, picture, at) => picture.asked.filter((one) => one.id === each.id && one.step <= at).map(({ question }) => question || PASSED_DOWN).join(" · "),
  field: "Find a slice by its question",
  one: "slice",
  many: "slices",
  nothing: "No slice was asked a question with these words.",
  empty: "There is no slice to draw.",
  columns: ["Slice", "At this step", "What its reader was asked"],
};
