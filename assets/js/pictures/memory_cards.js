// Cards below a memory: the history of one sentence, and the look-back of a step.
import { el } from "../player/dom.js";
import { term } from "../player/terms.js";
import { factBadges } from "./fact_badges.js";
import { factKey, factMarks, factsOf } from "./fact_marks.js";
import { laneIn, standing, stepOf, wordsOf } from "./memory_layers.js";
import { difference, stepButton } from "./memory_words.js";

const BEST = 5;

export function createHistory(player, closed) {
  const title = el("h3", { text: "The life of this sentence" });
  const shut = el("button", { type: "button", class: "tool", "aria-label": "Close the history", text: "✕", on: { click: closed } });
  const list = el("ol", { class: "life" });
  const source = el("p", { class: "source" });
  const node = el("section", { class: "history", hidden: "", "aria-label": "The life of a sentence", tabindex: -1 }, el("div", { class: "head" }, title, shut), list, source);

  function show(lane) {
    const { picture } = player.frames;
    const about = picture?.lanes[lane];
    node.hidden = !about;
    if (!about) return;
    const entries = [...about.v.map((version, n) => ({ at: version[0], version, n })), ...about.gone.map(([at, into]) => ({ at, into }))];
    entries.sort((a, b) => a.at - b.at || (a.version ? 1 : -1));
    list.replaceChildren(...entries.map((entry) => (entry.version ? written(picture, about, entry) : overwritten(picture, entry))));
    mark(player.at);
    place(about);
  }

  function written(picture, about, { at, version, n }) {
    const [, text, how, changes] = version;
    const kind = picture.hows[how];
    const parent = kind === "split" && about.parent >= 0 && n === 0;
    const event = { new: "added", reworded: "reworded", merged: "merged with another", split: parent ? "split off a longer sentence" : "split in two", restored: "came back", moved: "moved to another place", uncertain: "most similar, but uncertain" }[kind];
    const words = changes && kind !== "new" ? difference(picture.texts[text], changes) : [picture.texts[text]];
    return el("li", { class: `how-${kind}`, "data-at": at }, stepButton(player, at), el("span", { class: "event", text: ` ${event} ` }), el("q", {}, ...words));
  }

  function overwritten(picture, { at, into }) {
    const event = into < 0 ? " overwritten" : " merged into: ";
    const now = into < 0 ? null : picture.lanes[into].v.findLast(([from]) => from <= at);
    return el("li", { class: "how-gone", "data-at": at }, stepButton(player, at), el("span", { class: "event", text: event }), now && el("q", { text: picture.texts[now[1]] }));
  }

  // The passage that the sentence most likely came from, found by its words.
  function place(about) {
    const found = about.v.find((version) => version[4]);
    const { whole } = player.frames.text;
    if (!found) return source.replaceChildren("No sentence of the chunk that introduced its words is similar to it.");
    const [start, end] = found[4];
    const show = el("button", { type: "button", class: "tool", text: "Show it in the text", on: { click: () => player.show(start) } });
    source.replaceChildren(el("span", { class: "label", text: "Most similar in the text: " }), whole ? el("q", { class: "original", text: whole.slice(start, end).replace(/\s+/g, " ").trim() }) : "", " ", show);
  }

  function mark(at) {
    const { picture } = player.frames;
    const number = picture ? standing(picture, at).number : -1;
    const passed = [...list.children].findLast((item) => Number(item.dataset.at) <= number);
    for (const item of list.children) item.hidden = !player.ends() && Number(item.dataset.at) > number;
    for (const item of list.children) item === passed ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current");
  }

  return { node, show, mark };
}

