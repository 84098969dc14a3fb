// Entry point: Streamlit calls it to mount the player, and again with new data. One player per element.
import { createPlayer } from "./player.js";
import { whenUnmounted } from "./unmounted.js";

const players = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  const before = players.get(parentElement);
  const same = before?.frames.run === data.frames.run;
  if (!same) before?.destroy();
  const player = same ? before : createPlayer(parentElement.querySelector(".player"), data.frames, { at: data.at, vis: globalThis.vis, beside: data.beside });
  players.set(parentElement, player);
  if (same) {
    // A fork that was watched until it ended jumps to its changed step, like one that is opened later.
    const ended = player.frames.live && !data.frames.live && player.at >= player.last;
    player.refreshed(data.frames);
    if (ended && data.frames.steps[data.at]?.changed) player.go(data.at);
  }
  return whenUnmounted(parentElement, () => {
    player.destroy();
    players.delete(parentElement);
  });
}
