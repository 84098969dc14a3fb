// Entry point: Streamlit calls it to mount the player, and again with new data. One player per element.
import { createPlayer } from "./player.js";
import { whenUnmounted } from "./unmounted.js";

const players = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  const before = players.get(parentElement);
  const same = before?.frames.run === data.frames.run;
  if (!same) before?.destroy();
  const { at, beside, end, stage, algorithm, tour } = data;
  const player = same ? before : createPlayer(parentElement.querySelector(".player"), data.frames, { at, vis: globalThis.vis, beside, end, stage, algorithm, tour });
  players.set(parentElement, player);
  if (same) {
    // What was watched until it ended goes where it begins when it is opened later: a fork to its changed step, a reading whose end is
    // hidden to the step in its address.
    const ended = player.frames.live && !data.frames.live && player.at >= player.last;
    player.refreshed(data.frames);
    player.showAlgorithm(Boolean(algorithm?.shown));
    if (ended && (data.frames.steps[data.at]?.changed || player.ending.hides())) player.go(data.at);
    player.playIfAsked();
    if (ended) player.ended();
  }
  return whenUnmounted(parentElement, () => {
    player.destroy();
    players.delete(parentElement);
  });
}
