// What panes of the player are made of: the state that they are functions of, an element that a component draws a pane in, and small
// parts that several panes share. Terms are in terms.js, badges of followed facts in pictures/fact_badges.js.
import { html, render } from "../../vendor/preact.js";
import { factsOf } from "../pictures/fact_marks.js";
import { el } from "./dom.js";

// What a pane is a function of: one state for all panes at a step. `ends`: whether what comes later may be shown.
export function stateOf(player) {
  const { frames, at, last, known, staged, lit = null, go, show, want } = player;
  return { player, frames, at, last, ends: player.ends(), facts: factsOf(player), known, staged, lit, go, show, want };
}

// A pane that a component draws from the state. Where the component gives nothing, the pane is not there (player.css).
export function createPane(player, Pane, { tag = "section", ...about }) {
  const node = el(tag, { class: "card pane", ...about });
  const draw = (_, state = stateOf(player)) => render(html`<${Pane} ...${state} node=${node} />`, node);
  return { node, draw, destroy: () => render(null, node) };
}

// Puts elements that were made elsewhere into a component's own: `<div ref=${holding(canvas)} />`.
export const holding = (...nodes) => (place) => place && nodes[0].parentNode !== place && place.replaceChildren(...nodes);

// Whether a mark that stands for these places of the text is the one that is lit.
export const isLit = (lit, start, end) => Boolean(lit) && lit[0] === start && lit[1] === end;

// What a component draws, as an element for panes that make theirs themselves. It is drawn once.
export function drawn(vnode) {
  const box = el("span");
  render(vnode, box);
  return box.firstChild;
}

const ICON_SHAPES = {
  first: "M4 3h2v10H4zM13 3v10L6.5 8z",
  previous: "M11.5 3v10L4.5 8z",
  play: "M4.5 2.5v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M4.5 3v10l7-5z",
  last: "M10 3h2v10h-2zM3 3v10l6.5-5z",
};

// A small icon; its button's label says what it means.
export const Icon = ({ name }) => html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=${ICON_SHAPES[name]} fill="currentColor" /></svg>`;
