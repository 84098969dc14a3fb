// The card of one node: the part it stands for, what happened to it, the working memory carried there, and its whole summary.
import { html } from "../../vendor/preact.js";
import { quotedBy, writtenBy } from "../player/dom.js";
import { RuleOnText } from "../player/seen_summaries.js";

// What every card has: a title, a button that closes it, and what is in it.
export function NodeCardBox({ title, close, children }) {
  return html`<div class="node-card"><div class="head"><h3 dir="auto">${title}</h3><button type="button" class="tool" aria-label="Close" onClick=${close}>✕</button></div>${children}</div>`;
}

// A place in the text as its share of it.
export const percentOf = ({ text }, offset) => ((100 * offset) / Math.max(1, text.chars)).toFixed(1).replace(".0", "");

// What was chosen at a node and refused, so far.
export function RefusedHere({ player, id, at, refused }) {
  const rows = Object.entries(refused ?? {}).flatMap(([step, choices]) => choices.filter((choice) => choice.id === id).map((choice) => ({ ...choice, step: Number(step) })));
  return rows.filter(({ step }) => player.ends() || step <= at).map(({ step, words, why }) => html`<p key=${step} class="refused-here">
    <button type="button" onClick=${() => player.go(step)}>step ${step + 1}</button> ✕ ${words}: ${why}</p>`);
}

export function NodeCard({ player, id, state, at, picture: { nodes, names, texts, meanings, carried, refused }, close }) {
  const { name, span, visits } = nodes.find((each) => each.id === id);
  const visited = visits.filter((step) => player.ends() || step <= at);
  const memory = visited.map((step) => carried[step]).find(Boolean);
  const author = writtenBy(player.frames, `wrote:${id}`);
  const place = span && `stands for ${percentOf(player.frames, span[0])}% to ${percentOf(player.frames, span[1])}% of the text`;
  return html`<${NodeCardBox} title=${names[id] ?? name} close=${close}>
    <p class="about">${[meanings[state] ?? { answer: "the answer is from here" }[state], place].filter(Boolean).join(" · ")}</p>
    ${memory && html`<p class="about">Working memory carried here: the summaries of ${memory.join(", ")}.</p>`}
    <p class="visits">${visited.map((step) => html`<button type="button" key=${step} onClick=${() => player.go(step)}>step ${step + 1}</button>`)}
      ${span && html`<button type="button" onClick=${() => player.show(span[0])}>Show its place in the text</button>`}</p>
    <${RefusedHere} ...${{ player, id, at, refused }} />
    <div class=${`quoted ${quotedBy(author)}`}><small>summary, ${author}</small><${RuleOnText} frames=${player.frames} of=${`wrote:${id}`} /><p dir="auto">${texts[id]}</p></div></${NodeCardBox}>`;
}
