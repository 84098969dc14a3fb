// Lanes below the stepper's track: a lane for each annotator, with a mark at each step they gave a code or called decisive. A mark goes
// to its step. Shown only where the page sends lanes.
import { el } from "./dom.js";

const WORDS = 17; // pixels that a mark needs for its words, for each character half of it
const NARROW = 60; // pixels left of the track below which names stand above their lanes

// `track()` says where the track begins (pixels from the stepper's left), and the place of each step on it (`x`).
export function createLanes(player, track) {
  const node = el("div", { class: "annotator-lanes", hidden: "" });
  let built = null;
  let shape = "";
  let marks = [];

  function draw(at) {
    const lanes = player.lanes ?? [];
    node.hidden = !lanes.some(({ marks: found }) => found.length);
    if (node.hidden) return;
    const { left, width, x, last } = track();
    const now = JSON.stringify([left, width, x(0), x(last)]);
    if (lanes !== built || now !== shape) {
      built = lanes;
      shape = now;
      node.style.setProperty("--track-width", `${width}px`);
      build(lanes, left, x);
    }
    for (const { step, button } of marks) {
      button.classList.toggle("here", step === at);
      if (step === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
  }

  function build(lanes, left, x) {
    marks = [];
    node.classList.toggle("narrow", left < NARROW);
    node.style.setProperty("--track-left", `${Math.max(0, left)}px`);
    node.replaceChildren(...lanes.map(({ name, marks: found }) => el("div", { class: "annotator-lane", role: "group", "aria-label": name }, el("span", { class: "annotator-lane-name", text: name, title: name }), el("div", { class: "annotator-lane-track" }, ...found.map((mark, n) => place(mark, room(found, n, x), x))))));
  }

  // The pixels until the next mark of the lane.
  const room = (found, n, x) => (n + 1 < found.length ? x(found[n + 1].step) - x(found[n].step) : Infinity);

  function place({ step, codes, words, decisive }, free, x) {
    const long = [decisive ? "◆" : "", codes.join(" ")].filter(Boolean).join(" ");
    const text = free >= (WORDS / 2) * long.length + 8 ? long : decisive ? "◆" : "";
    const about = `Step ${step + 1}: ${words.join(", ")}`;
    const button = el("button", { type: "button", class: `annotator-lane-mark ${decisive ? "decisive" : ""} ${text ? "" : "dot"}`, text, title: about, "aria-label": about, on: { click: () => player.go(step) } });
    button.style.left = `${x(step)}px`;
    marks.push({ step, button });
    return button;
  }

  return { node, draw };
}
