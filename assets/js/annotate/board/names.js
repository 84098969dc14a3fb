// Choosing a group by its name: from the groups there are, or a new one.
import { html } from "../../../vendor/preact.js";
import { createPicker } from "../picker.js";
import { offered, opensAt } from "./model.js";

// `chosen(name)` is called with a name; `closed()` when the field is left without one.
export function createNames({ chosen, closed }) {
  const picker = createPicker({
    kind: "names", part: "names", list: "Groups", field: { "aria-labelledby": "names-for", maxlength: 80 },
    rowsOf: ({ order, typed, merging }) => (merging && !typed.trim() ? [] : offered(order, typed)),
    Row: ({ row: { name, fresh }, merging }) => html`<span>${name}</span>${fresh ? html`<small>${merging ? "rename to this" : "new group"}</small>` : merging && html`<small>merge into it</small>`}`,
    chosen: ({ name }) => chosen(name), closed,
  });

  // `merging` is for renaming: an existing name merges the two groups. It opens below `beside`, if given.
  function open(order, { merging = false, beside = null, ...about }) {
    const { node } = picker;
    picker.open({ order, merging, placeholder: merging ? "" : "type a name, Enter", ...about });
    node.removeAttribute("style");
    if (beside) {
      const { left, top } = opensAt(beside.getBoundingClientRect(), node.parentElement.getBoundingClientRect(), node.getBoundingClientRect());
      Object.assign(node.style, { left: `${left}px`, top: `${top}px` });
    }
    node.scrollIntoView({ block: "nearest" });
    node.querySelector("input").select();
  }
  return { ...picker, open };
}
