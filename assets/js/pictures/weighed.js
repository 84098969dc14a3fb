// What was weighed at a step, below the net: segments in view, candidates with scores, names found, questions kept.
import { el } from "../player/dom.js";
import { factBadges } from "./fact_badges.js";
import { factKey, factMarks, factsOf } from "./fact_marks.js";
import { termed } from "../player/terms.js";

const STATES = { found: ["", ""], added: ["+", "added here"], filtered: ["✕", "left out for lack of room"], kept: ["■", "in view"] };

export function createWeighed(player, { select }) {
  const node = el("div", { class: "weighed", tabindex: 0, role: "region", "aria-label": "What was weighed at this step" });
  let drawn = null;
  let marked = "";
  const marksOf = (refs = []) => factMarks(factsOf(player), refs, player.at, player.ends());

  function draw(at) {
    const groups = player.frames.picture?.panels[at] ?? [];
    const marks = groups.flatMap(({ rows: found, chips: beside }) => (found ?? beside).map(({ refs }) => factKey(marksOf(refs)))).join("|");
    if (groups === drawn && marks === marked) return;
    marked = marks;
    drawn = groups;
    node.hidden = !groups.length;
    node.replaceChildren(...groups.map((group) => el("div", { class: "group" }, el("h3", {}, termed(player.frames, group.head)), group.chips ? chips(group.chips) : rows(group))));
    node.scrollTop = 0;
  }

  function chips(found) {
    return el("p", { class: "chips" }, ...found.map(({ name, state, span, id, refs }) => {
      const [mark, words] = STATES[state];
      const press = () => (id ? select(id) : player.show(span[0]));
      return el("button", { type: "button", class: `chip ${state}`, title: words, "aria-label": [name, words].filter(Boolean).join(", "), on: { click: press } }, el("i", { text: mark }), ` ${name}`, factBadges(marksOf(refs)));
    }));
  }

  function rows({ rows: found, more }) {
    const last = more ? [el("li", { class: "more", text: `${more} more` })] : [];
    return el("ul", {}, ...found.map(row), ...last);
  }

  function row({ mark, name, text, note, struck, picked, id, refs }) {
    const called = name && (id ? el("button", { type: "button", class: "name", text: name, on: { click: () => select(id) } }) : el("span", { class: "name", text: name }));
    return el("li", { class: [struck && "struck", picked && "picked"].filter(Boolean).join(" ") },
      mark && el("i", { class: "mark", text: mark }), called, factBadges(marksOf(refs)), text && el("span", { class: "words", text: text }), note && el("span", { class: "note", text: note }));
  }

  return { node, draw };
}
