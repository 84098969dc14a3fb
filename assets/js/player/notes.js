// The speaker's card: the note that a person wrote at this step, for those who show the reading. Where playing pauses is in the
// frames' `stops`, too.
import { html } from "../../vendor/preact.js";

export const stopAt = (stops, at) => (stops ?? []).find((stop) => stop.at === at);

export function Note({ frames, at }) {
  const note = stopAt(frames.stops, at)?.note;
  return note ? html`<p class="note-head">Note, written by a person</p><p class="note-words" dir="auto">${note}</p>` : null;
}
