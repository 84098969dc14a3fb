// How Streamlit mounts the player: called for the first time and again with new data; one player an element.
import { createPlayer } from "./player.js";

const players = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  const before = players.get(parentElement);
  const same = before?.frames.run === data.frames.run;
  if (!same) before?.destroy();
  const player = same ? before : createPlayer(parentElement.querySelector(".player"), data.frames, { at: data.at, vis: globalThis.vis });
  players.set(parentElement, player);
  if (same) player.refreshed(data.frames);
  return () => {
    player.destroy();
    players.delete(parentElement);
  };
}
