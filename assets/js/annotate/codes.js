// Choosing a code: a field that filters a list, and for the highlighted code its meaning, an example, a near miss and a hint on where to
// look in this reader. All of it comes from a codebook written by people, and is put on the page as text.
import { html, render } from "../../vendor/preact.js";
import { el, reveal } from "../player/dom.js";

const BARE = { id: "", name: "mark without a code", group: "", bare: true };

// `chosen(code)` is called with a code, or with null for a mark without a code; `closed()` if nothing was chosen.
export function createCodes({ chosen, closed }) {
  const node = el("div", { class: "codes-open", hidden: "" });
  let now = null; // what is chosen from while it is open: the codes, what for, what was typed, and the place of the highlighted one

  const matches = () => [...matching(now.codes, now.typed), ...(now.without && !now.typed ? [BARE] : [])];

  // Drawn at once: keys that waited come one after the other.
  function draw(change) {
    now = { ...now, ...change };
    render(html`<${Codes} ...${now} matches=${matches()} type=${(typed) => draw({ typed, at: 0 })} point=${(at) => draw({ at })} ...${{ take, keys, leave }} />`, node);
  }
  function keys(event) {
    const found = matches();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (found.length) draw({ at: (now.at + (event.key === "ArrowDown" ? 1 : -1) + found.length) % found.length });
      showHere();
    } else if (event.key === "Enter") take(now.at);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function showHere() {
    const list = node.querySelector("ul");
    reveal(list, list.children[now.at]);
  }
  function take(n) {
    const code = matches()[n];
    if (!code) return;
    hide();
    chosen(code.bare ? null : code);
  }
  function hide() {
    now = null;
    node.hidden = true;
    render(null, node); // its field loses the focus at once, so that the next key does not go to it
  }
  function close() {
    if (!now) return;
    hide();
    closed();
  }
  const leave = (event) => now && !node.contains(event.relatedTarget) && close();

  // `typed` prefills the field; `first` is the id of the code to highlight; `without` offers a mark without a code.
  function open(codes, { what, typed = "", first = "", without = false }) {
    now = { codes, what, typed, without };
    node.hidden = false;
    draw({ at: Math.max(0, matches().findIndex(({ id }) => id && id === first)) });
    node.querySelector("input").focus({ preventScroll: true });
    node.querySelector("ul").scrollTop = 0;
    showHere();
  }
  return { node, open, close, isOpen: () => now !== null };
}

const Codes = ({ codes, what, typed, at, matches, type, point, take, keys, leave }) => html`
  <p class="code-for">${what}</p>
  <input class="code-find" type="text" role="combobox" autocomplete="off" spellcheck=${false} aria-expanded="true" aria-controls="code-list" aria-label="Find a code" placeholder="type a letter or a word"
    aria-activedescendant=${matches[at] ? `code-${at}` : null} value=${typed} onInput=${({ target }) => type(target.value)} onKeydown=${keys} onBlur=${leave} />
  <ul class="code-list" id="code-list" role="listbox" aria-label="Codes">
    ${matches.map((code, n) => html`<li key=${code.id} id=${`code-${n}`} role="option" aria-selected=${String(n === at)} class=${[code.under && "under", n === at && "here"].filter(Boolean).join(" ")}
      onPointerdown=${(event) => event.preventDefault()} onClick=${() => take(n)} onPointerenter=${() => n !== at && point(n)}>
      <b>${code.id}</b><span>${code.name}</span>${!(n && matches[n - 1].group === code.group) && html`<small>${code.group}</small>`}
    </li>`)}
    ${!matches.length && html`<li class="none" role="option" aria-selected="false" aria-disabled="true">${codes.length ? "No code matches." : "The codebook has no codes yet."}</li>`}
  </ul>
  <div class="code-about" aria-live="polite"><${Meaning} code=${matches[at]} /></div>`;

const LETTERS = 3; // a word this long is also looked for in what codes mean; a shorter one is in nearly all of it

// The codes in use that contain every word typed: first those with an id or name that starts with the first word, then the others that
// have them in their own name or group or in the name of the code they stand under, last those that have them in their meaning.
export function matching(codes, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = codes.filter((code) => !code.retired);
  if (!words.length) return offered;
  const has = (texts) => (word) => texts.some((text) => text?.toLowerCase().includes(word));
  const inMeaning = ({ definition, example, near }) => (word) => word.length >= LETTERS && has([definition, example, near])(word);
  const rank = (code) => {
    const { id, name, group, under } = code;
    const named = has([id, name, group, under]);
    if (words.every(named)) return [id, name].some((text) => text.toLowerCase().startsWith(words[0])) ? 0 : 1;
    return words.every((word) => named(word) || inMeaning(code)(word)) ? 2 : 3;
  };
  const ranks = offered.map(rank);
  return [0, 1, 2].flatMap((wanted) => offered.filter((_, n) => ranks[n] === wanted));
}

// What a code means, as far as the codebook says.
export function Meaning({ code }) {
  if (!code || code.bare) return null;
  const rows = [["Under", code.under], ["", code.definition], ["For example", code.example], ["Near miss", code.near], ["In this reader", code.hint]];
  return rows.filter(([, words]) => words).map(([name, words]) => html`<p>${name && html`<b>${name}: </b>`}${words}</p>`);
}
