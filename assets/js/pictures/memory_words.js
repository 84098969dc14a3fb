// The words of a memory at one step: every sentence with its change, and overwritten ones as far back as wanted.
import { el } from "../player/dom.js";
import { isLost, layers, standing, stepOf, wordsOf } from "./memory_layers.js";

// A memory as paragraphs. `depth`: how many steps back older layers show; `most`: the most older sentences to show.
export function page(picture, at, { depth, most }) {
  const { number, fresh } = standing(picture, at);
  const rows = picture.memories[number];
  const lost = fresh ? picture.over[number].filter(([lane]) => isLost(picture, lane, number)) : [];
  const older = layers(picture, number, { from: fresh ? number - 1 : number, depth, most });
  const under = Map.groupBy(older.found, ({ after }) => (after < 0 ? rows[0]?.[0] ?? -1 : after));
  const blocks = [el("p", {})];
  const follow = (lane) => {
    for (const [gone, version, after] of lost) if (after === lane) blocks.at(-1).append(struck(picture, gone, version), " ");
    blocks.at(-1).append(...(under.get(lane) ?? []).map((ghost) => layer(picture, ghost, number)));
  };
  follow(-1);
  for (const [lane, version, how, breaks] of rows) {
    if (breaks) blocks.push(el("p", { class: breaks > 1 ? "" : "memory-line" }));
    blocks.at(-1).append(sentence(picture, { lane, version, how: fresh ? picture.hows[how] : "verbatim" }), " ");
    follow(lane);
  }
  return { blocks: blocks.filter((block) => block.childNodes.length), more: older.more };
}

function sentence(picture, { lane, version, how }) {
  const [, text, , changes] = picture.lanes[lane].v[version];
  const words = picture.texts[text];
  const node = el("span", { class: `sentence how-${how}`, role: "button", tabindex: -1, "data-lane": lane });
  if (how === "new") node.append(el("ins", { text: words }));
  else if (how !== "verbatim" && changes) node.append(...difference(words, changes));
  else if (how === "restored") node.append(el("ins", { text: words }));
  else node.append(words);
  const note = { restored: "back again", moved: "moved here", uncertain: "? most similar to the sentence before", merged: "of several sentences", split: "of a longer sentence" }[how];
  if (note) node.append(" ", el("small", { class: "how", text: note }));
  node.title = `${picture.meanings[how]}; select it for its history`;
  return node;
}

// A difference as Python sends it: a positive number is a length kept, a negative one a length added, a string was removed.
export function difference(words, changes) {
  let place = 0;
  return changes.map((change) => {
    if (typeof change === "string") return el("del", { text: change });
    const part = words.slice(place, place + Math.abs(change));
    place += Math.abs(change);
    return change < 0 ? el("ins", { text: part }) : document.createTextNode(part);
  });
}

function struck(picture, lane, version) {
  const words = wordsOf(picture, lane, version);
  return el("span", { class: "sentence gone", role: "button", tabindex: -1, "data-lane": lane, title: "overwritten at this step; select it for its history" }, el("del", { text: words }));
}

function layer(picture, { lane, version, at }, number) {
  const written = stepOf(picture, picture.lanes[lane].v[version][0]);
  const age = number - at <= 1 ? 1 : number - at <= 4 ? 2 : 3;
  return el("span", { class: `sentence layer age-${age}`, role: "button", tabindex: -1, "data-lane": lane, title: "an older layer; select it for its history" },
    el("s", { text: wordsOf(picture, lane, version) }), el("small", { text: ` (step ${written}, overwritten at step ${stepOf(picture, at)})` }));
}

// A button that goes to the step at which a memory was written.
export function stepButton(player, number, words) {
  const { picture } = player.frames;
  return el("button", { type: "button", class: "tool", text: words ?? `step ${stepOf(picture, number)}`, on: { click: () => player.go(picture.snapshots[number].step) } });
}
