// Choosing a group by its name: a field that filters the groups there are, and offers a new one. Names come from people, and are put on
// the page as text.
import { el, reveal } from "../../player/dom.js";
import { offered, opensAt } from "./model.js";

// `chosen(name, fresh)` is called with a name; `closed()` when the field is left without one.
export function createNames({ chosen, closed }) {
  const title = el("p", { class: "names-for", id: "names-for" });
  const input = el("input", {
    class: "names-find", type: "text", role: "combobox", maxlength: 80, autocomplete: "off", "aria-expanded": "true", "aria-controls": "names-list",
    "aria-labelledby": "names-for", on: { input: () => draw(), keydown: keys, blur: (event) => !node.contains(event.relatedTarget) && close() },
  });
  const list = el("ul", { class: "names-list", id: "names-list", role: "listbox", "aria-label": "Groups" });
  const node = el("div", { class: "names", hidden: "" }, title, input, list);
  let order = [];
  let rows = [];
  let at = 0;
  let merges = false;

  function draw() {
    rows = offered(order, input.value);
    if (merges && !input.value.trim()) rows = [];
    at = 0;
    list.replaceChildren(...rows.map(({ name, fresh }, n) => el(
      "li", { id: `name-${n}`, role: "option", on: { pointerdown: (event) => event.preventDefault(), click: () => take(n) } },
      el("span", { text: name }), fresh ? el("small", { text: merges ? "rename to this" : "new group" }) : merges ? el("small", { text: "merge into it" }) : null,
    )));
    point(0);
  }
  function point(n) {
    list.children[at]?.removeAttribute("aria-selected");
    at = n;
    list.children[at]?.setAttribute("aria-selected", "true");
    if (rows[at]) input.setAttribute("aria-activedescendant", `name-${at}`);
    reveal(list, list.children[at]);
  }
  function keys(event) {
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && rows.length) point((at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length);
    else if (event.key === "Enter") take(at);
    else if (event.key === "Escape") close();
    else if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    event.stopPropagation();
  }
  function take(n) {
    const row = rows[n];
    if (!row) return;
    hide();
    chosen(row.name, Boolean(row.fresh));
  }
  function hide() {
    node.hidden = true;
    input.blur();
  }
  function close() {
    if (node.hidden) return;
    hide();
    closed();
  }

  // `merging` is for renaming: an existing name merges the two groups. `typed` prefills the field. It opens below `beside`, if given.
  function open(names, { what, typed = "", merging = false, beside = null }) {
    order = names;
    merges = merging;
    title.textContent = what;
    input.placeholder = merging ? "" : "type a name, Enter";
    node.hidden = false;
    input.value = typed;
    draw();
    node.removeAttribute("style");
    if (beside) {
      const { left, top } = opensAt(beside.getBoundingClientRect(), node.parentElement.getBoundingClientRect(), node.getBoundingClientRect());
      Object.assign(node.style, { left: `${left}px`, top: `${top}px` });
    }
    input.focus();
    input.select();
  }
  return { node, open, close, isOpen: () => !node.hidden };
}
