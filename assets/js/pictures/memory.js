// The picture of a memory that is overwritten: its words at this step with additions and deletions, older layers under them, its size
// by step, its look-backs, beside it the life of every sentence, and the history of any.
import { el, writtenBy } from "../player/dom.js";
import { termed } from "../player/terms.js";
import { factBadges, factKeyLine } from "./fact_badges.js";
import { factMarks, factsOf } from "./fact_marks.js";
import { knownKey } from "./known_mark.js";
import { createHistory, createRecall } from "./memory_cards.js";
import { createChart } from "./memory_chart.js";
import { createFind } from "./memory_find.js";
import { createLife } from "./memory_life.js";
import { LAYERS_AT_ONCE, standing, stepOf } from "./memory_layers.js";
import { page } from "./memory_words.js";

const DEPTHS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500];
const ALL = 1e9;

export function createMemory(player) {
  const caption = el("h2", {});
  const tokens = el("span", { class: "tokens" });
  const depth = el("select", { "aria-label": "Older layers of the memory", class: "depth" });
  const waiting = el("p", { class: "none", text: "It will appear here once the first chunk has been read." });
  const words = el("div", { class: "memory-words by-model", role: "group", "aria-label": "The memory at this step" });
  const more = el("p", { class: "more" });
  const scroll = el("div", { class: "pal-box", tabindex: 0, role: "region", "aria-label": "The memory" }, words, more);
  const cut = el("p", { class: "note" });
  const key = (name, text, sign) => el("span", { class: "key-word" }, sign ? el(name, { text: sign }) : el("i", { class: `key ${name}` }), text);
  const legend = el("p", { class: "legend" }, key("ins", "written at this step", "added"), key("del", "overwritten at this step", "struck"), key("s", "older layer, still showing", "older"));
  const knownLine = knownKey("the chunk in which the known answer stands");
  const factLine = factKeyLine();
  const ofFacts = el("span", { class: "of-facts" });
  legend.append(knownLine, factLine);
  const chart = createChart(player);
  const recall = createRecall(player);
  const history = createHistory(player, () => select(null));
  const find = createFind(player);
  const life = createLife(player, (lane) => select(lane));
  const now = el("div", { class: "memory-now" }, recall.node, scroll, cut, legend, history.node, find.node);
  const body = el("div", { class: "memory-body" }, chart.node, el("div", { class: "memory-both" }, now, life.node));
  const node = el("section", { class: "card pane memory-pane", "aria-label": "The reader's picture" },
    el("div", { class: "head" }, caption, el("span", { class: "memory-tools" }, ofFacts, tokens, el("label", { class: "layers" }, "older layers ", depth))), waiting, body);
  let most = LAYERS_AT_ONCE;
  let selected = null;
  let bringing = 0;

  const picture = () => player.frames.picture;

  depth.addEventListener("change", () => {
    most = LAYERS_AT_ONCE;
    draw(player.at);
  });

  function load() {
    const current = picture();
    waiting.hidden = Boolean(current);
    body.hidden = tokens.hidden = !current;
    depth.parentElement.hidden = !current;
    caption.replaceChildren(termed(player.frames, current?.caption ?? "Its memory now"));
    if (!current) return;
    cut.textContent = `! The ${current.called} was over its limit and was cut at the end of a sentence.`;
    for (const each of [words, scroll]) each.setAttribute("aria-label", `The ${current.called}`);
    const before = depth.value || "2";
    const choices = [["0", "off"], ...DEPTHS.filter((steps) => steps < current.snapshots.length).map((steps) => [String(steps), steps === 1 ? "1 step back" : `${steps} steps back`]), [String(ALL), "all the way"]];
    depth.replaceChildren(...choices.map(([value, text]) => el("option", { value, text })));
    depth.value = choices.some(([value]) => value === before) ? before : String(ALL);
    chart.load();
    life.load();
    recall.load();
    find.load();
    if (selected !== null) history.show(selected);
  }

  function draw(at) {
    const current = picture();
    if (!current) return;
    chart.draw(at);
    knownLine.hidden = !chart.marked();
    life.draw(at);
    const { number, fresh } = standing(current, at);
    const marks = number < 0 ? [] : factMarks(factsOf(player), [current.snapshots[number].ref, ...(fresh ? [current.snapshots[number].chunk] : [])], at, player.ends());
    ofFacts.replaceChildren(factBadges(marks));
    factLine.hidden = !chart.carries();
    if (current.captions) caption.replaceChildren(termed(player.frames, current.captions[number] ?? current.caption));
    if (number < 0) {
      words.replaceChildren(el("p", { class: "none", text: `There is no ${current.called} yet.` }));
      tokens.textContent = "";
      cut.hidden = more.hidden = recall.node.hidden = true;
      return;
    }
    const { tokens: size, truncated, ref } = current.snapshots[number];
    words.setAttribute("aria-label", `The ${current.called} at this step, ${writtenBy(player.frames, ref)}`);
    tokens.textContent = `${size.toLocaleString("en")}${current.limit ? ` of ${current.limit.toLocaleString("en")}` : ""} tokens`;
    const drawn = page(current, at, { depth: Number(depth.value), most });
    words.replaceChildren(...(drawn.blocks.length ? drawn.blocks : [el("p", { class: "none", text: `The ${current.called} is empty.` })]));
    words.querySelector(".sentence")?.setAttribute("tabindex", "0");
    cut.hidden = !(truncated && fresh);
    older(drawn.more);
    recall.draw(at);
    ring();
    history.mark(at);
  }

  function older(until) {
    more.hidden = !until;
    if (!until) return;
    const all = () => {
      most += 2 * LAYERS_AT_ONCE;
      draw(player.at);
    };
    more.replaceChildren(`Older layers, from step ${stepOf(picture(), until - 1)} back, are not shown. `, el("button", { type: "button", class: "tool", text: "Show more", on: { click: all } }));
  }

  // Select a sentence: outlined in the memory, its history below.
  function select(lane) {
    selected = lane;
    history.show(lane);
    life.mark(lane);
    ring();
    clearTimeout(bringing);
    if (lane !== null) bringing = setTimeout(() => marked() || history.node.scrollIntoView({ block: "nearest" }), 350); // a double click selects a word
  }

  function ring() {
    for (const each of words.querySelectorAll(".sentence")) each.setAttribute("aria-pressed", String(Number(each.dataset.lane) === selected));
  }

  const marked = () => (words.getRootNode().getSelection?.() ?? document.getSelection())?.toString().trim() ?? "";
  words.addEventListener("click", (event) => {
    const chosen = event.target.closest?.(".sentence");
    const phrase = marked();
    if (phrase) find.fill(phrase.slice(0, 200));
    else if (chosen) select(Number(chosen.dataset.lane) === selected ? null : Number(chosen.dataset.lane));
  });
  words.addEventListener("keydown", (event) => {
    const all = [...words.querySelectorAll(".sentence")];
    const now = all.indexOf(event.target.closest?.(".sentence"));
    const to = { ArrowDown: now + 1, ArrowUp: now - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") select(Number(all[now]?.dataset.lane ?? -1));
    else if (to === undefined || !all[to]) return;
    else {
      all[now]?.setAttribute("tabindex", "-1");
      all[to].setAttribute("tabindex", "0");
      all[to].focus();
    }
    event.preventDefault();
    event.stopPropagation();
  });

  function fit() {
    chart.load();
    chart.draw(player.at);
    life.draw(player.at);
  }

  return { node, load, draw, fit, select, destroy: () => clearTimeout(bringing) };
}
