// The picture of readers that look at the text once: its parts on an axis from beginning to end, as high as their scores, solid where
// they were shown to the model; below, the ranking with the place where it was cut, or the words on either side of a cut.
// Its data is described in components/player/pictures/on_axis.py.
import { el, svg } from "../player/dom.js";
import { stateAt } from "../player/steps.js";
import { factBadges, factKeyLine } from "./fact_badges.js";
import { factKey, factMarks, factsOf } from "./fact_marks.js";

const HIGHEST = 92;
const LEAST_HIGH = 5; // of a part with a score of 0
const LETTERS = 14; // pixels, except on Stage
const OVER = 24 / LETTERS; // room for ranks over the bars, in letters
const UNDER = 20 / LETTERS; // room for percents under the axis, in letters

export function createAxis(player) {
  const caption = el("h2", {});
  const hint = el("span", { class: "hint" });
  const chart = el("div", { class: "axis-chart", role: "img" });
  const list = el("ol", { class: "axis-parts", "aria-label": "The parts of the text, the best first" });
  const scroll = el("div", { class: "axis-scroll", tabindex: 0, role: "region", "aria-label": "The parts" }, list);
  const legend = el("p", { class: "legend" }, factKeyLine());
  const waiting = el("p", { class: "none" });
  const node = el("section", { class: "card pane axis-pane", "aria-label": "The reader's picture" }, el("div", { class: "head" }, caption, hint), waiting, chart, legend, scroll);
  let width = 0;
  let letters = LETTERS;
  let over = OVER * LETTERS;
  let others = []; // the parts that are on the axis only
  let parts = [];
  let markedAs = "";

  const picture = () => player.frames.picture;

  function load() {
    const current = picture();
    waiting.hidden = Boolean(current);
    waiting.textContent = player.frames.before ?? "The picture will appear here as the reading proceeds.";
    chart.hidden = scroll.hidden = !current;
    parts = [];
    if (!current) return;
    caption.textContent = current.caption;
    hint.textContent = current.hint;
    build();
  }

  const lettersNow = () => (player.staged ? parseFloat(getComputedStyle(player.root).fontSize) : LETTERS);

  function build() {
    markedAs = "";
    const current = picture();
    width = chart.clientWidth;
    letters = lettersNow();
    over = Math.ceil(OVER * letters);
    if (!width) return;
    const chars = Math.max(1, player.frames.text.chars);
    const x = (offset) => 1 + ((width - 2) * offset) / chars;
    const most = Math.max(1e-9, ...current.parts.map(({ score }) => score));
    const tall = over + HIGHEST + Math.ceil(UNDER * letters);
    const drawing = svg("svg", { width, height: tall, viewBox: `0 0 ${width} ${tall}`, "aria-hidden": "true" });
    for (const other of current.others) drawing.append(bar(other, { x, most }));
    others = current.others.map((other) => ({ ...other, middle: middleOf(other, x) }));
    parts = current.parts.map((part) => {
      const shape = bar(part, { x, most });
      shape.addEventListener("click", () => press(part));
      const rank = part.rank ? svg("text", { x: Math.min(width - 9, Math.max(9, x((part.span[0] + part.span[1]) / 2))).toFixed(1), y: 0, "text-anchor": "middle" }) : null;
      if (rank) rank.textContent = String(part.rank);
      drawing.append(shape, ...(rank ? [rank] : []));
      return { ...part, shape, rank, middle: middleOf(part, x), top: over + HIGHEST - high(part, most) };
    });
    drawing.append(svg("path", { class: "axis-line", d: `M0 ${over + HIGHEST + 0.5}H${width}` }));
    for (const { span } of current.cuts) drawing.append(svg("path", { class: "axis-cut", d: `M${x(span[0]).toFixed(1)} 4V${over + HIGHEST + 4}` }));
    for (const percent of [0, 25, 50, 75, 100]) {
      const label = svg("text", { class: "percent", x: Math.min(width - 1, Math.max(1, (width * percent) / 100)), y: tall - 4, "text-anchor": percent === 0 ? "start" : percent === 100 ? "end" : "middle" });
      label.textContent = `${percent}%`;
      drawing.append(label);
    }
    chart.replaceChildren(drawing);
    list.replaceChildren(...rows());
    spreadRanks();
  }

  const middleOf = ({ span }, x) => Math.min(width - 12, Math.max(12, x((span[0] + span[1]) / 2)));
  const high = ({ score }, most) => LEAST_HIGH + ((HIGHEST - LEAST_HIGH) * Math.max(0, score)) / most;

  function bar(part, { x, most }) {
    const [start, end] = part.span;
    const tall = high(part, most);
    return svg("rect", { class: "axis-bar", x: (x(start) + 0.5).toFixed(1), y: (over + HIGHEST - tall).toFixed(1), width: Math.max(1.5, x(end) - x(start) - 1).toFixed(1), height: tall.toFixed(1) });
  }

  // Ranks stand over their bars, higher where two would overlap; one without room is left out (the list has it).
  function spreadRanks() {
    const placed = [];
    for (const part of parts.filter(({ rank }) => rank)) {
      const at = Number(part.rank.getAttribute("x"));
      const half = 0.32 * letters * part.rank.textContent.length + 2;
      const line = letters + 1;
      const y = [0, 1, 2].map((above) => part.top - 5 - above * line).find((each) => each > 0.78 * letters && !placed.some(([left, right, other]) => left < at + half && at - half < right && Math.abs(other - each) < line));
      part.roomy = y !== undefined;
      if (!part.roomy) continue;
      part.rank.setAttribute("y", y.toFixed(1));
      placed.push([at - half, at + half, y]);
    }
  }

  function rows() {
    const { cut_after: after, cut_words: words, cuts } = picture();
    const found = [];
    parts.forEach((part, n) => {
      part.row = el("li", {}, el("button", { type: "button", class: "axis-part", on: { click: () => press(part) } },
        part.rank ? el("b", { class: "rank", text: String(part.rank.textContent) }) : el("b", { class: "rank", text: "" }),
        el("span", { class: "name", text: part.name }),
        el("span", { class: "note", text: part.share === undefined ? part.note : `${Math.round(100 * part.share)}% of the text` }, el("span", { class: "of-facts" })),
        part.words ? el("span", { class: "words", text: part.words }) : null,
        el("span", { class: "visually-hidden state" })));
      found.push(part.row);
      if (after && n + 1 === after && n + 1 < parts.length) found.push(el("li", { class: "cut-line", text: `✂ ${words}` }));
    });
    for (const { span, before, after: next } of cuts) {
      found.push(el("li", { class: "cut-words" }, el("h3", { text: `✂ The cut, at ${((100 * span[0]) / Math.max(1, player.frames.text.chars)).toFixed(0)}% of the text` }),
        el("p", {}, `… ${before} `, el("i", { class: "cut-mark", text: "✂" }), ` ${next} …`)));
    }
    if (cuts.length) found.push(el("li", { class: "cut-line", text: words }));
    return found;
  }

  function press(part) {
    const visit = part.changes.find(([, state]) => state === "taken")?.[0];
    if (part.rank && visit !== undefined && (player.ends() || visit <= player.at)) player.go(visit);
    player.show(part.span[0]);
  }

  const MARKS = { taken: "■ shown to the model", left: "□ left out", back: "↩ put back", scored: "" };

  function draw(at) {
    const current = picture();
    if (!current) return;
    if (!parts.length || chart.clientWidth !== width || lettersNow() !== letters) build();
    const here = current.here[at];
    chart.style.visibility = at < current.from ? "hidden" : "";
    mark(at);
    for (const part of parts) {
      const state = stateAt(part.changes, at) ?? "later";
      const now = here !== null && here === part.id;
      part.shape.setAttribute("class", `axis-bar ${state}${now ? " here" : ""}`);
      part.rank?.setAttribute("visibility", part.roomy && (state === "taken" || state === "back") ? "visible" : "hidden");
      part.row.hidden = state === "later";
      part.row.className = `${state}${now ? " here" : ""}`;
      part.row.firstChild.lastChild.textContent = ["", MARKS[state].slice(2), now && "here, now"].filter((words) => words !== false).join(", ");
      if (now) bring(part.row);
    }
    chart.setAttribute("aria-label", `${current.caption}; the list below says the same`);
  }

  // What carries the followed facts: on the axis, and in the list.
  function mark(at) {
    const facts = at < picture().from ? [] : factsOf(player);
    const marked = [...parts, ...others].map((part) => ({ part, marks: factMarks(facts, part.refs, at, player.ends()) }));
    legend.firstChild.hidden = !marked.some(({ marks }) => marks.length);
    const key = marked.map(({ marks }) => factKey(marks)).join("|");
    if (key === markedAs) return;
    markedAs = key;
    for (const { part, marks } of marked) part.row?.querySelector(".of-facts").replaceChildren(factBadges(marks));
    for (const old of chart.querySelectorAll(".on-axis")) old.remove();
    for (const { part, marks } of marked.filter(({ marks: found }) => found.length)) {
      const place = el("span", { class: "on-axis" }, factBadges(marks));
      Object.assign(place.style, { left: `${part.middle.toFixed(1)}px`, top: `${over + HIGHEST + 9}px` });
      chart.append(place);
    }
  }

  function bring(row) {
    if (row.offsetTop < scroll.scrollTop || row.offsetTop + row.offsetHeight > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = Math.max(0, row.offsetTop - 30);
  }

  function fit() {
    if (!picture()) return;
    build();
    draw(player.at);
  }

  return { node, load, draw, fit, destroy: () => {} };
}
