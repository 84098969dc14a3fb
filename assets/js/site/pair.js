// Two players beside each other with the switch that locks them together, and the button that goes to where the readings part.
import { createLock, createPart } from "../compare/between.js";
import { hear } from "../player/bus.js";
import { el } from "../player/dom.js";
import { createPlayer } from "../player/player.js";
import { unfold } from "../replay/unfold.js";

// `opens`: the steps at which they open; `parted`: where the readings part, if that is known. Its players begin when their boxes are on
// the page, from which they have their size.
export function createPair(readings, { opens, same, parted, rule }) {
  const runs = readings.map(({ frames }) => frames.run);
  const boxes = { players: readings.map(() => el("div", { class: "player" })), lock: el("div", { class: "player between" }), part: el("div", { class: "player between" }) };
  const ends = [];

  function begin() {
    if (ends.length) return;
    readings.forEach((reading, n) => {
      const { frames } = reading;
      const at = Math.min(opens[n], frames.steps.length - 1);
      const player = createPlayer(boxes.players[n], frames, { at, vis: globalThis.vis, beside: `Reading ${n + 1} of two: ${reading.name}`, end: null, follows: false });
      ends.push(player.destroy, hear(frames.run, { want: ({ what }) => what.open && unfold(reading) }));
    });
    const counts = readings.map(({ frames }) => frames.steps.length);
    ends.push(createLock(boxes.lock, { runs, counts, same, rule }).end);
    if (parted?.at) ends.push(createPart(boxes.part, { runs, part: parted.at }).end);
  }

  return { boxes, begin, end: () => ends.forEach((end) => end()) };
}
