// Words beside a graph: the keys of its legend, and the list of the nodes that a search found.
import { el } from "../player/dom.js";
import { termed } from "../player/terms.js";

const FOUND_AT_MOST = 12;

// The keys of the legend; those of states that the whole reading has nowhere are marked, unless that would tell what comes later.
export function legendKeys(current, player) {
  const states = new Set(current.nodes.flatMap(({ changes }) => changes.map(([, state]) => state)));
  return Object.entries(current.meanings).map(([state, words]) => el("span", { class: states.has(state) || !player.ends() ? `of-${state}` : "of-none" }, el("i", { class: `key ${state}` }), termed(player.frames, words)));
}

// How many nodes were found, and the first of them, each a button. `style` names one and many of them.
export function foundNodes(hits, names, { one, many, nothing }, goTo) {
  const more = hits.length > FOUND_AT_MOST ? ` The first ${FOUND_AT_MOST} are listed.` : "";
  return [
    el("p", { class: "count", role: "status", text: hits.length ? `${hits.length} ${hits.length === 1 ? one : many} with these words.${more}` : nothing }),
    ...hits.slice(0, FOUND_AT_MOST).map((id) => el("button", { type: "button", text: names[id], on: { click: () => goTo(id) } })),
  ];
}
