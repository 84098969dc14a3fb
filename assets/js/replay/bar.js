// The bar of a replay: which reading, Simple or Full, and light or dark.
import { html, useState } from "../../vendor/preact.js";

const REPLAY_DEPTHS = [["simple", "Simple"], ["full", "Full"]];
const REPLAY_THEMES = [["", "Auto", "Light or dark, as this device is set"], ["light", "Light", "Light"], ["dark", "Dark", "Dark"]];

// `names`: of the readings to choose from; none for one alone. `show(number)` shows another reading, `turn(depth)` another depth.
// `title` says what the page is.
export function Bar({ title, names, number, depth, note, show, turn }) {
  const [theme, setTheme] = useState("");
  const dress = (name) => {
    document.documentElement.style.colorScheme = name;
    document.documentElement.dataset.theme = name;
    setTheme(name);
  };
  return html`<header class="replay-bar">
    <p class="replay-name">${title}</p>
    ${names.length > 0 && html`<select aria-label="The readings" value=${number} onChange=${({ target }) => show(Number(target.value))}>${names.map((name, n) => html`<option value=${n}>${name}</option>`)}</select>`}
    <span class="replay-gap" />
    <${Choice} label="How much to show" options=${REPLAY_DEPTHS} chosen=${depth} choose=${turn} />
    <${Choice} label="Light or dark" options=${REPLAY_THEMES} chosen=${theme} choose=${dress} />
    <p class="replay-note" role="status">${note}</p>
  </header>`;
}

const Choice = ({ label, options, chosen, choose }) => html`<div class="replay-choice" role="group" aria-label=${label}>
  ${options.map(([name, words, title]) => html`<button type="button" title=${title} aria-pressed=${name === chosen} onClick=${() => choose(name)}>${words}</button>`)}
</div>`;
