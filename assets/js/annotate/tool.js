// A button of the annotators' scripts, with the key that does the same.
import { html } from "../../vendor/preact.js";
import { el } from "../player/dom.js";

export const tool = (text, key, act, kind = "") =>
  el("button", { type: "button", class: `tool ${kind}`, "data-key": key, on: { click: act } }, el("span", { text }), el("kbd", { text: key, "aria-hidden": "true" }));

// The same as a component; `by` is the key.
export const Tool = ({ text, by, act, kind = "tool", ...about }) => html`<button type="button" class=${kind} data-key=${by} onClick=${act} ...${about}><span>${text}</span><kbd aria-hidden="true">${by}</kbd></button>`;