export function createRecall(player) {
  const node = el("section", { class: "recall", hidden: "", "aria-label": "The look-back of this step" });
  let shownFor = "";

  function draw(at) {
    const { picture } = player.frames;
    const { number, fresh } = standing(picture, at);
    const asked = fresh ? picture.snapshots[number].callback : null;
    const before = (fresh ? picture.snapshots[number - 1] : picture.snapshots[number])?.callback;
    const had = before && before.recalled !== null ? before : null;
    node.hidden = !asked && !had;
    const marks = [had?.recalled, asked?.recalled].map((step) => factKey(carriedBy(byStep(picture, step))));
    const key = `${number} ${fresh} ${Boolean(asked)} ${marks}`;
    if (node.hidden || key === shownFor) return;
    shownFor = key;
    node.replaceChildren(...(had ? recalledMemory(picture, had, { looked: fresh ? number - 1 : number, number }) : []), ...(asked ? query(picture, asked, number) : []));
  }

  // The marks of the memory with this number.
  const carriedBy = (there) => factMarks(factsOf(player), [player.frames.picture.snapshots[there]?.ref], player.at, player.ends());

  const byStep = (picture, step) => picture.snapshots.findIndex((snapshot) => snapshot.step === step);

  function recalledMemory(picture, { recalled }, { looked, number }) {
    const there = byStep(picture, recalled);
    const from = el("p", { class: "recalled-from" }, "At this step the model also saw the memory of ", stepButton(player, there), `: it had looked back at step ${stepOf(picture, looked)}.`);
    return [from, earlier(picture, there, number)];
  }

  function query(picture, callback, number) {
    const { query, recalled, distance, scores } = callback;
    const head = el("h3", {}, "It ", term("callback", "looked back"));
    const words = el("p", { class: "quoted by-model" }, el("small", { text: `the query, written by ${player.frames.steps[picture.snapshots[number].step]?.by ?? "the model"} or the question itself` }), el("q", { text: query }));
    if (recalled === null) return [head, words, el("p", { text: "There was no earlier memory to look back to." })];
    const there = byStep(picture, recalled);
    const by = distance === 1 ? "one step" : `${distance} steps`;
    const came = el("p", {}, "The most similar memory was that of ", stepButton(player, there), `, ${by} back. The model sees it at the next step.${aboutEqual(scores)}`);
    return [head, words, came, earlier(picture, there, number), candidates(callback)];
  }

  // All candidates, best first, a few at a time.
  function candidates({ steps, scores, recalled, words: told }) {
    const rows = ranked(steps, scores, told);
    const most = Math.max(1, ...scores);
    const body = el("tbody", {});
    const show = (count) => body.replaceChildren(...rows.slice(0, count).map(({ step, score, words }) => {
      const bar = el("i", { class: "score" });
      bar.style.width = `${Math.max(0, (100 * score) / most).toFixed(1)}%`;
      const { picture } = player.frames;
      return el("tr", step === recalled ? { class: "picked" } : {}, el("td", {}, stepButton(player, byStep(picture, step))), el("td", { text: words }), el("td", { class: "bar" }, score > 0 ? bar : null), el("td", { text: step === recalled ? "recalled" : "" }));
    }));
    show(BEST);
    const all = el("button", { type: "button", class: "tool", text: `Show all ${rows.length}`, on: { click: () => (show(rows.length), all.remove()) } });
    const table = el("table", { class: "scores" }, el("thead", {}, el("tr", {}, ...["memory of", "score", "", ""].map((text) => el(text ? "th" : "td", { text })))), body);
    return el("details", { class: "candidates" }, el("summary", { text: rows.length === 1 ? "The one memory compared, with its score" : `The ${rows.length} memories compared, with their scores` }), table, rows.length > BEST ? all : null);
  }

  // The recalled memory, with the sentences marked that are no longer in memory.
  function earlier(picture, there, number) {
    const rows = new Set(picture.memories[number].map(([lane]) => lane));
    const now = { has: (lane) => rows.has(laneIn(picture, lane, number)) };
    const words = picture.memories[there].flatMap(([lane, version]) => [el("span", { class: now.has(lane) ? "" : "missing", text: wordsOf(picture, lane, version) }), " "]);
    const missing = picture.memories[there].filter(([lane]) => !now.has(lane)).length;
    const lost = missing ? `${missing} of its sentences ${missing === 1 ? "is" : "are"} no longer in memory (marked)` : "all its sentences are still in memory";
    return el("details", { open: "" }, el("summary", {}, `The memory of step ${stepOf(picture, there)} · ${lost} `, factBadges(carriedBy(there))), el("p", { class: "quoted by-model earlier" }, ...words));
  }

  return { node, draw, load: () => (shownFor = "") };
}

// The memories that were compared, best score first, ties by step.
export function ranked(steps, scores, words = []) {
  return steps.map((step, n) => ({ step, score: scores[n], words: words[n] })).sort((a, b) => b.score - a.score || a.step - b.step);
}

// What to add where no score is above 0.
export const aboutEqual = (scores) => (scores.every((score) => score === 0) ? " All scores are 0; ties go to the earliest." : "");
