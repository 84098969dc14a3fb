// What was found and weighed at a step, below the picture: candidates with scores, names, relations, questions kept.
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { Termed } from "../player/terms.js";
import { FactBadges } from "./fact_badges.js";
import { factMarks, factsOf } from "./fact_marks.js";

export function Weighed({ player, at, picture, canvas, select }) {
  const box = useRef();
  const groups = picture.panels[at] ?? [];
  useLayoutEffect(() => box.current && (box.current.scrollTop = 0), [at]);
  const badges = ({ refs = [] }) => html`<${FactBadges} marks=${factMarks(factsOf(player), refs, at, player.ends())} />`;
  const undrawn = (chips = []) => chips.filter(({ id }) => !canvas.has(id)).length;
  const chip = (each, n) => html`<button type="button" class="chip" key=${n} onClick=${() => select(each.id)}>${each.name}${badges(each)}</button>`;
  const row = (each, n) => {
    const { mark, name, text, note, struck, picked, id } = each;
    const called = name && (id ? html`<button type="button" class="name" onClick=${() => select(id)}>${name}</button>` : html`<span class="name">${name}</span>`);
    return html`<li key=${n} class=${[struck && "struck", picked && "picked"].filter(Boolean).join(" ")}>
      ${mark && html`<i class="mark">${mark}</i>`}${called}${badges(each)}${text && html`<span class="words" dir="auto">${text}</span>`}${note && html`<span class="note">${note}</span>`}</li>`;
  };
  return groups.length > 0 && html`<div class="weighed" ref=${box} tabindex="0" role="region" aria-label="What was weighed at this step">${groups.map(({ head, count, chips, rows, more }) => html`<div class="group" key=${head}>
    <h3><${Termed} frames=${player.frames} words=${head} /> <span class="count">${count}${undrawn(chips) > 0 && ` · ${undrawn(chips)} not in the net; press one to draw it`}</span></h3>
    ${chips ? html`<p class="chips">${chips.map(chip)}</p>` : html`<ul>${rows.map(row)}${more > 0 && html`<li class="more">${more} more</li>`}</ul>`}</div>`)}</div>`;
}
