// How a tree of slices is drawn: a tree of parts, with the questions that went down it and the answers that came back. Its style
// beside that of any tree (graph_marks.js): the card of a slice, and the list of the questions below the tree.
import { el } from "../player/dom.js";
import { TREE } from "./graph_marks.js";

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
function createQuestions(player) {
  const node = el("div", { class: "slice-questions", tabindex: 0, role: "region", "aria-label": "The questions asked below" });
  let drawn = "";

  function draw(at) {
    const asked = (player.frames.picture?.asked ?? []).filter((each) => questionState(each, at) !== "later");
    const key = asked.map((each) => `${each.number} ${questionState(each, at)}`).join("|");
    if (key === drawn) return;
    drawn = key;
    node.hidden = !asked.length;
    node.replaceChildren(el("ol", {}, ...asked.map((each) => line(each, questionState(each, at)))));
    node.scrollTop = node.scrollHeight;
  }

  function line(each, state) {
    const press = el("button", { type: "button", class: "name", text: each.id, on: { click: () => player.go(each.began) } });
    const back = state === "at work" ? "at work" : each.answer === null ? `↩ ${NOTHING_CAME}` : `↑ ${each.answer}`;
    const kind = state === "at work" ? "at-work" : each.answer === null ? "nothing" : "answered";
    const item = el("li", { class: kind }, el("b", { text: `${each.number}` }), press, each.question && el("span", { class: "words", title: each.question, text: questionWords(each) }), el("span", { class: "came-back", title: each.answer ?? "", text: back }));
    item.style.setProperty("--depth", each.depth - 1);
    return item;
  }

  return { node, draw };
}

// The card of one slice: where it is, and what its readers were asked and answered.
function createSliceCard(player, { close }) {
  const title = el("h3", {});
  const about = el("p", { class: "about" });
  const list = el("ul", { class: "slice-asked" });
  const shut = el("button", { type: "button", class: "tool", "aria-label": "Close", on: { click: close } }, "✕");
  const place = el("button", { type: "button", text: "Show its place in the text" });
  const node = el("div", { class: "node-card", hidden: "" }, el("div", { class: "head" }, title, shut), about, el("p", { class: "visits" }, place), list);

  function draw(id, state) {
    const { nodes, meanings, asked } = player.frames.picture;
    const { span } = nodes.find((found) => found.id === id);
    const percent = (offset) => ((100 * offset) / Math.max(1, player.frames.text.chars)).toFixed(1).replace(".0", "");
    node.hidden = false;
    title.textContent = id;
    about.textContent = [meanings[state], `${percent(span[0])}% to ${percent(span[1])}% of the text`].filter(Boolean).join(" · ");
    place.onclick = () => player.show(span[0]);
    list.replaceChildren(...asked.filter((each) => each.id === id && questionState(each, player.at) !== "later").map(row));
  }

  function row(each) {
    const came = questionState(each, player.at) === "at work" ? "" : each.answer === null ? `: ${NOTHING_CAME}` : `: ${each.answer}`;
    const go = el("button", { type: "button", text: `step ${each.began + 1}`, on: { click: () => player.go(each.began) } });
    return el("li", {}, go, ` ${questionWords(each) || "the question of the slice above"}${came}`);
  }

  return { node, draw, hide: () => (node.hidden = true) };
}

export const SLICES = {
  ...TREE,
  knownHere: "the known answer stands here",
  builds: "",
  look: lookOfSlice,
  createCard: createSliceCard,
  createPanel: createQuestions,
  words: (each, picture) => picture.texts[each.id] ?? "",
  field: "Find a slice by its question",
  one: "slice",
  many: "slices",
  nothing: "No slice was asked a question with these words.",
  empty: "There is no slice to draw.",
  columns: ["Slice", "At this step", "What its reader was asked"],
};
