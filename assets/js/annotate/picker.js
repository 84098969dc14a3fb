// Choosing from a list by typing: a field that filters the list, and keys and the pointer that go through it. What is offered comes from
// people, and is put on the page as text.
import { html, render } from "../../vendor/preact.js";
import { el, reveal } from "../player/dom.js";

// `part` begins the classes and ids of its parts. `field`: attributes of the field; `list` names the list. `rowsOf(now)` gives what is
// offered for what was passed to `open` and `now.typed`; `Row` draws one, `Below` what stands below for the highlighted one, and
// `none(now)` says that nothing is offered. `chosen(row)` is called with a row; `closed()` when the field is left without one.
export function createPicker({ kind, part, field, list, rowsOf, Row, Below = () => null, none = () => "", chosen, closed }) {
  const node = el("div", { class: kind, hidden: "" });
  let now = null; // while it is open: what was passed to `open`, what was typed, and the place of the highlighted row

  // Drawn at once: keys that waited come one after the other.
  function draw(change) {
    now = { ...now, ...change };
    const rows = rowsOf(now);
    render(html`
      <p class=${`${part}-for`} id=${`${part}-for`}>${now.what}</p>
      <input class=${`${part}-find`} type="text" role="combobox" autocomplete="off" aria-expanded="true" aria-controls=${`${part}-list`} aria-activedescendant=${rows[now.at] ? `${part}-${now.at}` : null}
        placeholder=${now.placeholder} ...${field} value=${now.typed} onInput=${({ target }) => draw({ typed: target.value, at: 0 })} onKeydown=${keys} onBlur=${leave} />
      <ul class=${`${part}-list`} id=${`${part}-list`} role="listbox" aria-label=${list}>
        ${rows.map((row, n) => html`<li key=${n} id=${`${part}-${n}`} role="option" aria-selected=${String(n === now.at)} class=${row.under ? "under" : ""}
          onPointerdown=${(event) => event.preventDefault()} onClick=${() => take(n)} onPointerenter=${() => n !== now.at && draw({ at: n })}><${Row} row=${row} before=${rows[n - 1]} ...${now} /></li>`)}
        ${!rows.length && none(now) && html`<li class="none" role="option" aria-selected="false" aria-disabled="true">${none(now)}</li>`}
      </ul>
      <${Below} row=${rows[now.at]} />`, node);
  }
  function keys(event) {
    const count = rowsOf(now).length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (count) draw({ at: (now.at + (event.key === "ArrowDown" ? 1 : -1) + count) % count });
      showHere();
    } else if (event.key === "Enter") take(now.at);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function showHere() {
    const rows = node.querySelector("ul");
    reveal(rows, rows.children[now.at]);
  }
  function take(n) {
    const row = rowsOf(now)[n];
    if (!row) return;
    hide();
    chosen(row);
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

  // `what` is the title; `typed` prefills the field. `isFirst(row)` tells the row to highlight, else the first one is.
  function open({ typed = "", isFirst = () => false, ...about }) {
    now = { ...about, typed };
    node.hidden = false;
    draw({ at: Math.max(0, rowsOf(now).findIndex(isFirst)) });
    node.querySelector("input").focus({ preventScroll: true });
    node.querySelector("ul").scrollTop = 0;
    showHere();
  }
  return { node, open, close, isOpen: () => now !== null };
}
