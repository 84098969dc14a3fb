// What stands folded on the table: what the annotators agree on and what they wrote beside their answers.
import { html } from "../../../vendor/preact.js";

// Nothing is drawn of an empty list but its place, so that a key finds the list.
const Folded = ({ title, by, rows }) => html`<details class="folded" data-folds=${by} hidden=${!rows.length}>
  <summary><span>${title}: ${rows.length}</span><kbd aria-hidden="true">${by}</kbd></summary>
  <ul class="so-far">${rows}</ul>
</details>`;

const Title = ({ words, go }) => (go ? html`<button type="button" class="link" onClick=${go}>${words}</button>` : html`<span class="about">${words}</span>`);

// What the annotators agree on.
export const Agreed = ({ agreed, look }) => html`<${Folded} title="Agreed" by="a" rows=${agreed.map(({ title, words, by, step }) => html`<li>
  <p><${Title} words=${title} go=${step ? () => look(step) : null} /></p><p class="label-words">${by ? `${words} (${by} alone)` : words}</p>
</li>`)} />`;

// Notes, corrections and marked words, by annotator.
export const Notes = ({ notes, look, show }) => html`<${Folded} title="Notes and marks" by="n" rows=${notes.flatMap(({ name, labels }) => labels.map(({ value, facts, words, step, place }) => html`<li>
  <p><b>${name} · </b><${Title} words=${value} go=${step ? () => look(step) : place ? () => show(place) : null} />${facts && html`<span class="facts"> ${facts}</span>`}</p>
  ${words && html`<p class="label-words">${words}</p>`}
</li>`))} />`;
