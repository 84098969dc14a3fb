// The player of a lesson in a published site: one at a time, for the reading that is shown. Readings are loaded when they are first shown.
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { createPlayer } from "../player/player.js";
import { unfold } from "../replay/unfold.js";
import { readingOf } from "./kept.js";

const NO_DATA = "The reading of this part cannot be loaded. Either the files of this site were moved apart, or this browser is older than 2023 and cannot unpack them.";

// `show(there)`: a reading at a step, which it may not leave as long as something `waits`; null for no player.
export function createLessonStage(box, top) {
  let wanted = null;
  let shown = null; // the reading in the player, and what ends it

  async function show(there) {
    wanted = there;
    box.hidden = !there;
    if (!there) return;
    const reading = shown?.id === there.reading ? shown.reading : await readingOf(there.reading, top).catch(() => null);
    if (wanted !== there) return;
    if (!reading) return refuse();
    if (shown?.id !== there.reading) mount(there, reading);
    const { run } = reading.frames;
    tell(run, "sent", { what: { until: there.waits ? there.at : null, known: there.known ? (reading.known ?? null) : null } });
    tell(run, "go", { at: there.at, by: "lesson" });
  }

  function mount({ reading: id, at }, reading) {
    shown?.end();
    const place = el("div", { class: "player" });
    box.replaceChildren(el("p", { class: "lesson-of" }, reading.name, reading.changed ? ` · changed: ${reading.changed}` : ""), place);
    const ears = hear(reading.frames.run, { want: ({ what }) => what.open && unfold(reading) });
    const player = createPlayer(place, reading.frames, { at, vis: globalThis.vis, beside: `The reading of this lesson: ${reading.question}`, end: { hides: true, usual: "hidden" }, follows: false });
    shown = { id, reading, end: () => (ears(), player.destroy()) };
  }

  function refuse() {
    shown?.end();
    shown = null;
    box.replaceChildren(el("p", { role: "alert", text: NO_DATA }));
  }

  return { show };
}
