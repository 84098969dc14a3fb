// Marked words on the label panel: what is selected on the page or found by its words, marking it with a code or without one, and the
// marks that the player shows in the text. Choosing the code is the panel's.
import { tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { ownNow } from "./fields.js";
import { idOf } from "./outbox.js";
import { selectedOnPage, short } from "./page_hooks.js";
import { tool } from "./tool.js";

// `may()`: whether words can be marked now. `chooseCode()` opens the codes; without it, words are marked without a code. `focus(node)`
// opens the panel at a field, `marked()` is called after each mark.
export function createMarks({ run, seed, outbox, may, chooseCode, focus, marked }) {
  let selected = null;
  let choosing = false; // a code for the selected words
  let sent = "";
  const picked = el("p", { class: "picked" });
  const find = el("input", { type: "search", "aria-label": "Words of the text to mark", placeholder: "words of the text to mark", maxlength: 300, hidden: "", on: { keydown: (event) => event.key === "Enter" && findWords() } });
  const button = tool("Mark words", "m", () => mark(), "wide");

  function mark() {
    if (!may()) return;
    if (!selected) {
      find.hidden = false;
      focus(find);
    } else if (chooseCode) {
      choosing = true;
      chooseCode();
      tellMarks();
    } else markWith(null);
  }
  function markWith(code) {
    choosing = false;
    const { on, number, start, end } = selected;
    const target = number === undefined ? { on, start, end } : { on, number, start, end };
    const id = idOf(seed, "span", target.on, target.number ?? "", target.start, target.end, code?.id ?? "");
    outbox.put({ id, kind: "span", target, value: { code: code?.id ?? null, note: "" } });
    marked();
    pick(null);
  }
  function pick(found) {
    selected = found?.start === undefined ? null : found;
    picked.textContent = found?.none ? "These words were not found in the text shown." : selected ? `Selected: “${short(found.words)}”` : "";
    if (selected) find.hidden = true;
  }
  function findWords() {
    tell(run, "select", { words: find.value });
    if (!selected) return;
    find.value = "";
    find.blur();
    mark();
  }

  // Tell the player which words of the text are marked, and for which a code is being chosen; once until it changes.
  function tellMarks() {
    const spans = ownNow(outbox).filter(({ kind, target }) => kind === "span" && target.on === "text").map(({ target }) => [target.start, target.end]);
    const chosenFor = choosing && selected?.on === "text" ? [[selected.start, selected.end]] : [];
    const key = JSON.stringify([spans, chosenFor]);
    if (key === sent) return;
    sent = key;
    tell(run, "sent", { what: { labelled: spans, selected: chosenFor } });
  }
  function tellAgain() {
    sent = "";
    tellMarks();
  }

  return {
    button, find, picked, mark, markWith, tell: tellMarks, tellAgain,
    pick: (found) => pick(found.none || found.words ? found : null),
    words: () => (choosing ? short(selected.words) : ""), // that a code is chosen for
    cancel: () => { choosing = false; tellMarks(); },
    destroy: selectedOnPage((found) => pick(found)),
  };
}
