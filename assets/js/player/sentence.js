// The sentence of a step, in room of one height, so that nothing moves while stepping: smaller on two lines if it is too long for one,
// and of a longer one as many whole words as fit, with a button that shows all of it, and before it how many replies went wrong, if that
// is told in what does not fit. Not here: what the sentence says (Python).
import { html, render } from "../../vendor/preact.js";
import { el } from "./dom.js";
import { OwnWords } from "./terms.js";

const LARGE = 18; // pixels of letters on a page
const SMALL = 15; // the same on two lines
const MOST_ON_STAGE = 3; // lines
const SLACK = 1.05; // lines break at words, and fonts differ a little from what is measured
const MORE = " … more";
const NONE_YET = "The first step will appear here.";

export function createSentence(player) {
  const words = el("p", { class: "step-sentence", dir: "auto" });
  const node = el("div", { class: "say" }, words);
  const pen = document.createElement("canvas").getContext("2d");
  let longest = null; // [steps, the width of their longest sentence as a multiple of its letters' size]
  let room = null; // width, letters and lines
  let drawn = null;

  // The stepper has another width now: keep room on Stage for the longest sentence.
  function fit() {
    const letters = parseFloat(getComputedStyle(node).fontSize);
    const { steps } = player.frames;
    if (longest?.[0] !== steps) longest = [steps, Math.max(0, ...steps.map(({ say }) => widthOf(100, 600)(say) / 100))];
    const lines = Math.min(MOST_ON_STAGE, Math.max(1, Math.ceil((SLACK * longest[1] * letters) / Math.max(1, node.clientWidth - 40))));
    node.style.setProperty("--lines", lines);
    room = { width: node.clientWidth / SLACK, letters, lines, of: node.clientWidth };
    drawn = null;
  }

  // Buttons beside it may come after it was drawn, and take some of its room.
  new ResizeObserver(() => {
    if (!drawn || node.clientWidth === room.of || node.classList.contains("whole")) return;
    const step = drawn;
    fit();
    draw(step);
  }).observe(node);

  // What gives the width of words in letters of this size.
  const widthOf = (size, weight) => {
    pen.font = `${weight} ${size}px Source Sans, sans-serif`;
    return (text) => pen.measureText(text).width;
  };

  function draw(step) {
    if (!room || longest?.[0] !== player.frames.steps) fit();
    if (drawn === step) return;
    drawn = step;
    node.classList.remove("whole");
    const said = step?.say ?? NONE_YET;
    const one = !player.staged && wordsThatFit(said, { width: room.width, lines: 1, measure: widthOf(LARGE, 400) });
    const small = !player.staged && one < said.length;
    node.classList.toggle("two-lines", small);
    const measure = player.staged ? widthOf(room.letters, 600) : widthOf(small ? SMALL : LARGE, 400);
    show(step, wordsThatFit(said, { width: room.width, lines: player.staged ? room.lines : small ? 2 : 1, measure, ending: step?.wrong ? `${MORE} ! ${step.wrong} ·` : MORE }));
  }

  // The sentence as far as it fits, or whole, with the button that unfolds it or folds it again.
  function show(step, until, unfolded = false) {
    const said = step?.say ?? NONE_YET;
    const shown = unfolded ? said : said.slice(0, until);
    const press = () => {
      node.classList.toggle("whole", !unfolded);
      show(step, until, !unfolded);
      words.querySelector(".more-words").focus();
    };
    const more = html`<button key="more" type="button" class="more-words" aria-expanded=${unfolded} title=${said} onClick=${press}>${unfolded ? "less" : "more"}</button>`;
    render(html`<${OwnWords} words=${shown} marks=${step?.terms?.filter(([, end]) => end <= shown.length)} />${until < said.length && (unfolded ? " " : " … ")}${until < said.length && step?.wrong && !unfolded && html`<span class="wrong-replies">! ${step.wrong}</span> · `}${until < said.length && more}`, words);
  }

  return { node, draw, fit };
}

// How many characters of a text are as many whole words as fit into so many lines of a width, broken at spaces, with `ending` after
// them if they are not all; all of them if the text fits. Pure: `measure` gives the width of words.
// Where there is no room yet, the text is not cut.
export function wordsThatFit(text, { width, lines, measure, ending = "" }) {
  if (!(width > 0)) return text.length;
  const room = measure(ending);
  let [line, used, cut] = [1, 0, 0];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const wide = measure(word);
    const beside = used ? used + measure(" ") + wide : wide;
    if (beside > width && used) [line, used] = [line + 1, wide];
    else used = beside;
    for (; used > width; used -= width) line += 1; // a word longer than a line is broken
    if (line > lines) return cut || index + word.length;
    if (line < lines || used + room <= width) cut = index + word.length;
  }
  return text.length;
}
