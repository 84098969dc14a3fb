// The items of the table: each a question that annotators answered differently, with a button for every value that somebody gave, other
// values, and what was decided before.
import { html } from "../../../vendor/preact.js";
import { byValue, same } from "./deciding.js";

// `acts`: `look(step)` moves the player; `pick(name, key)` takes a side; `other(name)` opens another value. `picker` stands in the item
// that codes are chosen for, `picking`.
export const Items = ({ data, picking, picker, ...about }) => html`<ol class="items">
  ${data.items.map((item) => html`<${Item} key=${item.name} ...${{ item, data, ...about }}>${picking === item.name && picker}<//>`)}
</ol>`;

function Item({ item, data, at, deciding, codeName, acts, children }) {
  const { name, step, warning } = item;
  const value = deciding.value(name);
  const isCurrent = deciding.current() === name;
  const isTaken = (key) => Boolean(value) && same(value, data.takes[key]?.[name]);
  const button = (key, kind, inside) => html`<button type="button" class=${kind} data-key=${isCurrent ? key : null} aria-pressed=${String(isTaken(key))} onClick=${() => acts.pick(name, key)}>${inside}</button>`;
  const sides = byValue(item, data);
  const union = data.takes.b[name];
  const isSide = item.sides.some((side) => same(union, data.takes[String(data.annotators.indexOf(side.name) + 1)]?.[name]));
  const isOther = value && ![...sides.map(([{ key }]) => key), "b"].some(isTaken);
  const kinds = ["item", value && "decided", isCurrent && "current", step === at + 1 && "here"].filter(Boolean).join(" ");
  return html`<li class=${kinds} aria-current=${isCurrent ? "true" : null}>
    <div class="row head-line">
      <span class="sign" aria-hidden="true">${value ? "◆" : "◇"}</span><b class="title">${step ? "Codes" : item.title}</b>
      <span class="visually-hidden">${value ? "◆ decided" : item.differs ? "to decide" : "all agree by now"}</span>
      <${Look} step=${step} look=${acts.look} />
      <span class="more">${item.options.length ? html`<${OtherValue} ...${{ item, value: isOther ? value : null, choose: deciding.choose }} />` : html`<button type="button" class="tool small" data-key=${isCurrent ? "o" : null} onClick=${() => acts.other(name)}><span>Other</span><kbd aria-hidden="true">o</kbd></button>`}</span>
    </div>
    <div class="sides">${sides.map((given) => html`<div class="a-side" key=${given[0].key}>
      ${button(given[0].key, "side", html`${given.map(({ key }) => html`<kbd aria-hidden="true">${key}</kbd>`)}<b>${given.map((side) => side.name).join(", ")}</b><span>${given[0].words}</span>`)}
      ${given.flatMap((side) => side.labels.map((label) => html`<${Said} ...${label} who=${given.length > 1 ? side.name : ""} />`))}
      <${Look} step=${step ? null : given[0].step} look=${acts.look} />
    </div>`)}</div>
    ${union && !isSide && button("b", "side both", html`<kbd aria-hidden="true">b</kbd><b>Both</b><span>${union.codes.map(codeName).join(", ")}</span>`)}
    <p class="chosen">${isOther && value.codes ? `◆ ${value.codes.map(codeName).join(", ") || "No code"}` : ""}</p>
    <${Before} history=${item.history} viewer=${data.annotator} />
    ${warning && html`<p class="warning">! ${warning}</p>`}
    ${children}
  </li>`;
}

const Look = ({ step, look }) => step && html`<button type="button" class="link look" onClick=${() => look(step)}>Look at step ${step}</button>`;

const Said = ({ facts, words, warning, who }) => html`
  ${(facts || words) && html`<p class="said" title=${words}>${who && html`<b>${who}: </b>`}${words}${facts && html`<span class="facts">${words ? ` (${facts})` : facts}</span>`}</p>`}
  ${warning && html`<p class="warning">! ${warning}</p>`}`;

// `value` is one that no side gave.
const OtherValue = ({ item: { name, title, options }, value, choose }) => html`
  <select aria-label=${`Other value: ${title}`} value=${value ? String(options.findIndex(([stored]) => same(stored, value))) : ""} onChange=${({ target }) => choose(name, options[Number(target.value)]?.[0])}>
    <option value="" disabled>other</option>${options.map(([, text], n) => html`<option value=${String(n)}>${text}</option>`)}
  </select>`;

// Who decided, where it was somebody else or not for the first time; the current value is told by the buttons.
function Before({ history, viewer }) {
  if (!history.length || (history.length === 1 && history[0][1] === viewer)) return null;
  const [[, by, when, why], ...earlier] = history;
  return html`<div class="before">
    <p>${[`${by}, ${when}`, why].filter(Boolean).join(": ")}</p>
    ${earlier.length > 0 && html`<details>
      <summary>${earlier.length} earlier</summary>
      <ul>${earlier.map(([what, who, at, reason]) => html`<li>${[`${what}, ${who}, ${at}`, reason].filter(Boolean).join(": ")}</li>`)}</ul>
    </details>`}
  </div>`;
}
