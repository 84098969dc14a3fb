// How Streamlit mounts the player: called for the first time and again with new data; one player an element.
import { createPlayer } from "./player.js";

const players = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  const before = players.get(parentElement);
  if (before?.frames.run === data.frames.run) {
    before.update(data.frames);
    return () => before.destroy();
  }
  before?.destroy();
  const root = parentElement.querySelector(".player");
  const player = createPlayer(root, data.frames, { at: data.at, vis: globalThis.vis });
  players.set(parentElement, player);
  return () => {
    player.destroy();
    players.delete(parentElement);
  };
}
