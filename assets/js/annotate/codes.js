// Choosing a code: a field that filters a list, and for the highlighted code its meaning, an example, a near miss and a hint on where to
// look in this reader. All of it comes from a codebook written by people, and is put on the page as text.
import { el, reveal } from "../player/dom.js";

// `chosen(code)` is called with a code, or with null for a mark without a code; `closed()` if nothing was chosen.
export function createCodes({ chosen, closed }) {
  const input = el("input", {
    class: "code-find", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-expanded": "true",
    "aria-controls": "code-list", "aria-label": "Find a code", placeholder: "type a letter or a word",
    on: { input: () => draw(), keydown: keys, blur: (event) => !node.contains(event.relatedTarget) && close() },
  });
  const list = el("ul", { class: "code-list", id: "code-list", role: "listbox", "aria-label": "Codes" });
  const about = el("div", { class: "code-about", "aria-live": "polite" });
  const title = el("p", { class: "code-for" });
  const node = el("div", { class: "codes-open", hidden: "" }, title, input, list, about);
  let codes = [];
  let matches = [];
  let at = 0;
  let bare = false;

  function draw({ keep = false } = {}) {
    matches = matching(codes, input.value);
    if (bare && !input.value) matches = [...matches, { id: "", name: "mark without a code", group: "", bare: true }];
    at = keep ? Math.min(at, matches.length - 1) : 0;
    list.replaceChildren(...matches.map((code, n) => el(
      "li",
      {
        id: `code-${n}`, role: "option", "aria-selected": String(n === at), class: `${code.under ? "under" : ""} ${n === at ? "here" : ""}`.trim(),
        on: { pointerdown: (event) => event.preventDefault(), click: () => take(n), pointerenter: () => point(n) },
      },
      el("b", { text: code.id }), el("span", { text: code.name }), n && matches[n - 1].group === code.group ? null : el("small", { text: code.group }),
    )));
    if (!matches.length) list.replaceChildren(el("li", { class: "none", role: "option", "aria-selected": "false", "aria-disabled": "true", text: codes.length ? "No code matches." : "The codebook has no codes yet." }));
    tell();
  }

  function point(n) {
    if (n === at) return;
    list.children[at]?.classList.remove("here");
    list.children[at]?.setAttribute("aria-selected", "false");
    at = n;
    list.children[at]?.classList.add("here");
    list.children[at]?.setAttribute("aria-selected", "true");
    tell();
  }

  function tell() {
    const code = matches[at];
    if (code) input.setAttribute("aria-activedescendant", `code-${at}`);
    else input.removeAttribute("aria-activedescendant");
    about.replaceChildren(...meaning(code));
  }

  function keys(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const down = event.key === "ArrowDown" ? 1 : -1;
      if (matches.length) point((at + down + matches.length) % matches.length);
      reveal(list, list.children[at]);
    } else if (event.key === "Enter") take(at);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function take(n) {
    const code = matches[n];
    if (!code) return;
    hide();
    chosen(code.bare ? null : code);
  }
  function hide() {
    node.hidden = true;
    input.value = "";
    input.blur(); // at once, so that the next key does not go to it
  }
  function close() {
    if (node.hidden) return;
    hide();
    closed();
  }

  // `typed` prefills the field; `first` is the id of the code to highlight; `without` offers a mark without a code.
  function open(given, { what, typed = "", first = "", without = false }) {
    codes = given;
    bare = without;
    title.textContent = what;
    node.hidden = false;
    input.value = typed;
    draw();
    const there = matches.findIndex(({ id }) => id && id === first);
    if (there > 0) point(there);
    input.focus({ preventScroll: true });
    list.scrollTop = 0;
    reveal(list, list.children[at]);
  }

  return { node, open, close, isOpen: () => !node.hidden };
}

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
export function meaning(code) {
  if (!code || code.bare) return [];
  const rows = [["Under", code.under], ["", code.definition], ["For example", code.example], ["Near miss", code.near], ["In this reader", code.hint]];
  return rows.filter(([, words]) => words).map(([name, words]) => el("p", {}, name ? el("b", { text: `${name}: ` }) : null, words));
}
