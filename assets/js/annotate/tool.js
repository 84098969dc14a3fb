// A button of the annotators' scripts, with the key that does the same.
import { el } from "../player/dom.js";

export const tool = (text, key, act, kind = "") =>
  el("button", { type: "button", class: `tool ${kind}`, "data-key": key, on: { click: act } }, el("span", { text }), el("kbd", { text: key, "aria-hidden": "true" }));
