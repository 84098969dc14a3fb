// The card of one entity: who found it, its other names, every mention in the text, and its relations. Of a segment, that it is one.
import { html, useState } from "../../vendor/preact.js";
import { writtenBy } from "../player/dom.js";
import { saidAt } from "./net_labels.js";
import { NodeCardBox } from "./node_card.js";

const NOTHING_KNOWN = { by: "", names: [], spans: [], relations: [] };

export function EntityCard({ player, id, state, at, picture, close, select }) {
  const [mention, setMention] = useState(-1);
  const { name, span, visits } = picture.nodes.find((each) => each.id === id);
  const { by, names, spans, relations } = picture.cards[id] ?? { ...NOTHING_KNOWN, spans: [span] };
  const also = picture.cards[id]?.names_from > at ? [] : names; // names that are merged later are no names of it yet
  const there = relations.map((each) => ({ ...each, said: saidAt(each, at) })).filter(({ said }) => said.length);
  const replied = player.frames.by?.[`wrote:${id}`];
  const author = replied && replied !== "a rule" ? by.replace("the model", replied) : by;
  const visited = visits.filter((step) => player.ends() || step <= at);
  // Show one mention in the text; the first follows the last.
  const turn = (by) => {
    const next = mention < 0 && by < 0 ? spans.length - 1 : (mention + by + spans.length) % spans.length;
    setMention(next);
    player.show(spans[next][0]);
  };
  const turner = (sign, label, by) => html`<button type="button" aria-label=${label} title=${label} onClick=${() => turn(by)}>${sign}</button>`;
  const count = mention < 0 ? `${spans.length} mention${spans.length === 1 ? "" : "s"} in the text` : `mention ${mention + 1} of ${spans.length}`;
  return html`<${NodeCardBox} title=${picture.names[id] ?? name} close=${close}>
    <p class="about">${[picture.meanings[state], author, also.length > 0 && `also called ${also.join(", ")}`].filter(Boolean).join(" · ")}</p>
    ${picture.cards[id] && spans.length > 0 && html`<p class="visits">${turner("◀", "Previous mention", -1)}<span role="status">${count}</span>${turner("▶", "Next mention", 1)}</p>`}
    ${visited.length > 0 && html`<p class="visits">${visited.map((step) => html`<button type="button" key=${step} onClick=${() => player.go(step)}>step ${step + 1}</button>`)}</p>`}
    ${there.length > 0 && html`<div class="quoted by-model"><small>relations, ${writtenBy(player.frames, ...there.flatMap(({ said }) => said.map(([, ref]) => ref)))}</small>
      <ul class="relations" aria-label="Its relations">${there.map(({ id: other, name: called, said }) => html`<li key=${other} dir="auto"><button type="button" onClick=${() => select(other)}>${called}</button> ${said.map(([words]) => words).join(" ")}</li>`)}</ul></div>`}</${NodeCardBox}>`;
}
