// The speaker's card: the note that a person wrote at this step, for those who show the reading. Where playing pauses is in the
// frames' `stops`, too.
import { el } from "./dom.js";

export const stopAt = (stops, at) => (stops ?? []).find((stop) => stop.at === at);

export function createNotes(player) {
  const words = el("p", { class: "note-words" });
  const node = el("aside", { class: "card pane speaker", "aria-label": "The speaker’s note", hidden: "" }, el("p", { class: "note-head", text: "Note, written by a person" }), words);

  function draw(at) {
    const note = stopAt(player.frames.stops, at)?.note ?? "";
    node.hidden = !note;
    if (words.textContent !== note) words.textContent = note;
  }

  return { node, draw };
}
